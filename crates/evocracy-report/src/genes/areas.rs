//! Areas of classifiers on the half they learnt from and on the other.

use super::scale::Panel;
use crate::page::{Options, Page};
use crate::plot::{self, Along, Frame, Ink, LEFT, Legend, Row, SIDE, Sample, WIDTH};
use crate::svg::{Area, Svg, polyline};

/// The height of a panel of genes against areas, and the room between two.
const TALL: f64 = 220.0;
const BETWEEN: f64 = 34.0;
/// Points of the region of chance.
const CORNERS: usize = 72;

/// What is drawn of a classifier.
type Value = fn(&AreaPoint) -> f64;

/// One classifier.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AreaPoint {
    /// How many genes it has.
    pub genes: usize,
    /// Its area on the half it was trained on.
    pub train: f64,
    /// Its area on the other half.
    pub test: f64,
}

/// Classifiers of many halves.
#[derive(Debug, Clone, Copy, Default)]
pub struct Areas<'a> {
    /// The classifiers.
    pub points: &'a [AreaPoint],
    /// Mean and standard deviation of the area by chance.
    pub chance: Option<(f64, f64)>,
}

impl Areas<'_> {
    fn known(&self) -> impl Iterator<Item = &AreaPoint> {
        self.points.iter().filter(|point| point.train.is_finite() && point.test.is_finite())
    }

    fn means(&self) -> (f64, f64) {
        let n = self.known().count().max(1) as f64;
        let sum = |of: fn(&AreaPoint) -> f64| self.known().map(of).sum::<f64>() / n;
        (sum(|point| point.train), sum(|point| point.test))
    }
}

/// Draws training areas against test areas with the region of chance; the text of an SVG file.
///
/// ```
/// use evocracy_report::{AreaPoint, Areas, Options, areas_svg};
///
/// let points = [AreaPoint { genes: 3, train: 1.0, test: 0.9 }];
/// let data = Areas { points: &points, chance: Some((0.5, 0.08)) };
/// assert!(areas_svg(&data, &Options::default()).starts_with("<svg"));
/// ```
pub fn areas_svg(data: &Areas<'_>, options: &Options) -> String {
    let page = Page::new(options, WIDTH, LEFT);
    let frame = Frame::square(page.top(), page.colours());
    let mut ink = Ink::default();
    let mut body = Svg::default();
    plot::square(&mut body, &frame, "Area on the training half", "Area on the test half");
    let same = Along {
        from: (0.0, 0.0),
        to: (1.0, 1.0),
        text: "as on the training half",
        best: 0.3,
        most: usize::MAX,
    };
    ink.reference(&mut body, &frame, &same);
    let [colour, other] = [0, 1].map(|number| options.theme.stroke(number).colour);
    let mut rows = vec![Row::remark(
        Sample::Dot(colour),
        format!(
            "{} classifiers; mean {} on the training half, {} on the test half",
            data.known().count(),
            plot::rate(data.means().0),
            plot::rate(data.means().1)
        ),
    )];
    if let Some((mean, sd)) = data.chance.filter(|(mean, sd)| mean.is_finite() && sd.is_finite()) {
        let corner = |i: usize| {
            let angle = std::f64::consts::TAU * i as f64 / CORNERS as f64;
            let at = |v: f64| (mean + sd * v).clamp(0.0, 1.0);
            frame.at((at(angle.cos()), at(angle.sin())))
        };
        let d = polyline((0..CORNERS).map(corner)) + "Z";
        body.path(&d, &[("fill", &other), ("fill-opacity", &"0.22"), ("stroke", &other)]);
        rows.push(Row::remark(
            Sample::Fill(other),
            format!(
                "chance: {} within one standard deviation, {}",
                plot::rate(mean),
                plot::rate(sd)
            ),
        ));
    }
    body.open("g", &[("fill", &colour), ("fill-opacity", &"0.55")]);
    for point in data.known() {
        let at = (point.train.clamp(0.0, 1.0), point.test.clamp(0.0, 1.0));
        body.circle(frame.at(at), 3.2, &[]);
    }
    body.close();
    let legend = Legend::new(Vec::new(), rows);
    let says = ("Training and test areas", &description(data)[..]);
    legend.finish(&page, body, frame.area.bottom() + 80.0, says)
}

/// Draws how many genes classifiers have against their areas: training above, test below.
pub fn gene_areas_svg(data: &Areas<'_>, options: &Options) -> String {
    let page = Page::new(options, WIDTH, LEFT);
    let mut body = Svg::default();
    let most = data.known().map(|point| point.genes).max().unwrap_or(1).max(1) as f64;
    let least = data.known().map(|point| point.train.min(point.test)).fold(1.0, f64::min);
    let low = ((least * 10.0).floor() / 10.0).clamp(0.0, 0.9);
    let halves: [(&str, Value); 2] =
        [("training area", |point| point.train), ("test area", |point| point.test)];
    let mut top = page.top();
    for (number, (name, value)) in halves.into_iter().enumerate() {
        let area = Area { x: LEFT, y: top, width: SIDE, height: TALL };
        let colours = page.colours();
        let panel = Panel { area, x: (0.0, most * 1.04), y: (low, 1.0), colours };
        panel.axes(&mut body, if number == 1 { "Columns of a classifier" } else { "" }, name);
        let colour = options.theme.stroke(number).colour;
        body.open("g", &[("fill", &colour), ("fill-opacity", &"0.55")]);
        for point in data.known() {
            body.circle(panel.at(point.genes as f64, value(point)), 3.2, &[]);
        }
        body.close();
        top += TALL + BETWEEN;
    }
    page.finish(top + 28.0, "Columns and areas", &description(data), body)
}

/// The picture in words.
fn description(data: &Areas<'_>) -> String {
    let (train, test) = data.means();
    format!(
        "Areas under the ROC curve of {} classifiers: {} on average on the half they learnt from, {} on the other.",
        data.known().count(),
        plot::rate(train),
        plot::rate(test)
    )
}

//! ROC curves as a picture: the square with its grid and the line of chance, the curves, marked
//! operating points, and below them a legend with the areas. The legend has its own place, so
//! that neither long names nor many curves can cover the curves.

mod legend;
mod mark;
mod plot;

use crate::svg::Svg;
use crate::text::wrap;
use crate::theme::{Colours, Stroke, Theme};
use crate::thin::{Rates, thin};
use evocracy::measure::{Interval, Point, Roc};

/// The fonts asked for, most wanted first; the last ones are what bare Linux machines have.
const FONTS: &str =
    "Inter, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

/// Most points drawn for one curve.
const MOST_POINTS: usize = 2000;

/// How much wider bold letters are.
const BOLD: f64 = 1.12;

const WIDTH: f64 = 640.0;
/// The side of the square, and where it stands.
const SIDE: f64 = 536.0;
const LEFT: f64 = 76.0;

/// A curve with its name and what is known about its area.
#[derive(Debug, Clone)]
pub struct NamedCurve<'a> {
    /// The name in the legend; any text.
    pub name: &'a str,
    /// The points, from (0, 0) to (1, 1).
    pub points: &'a [Point],
    /// The area under the curve.
    pub auc: Option<f64>,
    /// Its confidence interval.
    pub interval: Option<Interval>,
    /// An operating point to be marked.
    pub mark: Option<Mark>,
}

/// A marked operating point.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// False positive rate.
    pub fpr: f64,
    /// True positive rate.
    pub tpr: f64,
    /// What the point is, for example "threshold 0.5".
    pub label: String,
}

/// How the picture looks.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The heading; none if empty.
    pub title: String,
    /// A smaller line under the heading, such as data set, rows and positive class.
    pub subtitle: String,
    /// For a light or a dark page.
    pub theme: Theme,
}

impl<'a> NamedCurve<'a> {
    /// A curve with its area.
    pub fn new(name: &'a str, roc: &'a Roc) -> Self {
        let auc = Some(roc.auc());
        Self { name, points: roc.points(), auc, interval: None, mark: None }
    }

    /// Adds the confidence interval of the area.
    #[must_use]
    pub fn interval(mut self, interval: Interval) -> Self {
        self.interval = Some(interval);
        self
    }

    /// Marks an operating point.
    #[must_use]
    pub fn mark(mut self, at: Point, label: impl Into<String>) -> Self {
        self.mark = Some(Mark { fpr: at.fpr, tpr: at.tpr, label: label.into() });
        self
    }
}

/// A curve ready to be drawn.
struct Drawn<'a> {
    curve: &'a NamedCurve<'a>,
    stroke: Stroke,
    points: Vec<Rates>,
}

/// Where things are and what colours they have.
struct Frame {
    left: f64,
    top: f64,
    colours: Colours,
}

impl Frame {
    fn x(&self, fpr: f64) -> f64 {
        self.left + SIDE * fpr
    }

    fn y(&self, tpr: f64) -> f64 {
        self.top + SIDE * (1.0 - tpr)
    }
}

/// Draws ROC curves; the text of an SVG file.
///
/// Curves differ in colour and in dashes. Each is drawn with at most 2000 points, so the size
/// of the picture does not grow with the rows. Names and labels are escaped and, if very long,
/// broken and cut. The same input gives the same bytes.
///
/// ```
/// use evocracy::measure::{Delong, LEVEL, Roc};
/// use evocracy_report::{NamedCurve, Options, roc_svg};
///
/// let (truth, scores) = ([true, false, true, false], [0.9, 0.6, 0.55, 0.2]);
/// let roc = Roc::new(&truth, &scores, None)?;
/// let interval = Delong::new(&truth, &scores, None)?.interval(LEVEL)?;
/// let curve = NamedCurve::new("tree", &roc).interval(interval).mark(roc.at(0.5), "threshold 0.5");
/// let svg = roc_svg(&[curve], &Options { title: "wdbc".into(), ..Options::default() });
/// assert!(svg.starts_with("<svg"));
/// # Ok::<(), evocracy::error::Error>(())
/// ```
pub fn roc_svg(curves: &[NamedCurve<'_>], options: &Options) -> String {
    let drawn: Vec<Drawn<'_>> = curves
        .iter()
        .enumerate()
        .map(|(number, curve)| Drawn {
            curve,
            stroke: options.theme.stroke(number),
            points: thin(curve.points.iter().map(|p| (p.fpr, p.tpr)), MOST_POINTS),
        })
        .collect();
    let title = wrap(&options.title, BOLD * 19.0, WIDTH - LEFT - 28.0, 2);
    let subtitle = wrap(&options.subtitle, 13.0, WIDTH - LEFT - 28.0, 2);
    let colours = options.theme.colours();
    let top = 28.0 + 25.0 * title.len() as f64 + 18.0 * subtitle.len() as f64;
    let frame = Frame { left: LEFT, top, colours };
    let legend = legend::Legend::new(&drawn);
    let legend_top = top + SIDE + 80.0;
    let height = legend_top + legend.height() + 8.0;

    let name = if options.title.is_empty() { "ROC curves" } else { &options.title };
    let mut svg = Svg::new(WIDTH, height, name);
    svg.text("title", &[], name);
    svg.text("desc", &[], &description(curves));
    svg.leaf("rect", &[("width", &"100%"), ("height", &"100%"), ("fill", &colours.page)]);
    svg.open("g", &[("font-family", &FONTS), ("font-size", &"14"), ("fill", &colours.text)]);
    heading(&mut svg, &title, &subtitle, colours);
    plot::axes(&mut svg, &frame);
    plot::curves(&mut svg, &frame, &drawn);
    mark::marks(&mut svg, &frame, &drawn);
    legend.draw(&mut svg, legend_top, colours);
    svg.finish()
}

fn heading(svg: &mut Svg, title: &[String], subtitle: &[String], colours: Colours) {
    let mut y = 14.0;
    for line in title {
        y += 25.0;
        svg.text(
            "text",
            &[("x", &LEFT), ("y", &(y - 5.0)), ("font-size", &"19"), ("font-weight", &"600")],
            line,
        );
    }
    for line in subtitle {
        y += 18.0;
        svg.text(
            "text",
            &[("x", &LEFT), ("y", &(y - 5.0)), ("font-size", &"13"), ("fill", &colours.muted)],
            line,
        );
    }
}

/// The picture in words.
fn description(curves: &[NamedCurve<'_>]) -> String {
    let areas: Vec<String> = curves.iter().map(legend::sentence).collect();
    format!("True positive rate against false positive rate. {}", areas.join("; "))
}

#[cfg(test)]
mod tests;

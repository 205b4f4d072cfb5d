//! ROC curves as a picture: the square with its grid and the line of chance, the curves with
//! their hulls and confidence bands, marked operating points with the line of equal cost
//! through them, and below a legend with the areas. The legend has its own place, so that
//! neither long names nor many curves can cover the curves.

mod extra;

use crate::page::{Options, Page};
use crate::plot::{self, Along, Curve, Frame, Ink, Legend, MOST_POINTS, Spot};
use crate::svg::Svg;
use crate::thin::thin;
use evocracy::measure::{Interval, Point, Roc};
use extra::Extras;

const SYMBOL: &str = "AUC";

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
    /// The corners of the convex hull as false and true positive rates; none if empty.
    pub hull: &'a [(f64, f64)],
    /// Where the curve may lie.
    pub band: Option<Band<'a>>,
    /// The line of points as good as the marked one.
    pub iso: Option<Iso>,
    /// A smooth curve that was fitted to it, as false and true positive rates, and what it is.
    pub smooth: Option<(&'a [(f64, f64)], &'a str)>,
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

/// A confidence band: the area between two lines of false and true positive rates, each from
/// left to right.
#[derive(Debug, Clone, PartialEq)]
pub struct Band<'a> {
    /// The lower line.
    pub lower: &'a [(f64, f64)],
    /// The upper line.
    pub upper: &'a [(f64, f64)],
    /// What it is, for example "95 % band".
    pub label: String,
}

/// An iso-performance line: all points of the square that cost the same as the marked one.
#[derive(Debug, Clone, PartialEq)]
pub struct Iso {
    /// True positive rate gained per false positive rate; may be infinite.
    pub slope: f64,
    /// The costs in words, for example "equal cost: FP 1, FN 5, prior 0.1".
    pub label: String,
}

impl<'a> NamedCurve<'a> {
    /// A curve with its area.
    pub fn new(name: &'a str, roc: &'a Roc) -> Self {
        Self { auc: Some(roc.auc()), ..Self::plain(name, roc.points()) }
    }

    /// A curve of which only the points are known.
    pub fn plain(name: &'a str, points: &'a [Point]) -> Self {
        let (auc, interval, mark, band, iso) = (None, None, None, None, None);
        Self { name, points, auc, interval, mark, hull: &[], band, iso, smooth: None }
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

    /// Adds the convex hull as false and true positive rates.
    #[must_use]
    pub fn hull(mut self, corners: &'a [(f64, f64)]) -> Self {
        self.hull = corners;
        self
    }

    /// Adds a confidence band.
    #[must_use]
    pub fn band(mut self, band: Band<'a>) -> Self {
        self.band = Some(band);
        self
    }

    /// Adds the line of equal cost through the marked point.
    #[must_use]
    pub fn iso(mut self, slope: f64, label: impl Into<String>) -> Self {
        self.iso = Some(Iso { slope, label: label.into() });
        self
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
/// let curve = NamedCurve::new("tree", &roc)
///     .interval(interval)
///     .mark(roc.at(0.5), "threshold 0.5")
///     .hull(&[(0.0, 0.0), (0.0, 0.5), (0.5, 1.0), (1.0, 1.0)])
///     .iso(1.0, "equal cost: FP 1, FN 1, prior 0.5");
/// let svg = roc_svg(&[curve], &Options { title: "wdbc".into(), ..Options::default() });
/// assert!(svg.starts_with("<svg"));
/// # Ok::<(), evocracy::error::Error>(())
/// ```
pub fn roc_svg(curves: &[NamedCurve<'_>], options: &Options) -> String {
    let drawn: Vec<Curve<'_>> =
        curves.iter().enumerate().map(|(number, curve)| drawable(curve, number, options)).collect();
    let extras = Extras::new(curves, &drawn);
    let page = Page::new(options, plot::WIDTH, plot::LEFT);
    let frame = Frame::square(page.top(), page.colours());
    let mut ink = Ink::default();
    for curve in &drawn {
        ink.line(&frame, &curve.points);
    }
    extras.ink(&frame, &mut ink);

    let mut body = Svg::default();
    plot::square(&mut body, &frame, "False positive rate", "True positive rate");
    extras.bands(&mut body, &frame);
    let (from, to) = ((0.0, 0.0), (1.0, 1.0));
    let chance = Along { from, to, text: "chance", best: 0.86, most: usize::MAX };
    ink.reference(&mut body, &frame, &chance);
    extras.hulls(&mut body, &frame);
    extras.smooths(&mut body, &frame);
    plot::curves(&mut body, &frame, &drawn, (SYMBOL, !extras.filled()));
    let unlabelled = extras.isos(&mut body, &frame, &mut ink);
    let labelled = plot::spots(&mut body, &frame, &drawn, &ink);

    let (heads, mut rows) = plot::figures(SYMBOL, &drawn, &labelled);
    rows.extend(extras.rows(unlabelled, page.colours()));
    let legend = Legend::new(heads, rows);
    let says = ("ROC curves", &description(&drawn)[..]);
    legend.finish(&page, body, frame.area.bottom() + 80.0, says)
}

fn drawable<'a>(curve: &NamedCurve<'a>, number: usize, options: &Options) -> Curve<'a> {
    let mark = curve.mark.as_ref();
    Curve {
        name: curve.name,
        stroke: options.theme.stroke(number),
        points: thin(curve.points.iter().map(|p| (p.fpr, p.tpr)), MOST_POINTS),
        area: curve.auc,
        interval: curve.interval,
        spot: mark.and_then(|m| Spot::new((m.fpr, m.tpr), &m.label, ("FPR", "TPR"))),
    }
}

/// The picture in words.
fn description(curves: &[Curve<'_>]) -> String {
    let areas: Vec<String> = curves.iter().map(|c| plot::sentence(c, SYMBOL)).collect();
    format!("True positive rate against false positive rate. {}", areas.join("; "))
}

#[cfg(test)]
mod tests;

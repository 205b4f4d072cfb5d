//! Precision against recall, with the line of guessing: whoever calls rows positive at random
//! is right as often as rows are positive, at any recall.

use crate::page::{Options, Page};
use crate::plot::{self, Along, Curve, Frame, Ink, Legend, MOST_POINTS, Row, Sample, Spot};
use crate::svg::Svg;
use crate::theme::Stroke;
use crate::thin::{Rates, thin};
use evocracy::measure::Interval;

const SYMBOL: &str = "AP";

/// Precision-recall curves of the same rows.
#[derive(Debug, Clone, Default)]
pub struct PrecisionRecall<'a> {
    /// The curves.
    pub curves: &'a [PrCurve<'a>],
    /// The share of rows that are positive.
    pub prevalence: Option<f64>,
}

/// A precision-recall curve with its name and what is known about it.
#[derive(Debug, Clone, Default)]
pub struct PrCurve<'a> {
    /// The name in the legend; any text.
    pub name: &'a str,
    /// Recall and precision, by rising (or falling) recall.
    pub points: &'a [(f64, f64)],
    /// The average precision.
    pub average: Option<f64>,
    /// Its confidence interval.
    pub interval: Option<Interval>,
    /// A point to be marked: recall, precision and what it is.
    pub mark: Option<(f64, f64, &'a str)>,
}

/// Draws precision-recall curves; the text of an SVG file.
///
/// Curves are drawn as steps: the precision of a point holds for the recall that it gains, so
/// that the area below is the average precision. (A straight line between two points would
/// promise precision that no threshold has.) Everything else is as in
/// [`roc_svg`](crate::roc_svg).
///
/// ```
/// use evocracy_report::{Options, PrCurve, PrecisionRecall, pr_svg};
///
/// let points = [(0.5, 1.0), (0.5, 0.5), (1.0, 0.67)];
/// let curve = PrCurve { name: "tree", points: &points, average: Some(0.83), ..PrCurve::default() };
/// let data = PrecisionRecall { curves: &[curve], prevalence: Some(0.5) };
/// assert!(pr_svg(&data, &Options::default()).starts_with("<svg"));
/// ```
pub fn pr_svg(data: &PrecisionRecall<'_>, options: &Options) -> String {
    let drawn: Vec<Curve<'_>> =
        data.curves.iter().enumerate().map(|(i, curve)| drawable(curve, i, options)).collect();
    let page = Page::new(options, plot::WIDTH, plot::LEFT);
    let frame = Frame::square(page.top(), page.colours());
    let mut ink = Ink::default();
    for curve in &drawn {
        ink.line(&frame, &curve.points);
    }

    let mut body = Svg::default();
    plot::square(&mut body, &frame, "Recall (true positive rate)", "Precision");
    let prevalence = data.prevalence.filter(|p| (0.0..=1.0).contains(p));
    if let Some(share) = prevalence {
        let (from, to) = ((0.0, share), (1.0, share));
        let chance = Along { from, to, text: "chance", best: 0.04, most: usize::MAX };
        ink.reference(&mut body, &frame, &chance);
    }
    plot::curves(&mut body, &frame, &drawn, (SYMBOL, true));
    let labelled = plot::spots(&mut body, &frame, &drawn, &ink);

    let (heads, mut rows) = plot::figures(SYMBOL, &drawn, &labelled);
    if let Some(share) = prevalence {
        rows.push(Row {
            sample: Sample::Line(Stroke { colour: page.colours().muted, dash: plot::DOTS }, 1.0),
            text: "chance: the share of positives".to_owned(),
            cells: vec![plot::rate(share)],
        });
    }
    let legend = Legend::new(heads, rows);
    let says = ("Precision-recall curves", &description(&drawn)[..]);
    legend.finish(&page, body, frame.area.bottom() + 80.0, says)
}

fn drawable<'a>(curve: &PrCurve<'a>, number: usize, options: &Options) -> Curve<'a> {
    let spot = curve.mark.and_then(|(recall, precision, label)| {
        Spot::new((recall, precision), label, ("recall", "precision"))
    });
    Curve {
        name: curve.name,
        stroke: options.theme.stroke(number),
        points: thin(steps(curve.points), MOST_POINTS),
        area: curve.average,
        interval: curve.interval,
        spot,
    }
}

/// The corners of the steps, by rising recall.
fn steps(points: &[Rates]) -> impl Iterator<Item = Rates> {
    let known = || points.iter().filter(|p| !p.0.is_nan() && !p.1.is_nan());
    let falling = known().next().map(|p| p.0) > known().next_back().map(|p| p.0);
    let at = move |i: usize| points[if falling { points.len() - 1 - i } else { i }];
    let mut before = None;
    (0..points.len()).map(at).filter(|p| !p.0.is_nan() && !p.1.is_nan()).flat_map(move |p| {
        let corner = (before.replace(p.0).unwrap_or(0.0), p.1);
        [corner, p]
    })
}

/// The picture in words.
fn description(curves: &[Curve<'_>]) -> String {
    let areas: Vec<String> = curves.iter().map(|c| plot::sentence(c, SYMBOL)).collect();
    format!("Precision against recall. {}", areas.join("; "))
}

#[cfg(test)]
mod tests;

//! Curves with their names and the areas under them.

use super::legend::{interval, level, rate};
use super::{Frame, Spot};
use crate::svg::Svg;
use crate::theme::Stroke;
use crate::thin::Rates;
use evocracy::measure::Interval;

/// A curve ready to be drawn.
pub(crate) struct Curve<'a> {
    pub(crate) name: &'a str,
    pub(crate) stroke: Stroke,
    pub(crate) points: Vec<Rates>,
    /// The area under it.
    pub(crate) area: Option<f64>,
    pub(crate) interval: Option<Interval>,
    /// A point of it that is marked.
    pub(crate) spot: Option<Spot>,
}

/// Draws the curves; `symbol` is what their areas are called. A lone curve is filled, being
/// named by the area it encloses, unless something else is filled already.
pub(crate) fn curves(
    svg: &mut Svg,
    frame: &Frame,
    curves: &[Curve<'_>],
    (symbol, filled): (&str, bool),
) {
    if let [only] = curves
        && let [first, .., last] = only.points[..]
        && filled
    {
        let ground = [(first.0, 0.0), (last.0, 0.0)];
        let area = frame.between(&ground, &only.points);
        svg.path(&area, &[("fill", &only.stroke.colour), ("fill-opacity", &"0.08")]);
    }
    // The first curve is the one asked about: it is drawn last, above the others.
    for curve in curves.iter().rev() {
        svg.open("g", &[("class", &"curve")]);
        svg.says("title", &sentence(curve, symbol));
        svg.path(
            &frame.path(&curve.points),
            &[
                ("fill", &"none"),
                ("stroke", &curve.stroke.colour),
                ("stroke-width", &"2.25"),
                ("stroke-linejoin", &"round"),
                ("stroke-dasharray", &curve.stroke.dash),
            ],
        );
        svg.close();
    }
}

/// A curve in words: "tree: AUC 0.912 (95 % interval 0.871 – 0.941)".
pub(crate) fn sentence(curve: &Curve<'_>, symbol: &str) -> String {
    let name = curve.name;
    let within = curve
        .interval
        .map_or(String::new(), |i| format!(" ({} {})", level([i.level]), interval(Some(i))));
    curve
        .area
        .map_or_else(|| name.to_owned(), |area| format!("{name}: {symbol} {}{within}", rate(area)))
}

//! Marked points of curves. A lone one is labelled in the plot, where the label covers least;
//! the labels of several would crowd each other and stand in the legend.

use super::ink::rimmed;
use super::{Curve, Frame, Ink, SIDE};
use crate::svg::{Anchor, Area, Place, Svg};
use crate::text::{width, wrap};
use crate::thin::Rates;

const SIZE: f64 = 13.0;
const LINE: f64 = 16.0;

/// Most points of lines that a label may cover: about two lines that cross it.
const MOST_COVERED: usize = 24;

/// A marked point.
#[derive(Debug, Clone)]
pub(crate) struct Spot {
    at: Rates,
    label: String,
    /// Its coordinates in words.
    figures: String,
}

impl Spot {
    /// A point with what it is and the names of its coordinates; `None` if it is nowhere.
    pub(crate) fn new(at: Rates, label: &str, (x, y): (&str, &str)) -> Option<Self> {
        let finite = at.0.is_finite() && at.1.is_finite();
        let at = (at.0.clamp(0.0, 1.0), at.1.clamp(0.0, 1.0));
        let figures = format!("{y} {:.3}, {x} {:.3}", at.1, at.0);
        finite.then(|| Self { at, label: label.to_owned(), figures })
    }

    pub(crate) fn at(&self) -> Rates {
        self.at
    }

    pub(super) fn sentence(&self) -> String {
        let colon = if self.label.is_empty() { "" } else { ": " };
        format!("{}{colon}{}", self.label, self.figures)
    }
}

/// Draws the marked points. True for each curve whose point is labelled in the plot; the
/// others are explained in the legend.
pub(crate) fn spots(svg: &mut Svg, frame: &Frame, curves: &[Curve<'_>], ink: &Ink) -> Vec<bool> {
    let crowded = curves.iter().filter(|c| c.spot.is_some()).count() > 1;
    let draw = |curve: &Curve<'_>| {
        let Some(spot) = &curve.spot else { return false };
        let at = frame.at(spot.at);
        svg.open("g", &[("class", &"mark")]);
        svg.says("title", &format!("{}, {}", curve.name, spot.sentence()));
        svg.circle(
            at,
            5.5,
            &[
                ("fill", &curve.stroke.colour),
                ("stroke", &frame.colours.page),
                ("stroke-width", &"2"),
            ],
        );
        svg.close();
        !crowded && label(svg, frame, spot, at, ink)
    };
    curves.iter().map(draw).collect()
}

/// Labels a point, if there is a place for it.
fn label(svg: &mut Svg, frame: &Frame, spot: &Spot, at: Place, ink: &Ink) -> bool {
    let mut lines = wrap(&spot.label, SIZE, SIDE * 0.45, 2);
    lines.push(spot.figures.clone());
    let wide = lines.iter().map(|l| width(l, SIZE)).fold(0.0, f64::max);
    let Some(area) = place(frame, at, (wide, LINE * lines.len() as f64), ink) else {
        return false;
    };
    leader(svg, frame, at, &area);
    let last = lines.len() - 1;
    rimmed(svg, frame, SIZE);
    for (i, text) in lines.iter().enumerate() {
        let colour = if i == last { frame.colours.muted } else { frame.colours.text };
        let y = area.y + LINE * (i as f64 + 0.8);
        // The end near the point is the one whose place is certain.
        let (x, anchor) =
            if area.x < at.0 { (area.right(), Anchor::End) } else { (area.x, Anchor::Start) };
        svg.words((x, y), anchor, &[("fill", &colour)], text);
    }
    svg.close();
    true
}

/// A thin line from the point to a label that is not right beside it.
fn leader(svg: &mut Svg, frame: &Frame, at: Place, area: &Area) {
    let to = (at.0.clamp(area.x - 3.0, area.right() + 3.0), at.1.clamp(area.y, area.bottom()));
    let length = (to.0 - at.0).hypot(to.1 - at.1);
    if length < 20.0 {
        return;
    }
    let start = |from: f64, to: f64| from + (to - from) * 8.0 / length;
    let from = (start(at.0, to.0), start(at.1, to.1));
    svg.line(from, to, &[("stroke", &frame.colours.muted)]);
}

/// The place around `at` that covers least for its distance; `None` if there is no room or too
/// much would be covered.
fn place(frame: &Frame, at: Place, size: (f64, f64), ink: &Ink) -> Option<Area> {
    let (width, height) = size;
    let room = frame.area.within(5.0);
    let mut best: Option<(f64, Area)> = None;
    for far in [12.0, 26.0, 48.0, 80.0] {
        let (right, left) = (at.0 + far, at.0 - far - width);
        let (below, level, above) = (at.1 + far * 0.6, at.1 - height / 2.0, at.1 - far - height);
        for (x, y) in [
            (right, below),
            (right, level),
            (left, below),
            (right, above),
            (left, above),
            (left, level),
        ] {
            let area = Area { x, y, width, height };
            if !room.holds((x, y)) || !room.holds((area.right(), area.bottom())) {
                continue;
            }
            // One more crossing of a line is worse than standing a little farther off.
            let covered = ink.below(&area);
            if covered > MOST_COVERED {
                continue;
            }
            let cost = covered as f64 + far / 10.0;
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, area));
            }
        }
    }
    best.map(|(_, area)| area)
}

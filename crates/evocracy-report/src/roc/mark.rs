//! Marked operating points. A lone one is labelled in the plot, where the label covers least;
//! the labels of several would crowd each other and stand in the legend.

use super::plot::CHANCE_AT;
use super::{Drawn, Frame, Mark, SIDE};
use crate::svg::{Svg, number};
use crate::text::{width, wrap};
use crate::thin::Rates;

const SIZE: f64 = 13.0;
const LINE: f64 = 16.0;

/// A rectangle in pixels.
#[derive(Debug, Clone, Copy)]
struct Area {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

impl Area {
    fn holds(&self, (x, y): Rates) -> bool {
        x >= self.x && x <= self.x + self.width && y >= self.y && y <= self.y + self.height
    }
}

pub(super) fn marks(svg: &mut Svg, frame: &Frame, drawn: &[Drawn<'_>]) {
    for d in drawn {
        let Some(mark) = of(d) else { continue };
        let at = (frame.x(mark.fpr.clamp(0.0, 1.0)), frame.y(mark.tpr.clamp(0.0, 1.0)));
        svg.open("g", &[("class", &"mark")]);
        svg.text("title", &[], &format!("{}, {}", d.curve.name, sentence(mark)));
        svg.leaf(
            "circle",
            &[
                ("cx", &number(at.0)),
                ("cy", &number(at.1)),
                ("r", &"5.5"),
                ("fill", &d.stroke.colour),
                ("stroke", &frame.colours.page),
                ("stroke-width", &"2"),
            ],
        );
        svg.close();
        if in_legend(d, drawn).is_none() {
            label(svg, frame, mark, at, &ink(frame, drawn));
        }
    }
}

/// The mark of a curve, if it is somewhere.
fn of<'a>(drawn: &'a Drawn<'_>) -> Option<&'a Mark> {
    drawn.curve.mark.as_ref().filter(|m| m.fpr.is_finite() && m.tpr.is_finite())
}

/// What the legend says about the marked point of a curve.
pub(super) fn in_legend(drawn: &Drawn<'_>, all: &[Drawn<'_>]) -> Option<String> {
    let crowded = all.iter().filter_map(of).count() > 1;
    of(drawn).filter(|_| crowded).map(sentence)
}

fn sentence(mark: &Mark) -> String {
    let colon = if mark.label.is_empty() { "" } else { ": " };
    format!("{}{colon}{}", mark.label, rates(mark))
}

fn rates(mark: &Mark) -> String {
    format!("TPR {:.3}, FPR {:.3}", mark.tpr, mark.fpr)
}

fn label(svg: &mut Svg, frame: &Frame, mark: &Mark, at: Rates, ink: &[Rates]) {
    let mut lines = wrap(&mark.label, SIZE, SIDE * 0.45, 2);
    lines.push(rates(mark));
    let wide = lines.iter().map(|l| width(l, SIZE)).fold(0.0, f64::max);
    let Some(area) = place(frame, at, (wide, LINE * lines.len() as f64), ink) else {
        return;
    };
    leader(svg, frame, at, &area);
    let last = lines.len() - 1;
    for (i, text) in lines.iter().enumerate() {
        let (x, y) = (number(area.x), number(area.y + LINE * (i as f64 + 0.8)));
        let colour = if i == last { frame.colours.muted } else { frame.colours.text };
        svg.text(
            "text",
            &[
                ("x", &x),
                ("y", &y),
                ("font-size", &SIZE),
                ("fill", &colour),
                // A rim of the page's colour keeps text readable across lines.
                ("stroke", &frame.colours.page),
                ("stroke-width", &"4"),
                ("stroke-linejoin", &"round"),
                ("paint-order", &"stroke"),
            ],
            text,
        );
    }
}

/// A thin line from the point to a label that is not right beside it.
fn leader(svg: &mut Svg, frame: &Frame, at: Rates, area: &Area) {
    let to = (
        at.0.clamp(area.x - 3.0, area.x + area.width + 3.0),
        at.1.clamp(area.y, area.y + area.height),
    );
    let length = (to.0 - at.0).hypot(to.1 - at.1);
    if length < 20.0 {
        return;
    }
    let start = |from: f64, to: f64| number(from + (to - from) * 8.0 / length);
    svg.leaf(
        "line",
        &[
            ("x1", &start(at.0, to.0)),
            ("y1", &start(at.1, to.1)),
            ("x2", &number(to.0)),
            ("y2", &number(to.1)),
            ("stroke", &frame.colours.muted),
        ],
    );
}

/// The place around `at` that covers least for its distance; `None` if there is no room.
fn place(frame: &Frame, at: Rates, size: (f64, f64), ink: &[Rates]) -> Option<Area> {
    let (width, height) = size;
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
            let inside = x >= frame.left + 6.0
                && x + width <= frame.left + SIDE - 6.0
                && y >= frame.top + 4.0
                && y + height <= frame.top + SIDE - 4.0;
            if !inside {
                continue;
            }
            // One more crossing of a line is worse than standing a little farther off.
            let covered = ink.iter().filter(|p| area.holds(**p)).count() as f64;
            let cost = covered + far / 10.0;
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, area));
            }
        }
    }
    best.map(|(_, area)| area)
}

/// Points a few pixels apart on everything that a label should not cover.
fn ink(frame: &Frame, drawn: &[Drawn<'_>]) -> Vec<Rates> {
    let mut ink = Vec::new();
    let chance = [(0.0, 0.0), (1.0, 1.0)];
    let word = [(CHANCE_AT - 0.02, CHANCE_AT - 0.05), (CHANCE_AT + 0.05, CHANCE_AT + 0.01)];
    let lines = drawn.iter().map(|d| &d.points[..]).chain([&chance[..], &word[..]]);
    for line in lines {
        for pair in line.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let steps = ((from.0 - to.0).abs() + (from.1 - to.1).abs()) * SIDE / 4.0;
            let steps = steps.ceil().max(1.0);
            ink.extend((0..=steps as usize).map(|i| {
                let share = i as f64 / steps;
                let between = |a: f64, b: f64| a + (b - a) * share;
                (frame.x(between(from.0, to.0)), frame.y(between(from.1, to.1)))
            }));
        }
    }
    ink
}

//! Marked operating points and their labels, put where they cover least.

use super::plot::CHANCE_AT;
use super::{Drawn, Frame, LEFT, Mark, SIDE, legend};
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

    fn meets(&self, other: &Self) -> bool {
        self.x < other.x + other.width
            && other.x < self.x + self.width
            && self.y < other.y + other.height
            && other.y < self.y + self.height
    }
}

pub(super) fn marks(svg: &mut Svg, frame: &Frame, drawn: &[Drawn<'_>]) {
    let ink = ink(frame, drawn);
    let mut taken = Vec::new();
    for d in drawn {
        let Some(mark) = d.curve.mark.as_ref().filter(|m| (m.fpr + m.tpr).is_finite()) else {
            continue;
        };
        let at = (frame.x(mark.fpr.clamp(0.0, 1.0)), frame.y(mark.tpr.clamp(0.0, 1.0)));
        svg.open("g", &[("class", &"mark")]);
        svg.text("title", &[], &format!("{}: {}, {}", d.curve.name, mark.label, rates(mark)));
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
        if legend::has_own_label(mark, drawn) {
            label(svg, frame, mark, at, &ink, &mut taken);
        }
    }
}

fn rates(mark: &Mark) -> String {
    format!("TPR {:.3}, FPR {:.3}", mark.tpr, mark.fpr)
}

fn label(
    svg: &mut Svg,
    frame: &Frame,
    mark: &Mark,
    at: Rates,
    ink: &[Rates],
    taken: &mut Vec<Area>,
) {
    let mut lines = wrap(&mark.label, SIZE, SIDE * 0.45, 2);
    lines.push(rates(mark));
    let wide = lines.iter().map(|l| width(l, SIZE)).fold(0.0, f64::max);
    let Some(area) = place(frame, at, (wide, LINE * lines.len() as f64), ink, taken) else {
        return;
    };
    taken.push(area);
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

/// The place around `at` that covers least, the nearest among equals; `None` if labels that
/// stand already leave no room.
fn place(
    frame: &Frame,
    at: Rates,
    (width, height): (f64, f64),
    ink: &[Rates],
    taken: &[Area],
) -> Option<Area> {
    let mut best: Option<(usize, Area)> = None;
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
            let inside = x >= LEFT + 6.0
                && x + width <= LEFT + SIDE - 6.0
                && y >= frame.top + 4.0
                && y + height <= frame.top + SIDE - 4.0;
            if !inside || taken.iter().any(|t| t.meets(&area)) {
                continue;
            }
            let covered = ink.iter().filter(|p| area.holds(**p)).count();
            if best.is_none_or(|(least, _)| covered < least) {
                best = Some((covered, area));
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
    let marked = drawn.iter().filter_map(|d| d.curve.mark.as_ref());
    ink.extend(marked.map(|m| (frame.x(m.fpr), frame.y(m.tpr))));
    ink
}

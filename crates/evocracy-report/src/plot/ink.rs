//! Where something is drawn already, and labels that keep off it.

use super::Frame;
use crate::svg::{Anchor, Area, Attributes, Place, Svg};
use crate::text::width;
use crate::thin::Rates;

/// Points a few pixels apart on everything that a label should not cover.
#[derive(Debug, Default)]
pub(crate) struct Ink(Vec<Place>);

/// How far apart the points are.
const STEP: f64 = 4.0;

/// The size of a label along a line, and its distance from the line.
const SIZE: f64 = 12.5;
const OFF: f64 = 4.0;
const TALL: f64 = 15.0;

/// The dots of a line that curves are held against.
pub(crate) const DOTS: &str = "1.5 4";

/// A straight line of the square that is to be labelled.
pub(crate) struct Along<'a> {
    pub(crate) from: Rates,
    pub(crate) to: Rates,
    pub(crate) text: &'a str,
    /// Where along the line the label would best stand, from 0 to 1.
    pub(crate) best: f64,
    /// Most points that it may cover.
    pub(crate) most: usize,
}

impl Ink {
    /// Adds a line of the square.
    pub(crate) fn line(&mut self, frame: &Frame, points: &[Rates]) {
        for pair in points.windows(2) {
            self.stroke(frame.at(pair[0]), frame.at(pair[1]));
        }
    }

    fn stroke(&mut self, from: Place, to: Place) {
        let length = (from.0 - to.0).abs() + (from.1 - to.1).abs();
        let steps = (length / STEP).ceil().max(1.0);
        self.0.extend((0..=steps as usize).map(|i| {
            let between = |a: f64, b: f64| a + (b - a) * i as f64 / steps;
            (between(from.0, to.0), between(from.1, to.1))
        }));
    }

    /// How many points lie in an area.
    pub(crate) fn below(&self, area: &Area) -> usize {
        self.0.iter().filter(|p| area.holds(**p)).count()
    }

    /// Writes a label along a line where it covers least, and counts it as ink from then on.
    /// False, with nothing written, if there is no place for it.
    pub(crate) fn label(&mut self, svg: &mut Svg, frame: &Frame, line: &Along<'_>) -> bool {
        let axis = Axis::new(frame.at(line.from), frame.at(line.to));
        let Some(area) = self.place(frame, &axis, line) else { return false };
        let style: Attributes<'_> = &[("fill", &frame.colours.muted)];
        let base = axis.on((area.x + area.width / 2.0, area.y + TALL * 0.75));
        rimmed(svg, frame, SIZE);
        svg.turned((base, axis.degrees()), Anchor::Middle, style, line.text);
        svg.close();
        for v in [area.y + 1.0, area.y + TALL / 2.0, area.bottom() - 1.0] {
            self.stroke(axis.on((area.x, v)), axis.on((area.right(), v)));
        }
        true
    }

    /// Draws and labels the line that curves are held against, such as that of guessing.
    pub(crate) fn reference(&mut self, svg: &mut Svg, frame: &Frame, line: &Along<'_>) {
        let style: Attributes<'_> =
            &[("stroke", &frame.colours.muted), ("stroke-dasharray", &DOTS), ("opacity", &"0.9")];
        svg.line(frame.at(line.from), frame.at(line.to), style);
        self.line(frame, &[line.from, line.to]);
        self.label(svg, frame, line);
    }

    /// The best place for a label, in the directions of its line.
    fn place(&self, frame: &Frame, axis: &Axis, line: &Along<'_>) -> Option<Area> {
        let wide = width(line.text, SIZE);
        let slack = axis.length - wide - 16.0;
        let room = frame.area.within(3.0);
        let mut best: Option<(f64, Area)> = None;
        for (step, y) in (0..=40).flat_map(|step| [(step, OFF), (step, -OFF - TALL)]) {
            let area =
                Area { x: 8.0 + slack * f64::from(step) / 40.0, y, width: wide, height: TALL };
            let corners = [area.x, area.right()].map(|u| [(u, y), (u, area.bottom())]);
            let inside = corners.as_flattened().iter().all(|c| room.holds(axis.on(*c)));
            let covered = self.0.iter().filter(|p| area.holds(axis.of(**p))).count();
            if slack < 0.0 || !inside || covered > line.most {
                continue;
            }
            let middle = (area.x + wide / 2.0) / axis.length;
            let cost = covered as f64 + (middle - line.best).abs() * 4.0;
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, area));
            }
        }
        best.map(|(_, area)| area)
    }
}

/// Opens a group of texts with a rim of the page's colour, which keeps them readable across
/// lines.
pub(super) fn rimmed(svg: &mut Svg, frame: &Frame, size: f64) {
    svg.open(
        "g",
        &[
            ("font-size", &size),
            ("stroke", &frame.colours.page),
            ("stroke-width", &"4"),
            ("stroke-linejoin", &"round"),
            ("paint-order", &"stroke"),
        ],
    );
}

/// A line's own directions: along it, and down from it.
struct Axis {
    from: Place,
    length: f64,
    along: Place,
}

impl Axis {
    fn new(from: Place, to: Place) -> Self {
        let length = (to.0 - from.0).hypot(to.1 - from.1).max(f64::MIN_POSITIVE);
        Self { from, length, along: ((to.0 - from.0) / length, (to.1 - from.1) / length) }
    }

    /// On the page.
    fn on(&self, (u, v): Place) -> Place {
        let (dx, dy) = self.along;
        (self.from.0 + dx * u - dy * v, self.from.1 + dy * u + dx * v)
    }

    /// From the page.
    fn of(&self, (x, y): Place) -> Place {
        let (x, y, (dx, dy)) = (x - self.from.0, y - self.from.1, self.along);
        (x * dx + y * dy, y * dx - x * dy)
    }

    fn degrees(&self) -> f64 {
        self.along.1.atan2(self.along.0).to_degrees()
    }
}

//! A panel with axes of its own: counts, column numbers, areas.

use crate::svg::{Anchor, Area, Place, Svg};
use crate::theme::Colours;

/// The size of the numbers along the axes.
const SIZE: f64 = 12.5;
/// About so many steps on an axis.
const STEPS: f64 = 5.0;

/// A rectangle of the page that stands for ranges of two numbers.
pub(super) struct Panel {
    pub(super) area: Area,
    pub(super) x: (f64, f64),
    pub(super) y: (f64, f64),
    pub(super) colours: Colours,
}

impl Panel {
    pub(super) fn at(&self, x: f64, y: f64) -> Place {
        let share = |v: f64, (low, high): (f64, f64)| ((v - low) / (high - low)).clamp(0.0, 1.0);
        (
            self.area.x + self.area.width * share(x, self.x),
            self.area.bottom() - self.area.height * share(y, self.y),
        )
    }

    /// Grid, frame, numbers and names of the axes; an empty name leaves the numbers out too.
    pub(super) fn axes(&self, svg: &mut Svg, x: &str, y: &str) {
        let muted = self.colours.muted;
        svg.open("g", &[("stroke", &self.colours.grid), ("stroke-width", &"1")]);
        for tick in ticks(self.y) {
            svg.line(self.at(self.x.0, tick), self.at(self.x.1, tick), &[]);
        }
        svg.close();
        svg.rect(self.area, &[("fill", &"none"), ("stroke", &self.colours.frame)]);
        svg.open("g", &[("fill", &muted), ("font-size", &SIZE)]);
        for tick in ticks(self.y) {
            let (left, y) = self.at(self.x.0, tick);
            svg.words((left - 8.0, y + 4.5), Anchor::End, &[], &shown(tick));
        }
        if !x.is_empty() {
            // Columns are counted: there is no half of one.
            for tick in ticks(self.x).into_iter().filter(|tick| tick.fract() == 0.0) {
                let (x, bottom) = self.at(tick, self.y.0);
                svg.words((x, bottom + 18.0), Anchor::Middle, &[], &shown(tick));
            }
        }
        svg.close();
        let strong: crate::svg::Attributes<'_> = &[("font-weight", &"500")];
        let middle = self.area.x + self.area.width / 2.0;
        if !x.is_empty() {
            svg.words((middle, self.area.bottom() + 42.0), Anchor::Middle, strong, x);
        }
        let side = (self.area.x - 50.0, self.area.y + self.area.height / 2.0);
        svg.turned((side, -90.0), Anchor::Middle, strong, y);
    }
}

/// Round numbers within a range.
fn ticks((low, high): (f64, f64)) -> Vec<f64> {
    let rough = (high - low) / STEPS;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= rough * 0.999);
    let step = step.unwrap_or(rough);
    let first = (low / step).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last.min(first + 50)).map(|n| n as f64 * step).collect()
}

fn shown(value: f64) -> String {
    if value.fract().abs() < 1e-9 { format!("{value:.0}") } else { format!("{value:.1}") }
}

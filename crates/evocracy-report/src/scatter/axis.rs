//! Axes with round numbers.

use super::Plane;
use crate::svg::{Anchor, Svg};
use crate::text::width;

/// The size of the numbers along the axes.
const SIZE: f64 = 13.0;

/// About so many numbers stand along an axis.
const TICKS: f64 = 6.0;

/// A range of numbers.
#[derive(Debug, Clone, Copy, Default)]
pub struct Axis<'a> {
    /// What the numbers are; any text.
    pub name: &'a str,
    /// The least number.
    pub from: f64,
    /// The greatest number, above the least.
    pub to: f64,
}

impl<'a> Axis<'a> {
    /// An axis that some numbers fit on, with a little room around them.
    pub fn around(name: &'a str, numbers: impl Iterator<Item = f64>) -> Self {
        let (low, high) = numbers
            .filter(|number| number.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| {
                (low.min(number), high.max(number))
            });
        if low > high {
            return Self { name, from: 0.0, to: 1.0 };
        }
        let room = if high > low { 0.04 * (high - low) } else { 0.5 };
        Self { name, from: low - room, to: high + room }
    }

    /// Where a number is, from 0 to 1; none outside.
    pub(super) fn share(&self, number: f64) -> Option<f64> {
        let share = (number - self.from) / (self.to - self.from);
        // Rounding must not lose what stands at an end.
        (-1e-9..=1.0 + 1e-9).contains(&share).then(|| share.clamp(0.0, 1.0))
    }

    /// Round numbers, all a step apart.
    fn ticks(&self) -> Vec<f64> {
        let rough = (self.to - self.from) / TICKS;
        if !rough.is_finite() || rough <= 0.0 {
            return Vec::new();
        }
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|of| of * power).into_iter().find(|s| *s >= rough);
        let step = step.unwrap_or(10.0 * power);
        let first = (self.from / step - 1e-9).ceil();
        (0..20)
            .map(|tick| (first + f64::from(tick)) * step)
            .take_while(|number| *number <= self.to + 1e-9 * step)
            .collect()
    }
}

/// A number as an axis shows it.
pub(super) fn short(number: f64) -> String {
    let rounded = (number * 1e4).round() / 1e4;
    if rounded.abs() >= 1e6 {
        return format!("{number:.1e}");
    }
    // No minus before a zero.
    format!("{}", rounded + 0.0)
}

/// Grid, frame, numbers and names.
pub(super) fn draw(svg: &mut Svg, plane: &Plane<'_>) {
    let (frame, colours) = (&plane.frame, plane.frame.colours);
    let (left, bottom) = (frame.area.x, frame.area.bottom());
    let of = |axis: &Axis<'_>| -> Vec<(f64, String)> {
        let ticks = axis.ticks().into_iter();
        ticks.filter_map(|tick| Some((axis.share(tick)?, short(tick)))).collect()
    };
    let (across, up) = (of(plane.x), of(plane.y));
    svg.open("g", &[("stroke", &colours.grid), ("stroke-width", &"1")]);
    for (at, _) in &across {
        svg.line((frame.x(*at), frame.area.y), (frame.x(*at), bottom), &[]);
    }
    for (at, _) in &up {
        svg.line((left, frame.y(*at)), (frame.area.right(), frame.y(*at)), &[]);
    }
    svg.close();
    svg.rect(frame.area, &[("fill", &"none"), ("stroke", &colours.frame)]);
    svg.open("g", &[("fill", &colours.muted), ("font-size", &SIZE)]);
    for (at, label) in &across {
        svg.words((frame.x(*at), bottom + 20.0), Anchor::Middle, &[], label);
    }
    for (at, label) in &up {
        svg.words((left - 10.0, frame.y(*at) + 4.5), Anchor::End, &[], label);
    }
    svg.close();
    let weight: crate::svg::Attributes<'_> = &[("font-weight", &"500")];
    svg.words((frame.x(0.5), bottom + 46.0), Anchor::Middle, weight, plane.x.name);
    // Farther out where numbers are long.
    let widest = up.iter().map(|(_, label)| width(label, SIZE)).fold(0.0, f64::max);
    let off = (widest + 24.0).clamp(48.0, 64.0);
    svg.turned(((left - off, frame.y(0.5)), -90.0), Anchor::Middle, weight, plane.y.name);
}

//! Grid, frame, ticks in fifths and the names of the axes.

use super::Frame;
use crate::svg::{Anchor, Svg};

/// The size of the numbers along the axes.
const SIZE: f64 = 13.0;

/// The whole square with the names of its axes.
pub(crate) fn square(svg: &mut Svg, frame: &Frame, x: &str, y: &str) {
    grid(svg, frame);
    outline(svg, frame);
    bottom_axis(svg, frame, x);
    left_axis(svg, frame);
    left_name(svg, frame, y);
}

/// Faint lines at the fifths.
pub(crate) fn grid(svg: &mut Svg, frame: &Frame) {
    svg.open("g", &[("stroke", &frame.colours.grid), ("stroke-width", &"1")]);
    for tick in 1..5 {
        let at = f64::from(tick) / 5.0;
        svg.line(frame.at((at, 1.0)), frame.at((at, 0.0)), &[]);
        svg.line(frame.at((0.0, at)), frame.at((1.0, at)), &[]);
    }
    svg.close();
}

pub(crate) fn outline(svg: &mut Svg, frame: &Frame) {
    svg.rect(frame.area, &[("fill", &"none"), ("stroke", &frame.colours.frame)]);
}

/// Numbers below the frame, and what they are.
pub(crate) fn bottom_axis(svg: &mut Svg, frame: &Frame, name: &str) {
    let y = frame.y(0.0);
    ticks(svg, frame, |svg, at, label| {
        svg.words((frame.x(at), y + 20.0), Anchor::Middle, &[], label);
    });
    svg.words((frame.x(0.5), y + 46.0), Anchor::Middle, &[("font-weight", &"500")], name);
}

/// Numbers left of the frame.
pub(crate) fn left_axis(svg: &mut Svg, frame: &Frame) {
    ticks(svg, frame, |svg, at, label| {
        svg.words((frame.x(0.0) - 10.0, frame.y(at) + 4.5), Anchor::End, &[], label);
    });
}

/// What the numbers left of the frame are.
pub(crate) fn left_name(svg: &mut Svg, frame: &Frame, name: &str) {
    let at = (frame.x(0.0) - 48.0, frame.y(0.5));
    svg.turned((at, -90.0), Anchor::Middle, &[("font-weight", &"500")], name);
}

fn ticks(svg: &mut Svg, frame: &Frame, draw: impl Fn(&mut Svg, f64, &str)) {
    svg.open("g", &[("fill", &frame.colours.muted), ("font-size", &SIZE)]);
    for tick in 0..=5 {
        let at = f64::from(tick) / 5.0;
        let label = if tick % 5 == 0 { format!("{at:.0}") } else { format!("{at:.1}") };
        draw(svg, at, &label);
    }
    svg.close();
}

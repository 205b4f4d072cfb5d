//! The square: grid, axes, the line of chance, the curves.

use super::{Drawn, Frame, SIDE, legend};
use crate::svg::{Svg, number};
use crate::thin::Rates;
use std::fmt::Write;

/// Where the word for the line of chance stands along it: below the line, where only curves
/// worse than chance pass.
pub(super) const CHANCE_AT: f64 = 0.86;

pub(super) fn axes(svg: &mut Svg, frame: &Frame) {
    let colours = frame.colours;
    let (left, right, top, bottom) = (frame.x(0.0), frame.x(1.0), frame.y(1.0), frame.y(0.0));
    svg.open("g", &[("stroke", &colours.grid), ("stroke-width", &"1")]);
    for tick in 1..5 {
        let at = f64::from(tick) / 5.0;
        line(svg, (frame.x(at), top), (frame.x(at), bottom));
        line(svg, (left, frame.y(at)), (right, frame.y(at)));
    }
    svg.close();
    chance(svg, frame);
    svg.leaf(
        "rect",
        &[
            ("x", &number(left)),
            ("y", &number(top)),
            ("width", &SIDE),
            ("height", &SIDE),
            ("fill", &"none"),
            ("stroke", &colours.frame),
        ],
    );
    svg.open("g", &[("fill", &colours.muted), ("font-size", &"13")]);
    for tick in 0..=5 {
        let at = f64::from(tick) / 5.0;
        let label = if tick % 5 == 0 { format!("{at:.0}") } else { format!("{at:.1}") };
        let (x, y) = (number(frame.x(at)), number(bottom + 20.0));
        svg.text("text", &[("x", &x), ("y", &y), ("text-anchor", &"middle")], &label);
        let (x, y) = (number(left - 10.0), number(frame.y(at) + 4.5));
        svg.text("text", &[("x", &x), ("y", &y), ("text-anchor", &"end")], &label);
    }
    svg.close();
    names(svg, frame);
}

fn names(svg: &mut Svg, frame: &Frame) {
    let (x, y) = (frame.x(0.5), frame.y(0.0) + 46.0);
    let middle = ("text-anchor", &"middle" as &dyn std::fmt::Display);
    let bold = ("font-weight", &"500" as &dyn std::fmt::Display);
    svg.text("text", &[("x", &number(x)), ("y", &number(y)), middle, bold], "False positive rate");
    let (x, y) = (frame.left - 48.0, frame.y(0.5));
    let turn = format!("translate({} {}) rotate(-90)", number(x), number(y));
    svg.text("text", &[("transform", &turn), middle, bold], "True positive rate");
}

fn line(svg: &mut Svg, from: Rates, to: Rates) {
    svg.leaf(
        "line",
        &[
            ("x1", &number(from.0)),
            ("y1", &number(from.1)),
            ("x2", &number(to.0)),
            ("y2", &number(to.1)),
        ],
    );
}

fn chance(svg: &mut Svg, frame: &Frame) {
    let muted = frame.colours.muted;
    svg.open("g", &[("stroke", &muted), ("stroke-dasharray", &"1.5 4"), ("opacity", &"0.9")]);
    line(svg, (frame.x(0.0), frame.y(0.0)), (frame.x(1.0), frame.y(1.0)));
    svg.close();
    let (x, y) = (frame.x(CHANCE_AT), frame.y(CHANCE_AT));
    let turn = format!("translate({} {}) rotate(-45)", number(x), number(y));
    let place: crate::svg::Attributes<'_> = &[
        ("transform", &turn),
        ("y", &"16"),
        ("text-anchor", &"middle"),
        ("font-size", &"12.5"),
        ("fill", &muted),
    ];
    svg.text("text", place, "chance");
}

pub(super) fn curves(svg: &mut Svg, frame: &Frame, drawn: &[Drawn<'_>]) {
    // A lone curve is named by the area it encloses.
    if let [only] = drawn
        && only.points.len() > 1
    {
        let corner = format!("L{} {}Z", number(frame.x(1.0)), number(frame.y(0.0)));
        let area = path(frame, &only.points) + &corner;
        svg.leaf("path", &[("d", &area), ("fill", &only.stroke.colour), ("fill-opacity", &"0.08")]);
    }
    // The first curve is the one asked about: it is drawn last, above the others.
    for Drawn { curve, stroke, points } in drawn.iter().rev() {
        svg.open("g", &[("class", &"curve")]);
        svg.text("title", &[], &legend::sentence(curve));
        svg.leaf(
            "path",
            &[
                ("d", &path(frame, points)),
                ("fill", &"none"),
                ("stroke", &stroke.colour),
                ("stroke-width", &"2.25"),
                ("stroke-linejoin", &"round"),
                ("stroke-dasharray", &stroke.dash),
            ],
        );
        svg.close();
    }
}

fn path(frame: &Frame, points: &[Rates]) -> String {
    let mut d = String::with_capacity(points.len() * 14);
    for (i, &(fpr, tpr)) in points.iter().enumerate() {
        let command = if i == 0 { 'M' } else { 'L' };
        let _ = write!(d, "{command}{} {}", number(frame.x(fpr)), number(frame.y(tpr)));
    }
    d
}

//! Points with their intervals, and the histogram below them.

use super::{Bin, Drawn};
use crate::plot::{self, Frame};
use crate::svg::{Anchor, Attributes, Svg, polyline};
use crate::text::{count, short_count, width};
use crate::thin::Rates;

/// The ends of the vertical line of a bin's interval.
pub(super) fn bar(bin: &Bin) -> Option<(Rates, Rates)> {
    let inside = |x: f64| x.clamp(0.0, 1.0);
    bin.interval.map(|i| ((bin.mean, inside(i.low)), (bin.mean, inside(i.high))))
}

impl Drawn<'_> {
    /// The points, joined by a thin line.
    pub(super) fn points(&self, svg: &mut Svg, frame: &Frame) {
        let colour = self.stroke.colour;
        svg.open("g", &[("class", &"curve"), ("stroke", &colour)]);
        svg.says("title", &format!("{}: {}", self.table.name, self.table.note));
        let joined: Attributes<'_> = &[
            ("fill", &"none"),
            ("stroke-width", &"1.5"),
            ("stroke-linejoin", &"round"),
            ("stroke-dasharray", &self.stroke.dash),
        ];
        svg.path(&frame.path(&self.line()), joined);
        for (low, high) in self.bins.iter().filter_map(bar) {
            svg.line(frame.at(low), frame.at(high), &[("stroke-width", &"1.6")]);
        }
        svg.close();
        // Many points are smaller, so that they can be told apart.
        let radius = (200.0 / self.bins.len() as f64).clamp(2.5, 4.5);
        for bin in &self.bins {
            svg.open("g", &[("class", &"bin")]);
            svg.says("title", &sentence(bin));
            let style: Attributes<'_> =
                &[("fill", &colour), ("stroke", &frame.colours.page), ("stroke-width", &"1")];
            svg.circle(frame.at((bin.mean, bin.rate)), radius, style);
            svg.close();
        }
    }
}

fn sentence(bin: &Bin) -> String {
    let within = plot::interval(bin.interval);
    let within = if within.is_empty() { within } else { format!(" ({within})") };
    let (mean, rate) = (plot::rate(bin.mean), plot::rate(bin.rate));
    format!("predicted {mean}, observed {rate}{within}, {} rows", count(bin.rows))
}

/// How many rows the bins have, on a common scale.
pub(super) fn histogram(svg: &mut Svg, frame: &Frame, drawn: &[Drawn<'_>]) {
    let most = drawn.iter().flat_map(|d| &d.bins).map(|b| b.rows).fold(0.0, f64::max);
    for d in drawn.iter().rev() {
        let bars = d.bins.iter().map(|b| (b.from, b.to, b.rows / most));
        // Bins stand apart by a hair, so that they can be counted; a thin one can still be seen.
        let corners = bars.map(|(from, to, share)| {
            let (left, right) = (frame.x(from), frame.x(to));
            let hair = if right - left > 4.0 { 0.75 } else { 0.0 };
            let right = right.max(left + 1.0).min(frame.area.right());
            let left = left.min(right - 1.0);
            let (bottom, top) = (frame.y(0.0), frame.y(share).min(frame.y(0.0) - 0.75));
            let (left, right) = (left + hair, right - hair);
            [(left, bottom), (left, top), (right, top), (right, bottom)]
        });
        let path: Vec<String> = corners.map(|c| polyline(c) + "Z").collect();
        if !path.is_empty() {
            let style: Attributes<'_> = &[
                ("fill", &d.stroke.colour),
                ("fill-opacity", &if drawn.len() > 1 { "0.12" } else { "0.45" }),
                ("stroke", &if drawn.len() > 1 { d.stroke.colour } else { "" }),
                ("stroke-dasharray", &d.stroke.dash),
            ];
            svg.path(&path.concat(), style);
        }
    }
    plot::outline(svg, frame);
    scale(svg, frame, most);
}

fn scale(svg: &mut Svg, frame: &Frame, most: f64) {
    let x = frame.x(0.0) - 10.0;
    let style: Attributes<'_> = &[("fill", &frame.colours.muted), ("font-size", &"13")];
    svg.words((x, frame.y(0.0)), Anchor::End, style, "0");
    if most > 0.0 {
        let exact = count(most);
        let text = if width(&exact, 13.0) < x - 4.0 { exact } else { short_count(most) };
        svg.words((x, frame.y(1.0) + 10.0), Anchor::End, style, &text);
    }
    svg.words((x, frame.y(0.5) + 4.5), Anchor::End, style, "rows");
}

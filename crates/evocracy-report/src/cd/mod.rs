//! Critical-difference diagrams: the average ranks of methods over many data sets on an axis
//! with the best at the right, and bars that join methods whose ranks do not differ.
//!
//! J. Demšar, Statistical comparisons of classifiers over multiple data sets, Journal of
//! Machine Learning Research 7 (2006), figure 1: two methods differ if their average ranks
//! differ by at least the critical difference.

mod layout;

use crate::page::{MARGIN, Options, Page};
use crate::svg::{Anchor, Attributes, Svg};
use crate::text::{width, wrap};
use layout::{Groups, Scale};

/// Most methods drawn.
const MOST_METHODS: usize = 40;

const WIDTH: f64 = 800.0;
/// Most room for names at each side.
const ROOM: f64 = 190.0;
/// Room for the rank beside a name.
const FIGURES: f64 = 46.0;
const SIZE: f64 = 14.0;
const LINE: f64 = 17.0;
const ROW: f64 = 26.0;
/// The distance between bars.
const BAR: f64 = 10.0;

/// Average ranks of methods.
#[derive(Debug, Clone, Default)]
pub struct Ranks<'a> {
    /// The methods with their average ranks: 1 is best, the number of methods worst.
    pub methods: &'a [(&'a str, f64)],
    /// The critical difference; without one nothing is joined.
    pub critical: Option<f64>,
}

/// A method with its lines of text.
struct Method {
    rank: f64,
    name: Vec<String>,
}

/// Draws a critical-difference diagram; the text of an SVG file.
///
/// Of more than 40 methods the best 40 are drawn, which the picture says. Everything else is as
/// in [`roc_svg`](crate::roc_svg).
///
/// ```
/// use evocracy_report::{Options, Ranks, cd_svg};
///
/// let methods = [("tree", 2.6), ("forest", 1.3), ("knn", 2.1)];
/// let ranks = Ranks { methods: &methods, critical: Some(0.9) };
/// assert!(cd_svg(&ranks, &Options::default()).starts_with("<svg"));
/// ```
pub fn cd_svg(ranks: &Ranks<'_>, options: &Options) -> String {
    let total = ranks.methods.len();
    let methods = sorted(ranks.methods);
    let critical = ranks.critical.filter(|c| c.is_finite() && *c > 0.0);
    let page = Page::new(options, WIDTH, MARGIN);
    let colours = page.colours();
    let found: Vec<f64> = methods.iter().map(|m| m.rank).collect();
    let sides = sides(&methods);
    let scale = Scale::new(total, critical, &found, sides);
    let groups = Groups::new(&found, critical.unwrap_or(0.0), scale.gap());

    let mut body = Svg::default();
    let ruler = page.top() + 14.0;
    let axis = ruler + if critical.is_some() { 62.0 } else { 36.0 };
    scale.ruler(&mut body, ruler, critical, colours);
    let first = axis + 26.0 + BAR * groups.levels() as f64;
    let bottom = Leaders { scale: &scale, sides, axis, first, muted: colours.muted };
    let bottom = bottom.draw(&mut body, &methods);
    scale.axis(&mut body, axis, colours);
    groups.draw(&mut body, &scale, axis + 14.0, options.theme.stroke(0).colour);
    let style: Attributes<'_> = &[("fill", &colours.muted), ("font-size", &"13")];
    let note = note(&methods, total, critical.is_some());
    let y = bottom + 14.0;
    for (i, line) in wrap(&note, 13.0, WIDTH - 2.0 * MARGIN, 3).iter().enumerate() {
        body.words((MARGIN, y + LINE * i as f64), Anchor::Start, style, line);
    }
    page.finish(y + 2.0 * LINE, "Critical-difference diagram", &description(ranks), body)
}

/// The methods that have a rank, best first, and not too many.
fn sorted(methods: &[(&str, f64)]) -> Vec<Method> {
    let possible = 1.0..=methods.len() as f64;
    let mut known: Vec<&(&str, f64)> =
        methods.iter().filter(|(_, rank)| possible.contains(rank)).collect();
    known.sort_by(|a, b| a.1.total_cmp(&b.1));
    known.truncate(MOST_METHODS);
    let broken = |m: &&(&str, f64)| Method { rank: m.1, name: wrap(m.0, SIZE, ROOM, 2) };
    known.iter().map(broken).collect()
}

/// How many of the methods stand at the right: the better half.
fn better(methods: &[Method]) -> usize {
    methods.len().div_ceil(2)
}

/// Where the axis may begin and end: between the names.
fn sides(methods: &[Method]) -> (f64, f64) {
    let (right, left) = methods.split_at(better(methods));
    let room = |side: &[Method]| {
        let lines = side.iter().flat_map(|m| &m.name);
        MARGIN + FIGURES + 20.0 + lines.map(|l| width(l, SIZE)).fold(0.0, f64::max)
    };
    (room(left), WIDTH - room(right))
}

/// Names at both sides, with lines that lead to their ranks.
struct Leaders<'a> {
    scale: &'a Scale,
    /// Where the names end and begin again.
    sides: (f64, f64),
    axis: f64,
    /// Where the first names stand.
    first: f64,
    muted: &'static str,
}

impl Leaders<'_> {
    /// Draws all of them; where the last one ends. The farther out a rank lies, the higher its
    /// name stands, so that no line crosses another.
    fn draw(&self, svg: &mut Svg, methods: &[Method]) -> f64 {
        let (right, left) = methods.split_at(better(methods));
        let mut ends = (self.first, self.first);
        for method in right {
            ends.0 += self.method(svg, method, ends.0, Anchor::Start);
        }
        for method in left.iter().rev() {
            ends.1 += self.method(svg, method, ends.1, Anchor::End);
        }
        ends.0.max(ends.1)
    }

    fn method(&self, svg: &mut Svg, method: &Method, y: f64, anchor: Anchor) -> f64 {
        let right = anchor == Anchor::Start;
        let (end, out) = if right { (self.sides.1, 1.0) } else { (self.sides.0, -1.0) };
        let x = self.scale.x(method.rank);
        let line: Attributes<'_> = &[("stroke", &self.muted), ("stroke-width", &"1")];
        svg.line((x, self.axis), (x, y), line);
        svg.line((x, y), (end + out * 10.0, y), line);
        let style: Attributes<'_> = &[("fill", &self.muted), ("font-size", &"13")];
        let rank = format!("{:.2}", method.rank);
        svg.words((end + out * 14.0, y + 4.5), anchor, style, &rank);
        for (i, line) in method.name.iter().enumerate() {
            let at = (end + out * (10.0 + FIGURES), y + 4.5 + LINE * i as f64);
            svg.words(at, anchor, &[], line);
        }
        ROW + LINE * (method.name.len().max(1) - 1) as f64
    }
}

fn note(methods: &[Method], total: usize, joined: bool) -> String {
    let mut note = "Average rank; 1 is best.".to_owned();
    if joined {
        note += " Bars join methods whose ranks differ by less than the critical difference (CD).";
    }
    if methods.len() < total {
        note += &format!(" {} of {total} methods are drawn.", methods.len());
    }
    note
}

/// The picture in words.
fn description(ranks: &Ranks<'_>) -> String {
    let mut known: Vec<_> = ranks.methods.iter().filter(|m| m.1.is_finite()).collect();
    known.sort_by(|a, b| a.1.total_cmp(&b.1));
    let each = known.iter().take(MOST_METHODS).map(|(name, rank)| format!("{name} {rank:.2}"));
    let each = each.collect::<Vec<_>>().join(", ");
    let critical = ranks.critical.filter(|c| c.is_finite());
    let critical = critical.map_or(String::new(), |c| format!(" Critical difference {c:.2}."));
    format!("Average ranks, best first: {each}.{critical}")
}

#[cfg(test)]
mod tests;

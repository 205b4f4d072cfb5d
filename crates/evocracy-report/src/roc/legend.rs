//! The table below the square: how each curve is drawn, its name, its area and, where several
//! curves have a marked point, what that point is.

use super::{Drawn, LEFT, NamedCurve, SIDE, mark};
use crate::svg::{Svg, number};
use crate::text::{width, wrap};
use crate::theme::{Colours, Stroke};

const SIZE: f64 = 14.0;
const LINE: f64 = 19.0;
const GAP: f64 = 7.0;
/// Where names begin, after the sample of the line.
const NAMES: f64 = LEFT + 54.0;
/// The right ends of the columns.
const INTERVALS: f64 = LEFT + SIDE;
const LINES_OF_NAME: usize = 3;

pub(super) struct Legend {
    rows: Vec<Row>,
    /// The heading of the intervals; empty if there are none.
    heading: String,
    areas: bool,
    /// The right end of the column of areas.
    areas_at: f64,
}

struct Row {
    stroke: Stroke,
    name: Vec<String>,
    area: String,
    interval: String,
    /// What the marked point is, where the plot does not say so.
    mark: Option<String>,
}

impl Legend {
    pub(super) fn new(drawn: &[Drawn<'_>]) -> Self {
        let areas = drawn.iter().any(|d| d.curve.auc.is_some());
        let heading = heading(drawn);
        let intervals: Vec<String> = drawn.iter().map(|d| interval(d.curve)).collect();
        let column = |texts: &mut dyn Iterator<Item = &str>| {
            texts.map(|t| width(t, SIZE)).fold(0.0, f64::max)
        };
        let second = column(&mut intervals.iter().map(String::as_str).chain([&heading[..]]));
        let areas_at = INTERVALS - if second > 0.0 { second + 16.0 } else { 0.0 };
        let numbers: Vec<String> =
            drawn.iter().map(|d| d.curve.auc.map_or(String::new(), rate)).collect();
        let first = column(&mut numbers.iter().map(String::as_str).chain(areas.then_some("AUC")));
        let room = areas_at - first - 16.0 - NAMES;
        let rows = drawn.iter().zip(intervals).zip(numbers).map(|((d, interval), area)| Row {
            stroke: d.stroke,
            name: wrap(d.curve.name, SIZE, room, LINES_OF_NAME),
            area,
            interval,
            mark: mark::in_legend(d, drawn),
        });
        Self { rows: rows.collect(), heading, areas, areas_at }
    }

    pub(super) fn height(&self) -> f64 {
        let head = if self.areas { LINE + GAP } else { 0.0 };
        head + self.rows.iter().map(Row::height).sum::<f64>()
    }

    pub(super) fn draw(&self, svg: &mut Svg, top: f64, colours: Colours) {
        let mut y = top;
        if self.areas {
            for (x, text) in [(self.areas_at, "AUC"), (INTERVALS, &self.heading)] {
                if !text.is_empty() {
                    label(svg, (x, y), "end", colours.muted, text);
                }
            }
            y += LINE + GAP;
        }
        for row in &self.rows {
            row.draw(svg, y, self.areas_at, colours);
            y += row.height();
        }
    }
}

impl Row {
    fn height(&self) -> f64 {
        let lines = self.name.len().max(1) + usize::from(self.mark.is_some());
        LINE * lines as f64 + GAP
    }

    fn draw(&self, svg: &mut Svg, y: f64, areas_at: f64, colours: Colours) {
        let middle = number(y - 4.5);
        svg.leaf(
            "line",
            &[
                ("x1", &LEFT),
                ("y1", &middle),
                ("x2", &(LEFT + 42.0)),
                ("y2", &middle),
                ("stroke", &self.stroke.colour),
                ("stroke-width", &"2.5"),
                ("stroke-dasharray", &self.stroke.dash),
            ],
        );
        for (at, text) in self.name.iter().enumerate() {
            label(svg, (NAMES, y + LINE * at as f64), "start", colours.text, text);
        }
        for (x, text) in [(areas_at, &self.area), (INTERVALS, &self.interval)] {
            if !text.is_empty() {
                label(svg, (x, y), "end", colours.text, text);
            }
        }
        self.draw_mark(svg, y + LINE * self.name.len().max(1) as f64, colours);
    }

    fn draw_mark(&self, svg: &mut Svg, y: f64, colours: Colours) {
        let Some(text) = &self.mark else { return };
        let (x, middle) = (number(LEFT + 21.0), number(y - 4.5));
        let colour = self.stroke.colour;
        svg.leaf("circle", &[("cx", &x), ("cy", &middle), ("r", &"4.5"), ("fill", &colour)]);
        let text = wrap(text, SIZE, INTERVALS - NAMES, 1).concat();
        label(svg, (NAMES, y), "start", colours.muted, &text);
    }
}

fn label(svg: &mut Svg, (x, y): (f64, f64), anchor: &str, colour: &str, text: &str) {
    let (x, y) = (number(x), number(y));
    svg.text("text", &[("x", &x), ("y", &y), ("text-anchor", &anchor), ("fill", &colour)], text);
}

/// "95 % interval", or just that if curves differ in level.
fn heading(drawn: &[Drawn<'_>]) -> String {
    let mut levels = drawn.iter().filter_map(|d| d.curve.interval).map(|i| i.level);
    match levels.next() {
        None => String::new(),
        Some(level) if levels.all(|l| l == level) => {
            format!("{} % interval", number(level * 100.0))
        }
        Some(_) => "interval".to_owned(),
    }
}

fn interval(curve: &NamedCurve<'_>) -> String {
    curve.interval.map_or(String::new(), |i| format!("{} – {}", rate(i.low), rate(i.high)))
}

/// A rate to three digits; more where it would look like a perfect 1 and is not.
fn rate(value: f64) -> String {
    let shown = |digits: usize| format!("{value:.digits$}");
    let perfect = |text: &String| value < 1.0 && text.starts_with('1');
    (3..=6).map(shown).find(|text| !perfect(text)).unwrap_or_else(|| shown(9))
}

/// A curve in words: "tree: AUC 0.912 (95 % interval 0.871 – 0.941)".
pub(super) fn sentence(curve: &NamedCurve<'_>) -> String {
    let name = curve.name;
    let within = curve.interval.map_or(String::new(), |i| {
        format!(" ({} % interval {})", number(i.level * 100.0), interval(curve))
    });
    curve.auc.map_or_else(|| name.to_owned(), |auc| format!("{name}: AUC {}{within}", rate(auc)))
}

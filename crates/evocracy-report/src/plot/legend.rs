//! The table below a picture: how each thing is drawn, its name and its figures.

use super::{Curve, LEFT, SIDE};
use crate::page::Page;
use crate::svg::{Anchor, Area, Attributes, Svg, number};
use crate::text::{width, wrap};
use crate::theme::{Colours, Stroke};
use evocracy::measure::Interval;

const SIZE: f64 = 14.0;
const LINE: f64 = 19.0;
const GAP: f64 = 7.0;
/// The width of the sample of a line, and where names begin after it.
const SAMPLE: f64 = 42.0;
const NAMES: f64 = 54.0;
const BETWEEN: f64 = 16.0;
const LINES_OF_NAME: usize = 3;

/// How something is drawn.
pub(crate) enum Sample {
    /// A line of that width.
    Line(Stroke, f64),
    /// A marked point.
    Dot(&'static str),
    /// Two crossed strokes.
    Cross(&'static str),
    /// An upright cross in a circle.
    Ring(&'static str),
    /// A translucent area.
    Fill(&'static str),
    /// The line of an interval.
    Bar(&'static str),
    /// Colours from little to much.
    Shades(Vec<String>),
    /// A remark on the row above.
    Nothing,
}

/// A line of the table.
pub(crate) struct Row {
    pub(crate) sample: Sample,
    pub(crate) text: String,
    /// One text a column, or none at all for a remark.
    pub(crate) cells: Vec<String>,
}

impl Row {
    /// A row without figures.
    pub(crate) fn remark(sample: Sample, text: impl Into<String>) -> Self {
        Self { sample, text: text.into(), cells: Vec::new() }
    }
}

/// A table whose rows are broken into lines.
pub(crate) struct Legend {
    left: f64,
    /// The headings of the columns with their right ends.
    heads: Vec<(f64, String)>,
    rows: Vec<(Row, Vec<String>)>,
}

impl Legend {
    /// A table as wide as the usual square.
    pub(crate) fn new(heads: Vec<String>, rows: Vec<Row>) -> Self {
        Self::between((LEFT, LEFT + SIDE), heads, rows)
    }

    /// A table from `left` to `right`.
    pub(crate) fn between((left, right): (f64, f64), heads: Vec<String>, rows: Vec<Row>) -> Self {
        let mut end = right;
        let mut columns = Vec::new();
        for (number, head) in heads.into_iter().enumerate().rev() {
            let cells = rows.iter().filter_map(|r| r.cells.get(number)).chain([&head]);
            let wide = cells.map(|t| width(t, SIZE)).fold(0.0, f64::max);
            columns.push((end, head));
            end -= if wide > 0.0 { wide + BETWEEN } else { 0.0 };
        }
        columns.reverse();
        let broken = |row: Row| {
            let end = if row.cells.is_empty() { right } else { end };
            let lines = wrap(&row.text, SIZE, end - left - NAMES, LINES_OF_NAME);
            (row, lines)
        };
        Self { left, heads: columns, rows: rows.into_iter().map(broken).collect() }
    }

    fn headed(&self) -> bool {
        self.heads.iter().any(|(_, head)| !head.is_empty())
    }

    /// The picture, finished with this table at its foot. `top` is the base line of the first
    /// row, `name` is for a picture without a title.
    pub(crate) fn finish(
        &self,
        page: &Page<'_>,
        mut body: Svg,
        top: f64,
        (name, description): (&str, &str),
    ) -> String {
        self.draw(&mut body, top, page.colours());
        page.finish(top + self.height() + 8.0, name, description, body)
    }

    fn height(&self) -> f64 {
        let head = if self.headed() { LINE + GAP } else { 0.0 };
        head + self.rows.iter().map(|(_, lines)| tall(lines)).sum::<f64>()
    }

    fn draw(&self, svg: &mut Svg, top: f64, colours: Colours) {
        let mut y = top;
        if self.headed() {
            for (x, head) in self.heads.iter().filter(|(_, head)| !head.is_empty()) {
                svg.words((*x, y), Anchor::End, &[("fill", &colours.muted)], head);
            }
            y += LINE + GAP;
        }
        for (row, lines) in &self.rows {
            row.sample.draw(svg, (self.left, y - 4.5), colours);
            let colour = if row.cells.is_empty() { colours.muted } else { colours.text };
            let fill: Attributes<'_> = &[("fill", &colour)];
            for (at, text) in lines.iter().enumerate() {
                let at = (self.left + NAMES, y + LINE * at as f64);
                svg.words(at, Anchor::Start, fill, text);
            }
            let cells = row.cells.iter().zip(&self.heads).filter(|(text, _)| !text.is_empty());
            for (text, (x, _)) in cells {
                svg.words((*x, y), Anchor::End, fill, text);
            }
            y += tall(lines);
        }
    }
}

fn tall(lines: &[String]) -> f64 {
    LINE * lines.len().max(1) as f64 + GAP
}

impl Sample {
    fn draw(&self, svg: &mut Svg, (x, y): (f64, f64), colours: Colours) {
        match self {
            Self::Line(stroke, width) => {
                let style: Attributes<'_> = &[
                    ("stroke", &stroke.colour),
                    ("stroke-width", width),
                    ("stroke-dasharray", &stroke.dash),
                ];
                svg.line((x, y), (x + SAMPLE, y), style);
            }
            Self::Dot(colour) => svg.circle((x + SAMPLE / 2.0, y), 4.5, &[("fill", colour)]),
            Self::Cross(colour) => {
                let x = x + SAMPLE / 2.0;
                let style: Attributes<'_> = &[("stroke", colour), ("stroke-width", &"1.4")];
                svg.line((x - 4.0, y - 4.0), (x + 4.0, y + 4.0), style);
                svg.line((x - 4.0, y + 4.0), (x + 4.0, y - 4.0), style);
            }
            Self::Ring(colour) => {
                let x = x + SAMPLE / 2.0;
                let style: Attributes<'_> = &[("stroke", colour), ("stroke-width", &"1.4")];
                svg.line((x - 4.0, y), (x + 4.0, y), style);
                svg.line((x, y - 4.0), (x, y + 4.0), style);
                svg.circle((x, y), 7.0, &[("fill", &"none"), ("stroke", colour)]);
            }
            Self::Fill(colour) => {
                let area = Area { x, y: y - 6.0, width: SAMPLE, height: 12.0 };
                svg.rect(area, &[("fill", colour), ("fill-opacity", &"0.22")]);
            }
            Self::Bar(colour) => {
                let x = x + SAMPLE / 2.0;
                svg.line(
                    (x, y - 8.0),
                    (x, y + 8.0),
                    &[("stroke", colour), ("stroke-width", &"1.6")],
                );
            }
            Self::Shades(shades) => {
                let width = SAMPLE / shades.len().max(1) as f64;
                let all = Area { x, y: y - 6.0, width: SAMPLE, height: 12.0 };
                for (i, shade) in shades.iter().enumerate() {
                    let area = Area { x: x + width * i as f64, width, ..all };
                    svg.rect(area, &[("fill", shade)]);
                }
                svg.rect(all, &[("fill", &"none"), ("stroke", &colours.frame)]);
            }
            Self::Nothing => {}
        }
    }
}

/// The table of curves: their areas, called `symbol`, the intervals of these, and below each
/// curve its marked point where the plot does not say what it is.
pub(crate) fn figures(
    symbol: &str,
    curves: &[Curve<'_>],
    labelled: &[bool],
) -> (Vec<String>, Vec<Row>) {
    let areas = curves.iter().any(|c| c.area.is_some());
    let levels = curves.iter().filter_map(|c| c.interval).map(|i| i.level);
    let heads = vec![if areas { symbol.to_owned() } else { String::new() }, level(levels)];
    let mut rows = Vec::new();
    for (curve, labelled) in curves.iter().zip(labelled) {
        rows.push(Row {
            sample: Sample::Line(curve.stroke, 2.5),
            text: curve.name.to_owned(),
            cells: vec![curve.area.map_or(String::new(), rate), interval(curve.interval)],
        });
        if let Some(spot) = curve.spot.as_ref().filter(|_| !labelled) {
            rows.push(Row::remark(Sample::Dot(curve.stroke.colour), spot.sentence()));
        }
    }
    (heads, rows)
}

/// "95 % interval", or just that if levels differ; nothing without any.
pub(crate) fn level(levels: impl IntoIterator<Item = f64>) -> String {
    let mut levels = levels.into_iter();
    match levels.next() {
        None => String::new(),
        Some(level) if levels.all(|l| l == level) => {
            format!("{} % interval", number(level * 100.0))
        }
        Some(_) => "interval".to_owned(),
    }
}

pub(crate) fn interval(interval: Option<Interval>) -> String {
    interval.map_or(String::new(), |i| format!("{} – {}", rate(i.low), rate(i.high)))
}

/// A rate to three digits; more where it would look like a perfect 1 and is not.
pub(crate) fn rate(value: f64) -> String {
    if !value.is_finite() {
        return "—".to_owned();
    }
    let shown = |digits: usize| format!("{value:.digits$}");
    let perfect = |text: &String| value < 1.0 && text.starts_with('1');
    (3..=6).map(shown).find(|text| !perfect(text)).unwrap_or_else(|| shown(9))
}

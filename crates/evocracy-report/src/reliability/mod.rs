//! Reliability diagrams: how often the event happened where it was given a probability, with
//! the sizes of the bins below, since a far-off point of few rows means little.

mod draw;

use crate::page::{Options, Page};
use crate::plot::{self, Along, Frame, Ink, Legend, Row, Sample};
use crate::svg::{Area, Svg};
use crate::theme::Stroke;
use crate::thin::Rates;
use evocracy::measure::Interval;

/// Most bins drawn of one model.
const MOST_BINS: usize = 100;

/// The height of the histogram, and the room between it and the square.
const HISTOGRAM: f64 = 88.0;
const APART: f64 = 14.0;

/// The reliability table of a model.
#[derive(Debug, Clone, Default)]
pub struct Reliability<'a> {
    /// The name in the legend; any text.
    pub name: &'a str,
    /// The bins by rising probability.
    pub bins: &'a [Bin],
    /// Figures in words, such as the expected calibration error, slope and intercept.
    pub note: &'a str,
}

/// A bin of a reliability table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bin {
    /// The lowest probability of the bin.
    pub from: f64,
    /// The highest probability of the bin.
    pub to: f64,
    /// The number (or weight) of rows in it; an empty bin is not drawn.
    pub rows: f64,
    /// The mean of the probabilities.
    pub mean: f64,
    /// The share of rows where the event happened.
    pub rate: f64,
    /// The confidence interval of that share.
    pub interval: Option<Interval>,
}

/// A table ready to be drawn.
struct Drawn<'a> {
    table: &'a Reliability<'a>,
    stroke: Stroke,
    bins: Vec<Bin>,
}

/// Draws reliability diagrams; the text of an SVG file.
///
/// Of a table with more than 100 bins every so many is drawn, which the legend says.
/// Everything else is as in [`roc_svg`](crate::roc_svg).
///
/// ```
/// use evocracy_report::{Bin, Options, Reliability, reliability_svg};
///
/// let bin = |from: f64, rows: f64, rate: f64| {
///     Bin { from, to: from + 0.5, rows, mean: from + 0.25, rate, interval: None }
/// };
/// let bins = [bin(0.0, 30.0, 0.2), bin(0.5, 10.0, 0.9)];
/// let table = Reliability { name: "tree", bins: &bins, note: "ECE 0.075" };
/// assert!(reliability_svg(&[table], &Options::default()).starts_with("<svg"));
/// ```
pub fn reliability_svg(tables: &[Reliability<'_>], options: &Options) -> String {
    let drawn: Vec<Drawn<'_>> = tables
        .iter()
        .enumerate()
        .map(|(i, table)| Drawn {
            table,
            stroke: options.theme.stroke(i),
            bins: usable(table.bins),
        })
        .collect();
    let page = Page::new(options, plot::WIDTH, plot::LEFT);
    let colours = page.colours();
    let frame = Frame::square(page.top(), colours);
    let below = Area { y: frame.area.bottom() + APART, height: HISTOGRAM, ..frame.area };
    let below = Frame { area: below, colours };
    let mut ink = Ink::default();
    for table in &drawn {
        table.ink(&frame, &mut ink);
    }

    let mut body = Svg::default();
    plot::grid(&mut body, &frame);
    plot::outline(&mut body, &frame);
    plot::left_axis(&mut body, &frame);
    plot::left_name(&mut body, &frame, "Observed share");
    let (from, to) = ((0.0, 0.0), (1.0, 1.0));
    let perfect = Along { from, to, text: "perfect calibration", best: 0.8, most: usize::MAX };
    ink.reference(&mut body, &frame, &perfect);
    for table in drawn.iter().rev() {
        table.points(&mut body, &frame);
    }
    draw::histogram(&mut body, &below, &drawn);
    plot::bottom_axis(&mut body, &below, "Predicted probability");

    let legend = Legend::new(Vec::new(), rows(&drawn, colours.muted));
    let says = ("Reliability diagram", &description(tables)[..]);
    legend.finish(&page, body, below.area.bottom() + 80.0, says)
}

/// The bins that can be drawn: with rows, a place and not too many.
fn usable(bins: &[Bin]) -> Vec<Bin> {
    let known =
        |b: &&Bin| b.rows > 0.0 && b.rows.is_finite() && !b.mean.is_nan() && !b.rate.is_nan();
    let count = bins.iter().filter(known).count();
    let inside = |x: f64| x.clamp(0.0, 1.0);
    let bins = bins.iter().filter(known).step_by(count.div_ceil(MOST_BINS).max(1));
    bins.map(|b| {
        let (from, to) = (inside(b.from), inside(b.to));
        // A bin without edges is a thin one.
        let (from, to) = if from < to { (from, to) } else { (inside(b.mean), inside(b.mean)) };
        let interval = b.interval.filter(|i| i.low <= i.high);
        Bin { from, to, mean: inside(b.mean), rate: inside(b.rate), interval, ..*b }
    })
    .collect()
}

impl Drawn<'_> {
    fn line(&self) -> Vec<Rates> {
        self.bins.iter().map(|b| (b.mean, b.rate)).collect()
    }

    fn ink(&self, frame: &Frame, ink: &mut Ink) {
        ink.line(frame, &self.line());
        for bin in &self.bins {
            if let Some((low, high)) = draw::bar(bin) {
                ink.line(frame, &[low, high]);
            }
        }
    }
}

/// The rows of the legend.
fn rows(drawn: &[Drawn<'_>], muted: &'static str) -> Vec<Row> {
    let mut rows = Vec::new();
    for d in drawn {
        if !d.table.name.trim().is_empty() || drawn.len() > 1 {
            let sample = Sample::Line(d.stroke, 2.5);
            rows.push(Row { sample, text: d.table.name.to_owned(), cells: vec![String::new()] });
        }
        if !d.table.note.trim().is_empty() {
            rows.push(Row::remark(Sample::Nothing, d.table.note));
        }
        let filled = d.table.bins.iter().filter(|b| b.rows > 0.0).count();
        if filled > MOST_BINS {
            let text = format!("{} of {filled} bins are drawn", d.bins.len());
            rows.push(Row::remark(Sample::Nothing, text));
        }
    }
    let levels = drawn.iter().flat_map(|d| &d.bins).filter_map(|b| b.interval).map(|i| i.level);
    let level = plot::level(levels);
    if !level.is_empty() {
        let text = format!("{level} of the observed share");
        rows.push(Row::remark(Sample::Bar(muted), text));
    }
    rows
}

/// The picture in words.
fn description(tables: &[Reliability<'_>]) -> String {
    let each = tables.iter().map(|t| format!("{}: {}", t.name, t.note)).collect::<Vec<_>>();
    format!("Observed share against predicted probability, and bin sizes. {}", each.join("; "))
}

#[cfg(test)]
mod tests;

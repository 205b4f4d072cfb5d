//! Confusion matrices: for each true class, what its rows were called. Cells are shaded by
//! their share of the row, calls that were right in one colour and mistakes in another, so
//! that rare classes can be read as well as frequent ones.

mod cells;
mod names;

use crate::page::{MARGIN, Options, Page};
use crate::plot::{Legend, Row, Sample};
use crate::svg::{Anchor, Area, Attributes, Svg};
use crate::text::count;
use cells::{Call, Cells};
use names::Names;

/// Most classes drawn; the rarest beyond that are put together.
const MOST_CLASSES: usize = 40;

/// The side the matrix has if its cells can be neither larger nor smaller than they like.
const SIDE: f64 = 520.0;
const LEAST_CELL: f64 = 34.0;
const MOST_CELL: f64 = 130.0;

/// The narrowest page, for the sake of heading and legend.
const LEAST_WIDTH: f64 = 480.0;

/// A confusion matrix.
#[derive(Debug, Clone, Default)]
pub struct Confusion<'a> {
    /// The names of the classes.
    pub classes: &'a [&'a str],
    /// Rows (or their weights) by true class, then by the class they were called: the first
    /// class's calls come first. What is missing counts as zero.
    pub counts: &'a [f64],
}

/// A matrix ready to be drawn.
struct Matrix {
    names: Vec<String>,
    /// Row by row.
    counts: Vec<f64>,
    /// The sum of each row.
    sums: Vec<f64>,
    /// How many rows were called rightly.
    right: f64,
    /// Whether the last class stands for several: whether its own calls are right, it does not
    /// say.
    lumped: bool,
}

/// Draws a confusion matrix; the text of an SVG file.
///
/// Up to 40 classes are drawn; of more, the rarest are put together as one. With many
/// classes texts become smaller, then counts shorter, then are left out; the exact number shows
/// where the pointer rests. Everything else is as in [`roc_svg`](crate::roc_svg).
///
/// ```
/// use evocracy_report::{Confusion, Options, confusion_svg};
///
/// let data = Confusion { classes: &["ill", "well"], counts: &[40.0, 2.0, 5.0, 53.0] };
/// assert!(confusion_svg(&data, &Options::default()).starts_with("<svg"));
/// ```
pub fn confusion_svg(data: &Confusion<'_>, options: &Options) -> String {
    let matrix = Matrix::new(data);
    let classes = matrix.names.len();
    let cell = (SIDE / classes.max(1) as f64).clamp(LEAST_CELL, MOST_CELL);
    let side = cell * classes as f64;
    let names = Names::new(&matrix.names, cell);
    let left = MARGIN + 30.0 + names.left_room();
    let width = (left + side + MARGIN).max(LEAST_WIDTH);
    let page = Page::new(options, width, MARGIN);
    let colours = page.colours();
    let area = Area { x: left, y: page.top(), width: side, height: side };

    let mut body = Svg::default();
    let theme = options.theme;
    let tints = [theme.stroke(0).colour, theme.stroke(1).colour, colours.muted];
    let cells = Cells { matrix: &matrix, area, cell, colours, tints };
    let figures = cells.draw(&mut body);
    names.draw(&mut body, area, cell);
    titles(&mut body, &names, area);
    let shades = |call: Call| {
        Sample::Shades((0..=6).map(|i| cells.shade(f64::from(i) / 6.0, call)).collect())
    };
    let mut rows = vec![
        Row::remark(shades(Call::Right), "called rightly, 0 to 100 % of the rows of that truth"),
        Row::remark(shades(Call::Wrong), "called wrongly, likewise"),
    ];
    rows.extend(figures.map(|text| Row::remark(Sample::Nothing, text)));
    let legend = Legend::between((MARGIN, width - MARGIN), Vec::new(), rows);
    let top = area.bottom() + names.bottom_room() + 58.0;
    legend.finish(&page, body, top, ("Confusion matrix", &description(&matrix)))
}

fn titles(svg: &mut Svg, names: &Names, area: Area) {
    let bold: Attributes<'_> = &[("font-weight", &"500")];
    let at = (MARGIN + 10.0, area.y + area.height / 2.0);
    svg.turned((at, -90.0), Anchor::Middle, bold, "truth");
    let at = (area.x + area.width / 2.0, area.bottom() + names.bottom_room() + 20.0);
    svg.words(at, Anchor::Middle, bold, "called");
}

impl Matrix {
    fn new(data: &Confusion<'_>) -> Self {
        let classes = data.classes.len();
        let cells = || {
            let known = data.counts.iter().take(classes.saturating_mul(classes)).enumerate();
            // What is no count, or too large to add up, is none.
            let sane = known.filter(|(_, count)| (0.0..1e300).contains(*count));
            sane.map(|(i, count)| (i / classes, i % classes, *count))
        };
        let mut rows = vec![0.0; classes];
        cells().for_each(|(truth, _, count)| rows[truth] += count);
        let group = grouped(&rows);
        let drawn = classes.min(MOST_CLASSES);
        let mut counts = vec![0.0; drawn * drawn];
        for (truth, called, count) in cells() {
            counts[group[truth] * drawn + group[called]] += count;
        }
        let mut names = vec![String::new(); drawn];
        for (class, name) in data.classes.iter().enumerate() {
            (*name).clone_into(&mut names[group[class]]);
        }
        if drawn < classes {
            names[drawn - 1] = format!("{} others", classes - drawn + 1);
        }
        let sums = counts.chunks(drawn.max(1)).map(|row| row.iter().sum()).collect();
        let right = cells().filter(|(t, c, _)| t == c).map(|(.., count)| count).sum();
        Self { names, counts, sums, right, lumped: drawn < classes }
    }

    /// The share of its row that a cell has; none in an empty row.
    fn share(&self, truth: usize, called: usize) -> Option<f64> {
        let sum = self.sums[truth];
        (sum > 0.0).then(|| self.counts[truth * self.names.len() + called] / sum)
    }
}

/// Where each class is drawn, given its rows: at its place among those that are, or last.
fn grouped(rows: &[f64]) -> Vec<usize> {
    let mut kept: Vec<usize> = (0..rows.len()).collect();
    if kept.len() > MOST_CLASSES {
        kept.sort_by(|a, b| rows[*b].total_cmp(&rows[*a]));
        kept.truncate(MOST_CLASSES - 1);
        kept.sort_unstable();
    }
    (0..rows.len()).map(|c| kept.binary_search(&c).unwrap_or(MOST_CLASSES - 1)).collect()
}

/// The picture in words.
fn description(matrix: &Matrix) -> String {
    let classes = matrix.names.len();
    let all: f64 = matrix.sums.iter().sum();
    format!(
        "Confusion matrix of {classes} classes, truth by row, called by column: {} of {} rows \
         were called rightly.",
        count(matrix.right),
        count(all)
    )
}

#[cfg(test)]
mod tests;

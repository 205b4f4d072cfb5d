//! The width of the kernel, where nobody knows it.
//!
//! Widths are tried in steps of sqrt 2 around the median distance between training rows, from four
//! times it down to a quarter, on 300 training rows at most, evenly drawn. Cross-validation takes
//! the one under which rows that were left out are most probable, the evidence the one under which
//! the training rows are; the wider one among equals. Narrow kernels need many vectors and thus
//! long: once two widths in a row are worse than the best, those below are not tried. To compare
//! widths a rough search will do.

use super::bases::{Kernel, Points};
use super::fast::Settings;
use super::ground::Ground;
use super::plan::Plan;
use crate::data::folds;
use crate::error::Result;
use crate::param::{Bounds, Value};
use crate::run::{Run, Stop};

/// Rows whose distances the median is taken from.
const SAMPLE: usize = 200;

/// Steps to either side of the median.
const STEPS: i32 = 4;

/// Rows on which widths are tried.
const ROWS: usize = 300;

/// Folds by which a width is chosen.
const FOLDS: usize = 5;

/// Scores that differ by less are equal, as those of models without any kernel are.
const ALIKE: f64 = 1e-3;

/// Widths in a row that are worse than the best before the search ends.
const WORSE: usize = 2;

/// A width that is given, or to be found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Width {
    /// To be found.
    Auto,
    /// Given.
    Fixed(f64),
}

impl Value for Width {
    fn parse(text: &str) -> Option<Self> {
        if text == "auto" { Some(Self::Auto) } else { text.parse().ok().map(Self::Fixed) }
    }

    fn show(&self) -> String {
        match self {
            Self::Auto => "auto".to_owned(),
            Self::Fixed(width) => width.show(),
        }
    }
}

/// Widths that make sense.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sensible;

impl Bounds<Width> for Sensible {
    fn hold(&self, value: &Width) -> bool {
        match value {
            Width::Auto => true,
            Width::Fixed(width) => (1e-100..=1e100).contains(width),
        }
    }

    fn takes(&self) -> String {
        "`auto`, or a number above 0".to_owned()
    }
}

crate::choices! {
    /// How a width is found.
    pub enum Choose {
        /// rows that are left out are most probable (5 folds)
        Cross = "cross-validation",
        /// the training rows are most probable
        Evidence = "evidence",
    }
}

/// Rows on which widths can be tried.
pub(super) trait Tried: Sync + Sized {
    /// Their inputs.
    fn ground(&self) -> &Ground;
    /// How bases are made.
    fn plan(&self) -> &Plan;
    /// Their classes, if they have any.
    fn labels(&self) -> Option<&[u32]>;
    /// Some of the rows.
    fn part(&self, rows: &[u32]) -> Self;
    /// The log evidence of the rows, roughly.
    fn evidence(&self, width: f64, stop: &Stop) -> Result<f64>;
    /// The log-likelihood of other rows under what these teach, roughly.
    fn held_out(&self, test: &Self, width: f64, stop: &Stop) -> Result<f64>;
}

/// The width for some rows: the given one, or the one that suits them best.
pub(super) fn find<T: Tried>(all: &T, run: &Run<'_>) -> Result<f64> {
    let (plan, points) = (all.plan(), all.ground().points());
    if let Width::Fixed(width) = plan.width {
        return Ok(width);
    }
    let rows = sample(points.rows);
    let some = all.part(&rows);
    let widths = candidates(plan.kernel, points);
    let parts = match some.labels() {
        Some(labels) => FOLDS.min(rarest(labels)),
        None if rows.len() < 2 * FOLDS => 0,
        None => FOLDS,
    };
    if widths.len() == 1 || parts < 2 {
        return Ok(median(plan.kernel, points));
    }
    if plan.choose == Choose::Evidence {
        return best(&widths, 1, run, |width, _| some.evidence(width, run.stop));
    }
    let splits = folds(rows.len(), some.labels(), parts, run.seed.child("width", 0))?;
    best(&widths, splits.len(), run, |width, fold| {
        let (train, test) = (some.part(&splits[fold].train), some.part(&splits[fold].test));
        train.held_out(&test, width, run.stop)
    })
}

/// The number of rows of the class that has fewest.
fn rarest(labels: &[u32]) -> usize {
    let mut counts = vec![0; labels.iter().max().map_or(0, |most| *most as usize + 1)];
    for &label in labels {
        counts[label as usize] += 1;
    }
    counts.into_iter().filter(|count| *count > 0).min().unwrap_or(0)
}

/// An even sample of the rows.
fn sample(rows: usize) -> Vec<u32> {
    let count = rows.min(ROWS);
    (0..count).map(|at| (at * rows / count) as u32).collect()
}

/// The entries of some rows.
pub(super) fn pick<T: Copy>(rows: &[u32], values: &[T]) -> Vec<T> {
    rows.iter().map(|&row| values[row as usize]).collect()
}

/// The widths to try; one where the kernel has none.
fn candidates(kernel: Kernel, points: Points<'_>) -> Vec<f64> {
    if !kernel.has_width() {
        return vec![1.0];
    }
    let middle = median(kernel, points);
    (-STEPS..=STEPS).rev().map(|step| middle * 2_f64.powf(f64::from(step) / 2.0)).collect()
}

/// The median distance between rows that differ; for polynomials the median length of a row.
fn median(kernel: Kernel, points: Points<'_>) -> f64 {
    let step = points.rows.div_ceil(SAMPLE).max(1);
    let rows: Vec<Vec<f64>> = (0..points.rows).step_by(step).map(|row| points.row(row)).collect();
    let origin = vec![0.0; points.inputs()];
    let mut lengths = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        if kernel == Kernel::Polynomial {
            lengths.push(distance(kernel, row, &origin));
        } else {
            lengths.extend(rows[..at].iter().map(|other| distance(kernel, row, other)));
        }
    }
    lengths.retain(|length| (1e-50..1e50).contains(length));
    lengths.sort_unstable_by(f64::total_cmp);
    lengths.get(lengths.len() / 2).copied().unwrap_or(1.0)
}

fn distance(kernel: Kernel, a: &[f64], b: &[f64]) -> f64 {
    let apart = a.iter().zip(b).map(|(a, b)| a - b);
    match kernel {
        Kernel::Laplacian => apart.map(f64::abs).sum(),
        _ => apart.map(|d| d * d).sum::<f64>().sqrt(),
    }
}

/// How to search for a model that is only to be compared with others.
pub(super) fn rough() -> Settings<'static> {
    Settings { gain: 0.1, change: 0.1, sweeps: 8, explore: false, ..Settings::default() }
}

/// The width with the highest score; `score` gives the parts of a width's score (folds, or one
/// fit). Widths that fail do not count; the first error where all do.
fn best(
    widths: &[f64],
    parts: usize,
    run: &Run<'_>,
    score: impl Fn(f64, usize) -> Result<f64> + Sync,
) -> Result<f64> {
    let task = run.task("widths", widths.len() as u64);
    let (mut top, mut failed): (Option<(f64, f64)>, _) = (None, None);
    let mut worse = 0;
    for &width in widths {
        let own = run.pool.map(parts, |part| score(width, part));
        task.watch.advance(1);
        match own.into_iter().sum::<Result<f64>>() {
            Ok(sum) if top.is_none_or(|(best, _)| sum > best + ALIKE) => {
                (top, worse) = (Some((sum, width)), 0);
            }
            Ok(sum) => worse += usize::from(top.is_some_and(|(best, _)| sum < best - ALIKE)),
            Err(error) => failed = failed.or(Some(error)),
        }
        if worse == WORSE || run.stop.requested() {
            break;
        }
    }
    match (top, failed) {
        (Some((_, width)), _) => Ok(width),
        (None, Some(error)) => Err(error),
        (None, None) => Ok(1.0),
    }
}

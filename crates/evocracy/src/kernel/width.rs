//! The width of the kernel, where nobody knows it.
//!
//! Widths are tried in steps of sqrt 2 around the median distance between training rows, from a
//! quarter of it to four times, on 500 training rows at most, evenly drawn. Cross-validation takes the one under which rows that were left
//! out are most probable, the evidence the one under which the training rows are; the wider one
//! among equals.

use super::bases::{Kernel, Points};
use crate::error::Result;
use crate::param::{Bounds, Value};
use crate::run::Run;

/// Rows whose distances the median is taken from.
const SAMPLE: usize = 200;

/// Steps to either side of the median.
const STEPS: i32 = 4;

/// Rows on which widths are tried.
const ROWS: usize = 500;

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

/// An even sample of the rows.
pub(super) fn sample(rows: usize) -> Vec<u32> {
    let count = rows.min(ROWS);
    (0..count).map(|at| (at * rows / count) as u32).collect()
}

/// The entries of some rows.
pub(super) fn pick<T: Copy>(rows: &[u32], values: &[T]) -> Vec<T> {
    rows.iter().map(|&row| values[row as usize]).collect()
}

/// The widths to try; one where the kernel has none.
pub(super) fn candidates(kernel: Kernel, points: Points<'_>) -> Vec<f64> {
    if !kernel.has_width() {
        return vec![1.0];
    }
    let middle = median(kernel, points);
    (-STEPS..=STEPS).map(|step| middle * 2_f64.powf(f64::from(step) / 2.0)).collect()
}

/// The median distance between rows that differ; for polynomials the median length of a row.
pub(super) fn median(kernel: Kernel, points: Points<'_>) -> f64 {
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

/// The width with the highest score; `score` gives the parts of a width's score (folds, or one
/// fit). Widths that fail do not count; the first error where all do.
pub(super) fn best(
    widths: &[f64],
    parts: usize,
    run: &Run<'_>,
    score: impl Fn(f64, usize) -> Result<f64> + Sync,
) -> Result<f64> {
    let task = run.task("widths", (widths.len() * parts) as u64);
    let scores = run.pool.map(widths.len() * parts, |at| {
        let found = score(widths[at / parts], at % parts);
        task.watch.advance(1);
        found
    });
    let (mut top, mut failed): (Option<(f64, f64)>, _) = (None, None);
    let mut scores = scores.into_iter();
    for &width in widths {
        let own: Vec<Result<f64>> = scores.by_ref().take(parts).collect();
        match own.into_iter().sum::<Result<f64>>() {
            Ok(sum) if top.is_none_or(|(best, _)| sum >= best) => top = Some((sum, width)),
            Ok(_) => {}
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    match (top, failed) {
        (Some((_, width)), _) => Ok(width),
        (None, Some(error)) => Err(error),
        (None, None) => Ok(1.0),
    }
}

//! From distances to probabilities.
//!
//! The scale minimises the negative log-likelihood of the training rows, which is convex in it: its
//! derivative is the sum over rows of the distance to the own class less the mean distance under the
//! probabilities. Rows that are all right would make it infinite; so each row counts as its own class
//! up to a share that it gives to all classes alike, `classes / (rows + classes)` (the targets of
//! Platt 1999, "Probabilistic Outputs for Support Vector Machines").

use super::LabelledRows;
use super::codebook::Codebook;
use crate::data::pick;
use crate::error::Result;
use crate::num::{exp, wide};
use crate::run::{Stop, Ticker};

/// The least and the greatest scale, for a mean distance of 1.
const BOUNDS: [f64; 2] = [1e-3, 1e6];

/// The squared distance to the nearest vector of each class; infinite where it has none.
pub(super) fn by_class(book: &Codebook, squares: &[f64], out: &mut [f64]) {
    out.fill(f64::INFINITY);
    for (square, &label) in squares.iter().zip(&book.labels) {
        let least = &mut out[label as usize];
        *least = square.min(*least);
    }
}

/// Rows that the scale is taken from where there is no time for all of them.
const FEW_ROWS: usize = 1000;

/// The most likely scale; after a stop, that of every n-th row.
pub(super) fn scale(
    book: &Codebook,
    rows: &LabelledRows,
    weights: &[f64],
    classes: usize,
    stop: &Stop,
) -> f64 {
    let every = |step: usize| -> Vec<u32> { (0..weights.len() as u32).step_by(step).collect() };
    of_rows(book, rows, weights, classes, &every(1), stop).unwrap_or_else(|_| {
        let few = every(weights.len().div_ceil(FEW_ROWS).max(1));
        of_rows(book, rows, weights, classes, &few, &Stop::new()).unwrap_or(1.0)
    })
}

/// The most likely scale for some rows.
fn of_rows(
    book: &Codebook,
    rows: &LabelledRows,
    weights: &[f64],
    classes: usize,
    some: &[u32],
    stop: &Stop,
) -> Result<f64> {
    let mut ticker = Ticker::new(stop);
    let mut distances = vec![0.0; some.len() * classes];
    let mut squares = vec![0.0; book.len()];
    for (&row, distances) in some.iter().zip(distances.chunks_exact_mut(classes)) {
        ticker.tick(book.len() * (rows.width + 2))?;
        wide(
            #[inline(always)]
            || book.squares(rows.row(row), &mut squares),
        );
        by_class(book, &squares, distances);
    }
    let mean = distances.iter().filter(|d| d.is_finite()).sum::<f64>() / distances.len() as f64;
    if mean <= 0.0 || !mean.is_finite() {
        return Ok(1.0);
    }
    let (labels, weights) = (pick(some, &rows.labels), pick(some, weights));
    let mut derivative = |scale: f64| -> Result<f64> {
        // An exponential for each row and class.
        ticker.tick(10 * distances.len())?;
        Ok(derivative(&distances, &labels, &weights, classes, scale / mean))
    };
    let [mut low, most] = BOUNDS;
    let mut high = 1.0;
    while high < most && derivative(high)? < 0.0 {
        (low, high) = (high, 2.0 * high);
    }
    // Bisection on the logarithm.
    for _ in 0..25 {
        let middle = (low * high).sqrt();
        if derivative(middle)? < 0.0 { low = middle } else { high = middle }
    }
    Ok((low * high).sqrt() / mean)
}

/// The derivative of the negative log-likelihood by the scale.
fn derivative(
    distances: &[f64],
    labels: &[u32],
    weights: &[f64],
    classes: usize,
    scale: f64,
) -> f64 {
    let given = classes as f64 / (labels.len() + classes) as f64;
    let each = distances.chunks_exact(classes).zip(labels.iter().zip(weights));
    wide(
        #[inline(always)]
        || {
            let mut sum = 0.0;
            for (distances, (&label, &weight)) in each {
                let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
                let (mut total, mut moment, mut all, mut count) = (0.0, 0.0, 0.0, 0.0);
                for &d in distances.iter().filter(|d| d.is_finite()) {
                    let share = exp(-scale * (d - least));
                    total += share;
                    moment += share * d;
                    all += d;
                    count += 1.0;
                }
                let own = (1.0 - given) * distances[label as usize] + given * all / count;
                sum += weight * (own - moment / total);
            }
            sum
        },
    )
}

//! From distances to probabilities.
//!
//! The scale minimises the negative log-likelihood of the training rows, which is convex in it: its
//! derivative is the sum over rows of the distance to the own class less the mean distance under the
//! probabilities. Rows that are all right would make it infinite; so each row counts as its own class
//! up to a share that it gives to all classes alike, `classes / (rows + classes)` (the targets of
//! Platt 1999, "Probabilistic Outputs for Support Vector Machines").

use super::LabelledRows;
use super::codebook::Codebook;
use crate::num::{exp, wide};

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

/// The most likely scale.
pub(super) fn scale(book: &Codebook, rows: &LabelledRows, weights: &[f64], classes: usize) -> f64 {
    let mut distances = vec![0.0; weights.len() * classes];
    let mut squares = vec![0.0; book.len()];
    for (row, distances) in (0..weights.len() as u32).zip(distances.chunks_exact_mut(classes)) {
        wide(
            #[inline(always)]
            || book.squares(rows.row(row), &mut squares),
        );
        by_class(book, &squares, distances);
    }
    let mean = distances.iter().filter(|d| d.is_finite()).sum::<f64>() / distances.len() as f64;
    if mean <= 0.0 || !mean.is_finite() {
        return 1.0;
    }
    let derivative =
        |scale: f64| derivative(&distances, &rows.labels, weights, classes, scale / mean);
    let [mut low, most] = BOUNDS;
    let mut high = 1.0;
    while high < most && derivative(high) < 0.0 {
        (low, high) = (high, 2.0 * high);
    }
    // Bisection on the logarithm.
    for _ in 0..25 {
        let middle = (low * high).sqrt();
        if derivative(middle) < 0.0 { low = middle } else { high = middle }
    }
    (low * high).sqrt() / mean
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

//! Several classes under one likelihood, the softmax (2.80).
//!
//! With the sums of the other classes held fixed that of one class is logistic with an offset, so
//! the machines are learnt in turns, each around what the others say, until the likelihood rests.
//! The evidence of each is that of its own weights.

use super::classify::Sample;
use super::design::Design;
use super::fast::Sparse;
use crate::error::Result;
use crate::num::add_scaled;
use crate::run::Stop;

/// Turns of the machines at most.
const TURNS: usize = 20;

/// A rise of the log-likelihood that ends the turns.
const RESTS: f64 = 0.01;

/// Learns the machines in turns, each around what the others say. `one` learns a machine from its
/// targets, offsets and the bases to start with.
pub(super) fn learn(
    sample: &Sample<'_>,
    design: &Design,
    mut found: Vec<Sparse>,
    one: impl Fn(&[f64], Option<&[f64]>, &[(usize, f64)]) -> Result<Sparse>,
    stop: &Stop,
) -> Result<Vec<Sparse>> {
    let n = sample.labels.len();
    let mut sums: Vec<Vec<f64>> = found.iter().map(|sparse| sum(design, sparse)).collect();
    let mut before = f64::NEG_INFINITY;
    for _ in 0..TURNS {
        for class in 0..sample.classes {
            let offsets: Vec<f64> = (0..n).map(|row| -others(&sums, class, row)).collect();
            let start: Vec<(usize, f64)> =
                found[class].bases.iter().copied().zip(found[class].alphas.clone()).collect();
            found[class] = one(&sample.targets(class), Some(&offsets), &start)?;
            sums[class] = sum(design, &found[class]);
        }
        let log = |row: usize| {
            let label = sample.labels[row] as usize;
            let own = sums[label][row];
            let rest = others(&sums, label, row);
            own - own.max(rest) - (-(own - rest).abs()).exp().ln_1p()
        };
        let likelihood: f64 = (0..n).map(|row| sample.ground.weight(row) * log(row)).sum();
        if likelihood - before < RESTS || stop.requested() {
            break;
        }
        before = likelihood;
    }
    Ok(found)
}

/// The logarithm of the sum of the exponentials of what the other classes have.
fn others(sums: &[Vec<f64>], class: usize, row: usize) -> f64 {
    let rest = || sums.iter().enumerate().filter(|(at, _)| *at != class).map(|(_, s)| s[row]);
    let top = rest().fold(f64::NEG_INFINITY, f64::max);
    top + rest().map(|value| (value - top).exp()).sum::<f64>().ln()
}

/// The sum of the bases at every training row.
fn sum(design: &Design, sparse: &Sparse) -> Vec<f64> {
    let mut sums = vec![0.0; design.rows()];
    let mut column = vec![0.0; design.rows()];
    for (&base, weight) in sparse.bases.iter().zip(&sparse.weights) {
        design.column_into(base, &mut column);
        add_scaled(&mut sums, *weight, &column);
    }
    sums
}

//! Weights of members, from their probabilities of rows they were not trained on.
//!
//! `proba` holds the out-of-fold probabilities of each member.

use super::TrainingRows;
use crate::classify::{Proba, softmax_in_place};
use crate::error::Result;
use crate::run::{Run, Seed, Stop};
use rand::RngExt;

/// The least probability in a likelihood, so that its logarithm is finite.
const FLOOR: f64 = 1e-15;

/// The weight of the rows that each member calls rightly, and of all rows.
fn right(rows: &TrainingRows, proba: &[Proba]) -> (Vec<f64>, f64) {
    let right = |proba: &Proba| {
        let calls = proba.calls();
        let each = calls.iter().zip(&rows.labels).zip(&rows.weights);
        each.filter(|((call, label), _)| call == label).map(|(_, weight)| weight).sum()
    };
    (proba.iter().map(right).collect(), rows.weights.iter().sum())
}

fn shares(worth: &[f64]) -> Vec<f64> {
    let total: f64 = worth.iter().sum();
    if total > 0.0 {
        return worth.iter().map(|w| w / total).collect();
    }
    vec![1.0 / worth.len() as f64; worth.len()]
}

/// Accuracies, to a sum of 1.
pub(super) fn by_accuracy(rows: &TrainingRows, proba: &[Proba]) -> Vec<f64> {
    shares(&right(rows, proba).0)
}

/// Log-odds of the accuracies beyond chance, to a sum of 1: the best weights for members that err
/// independently. A member that is no better than chance counts nothing.
pub(super) fn by_log_odds(rows: &TrainingRows, proba: &[Proba]) -> Vec<f64> {
    let (right, all) = right(rows, proba);
    let others = rows.classes.len() as f64 - 1.0;
    // One more row on each side: a member without error has finite odds.
    let odds = |right: &f64| ((right + 1.0) / (all - right + 1.0) * others).ln().max(0.0);
    shares(&right.iter().map(odds).collect::<Vec<_>>())
}

/// The posterior of each member whose calls are right with its own constant probability, all
/// members equally probable before.
pub(super) fn by_posterior_of_calls(rows: &TrainingRows, proba: &[Proba]) -> Vec<f64> {
    let (right, all) = right(rows, proba);
    let others = rows.classes.len() as f64 - 1.0;
    let mut logs: Vec<f64> = right
        .iter()
        .map(|&right| {
            let wrong = all - right;
            let error = (wrong + 1.0) / (all + 2.0);
            right * (1.0 - error).ln() + wrong * (error / others).ln()
        })
        .collect();
    softmax_in_place(&mut logs);
    logs
}

/// The posterior of each member by the likelihood of its probabilities, all members equally
/// probable before.
pub(super) fn by_posterior(rows: &TrainingRows, proba: &[Proba]) -> Vec<f64> {
    let log = |proba: &Proba| -> f64 {
        let each = rows.labels.iter().zip(&rows.weights).enumerate();
        each.map(|(row, (&label, w))| w * proba.row(row)[label as usize].max(FLOOR).ln()).sum()
    };
    let mut logs: Vec<f64> = proba.iter().map(log).collect();
    softmax_in_place(&mut logs);
    logs
}

/// The mean of weights under their posterior: weights are drawn from a Dirichlet distribution
/// that moves, every ten draws, towards the best of them (K. Monteith, J. L. Carroll, K. Seppi,
/// T. Martinez, "Turning Bayesian model averaging into Bayesian model combination", IJCNN 2011).
/// Unlike the posterior of single members it does not end with one of them as rows grow.
pub(super) fn by_combination(
    rows: &TrainingRows,
    proba: &[Proba],
    draws: usize,
    run: &Run<'_>,
) -> Result<Vec<f64>> {
    let members = proba.len();
    run.reserve(&format!("{draws} draws"), &[draws, members + 4])?;
    // The probability of the true class: row after row, a number for each member.
    let mut truth = Vec::with_capacity(rows.len() * members);
    for (row, &label) in rows.labels.iter().enumerate() {
        truth.extend(proba.iter().map(|proba| proba.row(row)[label as usize]));
    }
    let seed = run.seed.child("weights", 0);
    combination(&truth, members, &rows.weights, draws, seed, run.stop)
}

/// The same from the probability of the true class: row after row, a number for each member.
pub(super) fn combination(
    truth: &[f64],
    members: usize,
    row_weights: &[f64],
    draws: usize,
    seed: Seed,
    stop: &Stop,
) -> Result<Vec<f64>> {
    const BATCH: usize = 10;
    let likelihood = |weights: &[f64]| -> f64 {
        let each = truth.chunks_exact(members).zip(row_weights);
        let mixed = |p: &[f64]| p.iter().zip(weights).map(|(p, w)| p * w).sum::<f64>();
        each.map(|(p, w)| w * mixed(p).max(FLOOR).ln()).sum()
    };
    let mut rng = seed.rng();
    let mut centre = vec![1.0; members];
    let mut drawn: Vec<(f64, Vec<f64>)> = Vec::with_capacity(draws);
    while drawn.len() < draws {
        stop.check()?;
        let from = drawn.len();
        for _ in 0..BATCH.min(draws - from) {
            let weights = dirichlet(&centre, &mut rng);
            drawn.push((likelihood(&weights), weights));
        }
        let best = drawn[from..].iter().max_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, weights)) = best {
            centre.iter_mut().zip(weights).for_each(|(centre, weight)| *centre += weight);
        }
    }
    let mut logs: Vec<f64> = drawn.iter().map(|(log, _)| *log).collect();
    softmax_in_place(&mut logs);
    let mut mean = vec![0.0; members];
    for (share, (_, weights)) in logs.iter().zip(&drawn) {
        mean.iter_mut().zip(weights).for_each(|(mean, weight)| *mean += share * weight);
    }
    Ok(shares(&mean))
}

fn dirichlet(centre: &[f64], rng: &mut impl rand::Rng) -> Vec<f64> {
    shares(&centre.iter().map(|&shape| gamma(shape, rng)).collect::<Vec<_>>())
}

/// A draw from the gamma distribution of a shape of at least 1 (G. Marsaglia, W. W. Tsang, ACM
/// Transactions on Mathematical Software 26 (2000) 363-372).
fn gamma(shape: f64, rng: &mut impl rand::Rng) -> f64 {
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = crate::num::normal_quantile(rng.random_range(1e-16..1.0));
        let v = (1.0 + c * x).powi(3);
        let u: f64 = rng.random_range(1e-300..1.0);
        if v > 0.0 && u.ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gamma_draws_have_mean_and_variance_of_their_shape() {
        let mut rng = Seed::new(3).rng();
        for shape in [1.0, 2.5, 40.0] {
            let draws: Vec<f64> = (0..40_000).map(|_| gamma(shape, &mut rng)).collect();
            let mean = draws.iter().sum::<f64>() / 40_000.0;
            let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 40_000.0;
            assert!((mean / shape - 1.0).abs() < 0.03, "{shape}: {mean}");
            assert!((variance / shape - 1.0).abs() < 0.08, "{shape}: {variance}");
        }
    }
}

//! Dominance where objectives are known only from samples.
//!
//! J. E. Fieldsend, R. M. Everson, "Multi-objective Optimisation in the Presence of Uncertainty",
//! 2005, after E. J. Hughes, "Evolutionary Multi-objective Ranking with Uncertainty and Noise",
//! 2001. A solution is a sample of points: repeated measurements, or [`bootstrap`] replicates of
//! their mean. Instead of whether one dominates another, one asks how likely that is.
//! Objectives of one draw are kept together, so they need not be independent of each other.

mod archive;

pub use archive::{Kept, UncertainArchive};

use super::points::{PointSet, Relation, same_goals};
use crate::error::{Error, Result};
use crate::evolve::{below, rng};
use crate::run::Seed;
use serde::{Deserialize, Serialize};

/// Which draws of two samples belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pairing {
    /// None: every draw of one is compared with every draw of the other.
    Independent,
    /// Those with the same number, such as two classifiers on the same resampled rows. Noise
    /// that both share cancels.
    Paired,
}

/// The probability that a draw of `a` dominates one of `b`.
///
/// Not dominating includes being equal, so the probabilities of both directions may sum to less
/// than one.
pub fn probability(a: &PointSet, b: &PointSet, pairing: Pairing) -> Result<f64> {
    same_goals(a, b)?;
    suitable(a, b, pairing)?;
    Ok(share(a, b, pairing))
}

fn share(a: &PointSet, b: &PointSet, pairing: Pairing) -> f64 {
    let beats = |a: &[f64], b: &[f64]| usize::from(Relation::of(a, b) == Relation::Dominates);
    match pairing {
        Pairing::Paired => {
            let wins: usize = a.rows().zip(b.rows()).map(|(a, b)| beats(a, b)).sum();
            wins as f64 / a.len() as f64
        }
        Pairing::Independent => {
            let wins: usize = a.rows().map(|a| b.rows().map(|b| beats(a, b)).sum::<usize>()).sum();
            wins as f64 / (a.len() as f64 * b.len() as f64)
        }
    }
}

/// Samples need draws, as many of both where they are paired.
fn suitable(a: &PointSet, b: &PointSet, pairing: Pairing) -> Result<()> {
    if a.is_empty() || b.is_empty() {
        return Err(Error::unsuitable("a sample without draws", "measure at least once"));
    }
    if pairing == Pairing::Paired && a.len() != b.len() {
        return Err(Error::unsuitable(
            format!("{} draws cannot be paired with {}", a.len(), b.len()),
            "draw as often for every solution, or do not pair",
        ));
    }
    Ok(())
}

/// Replicates of the mean of repeated measurements: each is the mean of as many draws with
/// replacement (B. Efron, 1979). The same seed draws the same rows, which pairs the replicates of
/// solutions that were measured in the same circumstances.
pub fn bootstrap(repeats: &PointSet, replicates: usize, seed: Seed) -> Result<PointSet> {
    if repeats.is_empty() || replicates == 0 {
        return Err(Error::unsuitable("no measurements, or no replicates", "give some of each"));
    }
    let (n, mut rng) = (repeats.len(), rng(seed));
    let mut means = PointSet::new(repeats.goals())?;
    let mut sum = vec![0.0; repeats.objectives()];
    for _ in 0..replicates {
        sum.fill(0.0);
        for _ in 0..n {
            let row = repeats.costs(below(n, &mut rng));
            sum.iter_mut().zip(row).for_each(|(sum, cost)| *sum += cost);
        }
        // Infinite measurements of both signs have no mean.
        let mean: Vec<f64> = sum.iter().map(|sum| sum / n as f64).collect();
        means.push_turned(&mean)?;
    }
    Ok(means)
}

#[cfg(test)]
mod tests;

//! How well the chains of a sampler have mixed, in figures and in words.

use super::chains::Chain;
use crate::classify::MixingFigures;
use crate::measure::{effective_size, split_r_hat};
use serde::{Deserialize, Serialize};

/// How well chains have mixed: figures of the worst level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mixing {
    /// How many levels were sampled, and how many chains each.
    pub levels: usize,
    /// How many chains each level has.
    pub chains: usize,
    /// The share of proposals that were accepted.
    pub acceptance: f64,
    /// The least effective sample size of a level.
    pub effective: f64,
    /// The greatest split R-hat of a level; `None` where chains are too short to tell.
    pub r_hat: Option<f64>,
    /// The least distance seen.
    pub least: f64,
    /// What was chosen by cross-validation, in words and figures.
    #[serde(default)]
    pub chosen: Vec<(String, f64)>,
}

impl Mixing {
    /// An R-hat above this tells that chains have not mixed.
    pub const MOST: f64 = 1.2;

    /// An R-hat of chains with fewer samples tells nothing.
    const LEAST: usize = 20;

    /// The figures of some chains, level after level.
    pub(super) fn of(chains: &[Chain], each: usize) -> Self {
        let (mut effective, mut r_hat) = (f64::INFINITY, None);
        for level in chains.chunks(each) {
            let traces: [Vec<&[f64]>; 2] = [
                level.iter().map(|chain| &chain.distances[..]).collect(),
                level.iter().map(|chain| &chain.alarms[..]).collect(),
            ];
            for trace in &traces {
                effective = effective.min(effective_size(trace).unwrap_or(0.0));
                // An infinite R-hat has no place in a file.
                let long = trace.iter().all(|chain| chain.len() >= Self::LEAST);
                let found = split_r_hat(trace).filter(|_| long).map(|found| found.min(1e9));
                r_hat = match (r_hat, found) {
                    (Some(a), Some(b)) => Some(f64::max(a, b)),
                    (a, b) => a.or(b),
                };
            }
        }
        let sum = |of: fn(&Chain) -> u64| chains.iter().map(of).sum::<u64>() as f64;
        Self {
            levels: chains.len() / each.max(1),
            chains: each,
            acceptance: sum(|chain| chain.accepted) / sum(|chain| chain.proposed).max(1.0),
            effective,
            r_hat,
            least: chains.iter().map(|chain| chain.least).fold(f64::INFINITY, f64::min),
            chosen: Vec::new(),
        }
    }

    /// What to tell a person where chains have not mixed.
    pub fn warning(&self) -> Option<String> {
        let r_hat = self.r_hat.filter(|r_hat| *r_hat > Self::MOST)?;
        Some(format!(
            "Not all chains have mixed: those of one target differ more from each other than samples of one chain do (R-hat {r_hat:.2}, it should be below {}). Sample longer.",
            Self::MOST
        ))
    }

    /// The same as a diagnostic.
    pub(super) fn figures(&self) -> MixingFigures {
        let Self { levels, chains, acceptance, effective, r_hat, .. } = self.clone();
        MixingFigures { levels, chains, acceptance, effective, r_hat }
    }
}

//! Posteriors by sampling, for rows of which too much is missing for exact inference.
//!
//! Likelihood weighting (Fung, Chang 1990; Shachter, Peot 1990) with the node in question held at
//! each of its states in turn: nodes that are missing are drawn, parents before children, and each
//! draw weighs as much as what is known is likely beside it. No state is left without draws.

use super::Network;
use crate::data::MISSING;
use crate::error::{Error, Result};
use crate::evolve::{Rng, rng, unit};
use crate::run::Seed;

/// Draws for each state.
const DRAWS: usize = 1000;

impl Network {
    /// About the probabilities of a node's states given the codes that are not [`MISSING`]; a code
    /// of the node itself is not looked at. The same codes give the same numbers. For what
    /// [`Network::posterior`] refuses since its tables would be too large.
    pub fn estimated_posterior(&self, node: usize, codes: &[u32]) -> Result<Vec<f64>> {
        self.check_codes(codes)?;
        if node >= codes.len() {
            return Err(Error::unsuitable("the node asked for is not of the network", ""));
        }
        let order = self.dag().order();
        let logs = (0..self.states(node) as u32).map(|state| {
            // The same draws for every state, so that they differ by the state alone.
            let mut rng = rng(Seed::new(0).child("posterior", 0));
            let mut known = codes.to_vec();
            known[node] = state;
            let each: Vec<f64> =
                (0..DRAWS).map(|_| self.weight_of_draw(&order, &known, &mut rng)).collect();
            log_sum(&each)
        });
        let logs: Vec<f64> = logs.collect();
        let total = log_sum(&logs);
        if total == f64::NEG_INFINITY {
            return Err(Error::unsuitable("no draw agrees with what is known", ""));
        }
        Ok(logs.into_iter().map(|log| (log - total).exp()).collect())
    }

    /// Draws what is missing and returns the logarithm of the probability of what is known.
    fn weight_of_draw(&self, order: &[u32], known: &[u32], rng: &mut Rng) -> f64 {
        let (mut codes, mut weight) = (known.to_vec(), 0.0);
        for &node in order {
            let node = node as usize;
            if known[node] == MISSING {
                self.draw(node, &mut codes, rng);
            } else {
                weight += self.entry(node, &codes).ln();
            }
        }
        weight
    }

    /// Draws the state of a node whose parents are known.
    pub(super) fn draw(&self, node: usize, codes: &mut [u32], rng: &mut Rng) {
        codes[node] = 0;
        let at = unit(rng);
        let (mut below, last) = (self.entry(node, codes), self.states(node) as u32 - 1);
        while at >= below && codes[node] < last {
            codes[node] += 1;
            below += self.entry(node, codes);
        }
    }
}

/// The logarithm of a sum of exponentials.
fn log_sum(logs: &[f64]) -> f64 {
    let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if top == f64::NEG_INFINITY {
        return top;
    }
    top + logs.iter().map(|log| (log - top).exp()).sum::<f64>().ln()
}

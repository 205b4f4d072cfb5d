//! Why a row gets its probabilities: a base, a part for each piece of evidence, and a link.

use serde::{Deserialize, Serialize};

/// How the sum of base and parts becomes probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Link {
    /// The sum is the probability.
    Identity,
    /// The sums are log-probabilities up to a constant.
    Softmax,
    /// The class with the largest sum has the probability 1; several share it.
    Winner,
}

impl Link {
    /// Turns sums into probabilities.
    pub fn apply(self, sums: &mut [f64]) {
        match self {
            Self::Identity => {}
            Self::Softmax => softmax_in_place(sums),
            Self::Winner => {
                let top = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                // Sums that differ by rounding alone are equal.
                let near = top - 1e-9 * top.abs().max(1.0);
                let winners = sums.iter().filter(|sum| **sum >= near).count();
                for sum in sums {
                    *sum = if *sum >= near { 1.0 / winners as f64 } else { 0.0 };
                }
            }
        }
    }
}

/// What one piece of evidence adds to each class.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// The column, as a position in the view that was explained; `None` where the evidence is a
    /// row or anything else that is not one column.
    pub column: Option<usize>,
    /// The evidence in words: `glu = 148`, `odor is f`, `training row 17 at distance 0.3`.
    pub because: String,
    /// What it adds to each class, on the scale of the link.
    pub adds: Vec<f64>,
}

/// `link(base + sum of parts)` is the probability of each class.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// What each class has before any evidence.
    pub base: Vec<f64>,
    /// The evidence, in the order in which it was used.
    pub parts: Vec<Part>,
    /// How the sum becomes probabilities.
    pub link: Link,
}

impl Explanation {
    /// The probabilities the explanation adds up to.
    pub fn rebuild(&self) -> Vec<f64> {
        let mut sums = self.base.clone();
        for part in &self.parts {
            for (sum, add) in sums.iter_mut().zip(&part.adds) {
                *sum += add;
            }
        }
        self.link.apply(&mut sums);
        sums
    }
}

/// Normalises log-probabilities; the largest is taken out first so that nothing overflows.
pub(crate) fn softmax_in_place(logs: &mut [f64]) {
    let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut total = 0.0;
    for value in logs.iter_mut() {
        *value = (*value - top).exp();
        total += *value;
    }
    for value in logs {
        *value /= total;
    }
}

//! Which attributes covering and mutation prefer.
//!
//! Without guidance all are equal. Relief weights are known before learning; feedback (attribute
//! tracking, Urbanowicz, Granizo-Mackenzie and Moore 2012) learns weights from the rules that breed.

use crate::evolve::{Rng, below, unit};
use serde::{Deserialize, Serialize};

/// Draws attributes in proportion to weights.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Guide {
    weights: Vec<f64>,
    /// Running sums of the weights, for the draw.
    sums: Vec<f64>,
    /// What feedback has counted, and how often.
    tally: Vec<f64>,
    counted: u64,
    prior: Vec<f64>,
    pub(super) equal: bool,
}

impl Guide {
    /// Whether a file may hold it for so many attributes.
    pub(super) fn sound(&self, count: usize) -> bool {
        let lists = [&self.weights, &self.sums, &self.tally, &self.prior];
        let fits = |list: &&Vec<f64>| {
            list.len() == count && list.iter().all(|value| value.is_finite() && *value >= 0.0)
        };
        lists.iter().all(fits) && self.sums.is_sorted()
    }
}

/// After how many rounds of feedback the weights are updated.
const EVERY: u64 = 1000;

/// The least share of the mean weight that an attribute keeps, so that none is excluded.
const LEAST: f64 = 0.1;

impl Guide {
    /// The same weight for all attributes.
    pub(super) fn equal(count: usize) -> Self {
        let mut guide = Self::new(&vec![1.0; count]);
        guide.equal = true;
        guide
    }

    /// By relief weights: those below 0 count as 0, and each attribute keeps a small share.
    pub(super) fn new(weights: &[f64]) -> Self {
        let mut made = Self {
            weights: vec![0.0; weights.len()],
            sums: Vec::new(),
            tally: vec![0.0; weights.len()],
            counted: 0,
            prior: weights.iter().map(|weight| weight.max(0.0)).collect(),
            equal: false,
        };
        made.prior = normalised(&made.prior);
        made.update();
        made
    }

    /// Brings weights and sums up to date with prior and feedback.
    fn update(&mut self) {
        self.weights.clone_from(&self.prior);
        if self.counted > 0 {
            let learnt = normalised(&self.tally);
            for (weight, learnt) in self.weights.iter_mut().zip(learnt) {
                *weight = f64::midpoint(*weight, learnt);
            }
        }
        self.sums.clear();
        let mut sum = 0.0;
        for weight in &self.weights {
            sum += weight;
            self.sums.push(sum);
        }
    }

    /// How much an attribute counts.
    pub(super) fn weight(&self, attribute: usize) -> f64 {
        self.weights[attribute]
    }

    /// An attribute, in proportion to its weight.
    pub(super) fn draw(&self, rng: &mut Rng) -> usize {
        if self.equal {
            return below(self.weights.len(), rng);
        }
        let point = unit(rng) * self.sums.last().copied().unwrap_or(0.0);
        self.sums.partition_point(|sum| *sum <= point).min(self.sums.len() - 1)
    }

    /// Counts an attribute that a rule of this worth tests.
    pub(super) fn count(&mut self, attribute: usize, worth: f64) {
        self.tally[attribute] += worth;
    }

    /// Ends a round of counting.
    pub(super) fn counted(&mut self) {
        self.counted += 1;
        self.equal = false;
        if self.counted.is_multiple_of(EVERY) {
            self.update();
            self.tally.iter_mut().for_each(|tally| *tally *= 0.9);
        }
    }
}

/// Weights with the mean 1, none below [`LEAST`].
fn normalised(weights: &[f64]) -> Vec<f64> {
    let mean = weights.iter().sum::<f64>() / weights.len().max(1) as f64;
    let share = |weight: &f64| if mean > 0.0 { weight / mean } else { 1.0 };
    weights.iter().map(|weight| LEAST + (1.0 - LEAST) * share(weight)).collect()
}

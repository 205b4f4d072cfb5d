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

/// The fewest attributes that rules may test where chance is told apart.
const FEWEST: usize = 10;

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

    /// By relief weights, those alone that stand out from chance; but not fewer than [`FEWEST`]. Of
    /// attributes that say nothing as many have a weight above 0 as below, so the weights below tell
    /// how far chance goes: the largest of so many is expected at the root of twice the logarithm
    /// of their number, in standard deviations.
    pub(super) fn telling(weights: &[f64]) -> Self {
        let below: Vec<f64> = weights.iter().copied().filter(|weight| *weight < 0.0).collect();
        let square = below.iter().map(|weight| weight * weight).sum::<f64>();
        let spread = (square / below.len().max(1) as f64).sqrt();
        let limit = spread * (2.0 * (weights.len().max(1) as f64).ln()).sqrt();
        let mut order: Vec<usize> = (0..weights.len()).collect();
        order.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]).then(a.cmp(&b)));
        let telling = order.partition_point(|&attribute| weights[attribute] > limit);
        order.truncate(telling.max(FEWEST));
        let own: Vec<f64> = order.iter().map(|&attribute| weights[attribute].max(0.0)).collect();
        let mut made = Self::new(&vec![0.0; weights.len()]);
        made.prior.fill(0.0);
        order.into_iter().zip(normalised(&own)).for_each(|(at, weight)| made.prior[at] = weight);
        made.update();
        made
    }

    /// How many attributes rules may test.
    pub(super) fn open(&self) -> usize {
        self.weights.iter().filter(|weight| **weight > 0.0).count()
    }

    /// Brings weights and sums up to date with prior and feedback.
    fn update(&mut self) {
        self.weights.clone_from(&self.prior);
        if self.counted > 0 {
            let learnt = normalised(&self.tally);
            let open = self.weights.iter_mut().zip(learnt).filter(|(weight, _)| **weight > 0.0);
            for (weight, learnt) in open {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::rng;
    use crate::run::Seed;

    #[test]
    fn attributes_that_stand_out_from_chance_are_drawn_and_no_others() {
        // Chance goes as far up as down.
        let mut weights: Vec<f64> = (0..500)
            .map(|at| f64::from(at % 50) * if at % 2 == 0 { 1e-4 } else { -1e-4 })
            .collect();
        (0..12).for_each(|at| weights[40 * at] = 0.1);
        let mut guide = Guide::telling(&weights);
        assert_eq!(guide.open(), 12);
        let mut random = rng(Seed::new(1));
        assert!((0..1000).all(|_| guide.draw(&mut random).is_multiple_of(40)));
        // Nor does feedback open others.
        for _ in 0..2 * EVERY {
            guide.count(40, 1.0);
            guide.counted();
        }
        assert_eq!(guide.open(), 12);
        assert!(guide.sound(500));
        // Where nothing stands out a few are left.
        (0..12).for_each(|at| weights[40 * at] = 0.0);
        assert_eq!(Guide::telling(&weights).open(), FEWEST);
    }
}

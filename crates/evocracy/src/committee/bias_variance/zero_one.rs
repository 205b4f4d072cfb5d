//! Bias and variance of 0-1 loss.

use crate::num::argmax;
use serde::Serialize;

/// The mean error as a sum after Domingos:
/// `loss = bias + unbiased_variance - biased_variance`.
///
/// The main prediction of a row is the class that most models call, the first one among equals.
/// A row is biased where that is not its true class.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ZeroOne {
    /// The mean error of the models.
    pub loss: f64,
    /// The share of biased rows: the error of the main prediction, (Domingos) `E[B(x)]`.
    pub bias: f64,
    /// The mean share of models that do not call the main prediction, `E[V(x)]`.
    pub variance: f64,
    /// The part of the variance that adds error: on unbiased rows every deviation is one.
    pub unbiased_variance: f64,
    /// The part of the variance that takes error away: on biased rows, the models that deviate
    /// to the true class. For two classes `unbiased + biased = variance`; for more, some
    /// deviations on biased rows change nothing.
    pub biased_variance: f64,
    /// The same loss after Kohavi and Wolpert.
    pub kohavi_wolpert: KohaviWolpert,
}

/// The mean error as a sum after Kohavi and Wolpert: `loss = bias + variance`, without noise.
///
/// `p(y)` is the share of models that call a row `y`, `t(y)` is 1 for its true class, else 0.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct KohaviWolpert {
    /// The mean of `1/2 sum_y (t(y) - p(y))^2` (their "bias squared").
    pub bias: f64,
    /// The mean of `1/2 (1 - sum_y p(y)^2)`.
    pub variance: f64,
}

/// How many models called each row each class.
pub(super) struct Votes {
    labels: Vec<u32>,
    classes: usize,
    counts: Vec<u32>,
    sets: usize,
}

impl Votes {
    pub(super) fn new(labels: &[u32], classes: usize) -> Self {
        let counts = vec![0; labels.len() * classes];
        Self { labels: labels.to_vec(), classes, counts, sets: 0 }
    }

    /// Adds the calls of one more model: the most probable class, the first one among equals.
    pub(super) fn add(&mut self, proba: &[f64]) {
        self.sets += 1;
        let rows = self.counts.chunks_exact_mut(self.classes);
        for (counts, p) in rows.zip(proba.chunks_exact(self.classes)) {
            counts[argmax(p)] += 1;
        }
    }

    /// The terms, each row with its weight.
    pub(super) fn finish(&self, weights: &[f64]) -> ZeroOne {
        let total: f64 = weights.iter().sum();
        let mut sum = ZeroOne {
            loss: 0.0,
            bias: 0.0,
            variance: 0.0,
            unbiased_variance: 0.0,
            biased_variance: 0.0,
            kohavi_wolpert: KohaviWolpert { bias: 0.0, variance: 0.0 },
        };
        for (row, counts) in self.counts.chunks_exact(self.classes).enumerate() {
            let share = weights[row] / total;
            let p: Vec<f64> = counts.iter().map(|&n| f64::from(n) / self.sets as f64).collect();
            let (truth, main) = (self.labels[row] as usize, argmax(&p));
            // 1 - p(y), from counts so that it is exact.
            let not = |y: usize| (self.sets - counts[y] as usize) as f64 / self.sets as f64;
            sum.loss += share * not(truth);
            sum.variance += share * not(main);
            if main == truth {
                sum.unbiased_variance += share * not(main);
            } else {
                sum.bias += share;
                sum.biased_variance += share * p[truth];
            }
            let off = |(y, p): (usize, &f64)| (f64::from(y == truth) - p).powi(2);
            sum.kohavi_wolpert.bias += share * 0.5 * p.iter().enumerate().map(off).sum::<f64>();
            sum.kohavi_wolpert.variance +=
                share * 0.5 * (1.0 - p.iter().map(|p| p * p).sum::<f64>());
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_by_hand() {
        let mut votes = Votes::new(&[0, 0], 3);
        // The first row is called 0, 0, 1, 0; the second 1, 1, 2, 0.
        for (first, second) in [(0, 1), (0, 1), (1, 2), (0, 0)] {
            let mut proba = [0.0; 6];
            (proba[first], proba[3 + second]) = (1.0, 1.0);
            votes.add(&proba);
        }
        let found = votes.finish(&[1.0, 1.0]);
        assert_eq!((found.loss, found.bias, found.variance), (0.5, 0.5, 0.375));
        assert_eq!((found.unbiased_variance, found.biased_variance), (0.125, 0.125));
        let KohaviWolpert { bias, variance } = found.kohavi_wolpert;
        assert_eq!((bias, variance), (0.25, 0.25));
    }
}

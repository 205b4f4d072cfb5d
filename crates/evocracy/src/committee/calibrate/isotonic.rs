//! The monotone function that fits best.
//!
//! Pool adjacent violators: M. Ayer, H. D. Brunk, G. M. Ewing, W. T. Reid, E. Silverman, "An
//! empirical distribution function for sampling with incomplete information", Annals of
//! Mathematical Statistics 26 (1955) 641-647; for probabilities B. Zadrozny, C. Elkan, KDD 2002.
//! One sort, then one pass: `O(n log n)`.

use super::{damaged, rows};
use crate::error::Result;
use serde::{Deserialize, Serialize};

/// What lies between two scores that were seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Between {
    /// A straight line (as in scikit-learn).
    #[default]
    Linear,
    /// The value of the nearest score seen at or below.
    Step,
}

/// A function that never falls: the one with the least squared error among all such, on the
/// scores it was fitted to.
///
/// Rows with equal scores count as one with their mean. Below the lowest score and above the
/// highest the value is that of the nearest one. Between scores see [`Between`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Isotonic {
    /// Ascending scores: the first and last of every level.
    scores: Vec<f64>,
    /// The value at each of them; never falling.
    values: Vec<f64>,
    between: Between,
}

impl Isotonic {
    /// Fits to rows of both classes, with straight lines between scores. Positives are expected
    /// to have the higher scores; where they have not, the function is flat.
    pub fn fit(scores: &[f64], truth: &[bool], weights: Option<&[f64]>) -> Result<Self> {
        let mut rows = rows(scores, truth, weights)?;
        // Fully ordered, so that sums do not depend on the order of the rows; adding 0 turns -0
        // into 0.
        rows.sort_unstable_by(|a, b| {
            let by_score = (a.score + 0.0).total_cmp(&(b.score + 0.0));
            by_score.then(a.positive.cmp(&b.positive)).then(a.weight.total_cmp(&b.weight))
        });
        let mut levels: Vec<Level> = Vec::new();
        for tied in rows.chunk_by(|a, b| a.score == b.score) {
            let mut level = Level { first: tied[0].score, last: tied[0].score, ..Level::default() };
            for row in tied {
                level.weight += row.weight;
                level.positive += if row.positive { row.weight } else { 0.0 };
            }
            // A level that is not above the one before violates the order: pool them.
            while let Some(before) = levels.pop_if(|before| before.rate() >= level.rate()) {
                level.first = before.first;
                level.weight += before.weight;
                level.positive += before.positive;
            }
            levels.push(level);
        }
        let mut map = Self { scores: vec![], values: vec![], between: Between::Linear };
        for level in &levels {
            map.push(level.first, level.rate());
            if level.last > level.first {
                map.push(level.last, level.rate());
            }
        }
        Ok(map)
    }

    fn push(&mut self, score: f64, value: f64) {
        self.scores.push(score);
        self.values.push(value);
    }

    /// The same map with other values between scores.
    #[must_use]
    pub fn between(self, between: Between) -> Self {
        Self { between, ..self }
    }

    /// Scores and values where the function bends, ascending.
    pub fn knots(&self) -> impl Iterator<Item = (f64, f64)> {
        self.scores.iter().copied().zip(self.values.iter().copied())
    }

    /// The probability of being positive at a score; NaN at NaN.
    pub fn apply(&self, score: f64) -> f64 {
        if score.is_nan() {
            return f64::NAN;
        }
        let above = self.scores.partition_point(|knot| *knot <= score);
        let (Some(before), true) = (above.checked_sub(1), above < self.scores.len()) else {
            return self.values[above.min(self.values.len() - 1)];
        };
        let (low, high) = (self.values[before], self.values[above]);
        if self.between == Between::Step || low == high {
            return low;
        }
        // Halved, so that the width of the widest gap does not overflow.
        let width = self.scores[above] / 2.0 - self.scores[before] / 2.0;
        let share = (score / 2.0 - self.scores[before] / 2.0) / width;
        (low + (high - low) * share).clamp(low, high)
    }

    /// Refuses what a damaged or forged file could hold.
    pub fn check(&self) -> Result<()> {
        if self.scores.is_empty() || self.scores.len() != self.values.len() {
            return Err(damaged("has no points, or scores without values"));
        }
        if self.scores.iter().any(|s| !s.is_finite()) || !self.scores.is_sorted_by(|a, b| a < b) {
            return Err(damaged("has scores that do not rise"));
        }
        if self.values.iter().any(|v| !(0.0..=1.0).contains(v)) || !self.values.is_sorted() {
            return Err(damaged("has values that are no rising probabilities"));
        }
        Ok(())
    }
}

/// Neighbouring scores that share a value.
#[derive(Clone, Copy, Default)]
struct Level {
    first: f64,
    last: f64,
    weight: f64,
    positive: f64,
}

impl Level {
    fn rate(&self) -> f64 {
        self.positive / self.weight
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn violators_are_pooled_and_gaps_filled() {
        let scores = [1.0, 2.0, 3.0, 4.0, 5.0];
        let truth = [false, true, false, true, true];
        let map = Isotonic::fit(&scores, &truth, None).unwrap();
        let knots: Vec<_> = map.knots().collect();
        assert_eq!(knots, [(1.0, 0.0), (2.0, 0.5), (3.0, 0.5), (4.0, 1.0), (5.0, 1.0)]);
        assert_eq!([0.0, 1.5, 2.5, 3.5, 9.0].map(|s| map.apply(s)), [0.0, 0.25, 0.5, 0.75, 1.0]);
        let step = map.between(Between::Step);
        assert_eq!([0.0, 1.5, 2.5, 3.5, 9.0].map(|s| step.apply(s)), [0.0, 0.0, 0.5, 0.5, 1.0]);
    }

    #[test]
    fn ties_are_averaged_and_inverse_scores_are_flat() {
        let tied = Isotonic::fit(&[1.0, 1.0, -0.0, 0.0], &[true, false, false, false], None);
        assert_eq!(tied.unwrap().knots().collect::<Vec<_>>(), [(0.0, 0.0), (1.0, 0.5)]);
        let flat = Isotonic::fit(&[2.0, 1.0], &[false, true], None).unwrap();
        assert_eq!(flat.knots().collect::<Vec<_>>(), [(1.0, 0.5), (2.0, 0.5)]);
        let wide = Isotonic::fit(&[-1.7e308, 1.7e308], &[false, true], None).unwrap();
        assert_eq!(wide.apply(0.0), 0.5);
        assert_eq!((wide.apply(f64::INFINITY), wide.apply(f64::NEG_INFINITY)), (1.0, 0.0));
    }
}

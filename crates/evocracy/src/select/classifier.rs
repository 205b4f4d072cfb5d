//! A classifier of few genes, and how it does on both halves.

use super::{Half, JudgedSample};
use crate::measure::PairCounter;
use serde::{Deserialize, Serialize};

/// A linear score of standardised genes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SparseClassifier {
    /// The genes, by their number in the samples.
    pub genes: Vec<u32>,
    /// The weight of each.
    pub weights: Vec<f64>,
    /// What is added.
    pub bias: f64,
    /// The weights of the forced cofactors.
    pub cofactors: Vec<f64>,
}

/// How a classifier did on the half it was trained on, and on the other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Performance {
    /// The genes it uses.
    pub genes: Vec<u32>,
    /// The area under the ROC curve on the training half, and on the test half.
    pub auc: [f64; 2],
    /// The accuracy on both, with the threshold that is best on the training half.
    pub accuracy: [f64; 2],
}

impl Performance {
    /// Judges a classifier; adds to `judged` what it says of the test samples.
    pub(super) fn new(
        half: &Half<'_>,
        classifier: &SparseClassifier,
        judged: &mut [JudgedSample],
    ) -> Self {
        let [train, test] = half.scores(classifier);
        let auc = [auc_of(&train, &half.truth), auc_of(&test, half.test_truth())];
        let threshold = best_threshold(&train, &half.truth);
        let right = |scores: &[f64], truth: &[bool]| {
            let right = scores.iter().zip(truth).filter(|(s, t)| (**s >= threshold) == **t).count();
            right as f64 / truth.len() as f64
        };
        let accuracy = [right(&train, &half.truth), right(&test, half.test_truth())];
        let n = train.len() as f64;
        let mean = train.iter().sum::<f64>() / n;
        let spread = (train.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / n).sqrt();
        let unit = if spread > 0.0 { 1.0 / spread } else { 0.0 };
        for (one, (score, truth)) in judged.iter_mut().zip(test.iter().zip(half.test_truth())) {
            one.wrong += f64::from(u8::from((*score >= threshold) != *truth));
            one.score += (score - threshold) * unit;
        }
        Self { genes: classifier.genes.clone(), auc, accuracy }
    }
}

/// The area under the ROC curve; one half where a class has no rows.
pub(super) fn auc_of(scores: &[f64], truth: &[bool]) -> f64 {
    PairCounter::new(truth).auc(scores)
}

/// The threshold with the most right calls: even odds (0) where they are as good as any, else the
/// middle of the widest gap among equals.
fn best_threshold(scores: &[f64], truth: &[bool]) -> f64 {
    let mut rows: Vec<(f64, bool)> = scores.iter().copied().zip(truth.iter().copied()).collect();
    rows.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    // Below all: every row is called positive.
    let mut right = truth.iter().filter(|t| **t).count();
    let first = rows.first().map_or(0.0, |row| row.0);
    let mut best = (right, 0.0, first);
    for tied in rows.chunk_by(|a, b| a.0 == b.0) {
        let lost = tied.iter().filter(|row| row.1).count();
        right = right + tied.len() - 2 * lost;
        let value = tied[0].0;
        let at = rows.partition_point(|row| row.0 <= value);
        let next = rows.get(at).map_or(value + 1.0, |row| row.0);
        let gap = if at < rows.len() { next - value } else { 0.0 };
        if (right, gap) > (best.0, best.1) {
            best = (right, gap, f64::midpoint(value, next));
        }
    }
    let even = rows.iter().filter(|row| (row.0 >= 0.0) == row.1).count();
    if even == best.0 { 0.0 } else { best.2 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_is_the_best_on_the_training_rows() {
        let truth = [false, false, true, true];
        assert_eq!(best_threshold(&[1.0, 2.0, 4.0, 5.0], &truth), 3.0);
        // One sample on the wrong side: the widest gap among equals.
        assert_eq!(best_threshold(&[1.0, 6.0, 4.0, 5.0], &truth), 2.5);
        assert_eq!(auc_of(&[1.0, 6.0, 4.0, 5.0], &truth), 0.5);
        assert_eq!(best_threshold(&[0.0; 4], &[true, true, true, false]), 0.0);
        // Even odds are as good as any, though not in the middle.
        assert_eq!(best_threshold(&[-0.1, -0.2, 4.0, 5.0], &truth), 0.0);
    }
}

//! Precision against recall: for rare positives, where a small false positive rate is still a
//! crowd of false alarms.

use super::ranking::Ranking;
use crate::error::Result;
use serde::Serialize;

/// A point of a precision-recall curve: rows that score `threshold` or more are called positive.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RecallPoint {
    /// The lowest score called positive.
    pub threshold: f64,
    /// The share of positives called positive: the true positive rate.
    pub recall: f64,
    /// The share of positives among those called positive.
    pub precision: f64,
}

/// A precision-recall curve, by rising recall: one point per distinct score.
///
/// There is no invented point at recall 0.
#[derive(Debug, Clone, PartialEq)]
pub struct PrecisionRecall {
    points: Vec<RecallPoint>,
    average_precision: f64,
}

impl PrecisionRecall {
    /// The curve of scores that are higher the more positive a row looks.
    pub fn new(truth: &[bool], scores: &[f64], weights: Option<&[f64]>) -> Result<Self> {
        Ok(Self::from(&Ranking::new(truth, scores, weights)?))
    }

    /// The points, by rising recall.
    pub fn points(&self) -> &[RecallPoint] {
        &self.points
    }

    /// The mean of the precision over the positives as they are found, `sum (R_k - R_k-1) P_k`.
    /// No straight lines between points: those would flatter (J. Davis, M. Goadrich, "The
    /// relationship between precision-recall and ROC curves", ICML 2006, 233-240).
    pub fn average_precision(&self) -> f64 {
        self.average_precision
    }
}

impl From<&Ranking> for PrecisionRecall {
    fn from(ranking: &Ranking) -> Self {
        let mut points = Vec::with_capacity(ranking.groups().len());
        let (mut positive, mut called, mut sum) = (0.0, 0.0, 0.0);
        for g in ranking.groups() {
            positive += g.positive;
            called += g.positive + g.negative;
            let precision = positive / called;
            sum += g.positive * precision;
            let recall = positive / ranking.positives();
            points.push(RecallPoint { threshold: g.score, recall, precision });
        }
        Self { points, average_precision: sum / ranking.positives() }
    }
}

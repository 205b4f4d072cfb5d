//! The receiver operating characteristic: what share of the positives is caught at what share
//! of false alarms.
//!
//! T. Fawcett, "An introduction to ROC analysis", Pattern Recognition Letters 27 (2006) 861-874,
//! with ties drawn as one straight step.

use super::ranking::{Group, Ranking};
use super::split::Split;
use crate::error::Result;
use serde::Serialize;

/// A point of a ROC curve: rows that score `threshold` or more are called positive.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Point {
    /// The lowest score called positive; infinite (in JSON: null) where nothing is.
    pub threshold: f64,
    /// False positive rate: the share of negatives called positive.
    pub fpr: f64,
    /// True positive rate: the share of positives called positive.
    pub tpr: f64,
}

/// A ROC curve, from (0, 0), where nothing is called positive, to (1, 1), where all is.
///
/// Rates and thresholds are monotone along the curve. There is one point per distinct score.
#[derive(Debug, Clone, PartialEq)]
pub struct Roc {
    points: Vec<Point>,
    auc: f64,
}

impl Roc {
    /// The curve of scores that are higher the more positive a row looks.
    pub fn new(truth: &[bool], scores: &[f64], weights: Option<&[f64]>) -> Result<Self> {
        if weights.is_some() {
            return Ok(Self::from(&Ranking::new(truth, scores, weights)?));
        }
        // The same, without a list of groups in between: memory is what takes time here.
        let split = Split::checked(truth, scores)?;
        let (positives, negatives) = split.classes();
        let mut drawing = Drawing::new(split.rows(), positives as f64, negatives as f64);
        split.each_group(|group| drawing.add(&group));
        Ok(drawing.finish())
    }

    /// The points, from (0, 0) to (1, 1).
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The area under the curve; see [`Ranking::auc`].
    pub fn auc(&self) -> f64 {
        self.auc
    }

    /// Where one stands on the curve when rows that score `threshold` or more are called
    /// positive. A NaN threshold calls nothing positive.
    pub fn at(&self, threshold: f64) -> Point {
        let called = self.points[1..].partition_point(|p| p.threshold >= threshold);
        Point { threshold, ..self.points[called] }
    }
}

impl From<&Ranking> for Roc {
    fn from(ranking: &Ranking) -> Self {
        let groups = ranking.groups();
        let mut drawing = Drawing::new(groups.len(), ranking.positives(), ranking.negatives());
        for group in groups {
            drawing.add(group);
        }
        drawing.finish()
    }
}

/// A curve under construction, from the highest score down.
struct Drawing {
    points: Vec<Point>,
    positives: f64,
    negatives: f64,
    /// So far.
    positive: f64,
    negative: f64,
    area: f64,
}

impl Drawing {
    fn new(groups: usize, positives: f64, negatives: f64) -> Self {
        let mut points = Vec::with_capacity(groups + 1);
        points.push(Point { threshold: f64::INFINITY, fpr: 0.0, tpr: 0.0 });
        Self { points, positives, negatives, positive: 0.0, negative: 0.0, area: 0.0 }
    }

    #[inline]
    fn add(&mut self, g: &Group) {
        self.area += g.negative * (self.positive + g.positive / 2.0);
        self.positive += g.positive;
        self.negative += g.negative;
        self.points.push(Point {
            threshold: g.score,
            fpr: self.negative / self.negatives,
            tpr: self.positive / self.positives,
        });
    }

    fn finish(self) -> Roc {
        let auc = (self.area / (self.positives * self.negatives)).clamp(0.0, 1.0);
        Roc { points: self.points, auc }
    }
}

/// The area under the ROC curve of scores; see [`Ranking::auc`].
///
/// ```
/// let truth = [true, false, true, false];
/// let auc = evocracy::measure::auc(&truth, &[0.9, 0.4, 0.4, 0.1], None)?;
/// assert_eq!(auc, 0.875); // 3 of 4 pairs in order, one tied
/// # Ok::<(), evocracy::error::Error>(())
/// ```
pub fn auc(truth: &[bool], scores: &[f64], weights: Option<&[f64]>) -> Result<f64> {
    if weights.is_some() {
        return Ok(Ranking::new(truth, scores, weights)?.auc());
    }
    Ok(Split::checked(truth, scores)?.auc())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_without_a_curve_is_refused() {
        let said =
            |truth: &[bool], scores: &[f64]| Roc::new(truth, scores, None).unwrap_err().to_string();
        assert_eq!(said(&[true, false], &[0.1, f64::NAN]), "row 1 has no score (NaN)");
        assert!(said(&[true, true], &[0.1, 0.2]).starts_with("all rows are positive"));
        assert!(said(&[false], &[0.1]).starts_with("all rows are negative"));
        assert_eq!(said(&[true, false], &[0.1]), "1 scores for 2 rows");
        assert_eq!(said(&[], &[]), "there are no rows to judge");
        assert!(Roc::new(&[true, false], &[0.1, 0.2], Some(&[1.0, 0.0])).is_err());
    }

    #[test]
    fn a_threshold_finds_its_point() {
        let roc = Roc::new(&[true, false, true], &[0.9, 0.5, 0.5], None).unwrap();
        let at = |t| (roc.at(t).fpr, roc.at(t).tpr);
        assert_eq!(at(f64::INFINITY), (0.0, 0.0));
        assert_eq!(at(0.9), (0.0, 0.5));
        assert_eq!(at(0.51), (0.0, 0.5));
        assert_eq!(at(0.5), (1.0, 1.0));
        assert_eq!(at(f64::NEG_INFINITY), (1.0, 1.0));
        assert_eq!(at(f64::NAN), (0.0, 0.0));
    }

    #[test]
    fn infinite_scores_and_signed_zeros_are_ranked() {
        let truth = [true, false, true, false];
        let scores = [f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0];
        let roc = Roc::new(&truth, &scores, None).unwrap();
        assert_eq!(roc.auc(), 0.875);
        assert_eq!((roc.points().len(), roc.at(f64::INFINITY).tpr), (4, 0.5));
    }
}

//! Choosing where to stand on a ROC curve, and what mistakes cost there.
//!
//! Equations (2.39) to (2.41) are those of A. R. J. Clark, "Multi-Objective ROC learning for
//! classification", thesis, University of Exeter, 2011, after F. Provost, T. Fawcett, "Analysis
//! and visualization of classifier performance", KDD 1997, 43-48.

use super::conditions::Conditions;
use super::roc::{Point, Roc};
use crate::error::{Error, Result};
use serde::Serialize;

/// Rates closer than this are one rate: sums of weights differ by their rounding.
const SLACK: f64 = 1e-12;

/// What happens to people judged at one point of a curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Outcome {
    /// Positives that are called so.
    pub true_positives: f64,
    /// Negatives that are called positive.
    pub false_positives: f64,
    /// Positives that are missed.
    pub false_negatives: f64,
    /// Negatives that are called so.
    pub true_negatives: f64,
}

impl Conditions {
    /// The cost without a prior, equation (2.39): `F c_FP + (1 - T) c_FN`. It adds rates of
    /// different classes, so it is twice the expected cost where classes are equally common.
    pub fn cost_of_rates(&self, fpr: f64, tpr: f64) -> f64 {
        fpr * self.false_positive + (1.0 - tpr) * self.false_negative
    }

    /// Drummond and Holte's probability-cost: the share of the expected cost of being always
    /// wrong that comes from the positives.
    pub fn probability_cost(&self) -> f64 {
        self.of_missing() / (self.of_missing() + self.of_alarms())
    }

    /// What happens to `people` people of whom the prior share is positive.
    pub fn outcome(&self, point: &Point, people: f64) -> Outcome {
        let (positives, negatives) = (people * self.prior, people * (1.0 - self.prior));
        Outcome {
            true_positives: positives * point.tpr,
            false_positives: negatives * point.fpr,
            false_negatives: positives * (1.0 - point.tpr),
            true_negatives: negatives * (1.0 - point.fpr),
        }
    }

    fn of_missing(&self) -> f64 {
        self.prior * self.false_negative
    }

    fn of_alarms(&self) -> f64 {
        (1.0 - self.prior) * self.false_positive
    }
}

/// Where several points are equally good, the one with the fewest false alarms is chosen.
impl Roc {
    /// The point of least expected cost (2.40). It lies on the convex hull of the curve, where
    /// an iso-performance line of slope (2.41) touches it from the north-west.
    pub fn best(&self, conditions: &Conditions) -> Point {
        let scale = conditions.of_missing() + conditions.of_alarms();
        // Costs may be as small as the prior is: rounding is judged relative to them.
        self.least(|p| conditions.cost(p.fpr, p.tpr) / scale, |cost| SLACK * cost)
    }

    /// The point of the greatest true positive rate whose false positive rate is at most `cap`.
    pub fn with_fpr_at_most(&self, cap: f64) -> Result<Point> {
        if !(0.0..=1.0).contains(&cap) {
            return Err(refusal("cap on the false positive rate", "between 0 and 1", cap));
        }
        let points = self.points();
        let allowed = &points[..points.partition_point(|p| p.fpr <= cap + SLACK)];
        let best = allowed[allowed.len() - 1].tpr;
        Ok(allowed[allowed.partition_point(|p| p.tpr < best)])
    }

    /// The point of the least false positive rate whose true positive rate is at least `floor`;
    /// of several the one that finds most.
    pub fn with_tpr_at_least(&self, floor: f64) -> Result<Point> {
        if !(0.0..=1.0).contains(&floor) {
            return Err(refusal("floor under the true positive rate", "between 0 and 1", floor));
        }
        let points = self.points();
        let first = points.partition_point(|p| p.tpr < floor - SLACK);
        let as_good = points[first..].partition_point(|p| p.fpr <= points[first].fpr + SLACK);
        let most = points[first + as_good - 1].tpr;
        Ok(points[points.partition_point(|p| p.tpr < most)])
    }

    /// The point farthest above the diagonal (W. J. Youden, "Index for rating diagnostic
    /// tests", Cancer 3 (1950) 32-35): the greatest `T - F`.
    pub fn youden(&self) -> Point {
        self.least(|p| p.fpr - p.tpr, |_| SLACK)
    }

    /// The point nearest to (0, 1).
    pub fn nearest_corner(&self) -> Point {
        self.least(|p| p.fpr * p.fpr + (1.0 - p.tpr) * (1.0 - p.tpr), |_| SLACK)
    }

    /// The first point with the least figure; figures closer than `slack` of them are equal.
    fn least(&self, figure: impl Fn(&Point) -> f64, slack: impl Fn(f64) -> f64) -> Point {
        let points = self.points();
        let mut best = (points[0], figure(&points[0]));
        for point in &points[1..] {
            let found = figure(point);
            if found < best.1 - slack(best.1) {
                best = (*point, found);
            }
        }
        best.0
    }
}

fn refusal(name: &str, expected: &str, got: f64) -> Error {
    Error::Param {
        of: "roc".to_owned(),
        name: name.to_owned(),
        expected: expected.to_owned(),
        got: got.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roc() -> Roc {
        // (0, 0), (0, 0.5), (0.5, 0.5), (0.5, 1), (1, 1)
        Roc::new(&[true, false, true, false], &[4.0, 3.0, 2.0, 1.0], None).unwrap()
    }

    #[test]
    fn costs_choose_the_point() {
        let at = |fp, miss, prior| {
            let point = roc().best(&Conditions::new(fp, miss, prior).unwrap());
            (point.fpr, point.tpr)
        };
        assert_eq!(at(1.0, 1.0, 0.5), (0.0, 0.5)); // two points tie: the fewest false alarms
        assert_eq!(at(1.0, 3.0, 0.5), (0.5, 1.0));
        assert_eq!(at(1.0, 0.0, 0.5), (0.0, 0.0));
        assert_eq!(at(0.0, 1.0, 0.5), (0.5, 1.0));
        assert_eq!(at(1.0, 3.0, 0.1), (0.0, 0.5));
        assert_eq!(at(1.0, 1.0, 0.0), (0.0, 0.0));
    }

    #[test]
    fn caps_floors_and_youden() {
        let roc = roc();
        let pair = |p: Point| (p.fpr, p.tpr, p.threshold);
        assert_eq!(pair(roc.with_fpr_at_most(0.0).unwrap()), (0.0, 0.5, 4.0));
        assert_eq!(pair(roc.with_fpr_at_most(0.49).unwrap()), (0.0, 0.5, 4.0));
        assert_eq!(pair(roc.with_fpr_at_most(1.0).unwrap()), (0.5, 1.0, 2.0));
        assert_eq!(pair(roc.with_tpr_at_least(0.6).unwrap()), (0.5, 1.0, 2.0));
        // Nothing asked for: what is found without a false alarm is taken along.
        assert_eq!(pair(roc.with_tpr_at_least(0.0).unwrap()), (0.0, 0.5, 4.0));
        assert_eq!((roc.youden().fpr, roc.nearest_corner().tpr), (0.0, 0.5));
        assert!(roc.with_fpr_at_most(f64::NAN).is_err() && roc.with_tpr_at_least(1.1).is_err());
    }
}

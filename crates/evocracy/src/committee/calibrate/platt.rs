//! A logistic curve through scores.
//!
//! J. Platt, "Probabilistic outputs for support vector machines", Advances in Large Margin
//! Classifiers (2000) 61-74, with the targets and the safeguarded Newton's method of H.-T. Lin,
//! C.-J. Lin, R. C. Weng, "A note on Platt's probabilistic outputs for support vector machines",
//! Machine Learning 68 (2007) 267-276.

use super::{damaged, rows};
use crate::error::{Error, Result};
use crate::num::logit::{line, logistic, logit};
use serde::{Deserialize, Serialize};

/// `P(positive) = 1 / (1 + exp(-(slope score + intercept)))`.
///
/// Rising where scores of positives tend to be higher, falling where they tend to be lower. (Platt
/// writes `A = -slope` and `B = -intercept`.)
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Platt {
    /// How steep.
    pub slope: f64,
    /// The logit at score 0.
    pub intercept: f64,
}

impl Platt {
    /// Fits the curve to rows of both classes.
    ///
    /// The targets are not 1 and 0 but `(N+ + 1) / (N+ + 2)` and `1 / (N- + 2)`, where `N+` and `N-`
    /// are the weights of the classes. So there always is a best curve, even for scores that tell
    /// the classes apart. Weights count as repetitions, and their scale matters: more rows pull
    /// the targets closer to 0 and 1.
    pub fn fit(scores: &[f64], truth: &[bool], weights: Option<&[f64]>) -> Result<Self> {
        let rows = rows(scores, truth, weights)?;
        let weight_of = |class: bool| {
            rows.iter().filter(|r| r.positive == class).map(|r| r.weight).sum::<f64>()
        };
        let (positive, negative) = (weight_of(true), weight_of(false));
        let (high, low) = ((positive + 1.0) / (positive + 2.0), 1.0 / (negative + 2.0));
        let x: Vec<f64> = rows.iter().map(|row| row.score).collect();
        let target: Vec<f64> = rows.iter().map(|r| if r.positive { high } else { low }).collect();
        let weight: Vec<f64> = rows.iter().map(|row| row.weight).collect();
        if x.iter().all(|score| *score == x[0]) {
            // Scores that say nothing: the mean target.
            let mean = (positive * high + negative * low) / (positive + negative);
            return Ok(Self { slope: 0.0, intercept: logit(mean) });
        }
        let found =
            line(&x, &target, &weight).map(|l| Self { slope: l.slope, intercept: l.intercept });
        found.filter(|map| map.check().is_ok()).ok_or_else(|| {
            Error::unsuitable(
                "the logistic curve through these scores did not settle",
                "the scores span too many orders of magnitude; use isotonic calibration",
            )
        })
    }

    /// The probability of being positive at a score; NaN at NaN.
    pub fn apply(&self, score: f64) -> f64 {
        // A flat curve is flat at infinite scores, too.
        let lever = if self.slope == 0.0 && !score.is_nan() { 0.0 } else { self.slope * score };
        logistic(lever + self.intercept)
    }

    /// Refuses what a damaged or forged file could hold.
    pub fn check(&self) -> Result<()> {
        if self.slope.is_finite() && self.intercept.is_finite() {
            return Ok(());
        }
        Err(damaged("is no curve"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separable_constant_and_inverse_scores() {
        let truth = [false, false, true, true];
        let apart = Platt::fit(&[-2.0, -1.0, 1.0, 2.0], &truth, None).unwrap();
        assert!(apart.slope > 0.0 && apart.intercept.abs() < 1e-12);
        assert!(apart.apply(f64::INFINITY) == 1.0 && apart.apply(f64::NEG_INFINITY) == 0.0);
        let inverse = Platt::fit(&[2.0, 1.0, -1.0, -2.0], &truth, None).unwrap();
        assert!((inverse.slope + apart.slope).abs() < 1e-12);
        let flat = Platt::fit(&[3.0; 4], &truth, None).unwrap();
        assert_eq!((flat.slope, flat.apply(f64::INFINITY)), (0.0, 0.5));
        let huge = Platt::fit(&[-2e300, -1e300, 1e300, 2e300], &truth, None).unwrap();
        assert!((huge.apply(1e300) - apart.apply(1.0)).abs() < 1e-12);
    }
}

//! How probabilities would have to be stretched and shifted to come true.
//!
//! D. R. Cox, "Two further applications of a model for binary regression", Biometrika 45 (1958)
//! 562-565: the truth is regressed on the logit of the probabilities, `logit P = a + b logit p`.
//! Calibrated probabilities have `a = 0` and `b = 1`; over-confident ones have `b < 1`.
//! Calibration-in-the-large is the shift `a` where `b` is held at 1.

use super::check::{self, Weights};
use super::likelihood::FLOOR;
use crate::error::{Error, Result};
use crate::num::logit::{line, logit, separable, shift};
use serde::Serialize;

/// Slope and intercept of recalibration; see the module's head.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Calibration {
    /// The share of positive rows.
    pub observed: f64,
    /// The mean probability.
    pub expected: f64,
    /// The shift of all logits that makes the mean probability the share of positive rows; `None`
    /// where all rows are of one class.
    pub in_the_large: Option<f64>,
    /// The fitted line, or `None` with the reason in `missing`.
    pub line: Option<CalibrationLine>,
    /// Why there is no line.
    pub missing: Option<NoLine>,
}

/// A line on the logit scale, with standard errors (from the information, weights scaled to the
/// effective number of rows).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CalibrationLine {
    /// `a`; 0 where probabilities are calibrated.
    pub intercept: f64,
    /// `b`; 1 where probabilities are calibrated, below 1 where they are too extreme.
    pub slope: f64,
    /// The standard error of `a`.
    pub intercept_error: f64,
    /// The standard error of `b`.
    pub slope_error: f64,
}

/// Why no line can be fitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoLine {
    /// All rows are positive, or all negative.
    OneClass,
    /// All probabilities are equal: any slope fits.
    Constant,
    /// A threshold tells the classes apart: the steeper the line, the better it fits.
    Separable,
    /// The fit did not settle.
    NotConverged,
}

impl Calibration {
    /// Fits the probabilities of being positive. Those nearer than 1e-15 to 0 or 1 count as 1e-15
    /// away, for their logit would be infinite.
    pub fn new(truth: &[bool], proba: &[f64], weights: Option<&[f64]>) -> Result<Self> {
        check::same_length("probabilities", proba.len(), truth.len())?;
        let checked = Weights::new(weights, truth.len())?;
        if let Some(row) = proba.iter().position(|p| !(0.0..=1.0).contains(p)) {
            let what = format!("row {row} has the probability {}", proba[row]);
            return Err(Error::unsuitable(what, "probabilities lie between 0 and 1"));
        }
        let x: Vec<f64> = proba.iter().map(|p| logit(p.clamp(FLOOR, 1.0 - FLOOR))).collect();
        let target: Vec<f64> = truth.iter().map(|&t| f64::from(t)).collect();
        // Scaled to a mean weight of 1 per effective row, so that the information is that of
        // the effective number of rows.
        let scale = checked.effective() / (0..truth.len()).map(|row| checked.of(row)).sum::<f64>();
        let weight: Vec<f64> = (0..truth.len()).map(|row| checked.of(row) * scale).collect();
        let fitted = fit(&x, &target, &weight);
        Ok(Self {
            observed: checked.mean(|row| target[row]),
            expected: checked.mean(|row| proba[row]),
            in_the_large: shift(&x, &target, &weight),
            line: fitted.ok(),
            missing: fitted.err(),
        })
    }
}

fn fit(x: &[f64], target: &[f64], weight: &[f64]) -> Result<CalibrationLine, NoLine> {
    let counted = || (0..x.len()).filter(|&row| weight[row] > 0.0);
    let same = |values: &[f64]| {
        let first = counted().next();
        counted().all(|row| first.is_some_and(|first| values[row] == values[first]))
    };
    if same(target) {
        return Err(NoLine::OneClass);
    }
    if same(x) {
        return Err(NoLine::Constant);
    }
    if separable(x, target, weight) {
        return Err(NoLine::Separable);
    }
    let found = line(x, target, weight).ok_or(NoLine::NotConverged)?;
    Ok(CalibrationLine {
        intercept: found.intercept,
        slope: found.slope,
        intercept_error: found.intercept_variance.max(0.0).sqrt(),
        slope_error: found.slope_variance.sqrt(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_fitted_says_why() {
        let why = |truth: &[bool], proba: &[f64]| {
            let found = Calibration::new(truth, proba, None).unwrap();
            assert_eq!(found.line.is_some(), found.missing.is_none());
            found.missing
        };
        assert_eq!(why(&[true, true], &[0.2, 0.9]), Some(NoLine::OneClass));
        assert_eq!(why(&[true, false], &[0.2, 0.2]), Some(NoLine::Constant));
        assert_eq!(why(&[true, false, true], &[0.9, 0.2, 0.2]), Some(NoLine::Separable));
        assert_eq!(why(&[false, true], &[0.0, 1.0]), Some(NoLine::Separable));
        assert_eq!(why(&[false, true, false, true], &[0.0, 1.0, 1.0, 0.0]), None);
        assert!(Calibration::new(&[true], &[f64::NAN], None).is_err());
        assert!(Calibration::new(&[true], &[1.5], None).is_err());
    }

    #[test]
    fn rates_on_two_levels_are_met() {
        // 1 of 4 at 0.1, 3 of 4 at 0.6: the line maps 0.1 to 1/4 and 0.6 to 3/4.
        let truth = [true, false, false, false, true, true, true, false];
        let proba = [0.1, 0.1, 0.1, 0.1, 0.6, 0.6, 0.6, 0.6];
        let found = Calibration::new(&truth, &proba, None).unwrap();
        let line = found.line.unwrap();
        assert!((line.intercept + line.slope * logit(0.1) - logit(0.25)).abs() < 1e-12);
        assert!((line.intercept + line.slope * logit(0.6) - logit(0.75)).abs() < 1e-12);
        assert_eq!(found.observed, 0.5);
        assert!((found.expected - 0.35).abs() < 1e-15);
    }
}

//! How far predicted numbers are from the truth.

use super::check::{self, Weights};
use crate::error::{Error, Result};
use serde::Serialize;

/// The figures shown for a regression.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Regression {
    /// How many rows were judged.
    pub rows: usize,
    /// Root mean squared error, in the unit of the target.
    pub rmse: f64,
    /// Mean absolute error, in the unit of the target.
    pub mae: f64,
    /// The share of variance explained; `None` where the truth does not vary.
    pub r2: Option<f64>,
}

impl Regression {
    /// Judges predictions.
    pub fn new(truth: &[f64], predicted: &[f64], weights: Option<&[f64]>) -> Result<Self> {
        Ok(Self {
            rows: truth.len(),
            rmse: rmse(truth, predicted, weights)?,
            mae: mae(truth, predicted, weights)?,
            // Squares that overflow have no ratio.
            r2: r2(truth, predicted, weights).ok().filter(|r2| r2.is_finite()),
        })
    }

    /// The means of the figures of the same rows, judged repeatedly.
    pub fn mean(each: &[Self]) -> Self {
        let mean = |of: &dyn Fn(&Self) -> Option<f64>| {
            let values: Option<Vec<f64>> = each.iter().map(of).collect();
            values.map(|values| values.iter().sum::<f64>() / each.len() as f64)
        };
        Self {
            rows: each.iter().map(|one| one.rows).max().unwrap_or(0),
            rmse: mean(&|one| Some(one.rmse)).unwrap_or(f64::NAN),
            mae: mean(&|one| Some(one.mae)).unwrap_or(f64::NAN),
            r2: mean(&|one| one.r2),
        }
    }
}

/// Root mean squared error.
pub fn rmse(truth: &[f64], predicted: &[f64], weights: Option<&[f64]>) -> Result<f64> {
    let weights = checked(truth, predicted, weights)?;
    let error = |row: usize| truth[row] - predicted[row];
    let plain = weights.mean(|row| error(row).powi(2)).sqrt();
    finite(plain, (0..truth.len()).map(error), |top| {
        weights.mean(|row| (error(row) / top).powi(2)).sqrt()
    })
}

/// A mean of errors. Where it overflows, it is that of errors divided by the largest, times that.
fn finite(
    plain: f64,
    errors: impl Iterator<Item = f64>,
    of_scaled: impl FnOnce(f64) -> f64,
) -> Result<f64> {
    if plain.is_finite() {
        return Ok(plain);
    }
    let top = errors.map(f64::abs).fold(0.0, f64::max);
    let scaled = top * of_scaled(top);
    if scaled.is_finite() {
        return Ok(scaled);
    }
    Err(Error::unsuitable(
        "the predictions are so far from the truth that their errors overflow",
        "rescale the target",
    ))
}

/// Mean absolute error.
pub fn mae(truth: &[f64], predicted: &[f64], weights: Option<&[f64]>) -> Result<f64> {
    let weights = checked(truth, predicted, weights)?;
    let error = |row: usize| (truth[row] - predicted[row]).abs();
    let plain = weights.mean(error);
    finite(plain, (0..truth.len()).map(error), |top| weights.mean(|row| error(row) / top))
}

/// The share of the variance of the truth that the predictions explain: 1 at best, 0 for always
/// predicting the mean, negative for worse than that. An error where the truth does not vary.
pub fn r2(truth: &[f64], predicted: &[f64], weights: Option<&[f64]>) -> Result<f64> {
    let weights = checked(truth, predicted, weights)?;
    let mean = weights.mean(|row| truth[row]);
    let variance = weights.mean(|row| (truth[row] - mean).powi(2));
    let unexplained = weights.mean(|row| (truth[row] - predicted[row]).powi(2));
    let counted = |row: &usize| weights.of(*row) > 0.0;
    let mut values = (0..truth.len()).filter(counted).map(|row| truth[row]);
    let first = values.next();
    // Rounding in the mean leaves a trace of variance even where there is none.
    if variance == 0.0 || values.all(|v| Some(v) == first) {
        return Err(Error::unsuitable(
            "all true values are equal, so there is no variance to explain",
            "look at the errors themselves: rmse and mae",
        ));
    }
    Ok(1.0 - unexplained / variance)
}

fn checked<'a>(
    truth: &[f64],
    predicted: &[f64],
    weights: Option<&'a [f64]>,
) -> Result<Weights<'a>> {
    check::same_length("predictions", predicted.len(), truth.len())?;
    check::finite("true value", truth)?;
    check::finite("prediction", predicted)?;
    Weights::new(weights, truth.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_that_overflow_when_squared_are_still_measured_or_refused() {
        let far = [1e200, -1e200];
        assert_eq!(rmse(&far, &[0.0, 0.0], None).unwrap(), 1e200);
        let largest = [1e308, -1e308];
        assert_eq!(mae(&largest, &[0.0, 0.0], None).unwrap(), 1e308);
        let figures = Regression::new(&far, &[0.0, 0.0], None).unwrap();
        assert!(figures.rmse.is_finite() && figures.r2.is_none());
        assert!(rmse(&largest, &[-1e308, 1e308], None).is_err());
    }

    #[test]
    fn a_truth_that_does_not_vary_has_errors_but_no_r2() {
        let judged = Regression::new(&[0.1; 3], &[0.1, 0.2, 0.3], None).unwrap();
        assert_eq!((judged.rows, judged.r2), (3, None));
        assert!((judged.mae - 0.1).abs() < 1e-15);
    }

    #[test]
    fn bad_input_is_refused() {
        assert!(rmse(&[1.0], &[f64::NAN], None).is_err());
        assert!(mae(&[1.0], &[1.0, 2.0], None).is_err());
        assert!(r2(&[f64::INFINITY, 1.0], &[1.0, 2.0], None).is_err());
        assert!(rmse(&[], &[], None).is_err());
    }
}

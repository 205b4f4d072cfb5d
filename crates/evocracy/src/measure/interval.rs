//! Confidence intervals.

use super::check::{self, Weights};
use crate::error::{Error, Result};
use crate::num::normal_quantile;
use serde::{Deserialize, Serialize};

/// The confidence level used where none is asked for.
pub const LEVEL: f64 = 0.95;

/// A confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The confidence, for example 0.95.
    pub level: f64,
}

/// How many standard deviations to each side a two-sided interval of that level takes.
pub(super) fn deviations(level: f64) -> Result<f64> {
    if level > 0.0 && level < 1.0 {
        return Ok(normal_quantile(f64::midpoint(1.0, level)));
    }
    Err(Error::Param {
        of: "interval".to_owned(),
        name: "level".to_owned(),
        expected: "a confidence between 0 and 1".to_owned(),
        got: level.to_string(),
    })
}

/// The interval of a mean of independent values by the normal distribution, which suits some tens
/// of them and more: `mean +- z s / sqrt(n)`. With weights `n` is Kish's effective number.
pub fn mean_interval(values: &[f64], weights: Option<&[f64]>, level: f64) -> Result<Interval> {
    check::finite("value", values)?;
    let weights = Weights::new(weights, values.len())?;
    let rows = weights.effective();
    if rows <= 1.0 {
        let what = "a single value shows no spread";
        return Err(Error::unsuitable(what, "give the values of at least two rows"));
    }
    let mean = weights.mean(|row| values[row]);
    let variance = weights.mean(|row| (values[row] - mean).powi(2));
    let half = deviations(level)? * (variance / (rows - 1.0)).sqrt();
    Ok(Interval { low: mean - half, high: mean + half, level })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_has_the_textbook_interval_and_weights_count_rows() -> Result<()> {
        // Mean 3, variance 2.5 over five values; 1.959963984540054 deviations.
        let values = [1.0, 2.0, 3.0, 4.0, 5.0];
        let plain = mean_interval(&values, None, LEVEL)?;
        let half = 1.959_963_984_540_054 * (2.5_f64 / 5.0).sqrt();
        assert!((plain.low - 3.0 + half).abs() < 1e-12 && (plain.high - 3.0 - half).abs() < 1e-12);
        assert_eq!(mean_interval(&values, Some(&[2.0; 5]), LEVEL)?, plain);
        // A row without weight is none.
        let some = mean_interval(&values[..3], None, LEVEL)?;
        assert_eq!(mean_interval(&values, Some(&[1.0, 1.0, 1.0, 0.0, 0.0]), LEVEL)?, some);
        assert!(mean_interval(&[1.0], None, LEVEL).is_err());
        assert!(mean_interval(&values, None, 1.0).is_err());
        Ok(())
    }
}

//! Confidence intervals of rates.

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

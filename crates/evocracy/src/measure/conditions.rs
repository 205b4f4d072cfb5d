//! What mistakes cost, and how common positives are where the classifier will work.
//!
//! Equations (2.40) and (2.41) of A. R. J. Clark, "Multi-Objective ROC learning for
//! classification", thesis, University of Exeter, 2011, after F. Provost, T. Fawcett, "Analysis
//! and visualization of classifier performance", KDD 1997, 43-48.

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// What errors cost and how frequent positives are, where a two-class decision is to be made.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// The cost of calling a negative row positive.
    pub false_positive: f64,
    /// The cost of calling a positive row negative.
    pub false_negative: f64,
    /// The prior chance `p(t = 1)` that a row is positive.
    pub prior: f64,
}

impl Conditions {
    /// Finite costs of at least 0, not both 0, and a chance between 0 and 1.
    pub fn new(false_positive: f64, false_negative: f64, prior: f64) -> Result<Self> {
        for (name, cost) in [("false_positive", false_positive), ("false_negative", false_negative)]
        {
            if !(cost.is_finite() && cost >= 0.0) {
                return Err(refusal(name, "a finite cost of at least 0", cost));
            }
        }
        if false_positive == 0.0 && false_negative == 0.0 {
            return Err(refusal("false_negative", "above 0 where the other cost is 0", 0.0));
        }
        if !(0.0..=1.0).contains(&prior) {
            return Err(refusal("prior", "a chance between 0 and 1", prior));
        }
        Ok(Self { false_positive, false_negative, prior })
    }

    /// The expected cost of a row at the point (F, T), equation (2.40):
    /// `p(t=1) (1 - T) c_FN + p(t=0) F c_FP`.
    pub fn cost(&self, fpr: f64, tpr: f64) -> f64 {
        self.prior * (1.0 - tpr) * self.false_negative
            + (1.0 - self.prior) * fpr * self.false_positive
    }

    /// The slope of the lines of equal cost, equation (2.41):
    /// `p(t=0) c_FP / (p(t=1) c_FN)`; `None` where missing a positive costs nothing.
    pub fn slope(&self) -> Option<f64> {
        let rise = (1.0 - self.prior) * self.false_positive;
        Some(rise / (self.prior * self.false_negative)).filter(|slope| slope.is_finite())
    }
}

fn refusal(name: &str, expected: &str, got: f64) -> Error {
    Error::Param {
        of: "conditions".to_owned(),
        name: name.to_owned(),
        expected: expected.to_owned(),
        got: got.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_is_refused() {
        for (fp, miss, prior) in
            [(-1.0, 1.0, 0.5), (0.0, 0.0, 0.5), (1.0, f64::NAN, 0.5), (1.0, 1.0, 1.5)]
        {
            assert!(Conditions::new(fp, miss, prior).is_err());
        }
        assert_eq!(Conditions::new(1.0, 1.0, 0.0).unwrap().slope(), None);
        assert_eq!(Conditions::new(1.0, 3.0, 0.25).unwrap().slope(), Some(1.0));
    }
}

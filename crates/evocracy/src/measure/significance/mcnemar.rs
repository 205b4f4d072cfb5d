//! Do two classifiers differ on the same rows?
//!
//! Q. McNemar, "Note on the sampling error of the difference between correlated proportions or
//! percentages", Psychometrika 12 (1947) 153-157, with the continuity correction of
//! A. L. Edwards, Psychometrika 13 (1948) 185-187. Only rows that one gets right and the other
//! wrong tell them apart.

use crate::error::Result;
use crate::measure::check;
use crate::num::{binomial_at_most, chi_square_tail};
use serde::Serialize;

/// The outcome of the test, in both forms.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct McNemar {
    /// Rows that only the first classifier got right.
    pub first: u64,
    /// Rows that only the second classifier got right.
    pub second: u64,
    /// The two-sided binomial p-value: right at any size. 1 where no row tells them apart.
    pub p_value: f64,
    /// `(|first - second| - 1)^2 / (first + second)`, 0 where they are equal.
    pub chi_square: f64,
    /// The p-value of `chi_square`; good where there are some 25 such rows.
    pub chi_square_p: f64,
}

impl McNemar {
    /// Tests two columns of called classes against the true ones.
    pub fn new(truth: &[u32], first: &[u32], second: &[u32]) -> Result<Self> {
        check::same_length("first calls", first.len(), truth.len())?;
        check::same_length("second calls", second.len(), truth.len())?;
        let mut only = [0, 0];
        for (t, (a, b)) in truth.iter().zip(first.iter().zip(second)) {
            match (t == a, t == b) {
                (true, false) => only[0] += 1,
                (false, true) => only[1] += 1,
                _ => {}
            }
        }
        Ok(Self::of(only[0], only[1]))
    }

    /// The test from the numbers of rows that only the first, or only the second, got right.
    pub fn of(first: u64, second: u64) -> Self {
        let all = first.saturating_add(second);
        let chi_square = if all == 0 {
            0.0
        } else {
            (first.abs_diff(second) as f64 - 1.0).max(0.0).powi(2) / all as f64
        };
        let p_value = (2.0 * binomial_at_most(first.min(second), all, 0.5)).min(1.0);
        Self { first, second, p_value, chi_square, chi_square_p: chi_square_tail(chi_square, 1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_rows_that_tell_them_apart_count() {
        let test = McNemar::new(&[0, 0, 1, 1, 2], &[0, 1, 1, 0, 2], &[0, 0, 0, 0, 1]).unwrap();
        assert_eq!((test.first, test.second), (2, 1));
        assert_eq!((test.p_value, test.chi_square, test.chi_square_p), (1.0, 0.0, 1.0));
        assert_eq!(McNemar::of(0, 0).p_value, 1.0);
        assert!((McNemar::of(5, 0).p_value - 0.0625).abs() < 1e-14);
        assert!(McNemar::new(&[0], &[0, 1], &[0]).is_err());
    }
}

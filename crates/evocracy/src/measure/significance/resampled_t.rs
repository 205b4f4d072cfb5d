//! Do two methods differ, seen on many splits of one data set?
//!
//! The training sets of the splits overlap, so the differences are not independent and the plain
//! t test finds far too much. C. Nadeau, Y. Bengio, "Inference for the generalization error",
//! Machine Learning 52 (2003) 239-281, replace `1 / J` in the variance of the mean of `J`
//! differences by `1 / J + test rows / training rows`. For `r` repeats of `k` folds that ratio
//! is `1 / (k - 1)` and `J = k r` (R. R. Bouckaert, E. Frank, PAKDD 2004).

use super::Alternative;
use crate::error::{Error, Result};
use crate::measure::check;
use crate::num::t_tail;
use serde::Serialize;

/// The outcome of the test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ResampledT {
    /// The mean difference.
    pub mean: f64,
    /// Its corrected standard error.
    pub error: f64,
    /// The mean in units of its error; 0 where all differences are 0.
    pub t: f64,
    /// Degrees of freedom: one less than the differences.
    pub freedom: usize,
    /// The p-value.
    pub p_value: f64,
}

/// Tests the differences of two methods on random splits; `ratio` is the number of test rows for
/// each training row (0 makes it the plain t test).
///
/// Where all differences are 0 the p-value is 1; where all are equal but not 0 there is no
/// spread to measure them by, and that is an error.
pub fn corrected_t(
    differences: &[f64],
    ratio: f64,
    alternative: Alternative,
) -> Result<ResampledT> {
    spread_out(differences, ratio)?;
    let count = differences.len() as f64;
    let equal = differences.iter().all(|d| *d == differences[0]);
    let mean = differences.iter().sum::<f64>() / count;
    let squares: f64 = differences.iter().map(|d| (d - mean).powi(2)).sum();
    let error = ((1.0 / count + ratio) * squares / (count - 1.0)).sqrt();
    let t = if equal { 0.0 } else { mean / error };
    let tail = |t: f64| t_tail(t, count - 1.0);
    let p_value = match alternative {
        _ if equal => 1.0,
        Alternative::TwoSided => (2.0 * tail(t.abs())).min(1.0),
        Alternative::Greater => tail(t),
        Alternative::Less => tail(-t),
    };
    Ok(ResampledT { mean, error, t, freedom: differences.len() - 1, p_value })
}

fn spread_out(differences: &[f64], ratio: f64) -> Result<()> {
    check::finite("difference", differences)?;
    if !(ratio >= 0.0 && ratio.is_finite()) {
        return Err(Error::Param {
            of: "corrected t test".to_owned(),
            name: "ratio".to_owned(),
            expected: "test rows per training row, at least 0".to_owned(),
            got: ratio.to_string(),
        });
    }
    if differences.len() < 2 {
        return Err(Error::unsuitable(
            format!("{} differences show no spread", differences.len()),
            "use more splits",
        ));
    }
    if differences[0] != 0.0 && differences.iter().all(|d| *d == differences[0]) {
        return Err(Error::unsuitable(
            format!("all differences are {}, so there is no spread", differences[0]),
            "use more or different splits",
        ));
    }
    Ok(())
}

/// [`corrected_t`] for the differences on all folds of one or more repeats of `k`-fold
/// cross-validation.
pub fn corrected_t_folds(
    differences: &[f64],
    k: usize,
    alternative: Alternative,
) -> Result<ResampledT> {
    if k < 2 || !differences.len().is_multiple_of(k) {
        return Err(Error::Param {
            of: "corrected t test".to_owned(),
            name: "k".to_owned(),
            expected: format!("folds of at least 2 that divide {}", differences.len()),
            got: k.to_string(),
        });
    }
    corrected_t(differences, 1.0 / (k - 1) as f64, alternative)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_difference_and_no_spread() {
        let none = corrected_t(&[0.0; 10], 0.1, Alternative::Greater).unwrap();
        assert_eq!((none.t, none.p_value), (0.0, 1.0));
        assert!(corrected_t(&[0.5; 10], 0.1, Alternative::TwoSided).is_err());
        assert!(corrected_t(&[0.5], 0.1, Alternative::TwoSided).is_err());
        assert!(corrected_t(&[0.5, f64::NAN], 0.1, Alternative::TwoSided).is_err());
        assert!(corrected_t(&[0.5, 0.4], -0.1, Alternative::TwoSided).is_err());
        assert!(corrected_t_folds(&[0.1, 0.2, 0.3], 2, Alternative::TwoSided).is_err());
        assert!(corrected_t_folds(&[0.1, 0.2, 0.3], 1, Alternative::TwoSided).is_err());
    }

    #[test]
    fn folds_know_their_ratio() {
        let differences = [0.1, 0.2, -0.1, 0.3, 0.0, 0.05, 0.1, 0.15, 0.2, 0.01];
        let folds = corrected_t_folds(&differences, 5, Alternative::TwoSided).unwrap();
        assert_eq!(folds, corrected_t(&differences, 0.25, Alternative::TwoSided).unwrap());
        let plain = corrected_t(&differences, 0.0, Alternative::TwoSided).unwrap();
        assert!(plain.p_value < folds.p_value);
    }
}

//! How well probabilities are meant: the likelihood of the truth and the Brier score.

use super::check::{self, Weights};
use crate::error::Result;

/// The least probability that the likelihood reckons with, so that one row that was called
/// impossible costs about 50 bits instead of everything.
pub const FLOOR: f64 = 1e-15;

/// The mean over the rows of log2 of the probability given to the true class: 0 at best, -1 for
/// fair coins, -log2(K) for knowing nothing about K classes.
///
/// The sum over the rows is equation (24) of N. U. Edakunni, G. Brown, T. Kovacs, "Online, GA
/// based mixture of experts: a probabilistic model of UCS", GECCO 2011, there for two classes.
/// Probabilities below [`FLOOR`] count as [`FLOOR`].
pub fn log2_likelihood(
    labels: &[u32],
    proba: &[f64],
    classes: usize,
    weights: Option<&[f64]>,
) -> Result<f64> {
    check::probabilities(labels, proba, classes)?;
    let weights = Weights::new(weights, labels.len())?;
    Ok(weights.mean(|row| log2_of(&proba[row * classes..(row + 1) * classes], labels[row])))
}

/// The log2-likelihood of one row.
pub(crate) fn log2_of(proba: &[f64], truth: u32) -> f64 {
    proba[truth as usize].clamp(FLOOR, 1.0).log2()
}

/// The Brier score of one row.
pub(crate) fn brier_of(proba: &[f64], truth: u32) -> f64 {
    let truth = truth as usize;
    let terms = proba.iter().enumerate().map(|(c, p)| (p - f64::from(c == truth)).powi(2));
    let scale = if proba.len() == 2 { 0.5 } else { 1.0 };
    scale * terms.sum::<f64>()
}

/// The Brier score: the mean over the rows of the squared distance between the probabilities
/// and the truth, 0 at best.
///
/// For three or more classes the squares are summed over the classes (G. W. Brier, Monthly
/// Weather Review 78 (1950) 1-3; at most 2). For two classes that sum is halved, which is the
/// usual squared error of the probability of one of them (at most 1). scikit-learn's
/// `brier_score_loss` reports the same numbers.
pub fn brier(
    labels: &[u32],
    proba: &[f64],
    classes: usize,
    weights: Option<&[f64]>,
) -> Result<f64> {
    check::probabilities(labels, proba, classes)?;
    let weights = Weights::new(weights, labels.len())?;
    Ok(weights.mean(|row| brier_of(&proba[row * classes..(row + 1) * classes], labels[row])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coins_certainty_and_the_impossible() {
        let coin = log2_likelihood(&[0, 1], &[0.5; 4], 2, None).unwrap();
        assert_eq!(coin, -1.0);
        let sure = log2_likelihood(&[0, 1], &[1.0, 0.0, 0.0, 1.0], 2, None).unwrap();
        assert_eq!(sure, 0.0);
        let wrong = log2_likelihood(&[1, 0], &[1.0, 0.0, 0.0, 1.0], 2, None).unwrap();
        assert_eq!(wrong, FLOOR.log2());
        assert_eq!(brier(&[1, 0], &[1.0, 0.0, 0.0, 1.0], 2, None).unwrap(), 1.0);
        assert_eq!(brier(&[1], &[1.0, 0.0, 0.0], 3, None).unwrap(), 2.0);
    }

    #[test]
    fn bad_input_is_refused() {
        assert!(log2_likelihood(&[0], &[f64::NAN, 1.0], 2, None).is_err());
        assert!(brier(&[0, 1], &[0.5, 0.5], 2, None).is_err());
        assert!(brier(&[], &[], 2, None).is_err());
        assert!(brier(&[0], &[0.5, 0.5], 2, Some(&[-1.0])).is_err());
    }
}

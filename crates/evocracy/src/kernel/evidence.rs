//! The log evidence of all variants.

use super::irls::add_columns;
use super::tuning::{NumericLimits, Tuning};
use crate::num::{cholesky, dot};

/// `log p(t | alpha)` by the Laplace approximation around the mode of the weights: the
/// log-likelihood and the log-prior there, and the log-volume of the approximating Gaussian,
///
/// `log p(t | w) - w'A w / 2 + log|A| / 2 - log|H| / 2` with `H = Phi' B Phi + A`.
///
/// For Gaussian noise this is exact: it is (2.67) of the thesis with the determinant and the
/// inverse of `C` written out in weight space. `factor` is the Cholesky factor of `H`.
pub fn log_evidence(log_likelihood: f64, alphas: &[f64], weights: &[f64], factor: &[f64]) -> f64 {
    let prior: f64 = alphas.iter().zip(weights).map(|(a, w)| a.ln() - a * w * w).sum();
    log_likelihood + 0.5 * (prior - cholesky::log_det(factor, alphas.len()))
}

/// The log-likelihood of numbers under Gaussian noise of precision `beta`. `squares` is the
/// weighted sum of squared residuals, `total` the weight of all rows.
pub(crate) fn gaussian_log_likelihood(total: f64, squares: f64, beta: f64) -> f64 {
    0.5 * (total * (beta / std::f64::consts::TAU).ln() - beta * squares)
}

/// The sum of the squared residuals of a model with these columns and weights, weighted by row.
pub(super) fn squared_residuals(
    values: &[f64],
    row_weights: &[f64],
    columns: &[f64],
    weights: &[f64],
) -> f64 {
    let mut residuals = values.to_vec();
    let factors: Vec<f64> = weights.iter().map(|weight| -weight).collect();
    add_columns(&mut residuals, columns, &factors);
    residuals.iter().zip(row_weights).map(|(r, w)| w * r * r).sum()
}

/// The variance `phi' Sigma phi` of a sum at one of `n` rows, whose bases have these columns.
pub(super) fn variance_at(row: usize, n: usize, columns: &[f64], covariance: &[f64]) -> f64 {
    let phi: Vec<f64> = columns.iter().skip(row).step_by(n).copied().collect();
    let sigma = covariance.chunks_exact(phi.len().max(1));
    sigma.zip(&phi).map(|(column, value)| value * dot(column, &phi)).sum()
}

/// The complexity of a model, `C(alpha)` of (3.18) with the noise at 1 and the bias counted: how
/// many bases are active, each by the strength of its activation.
pub fn complexity(alphas: &[f64]) -> f64 {
    // From 0 on: the sum of nothing would be -0.
    alphas.iter().fold(0.0, |sum, alpha| sum + 1.0 / (1.0 + alpha))
}

/// The scale of the noise of numbers.
pub(crate) struct NoiseScale {
    /// Its initial variance: a tenth of theirs.
    pub(crate) start: f64,
    /// Its least variance: less is rounding error.
    pub(crate) floor: f64,
}

impl NoiseScale {
    /// The scale for weighted numbers. The variance is taken around the mean: a constant that is
    /// added to all numbers does not change it.
    pub(crate) fn of(values: &[f64], weights: &[f64]) -> Self {
        let total: f64 = weights.iter().sum();
        let mean = dot(values, weights) / total;
        let variance = |around: f64| {
            let squares = values.iter().zip(weights).map(|(t, w)| w * (t - around).powi(2));
            squares.sum::<f64>() / total
        };
        // Sums of large numbers are rounded: even constant ones need some noise.
        let [of_variance, of_square] = Tuning::NOISE_FLOOR;
        let floor = (of_variance * variance(mean)).max(of_square * variance(0.0));
        let floor = floor.max(NumericLimits::LEAST_NOISE);
        Self { start: (Tuning::INITIAL_NOISE * variance(mean)).max(floor), floor }
    }
}

//! The distribution of the outcome in the rows that a rule applies to: the probabilities of the
//! classes, or a normal distribution of a number.
//!
//! A family works on sufficient statistics of weighted rows. Parameters fitted to them maximise the
//! log-likelihood plus the log-prior, so that fitting to the rows weighted by the responsibilities
//! of a rule is its M-step.

use crate::num::argmax;
use std::f64::consts::PI;

/// The least probability of a class when rows held back are scored.
const FLOOR: f64 = 0.01;

/// A family of distributions.
pub(super) trait Family: Sync {
    /// A number for the outcome of a row: rows with the same number have the same density under
    /// all parameters.
    fn outcome_id(&self, row: usize) -> u32;
    /// How many sufficient statistics there are.
    fn stats_len(&self) -> usize;
    /// Adds a row to sufficient statistics.
    fn add_stats(&self, row: usize, weight: f64, stats: &mut [f64]);
    /// The parameters of the greatest log-likelihood plus log-prior.
    fn fit(&self, stats: &[f64], params: &mut Vec<f64>);
    /// The log-likelihood of rows, given by their statistics.
    fn log_likelihood(&self, stats: &[f64], params: &[f64]) -> f64;
    /// The logarithm of the prior density of parameters, up to a constant that is the same for all.
    fn log_prior(&self, params: &[f64]) -> f64;
    /// The density of the outcome of a row.
    fn density(&self, params: &[f64], row: usize) -> f64;
    /// The part of this density that depends on the parameters.
    fn component_density(&self, _params: &[f64], _row: usize, density: f64) -> f64 {
        density
    }
    /// Whether two rules predict about the same.
    fn similar(&self, a: &[f64], b: &[f64]) -> bool;
    /// The error of predicting a row by the mean parameters of the rules that apply to it.
    fn error(&self, params: &[f64], row: usize) -> f64;
    /// How well a row that was held back is predicted by mean parameters under which its outcome
    /// has this density; larger is better.
    fn held_out_score(&self, params: &[f64], density: f64, row: usize) -> f64;
    /// The greatest log-likelihood plus log-prior that parameters can reach.
    fn max_log_posterior(&self, stats: &[f64]) -> f64;
}

/// Classes, with a Dirichlet prior of `alpha` rows of each. The statistics are the class counts, the
/// parameters the class probabilities.
#[derive(Debug)]
pub(super) struct Labels {
    pub(super) codes: Vec<u32>,
    pub(super) classes: usize,
    pub(super) alpha: f64,
    /// x ln x of whole counts with the prior added, for one class and for the sum of all classes.
    one_class: Vec<f64>,
    all_classes: Vec<f64>,
    /// Makes the log-prior of equal class probabilities 0 and that of all others negative, so that it
    /// does not grow with the number of classes.
    prior_offset: f64,
}

/// The most entries of a table of x ln x.
const TABLE: usize = 1 << 15;

impl Family for Labels {
    fn outcome_id(&self, row: usize) -> u32 {
        self.codes[row]
    }

    fn stats_len(&self) -> usize {
        self.classes
    }

    #[inline]
    fn add_stats(&self, row: usize, weight: f64, stats: &mut [f64]) {
        stats[self.codes[row] as usize] += weight;
    }

    fn fit(&self, stats: &[f64], params: &mut Vec<f64>) {
        let total = stats.iter().sum::<f64>() + self.alpha * stats.len() as f64;
        params.clear();
        params.extend(stats.iter().map(|count| (count + self.alpha) / total));
    }

    fn log_likelihood(&self, stats: &[f64], params: &[f64]) -> f64 {
        stats.iter().zip(params).map(|(count, p)| count * p.ln()).sum()
    }

    fn log_prior(&self, params: &[f64]) -> f64 {
        self.alpha * params.iter().map(|p| p.ln()).sum::<f64>() + self.prior_offset
    }

    #[inline]
    fn density(&self, params: &[f64], row: usize) -> f64 {
        params[self.codes[row] as usize]
    }

    fn similar(&self, a: &[f64], b: &[f64]) -> bool {
        argmax(a) == argmax(b)
    }

    /// 0 where the most probable class is the right one, else 1.
    fn error(&self, params: &[f64], row: usize) -> f64 {
        f64::from(argmax(params) as u32 != self.codes[row])
    }

    /// The log-likelihood, with a floor under the probability: else the few rows that are called
    /// wrongly with great confidence decide alone.
    fn held_out_score(&self, _params: &[f64], density: f64, _row: usize) -> f64 {
        density.max(FLOOR).ln()
    }

    fn max_log_posterior(&self, stats: &[f64]) -> f64 {
        let total: f64 = stats.iter().sum();
        let sum: f64 = stats.iter().map(|count| x_ln_x(*count, self.alpha, &self.one_class)).sum();
        sum - x_ln_x(total, self.alpha * self.classes as f64, &self.all_classes) + self.prior_offset
    }
}

/// x ln x for a count with the prior added, from the table where the count is whole.
#[inline]
fn x_ln_x(count: f64, prior: f64, table: &[f64]) -> f64 {
    let whole = count as usize;
    match table.get(whole) {
        Some(known) if whole as f64 == count => *known,
        _ => (count + prior) * (count + prior).ln(),
    }
}

impl Labels {
    pub(super) fn new(codes: Vec<u32>, classes: usize, alpha: f64) -> Self {
        let most = codes.len().min(TABLE);
        let all = alpha * classes as f64;
        let table = |prior: f64| -> Vec<f64> {
            (0..=most).map(|count| x_ln_x(count as f64, prior, &[])).collect()
        };
        let (one_class, all_classes) = (table(alpha), table(all));
        let prior_offset = all * (classes as f64).ln();
        Self { codes, classes, alpha, one_class, all_classes, prior_offset }
    }
}

/// The density of an outlier, which is the same under all parameters and is added to that of the
/// normal distribution: no density is 0, and a number far from the mean of a rule has no influence
/// on it.
const OUTLIER: f64 = 1e-9;

/// Numbers, normally distributed, with a prior of `alpha` rows of the variance `spread`. The
/// statistics are the sums of 1, y and y^2, the parameters the mean and the variance.
#[derive(Debug)]
pub(super) struct Normal {
    pub(super) values: Vec<f64>,
    pub(super) alpha: f64,
    pub(super) spread: f64,
}

impl Normal {
    /// The mean and the variance of the greatest log-likelihood plus log-prior.
    #[inline]
    fn best(&self, stats: &[f64]) -> (f64, f64) {
        // Differences of sums may fall below 0 by rounding.
        let count = stats[0].max(1e-12);
        let mean = stats[1] / count;
        let squares = (stats[2] - mean * stats[1]).max(0.0);
        (mean, (squares + self.alpha * self.spread) / (count + self.alpha))
    }
}

impl Family for Normal {
    fn outcome_id(&self, row: usize) -> u32 {
        row as u32
    }

    fn stats_len(&self) -> usize {
        3
    }

    #[inline]
    fn add_stats(&self, row: usize, weight: f64, stats: &mut [f64]) {
        let value = self.values[row];
        stats[0] += weight;
        stats[1] += weight * value;
        stats[2] += weight * value * value;
    }

    fn fit(&self, stats: &[f64], params: &mut Vec<f64>) {
        let (mean, variance) = self.best(stats);
        params.clear();
        params.extend([mean, variance]);
    }

    fn log_likelihood(&self, stats: &[f64], params: &[f64]) -> f64 {
        let (mean, variance) = (params[0], params[1]);
        let squares = stats[2] - 2.0 * mean * stats[1] + mean * mean * stats[0];
        -0.5 * (stats[0] * (2.0 * PI * variance).ln() + squares / variance)
    }

    /// That of `alpha` rows around the mean with the variance `spread`; 0 for this variance.
    fn log_prior(&self, params: &[f64]) -> f64 {
        let ratio = self.spread / params[1];
        0.5 * self.alpha * (ratio.ln() + 1.0 - ratio)
    }

    #[inline]
    fn density(&self, params: &[f64], row: usize) -> f64 {
        let off = self.values[row] - params[0];
        OUTLIER + (-0.5 * off * off / params[1]).exp() / (2.0 * PI * params[1]).sqrt()
    }

    #[inline]
    fn component_density(&self, _params: &[f64], _row: usize, density: f64) -> f64 {
        density - OUTLIER
    }

    fn similar(&self, a: &[f64], b: &[f64]) -> bool {
        (a[0] - b[0]).abs() <= a[1].sqrt() + b[1].sqrt()
    }

    /// The squared error.
    fn error(&self, params: &[f64], row: usize) -> f64 {
        (self.values[row] - params[0]).powi(2)
    }

    /// The squared error, negative: the variance of a rule with few rows is too uncertain for the
    /// likelihood to compare by.
    fn held_out_score(&self, params: &[f64], _density: f64, row: usize) -> f64 {
        -self.error(params, row)
    }

    /// At the best variance, the sum of squares over it equals the number of rows.
    fn max_log_posterior(&self, stats: &[f64]) -> f64 {
        let (_, variance) = self.best(stats);
        let rows = stats[0] + self.alpha;
        let prior = self.alpha * (self.spread.ln() + 1.0);
        -0.5 * (rows * (variance.ln() + 1.0) + stats[0] * (2.0 * PI).ln() - prior)
    }
}

//! The posterior mode of the weights of a logistic model with a given precision for every weight,
//! by Newton's method (iteratively re-weighted least squares) with step halving.
//!
//! The mode maximises `sum_n w_n log p(t_n | y_n) - w'A w / 2` (2.75), which is concave. A step
//! costs `O(N k^2)` for `k` bases. All memory is allocated once; fitting allocates nothing as long
//! as there are no more bases than [`Irls::new`] was told.

use super::design::scale;
use super::evidence::log_evidence;
use super::fast::unsolved;
use super::gaussian::GaussianProblem;
use super::tuning::Tuning;
use crate::error::{Error, Result};
use crate::num::matrix::{Factor, add_product};
use crate::num::{add_scaled, cholesky, dot, exp, wide};
use crate::run::Stop;

/// Rows that are summed at a time: they stay in the cache from one basis to the next.
const TILE: usize = 512;

/// More bases than these are multiplied as matrices.
const MANY: usize = 24;

/// Gains of the log posterior that its rounding may hide: a line search would not see them.
const UNSEEN: f64 = 1e-9;

/// How many factors from 1 to 2 are multiplied before their logarithm is taken.
const FACTORS: usize = 512;

/// The rows: targets of 0 or 1, weights (none for all 1), and offsets that are added to the sum of
/// the bases (none for 0).
#[derive(Debug, Clone, Copy)]
pub struct LogisticRows<'a> {
    /// 0 or 1 for every row.
    pub targets: &'a [f64],
    /// How often every row counts.
    pub weights: Option<&'a [f64]>,
    /// The offset of the log-odds of every row.
    pub offsets: Option<&'a [f64]>,
}

/// The last mode, and the memory to find the next.
#[derive(Debug, Clone, Default)]
pub struct Irls {
    /// The weight of each basis.
    pub weights: Vec<f64>,
    /// The log-odds of every row.
    pub log_odds: Vec<f64>,
    /// The residual of every row: weight times target less probability, the derivative of the
    /// log-likelihood by the log-odds.
    pub residuals: Vec<f64>,
    /// The precision of each row: `beta_n` of (2.77) times its weight.
    pub precisions: Vec<f64>,
    /// The Cholesky factor of `H = Phi' B Phi + A`.
    pub factor: Vec<f64>,
    /// The log-likelihood at the mode.
    pub log_likelihood: f64,
    /// The least Newton decrement that is worth a step, where a mode need not be exact.
    pub(super) tolerance: f64,
    /// The most Newton steps; 0 for the usual number.
    most_steps: usize,
    /// The share of the largest weight that every weight must be known to; 0 to look at the
    /// decrement alone.
    precision: f64,
    hessian: Vec<f64>,
    gradient: Vec<f64>,
    step: Vec<f64>,
    direction: Vec<f64>,
    trial_odds: Vec<f64>,
    scaled: Vec<f64>,
}

impl Irls {
    /// Allocates for so many rows and bases.
    pub fn new(rows: usize, bases: usize) -> Self {
        let mut irls = Self::default();
        irls.reserve(rows, bases);
        irls
    }

    /// Ends fits after so many steps, or when a step would gain less than the decrement says and
    /// change no weight by more than a share of the largest. The decrement alone does not do: with
    /// large precisions, weights are small and all they gain is less.
    ///
    /// That last step is taken, so that weights and log-odds are a step ahead of the other fields.
    pub fn limit(&mut self, steps: usize, decrement: f64, share: f64) {
        (self.most_steps, self.tolerance, self.precision) = (steps, decrement, share);
    }

    fn reserve(&mut self, rows: usize, bases: usize) {
        for vector in [
            &mut self.log_odds,
            &mut self.residuals,
            &mut self.precisions,
            &mut self.direction,
            &mut self.trial_odds,
        ] {
            vector.resize(rows, 0.0);
        }
        self.scaled.resize(gram_scratch(rows, bases), 0.0);
        for vector in [&mut self.weights, &mut self.gradient, &mut self.step] {
            vector.resize(bases, 0.0);
        }
        for matrix in [&mut self.factor, &mut self.hessian] {
            matrix.resize(bases * bases, 0.0);
        }
    }

    /// Finds the mode for the bases in `columns`, one column of values after the other, and the
    /// precision `alphas` of each weight; starts from `start`, or from 0. Returns the log
    /// evidence.
    pub fn fit(
        &mut self,
        columns: &[f64],
        rows: &LogisticRows<'_>,
        alphas: &[f64],
        start: Option<&[f64]>,
    ) -> Result<f64> {
        self.fit_until(columns, rows, alphas, start, &Stop::new())
    }

    /// As [`Irls::fit`]; a stop ends it before the mode, with all fields as they are there, or with
    /// [`Error::Stopped`] inside of a step that is long.
    pub(crate) fn fit_until(
        &mut self,
        columns: &[f64],
        rows: &LogisticRows<'_>,
        alphas: &[f64],
        start: Option<&[f64]>,
        stop: &Stop,
    ) -> Result<f64> {
        let (n, k) = (rows.targets.len(), alphas.len());
        let fits = |values: Option<&[f64]>, len: usize| values.is_none_or(|v| v.len() == len);
        let shapes = columns.len() == n * k
            && fits(rows.weights, n)
            && fits(rows.offsets, n)
            && fits(start, k)
            && alphas.iter().all(|alpha| alpha.is_finite() && *alpha > 0.0);
        if !shapes {
            return Err(Error::unsuitable(
                "columns, weights, offsets and start do not fit the rows and the precisions",
                "give every base a column with a value for each row, and a precision above 0",
            ));
        }
        self.reserve(n, k);
        match start {
            Some(start) => self.weights.copy_from_slice(start),
            None => self.weights.fill(0.0),
        }
        self.compute_log_odds(columns, rows);
        let mut log_posterior = log_posterior_of(rows, alphas, &self.log_odds, &self.weights);
        if start.is_some() && log_posterior < log_likelihood_at_zero(rows) {
            // Weights of other precisions may be worse than 0.
            self.weights.fill(0.0);
            self.compute_log_odds(columns, rows);
            log_posterior = log_posterior_of(rows, alphas, &self.log_odds, &self.weights);
        }
        // The last round takes no step, so that the factor belongs to the weights.
        let most = if self.most_steps == 0 { Tuning::NEWTON_STEPS } else { self.most_steps };
        for step in 0..=most {
            self.differentiate(columns, rows, alphas, stop)?;
            let decrement = dot(&self.gradient, &self.step);
            let small = decrement < Tuning::NEWTON_DECREMENT.max(self.tolerance);
            let last = small && self.within(self.precision);
            if decrement.is_nan()
                || (last && self.precision == 0.0)
                || step == most
                || stop.requested()
            {
                break;
            }
            if last || decrement < UNSEEN {
                log_posterior = self.full_step(columns, rows, alphas);
            } else if let Some(next) = self.line_search(columns, rows, alphas, log_posterior) {
                log_posterior = next;
            } else {
                break;
            }
            if last {
                break;
            }
        }
        self.log_likelihood = log_likelihood_of(rows, &self.log_odds);
        let evidence = log_evidence(self.log_likelihood, alphas, &self.weights, &self.factor);
        if evidence.is_finite() { Ok(evidence) } else { Err(unsolved()) }
    }

    /// The square of each basis, weighted by the precision of the rows.
    pub(super) fn squares(&self, alphas: &[f64]) -> Vec<f64> {
        let k = alphas.len();
        (0..k).map(|j| self.hessian[j * k + j] - alphas[j]).collect()
    }

    /// The Gaussian problem around the mode among the bases in the model.
    pub(super) fn gaussian_problem(&self, alphas: &[f64], out: &mut GaussianProblem) {
        let k = alphas.len();
        out.cross.resize(k * k, 0.0);
        for (j, alpha) in alphas.iter().enumerate() {
            for i in 0..k {
                out.cross[j * k + i] = self.hessian[i.min(j) * k + i.max(j)];
            }
            out.cross[j * k + j] -= alpha;
        }
        out.squares.clear();
        out.squares.extend((0..k).map(|j| out.cross[j * k + j]));
        out.target_products.clear();
        out.target_products.extend((0..k).map(|j| self.gradient[j] + alphas[j] * self.weights[j]));
        add_columns(&mut out.target_products, &out.cross, &self.weights);
        out.active.clear();
        out.active.extend(0..k);
        out.alphas.clear();
        out.alphas.extend_from_slice(alphas);
    }

    /// Computes the log-odds of every row.
    fn compute_log_odds(&mut self, columns: &[f64], rows: &LogisticRows<'_>) {
        match rows.offsets {
            Some(offsets) => self.log_odds.copy_from_slice(offsets),
            None => self.log_odds.fill(0.0),
        }
        add_columns(&mut self.log_odds, columns, &self.weights);
    }

    /// Residuals, precisions, gradient, Hessian and the Newton step at the weights.
    fn differentiate(
        &mut self,
        columns: &[f64],
        rows: &LogisticRows<'_>,
        alphas: &[f64],
        stop: &Stop,
    ) -> Result<()> {
        let (n, k) = (rows.targets.len(), alphas.len());
        wide(
            #[inline(always)]
            || {
                residuals_and_precisions(
                    &self.log_odds,
                    rows,
                    &mut self.residuals,
                    &mut self.precisions,
                );
            },
        );
        self.hessian.fill(0.0);
        let precisions = &self.precisions;
        weighted_gram_until(&mut self.hessian, columns, precisions, k, &mut self.scaled, stop)?;
        for j in 0..k {
            self.hessian[j * k + j] += alphas[j];
            let column = &columns[j * n..(j + 1) * n];
            self.gradient[j] = wide(
                #[inline(always)]
                || dot(column, &self.residuals),
            ) - alphas[j] * self.weights[j];
        }
        if !cholesky::factor_with_jitter_until(&self.hessian, k, &mut self.factor, stop)? {
            return Err(unsolved());
        }
        self.step.copy_from_slice(&self.gradient);
        cholesky::solve(&self.factor, k, &mut self.step);
        Ok(())
    }

    /// Whether the step changes no weight by more than a share of the largest; always for 0.
    fn within(&self, share: f64) -> bool {
        let largest = |values: &[f64]| values.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        share == 0.0 || largest(&self.step) <= share * largest(&self.weights)
    }

    /// Takes the whole step. The log-odds follow from the weights: a sum of steps that were large
    /// would be too coarse for weights that have become small.
    fn full_step(&mut self, columns: &[f64], rows: &LogisticRows<'_>, alphas: &[f64]) -> f64 {
        add_scaled(&mut self.weights, 1.0, &self.step);
        self.compute_log_odds(columns, rows);
        log_posterior_of(rows, alphas, &self.log_odds, &self.weights)
    }

    /// Takes the step, halved until the log posterior rises. `None` where it does not: the mode is
    /// found up to rounding.
    fn line_search(
        &mut self,
        columns: &[f64],
        rows: &LogisticRows<'_>,
        alphas: &[f64],
        log_posterior: f64,
    ) -> Option<f64> {
        self.direction.fill(0.0);
        add_columns(&mut self.direction, columns, &self.step);
        let mut step_size = 1.0;
        for _ in 0..Tuning::STEP_HALVINGS {
            self.trial_odds.copy_from_slice(&self.log_odds);
            add_scaled(&mut self.trial_odds, step_size, &self.direction);
            let prior: f64 = alphas
                .iter()
                .zip(self.weights.iter().zip(&self.step))
                .map(|(a, (w, s))| a * (w + step_size * s).powi(2))
                .sum();
            let found = log_likelihood_of(rows, &self.trial_odds) - 0.5 * prior;
            if found > log_posterior {
                std::mem::swap(&mut self.log_odds, &mut self.trial_odds);
                add_scaled(&mut self.weights, step_size, &self.step);
                return Some(found);
            }
            step_size *= 0.5;
        }
        None
    }
}

/// The log-likelihood of weights of 0.
fn log_likelihood_at_zero(rows: &LogisticRows<'_>) -> f64 {
    if let Some(offsets) = rows.offsets {
        return log_likelihood_of(rows, offsets);
    }
    let total = rows.weights.map_or(rows.targets.len() as f64, |weights| weights.iter().sum());
    -total * std::f64::consts::LN_2
}

/// The log posterior of weights, up to a constant.
fn log_posterior_of(
    rows: &LogisticRows<'_>,
    alphas: &[f64],
    log_odds: &[f64],
    weights: &[f64],
) -> f64 {
    let prior: f64 = alphas.iter().zip(weights).map(|(a, w)| a * w * w).sum();
    log_likelihood_of(rows, log_odds) - 0.5 * prior
}

/// Adds each column times its factor.
pub(super) fn add_columns(to: &mut [f64], columns: &[f64], factors: &[f64]) {
    let n = to.len();
    wide(
        #[inline(always)]
        || {
            for (column, factor) in columns.chunks_exact(n.max(1)).zip(factors) {
                add_scaled(to, *factor, column);
            }
        },
    );
}

/// Products between two looks at a flag: about a second of them. Fewer are one product of matrices,
/// whose rounding may depend on how it is parted.
const PRODUCTS: usize = 2_000_000_000;

/// As [`add_weighted_gram`], with looks at a flag where that is long.
pub(super) fn weighted_gram_until(
    matrix: &mut [f64],
    columns: &[f64],
    precisions: &[f64],
    k: usize,
    scaled: &mut [f64],
    stop: &Stop,
) -> Result<()> {
    gram_in_parts(matrix, columns, precisions, k, scaled, (PRODUCTS, stop))
}

fn gram_in_parts(
    matrix: &mut [f64],
    columns: &[f64],
    precisions: &[f64],
    k: usize,
    scaled: &mut [f64],
    (products, stop): (usize, &Stop),
) -> Result<()> {
    let n = precisions.len();
    let each = n.saturating_mul(k);
    if k <= MANY || each.saturating_mul(k) <= products {
        add_weighted_gram(matrix, columns, precisions, k, scaled);
        return Ok(());
    }
    scale(columns, precisions, scaled);
    let at_a_time = (products / each).max(1);
    let parts = matrix.chunks_mut(at_a_time * k).zip(columns.chunks(at_a_time * n));
    for (part, columns) in parts {
        stop.check()?;
        add_product(part, k, Factor::Transposed(scaled), n, Factor::Plain(columns));
    }
    Ok(())
}

/// The scratch that [`add_weighted_gram`] needs.
pub(super) fn gram_scratch(rows: usize, bases: usize) -> usize {
    if bases > MANY { rows * bases } else { TILE.min(rows) }
}

/// Adds `Phi' B Phi` to the lower half of a matrix: tile of rows by tile of rows for few bases;
/// many are faster in a matrix product, though it computes both halves.
pub(super) fn add_weighted_gram(
    matrix: &mut [f64],
    columns: &[f64],
    precisions: &[f64],
    k: usize,
    scaled: &mut [f64],
) {
    let n = precisions.len();
    if k > MANY {
        scale(columns, precisions, scaled);
        return add_product(matrix, k, Factor::Transposed(scaled), n, Factor::Plain(columns));
    }
    wide(
        #[inline(always)]
        || {
            for start in (0..n).step_by(TILE) {
                let end = (start + TILE).min(n);
                for j in 0..k {
                    let column = &columns[j * n + start..j * n + end];
                    let scaled = &mut scaled[..end - start];
                    for (s, (c, b)) in
                        scaled.iter_mut().zip(column.iter().zip(&precisions[start..end]))
                    {
                        *s = c * b;
                    }
                    for i in j..k {
                        matrix[j * k + i] += dot(scaled, &columns[i * n + start..i * n + end]);
                    }
                }
            }
        },
    );
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
fn residuals_and_precisions(
    log_odds: &[f64],
    rows: &LogisticRows<'_>,
    residuals: &mut [f64],
    precisions: &mut [f64],
) {
    let n = log_odds.len();
    let (residuals, precisions, targets) =
        (&mut residuals[..n], &mut precisions[..n], &rows.targets[..n]);
    for i in 0..n {
        // From the smaller of the two probabilities: 1 - p would be 0 for large odds.
        let e = exp(-log_odds[i].abs());
        let (high, low) = (1.0 / (1.0 + e), e / (1.0 + e));
        let (p, rest) = if log_odds[i] < 0.0 { (low, high) } else { (high, low) };
        residuals[i] = targets[i] * rest - (1.0 - targets[i]) * p;
        precisions[i] = low * high;
    }
    if let Some(weights) = rows.weights {
        for i in 0..n {
            residuals[i] *= weights[i];
            precisions[i] *= weights[i];
        }
    }
}

/// The log-likelihood of the rows.
pub(super) fn log_likelihood_of(rows: &LogisticRows<'_>, log_odds: &[f64]) -> f64 {
    wide(
        #[inline(always)]
        || match rows.weights {
            None => plain(rows.targets, log_odds),
            Some(weights) => weighted(rows.targets, log_odds, weights),
        },
    )
}

/// `log p = t y - max(y, 0) - log(1 + e^-|y|)`. The last terms of many rows are one logarithm of
/// the product of what is between 1 and 2.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
fn plain(targets: &[f64], log_odds: &[f64]) -> f64 {
    const LANES: usize = 8;
    let mut total = 0.0;
    for (targets, log_odds) in targets.chunks(FACTORS * LANES).zip(log_odds.chunks(FACTORS * LANES))
    {
        let (mut sums, mut products) = ([0.0; LANES], [1.0; LANES]);
        let (t, rest_t) = targets.as_chunks::<LANES>();
        let (y, rest_y) = log_odds.as_chunks::<LANES>();
        for (t, y) in t.iter().zip(y) {
            for i in 0..LANES {
                sums[i] += t[i] * y[i] - y[i].max(0.0);
                products[i] *= 1.0 + exp(-y[i].abs());
            }
        }
        for (i, (t, y)) in rest_t.iter().zip(rest_y).enumerate() {
            sums[i] += t * y - y.max(0.0);
            products[i] *= 1.0 + exp(-y.abs());
        }
        let logs: f64 = products.iter().map(|product| product.ln()).sum();
        total += sums.iter().sum::<f64>() - logs;
    }
    total
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
fn weighted(targets: &[f64], log_odds: &[f64], weights: &[f64]) -> f64 {
    let each = targets.iter().zip(log_odds).zip(weights);
    each.map(|((t, y), w)| w * (t * y - y.max(0.0) - exp(-y.abs()).ln_1p())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gram_in_parts_is_the_gram_and_ends_when_it_is_told_to() {
        let (n, k) = (70, MANY + 13);
        let columns: Vec<f64> =
            (0..n * k).map(|at| ((at * 37) % 101) as f64 / 50.0 - 1.0).collect();
        let precisions: Vec<f64> = (0..n).map(|row| 0.1 + row as f64 / 100.0).collect();
        let mut scaled = vec![0.0; gram_scratch(n, k)];
        let (mut whole, stop) = (vec![0.5; k * k], Stop::new());
        add_weighted_gram(&mut whole, &columns, &precisions, k, &mut scaled);
        for columns_at_a_time in [1, 5, k] {
            let mut parts = vec![0.5; k * k];
            let limit = (columns_at_a_time * n * k, &stop);
            gram_in_parts(&mut parts, &columns, &precisions, k, &mut scaled, limit).unwrap();
            assert!(whole.iter().zip(&parts).all(|(a, b)| (a - b).abs() < 1e-11));
        }
        // In the middle: after one of the parts.
        let (stop, mut parts) = (Stop::after(1), vec![0.0; k * k]);
        let limit = (5 * n * k, &stop);
        let ended = gram_in_parts(&mut parts, &columns, &precisions, k, &mut scaled, limit);
        assert!(matches!(ended, Err(Error::Stopped)) && parts[0] > 0.0 && parts[k * k - 1] == 0.0);
    }
}

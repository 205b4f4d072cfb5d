//! A ridge-penalised logistic fit of a few columns, as fast as it can be repeated: a search over sets
//! of columns makes hundreds of thousands a second.
//!
//! Newton's method on the log posterior, as in [`irls`](super::irls), in memory of a fixed size:
//! nothing is allocated after the first fit of so many rows. The bias has no penalty to speak of.

use crate::num::{dot, exp, wide};

/// The most columns of a fit, without the bias.
pub const MOST: usize = 16;
/// With the bias.
const SIZE: usize = MOST + 1;
/// The precision of the bias: classes of one row each must not run away.
const BIAS: f64 = 1e-6;
/// The most Newton steps.
const STEPS: usize = 12;
/// A smaller decrement ends the steps, but not before one was taken: weights under large precisions
/// are worth next to nothing to the posterior, and yet it is they that order the rows.
const DECREMENT: f64 = 1e-4;
/// The most halvings of a step.
const HALVINGS: usize = 8;
/// Values that are multiplied before their logarithm is taken: each is from 1 to 2.
const FACTORS: usize = 512;

/// The last fit, and the memory for the next.
#[derive(Debug, Clone)]
pub struct FewColumns {
    /// The weights: the bias first, then those of the columns.
    pub weights: [f64; SIZE],
    /// The log-odds of every row.
    pub log_odds: Vec<f64>,
    /// The log-likelihood of the rows.
    pub log_likelihood: f64,
    residuals: Vec<f64>,
    precisions: Vec<f64>,
    scaled: Vec<f64>,
    trial: Vec<f64>,
}

impl FewColumns {
    /// Memory for so many rows.
    pub fn new(rows: usize) -> Self {
        let zeros = || vec![0.0; rows];
        Self {
            weights: [0.0; SIZE],
            log_odds: zeros(),
            log_likelihood: 0.0,
            residuals: zeros(),
            precisions: zeros(),
            scaled: zeros(),
            trial: zeros(),
        }
    }

    /// Fits the first [`MOST`] of these columns to targets of 0 and 1, from the weights as they are;
    /// each column has a precision. Rows, targets and columns must be as many as the memory is for.
    pub fn fit(&mut self, columns: &[&[f64]], targets: &[f64], alphas: &[f64]) {
        wide(
            #[inline(always)]
            || self.newton(columns, targets, alphas),
        );
    }

    #[inline(always)]
    #[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
    fn newton(&mut self, columns: &[&[f64]], targets: &[f64], alphas: &[f64]) {
        let k = columns.len().min(MOST).min(alphas.len());
        let columns = &columns[..k];
        sum(&self.weights, columns, &mut self.log_odds);
        let mut posterior = self.differentiate(targets) - prior(&self.weights, alphas, k);
        let zero = -(targets.len() as f64) * std::f64::consts::LN_2;
        if posterior < zero {
            self.weights = [0.0; SIZE];
            self.log_odds.fill(0.0);
            posterior = self.differentiate(targets);
        }
        for round in 0..STEPS {
            let Some((step, decrement)) = self.step(columns, alphas, k) else { break };
            let near = decrement < DECREMENT;
            if near && round > 0 {
                break;
            }
            let before = self.weights;
            std::mem::swap(&mut self.trial, &mut self.log_odds);
            let mut size = 1.0;
            let mut risen = false;
            for _ in 0..HALVINGS {
                for j in 0..=k {
                    self.weights[j] = before[j] + size * step[j];
                }
                sum(&self.weights, columns, &mut self.log_odds);
                let next = self.differentiate(targets) - prior(&self.weights, alphas, k);
                // So near the mode the step is good, even where rounding hides by how much.
                if next > posterior || near {
                    (posterior, risen) = (next, true);
                    break;
                }
                size *= 0.5;
            }
            if !risen {
                self.weights = before;
                std::mem::swap(&mut self.trial, &mut self.log_odds);
                self.differentiate(targets);
                break;
            }
        }
        self.log_likelihood = posterior + prior(&self.weights, alphas, k);
    }

    /// Residuals and precisions at the log-odds; the log-likelihood.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
    fn differentiate(&mut self, targets: &[f64]) -> f64 {
        let n = targets.len();
        let (odds, residuals, precisions) =
            (&self.log_odds[..n], &mut self.residuals[..n], &mut self.precisions[..n]);
        let mut total = 0.0;
        for start in (0..n).step_by(FACTORS) {
            let mut products = [1.0; 4];
            let mut sums = [0.0; 4];
            for i in start..n.min(start + FACTORS) {
                let y = odds[i];
                let e = exp(-y.abs());
                let high = 1.0 / (1.0 + e);
                let low = e * high;
                let p = if y < 0.0 { low } else { high };
                residuals[i] = targets[i] - p;
                precisions[i] = low * high;
                sums[i % 4] += targets[i] * y - y.max(0.0);
                products[i % 4] *= 1.0 + e;
            }
            let product: [f64; 2] = [products[0] * products[1], products[2] * products[3]];
            total += (sums[0] + sums[1]) + (sums[2] + sums[3]) - product[0].ln() - product[1].ln();
        }
        total
    }

    /// The Newton step and its decrement; `None` where it cannot be solved for.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
    fn step(&mut self, columns: &[&[f64]], alphas: &[f64], k: usize) -> Option<([f64; SIZE], f64)> {
        let n = self.log_odds.len();
        let mut hessian = [[0.0; SIZE]; SIZE];
        let mut gradient = [0.0; SIZE];
        gradient[0] = self.residuals.iter().sum::<f64>() - BIAS * self.weights[0];
        hessian[0][0] = self.precisions.iter().sum::<f64>() + BIAS;
        for j in 0..k {
            let column = &columns[j][..n];
            gradient[j + 1] = dot(column, &self.residuals) - alphas[j] * self.weights[j + 1];
            let scaled = &mut self.scaled[..n];
            for i in 0..n {
                scaled[i] = column[i] * self.precisions[i];
            }
            hessian[j + 1][0] = scaled.iter().sum();
            for (i, other) in columns[..=j].iter().enumerate() {
                hessian[j + 1][i + 1] = dot(scaled, other);
            }
            hessian[j + 1][j + 1] += alphas[j];
        }
        solve(&mut hessian, &gradient, k + 1)
    }
}

/// The log-odds of weights: the bias, then the columns.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
fn sum(weights: &[f64; SIZE], columns: &[&[f64]], out: &mut [f64]) {
    out.fill(weights[0]);
    for (column, weight) in columns.iter().zip(&weights[1..]) {
        crate::num::add_scaled(out, *weight, column);
    }
}

/// Minus the log of the prior, up to a constant.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
fn prior(weights: &[f64; SIZE], alphas: &[f64], k: usize) -> f64 {
    let mut sum = BIAS * weights[0] * weights[0];
    for j in 0..k {
        sum += alphas[j] * weights[j + 1] * weights[j + 1];
    }
    0.5 * sum
}

/// The solution of a small positive definite system by Cholesky, and its product with the right side.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
#[allow(clippy::needless_range_loop, reason = "indices are those of the formulas")]
fn solve(
    matrix: &mut [[f64; SIZE]; SIZE],
    right: &[f64; SIZE],
    size: usize,
) -> Option<([f64; SIZE], f64)> {
    let mut step = *right;
    for j in 0..size {
        let mut pivot = matrix[j][j];
        for c in 0..j {
            pivot -= matrix[j][c] * matrix[j][c];
        }
        if !(pivot > 0.0 && pivot.is_finite()) {
            return None;
        }
        let root = pivot.sqrt();
        matrix[j][j] = root;
        for i in j + 1..size {
            let mut value = matrix[i][j];
            for c in 0..j {
                value -= matrix[i][c] * matrix[j][c];
            }
            matrix[i][j] = value / root;
        }
        let mut value = step[j];
        for c in 0..j {
            value -= matrix[j][c] * step[c];
        }
        step[j] = value / root;
    }
    for j in (0..size).rev() {
        let mut value = step[j];
        for i in j + 1..size {
            value -= matrix[i][j] * step[i];
        }
        step[j] = value / matrix[j][j];
    }
    let mut decrement = 0.0;
    for j in 0..size {
        decrement += step[j] * right[j];
    }
    Some((step, decrement))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::irls::{Irls, LogisticRows};
    use crate::run::Seed;
    use rand::RngExt;

    #[test]
    fn it_is_the_mode_that_irls_finds() {
        for (n, k) in [(6, 1), (36, 3), (37, 7), (600, 16)] {
            let mut rng = Seed::new(n as u64).rng();
            let targets: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i % 3 == 0))).collect();
            let columns: Vec<Vec<f64>> = (0..k)
                .map(|_| targets.iter().map(|t| rng.random::<f64>() - 0.5 + 0.4 * t).collect())
                .collect();
            let slices: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
            let mut few = FewColumns::new(n);
            few.fit(&slices, &targets, &vec![0.5; k]);
            let mut design = vec![1.0; n];
            for column in &columns {
                design.extend(column);
            }
            let rows = LogisticRows { targets: &targets, weights: None, offsets: None };
            let mut alphas = vec![BIAS];
            alphas.resize(k + 1, 0.5);
            let mut irls = Irls::default();
            irls.fit(&design, &rows, &alphas, None).unwrap();
            for (ours, theirs) in few.weights.iter().zip(&irls.weights) {
                assert!((ours - theirs).abs() < 2e-2, "{n} x {k}: {ours} {theirs}");
            }
            assert!((few.log_likelihood - irls.log_likelihood).abs() < 0.05);
            // Far from the mode the start does not matter.
            few.weights = [50.0; SIZE];
            few.fit(&slices, &targets, &vec![0.5; k]);
            assert!((few.log_likelihood - irls.log_likelihood).abs() < 0.05);
        }
    }

    /// Whatever weights a fit starts from: none, those of fewer columns, those of other precisions.
    #[test]
    fn the_order_of_the_rows_does_not_depend_on_the_start() {
        let mut rng = Seed::new(3).rng();
        let truth: Vec<bool> = (0..36).map(|row| row < 12).collect();
        let targets: Vec<f64> = truth.iter().map(|&t| f64::from(u8::from(t))).collect();
        let mut column = || {
            let values: Vec<f64> =
                targets.iter().map(|t| 2.0 * rng.random::<f64>() + 0.5 * t).collect();
            let mean = values.iter().sum::<f64>() / 36.0;
            values.iter().map(|value| value - mean).collect::<Vec<f64>>()
        };
        let (a, b) = (column(), column());
        let area = |few: &FewColumns| crate::measure::auc(&truth, &few.log_odds, None).unwrap();
        for log in 0..=12 {
            let alpha = 10_f64.powi(log);
            let mut cold = FewColumns::new(36);
            cold.fit(&[&a, &b], &targets, &[alpha; 2]);
            let mut one = FewColumns::new(36);
            one.fit(&[&a], &targets, &[alpha]);
            assert_ne!(area(&cold), area(&one), "the second column has no weight");
            // The steps end near the mode, where two rows may still change places; under large
            // precisions a single step is exact.
            let allowed = if log < 3 { 1.0001 / (12.0 * 24.0) } else { 0.0 };
            for freer in [1.0, 0.1, 1e-6] {
                let mut warm = one.clone();
                if freer < 1.0 {
                    warm.fit(&[&a, &b], &targets, &[alpha * freer, alpha]);
                }
                warm.fit(&[&a, &b], &targets, &[alpha; 2]);
                let apart = (area(&warm) - area(&cold)).abs();
                assert!(apart <= allowed, "10^{log}: {apart}");
            }
        }
    }
}

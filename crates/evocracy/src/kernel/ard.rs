//! Automatic relevance determination from all columns downward, for many more columns than rows.
//!
//! The algorithm is that of the classic relevance vector machine (M. E. Tipping, JMLR 1 (2001)
//! 211-244; thesis (2.73) to (2.79)): the posterior mode of the weights, then for every precision
//! `alpha = gamma / w^2` with `gamma = 1 - alpha Sigma_ii`. Columns whose precision exceeds a limit
//! leave. [`classic`](super::classic) solves with M x M matrices; here all matrices are N x N, with
//! `K = Phi A^-1 Phi'` and `C = B^-1 + K`:
//!
//! - the mode is `w = A^-1 Phi' u`, where Newton's step is `u = C^-1 (y + B^-1 (t - p))`;
//! - `gamma_i = phi_i' C^-1 phi_i / alpha_i`, by Woodbury's identity for `Sigma`.
//!
//! `C^-1 = B^1/2 S^-1 B^1/2` with `S = I + B^1/2 K B^1/2` keeps its digits where `B` is nearly 0 (C. E.
//! Rasmussen, C. K. I. Williams, "Gaussian Processes for Machine Learning", 2006, algorithm 3.1).
//!
//! Stopped early, it leaves more columns than evidence at its maximum would: the number of rounds
//! decides how many. A constant column, the bias, has a fixed small precision and always stays.

use crate::error::{Error, Result};
use crate::kernel::irls::LogisticRows;
use crate::num::matrix::add_lower_outer;
use crate::num::{add_scaled, cholesky, dot, exp, wide};
use crate::run::Stop;

/// The precision of the bias, and that of all columns at first, times the rows squared.
const BIAS: f64 = 1e-6;
/// The most Newton steps to a mode; those of the round before are a good start.
const STEPS: usize = 50;
/// A smaller rise of the log posterior ends the steps.
const RISE: f64 = 1e-6;
/// The most halvings of a step.
const HALVINGS: usize = 30;
/// Columns that are multiplied at a time: they stay in the cache.
const BLOCK: usize = 64;

/// How far to go.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// How often all precisions are estimated anew.
    pub rounds: usize,
    /// Columns with a larger precision leave.
    pub limit: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { rounds: 29, limit: 1e6 }
    }
}

/// The columns that are left, with precision and weight.
#[derive(Debug, Clone, PartialEq)]
pub struct Relevant {
    /// The columns, as positions, in ascending order.
    pub columns: Vec<usize>,
    /// The precision of each weight.
    pub alphas: Vec<f64>,
    /// The most probable weights.
    pub weights: Vec<f64>,
    /// The weight of the bias.
    pub bias: f64,
}

/// Learns from `columns` (one after the other) and targets of 0 and 1; columns should have mean 0
/// and variance 1, since one limit on precisions holds for all. Stopped early from outside it is an
/// error: what is left by then depends on when that was.
pub fn fit(columns: &[f64], targets: &[f64], settings: Settings, stop: &Stop) -> Result<Relevant> {
    let n = targets.len();
    let whole = n > 0 && columns.len().is_multiple_of(n);
    if !whole || columns.iter().chain(targets).any(|value| !value.is_finite()) {
        return Err(Error::unsuitable(
            format!("{} values are no finite columns of {n} rows", columns.len()),
            "give every column a finite value for each row",
        ));
    }
    let mut search = Downward::new(columns, targets);
    for _ in 0..settings.rounds {
        search.mode(stop)?;
        search.estimate(settings.limit, stop)?;
        if search.left.is_empty() {
            break;
        }
    }
    search.mode(stop)?;
    search.weigh();
    let Downward { left, alphas, weights, dual, .. } = search;
    let columns = left.iter().map(|&at| at as usize).collect();
    let bias = dual.iter().sum::<f64>() / BIAS;
    Ok(Relevant { columns, alphas, weights, bias })
}

/// The search: what is left, and memory for the N x N problem.
struct Downward<'a> {
    targets: &'a [f64],
    /// The columns that are left: their positions, values, precisions and weights.
    left: Vec<u32>,
    columns: Vec<f64>,
    alphas: Vec<f64>,
    weights: Vec<f64>,
    /// `Phi A^-1/2`, a block at a time.
    scaled: Vec<f64>,
    kernel: Vec<f64>,
    /// The Cholesky factor of `S`, and its inverse.
    factor: Vec<f64>,
    inverse: Vec<f64>,
    /// `u`, the log-odds `K u`, the square roots of `B`.
    dual: Vec<f64>,
    odds: Vec<f64>,
    roots: Vec<f64>,
}

impl<'a> Downward<'a> {
    fn new(columns: &[f64], targets: &'a [f64]) -> Self {
        let n = targets.len();
        let count = columns.len() / n;
        Self {
            targets,
            left: (0..count as u32).collect(),
            columns: columns.to_vec(),
            alphas: vec![1.0 / (n * n) as f64; count],
            weights: vec![0.0; count],
            scaled: Vec::new(),
            kernel: vec![0.0; n * n],
            factor: vec![0.0; n * n],
            inverse: vec![0.0; n * n],
            dual: vec![0.0; n],
            odds: vec![0.0; n],
            roots: vec![0.0; n],
        }
    }

    /// `K`, the bias included: the lower half, then all of it.
    fn make_kernel(&mut self, stop: &Stop) -> Result<()> {
        let n = self.targets.len();
        self.kernel.fill(1.0 / BIAS);
        for (block, alphas) in self.columns.chunks(BLOCK * n).zip(self.alphas.chunks(BLOCK)) {
            heard(stop)?;
            self.scaled.clear();
            for (column, alpha) in block.chunks_exact(n).zip(alphas) {
                let factor = 1.0 / alpha.sqrt();
                self.scaled.extend(column.iter().map(|value| value * factor));
            }
            add_lower_outer(&mut self.kernel, n, &self.scaled);
        }
        for j in 0..n {
            for i in j + 1..n {
                self.kernel[i * n + j] = self.kernel[j * n + i];
            }
        }
        Ok(())
    }

    /// The posterior mode for the precisions, and the factor of `S` there.
    fn mode(&mut self, stop: &Stop) -> Result<()> {
        let n = self.targets.len();
        self.make_kernel(stop)?;
        self.multiply_dual();
        let mut posterior = self.log_posterior(&self.dual, &self.odds);
        if posterior < -(n as f64) * std::f64::consts::LN_2 {
            // A start from other precisions may be worse than none.
            self.dual.fill(0.0);
            self.odds.fill(0.0);
            posterior = self.log_posterior(&self.dual, &self.odds);
        }
        let (mut step, mut change) = (vec![0.0; n], vec![0.0; n]);
        for round in 0..=STEPS {
            self.newton_step(&mut step, stop)?;
            if round == STEPS {
                break;
            }
            multiply(&self.kernel, &step, &mut change);
            let Some(rise) = self.line_search(&step, &change, posterior) else { break };
            posterior += rise;
            if rise < RISE {
                // The factor belongs to the log-odds up to what this rise is worth.
                break;
            }
        }
        Ok(())
    }

    fn multiply_dual(&mut self) {
        multiply(&self.kernel, &self.dual, &mut self.odds);
    }

    /// Writes the change of `u` and factors `S` at the log-odds.
    fn newton_step(&mut self, step: &mut [f64], stop: &Stop) -> Result<()> {
        let n = self.targets.len();
        let mut work = vec![0.0; n];
        for (i, step) in step.iter_mut().enumerate() {
            let e = exp(-self.odds[i].abs());
            let (high, low) = (1.0 / (1.0 + e), e / (1.0 + e));
            let p = if self.odds[i] < 0.0 { low } else { high };
            self.roots[i] = (low * high).sqrt();
            // B (y + B^-1 (t - p)), the right side times B.
            *step = low * high * self.odds[i] + self.targets[i] - p;
        }
        for j in 0..n {
            for i in j..n {
                self.factor[j * n + i] = self.roots[i] * self.kernel[j * n + i] * self.roots[j];
            }
            self.factor[j * n + j] += 1.0;
        }
        if !cholesky::factor_until(&mut self.factor, n, stop)? {
            return Err(Error::unsuitable(
                "the weights of the columns cannot be solved for",
                "rescale the columns",
            ));
        }
        // u = b - B^1/2 S^-1 B^1/2 K b.
        multiply(&self.kernel, step, &mut work);
        work.iter_mut().zip(&self.roots).for_each(|(value, root)| *value *= root);
        cholesky::solve(&self.factor, n, &mut work);
        for i in 0..n {
            step[i] -= self.roots[i] * work[i] + self.dual[i];
        }
        Ok(())
    }

    /// Takes the step, halved until the log posterior rises; by how much it did.
    fn line_search(&mut self, step: &[f64], change: &[f64], posterior: f64) -> Option<f64> {
        let mut size = 1.0;
        for _ in 0..HALVINGS {
            let (mut dual, mut odds) = (self.dual.clone(), self.odds.clone());
            add_scaled(&mut dual, size, step);
            add_scaled(&mut odds, size, change);
            let rise = self.log_posterior(&dual, &odds) - posterior;
            if rise > 0.0 {
                (self.dual, self.odds) = (dual, odds);
                return Some(rise);
            }
            size *= 0.5;
        }
        None
    }

    fn log_posterior(&self, dual: &[f64], odds: &[f64]) -> f64 {
        let rows = LogisticRows { targets: self.targets, weights: None, offsets: None };
        super::irls::log_likelihood_of(&rows, odds) - 0.5 * dot(dual, odds)
    }

    /// The weight of every column: `A^-1 Phi' u`.
    fn weigh(&mut self) {
        let n = self.targets.len();
        let Self { columns, alphas, weights, dual, .. } = self;
        weights.clear();
        wide(
            #[inline(always)]
            || {
                let each = columns.chunks_exact(n).zip(alphas.iter());
                weights.extend(each.map(|(column, alpha)| dot(column, dual) / alpha));
            },
        );
    }

    /// Estimates all precisions anew; columns beyond the limit leave.
    fn estimate(&mut self, limit: f64, stop: &Stop) -> Result<()> {
        let n = self.targets.len();
        self.weigh();
        // L^-1 B^1/2, lower: the squared length of its product with a column is phi' C^-1 phi.
        self.inverse.fill(0.0);
        for j in 0..n {
            heard(stop)?;
            let column = &mut self.inverse[j * n..(j + 1) * n];
            column[j] = self.roots[j];
            cholesky::forward_from(&self.factor, n, j, &mut column[j..]);
        }
        let mut kept = 0;
        let mut products = vec![0.0; BLOCK * n];
        for start in (0..self.left.len()).step_by(BLOCK) {
            heard(stop)?;
            let count = BLOCK.min(self.left.len() - start);
            let block = &self.columns[start * n..(start + count) * n];
            let products = &mut products[..count * n];
            crate::num::matrix::lower_product(products, n, &self.inverse, block);
            for at in 0..count {
                let product = &products[at * n..(at + 1) * n];
                let (column, weight) = (start + at, self.weights[start + at]);
                let gamma = dot(product, product) / self.alphas[column];
                let alpha = gamma / (weight * weight);
                // What is not a number leaves too.
                if alpha <= limit && alpha > 0.0 {
                    self.left[kept] = self.left[column];
                    self.alphas[kept] = alpha;
                    self.columns.copy_within(column * n..(column + 1) * n, kept * n);
                    kept += 1;
                }
            }
        }
        self.left.truncate(kept);
        self.alphas.truncate(kept);
        self.columns.truncate(kept * n);
        Ok(())
    }
}

fn heard(stop: &Stop) -> Result<()> {
    if stop.requested() { Err(Error::Stopped) } else { Ok(()) }
}

/// Writes the product of a symmetric matrix and a vector.
fn multiply(matrix: &[f64], vector: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    for (column, factor) in matrix.chunks_exact(vector.len().max(1)).zip(vector) {
        add_scaled(out, *factor, column);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::irls::Irls;
    use crate::num::symmetric::Cholesky;
    use crate::run::Seed;
    use rand::RngExt;

    fn problem(n: usize, m: usize, seed: u64) -> (Vec<f64>, Vec<f64>) {
        let mut rng = Seed::new(seed).rng();
        let targets: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i % 3 == 0))).collect();
        let mut columns = Vec::new();
        for j in 0..m {
            for target in &targets {
                let shift = if j < 2 { 1.2 * target } else { 0.0 };
                columns.push(2.0 * rng.random::<f64>() - 1.0 + shift);
            }
        }
        (columns, targets)
    }

    /// The same rounds in weight space: M x M matrices, modes by [`Irls`].
    fn reference(columns: &[f64], targets: &[f64], settings: Settings) -> Relevant {
        let n = targets.len();
        let mut left: Vec<usize> = (0..columns.len() / n).collect();
        let mut alphas = vec![1.0 / (n * n) as f64; left.len()];
        let rows = LogisticRows { targets, weights: None, offsets: None };
        let mut irls = Irls::default();
        let mut fit = |left: &[usize], alphas: &[f64]| {
            let mut design = vec![1.0; n];
            for j in left {
                design.extend_from_slice(&columns[j * n..(j + 1) * n]);
            }
            let all: Vec<f64> = [BIAS].iter().chain(alphas).copied().collect();
            irls.fit(&design, &rows, &all, None).unwrap();
            let k = all.len();
            let hessian: Vec<f64> = (0..k * k)
                .map(|cell| {
                    let (i, j) = (cell % k, cell / k);
                    let sum: f64 = (0..n)
                        .map(|r| irls.precisions[r] * design[i * n + r] * design[j * n + r])
                        .sum();
                    sum + if i == j { all[i] } else { 0.0 }
                })
                .collect();
            let factor = Cholesky::new(&hessian, k).unwrap();
            let sigma: Vec<f64> = (0..k)
                .map(|j| {
                    let mut unit = vec![0.0; k];
                    unit[j] = 1.0;
                    factor.solve(&mut unit);
                    unit[j]
                })
                .collect();
            (irls.weights.clone(), sigma)
        };
        for _ in 0..settings.rounds {
            let (weights, sigma) = fit(&left, &alphas);
            for at in 0..left.len() {
                let gamma = 1.0 - alphas[at] * sigma[at + 1];
                alphas[at] = gamma / weights[at + 1].powi(2);
            }
            let keep: Vec<bool> = alphas.iter().map(|alpha| *alpha <= settings.limit).collect();
            let mut flags = keep.iter();
            left.retain(|_| *flags.next().unwrap());
            let mut flags = keep.iter();
            alphas.retain(|_| *flags.next().unwrap());
        }
        let (weights, _) = fit(&left, &alphas);
        Relevant { columns: left, alphas, bias: weights[0], weights: weights[1..].to_vec() }
    }

    #[test]
    fn the_rounds_are_those_of_weight_space() {
        for (seed, rounds) in [(1, 1), (2, 4), (3, 8), (4, 12)] {
            let (columns, targets) = problem(24, 40, seed);
            let settings = Settings { rounds, limit: 1e4 };
            let found = fit(&columns, &targets, settings, &Stop::new()).unwrap();
            let expected = reference(&columns, &targets, settings);
            assert_eq!(found.columns, expected.columns, "{rounds} rounds");
            let pairs = found.weights.iter().zip(&expected.weights);
            for (ours, theirs) in pairs.chain([(&found.bias, &expected.bias)]) {
                assert!((ours - theirs).abs() <= 1e-2 * (1.0 + theirs.abs()), "{ours} {theirs}");
            }
        }
    }

    #[test]
    fn few_columns_are_left_and_the_informative_ones_among_them() {
        let (columns, targets) = problem(60, 300, 7);
        let found = fit(&columns, &targets, Settings::default(), &Stop::new()).unwrap();
        assert!(found.columns.len() < 60, "{}", found.columns.len());
        assert!(found.columns.contains(&0) || found.columns.contains(&1));
    }

    /// Also in the last fit, which no round follows.
    #[test]
    fn a_stop_is_heard() {
        let (columns, targets) = problem(24, 40, 1);
        let stop = Stop::new();
        stop.request();
        for rounds in [0, 5] {
            let settings = Settings { rounds, limit: 1e4 };
            let found = fit(&columns, &targets, settings, &stop);
            assert!(matches!(found, Err(Error::Stopped)), "{rounds} rounds");
        }
    }

    #[test]
    fn what_is_no_matrix_is_refused_and_nothing_is_left_of_nothing() {
        assert!(fit(&[1.0; 5], &[0.0, 1.0], Settings::default(), &Stop::new()).is_err());
        assert!(fit(&[f64::NAN; 2], &[0.0, 1.0], Settings::default(), &Stop::new()).is_err());
        let none = fit(&[], &[0.0, 1.0, 1.0], Settings::default(), &Stop::new()).unwrap();
        assert!(none.columns.is_empty() && (none.bias - 2.0_f64.ln()).abs() < 1e-3);
        let flat = fit(&[0.0; 6], &[0.0, 1.0, 1.0], Settings::default(), &Stop::new()).unwrap();
        assert!(flat.columns.is_empty());
    }
}

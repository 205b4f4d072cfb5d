//! The relevance vector machine as first published (M. E. Tipping, "Sparse Bayesian learning and
//! the relevance vector machine", Journal of Machine Learning Research 1 (2001) 211-244): starts
//! from all bases, re-estimates all precisions in every round and prunes the bases whose precision
//! diverges. It costs `O(M^3)` a round and is here to be compared with.

use super::design::Design;
use super::evidence::{NoiseScale, gaussian_log_likelihood, log_evidence, squared_residuals};
use super::fast::{Settings, Solution, Target, unsolved};
use super::irls::{Irls, LogisticRows, gram_scratch, weighted_gram_until};
use super::tuning::{ClassicTuning, Tuning};
use crate::error::{Error, Result};
use crate::num::{cholesky, dot};
use crate::run::{Stop, Ticker};

/// Operations that a value of a basis takes, about.
const PRICE: usize = 16;

/// The bases that are left, and the posterior mode of their weights.
struct Classic {
    bases: Vec<usize>,
    alphas: Vec<f64>,
    columns: Vec<f64>,
    weights: Vec<f64>,
    /// The Cholesky factor of the inverse covariance, and the squares of the bases in it.
    factor: Vec<f64>,
    squares: Vec<f64>,
    /// The products of the bases with each other, for numbers.
    gram: Vec<f64>,
    noise: f64,
    irls: Irls,
}

/// Learns a sparse model from all bases. Rows are weighted by `weights`.
pub fn fit(
    design: &Design,
    target: Target<'_>,
    weights: Option<&[f64]>,
    settings: &Settings<'_>,
    stop: &Stop,
) -> Result<Solution> {
    target.check(design, weights, settings)?;
    let row_weights = weights.map_or_else(|| vec![1.0; design.rows()], <[f64]>::to_vec);
    let bases: Vec<usize> = if settings.start.is_empty() {
        (0..design.len()).collect()
    } else {
        settings.start.iter().map(|(basis, _)| *basis).collect()
    };
    let mut model = Classic::new(design, &target, &row_weights, &bases, settings, 1.0, stop)?;
    let (curve, converged) =
        model.iterate(&target, weights, &row_weights, settings, ClassicTuning::WINDOW, stop)?;
    let k = model.bases.len();
    let mut covariance = vec![0.0; k * k];
    cholesky::inverse_until(&model.factor, k, &mut covariance, stop)?;
    let noise = matches!(target, Target::Numbers(_)).then_some(model.noise);
    let evidence = curve.last().copied().unwrap_or(f64::NEG_INFINITY);
    let Classic { bases, alphas, weights, .. } = model;
    Ok(Solution { bases, alphas, weights, covariance, noise, evidence, curve, converged })
}

/// What a coarse search leaves of some bases, started from `precision_factor` times the usual
/// precisions: bases with their precisions, and the noise.
pub(super) fn pruned(
    design: &Design,
    target: Target<'_>,
    weights: Option<&[f64]>,
    bases: &[usize],
    (noise, precision_factor): (Option<f64>, f64),
    stop: &Stop,
) -> Result<(Vec<(usize, f64)>, f64)> {
    let (gain, change) = (ClassicTuning::PRUNING_GAIN, Tuning::COARSE_CHANGE);
    let settings = Settings { gain, change, noise, ..Settings::default() };
    let row_weights = weights.map_or_else(|| vec![1.0; design.rows()], <[f64]>::to_vec);
    let mut model =
        Classic::new(design, &target, &row_weights, bases, &settings, precision_factor, stop)?;
    model.irls.tolerance = ClassicTuning::PRUNING_DECREMENT;
    let window = ClassicTuning::PRUNING_WINDOW;
    model.iterate(&target, weights, &row_weights, &settings, window, stop)?;
    Ok((model.bases.iter().copied().zip(model.alphas).collect(), model.noise))
}

impl Classic {
    fn new(
        design: &Design,
        target: &Target<'_>,
        row_weights: &[f64],
        bases: &[usize],
        settings: &Settings<'_>,
        precision_factor: f64,
        stop: &Stop,
    ) -> Result<Self> {
        let n = design.rows();
        let noise = match target {
            Target::Classes(..) => 1.0,
            Target::Numbers(values) => {
                settings.noise.unwrap_or_else(|| NoiseScale::of(values, row_weights).start)
            }
        };
        let mut bases: Vec<usize> = bases.iter().copied().filter(|m| *m < design.len()).collect();
        bases.sort_unstable();
        bases.dedup();
        // A precision starts in proportion to the square of its basis, or as given.
        let scale = row_weights.iter().sum::<f64>().powi(-2) * precision_factor;
        let start = |m: usize| settings.start.iter().find(|(basis, _)| *basis == m);
        let (mut alphas, mut columns) = (Vec::new(), Vec::new());
        let (mut ticker, mut stopped) = (Ticker::new(stop), false);
        bases.retain(|&basis| {
            stopped = stopped || ticker.tick(n.saturating_mul(PRICE)).is_err();
            if stopped {
                return false;
            }
            let at = columns.len();
            columns.resize(at + n, 0.0);
            design.column_into(basis, &mut columns[at..]);
            let square = columns[at..].iter().zip(row_weights).map(|(x, w)| w * x * x).sum::<f64>();
            if square == 0.0 {
                columns.truncate(at);
                return false;
            }
            let start = start(basis).map(|(_, alpha)| *alpha);
            alphas.push(start.filter(|a| a.is_finite() && *a > 0.0).unwrap_or(scale * square));
            true
        });
        if stopped {
            return Err(Error::Stopped);
        }
        let weights = vec![0.0; bases.len()];
        let (factor, squares, gram) = (Vec::new(), Vec::new(), Vec::new());
        let irls = Irls::default();
        Ok(Self { bases, alphas, columns, weights, factor, squares, gram, noise, irls })
    }

    /// Rounds of modes and precisions until the evidence rises by less than `settings.gain` in
    /// `window` rounds, or the precisions converge. Ends at a mode; returns the evidence of each
    /// round, and whether it converged.
    fn iterate(
        &mut self,
        target: &Target<'_>,
        weights: Option<&[f64]>,
        row_weights: &[f64],
        settings: &Settings<'_>,
        window: usize,
        stop: &Stop,
    ) -> Result<(Vec<f64>, bool)> {
        let (mut curve, mut converged) = (Vec::new(), false);
        for round in 0.. {
            let evidence = self.solve(target, weights, row_weights, stop)?;
            curve.push(evidence);
            if converged || stop.requested() || round == ClassicTuning::ROUNDS {
                break;
            }
            let (before, count) = (self.alphas.clone(), self.bases.len());
            self.reestimate(target, row_weights, settings.noise.is_none(), stop)?;
            self.prune(row_weights.len());
            let moves = before.iter().zip(&self.alphas).map(|(a, b)| (a / b).ln().abs());
            let still = count == self.bases.len() && moves.fold(0.0, f64::max) < settings.change;
            // Precisions that diverge may do so slowly for ever.
            let risen = curve.len().checked_sub(window + 1).map(|at| evidence - curve[at]);
            converged = still || risen.is_some_and(|risen: f64| risen.abs() < settings.gain);
        }
        Ok((curve, converged))
    }

    /// Finds the mode for the precisions; returns the log evidence.
    fn solve(
        &mut self,
        target: &Target<'_>,
        weights: Option<&[f64]>,
        row_weights: &[f64],
        stop: &Stop,
    ) -> Result<f64> {
        let (n, k) = (row_weights.len(), self.bases.len());
        match target {
            Target::Classes(targets, offsets) => {
                let rows = LogisticRows { targets, weights, offsets: *offsets };
                let start = Some(&self.weights[..]);
                let evidence =
                    self.irls.fit_until(&self.columns, &rows, &self.alphas, start, stop)?;
                self.weights.clone_from(&self.irls.weights);
                self.factor.clone_from(&self.irls.factor);
                self.squares = self.irls.squares(&self.alphas);
                Ok(evidence)
            }
            Target::Numbers(values) => {
                let beta = 1.0 / self.noise;
                if self.gram.is_empty() {
                    let mut buffer = vec![0.0; gram_scratch(n, k)];
                    self.gram.resize(k * k, 0.0);
                    let (gram, columns) = (&mut self.gram, &self.columns);
                    weighted_gram_until(gram, columns, row_weights, k, &mut buffer, stop)?;
                }
                let mut hessian: Vec<f64> = self.gram.iter().map(|cell| beta * cell).collect();
                self.squares = (0..k).map(|j| hessian[j * k + j]).collect();
                (0..k).for_each(|j| hessian[j * k + j] += self.alphas[j]);
                self.factor.resize(k * k, 0.0);
                if !cholesky::factor_with_jitter_until(&hessian, k, &mut self.factor, stop)? {
                    return Err(unsolved());
                }
                let residuals: Vec<f64> =
                    values.iter().zip(row_weights).map(|(t, w)| t * w * beta).collect();
                self.weights =
                    self.columns.chunks_exact(n.max(1)).map(|c| dot(c, &residuals)).collect();
                cholesky::solve(&self.factor, k, &mut self.weights);
                let likelihood = gaussian_log_likelihood(
                    row_weights.iter().sum(),
                    self.squared_residuals(values, row_weights),
                    beta,
                );
                let found = log_evidence(likelihood, &self.alphas, &self.weights, &self.factor);
                if found.is_finite() { Ok(found) } else { Err(unsolved()) }
            }
        }
    }

    fn squared_residuals(&self, values: &[f64], row_weights: &[f64]) -> f64 {
        squared_residuals(values, row_weights, &self.columns, &self.weights)
    }

    /// `alpha = gamma / w^2` with `gamma = 1 - alpha Sigma_jj`, and the noise.
    fn reestimate(
        &mut self,
        target: &Target<'_>,
        row_weights: &[f64],
        noise: bool,
        stop: &Stop,
    ) -> Result<()> {
        let k = self.bases.len();
        let mut used = 0.0;
        let variances = cholesky::inverse_diagonal_until(&self.factor, k, stop)?;
        for (j, sigma) in variances.iter().enumerate() {
            let gamma = (1.0 - self.alphas[j] * sigma).max(0.0);
            used += gamma;
            let square = (self.weights[j] * self.weights[j]).max(f64::MIN_POSITIVE);
            let least = self.squares[j] / Tuning::LOWEST_ALPHA;
            self.alphas[j] = (gamma / square).max(least.max(f64::MIN_POSITIVE));
        }
        if let (Target::Numbers(values), true) = (target, noise) {
            let total: f64 = row_weights.iter().sum();
            let rest = self.squared_residuals(values, row_weights);
            let floor = NoiseScale::of(values, row_weights).floor;
            self.noise = (rest / (total - used).max(Tuning::RESIDUAL_FREEDOM * total)).max(floor);
        }
        Ok(())
    }

    /// Prunes the bases whose precision diverges.
    fn prune(&mut self, n: usize) {
        let kept: Vec<usize> = (0..self.bases.len())
            .filter(|&j| self.alphas[j] < ClassicTuning::PRUNE_ALPHA * self.squares[j])
            .collect();
        let k = self.bases.len();
        if kept.len() == k {
            return;
        }
        if !self.gram.is_empty() {
            let cells = kept.iter().flat_map(|&j| kept.iter().map(move |&i| j * k + i));
            self.gram = cells.map(|cell| self.gram[cell]).collect();
        }
        self.columns =
            kept.iter().flat_map(|&j| self.columns[j * n..(j + 1) * n].iter().copied()).collect();
        self.bases = kept.iter().map(|&j| self.bases[j]).collect();
        self.alphas = kept.iter().map(|&j| self.alphas[j]).collect();
        self.weights = kept.iter().map(|&j| self.weights[j]).collect();
    }
}

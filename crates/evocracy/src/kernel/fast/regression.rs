//! The search for numbers: the problem is Gaussian, and the noise is estimated with it.

use super::scores::Scores;
use super::{Solution, SparseSearch, Target, unsolved};
use crate::error::Result;
use crate::kernel::design::{multiply, scale, weighted_squares};
use crate::kernel::evidence::{NoiseScale, gaussian_log_likelihood, squared_residuals};
use crate::kernel::gaussian::{GaussianProblem, whiten};
use crate::kernel::irls::add_columns;
use crate::kernel::smoothness::SmoothnessPenalty;
use crate::kernel::tuning::{NumberTuning, Tuning};

/// The targets, their weights and the noise.
struct NumberTargets<'a> {
    values: &'a [f64],
    weights: Vec<f64>,
    weighted_values: Vec<f64>,
    total: f64,
    floor: f64,
    noise: f64,
    /// The noise is known and stays.
    fixed: bool,
}

impl<'a> NumberTargets<'a> {
    fn new(values: &'a [f64], weights: Option<&[f64]>, noise: Option<f64>) -> Self {
        let weights = weights.map_or_else(|| vec![1.0; values.len()], <[f64]>::to_vec);
        let total: f64 = weights.iter().sum();
        let weighted_values: Vec<f64> = values.iter().zip(&weights).map(|(t, w)| w * t).collect();
        let NoiseScale { start, floor } = NoiseScale::of(values, &weights);
        let (noise, fixed) = (noise.unwrap_or(start), noise.is_some());
        Self { values, weights, weighted_values, total, floor, noise, fixed }
    }

    fn squared_residuals(&self, columns: &[f64], weights: &[f64]) -> f64 {
        squared_residuals(self.values, &self.weights, columns, weights)
    }
}

/// The products of all bases with themselves, with the targets and with the bases in the model, so
/// that a sweep reads the matrix for new bases only.
#[derive(Default)]
struct BasisProducts {
    squares: Vec<f64>,
    target_products: Vec<f64>,
    cross: Vec<(usize, Vec<f64>)>,
}

impl SparseSearch<'_> {
    /// Searches forward from the start and backward from many bases: the evidence has many local
    /// maxima.
    pub(super) fn numbers(&mut self, values: &[f64], weights: Option<&[f64]>) -> Result<Solution> {
        let mut targets = NumberTargets::new(values, weights, self.settings.noise);
        let mut cache = BasisProducts::default();
        let mut best = self.climb_regression(&mut targets, &mut cache)?;
        let wanted = self.settings.explore || best.bases.is_empty();
        for precision_factor in NumberTuning::PRECISION_FACTORS {
            // Where the backward search cannot be solved, the best so far stands.
            if wanted
                && !self.stop.requested()
                && let Ok(other) =
                    self.backward_numbers(&mut targets, &mut cache, weights, precision_factor)
                && other.curve.last() > best.curve.last()
            {
                best = other;
            }
        }
        Ok(best)
    }

    fn backward_numbers(
        &mut self,
        targets: &mut NumberTargets<'_>,
        cache: &mut BasisProducts,
        weights: Option<&[f64]>,
        precision_factor: f64,
    ) -> Result<Solution> {
        let target = Target::Numbers(targets.values);
        targets.noise = self.set_pruned_model(target, weights, precision_factor)?;
        self.climb_regression(targets, cache)
    }

    /// Pools and sweeps until nothing raises the evidence.
    fn climb_regression(
        &mut self,
        targets: &mut NumberTargets<'_>,
        cache: &mut BasisProducts,
    ) -> Result<Solution> {
        self.sample_pool();
        self.curve.clear();
        let mut before = f64::NEG_INFINITY;
        for sweep in 0.. {
            let (evidence, objective) = self.solve_pool(targets)?;
            self.curve.push(objective);
            self.cache_products(targets, cache);
            let stopped = self.stop.requested();
            let converged = !stopped
                && (self.refill_from_products(targets, cache)? <= self.limits.gain
                    || objective - before < self.limits.gain);
            if converged || stopped || sweep >= self.settings.sweeps {
                let factor = std::mem::take(&mut self.problem.factor);
                return Ok(self.finish(&factor, Some(targets.noise), (evidence, converged)));
            }
            before = objective;
        }
        Err(unsolved())
    }

    /// Reads the matrix for the products with the bases that are new in the model.
    fn cache_products(&self, targets: &NumberTargets<'_>, cache: &mut BasisProducts) {
        let n = self.design.rows();
        cache.cross.retain(|(basis, _)| self.model.bases.contains(basis));
        let is_new = |basis: &usize| cache.cross.iter().all(|(old, _)| old != basis);
        let new: Vec<usize> = self.model.bases.iter().copied().filter(is_new).collect();
        let first = cache.target_products.is_empty();
        if new.is_empty() && !first {
            return;
        }
        let mut vectors = Vec::with_capacity((new.len() + 1) * n);
        for (basis, column) in self.model.bases.iter().zip(self.model.columns.chunks_exact(n)) {
            if new.contains(basis) {
                vectors.extend(column.iter().zip(&targets.weights).map(|(x, w)| x * w));
            }
        }
        if first {
            vectors.extend_from_slice(&targets.weighted_values);
        }
        let precisions = if first { &targets.weights[..] } else { &[] };
        let (mut products, mut squares) = (Vec::new(), Vec::new());
        self.design.products_into(self.stop, &vectors, precisions, &mut products, &mut squares);
        let count = vectors.len() / n;
        let column = |at: usize| products.iter().skip(at).step_by(count).copied().collect();
        if first {
            (cache.squares, cache.target_products) = (squares, column(count - 1));
        }
        cache.cross.extend(new.iter().enumerate().map(|(at, &basis)| (basis, column(at))));
    }

    /// Scores all bases and makes a new pool of them; returns the largest gain.
    fn refill_from_products(
        &mut self,
        targets: &NumberTargets<'_>,
        cache: &BasisProducts,
    ) -> Result<f64> {
        if cache.squares.iter().any(|square| !square.is_finite()) {
            return Err(unsolved());
        }
        let beta = 1.0 / targets.noise;
        let of = |basis: &usize| cache.cross.iter().find(|(b, _)| b == basis).map(|(_, c)| &c[..]);
        let times = |values: &[f64]| values.iter().map(|v| v * beta).collect::<Vec<f64>>();
        let mut whitened: Vec<f64> =
            self.model.bases.iter().filter_map(of).flat_map(times).collect();
        let (squares, mut q) = (times(&cache.squares), times(&cache.target_products));
        let factors: Vec<f64> = self.model.weights.iter().map(|weight| -weight).collect();
        add_columns(&mut q, &whitened, &factors);
        let (alphas, problem) = (&self.model.alphas, &self.problem);
        let penalty = SmoothnessPenalty::new(self.limits.smooth, alphas, &problem.sigma, &whitened);
        let (mut s, factor) = (squares.clone(), problem.factor.clone());
        whiten(&mut whitened, &factor, &mut s);
        Ok(self.refill_pool(&Scores { s, q, squares, whitened, factor, penalty }))
    }

    /// Solves the pool problem and estimates the noise. Returns the log evidence, and that less
    /// the smoothness penalty.
    fn solve_pool(&mut self, targets: &mut NumberTargets<'_>) -> Result<(f64, f64)> {
        let n = self.design.rows();
        let (p, k) = (self.pool.len(), self.model.bases.len());
        let mut target_products = vec![0.0; p];
        multiply(&self.pool_columns, n, &targets.weighted_values, &mut target_products);
        let mut scaled = vec![0.0; k * n];
        scale(&self.model.columns, &targets.weights, &mut scaled);
        let mut cross = vec![0.0; p * k];
        multiply(&self.pool_columns, n, &scaled, &mut cross);
        let mut squares = vec![0.0; p];
        weighted_squares(&self.pool_columns, &targets.weights, &mut squares);
        self.problem = GaussianProblem::new(squares, target_products, cross);
        self.problem.active = (0..k).collect();
        self.problem.alphas.clone_from(&self.model.alphas);
        self.problem.scale_precisions(1.0 / targets.noise);
        self.problem.refresh()?;
        let mut left = NumberTuning::ACTIONS[0] + NumberTuning::ACTIONS[1] * p;
        for round in 0..NumberTuning::ROUNDS {
            // A few actions, then the noise: with the wrong noise the actions are wrong.
            let first = round < NumberTuning::FIRST_ROUNDS;
            let most =
                if first { NumberTuning::FIRST_ACTIONS } else { NumberTuning::LATER_ACTIONS };
            let acted = self.take_actions(targets, most.min(left));
            left -= acted;
            let moved = if targets.fixed { 0.0 } else { self.estimate_noise(targets)? };
            if left == 0
                || (acted == 0 && moved < NumberTuning::NOISE_CHANGE)
                || self.stop.requested()
            {
                break;
            }
        }
        self.problem.refresh()?;
        self.model.adopt(&self.problem, &self.pool, &self.pool_columns);
        let evidence = self.evidence_of(targets, &self.model.columns);
        let objective = evidence - self.limits.smooth * self.problem.degrees_of_freedom();
        if objective.is_finite() { Ok((evidence, objective)) } else { Err(unsolved()) }
    }

    /// The log evidence of the pool problem, right after a refresh.
    fn evidence_of(&self, targets: &NumberTargets<'_>, columns: &[f64]) -> f64 {
        let squares = targets.squared_residuals(columns, &self.problem.mean);
        self.problem.evidence(gaussian_log_likelihood(targets.total, squares, 1.0 / targets.noise))
    }

    /// Takes up to `most` actions; says how many.
    fn take_actions(&mut self, targets: &NumberTargets<'_>, most: usize) -> usize {
        let n = self.design.rows();
        let (pool_columns, limits) = (&self.pool_columns, self.limits);
        let mut buffer = vec![0.0; n];
        let mut product = |at: usize, out: &mut [f64]| {
            for (b, (x, w)) in
                buffer.iter_mut().zip(pool_columns[at * n..].iter().zip(&targets.weights))
            {
                *b = x * w / targets.noise;
            }
            multiply(pool_columns, n, &buffer, out);
        };
        for acted in 0..most {
            if self.stop.requested() {
                return acted;
            }
            let Some(step) = self.problem.best_action(&limits, true) else { return acted };
            self.problem.apply(step.action, &limits, &mut product);
        }
        most
    }

    /// Re-estimates the noise if that raises the evidence less the smoothness penalty; returns by
    /// how much its logarithm changed.
    ///
    /// The squared residuals by the residual degrees of freedom (Tipping 2001) converge fast but may
    /// overshoot; the step of expectation maximisation is short, and never overshoots without a
    /// smoothness prior. That prior changes with the precision of the noise as well: by
    /// `DF - tr (Sigma Phi' B Phi)^2`.
    fn estimate_noise(&mut self, targets: &mut NumberTargets<'_>) -> Result<f64> {
        let n = self.design.rows();
        let smooth = self.limits.smooth;
        let of = |at: &usize| self.pool_columns[at * n..(at + 1) * n].iter().copied();
        let columns: Vec<f64> = self.problem.active.iter().flat_map(of).collect();
        // Both sides of the comparison must be computed from scratch, not by rank-one updates.
        self.problem.refresh()?;
        let (used, old) = (self.problem.degrees_of_freedom(), targets.noise);
        let squares = targets.squared_residuals(&columns, &self.problem.mean);
        let before = self.evidence_of(targets, &columns) - smooth * used;
        let lost =
            if smooth > 0.0 { 2.0 * smooth * (used - self.problem.square_trace()) } else { 0.0 };
        let steps = [
            squares / (targets.total - used - lost).max(Tuning::RESIDUAL_FREEDOM * targets.total),
            (squares + old * (used + lost)) / targets.total,
        ];
        for noise in steps {
            let noise = noise.max(targets.floor);
            self.problem.scale_precisions(targets.noise / noise);
            targets.noise = noise;
            self.problem.refresh()?;
            let after =
                self.evidence_of(targets, &columns) - smooth * self.problem.degrees_of_freedom();
            if after >= before {
                return Ok((noise / old).ln().abs());
            }
        }
        self.problem.scale_precisions(targets.noise / old);
        targets.noise = old;
        self.problem.refresh().map(|()| 0.0)
    }
}

//! The search for numbers: the problem is Gaussian, the noise is estimated with it.

use super::scores::Scores;
use super::{Solution, SparseSearch, Target, unsolved};
use crate::error::Result;
use crate::kernel::design::{multiply, scale, weighted_squares};
use crate::kernel::evidence::{NoiseScale, gaussian};
use crate::kernel::gaussian::{GaussianProblem, halve};
use crate::kernel::irls::add_columns;
use crate::kernel::smoothness::SmoothnessPenalty;

/// Rounds of actions and noise within a pool, and actions for each basis of it: rounding may make
/// actions promise what they do not keep.
const ROUNDS: usize = 100;
const ACTIONS: usize = 10;

/// A change of the logarithm of the noise that is none.
const STEADY: f64 = 1e-5;

/// How much broader than usual the starts from above are: wide kernels explain numbers by large
/// weights that cancel each other.
const BROAD: [f64; 4] = [1e-4, 1e-2, 1.0, 1e2];

/// The numbers and what is always needed of them.
struct NumberTargets<'a> {
    values: &'a [f64],
    weights: Vec<f64>,
    weighted: Vec<f64>,
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
        let weighted: Vec<f64> = values.iter().zip(&weights).map(|(t, w)| w * t).collect();
        let NoiseScale { start, floor } = NoiseScale::of(values, &weights);
        let (noise, fixed) = (noise.unwrap_or(start), noise.is_some());
        Self { values, weights, weighted, total, floor, noise, fixed }
    }

    /// The weighted sum of squared residuals.
    fn squares(&self, columns: &[f64], weights: &[f64]) -> f64 {
        let mut apart = self.values.to_vec();
        let factors: Vec<f64> = weights.iter().map(|weight| -weight).collect();
        add_columns(&mut apart, columns, &factors);
        apart.iter().zip(&self.weights).map(|(r, w)| w * r * r).sum()
    }
}

/// The products of all bases with the targets and with those bases that have been in the model.
#[derive(Default)]
struct BasisProducts {
    squares: Vec<f64>,
    shares: Vec<f64>,
    cross: Vec<(usize, Vec<f64>)>,
}

impl SparseSearch<'_> {
    /// Searches from below, with nothing in the model, and from above, with many bases in it: the
    /// evidence has many peaks.
    pub(super) fn numbers(&mut self, values: &[f64], weights: Option<&[f64]>) -> Result<Solution> {
        let mut numbers = NumberTargets::new(values, weights, self.settings.noise);
        let mut known = BasisProducts::default();
        let mut best = self.climb_numbers(&mut numbers, &mut known)?;
        let wanted = self.settings.explore || best.bases.is_empty();
        for broad in BROAD {
            // Where the sample cannot be solved for, the first end stands.
            if wanted
                && !self.stop.requested()
                && let Ok(other) = self.climb_from_above(&mut numbers, &mut known, weights, broad)
                && other.curve.last() > best.curve.last()
            {
                best = other;
            }
        }
        Ok(best)
    }

    fn climb_from_above(
        &mut self,
        numbers: &mut NumberTargets<'_>,
        known: &mut BasisProducts,
        weights: Option<&[f64]>,
        broad: f64,
    ) -> Result<Solution> {
        numbers.noise = self.begin_from_above(Target::Numbers(numbers.values), weights, broad)?;
        self.climb_numbers(numbers, known)
    }

    /// Pools and sweeps until nothing is left to gain.
    fn climb_numbers(
        &mut self,
        numbers: &mut NumberTargets<'_>,
        known: &mut BasisProducts,
    ) -> Result<Solution> {
        self.sample();
        self.curve.clear();
        let mut before = f64::NEG_INFINITY;
        for sweep in 0.. {
            let (evidence, height) = self.settle_numbers(numbers)?;
            self.curve.push(height);
            self.know(numbers, known);
            let stopped = self.stop.requested();
            let converged = !stopped
                && (self.promised(numbers, known)? <= self.limits.gain
                    || height - before < self.limits.gain);
            if converged || stopped || sweep >= self.settings.sweeps {
                let factor = std::mem::take(&mut self.gauss.factor);
                return Ok(self.finish(&factor, Some(numbers.noise), (evidence, converged)));
            }
            before = height;
        }
        Err(unsolved())
    }

    /// Looks through the matrix for the products with the bases that are new in the model.
    fn know(&self, numbers: &NumberTargets<'_>, known: &mut BasisProducts) {
        let n = self.design.rows();
        known.cross.retain(|(basis, _)| self.state.bases.contains(basis));
        let is_new = |basis: &usize| known.cross.iter().all(|(old, _)| old != basis);
        let new: Vec<usize> = self.state.bases.iter().copied().filter(is_new).collect();
        let first = known.shares.is_empty();
        if new.is_empty() && !first {
            return;
        }
        let mut vectors = Vec::with_capacity((new.len() + 1) * n);
        for (basis, column) in self.state.bases.iter().zip(self.state.columns.chunks_exact(n)) {
            if new.contains(basis) {
                vectors.extend(column.iter().zip(&numbers.weights).map(|(x, w)| x * w));
            }
        }
        if first {
            vectors.extend_from_slice(&numbers.weighted);
        }
        let precisions = if first { &numbers.weights[..] } else { &[] };
        let (mut products, mut squares) = (Vec::new(), Vec::new());
        self.design.pass(self.stop, &vectors, precisions, &mut products, &mut squares);
        let count = vectors.len() / n;
        let column = |at: usize| products.iter().skip(at).step_by(count).copied().collect();
        if first {
            (known.squares, known.shares) = (squares, column(count - 1));
        }
        known.cross.extend(new.iter().enumerate().map(|(at, &basis)| (basis, column(at))));
    }

    /// Scores all bases and makes a new pool of them; returns what the best promises.
    fn promised(&mut self, numbers: &NumberTargets<'_>, known: &BasisProducts) -> Result<f64> {
        if known.squares.iter().any(|square| !square.is_finite()) {
            return Err(unsolved());
        }
        let beta = 1.0 / numbers.noise;
        let of = |basis: &usize| known.cross.iter().find(|(b, _)| b == basis).map(|(_, c)| &c[..]);
        let times = |values: &[f64]| values.iter().map(|v| v * beta).collect::<Vec<f64>>();
        let mut halves: Vec<f64> = self.state.bases.iter().filter_map(of).flat_map(times).collect();
        let (squares, mut q) = (times(&known.squares), times(&known.shares));
        let factors: Vec<f64> = self.state.weights.iter().map(|weight| -weight).collect();
        add_columns(&mut q, &halves, &factors);
        let (alphas, gauss) = (&self.state.alphas, &self.gauss);
        let tolls = SmoothnessPenalty::new(self.limits.smooth, alphas, &gauss.sigma, &halves);
        let (mut s, factor) = (squares.clone(), gauss.factor.clone());
        halve(&mut halves, &factor, &mut s);
        Ok(self.refill(&Scores { s, q, squares, halves, factor, tolls }))
    }

    /// Solves the problem of the pool, noise and all. Returns the log evidence, and that less the
    /// smoothness prior.
    fn settle_numbers(&mut self, numbers: &mut NumberTargets<'_>) -> Result<(f64, f64)> {
        let n = self.design.rows();
        let (p, k) = (self.pool.len(), self.state.bases.len());
        let mut shares = vec![0.0; p];
        multiply(&self.pooled, n, &numbers.weighted, &mut shares);
        let mut scaled = vec![0.0; k * n];
        scale(&self.state.columns, &numbers.weights, &mut scaled);
        let mut cross = vec![0.0; p * k];
        multiply(&self.pooled, n, &scaled, &mut cross);
        let mut squares = vec![0.0; p];
        weighted_squares(&self.pooled, &numbers.weights, &mut squares);
        self.gauss = GaussianProblem::new(squares, shares, cross);
        self.gauss.active = (0..k).collect();
        self.gauss.alphas.clone_from(&self.state.alphas);
        self.gauss.scale(1.0 / numbers.noise);
        if !self.gauss.refresh() {
            return Err(unsolved());
        }
        let mut left = 100 + ACTIONS * p;
        for round in 0..ROUNDS {
            // A few actions, then the noise: with the wrong noise there is nothing to settle.
            let most = if round < 8 { 5 } else { 1000 };
            let acted = self.act_on_numbers(numbers, most.min(left));
            left -= acted;
            let moved = if numbers.fixed { 0.0 } else { self.estimate_noise(numbers)? };
            if left == 0 || (acted == 0 && moved < STEADY) || self.stop.requested() {
                break;
            }
        }
        if !self.gauss.refresh() {
            return Err(unsolved());
        }
        self.adopt();
        let evidence = self.evidence_of(numbers, &self.state.columns);
        let height = evidence - self.limits.smooth * self.gauss.freedom();
        if height.is_finite() { Ok((evidence, height)) } else { Err(unsolved()) }
    }

    /// The log evidence of the problem of the pool, right after a refresh.
    fn evidence_of(&self, numbers: &NumberTargets<'_>, columns: &[f64]) -> f64 {
        let rest = numbers.squares(columns, &self.gauss.mean);
        self.gauss.evidence(gaussian(numbers.total, rest, 1.0 / numbers.noise))
    }

    /// Takes up to `most` actions; says how many.
    fn act_on_numbers(&mut self, numbers: &NumberTargets<'_>, most: usize) -> usize {
        let n = self.design.rows();
        let (pooled, limits) = (&self.pooled, self.limits);
        let mut buffer = vec![0.0; n];
        let mut product = |at: usize, out: &mut [f64]| {
            for (b, (x, w)) in buffer.iter_mut().zip(pooled[at * n..].iter().zip(&numbers.weights))
            {
                *b = x * w / numbers.noise;
            }
            multiply(pooled, n, &buffer, out);
        };
        for acted in 0..most {
            if self.stop.requested() {
                return acted;
            }
            let Some(step) = self.gauss.best(&limits, true) else { return acted };
            self.gauss.act(step.action, &limits, &mut product);
        }
        most
    }

    /// Estimates the noise anew, if that raises the evidence, less the smoothness prior; returns
    /// how far its logarithm moved.
    ///
    /// The squared residuals by the degrees of freedom that are left (Tipping 2001) move fast but
    /// may overshoot; the step of expectation maximisation is short, and never does without a
    /// smoothness prior. That prior changes with the precision of the noise as well: by
    /// `DF - tr (Sigma Phi' B Phi)^2`.
    fn estimate_noise(&mut self, numbers: &mut NumberTargets<'_>) -> Result<f64> {
        let n = self.design.rows();
        let smooth = self.limits.smooth;
        let of = |at: &usize| self.pooled[at * n..(at + 1) * n].iter().copied();
        let columns: Vec<f64> = self.gauss.active.iter().flat_map(of).collect();
        // What the rank-one updates say of the evidence is compared with what it is afresh.
        if !self.gauss.refresh() {
            return Err(unsolved());
        }
        let (used, old) = (self.gauss.freedom(), numbers.noise);
        let rest = numbers.squares(&columns, &self.gauss.mean);
        let before = self.evidence_of(numbers, &columns) - smooth * used;
        let lost = if smooth > 0.0 { 2.0 * smooth * (used - self.gauss.power()) } else { 0.0 };
        let steps = [
            rest / (numbers.total - used - lost).max(1e-3 * numbers.total),
            (rest + old * (used + lost)) / numbers.total,
        ];
        for noise in steps {
            let noise = noise.max(numbers.floor);
            self.gauss.scale(numbers.noise / noise);
            numbers.noise = noise;
            if !self.gauss.refresh() {
                return Err(unsolved());
            }
            let after = self.evidence_of(numbers, &columns) - smooth * self.gauss.freedom();
            if after >= before {
                return Ok((noise / old).ln().abs());
            }
        }
        self.gauss.scale(numbers.noise / old);
        numbers.noise = old;
        if self.gauss.refresh() { Ok(0.0) } else { Err(unsolved()) }
    }
}

//! The search for numbers: the problem is Gaussian, the noise is estimated with it.

use super::offers::Scores;
use super::{Search, Sparse, unsolved};
use crate::error::Result;
use crate::kernel::design::{multiply, scale, weighted_squares};
use crate::kernel::evidence::{gaussian, log_evidence};
use crate::kernel::gauss::{Gauss, halve};
use crate::kernel::irls::add_columns;
use crate::num::{cholesky, dot};
use crate::run::Stop;

/// Rounds of actions and noise within a pool, and actions for each base of it: rounding may make
/// actions promise what they do not keep.
const ROUNDS: usize = 100;
const ACTIONS: usize = 10;

/// A change of the logarithm of the noise that is none.
const STEADY: f64 = 1e-5;

/// Bases to start with from above, and their precision as a share of their weighted square.
const MANY: usize = 24;
const BROAD: f64 = 1e-2;

/// Noise below this share of the targets' own power is rounding.
const FLOOR: f64 = 1e-8;

/// The numbers and what is always needed of them.
struct Numbers<'a> {
    values: &'a [f64],
    weights: Vec<f64>,
    weighted: Vec<f64>,
    total: f64,
    floor: f64,
    noise: f64,
    /// The noise is known and stays.
    fixed: bool,
}

impl<'a> Numbers<'a> {
    fn new(values: &'a [f64], weights: Option<&[f64]>, noise: Option<f64>) -> Self {
        let weights = weights.map_or_else(|| vec![1.0; values.len()], <[f64]>::to_vec);
        let total: f64 = weights.iter().sum();
        let weighted: Vec<f64> = values.iter().zip(&weights).map(|(t, w)| w * t).collect();
        let power = dot(values, &weighted) / total;
        let mean = weighted.iter().sum::<f64>() / total;
        let floor = (FLOOR * power).max(1e-200);
        let start = (0.1 * (power - mean * mean)).max(floor);
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
struct Known {
    squares: Vec<f64>,
    shares: Vec<f64>,
    cross: Vec<(usize, Vec<f64>)>,
}

/// Many bases evenly drawn, each with a precision that lets it explain the data.
fn many(known: &Known, noise: f64) -> Vec<(usize, f64)> {
    let count = known.squares.len();
    let bases = (0..count).step_by(count.div_ceil(MANY).max(1));
    bases.map(|base| (base, BROAD * known.squares[base] / noise)).collect()
}

impl Search<'_> {
    /// Searches from below, with nothing in the model, and from above, with many bases in it: the
    /// evidence has many peaks.
    pub(super) fn numbers(
        &mut self,
        values: &[f64],
        weights: Option<&[f64]>,
        stop: &Stop,
    ) -> Result<Sparse> {
        let mut numbers = Numbers::new(values, weights, self.settings.noise);
        let (mut known, noise) = (Known::default(), numbers.noise);
        let mut found = vec![self.climb_numbers(&mut numbers, &mut known, stop)?];
        if self.settings.explore && !stop.requested() {
            self.begin(&many(&known, noise));
            numbers.noise = noise;
            self.curve.clear();
            found.push(self.climb_numbers(&mut numbers, &mut known, stop)?);
        }
        let best =
            crate::num::argmax(&found.iter().map(|found| found.evidence).collect::<Vec<_>>());
        Ok(found.swap_remove(best))
    }

    /// Pools and sweeps until nothing is left to gain.
    fn climb_numbers(
        &mut self,
        numbers: &mut Numbers<'_>,
        known: &mut Known,
        stop: &Stop,
    ) -> Result<Sparse> {
        self.sample();
        self.settle_numbers(numbers)?;
        let mut before = f64::NEG_INFINITY;
        for sweep in 0.. {
            self.know(numbers, known);
            let (scores, evidence) = self.score_numbers(numbers, known)?;
            self.curve.push(evidence);
            let risen = evidence - before;
            before = evidence;
            let settled = self.refill(&scores) <= self.limits.gain || risen < self.limits.gain;
            if settled || sweep >= self.settings.sweeps || stop.requested() {
                return Ok(self.finish(&scores.factor, Some(numbers.noise), (evidence, settled)));
            }
            self.settle_numbers(numbers)?;
        }
        Err(unsolved())
    }

    /// Looks through the matrix for the products with the bases that are new in the model.
    fn know(&self, numbers: &Numbers<'_>, known: &mut Known) {
        let n = self.design.rows();
        known.cross.retain(|(base, _)| self.state.bases.contains(base));
        let is_new = |base: &usize| known.cross.iter().all(|(old, _)| old != base);
        let new: Vec<usize> = self.state.bases.iter().copied().filter(is_new).collect();
        let first = known.shares.is_empty();
        if new.is_empty() && !first {
            return;
        }
        let mut vectors = Vec::with_capacity((new.len() + 1) * n);
        for (base, column) in self.state.bases.iter().zip(self.state.columns.chunks_exact(n)) {
            if new.contains(base) {
                vectors.extend(column.iter().zip(&numbers.weights).map(|(x, w)| x * w));
            }
        }
        if first {
            vectors.extend_from_slice(&numbers.weighted);
        }
        let precisions = if first { &numbers.weights[..] } else { &[] };
        let (mut products, mut squares) = (Vec::new(), Vec::new());
        self.design.pass(&vectors, precisions, &mut products, &mut squares);
        let count = vectors.len() / n;
        let column = |at: usize| products.iter().skip(at).step_by(count).copied().collect();
        if first {
            (known.squares, known.shares) = (squares, column(count - 1));
        }
        known.cross.extend(new.iter().enumerate().map(|(at, &base)| (base, column(at))));
    }

    /// The scores of all bases and the log evidence.
    fn score_numbers(&mut self, numbers: &Numbers<'_>, known: &Known) -> Result<(Scores, f64)> {
        let (k, beta) = (self.state.bases.len(), 1.0 / numbers.noise);
        let of = |base: &usize| known.cross.iter().find(|(b, _)| b == base).map(|(_, c)| &c[..]);
        let cross: Vec<&[f64]> = self.state.bases.iter().filter_map(of).collect();
        let mut hessian = vec![0.0; k * k];
        for j in 0..k {
            for i in 0..k {
                hessian[j * k + i] = beta * cross[j][self.state.bases[i]];
            }
            hessian[j * k + j] += self.state.alphas[j];
        }
        let mut factor = vec![0.0; k * k];
        if !cholesky::factor_with_jitter(&hessian, k, &mut factor) {
            return Err(unsolved());
        }
        let mut mean: Vec<f64> =
            self.state.bases.iter().map(|&base| beta * known.shares[base]).collect();
        cholesky::solve(&factor, k, &mut mean);
        self.state.weights.clone_from(&mean);
        let times = |values: &[f64]| values.iter().map(|v| v * beta).collect::<Vec<f64>>();
        let (squares, mut q) = (times(&known.squares), times(&known.shares));
        let mut halves: Vec<f64> = cross.iter().flat_map(|cross| times(cross)).collect();
        let factors: Vec<f64> = mean.iter().map(|weight| -weight).collect();
        add_columns(&mut q, &halves, &factors);
        let mut s = squares.clone();
        halve(&mut halves, &factor, &mut s);
        let scores = Scores { s, q, squares, halves, factor };
        let rest = numbers.squares(&self.state.columns, &mean);
        let likelihood = gaussian(numbers.total, rest, beta);
        let evidence = log_evidence(likelihood, &self.state.alphas, &mean, &scores.factor);
        if evidence.is_finite() { Ok((scores, evidence)) } else { Err(unsolved()) }
    }

    /// Solves the problem of the pool, noise and all.
    fn settle_numbers(&mut self, numbers: &mut Numbers<'_>) -> Result<()> {
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
        self.gauss = Gauss::new(squares, shares, cross);
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
            if left == 0 || (acted == 0 && moved < STEADY) {
                break;
            }
        }
        self.adopt();
        Ok(())
    }

    /// Takes up to `most` actions; says how many.
    fn act_on_numbers(&mut self, numbers: &Numbers<'_>, most: usize) -> usize {
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
            let Some(step) = self.gauss.best(&limits, true) else { return acted };
            self.gauss.act(step.action, &limits, &mut product);
        }
        most
    }

    /// Estimates the noise anew, if that raises the evidence; returns how far its logarithm moved.
    ///
    /// The squared residuals by the degrees of freedom that are left (Tipping 2001) move fast but
    /// may overshoot; the step of expectation maximisation never does.
    fn estimate_noise(&mut self, numbers: &mut Numbers<'_>) -> Result<f64> {
        let n = self.design.rows();
        let k = self.gauss.active.len();
        let columns: Vec<f64> = self
            .gauss
            .active
            .iter()
            .flat_map(|&at| self.pooled[at * n..(at + 1) * n].iter().copied())
            .collect();
        // What the rank-one updates say of the evidence is compared with what it is afresh.
        if !self.gauss.refresh() {
            return Err(unsolved());
        }
        let rest = numbers.squares(&columns, &self.gauss.mean);
        let used: f64 =
            (0..k).map(|j| 1.0 - self.gauss.alphas[j] * self.gauss.sigma[j * k + j]).sum();
        let old = numbers.noise;
        let before = self.gauss.evidence(gaussian(numbers.total, rest, 1.0 / old));
        let steps = [
            rest / (numbers.total - used).max(1e-3 * numbers.total),
            (rest + old * used) / numbers.total,
        ];
        for noise in steps {
            let noise = noise.max(numbers.floor);
            self.gauss.scale(numbers.noise / noise);
            numbers.noise = noise;
            if !self.gauss.refresh() {
                return Err(unsolved());
            }
            let rest = numbers.squares(&columns, &self.gauss.mean);
            let after = self.gauss.evidence(gaussian(numbers.total, rest, 1.0 / noise));
            if after >= before {
                return Ok((noise / old).ln().abs());
            }
        }
        self.gauss.scale(numbers.noise / old);
        numbers.noise = old;
        if self.gauss.refresh() { Ok(0.0) } else { Err(unsolved()) }
    }
}

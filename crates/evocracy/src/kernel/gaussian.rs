//! Sparse Bayesian learning of a Gaussian problem among a few candidate bases (M. E. Tipping,
//! A. C. Faul, "Fast marginal likelihood maximisation for sparse Bayesian models", AISTATS 2003).
//!
//! A candidate is known by its inner products alone: with itself (`squares`), with the targets
//! (`target_products`) and with the bases in the model (`cross`), all weighted by the precision of
//! the rows. Each action changes one precision alpha so as to raise the evidence most: it adds a
//! basis, re-estimates its precision, deletes it or replaces it by a candidate. The covariance, the
//! mean and the `S` and `Q` (2.93), (2.94) of all candidates follow by rank-one updates in
//! `O(P k + k^2)`; [`GaussianProblem::refresh`] computes them from scratch, so that rounding errors
//! do not build up.
//!
//! Invariant: `s` and `q` of a basis in the model are those without it, (2.95) and (2.96), which
//! are `1 / Sigma_jj - alpha_j` and `mu_j / Sigma_jj`.

use super::fast::unsolved;
use super::smoothness::SmoothnessPenalty;
use super::tuning::Tuning;
use crate::error::Result;
use crate::num::{add_scaled, cholesky, wide};

/// A change of the model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Action {
    Add {
        candidate: usize,
        alpha: f64,
    },
    Reestimate {
        at: usize,
        alpha: f64,
    },
    /// A candidate replaces a basis in the model.
    Replace {
        at: usize,
        candidate: usize,
        alpha: f64,
    },
    Delete {
        at: usize,
    },
}

/// An action and how much the log evidence rises.
#[derive(Debug, Clone, Copy)]
pub(super) struct Proposal {
    pub(super) action: Action,
    pub(super) gain: f64,
}

/// When actions end, and which of them are allowed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// The least rise of the log evidence that is worth an action.
    pub(super) gain: f64,
    /// A smaller change of log alpha is none.
    pub(super) change: f64,
    /// The factor `c` of the smoothness prior `exp(-c DF)`.
    pub(super) smooth: f64,
    /// Bases with a larger cosine are duplicates.
    pub(super) max_cosine: f64,
    /// The least precision: for separable classes the evidence has no maximum in alpha.
    pub(super) least_alpha: f64,
}

/// The candidates, the model and its posterior.
#[derive(Debug, Clone, Default)]
pub(super) struct GaussianProblem {
    /// `phi' B phi` of each candidate.
    pub(super) squares: Vec<f64>,
    /// `phi' B t` of each candidate.
    pub(super) target_products: Vec<f64>,
    /// The products of all candidates with each basis in the model, one basis after the other.
    pub(super) cross: Vec<f64>,
    /// The candidates that are in the model, with the precision of each.
    pub(super) active: Vec<usize>,
    pub(super) alphas: Vec<f64>,
    /// The posterior mean and covariance of the weights.
    pub(super) mean: Vec<f64>,
    pub(super) sigma: Vec<f64>,
    /// `S` and `Q` of each candidate.
    pub(super) s: Vec<f64>,
    pub(super) q: Vec<f64>,
    in_model: Vec<bool>,
    /// Candidates that turned out to be duplicates of a basis in the model.
    duplicates: Vec<bool>,
    pub(super) factor: Vec<f64>,
    hessian: Vec<f64>,
    whitened: Vec<f64>,
    actions: usize,
}

impl GaussianProblem {
    /// A problem with these products, to be refreshed.
    pub(super) fn new(squares: Vec<f64>, target_products: Vec<f64>, cross: Vec<f64>) -> Self {
        Self { squares, target_products, cross, ..Self::default() }
    }

    pub(super) fn candidates(&self) -> usize {
        self.squares.len()
    }

    /// Computes everything from the products and the precisions; an error where the Hessian has no
    /// Cholesky factor.
    pub(super) fn refresh(&mut self) -> Result<()> {
        let (p, k) = (self.candidates(), self.active.len());
        self.hessian.resize(k * k, 0.0);
        self.factor.resize(k * k, 0.0);
        self.sigma.resize(k * k, 0.0);
        for j in 0..k {
            for i in 0..k {
                self.hessian[j * k + i] = self.cross[j * p + self.active[i]];
            }
            self.hessian[j * k + j] += self.alphas[j];
        }
        if !cholesky::factor_with_jitter(&self.hessian, k, &mut self.factor) {
            return Err(unsolved());
        }
        cholesky::inverse(&self.factor, k, &mut self.sigma);
        self.mean.clear();
        self.mean.extend(self.active.iter().map(|&at| self.target_products[at]));
        cholesky::solve(&self.factor, k, &mut self.mean);
        self.score_candidates();
        self.in_model.clear();
        self.in_model.resize(p, false);
        self.active.iter().for_each(|&at| self.in_model[at] = true);
        self.duplicates.resize(p, false);
        self.actions = 0;
        Ok(())
    }

    /// The log evidence of the model, with the log-likelihood at its mean; right after a refresh.
    pub(super) fn evidence(&self, log_likelihood: f64) -> f64 {
        super::evidence::log_evidence(log_likelihood, &self.alphas, &self.mean, &self.factor)
    }

    /// The degrees of freedom of the model, (3.15): the trace of its smoothing matrix.
    pub(super) fn degrees_of_freedom(&self) -> f64 {
        let k = self.active.len();
        (0..k).map(|j| 1.0 - self.alphas[j] * self.sigma[j * k + j]).sum()
    }

    /// The trace of the square of the smoothing matrix, whose weight space form is `1 - Sigma A`.
    pub(super) fn square_trace(&self) -> f64 {
        let k = self.active.len();
        let term = |i: usize, j: usize| self.sigma[j * k + i].powi(2) * self.alphas[i];
        let twice: f64 =
            (0..k).map(|j| self.alphas[j] * (0..k).map(|i| term(i, j)).sum::<f64>()).sum();
        2.0 * self.degrees_of_freedom() - k as f64 + twice
    }

    /// Multiplies the precision of all rows by a factor.
    pub(super) fn scale_precisions(&mut self, factor: f64) {
        for values in [&mut self.squares, &mut self.target_products, &mut self.cross] {
            for value in values.iter_mut() {
                *value *= factor;
            }
        }
    }

    /// `S` and `Q` of all candidates from mean and covariance.
    fn score_candidates(&mut self) {
        self.s.clone_from(&self.squares);
        self.q.clone_from(&self.target_products);
        for (mean, cross) in self.mean.iter().zip(self.cross.chunks_exact(self.q.len().max(1))) {
            add_scaled(&mut self.q, -mean, cross);
        }
        self.whitened.clone_from(&self.cross);
        whiten(&mut self.whitened, &self.factor, &mut self.s);
    }

    /// The action that raises the evidence most; `None` where none is worth it.
    pub(super) fn best_action(&self, limits: &Limits, adding: bool) -> Option<Proposal> {
        let mut best: Option<Proposal> = None;
        let mut consider = |found: Option<Proposal>| {
            if let Some(found) = found
                && found.gain > best.map_or(0.0, |best| best.gain)
            {
                best = Some(found);
            }
        };
        let penalty = SmoothnessPenalty::new(limits.smooth, &self.alphas, &self.sigma, &self.cross);
        for at in 0..self.active.len() {
            consider(self.best_change(at, limits, &penalty));
        }
        if adding {
            for m in (0..self.candidates()).filter(|&m| !self.in_model[m] && !self.duplicates[m]) {
                let s = self.s[m];
                let q2 = self.q[m] * self.q[m] - penalty.of(m, s);
                if q2 > s {
                    let (alpha, gain) = best_alpha(s, q2, self.squares[m], limits);
                    let action = Action::Add { candidate: m, alpha };
                    consider((gain > limits.gain).then_some(Proposal { action, gain }));
                }
            }
        }
        if adding && best.is_none() { self.best_replacement(limits, &penalty) } else { best }
    }

    /// The best replacement of a basis in the model by a candidate.
    fn best_replacement(&self, limits: &Limits, penalty: &SmoothnessPenalty) -> Option<Proposal> {
        let (p, k) = (self.candidates(), self.active.len());
        let mut best: Option<Proposal> = None;
        let mut z = vec![0.0; p];
        for at in 0..k {
            let column = &self.sigma[at * k..(at + 1) * k];
            let (own, mean, alpha) = (column[at], self.mean[at], self.alphas[at]);
            let held = (mean / own).powi(2) - penalty.own(at);
            let loss = evidence_term(alpha, 1.0 / own - alpha, held);
            z.fill(0.0);
            for (sigma, cross) in column.iter().zip(self.cross.chunks_exact(p)) {
                add_scaled(&mut z, *sigma, cross);
            }
            let penalty = penalty.without(at, column);
            for m in (0..p).filter(|&m| !self.in_model[m]) {
                let (s, q) = (self.s[m] + z[m] * z[m] / own, self.q[m] + mean * z[m] / own);
                let q2 = q * q - penalty.of(m, s);
                if q2 <= s * (1.0 + 2.0 * loss.max(0.0)) {
                    continue;
                }
                let (alpha, gain) = best_alpha(s, q2, self.squares[m], limits);
                let gain = gain - loss;
                if gain > best.map_or(limits.gain, |best| best.gain)
                    && !self.is_duplicate(m, Some(at), limits)
                {
                    let action = Action::Replace { at, candidate: m, alpha };
                    best = Some(Proposal { action, gain });
                }
            }
        }
        best
    }

    /// The best action on a basis in the model: to re-estimate its precision or to delete it.
    fn best_change(
        &self,
        at: usize,
        limits: &Limits,
        penalty: &SmoothnessPenalty,
    ) -> Option<Proposal> {
        let k = self.active.len();
        let (alpha, own) = (self.alphas[at], self.sigma[at * k + at]);
        let square = self.squares[self.active[at]];
        let (s, q2) = (1.0 / own - alpha, (self.mean[at] / own).powi(2) - penalty.own(at));
        let held = evidence_term(alpha, s, q2);
        // Where the best precision is infinite the basis is deleted, however small the gain.
        if s <= 0.0 || q2 <= s {
            let gain = (-held).max(f64::MIN_POSITIVE);
            return Some(Proposal { action: Action::Delete { at }, gain });
        }
        let (wanted, gain) = best_alpha(s, q2, square, limits);
        let (change, gain) = ((wanted / alpha).ln().abs(), gain - held);
        (change > limits.change || gain > limits.gain).then_some(Proposal {
            action: Action::Reestimate { at, alpha: wanted },
            gain: gain.max(f64::MIN_POSITIVE),
        })
    }

    /// Whether a candidate is a duplicate of a basis in the model, other than the one at `except`.
    fn is_duplicate(&self, candidate: usize, except: Option<usize>, limits: &Limits) -> bool {
        let (p, own) = (self.candidates(), limits.max_cosine * self.squares[candidate].sqrt());
        self.active
            .iter()
            .enumerate()
            .filter(|(j, _)| Some(*j) != except)
            .any(|(j, &at)| self.cross[j * p + candidate].abs() > own * self.squares[at].sqrt())
    }

    /// Applies an action. `product` writes the products of all candidates with an added basis.
    /// `false` where a basis to be added is a duplicate: it will not be proposed again.
    pub(super) fn apply(
        &mut self,
        action: Action,
        limits: &Limits,
        product: &mut dyn FnMut(usize, &mut [f64]),
    ) -> bool {
        match action {
            Action::Add { candidate, alpha } => {
                if self.is_duplicate(candidate, None, limits) {
                    self.duplicates[candidate] = true;
                    return false;
                }
                self.add(candidate, alpha, product);
            }
            Action::Reestimate { at, alpha } => {
                let k = self.active.len();
                let by = 1.0 / (alpha - self.alphas[at]);
                let kappa = 1.0 / (self.sigma[at * k + at] + by);
                self.change_alpha(at, kappa);
                self.alphas[at] = alpha;
            }
            Action::Delete { at } => self.delete(at),
            Action::Replace { at, candidate, alpha } => {
                self.delete(at);
                self.add(candidate, alpha, product);
            }
        }
        self.actions += 1;
        if self.actions < Tuning::REFRESH {
            return true;
        }
        // Where the factorisation fails, the results of the rank-one updates stay.
        let _ = self.refresh();
        true
    }

    fn add(&mut self, candidate: usize, alpha: f64, product: &mut dyn FnMut(usize, &mut [f64])) {
        let (p, k) = (self.candidates(), self.active.len());
        self.cross.resize((k + 1) * p, 0.0);
        let (known, new) = self.cross.split_at_mut(k * p);
        product(candidate, new);
        // u = Sigma c, and the products with what is left of the basis beside the model.
        let mut u = vec![0.0; k];
        for (j, column) in self.sigma.chunks_exact(k.max(1)).enumerate().take(k) {
            add_scaled(&mut u, known[j * p + candidate], column);
        }
        let mut rest = new.to_vec();
        for (j, column) in known.chunks_exact(p).enumerate() {
            add_scaled(&mut rest, -u[j], column);
        }
        let variance = 1.0 / (alpha + self.s[candidate]);
        let weight = variance * self.q[candidate];
        let mut sigma = vec![0.0; (k + 1) * (k + 1)];
        for j in 0..k {
            for i in 0..k {
                sigma[j * (k + 1) + i] = self.sigma[j * k + i] + variance * u[i] * u[j];
            }
            sigma[j * (k + 1) + k] = -variance * u[j];
            sigma[k * (k + 1) + j] = -variance * u[j];
        }
        sigma[k * (k + 1) + k] = variance;
        self.sigma = sigma;
        add_scaled(&mut self.mean, -weight, &u);
        self.mean.push(weight);
        self.rescore(&rest, -variance, -weight);
        self.active.push(candidate);
        self.alphas.push(alpha);
        self.in_model[candidate] = true;
    }

    /// `S_m += squared * rest_m^2` and `Q_m += linear * rest_m` for all candidates.
    fn rescore(&mut self, rest: &[f64], squared: f64, linear: f64) {
        for ((s, q), rest) in self.s.iter_mut().zip(&mut self.q).zip(rest) {
            *s += squared * rest * rest;
            *q += linear * rest;
        }
    }

    /// Updates covariance, mean and scores for a change of one precision.
    fn change_alpha(&mut self, at: usize, kappa: f64) {
        let (p, k) = (self.candidates(), self.active.len());
        let column = self.sigma[at * k..(at + 1) * k].to_vec();
        let mean = self.mean[at];
        let mut rest = vec![0.0; p];
        for (j, cross) in self.cross.chunks_exact(p).enumerate().take(k) {
            add_scaled(&mut rest, column[j], cross);
        }
        for j in 0..k {
            add_scaled(&mut self.sigma[j * k..(j + 1) * k], -kappa * column[j], &column);
        }
        add_scaled(&mut self.mean, -kappa * mean, &column);
        self.rescore(&rest, kappa, kappa * mean);
    }

    fn delete(&mut self, at: usize) {
        let (p, k) = (self.candidates(), self.active.len());
        self.change_alpha(at, 1.0 / self.sigma[at * k + at]);
        let kept = |i: usize| i != at;
        let sigma = (0..k * k).filter(|&cell| kept(cell / k) && kept(cell % k));
        self.sigma = sigma.map(|cell| self.sigma[cell]).collect();
        self.cross.drain(at * p..(at + 1) * p);
        self.mean.remove(at);
        self.alphas.remove(at);
        self.in_model[self.active.remove(at)] = false;
        // Duplicates of this basis may be added now.
        self.duplicates.fill(false);
    }
}

/// Whitens the products of candidates with bases, one basis after the other: multiplies them by
/// `L^-1` and subtracts their squares from `s`, as `S = square - c' Sigma c` with
/// `Sigma = L^-T L^-1`.
pub(super) fn whiten(cross: &mut [f64], factor: &[f64], s: &mut [f64]) {
    let p = s.len().max(1);
    let k = cross.len() / p;
    wide(
        #[inline(always)]
        || {
            for j in 0..k {
                let (done, rest) = cross.split_at_mut(j * p);
                let own = &mut rest[..p];
                for (i, done) in done.chunks_exact(p).enumerate() {
                    add_scaled(own, -factor[i * k + j], done);
                }
                let inverse = 1.0 / factor[j * k + j];
                for (own, s) in own.iter_mut().zip(s.iter_mut()) {
                    *own *= inverse;
                    *s -= *own * *own;
                }
            }
        },
    );
}

/// The part of the log evidence that depends on one precision, (2.86). `q2` is `q^2` less the
/// smoothness penalty.
pub(super) fn evidence_term(alpha: f64, s: f64, q2: f64) -> f64 {
    0.5 * ((alpha / (alpha + s)).ln() + q2 / (alpha + s))
}

/// The best precision (2.91) for `q2 > s`, clamped, and its gain over an infinite one.
pub(super) fn best_alpha(s: f64, q2: f64, square: f64, limits: &Limits) -> (f64, f64) {
    let least = limits.least_alpha.max(square / Tuning::LOWEST_ALPHA);
    let alpha = (s / (q2 / s - 1.0)).clamp(least, (square * Tuning::HIGHEST_ALPHA).max(least));
    (alpha, evidence_term(alpha, s, q2))
}

//! Sparse Bayesian learning of a Gaussian problem among a few candidate bases (M. E. Tipping,
//! A. C. Faul, "Fast marginal likelihood maximisation for sparse Bayesian models", AISTATS 2003).
//!
//! A candidate is known by its products alone: with itself (`squares`), with the targets
//! (`shares`) and with the bases in the model (`cross`), all weighted by the precision of the
//! rows. Each action changes one precision alpha so as to raise the evidence most: it adds a
//! basis, estimates it anew or deletes it. The covariance, the mean and the `S` and `Q` (2.93),
//! (2.94) of all candidates follow by rank-one updates in `O(P k + k^2)`;
//! [`Gauss::refresh`] computes them from scratch, so that rounding does not build up.
//!
//! Invariant: `s` and `q` of a basis in the model are those without it, (2.95) and (2.96), which
//! are `1 / Sigma_jj - alpha_j` and `mu_j / Sigma_jj`.

use super::smoothness::SmoothnessPenalty;
use crate::num::{add_scaled, cholesky, wide};

/// Rounding is swept out after so many actions.
const FRESH: usize = 64;

/// A precision is at most so many times the basis's own square, and at least that square by so
/// much: targets far from 0 need a bias that is far larger than the noise.
const HIGH: f64 = 1e12;
pub(super) const LOW: f64 = 1e26;

/// What an action would do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Action {
    Add {
        candidate: usize,
        alpha: f64,
    },
    Change {
        at: usize,
        alpha: f64,
    },
    /// A candidate takes the place of a basis.
    Place {
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

/// When actions end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// A rise of the evidence that is not worth an action.
    pub(super) gain: f64,
    /// A change of log alpha that is none.
    pub(super) change: f64,
    /// How strongly the smoothness prior `exp(-c DF)` counts.
    pub(super) smooth: f64,
    /// Bases whose cosine is beyond this are the same.
    pub(super) aligned: f64,
    /// The least precision: classes that can be told apart without error have no best one.
    pub(super) least: f64,
}

#[derive(Debug, Clone, Default)]
pub(super) struct GaussianProblem {
    /// Of each candidate.
    pub(super) squares: Vec<f64>,
    pub(super) shares: Vec<f64>,
    /// The products of all candidates with a basis, one basis after the other.
    pub(super) cross: Vec<f64>,
    /// The candidates that are in the model, with the precision of each.
    pub(super) active: Vec<usize>,
    pub(super) alphas: Vec<f64>,
    /// The weights and their covariance.
    pub(super) mean: Vec<f64>,
    pub(super) sigma: Vec<f64>,
    /// `S` and `Q` of each candidate.
    pub(super) s: Vec<f64>,
    pub(super) q: Vec<f64>,
    within: Vec<bool>,
    /// Candidates that turned out to be copies of a basis in the model.
    barred: Vec<bool>,
    pub(super) factor: Vec<f64>,
    hessian: Vec<f64>,
    halves: Vec<f64>,
    actions: usize,
}

impl GaussianProblem {
    /// A problem with these products, to be refreshed.
    pub(super) fn new(squares: Vec<f64>, shares: Vec<f64>, cross: Vec<f64>) -> Self {
        Self { squares, shares, cross, ..Self::default() }
    }

    pub(super) fn candidates(&self) -> usize {
        self.squares.len()
    }

    /// Everything from the products and the precisions. `false` where the covariance cannot be
    /// computed.
    pub(super) fn refresh(&mut self) -> bool {
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
            return false;
        }
        cholesky::inverse(&self.factor, k, &mut self.sigma);
        self.mean.clear();
        self.mean.extend(self.active.iter().map(|&at| self.shares[at]));
        cholesky::solve(&self.factor, k, &mut self.mean);
        self.score();
        self.within.clear();
        self.within.resize(p, false);
        self.active.iter().for_each(|&at| self.within[at] = true);
        self.barred.resize(p, false);
        self.actions = 0;
        true
    }

    /// The log evidence of the model, with the log-likelihood at its mean; right after a refresh.
    pub(super) fn evidence(&self, log_likelihood: f64) -> f64 {
        super::evidence::log_evidence(log_likelihood, &self.alphas, &self.mean, &self.factor)
    }

    /// The degrees of freedom that the model has used, (3.15): those of its smoothing matrix.
    pub(super) fn freedom(&self) -> f64 {
        let k = self.active.len();
        (0..k).map(|j| 1.0 - self.alphas[j] * self.sigma[j * k + j]).sum()
    }

    /// The trace of the square of the smoothing matrix, whose weight space form is `1 - Sigma A`.
    pub(super) fn power(&self) -> f64 {
        let k = self.active.len();
        let turned = |i: usize, j: usize| self.sigma[j * k + i].powi(2) * self.alphas[i];
        let twice: f64 =
            (0..k).map(|j| self.alphas[j] * (0..k).map(|i| turned(i, j)).sum::<f64>()).sum();
        2.0 * self.freedom() - k as f64 + twice
    }

    /// Multiplies the precision of all rows.
    pub(super) fn scale(&mut self, factor: f64) {
        for values in [&mut self.squares, &mut self.shares, &mut self.cross] {
            for value in values.iter_mut() {
                *value *= factor;
            }
        }
    }

    /// `S` and `Q` of all candidates from mean and covariance.
    fn score(&mut self) {
        self.s.clone_from(&self.squares);
        self.q.clone_from(&self.shares);
        for (mean, cross) in self.mean.iter().zip(self.cross.chunks_exact(self.q.len().max(1))) {
            add_scaled(&mut self.q, -mean, cross);
        }
        self.halves.clone_from(&self.cross);
        halve(&mut self.halves, &self.factor, &mut self.s);
    }

    /// The action that raises the evidence most; `None` where none is worth it.
    pub(super) fn best(&self, limits: &Limits, adding: bool) -> Option<Proposal> {
        let mut best: Option<Proposal> = None;
        let mut offer = |found: Option<Proposal>| {
            if let Some(found) = found
                && found.gain > best.map_or(0.0, |best| best.gain)
            {
                best = Some(found);
            }
        };
        let tolls = SmoothnessPenalty::new(limits.smooth, &self.alphas, &self.sigma, &self.cross);
        for at in 0..self.active.len() {
            offer(self.judge(at, limits, &tolls));
        }
        if adding {
            for m in (0..self.candidates()).filter(|&m| !self.within[m] && !self.barred[m]) {
                let s = self.s[m];
                let pull = self.q[m] * self.q[m] - tolls.of(m, s);
                if pull > s {
                    let (alpha, gain) = rise(s, pull, self.squares[m], limits);
                    let action = Action::Add { candidate: m, alpha };
                    offer((gain > limits.gain).then_some(Proposal { action, gain }));
                }
            }
        }
        if adding && best.is_none() { self.place(limits, &tolls) } else { best }
    }

    /// The best candidate to take the place of a basis in the model.
    fn place(&self, limits: &Limits, tolls: &SmoothnessPenalty) -> Option<Proposal> {
        let (p, k) = (self.candidates(), self.active.len());
        let mut best: Option<Proposal> = None;
        let mut z = vec![0.0; p];
        for at in 0..k {
            let column = &self.sigma[at * k..(at + 1) * k];
            let (own, mean, alpha) = (column[at], self.mean[at], self.alphas[at]);
            let held = (mean / own).powi(2) - tolls.own(at);
            let loss = level(alpha, 1.0 / own - alpha, held);
            z.fill(0.0);
            for (sigma, cross) in column.iter().zip(self.cross.chunks_exact(p)) {
                add_scaled(&mut z, *sigma, cross);
            }
            let tolls = tolls.without(at, column);
            for m in (0..p).filter(|&m| !self.within[m]) {
                let (s, q) = (self.s[m] + z[m] * z[m] / own, self.q[m] + mean * z[m] / own);
                let pull = q * q - tolls.of(m, s);
                if pull <= s * (1.0 + 2.0 * loss.max(0.0)) {
                    continue;
                }
                let (alpha, gain) = rise(s, pull, self.squares[m], limits);
                let gain = gain - loss;
                if gain > best.map_or(limits.gain, |best| best.gain)
                    && !self.is_copy(m, Some(at), limits)
                {
                    let action = Action::Place { at, candidate: m, alpha };
                    best = Some(Proposal { action, gain });
                }
            }
        }
        best
    }

    /// What is best for a basis in the model.
    fn judge(&self, at: usize, limits: &Limits, tolls: &SmoothnessPenalty) -> Option<Proposal> {
        let k = self.active.len();
        let (alpha, own) = (self.alphas[at], self.sigma[at * k + at]);
        let square = self.squares[self.active[at]];
        let (s, pull) = (1.0 / own - alpha, (self.mean[at] / own).powi(2) - tolls.own(at));
        let held = level(alpha, s, pull);
        // A basis that must go goes, however little the evidence rises.
        if s <= 0.0 || pull <= s {
            let gain = (-held).max(f64::MIN_POSITIVE);
            return Some(Proposal { action: Action::Delete { at }, gain });
        }
        let (wanted, gain) = rise(s, pull, square, limits);
        let (change, gain) = ((wanted / alpha).ln().abs(), gain - held);
        (change > limits.change || gain > limits.gain).then_some(Proposal {
            action: Action::Change { at, alpha: wanted },
            gain: gain.max(f64::MIN_POSITIVE),
        })
    }

    /// Whether a candidate is the same as a basis in the model, other than the one at `beside`.
    fn is_copy(&self, candidate: usize, beside: Option<usize>, limits: &Limits) -> bool {
        let (p, own) = (self.candidates(), limits.aligned * self.squares[candidate].sqrt());
        self.active
            .iter()
            .enumerate()
            .filter(|(j, _)| Some(*j) != beside)
            .any(|(j, &at)| self.cross[j * p + candidate].abs() > own * self.squares[at].sqrt())
    }

    /// Does it. `product` writes the products of all candidates with a basis that comes. `false`
    /// where a basis that was to come is a copy of one that is there: it will not be offered again.
    pub(super) fn act(
        &mut self,
        action: Action,
        limits: &Limits,
        product: &mut dyn FnMut(usize, &mut [f64]),
    ) -> bool {
        match action {
            Action::Add { candidate, alpha } => {
                if self.is_copy(candidate, None, limits) {
                    self.barred[candidate] = true;
                    return false;
                }
                self.add(candidate, alpha, product);
            }
            Action::Change { at, alpha } => {
                let k = self.active.len();
                let by = 1.0 / (alpha - self.alphas[at]);
                let kappa = 1.0 / (self.sigma[at * k + at] + by);
                self.shift(at, kappa);
                self.alphas[at] = alpha;
            }
            Action::Delete { at } => self.delete(at),
            Action::Place { at, candidate, alpha } => {
                self.delete(at);
                self.add(candidate, alpha, product);
            }
        }
        self.actions += 1;
        if self.actions < FRESH {
            return true;
        }
        // Where rounding has won, what the rank-one updates say is all there is.
        let _ = self.refresh();
        true
    }

    fn add(&mut self, candidate: usize, alpha: f64, product: &mut dyn FnMut(usize, &mut [f64])) {
        let (p, k) = (self.candidates(), self.active.len());
        self.cross.resize((k + 1) * p, 0.0);
        let (known, new) = self.cross.split_at_mut(k * p);
        product(candidate, new);
        // u = Sigma c, and what of the basis the model does not already hold.
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
        self.within[candidate] = true;
    }

    /// `S_m += squared * rest_m^2` and `Q_m += linear * rest_m` for all candidates.
    fn rescore(&mut self, rest: &[f64], squared: f64, linear: f64) {
        for ((s, q), rest) in self.s.iter_mut().zip(&mut self.q).zip(rest) {
            *s += squared * rest * rest;
            *q += linear * rest;
        }
    }

    /// What a change of one precision does to covariance, mean and scores.
    fn shift(&mut self, at: usize, kappa: f64) {
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
        self.shift(at, 1.0 / self.sigma[at * k + at]);
        let kept = |i: usize| i != at;
        let sigma = (0..k * k).filter(|&cell| kept(cell / k) && kept(cell % k));
        self.sigma = sigma.map(|cell| self.sigma[cell]).collect();
        self.cross.drain(at * p..(at + 1) * p);
        self.mean.remove(at);
        self.alphas.remove(at);
        self.within[self.active.remove(at)] = false;
        // What was a copy of this basis may come now.
        self.barred.fill(false);
    }
}

/// Multiplies the products of candidates with bases, one basis after the other, by `L^-1`, and
/// takes their squares from `s`: `S = square - c' Sigma c` with `Sigma = L^-T L^-1`.
pub(super) fn halve(cross: &mut [f64], factor: &[f64], s: &mut [f64]) {
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

/// The part of the log evidence that depends on one precision, (2.86), where `pull` is `q^2`, less
/// what the smoothness prior takes from it.
pub(super) fn level(alpha: f64, s: f64, pull: f64) -> f64 {
    0.5 * ((alpha / (alpha + s)).ln() + pull / (alpha + s))
}

/// The best precision (2.91) for `pull > s`, within reach, and how much better it is than none.
pub(super) fn rise(s: f64, pull: f64, square: f64, limits: &Limits) -> (f64, f64) {
    let least = limits.least.max(square / LOW);
    let alpha = (s / (pull / s - 1.0)).clamp(least, (square * HIGH).max(least));
    (alpha, level(alpha, s, pull))
}

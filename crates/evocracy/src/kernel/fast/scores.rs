//! The gains of all candidates, as a sweep finds them.

use super::ActiveSet;
use crate::kernel::gaussian::{Limits, best_alpha, evidence_term};
use crate::kernel::irls::add_columns;
use crate::kernel::smoothness::SmoothnessPenalty;
use crate::kernel::tuning::{ClassTuning, PoolTuning};
use crate::num::{cholesky, dot};

/// The scores of all bases, and what the gain of a replacement follows from.
#[derive(Debug, Default)]
pub(super) struct Scores {
    /// `S` and `Q` of each basis, and its weighted square.
    pub(super) s: Vec<f64>,
    pub(super) q: Vec<f64>,
    pub(super) squares: Vec<f64>,
    /// `L^-1` times the products of each basis with those in the model: the first entry of all
    /// bases, the second, ...
    pub(super) whitened: Vec<f64>,
    /// The Cholesky factor `L` of the model's Hessian.
    pub(super) factor: Vec<f64>,
    pub(super) penalty: SmoothnessPenalty,
}

/// A candidate that may replace basis `at` of the model.
#[derive(Debug, Clone, Copy)]
pub(super) struct Replacement {
    pub(super) at: usize,
    pub(super) basis: usize,
    pub(super) alpha: f64,
    pub(super) weight: f64,
    gain: f64,
}

impl Scores {
    /// The best replacements of each basis in the model with a gain or a small loss, the best
    /// first.
    pub(super) fn replacements(
        &self,
        model: &ActiveSet,
        limits: &Limits,
        each: usize,
    ) -> Vec<Replacement> {
        let mut all = Vec::new();
        for at in 0..model.bases.len() {
            let mut own: Vec<Replacement> = Vec::new();
            self.each_replacement(model, at, |basis, s, q, q2, loss| {
                if model.bases.contains(&basis)
                    || s <= PoolTuning::INDEPENDENT_SHARE * self.squares[basis]
                    || q2 <= s
                {
                    return;
                }
                let (alpha, gain) = best_alpha(s, q2, self.squares[basis], limits);
                let gain = gain - loss;
                if gain > -ClassTuning::REPLACEMENT_LOSS {
                    own.push(Replacement { at, basis, alpha, weight: q / (alpha + s), gain });
                }
            });
            own.sort_unstable_by(|a, b| b.gain.total_cmp(&a.gain).then(a.basis.cmp(&b.basis)));
            own.truncate(each);
            all.extend(own);
        }
        all.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        all
    }

    /// Every candidate that is worth adding or worth replacing a basis in the model, or nearly so,
    /// with its gain; the best first.
    pub(super) fn ranked(&self, model: &ActiveSet, limits: &Limits) -> Vec<(f64, usize)> {
        let mut gains: Vec<f64> = (0..self.s.len())
            .map(|m| {
                let q2 = self.q[m] * self.q[m] - self.penalty.of(m, self.s[m]);
                gain(self.s[m], q2, self.squares[m], limits)
            })
            .collect();
        let tolerated = PoolTuning::TOLERATED_LOSSES * limits.gain;
        self.raise_by_replacements(model, limits, tolerated, &mut gains);
        for &basis in &model.bases {
            gains[basis] = f64::NEG_INFINITY;
        }
        let mut ranked: Vec<(f64, usize)> = gains
            .into_iter()
            .enumerate()
            .filter(|(_, gain)| *gain > -tolerated)
            .map(|(m, gain)| (gain, m))
            .collect();
        ranked.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        ranked
    }

    /// Raises the gain of each basis to that of its best replacement; those that lose more than
    /// `tolerated` are skipped.
    fn raise_by_replacements(
        &self,
        model: &ActiveSet,
        limits: &Limits,
        tolerated: f64,
        gains: &mut [f64],
    ) {
        for at in 0..model.bases.len() {
            self.each_replacement(model, at, |m, s, _, q2, loss| {
                // `(q2 / s - 1) / 2` bounds the gain from above and spares the logarithm.
                if q2 > s * (1.0 + 2.0 * (loss - tolerated).max(0.0)) {
                    let gain = gain(s, q2, self.squares[m], limits) - loss;
                    gains[m] = gains[m].max(gain);
                }
            });
        }
    }

    /// Calls `visit` with every basis, its `S`, `Q` and `Q^2` less the smoothness penalty in the
    /// model without basis `at`, and the loss of evidence without that one. `S` grows by
    /// `z^2 / Sigma_jj` and `Q` by `mu_j z / Sigma_jj`, where `z` is the product of the candidate
    /// with column `j` of `Phi Sigma`.
    fn each_replacement(
        &self,
        model: &ActiveSet,
        at: usize,
        mut visit: impl FnMut(usize, f64, f64, f64, f64),
    ) {
        let k = model.bases.len();
        let mut unit = vec![0.0; k];
        unit[at] = 1.0;
        cholesky::forward(&self.factor, k, &mut unit);
        let own = dot(&unit, &unit);
        let (mean, alpha) = (model.weights[at], model.alphas[at]);
        let loss =
            evidence_term(alpha, 1.0 / own - alpha, (mean / own).powi(2) - self.penalty.own(at));
        let mut z = vec![0.0; self.s.len()];
        add_columns(&mut z, &self.whitened, &unit);
        let mut column = vec![0.0; k];
        column[at] = 1.0;
        cholesky::solve(&self.factor, k, &mut column);
        let penalty = self.penalty.without(at, &column);
        for (m, &z) in z.iter().enumerate() {
            let (s, q) = (self.s[m] + z * z / own, self.q[m] + mean * z / own);
            visit(m, s, q, q * q - penalty.of(m, s), loss);
        }
    }
}

/// The gain of adding a basis with these scores; minus infinity where it should not be added.
fn gain(s: f64, q2: f64, square: f64, limits: &Limits) -> f64 {
    if s > PoolTuning::INDEPENDENT_SHARE * square && q2 > s {
        best_alpha(s, q2, square, limits).1
    } else {
        f64::NEG_INFINITY
    }
}

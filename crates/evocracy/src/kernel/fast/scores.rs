//! What the candidates of a sweep promise.

use super::ActiveSet;
use crate::kernel::gaussian::{Limits, level, rise};
use crate::kernel::irls::add_columns;
use crate::kernel::smoothness::SmoothnessPenalty;
use crate::num::{cholesky, dot};

/// A candidate of which the model holds all but this share has nothing of its own.
const OWN: f64 = 1e-10;

/// An offer may lose so many times what counts as a gain: once another basis has moved, it may be
/// worth it.
const NEAR: f64 = 10.0;

/// What a trial may seem to lose around the old mode and still be worth trying.
const NEARLY: f64 = 1.0;

/// The scores of all bases, and how the model looks from where they stand.
#[derive(Debug, Default)]
pub(super) struct Scores {
    /// `S` and `Q` of each basis, and its weighted square.
    pub(super) s: Vec<f64>,
    pub(super) q: Vec<f64>,
    pub(super) squares: Vec<f64>,
    /// `L^-1` times the products of each basis with those in the model: the first number of all
    /// bases, the second, ...
    pub(super) halves: Vec<f64>,
    /// The Cholesky factor `L` of the model.
    pub(super) factor: Vec<f64>,
    /// What a smoothness prior takes.
    pub(super) tolls: SmoothnessPenalty,
}

/// A candidate in the place of a basis in the model.
#[derive(Debug, Clone, Copy)]
pub(super) struct Replacement {
    pub(super) at: usize,
    pub(super) basis: usize,
    pub(super) alpha: f64,
    pub(super) weight: f64,
    gain: f64,
}

impl Scores {
    /// The best candidates for the place of each basis in the model, nearly worth it or more; the
    /// best first.
    pub(super) fn trials(
        &self,
        state: &ActiveSet,
        limits: &Limits,
        each: usize,
    ) -> Vec<Replacement> {
        let mut all = Vec::new();
        for at in 0..state.bases.len() {
            let mut own: Vec<Replacement> = Vec::new();
            self.place(state, at, |basis, s, q, pull, loss| {
                if state.bases.contains(&basis) || s <= OWN * self.squares[basis] || pull <= s {
                    return;
                }
                let (alpha, gain) = rise(s, pull, self.squares[basis], limits);
                let gain = gain - loss;
                if gain > -NEARLY {
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

    /// Every candidate whose coming raises the evidence, or nearly so, beside the bases in the
    /// model or in the place of one, with the rise; the best first.
    pub(super) fn offers(&self, state: &ActiveSet, limits: &Limits) -> Vec<(f64, usize)> {
        let mut gains: Vec<f64> = (0..self.s.len())
            .map(|m| {
                let pull = self.q[m] * self.q[m] - self.tolls.of(m, self.s[m]);
                gain(self.s[m], pull, self.squares[m], limits)
            })
            .collect();
        let near = NEAR * limits.gain;
        self.places(state, limits, near, &mut gains);
        for &basis in &state.bases {
            gains[basis] = f64::NEG_INFINITY;
        }
        let mut offers: Vec<(f64, usize)> = gains
            .into_iter()
            .enumerate()
            .filter(|(_, gain)| *gain > -near)
            .map(|(m, gain)| (gain, m))
            .collect();
        offers.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        offers
    }

    /// Raises the gain of each basis to what it is worth in the place of another; what loses more
    /// than `near` is passed over.
    fn places(&self, state: &ActiveSet, limits: &Limits, near: f64, gains: &mut [f64]) {
        for at in 0..state.bases.len() {
            self.place(state, at, |m, s, _, pull, loss| {
                // What is too little even by half of `pull / s - 1` is not worth a logarithm.
                if pull > s * (1.0 + 2.0 * (loss - near).max(0.0)) {
                    let gain = gain(s, pull, self.squares[m], limits) - loss;
                    gains[m] = gains[m].max(gain);
                }
            });
        }
    }

    /// Shows `S`, `Q` and the pull of every basis without basis `at` of the model, and what is lost
    /// with it: `S` grows by `z^2 / Sigma_jj` and `Q` by `mu_j z / Sigma_jj`, where `z` is the
    /// product of the candidate with column `j` of `Phi Sigma`.
    fn place(&self, state: &ActiveSet, at: usize, mut look: impl FnMut(usize, f64, f64, f64, f64)) {
        let k = state.bases.len();
        let mut half = vec![0.0; k];
        half[at] = 1.0;
        cholesky::forward(&self.factor, k, &mut half);
        let own = dot(&half, &half);
        let (mean, alpha) = (state.weights[at], state.alphas[at]);
        let loss = level(alpha, 1.0 / own - alpha, (mean / own).powi(2) - self.tolls.own(at));
        let mut z = vec![0.0; self.s.len()];
        add_columns(&mut z, &self.halves, &half);
        let mut column = vec![0.0; k];
        column[at] = 1.0;
        cholesky::solve(&self.factor, k, &mut column);
        let tolls = self.tolls.without(at, &column);
        for (m, &z) in z.iter().enumerate() {
            let (s, q) = (self.s[m] + z * z / own, self.q[m] + mean * z / own);
            look(m, s, q, q * q - tolls.of(m, s), loss);
        }
    }
}

/// What a basis of these scores adds to the evidence; nothing at all where it should not come.
fn gain(s: f64, pull: f64, square: f64, limits: &Limits) -> f64 {
    if s > OWN * square && pull > s { rise(s, pull, square, limits).1 } else { f64::NEG_INFINITY }
}

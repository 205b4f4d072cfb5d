//! The smoothness prior `exp(-c DF)` over the precisions. `DF` are the degrees of freedom of the
//! smoothing matrix, `tr(Phi Sigma Phi' B) = sum_j (1 - alpha_j Sigma_jj)`, for bases of any kind;
//! (3.17) holds for orthonormal ones only.
//!
//! As `DF = N - tr(B^-1 C^-1)`, a basis of precision alpha beside the others adds `g / (alpha + s)`
//! to it, with `g = phi' C^-1 B^-1 C^-1 phi`. The evidence holds `q^2 / (alpha + s) / 2`, so that
//! the prior does no more than take the *toll* `2 c g` from `q^2`: the best precision is (2.91)
//! with what is left.
//!
//! With `u = Sigma Phi' B phi` of a candidate, `g = S - sum_i alpha_i u_i^2`. A basis in the model
//! has `g = (Sigma_jj - sum_i alpha_i Sigma_ij^2) / Sigma_jj^2`. Without basis `j` a candidate has
//! `u - Sigma_j u_j / Sigma_jj`.

use crate::num::{add_scaled, dot};

/// What the prior takes from the `q^2` of each candidate and of each basis in the model. Empty, and
/// nothing, where there is no such prior.
#[derive(Debug, Default)]
pub(super) struct SmoothnessPenalty {
    twice: f64,
    alphas: Vec<f64>,
    /// `u_i` of all candidates, one basis after the other.
    held: Vec<f64>,
    /// `sum_i alpha_i u_i^2` of each candidate.
    sums: Vec<f64>,
    /// Of each basis in the model.
    own: Vec<f64>,
}

impl SmoothnessPenalty {
    /// `cross` are the products of all candidates with each basis in the model.
    pub(super) fn new(smooth: f64, alphas: &[f64], sigma: &[f64], cross: &[f64]) -> Self {
        let k = alphas.len();
        let mut tolls = Self { twice: 2.0 * smooth, ..Self::default() };
        if smooth <= 0.0 || k == 0 {
            return tolls;
        }
        let p = cross.len() / k;
        tolls.alphas = alphas.to_vec();
        tolls.held = vec![0.0; k * p];
        tolls.sums = vec![0.0; p];
        for (i, (held, column)) in
            tolls.held.chunks_exact_mut(p).zip(sigma.chunks_exact(k)).enumerate()
        {
            for (sigma, cross) in column.iter().zip(cross.chunks_exact(p)) {
                add_scaled(held, *sigma, cross);
            }
            for (sum, u) in tolls.sums.iter_mut().zip(&*held) {
                *sum += alphas[i] * u * u;
            }
            let own = column[i];
            let spent: f64 = alphas.iter().zip(column).map(|(a, sigma)| a * sigma * sigma).sum();
            tolls.own.push(tolls.twice * ((own - spent) / (own * own)).max(0.0));
        }
        tolls
    }

    /// Of a candidate that is not in the model and has this `S`.
    pub(super) fn of(&self, candidate: usize, s: f64) -> f64 {
        self.twice * (s - self.sums.get(candidate).unwrap_or(&0.0)).max(0.0)
    }

    /// Of a basis in the model.
    pub(super) fn own(&self, at: usize) -> f64 {
        self.own.get(at).copied().unwrap_or(0.0)
    }

    /// Those of the candidates without basis `at` of the model, whose column of the covariance this
    /// is.
    pub(super) fn without(&self, at: usize, column: &[f64]) -> Self {
        let mut tolls = Self { twice: self.twice, sums: self.sums.clone(), ..Self::default() };
        if self.sums.is_empty() {
            return tolls;
        }
        let p = self.sums.len();
        let scaled: Vec<f64> = self.alphas.iter().zip(column).map(|(a, s)| a * s).collect();
        let square = dot(&scaled, column);
        let mut products = vec![0.0; p];
        for (factor, held) in scaled.iter().zip(self.held.chunks_exact(p)) {
            add_scaled(&mut products, *factor, held);
        }
        let held = &self.held[at * p..(at + 1) * p];
        for ((sum, u), product) in tolls.sums.iter_mut().zip(held).zip(products) {
            let share = u / column[at];
            *sum += share * (share * square - 2.0 * product);
        }
        tolls
    }
}

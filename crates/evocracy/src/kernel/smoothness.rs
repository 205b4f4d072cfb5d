//! The smoothness prior `exp(-c DF)` over the precisions. `DF` are the degrees of freedom of the
//! smoothing matrix, `tr(Phi Sigma Phi' B) = sum_j (1 - alpha_j Sigma_jj)`, for bases of any kind;
//! (3.17) holds for orthonormal ones only.
//!
//! As `DF = N - tr(B^-1 C^-1)`, a basis of precision alpha beside the others adds `g / (alpha + s)`
//! to it, with `g = phi' C^-1 B^-1 C^-1 phi`. The evidence holds `q^2 / (alpha + s) / 2`, so that
//! the prior does no more than subtract the *penalty* `2 c g` from `q^2`: the best precision is
//! (2.91) with the rest.
//!
//! With `u = Sigma Phi' B phi` of a candidate, `g = S - sum_i alpha_i u_i^2`. A basis in the model
//! has `g = (Sigma_jj - sum_i alpha_i Sigma_ij^2) / Sigma_jj^2`. Without basis `j` a candidate has
//! `u - Sigma_j u_j / Sigma_jj`.

use crate::num::{add_scaled, dot};

/// What the prior subtracts from the `q^2` of each candidate and of each basis in the model. Empty,
/// and 0, where there is no such prior.
#[derive(Debug, Default)]
pub(super) struct SmoothnessPenalty {
    /// `2 c`.
    twice: f64,
    alphas: Vec<f64>,
    /// `u_i` of all candidates, one basis after the other.
    u: Vec<f64>,
    /// `sum_i alpha_i u_i^2` of each candidate.
    sums: Vec<f64>,
    /// The penalty of each basis in the model.
    own: Vec<f64>,
}

impl SmoothnessPenalty {
    /// `cross` are the products of all candidates with each basis in the model.
    pub(super) fn new(smooth: f64, alphas: &[f64], sigma: &[f64], cross: &[f64]) -> Self {
        let k = alphas.len();
        let mut penalty = Self { twice: 2.0 * smooth, ..Self::default() };
        if smooth <= 0.0 || k == 0 {
            return penalty;
        }
        let p = cross.len() / k;
        penalty.alphas = alphas.to_vec();
        penalty.u = vec![0.0; k * p];
        penalty.sums = vec![0.0; p];
        for (i, (own_u, column)) in
            penalty.u.chunks_exact_mut(p).zip(sigma.chunks_exact(k)).enumerate()
        {
            for (sigma, cross) in column.iter().zip(cross.chunks_exact(p)) {
                add_scaled(own_u, *sigma, cross);
            }
            for (sum, u) in penalty.sums.iter_mut().zip(&*own_u) {
                *sum += alphas[i] * u * u;
            }
            let own = column[i];
            let used: f64 = alphas.iter().zip(column).map(|(a, sigma)| a * sigma * sigma).sum();
            penalty.own.push(penalty.twice * ((own - used) / (own * own)).max(0.0));
        }
        penalty
    }

    /// The penalty of a candidate that is not in the model and has this `S`.
    pub(super) fn of(&self, candidate: usize, s: f64) -> f64 {
        self.twice * (s - self.sums.get(candidate).unwrap_or(&0.0)).max(0.0)
    }

    /// The penalty of a basis in the model.
    pub(super) fn own(&self, at: usize) -> f64 {
        self.own.get(at).copied().unwrap_or(0.0)
    }

    /// The penalties of the candidates if basis `at` were not in the model; `column` is its column
    /// of the covariance.
    pub(super) fn without(&self, at: usize, column: &[f64]) -> Self {
        let mut penalty = Self { twice: self.twice, sums: self.sums.clone(), ..Self::default() };
        if self.sums.is_empty() {
            return penalty;
        }
        let p = self.sums.len();
        let scaled: Vec<f64> = self.alphas.iter().zip(column).map(|(a, s)| a * s).collect();
        let square = dot(&scaled, column);
        let mut products = vec![0.0; p];
        for (factor, u) in scaled.iter().zip(self.u.chunks_exact(p)) {
            add_scaled(&mut products, *factor, u);
        }
        let own_u = &self.u[at * p..(at + 1) * p];
        for ((sum, u), product) in penalty.sums.iter_mut().zip(own_u).zip(products) {
            let share = u / column[at];
            *sum += share * (share * square - 2.0 * product);
        }
        penalty
    }
}

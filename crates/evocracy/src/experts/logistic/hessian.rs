//! The Hessian of the objective: the matrix of its second derivatives.

use super::problem::{Iterate, Problem};
use crate::num::symmetric::add_gram;
use crate::num::wide;

/// How many rows are multiplied at a time.
const BLOCK: usize = 1024;

impl Problem<'_> {
    /// The second derivatives of all but the penalty on absolute values: a symmetric matrix of
    /// which the lower half counts.
    ///
    /// With `G(v)` the products of the inputs weighted by `v`, two classes have `G(w p (1 - p))`.
    /// Of more classes the pair `k, l` has `-G(w p_k p_l)`, and a row of blocks sums to 0.
    pub(super) fn hessian(&self, iterate: &Iterate) -> Vec<f64> {
        let (width, size) = (self.width(), self.len());
        let mut matrix = vec![0.0; size * size];
        let share = |block: usize| &iterate.proba[block * self.rows..(block + 1) * self.rows];
        if self.classes == 2 {
            let p = share(0);
            self.gram(|i| p[i] * (1.0 - p[i]), &mut matrix);
        }
        let pairs = (1..self.blocks()).flat_map(|l| (0..l).map(move |k| (k, l)));
        let mut gram = vec![0.0; width * width];
        for (k, l) in pairs {
            gram.fill(0.0);
            let (p, q) = (share(k), share(l));
            self.gram(|i| p[i] * q[i], &mut gram);
            for j in 0..width {
                for i in 0..width {
                    let value = gram[i.min(j) * width + i.max(j)];
                    matrix[(k * width + j) * size + k * width + i] += value;
                    matrix[(l * width + j) * size + l * width + i] += value;
                    matrix[(k * width + j) * size + l * width + i] -= value;
                }
            }
        }
        for at in 0..size {
            matrix[at * size + at] += self.l2_at(at);
        }
        for column in self.intercepts() {
            self.intercepts().for_each(|row| matrix[column * size + row] += self.sum_penalty);
        }
        matrix
    }

    /// Adds the products of the inputs, with the weight of each row times `factor`.
    fn gram(&self, factor: impl Fn(usize) -> f64, matrix: &mut [f64]) {
        let width = self.width();
        let mut scaled = Vec::with_capacity(width * BLOCK);
        let mut roots = [0.0; BLOCK];
        for start in (0..self.rows).step_by(BLOCK) {
            let rows = start..self.rows.min(start + BLOCK);
            let roots = &mut roots[..rows.len()];
            wide(
                #[inline(always)]
                || {
                    for (root, i) in roots.iter_mut().zip(rows.clone()) {
                        *root = (self.weights[i] * factor(i)).sqrt();
                    }
                    scaled.clear();
                    for column in &self.columns {
                        scaled.extend(column[rows.clone()].iter().zip(&*roots).map(|(x, r)| x * r));
                    }
                    scaled.extend_from_slice(roots);
                },
            );
            add_gram(matrix, width, &scaled, 1.0);
        }
    }
}

//! A factor of low rank of a kernel matrix, `K ~ L L'`, by Cholesky decomposition with pivots that
//! stops early (S. Fine, K. Scheinberg, "Efficient SVM training using low-rank kernel
//! representations", JMLR 2001).
//!
//! The next pivot is the row whose kernel is explained worst so far. `N r^2` operations for `N` rows
//! and rank `r`; the kernel matrix itself is never made. Pivots are taken from some rows, values are
//! computed at all of them: rows that are held back get features and have no part in making them.

use super::bases::{Kernel, kernel_diagonal, kernel_into};
use crate::data::DenseRows;
use crate::num::{add_scaled, wide};
use crate::run::Stop;

/// Features whose inner products are nearly the kernel.
#[derive(Debug, Clone)]
pub(super) struct LowRank {
    pub(super) rows: usize,
    /// The values of each feature at every row, one feature after the other.
    pub(super) columns: Vec<f64>,
}

/// How a kernel is factored.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rank {
    /// The most features.
    pub(super) most: usize,
    /// The greatest part of a row's own kernel that may stay unexplained.
    pub(super) unexplained: f64,
}

impl LowRank {
    /// Features at all points, with pivots among the rows `from`.
    pub(super) fn new(
        (kernel, degree, width): (Kernel, usize, f64),
        points: &DenseRows<'_>,
        from: &[u32],
        rank: Rank,
        stop: &Stop,
    ) -> Self {
        let n = points.rows;
        let own = kernel_diagonal(kernel, degree, points, width);
        let mut left = own.clone();
        let (mut columns, mut column) = (Vec::<f64>::new(), vec![0.0; n]);
        for feature in 0..rank.most.min(from.len()) {
            let worst = from.iter().copied().reduce(|best, row| {
                if left[row as usize] > left[best as usize] { row } else { best }
            });
            let Some(pivot) = worst.map(|row| row as usize) else { break };
            if left[pivot] <= rank.unexplained * own[pivot] || stop.requested() {
                break;
            }
            kernel_into(kernel, degree, points, 0, &points.row(pivot), width, &mut column);
            let scale = 1.0 / left[pivot].sqrt();
            wide(
                #[inline(always)]
                || {
                    for earlier in columns.chunks_exact(n).take(feature) {
                        add_scaled(&mut column, -earlier[pivot], earlier);
                    }
                    for (value, left) in column.iter_mut().zip(&mut left) {
                        *value *= scale;
                        *left = (*left - *value * *value).max(0.0);
                    }
                },
            );
            left[pivot] = 0.0;
            columns.extend_from_slice(&column);
        }
        Self { rows: n, columns }
    }

    /// How many features there are.
    pub(super) fn rank(&self) -> usize {
        self.columns.len().checked_div(self.rows).unwrap_or(0)
    }

    /// The values of all features at some rows, after a column of ones.
    pub(super) fn with_bias(&self, rows: &[u32]) -> Vec<f64> {
        let mut picked = vec![1.0; rows.len()];
        picked.reserve(self.rank() * rows.len());
        for column in self.columns.chunks_exact(self.rows.max(1)) {
            picked.extend(rows.iter().map(|&row| column[row as usize]));
        }
        picked
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Seed;
    use rand::RngExt;

    fn points(rows: usize, inputs: usize, seed: u64) -> Vec<f64> {
        let mut rng = Seed::new(seed).rng();
        (0..rows * inputs).map(|_| rng.random_range(-1.5..1.5)).collect()
    }

    #[test]
    fn products_of_features_are_the_kernel() {
        let cells = points(60, 2, 3);
        let points = DenseRows::from_slice(&cells, 60);
        let all: Vec<u32> = (0..60).collect();
        let rank = Rank { most: 60, unexplained: 1e-12 };
        for kernel in [Kernel::Gaussian, Kernel::Laplacian, Kernel::Polynomial, Kernel::Linear] {
            let low = LowRank::new((kernel, 2, 1.3), &points, &all, rank, &Stop::new());
            let mut column = vec![0.0; 60];
            for at in 0..60 {
                kernel_into(kernel, 2, &points, 0, &points.row(at), 1.3, &mut column);
                for row in 0..60 {
                    let product: f64 = low.columns.chunks_exact(60).map(|c| c[at] * c[row]).sum();
                    assert!((product - column[row]).abs() < 1e-5, "{kernel:?} {at} {row}");
                }
            }
        }
    }

    #[test]
    fn features_of_rows_held_back_do_not_change_those_of_others() {
        let cells = points(40, 2, 5);
        let points = DenseRows::from_slice(&cells, 40);
        let some: Vec<u32> = (0..30).collect();
        let rank = Rank { most: 12, unexplained: 1e-9 };
        let all = LowRank::new((Kernel::Gaussian, 1, 0.8), &points, &some, rank, &Stop::new());
        let alone = LowRank::new(
            (Kernel::Gaussian, 1, 0.8),
            &points.subset(&some),
            &some,
            rank,
            &Stop::new(),
        );
        assert_eq!((all.rank(), alone.rank()), (12, 12));
        for (whole, part) in all.columns.chunks_exact(40).zip(alone.columns.chunks_exact(30)) {
            assert_eq!(&whole[..30], part);
        }
        assert_eq!(all.with_bias(&[3, 7]).len(), 2 * 13);
    }
}

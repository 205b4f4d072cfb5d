//! Symmetric matrices: products, systems of equations, eigenvalues, in front of faer.
//!
//! A matrix of size `n` is `n * n` numbers, column after column, of which the lower half counts.

use crate::error::Result;
use crate::run::Stop;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::solvers::Solve;
use faer::{Accum, MatMut, MatRef, Par, Side};

/// Adds `rows' * rows` to a matrix; `rows` holds columns of one length, one after the other.
pub(crate) fn add_gram(matrix: &mut [f64], size: usize, rows: &[f64], factor: f64) {
    if size == 0 || rows.is_empty() {
        return;
    }
    let length = rows.len() / size;
    let rows = MatRef::from_column_major_slice(rows, length, size);
    triangular::matmul(
        MatMut::from_column_major_slice_mut(matrix, size, size),
        BlockStructure::TriangularLower,
        Accum::Add,
        rows.transpose(),
        BlockStructure::Rectangular,
        rows,
        BlockStructure::Rectangular,
        factor,
        Par::Seq,
    );
}

/// The product of two matrices, column after column: `left` has `rows` rows, `right` has
/// `inner` rows.
pub(crate) fn product(left: &[f64], right: &[f64], rows: usize, inner: usize) -> Vec<f64> {
    let columns = right.len().checked_div(inner).unwrap_or(0);
    let mut out = vec![0.0; rows * columns];
    faer::linalg::matmul::matmul(
        MatMut::from_column_major_slice_mut(&mut out, rows, columns),
        Accum::Replace,
        MatRef::from_column_major_slice(left, rows, inner),
        MatRef::from_column_major_slice(right, inner, columns),
        1.0,
        Par::Seq,
    );
    out
}

/// The Cholesky factor of a positive definite matrix.
#[derive(Debug)]
pub(crate) struct Cholesky(faer::linalg::solvers::Llt<f64>);

impl Cholesky {
    /// `None` where the matrix is not positive definite, up to rounding.
    pub(crate) fn new(matrix: &[f64], size: usize) -> Option<Self> {
        MatRef::from_column_major_slice(matrix, size, size).llt(Side::Lower).ok().map(Self)
    }

    /// Replaces `b` by the solution of `matrix x = b`.
    pub(crate) fn solve(&self, b: &mut [f64]) {
        let size = b.len();
        self.0.solve_in_place(MatMut::from_column_major_slice_mut(b, size, 1));
    }
}

/// Eigenvalues in ascending order and the eigenvectors, one after the other.
#[derive(Debug)]
pub(crate) struct Eigen {
    pub(crate) values: Vec<f64>,
    pub(crate) vectors: Vec<f64>,
}

impl Eigen {
    /// As [`Eigen::new`], with looks at a flag before and after: the decomposition itself cannot be
    /// told to stop.
    pub(crate) fn until(matrix: &[f64], size: usize, stop: &Stop) -> Result<Option<Self>> {
        stop.check()?;
        let found = Self::new(matrix, size);
        stop.check()?;
        Ok(found)
    }

    /// `None` where the numbers are not finite.
    pub(crate) fn new(matrix: &[f64], size: usize) -> Option<Self> {
        let found =
            MatRef::from_column_major_slice(matrix, size, size).self_adjoint_eigen(Side::Lower);
        let found = found.ok()?;
        let values: Vec<f64> = found.S().column_vector().iter().copied().collect();
        let columns = (0..size).map(|j| found.U().col(j));
        let vectors: Vec<f64> =
            columns.flat_map(|c| c.iter().copied().collect::<Vec<_>>()).collect();
        values.iter().chain(&vectors).all(|v| v.is_finite()).then_some(Self { values, vectors })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Seed;
    use rand::RngExt;

    fn random(len: usize, seed: u64) -> Vec<f64> {
        let mut rng = Seed::new(seed).rng();
        (0..len).map(|_| rng.random::<f64>() - 0.5).collect()
    }

    /// `matrix x`, from the lower half alone.
    fn times(matrix: &[f64], size: usize, x: &[f64]) -> Vec<f64> {
        let at = |i: usize, j: usize| matrix[i.min(j) * size + i.max(j)];
        (0..size).map(|i| (0..size).map(|j| at(i, j) * x[j]).sum()).collect()
    }

    #[test]
    fn systems_and_eigenvectors_are_those_of_the_matrix() {
        for size in [1, 2, 3, 7, 20, 41] {
            let rows = random(size * (size + 5), size as u64);
            let mut matrix = vec![0.0; size * size];
            add_gram(&mut matrix, size, &rows, 1.0);
            let b = random(size, 99);
            let mut x = b.clone();
            Cholesky::new(&matrix, size).unwrap().solve(&mut x);
            for (found, expected) in times(&matrix, size, &x).iter().zip(&b) {
                assert!((found - expected).abs() < 1e-9);
            }
            let eigen = Eigen::new(&matrix, size).unwrap();
            for (value, vector) in eigen.values.iter().zip(eigen.vectors.chunks_exact(size)) {
                for (found, v) in times(&matrix, size, vector).iter().zip(vector) {
                    assert!((found - value * v).abs() < 1e-9);
                }
            }
        }
    }

    #[test]
    fn what_is_not_positive_definite_is_refused() {
        assert!(Cholesky::new(&[1.0, 2.0, 0.0, 1.0], 2).is_none());
        assert!(Cholesky::new(&[f64::NAN], 1).is_none());
        assert!(Eigen::new(&[f64::NAN], 1).is_none());
    }

    #[test]
    fn a_stop_is_seen_before_and_after_a_decomposition() {
        let unit = [1.0, 0.0, 0.0, 1.0];
        assert!((0..2).all(|looks| Eigen::until(&unit, 2, &Stop::after(looks)).is_err()));
        assert_eq!(Eigen::until(&unit, 2, &Stop::after(2)).unwrap().unwrap().values, [1.0, 1.0]);
    }

    #[test]
    fn a_product_is_rows_by_columns() {
        // [1 3; 2 4] times [5; 6].
        assert_eq!(product(&[1.0, 2.0, 3.0, 4.0], &[5.0, 6.0], 2, 2), [23.0, 34.0]);
    }
}

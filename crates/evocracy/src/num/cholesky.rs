//! Small positive definite matrices, taken apart in place and without memory of their own.
//!
//! A matrix of size `n` is `n * n` numbers, column after column; only the lower half counts.
//! [`symmetric`](super::symmetric) serves large ones.

use super::{add_scaled, dot, wide};

/// How much is added to the diagonal, as a share of its mean, when rounding has made a matrix
/// indefinite: nothing at first, then ever more. Beyond the last there is no answer.
const JITTER: [f64; 5] = [0.0, 1e-14, 1e-12, 1e-10, 1e-8];

/// Replaces the lower half of a matrix by its factor `L` with `L L' = matrix`. `false` where it
/// is not positive definite; the matrix is then lost.
pub(crate) fn factor(matrix: &mut [f64], n: usize) -> bool {
    wide(
        #[inline(always)]
        || factor_columns(matrix, n),
    )
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
fn factor_columns(matrix: &mut [f64], n: usize) -> bool {
    for j in 0..n {
        let (done, rest) = matrix.split_at_mut(j * n);
        let column = &mut rest[j..n];
        for earlier in done.chunks_exact(n) {
            let factor = earlier[j];
            if factor != 0.0 {
                add_scaled(column, -factor, &earlier[j..]);
            }
        }
        let pivot = column[0];
        if !(pivot > 0.0 && pivot.is_finite()) {
            return false;
        }
        let inverse = 1.0 / pivot.sqrt();
        for value in column {
            *value *= inverse;
        }
    }
    true
}

/// As [`factor`], from `matrix` into `out`, with as little jitter as does it. `false` where none
/// does.
pub(crate) fn factor_with_jitter(matrix: &[f64], n: usize, out: &mut [f64]) -> bool {
    let mean = (0..n).map(|i| matrix[i * n + i]).sum::<f64>() / n.max(1) as f64;
    JITTER.iter().any(|share| {
        out[..n * n].copy_from_slice(&matrix[..n * n]);
        (0..n).for_each(|i| out[i * n + i] += share * mean);
        factor(&mut out[..n * n], n)
    })
}

/// Replaces `b` by `L^-1 b`.
pub(crate) fn forward(factor: &[f64], n: usize, b: &mut [f64]) {
    for j in 0..n {
        let (head, tail) = b.split_at_mut(j + 1);
        head[j] /= factor[j * n + j];
        add_scaled(tail, -head[j], &factor[j * n + j + 1..(j + 1) * n]);
    }
}

/// Replaces `b` by the solution of `L L' x = b`.
pub(crate) fn solve(factor: &[f64], n: usize, b: &mut [f64]) {
    forward(factor, n, b);
    for j in (0..n).rev() {
        let known = dot(&factor[j * n + j + 1..(j + 1) * n], &b[j + 1..n]);
        b[j] = (b[j] - known) / factor[j * n + j];
    }
}

/// The inverse of `L L'`, whole.
pub(crate) fn inverse(factor: &[f64], n: usize, out: &mut [f64]) {
    out[..n * n].fill(0.0);
    for (j, column) in out.chunks_exact_mut(n.max(1)).take(n).enumerate() {
        column[j] = 1.0;
        solve(factor, n, column);
    }
}

/// The logarithm of the determinant of `L L'`.
pub(crate) fn log_det(factor: &[f64], n: usize) -> f64 {
    2.0 * (0..n).map(|i| factor[i * n + i].ln()).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Seed;
    use rand::RngExt;

    #[test]
    fn systems_inverses_and_determinants_are_those_of_the_matrix() {
        let mut rng = Seed::new(5).rng();
        for n in [1, 2, 3, 8, 23] {
            let columns: Vec<f64> = (0..n * (n + 3)).map(|_| rng.random::<f64>() - 0.5).collect();
            let column = |i: usize| &columns[i * (n + 3)..(i + 1) * (n + 3)];
            let matrix: Vec<f64> =
                (0..n * n).map(|at| dot(column(at / n), column(at % n))).collect();
            let mut l = vec![0.0; n * n];
            assert!(factor_with_jitter(&matrix, n, &mut l));
            let mut inverted = vec![0.0; n * n];
            inverse(&l, n, &mut inverted);
            for i in 0..n {
                for j in 0..n {
                    let product: f64 =
                        (0..n).map(|k| matrix[k * n + i] * inverted[j * n + k]).sum();
                    assert!((product - f64::from(u8::from(i == j))).abs() < 1e-7);
                }
            }
            let theirs = crate::num::symmetric::Eigen::new(&matrix, n).unwrap();
            let expected: f64 = theirs.values.iter().map(|value| value.ln()).sum();
            assert!((log_det(&l, n) - expected).abs() < 1e-8);
        }
    }

    #[test]
    fn a_singular_matrix_needs_jitter_and_an_indefinite_one_has_no_factor() {
        let mut l = [0.0; 4];
        assert!(!factor(&mut [1.0, 1.0, 0.0, 1.0], 2));
        assert!(factor_with_jitter(&[1.0, 1.0, 1.0, 1.0], 2, &mut l));
        assert!(!factor_with_jitter(&[1.0, 2.0, 2.0, 1.0], 2, &mut l));
        assert!(!factor_with_jitter(&[f64::NAN], 1, &mut l));
    }
}

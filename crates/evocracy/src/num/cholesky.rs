//! The Cholesky factor of small positive definite matrices, in place and without allocation.
//!
//! A matrix of size `n` is `n * n` numbers, column after column; only the lower half counts.
//! [`symmetric`](super::symmetric) serves large ones.

use super::{add_scaled, dot, wide};
use crate::error::Result;
use crate::run::{Stop, Ticker};
use std::ops::Range;

/// Columns of a factor between two looks at a flag, at least.
const COLUMNS: usize = 16;

/// By which share the diagonal grows when rounding has made a matrix indefinite: by nothing at
/// first, then ever more. Beyond the last there is no answer. Each entry grows by a share of its
/// own, so that small rows are not swamped by large ones: it is the jitter of the matrix scaled to
/// a diagonal of 1.
const JITTER: [f64; 5] = [0.0, 1e-14, 1e-12, 1e-10, 1e-8];

/// Replaces the lower half of a matrix by its factor `L` with `L L' = matrix`. `false` where it
/// is not positive definite; the matrix is then lost.
pub(crate) fn factor(matrix: &mut [f64], n: usize) -> bool {
    wide(
        #[inline(always)]
        || factor_columns(matrix, n, 0..n),
    )
}

/// As [`factor`], with looks at a flag while it goes; a stop leaves the matrix lost.
pub(crate) fn factor_until(matrix: &mut [f64], n: usize, stop: &Stop) -> Result<bool> {
    let mut ticker = Ticker::new(stop);
    for start in (0..n).step_by(COLUMNS) {
        let columns = start..(start + COLUMNS).min(n);
        ticker.tick(columns.len() * columns.end * (n - start))?;
        let whole = wide(
            #[inline(always)]
            || factor_columns(matrix, n, columns),
        );
        if !whole {
            return Ok(false);
        }
    }
    Ok(true)
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
fn factor_columns(matrix: &mut [f64], n: usize, columns: Range<usize>) -> bool {
    for j in columns {
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
    JITTER.iter().any(|share| {
        out[..n * n].copy_from_slice(&matrix[..n * n]);
        (0..n).for_each(|i| out[i * n + i] *= 1.0 + share);
        factor(&mut out[..n * n], n)
    })
}

/// As [`factor_with_jitter`] and [`factor_until`].
pub(crate) fn factor_with_jitter_until(
    matrix: &[f64],
    n: usize,
    out: &mut [f64],
    stop: &Stop,
) -> Result<bool> {
    for share in JITTER {
        out[..n * n].copy_from_slice(&matrix[..n * n]);
        (0..n).for_each(|i| out[i * n + i] *= 1.0 + share);
        if factor_until(&mut out[..n * n], n, stop)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Replaces `b` by `L^-1 b`.
pub(crate) fn forward(factor: &[f64], n: usize, b: &mut [f64]) {
    forward_from(factor, n, 0, b);
}

/// As [`forward`] for a `b` that is 0 before entry `from` and given from there on.
pub(crate) fn forward_from(factor: &[f64], n: usize, from: usize, b: &mut [f64]) {
    for j in from..n {
        let (head, tail) = b.split_at_mut(j + 1 - from);
        head[j - from] /= factor[j * n + j];
        add_scaled(tail, -head[j - from], &factor[j * n + j + 1..(j + 1) * n]);
    }
}

/// Replaces `b`, the entries `from` on, by those of `L'^-1 b`.
pub(crate) fn backward(factor: &[f64], n: usize, from: usize, b: &mut [f64]) {
    for j in (from..n).rev() {
        let known = dot(&factor[j * n + j + 1..(j + 1) * n], &b[j + 1 - from..]);
        b[j - from] = (b[j - from] - known) / factor[j * n + j];
    }
}

/// Replaces `b` by the solution of `L L' x = b`.
pub(crate) fn solve(factor: &[f64], n: usize, b: &mut [f64]) {
    forward(factor, n, b);
    backward(factor, n, 0, &mut b[..n]);
}

/// The inverse of `L L'`, whole.
pub(crate) fn inverse(factor: &[f64], n: usize, out: &mut [f64]) {
    (0..n).for_each(|j| inverse_column(factor, n, j, out));
}

/// Column `j` of the inverse, and row `j` with it.
fn inverse_column(factor: &[f64], n: usize, j: usize, out: &mut [f64]) {
    // Above the diagonal it is what it is below.
    let column = &mut out[j * n + j..(j + 1) * n];
    unit(factor, n, j, column);
    backward(factor, n, j, column);
    for i in j + 1..n {
        out[i * n + j] = out[j * n + i];
    }
}

/// The diagonal of the inverse of `L L'`.
pub(crate) fn inverse_diagonal(factor: &[f64], n: usize) -> Vec<f64> {
    let mut column = vec![0.0; n];
    (0..n).map(|j| inverse_entry(factor, n, j, &mut column)).collect()
}

/// Entry `j` of the diagonal of the inverse; `column` is memory for a column.
fn inverse_entry(factor: &[f64], n: usize, j: usize, column: &mut [f64]) -> f64 {
    let column = &mut column[j..];
    unit(factor, n, j, column);
    dot(column, column)
}

/// As [`inverse`], with looks at a flag while it goes.
pub(crate) fn inverse_until(factor: &[f64], n: usize, out: &mut [f64], stop: &Stop) -> Result<()> {
    let mut ticker = Ticker::new(stop);
    for j in 0..n {
        ticker.tick((n - j) * (n - j))?;
        inverse_column(factor, n, j, out);
    }
    Ok(())
}

/// The diagonal of the inverse of `L L'`, with looks at a flag while it goes.
pub(crate) fn inverse_diagonal_until(factor: &[f64], n: usize, stop: &Stop) -> Result<Vec<f64>> {
    let (mut ticker, mut column) = (Ticker::new(stop), vec![0.0; n]);
    let entry = |j: usize| {
        ticker.tick((n - j) * (n - j))?;
        Ok(inverse_entry(factor, n, j, &mut column))
    };
    (0..n).map(entry).collect()
}

/// Writes column `j` of `L^-1`, from the diagonal on.
fn unit(factor: &[f64], n: usize, j: usize, column: &mut [f64]) {
    column.fill(0.0);
    column[0] = 1.0;
    forward_from(factor, n, j, column);
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
            for (j, entry) in inverse_diagonal(&l, n).iter().enumerate() {
                assert!((entry / inverted[j * n + j] - 1.0).abs() < 1e-9);
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

    #[test]
    fn a_factor_in_parts_is_the_factor_and_ends_when_it_is_told_to() {
        let n = 50;
        let cell = |at: usize| if at.is_multiple_of(n + 1) { 9.0 } else { 1.0 / (1 + at) as f64 };
        let matrix: Vec<f64> = (0..n * n).map(cell).collect();
        let (mut whole, mut parts) = (matrix.clone(), matrix);
        let stop = Stop::new();
        assert!(factor(&mut whole, n) && factor_until(&mut parts, n, &stop).unwrap());
        assert_eq!(whole, parts);
        assert!(!factor_until(&mut [1.0, 2.0, 2.0, 1.0], 2, &stop).unwrap());
        stop.request();
        let n = 800;
        let mut unit = vec![0.0; n * n];
        (0..n).for_each(|i| unit[i * n + i] = 1.0);
        assert!(factor_until(&mut unit, n, &stop).is_err());
        let mut out = vec![0.0; n * n];
        assert!(inverse_until(&unit, n, &mut out, &stop).is_err());
        assert!(inverse_diagonal_until(&unit, n, &stop).is_err());
        // A small one is through before a look would be worth it.
        assert!(inverse_until(&parts, 50, &mut out, &stop).is_ok());
        let mut same = vec![0.0; 2500];
        inverse(&parts, 50, &mut same);
        assert_eq!(same, out[..2500]);
        let diagonal = inverse_diagonal_until(&parts, 50, &stop).unwrap();
        assert_eq!(diagonal, inverse_diagonal(&parts, 50));
    }

    #[test]
    fn jitter_for_large_rows_leaves_small_ones_alone() {
        // Twice the same large column, and a small one of its own.
        let matrix = [1e12, 1e12, 0.0, 1e12, 1e12, 0.0, 0.0, 0.0, 1e-9];
        let mut l = [0.0; 9];
        assert!(factor_with_jitter(&matrix, 3, &mut l));
        assert!((l[8] * l[8] / 1e-9 - 1.0).abs() < 1e-7);
    }
}

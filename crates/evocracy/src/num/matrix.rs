//! Products of matrices of either precision, in front of faer.
//!
//! A matrix is a slice, column after column. A product is added to what is there.

use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::traits::ComplexField;
use faer::{Accum, MatMut, MatRef, Par};
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Sub, SubAssign};

/// A number of either precision.
pub(crate) trait Real:
    ComplexField
    + Copy
    + Default
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + AddAssign
    + MulAssign
    + SubAssign
{
    /// Values within this have finite products.
    const MOST: f64;
    /// The nearest one to a number.
    fn of(value: f64) -> Self;
    /// The number it is.
    fn get(self) -> f64;
    /// Its square root.
    fn root(self) -> Self;
}

macro_rules! real {
    ($( $ty:ty: $most:literal ),+) => { $(
        #[allow(clippy::inline_always, reason = "they are compiled for the processor of their caller")]
        impl Real for $ty {
            const MOST: f64 = $most;

            #[inline(always)]
            fn of(value: f64) -> Self {
                value as Self
            }

            #[inline(always)]
            fn get(self) -> f64 {
                f64::from(self)
            }

            #[inline(always)]
            fn root(self) -> Self {
                self.sqrt()
            }
        }
    )+ };
}

real!(f32: 1e15, f64: 1e150);

/// A factor of a product.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Factor<'a, R> {
    /// A matrix as it lies.
    Plain(&'a [R]),
    /// The transpose of a matrix.
    Transposed(&'a [R]),
}

impl<'a, R: Real> Factor<'a, R> {
    fn view(self, rows: usize, columns: usize) -> MatRef<'a, R> {
        match self {
            Self::Plain(cells) => MatRef::from_column_major_slice(cells, rows, columns),
            Self::Transposed(cells) => {
                MatRef::from_column_major_slice(cells, columns, rows).transpose()
            }
        }
    }
}

/// Adds `left * right` to `out`, which has `rows` rows; `left` has `inner` columns.
pub(crate) fn add_product<R: Real>(
    out: &mut [R],
    rows: usize,
    left: Factor<'_, R>,
    inner: usize,
    right: Factor<'_, R>,
) {
    let columns = out.len().checked_div(rows).unwrap_or(0);
    let out = MatMut::from_column_major_slice_mut(out, rows, columns);
    let (left, right) = (left.view(rows, inner), right.view(inner, columns));
    matmul(out, Accum::Add, left, right, R::of(1.0), Par::Seq);
}

/// Adds `columns * columns'` to the lower half of a square matrix of `rows` rows.
pub(crate) fn add_lower_outer(out: &mut [f64], rows: usize, columns: &[f64]) {
    let inner = columns.len().checked_div(rows).unwrap_or(0);
    if inner == 0 {
        return;
    }
    let columns = MatRef::from_column_major_slice(columns, rows, inner);
    triangular::matmul(
        MatMut::from_column_major_slice_mut(out, rows, rows),
        BlockStructure::TriangularLower,
        Accum::Add,
        columns,
        BlockStructure::Rectangular,
        columns.transpose(),
        BlockStructure::Rectangular,
        1.0,
        Par::Seq,
    );
}

/// Writes the product of the lower half of a square matrix of `rows` rows and some columns.
pub(crate) fn lower_product(out: &mut [f64], rows: usize, lower: &[f64], columns: &[f64]) {
    let count = columns.len().checked_div(rows).unwrap_or(0);
    if count == 0 {
        return;
    }
    triangular::matmul(
        MatMut::from_column_major_slice_mut(out, rows, count),
        BlockStructure::Rectangular,
        Accum::Replace,
        MatRef::from_column_major_slice(lower, rows, rows),
        BlockStructure::TriangularLower,
        MatRef::from_column_major_slice(columns, rows, count),
        BlockStructure::Rectangular,
        1.0,
        Par::Seq,
    );
}

#[cfg(test)]
mod tests {
    use super::Factor::{Plain, Transposed};
    use super::*;

    #[test]
    fn products_are_rows_by_columns() {
        // [1 3; 2 4], [5 7; 6 8] and what is there already.
        let (a, b) = ([1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]);
        let mut out = [1.0, 0.0, 0.0, 0.0];
        add_product(&mut out, 2, Plain(&a), 2, Plain(&b));
        assert_eq!(out, [24.0, 34.0, 31.0, 46.0]);
        let mut out = [0.0; 4];
        add_product(&mut out, 2, Plain(&a), 2, Transposed(&b));
        assert_eq!(out, [26.0, 38.0, 30.0, 44.0]);
        let mut out = [0.0_f32; 4];
        let (a, b) = (a.map(|v| v as f32), b.map(|v| v as f32));
        add_product(&mut out, 2, Transposed(&a), 2, Plain(&b));
        assert_eq!(out, [17.0, 39.0, 23.0, 53.0]);
    }

    #[test]
    fn halves_of_products_are_those_of_the_whole() {
        // [1 3; 2 4] [1 2; 3 4] below the diagonal; what is above stays.
        let columns = [1.0, 2.0, 3.0, 4.0];
        let mut out = [1.0, 0.0, 9.0, 0.0];
        add_lower_outer(&mut out, 2, &columns);
        assert_eq!(out, [11.0, 14.0, 9.0, 20.0]);
        // [1 0; 2 4] [1 3; 2 4].
        let mut out = [7.0; 4];
        lower_product(&mut out, 2, &columns, &columns);
        assert_eq!(out, [1.0, 10.0, 3.0, 22.0]);
    }

    #[test]
    fn nothing_adds_nothing() {
        let mut out = [1.0, 2.0];
        add_product(&mut out, 2, Plain(&[]), 0, Plain(&[]));
        assert_eq!(out, [1.0, 2.0]);
        add_product(&mut [], 2, Plain(&[1.0, 2.0]), 1, Transposed(&[]));
        add_product::<f64>(&mut [], 0, Transposed(&[]), 3, Plain(&[]));
    }
}

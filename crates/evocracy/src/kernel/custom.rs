//! Custom bases: a kernel that is any function of two rows, or a matrix of any origin.
//!
//! Such bases cannot be saved with a model: the caller computes their values at new rows as well
//! and predicts from those ([`Solution::predict`]).

use super::bases::Basis;
use super::design::Design;
use super::evidence::variance_at;
use super::fast::Solution;
use super::irls::add_columns;
use crate::error::{Error, Result};

impl Design {
    /// A given matrix, column after column: bases of any origin, such as the answers of experts. An
    /// error where the last column is not complete or a value is not finite.
    pub fn from_columns(columns: Vec<f64>, rows: usize) -> Result<Self> {
        if rows == 0 || !columns.len().is_multiple_of(rows) {
            return Err(Error::unsuitable(
                format!("{} values are no columns of {rows} rows", columns.len()),
                "give every base a value for each row, one base after the other",
            ));
        }
        let bases = (0..columns.len() / rows).map(Basis::Column).collect();
        finite(&columns, rows)?;
        Ok(Self::stored(rows, bases, columns))
    }

    /// A custom kernel around some centres, at some rows; after the bias, if there is to be one. An
    /// error where a value is not finite.
    ///
    /// ```
    /// use evocracy::kernel::Design;
    /// use evocracy::kernel::fast::{Settings, Target, fit};
    /// use evocracy::run::Stop;
    ///
    /// // A kernel of period 1 for points on a line.
    /// let kernel = |a: &[f64], b: &[f64]| (-(std::f64::consts::PI * (a[0] - b[0])).sin().powi(2)).exp();
    /// let rows: Vec<[f64; 1]> = (0..40).map(|i| [f64::from(i) / 10.0]).collect();
    /// let wave = |x: f64| (std::f64::consts::TAU * x).sin();
    /// let values: Vec<f64> = rows.iter().map(|row| wave(row[0])).collect();
    ///
    /// let design = Design::with_kernel(kernel, &rows, &rows, true)?;
    /// let settings = Settings { noise: Some(1e-4), ..Settings::default() };
    /// let found = fit(&design, Target::Numbers(&values), None, &settings, &Stop::new())?;
    ///
    /// // New rows, the same centres: far away the wave goes on.
    /// let new = Design::with_kernel(kernel, &[[100.2], [1000.7]], &rows, true)?;
    /// let (sums, variances) = found.predict(&new)?;
    /// assert!((sums[0] - wave(0.2)).abs() < 0.05 && (sums[1] - wave(0.7)).abs() < 0.05);
    /// assert!(variances.iter().all(|variance| *variance < 0.01));
    /// # Ok::<(), evocracy::error::Error>(())
    /// ```
    pub fn with_kernel<R: AsRef<[f64]>, C: AsRef<[f64]>>(
        kernel: impl Fn(&[f64], &[f64]) -> f64,
        rows: &[R],
        centres: &[C],
        bias: bool,
    ) -> Result<Self> {
        let mut bases: Vec<Basis> = bias.then_some(Basis::Bias).into_iter().collect();
        let mut columns = vec![1.0; bases.len() * rows.len()];
        for centre in centres {
            bases.push(Basis::Column(bases.len()));
            columns.extend(rows.iter().map(|row| kernel(row.as_ref(), centre.as_ref())));
        }
        finite(&columns, rows.len())?;
        Ok(Self::stored(rows.len(), bases, columns))
    }
}

fn finite(columns: &[f64], rows: usize) -> Result<()> {
    let Some(at) = columns.iter().position(|value| !value.is_finite()) else { return Ok(()) };
    Err(Error::unsuitable(
        format!("base {} is {} at row {}", at / rows, columns[at], at % rows),
        "give finite values; bases and rows are counted from 0",
    ))
}

impl Solution {
    /// The bases and their precisions, as [`Settings::start`](super::fast::Settings::start) of
    /// another search.
    pub fn start(&self) -> Vec<(usize, f64)> {
        self.bases.iter().copied().zip(self.alphas.iter().copied()).collect()
    }

    /// The sum at every row of a design of the same bases, and its variance (2.72) without noise.
    pub fn predict(&self, design: &Design) -> Result<(Vec<f64>, Vec<f64>)> {
        if self.bases.last().is_some_and(|basis| *basis >= design.len()) {
            return Err(Error::unsuitable(
                format!("there are {} bases, fewer than were learnt from", design.len()),
                "give the values of the same bases at the new rows",
            ));
        }
        let n = design.rows();
        let columns = design.columns(&self.bases);
        let mut sums = vec![0.0; n];
        add_columns(&mut sums, &columns, &self.weights);
        let variance = |row: usize| variance_at(row, n, &columns, &self.covariance).max(0.0);
        Ok((sums, (0..n).map(variance).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn incomplete_and_infinite_matrices_are_refused() {
        let refused =
            |columns: Vec<f64>, rows| Design::from_columns(columns, rows).unwrap_err().to_string();
        assert!(refused(vec![1.0; 5], 2).contains("5 values are no columns of 2 rows"));
        assert!(refused(vec![], 0).contains("no columns"));
        let holed = refused(vec![1.0, 2.0, 3.0, f64::NAN, 5.0, 6.0], 2);
        assert!(holed.contains("base 1 is NaN at row 1"), "{holed}");
        let kernel = |a: &[f64], b: &[f64]| 1.0 / (a[0] - b[0]);
        let rows = [[1.0], [2.0]];
        assert!(Design::with_kernel(kernel, &rows, &rows, false).is_err());
        assert_eq!(Design::from_columns(vec![1.0; 6], 2).unwrap().len(), 3);
    }
}

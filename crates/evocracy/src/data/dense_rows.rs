//! Rows as finite numbers only, column by column: what the dense encoding makes, in the layout
//! that learners read.

use super::{Cells, Kind, Schema, View};
use crate::error::{Error, Result};
use std::borrow::Cow;

/// The columns of a view, borrowed where they lie as they are needed.
#[derive(Debug, Clone)]
pub(crate) struct DenseRows<'a> {
    pub(crate) rows: usize,
    pub(crate) columns: Vec<Cow<'a, [f64]>>,
}

impl<'a> DenseRows<'a> {
    /// A usual limit of inputs and coefficients: no product of two and no sum of such products is
    /// infinite.
    pub(crate) const LIMIT: f64 = 1e150;

    /// The columns in view, each value clamped to `-limit..=limit`; an error where a column is
    /// not made of numbers or has gaps.
    pub(crate) fn new(view: View<'a>, limit: f64) -> Result<Self> {
        let columns: Result<_> =
            (0..view.columns()).map(|column| clamped(view, column, limit)).collect();
        Ok(Self { rows: view.rows(), columns: columns? })
    }

    /// The same, if there are as many columns as the model was fitted to.
    pub(crate) fn of_model(view: View<'a>, columns: usize, limit: f64) -> Result<Self> {
        if view.columns() != columns {
            return Err(Error::unsuitable("the columns are not those of the training data", ""));
        }
        Self::new(view, limit)
    }

    /// Columns that lie one after the other.
    pub(crate) fn from_slice(values: &'a [f64], rows: usize) -> Self {
        Self { rows, columns: values.chunks_exact(rows.max(1)).map(Cow::Borrowed).collect() }
    }

    /// Whether a model of so many inputs fits the columns after encoding.
    pub(crate) fn fits(inputs: &Schema, count: usize) -> bool {
        inputs.len() == count && inputs.fields.iter().all(|field| field.kind == Kind::Number)
    }

    /// The same numbers, none of them borrowed.
    pub(crate) fn into_owned(self) -> DenseRows<'static> {
        let columns = self.columns.into_iter().map(|column| Cow::Owned(column.into_owned()));
        DenseRows { rows: self.rows, columns: columns.collect() }
    }

    /// How many columns there are.
    pub(crate) fn inputs(&self) -> usize {
        self.columns.len()
    }

    /// One row.
    pub(crate) fn row(&self, row: usize) -> Vec<f64> {
        self.columns.iter().map(|column| column[row]).collect()
    }

    /// Writes the rows `start..end`, one after the other.
    pub(crate) fn rows_into(&self, start: usize, end: usize, out: &mut Vec<f64>) {
        let width = self.columns.len();
        out.clear();
        out.resize((end - start) * width, 0.0);
        for (j, column) in self.columns.iter().enumerate() {
            for (i, value) in column[start..end].iter().enumerate() {
                out[i * width + j] = *value;
            }
        }
    }

    /// The rows from one to before another, borrowed.
    pub(crate) fn between(&self, start: usize, end: usize) -> DenseRows<'_> {
        let columns = self.columns.iter().map(|column| Cow::Borrowed(&column[start..end]));
        DenseRows { rows: end - start, columns: columns.collect() }
    }

    /// Some of the columns.
    pub(crate) fn with_columns(&self, columns: &[usize]) -> Self {
        let columns = columns.iter().map(|&column| self.columns[column].clone());
        Self { rows: self.rows, columns: columns.collect() }
    }

    /// Some of the rows.
    pub(crate) fn subset(&self, rows: &[u32]) -> DenseRows<'static> {
        let columns = self.columns.iter().map(|column| Cow::Owned(pick(rows, column)));
        DenseRows { rows: rows.len(), columns: columns.collect() }
    }

    /// Multiplies each column by its scale; nothing where there are no scales.
    pub(crate) fn scale(&mut self, scales: &[f64]) {
        for (column, scale) in self.columns.iter_mut().zip(scales) {
            column.to_mut().iter_mut().for_each(|value| *value *= scale);
        }
    }
}

/// The entries of some rows.
pub(crate) fn pick<T: Copy>(rows: &[u32], values: &[T]) -> Vec<T> {
    rows.iter().map(|&row| values[row as usize]).collect()
}

fn clamped(view: View<'_>, column: usize, limit: f64) -> Result<Cow<'_, [f64]>> {
    let unfit = || {
        Error::unsuitable(
            format!("column `{}` does not hold numbers only", view.field(column).name),
            "encode the columns as numbers without gaps",
        )
    };
    let Cells::Number(cells) = view.cells(column) else { return Err(unfit()) };
    let values = match view.row_ids() {
        None => Cow::Borrowed(cells),
        Some(rows) => Cow::Owned(pick(rows, cells)),
    };
    if values.iter().all(|value| value.abs() <= limit) {
        return Ok(values);
    }
    if values.iter().any(|value| value.is_nan()) {
        return Err(unfit());
    }
    Ok(Cow::Owned(values.iter().map(|value| value.clamp(-limit, limit)).collect()))
}

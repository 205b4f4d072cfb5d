//! Inputs that are numbers only, as the dense encoding makes them, for the experts that eat them.

use crate::data::{Cells, Kind, Schema, Task, View};
use crate::error::{Error, Result};
use std::borrow::Cow;

/// Inputs and coefficients are kept within this, so that no product of two and no sum of such
/// products is infinite.
pub(super) const LIMIT: f64 = 1e150;

/// The columns of a view, borrowed where they lie as they are needed.
#[derive(Debug)]
pub(super) struct Inputs<'a> {
    pub(super) rows: usize,
    pub(super) columns: Vec<Cow<'a, [f64]>>,
}

impl<'a> Inputs<'a> {
    /// The columns in view; an error where one is not made of finite numbers.
    pub(super) fn new(view: View<'a>) -> Result<Self> {
        let columns: Result<_> = (0..view.columns()).map(|column| values(view, column)).collect();
        Ok(Self { rows: view.rows(), columns: columns? })
    }

    /// The same, if there are as many columns as the model was fitted to.
    pub(super) fn of_model(view: View<'a>, columns: usize) -> Result<Self> {
        if view.columns() != columns {
            return Err(Error::unsuitable("the columns are not those of the training data", ""));
        }
        Self::new(view)
    }

    /// Writes the rows `start..end`, one after the other.
    pub(super) fn rows_into(&self, start: usize, end: usize, out: &mut Vec<f64>) {
        let width = self.columns.len();
        out.clear();
        out.resize((end - start) * width, 0.0);
        for (j, column) in self.columns.iter().enumerate() {
            for (i, value) in column[start..end].iter().enumerate() {
                out[i * width + j] = *value;
            }
        }
    }

    /// One row.
    pub(super) fn row(&self, row: usize) -> Vec<f64> {
        self.columns.iter().map(|column| column[row]).collect()
    }
}

fn values(view: View<'_>, column: usize) -> Result<Cow<'_, [f64]>> {
    let unfit = || {
        Error::unsuitable(
            format!("column `{}` does not hold numbers only", view.field(column).name),
            "encode the columns as numbers without gaps",
        )
    };
    let Cells::Number(cells) = view.cells(column) else { return Err(unfit()) };
    let values = match view.row_ids() {
        None => Cow::Borrowed(cells),
        Some(_) => Cow::Owned(view.pick(cells)),
    };
    if values.iter().all(|value| value.abs() <= LIMIT) {
        return Ok(values);
    }
    if values.iter().any(|value| value.is_nan()) {
        return Err(unfit());
    }
    Ok(Cow::Owned(values.iter().map(|value| value.clamp(-LIMIT, LIMIT)).collect()))
}

/// Whether a model of so many inputs fits the columns after encoding.
pub(super) fn fits(inputs: &Schema, count: usize) -> bool {
    inputs.len() == count && inputs.fields.iter().all(|field| field.kind == Kind::Number)
}

/// The weights of a task, if their sum is of a size that can be computed with.
pub(super) fn weights(task: &Task<'_>) -> Result<Vec<f64>> {
    let weights = task.weights();
    let total: f64 = weights.iter().sum();
    if (1e-60..=1e60).contains(&total) {
        return Ok(weights);
    }
    Err(Error::unsuitable(
        format!("the weights of the rows sum to {total:e}"),
        "scale the weights, best so that they are 1 on average",
    ))
}

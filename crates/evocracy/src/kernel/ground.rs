//! The rows that machines are learnt from.

use super::bases::Points;
use super::width::pick;
use crate::data::{Column, Task, View};
use crate::error::{Error, Result};

/// Rows to learn from.
#[derive(Debug, Clone)]
pub(super) struct Ground {
    /// Their inputs, one after the other.
    values: Vec<f64>,
    pub(super) rows: usize,
    pub(super) weights: Option<Vec<f64>>,
}

impl Ground {
    /// The rows of a task that count; and which those are.
    pub(super) fn new(task: &Task<'_>) -> Result<(Self, Vec<u32>)> {
        let (rows, weights) = counted(task)?;
        let values = gather(task.features, &rows)?;
        Ok((Self { values, rows: rows.len(), weights }, rows))
    }

    pub(super) fn points(&self) -> Points<'_> {
        Points { rows: self.rows, values: &self.values }
    }

    /// Some of the rows.
    pub(super) fn part(&self, rows: &[u32]) -> Self {
        let points = self.points();
        Self {
            values: (0..points.inputs()).flat_map(|j| pick(rows, points.column(j))).collect(),
            rows: rows.len(),
            weights: self.weights.as_ref().map(|weights| pick(rows, weights)),
        }
    }

    /// How often a row counts.
    pub(super) fn weight(&self, row: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[row])
    }
}

/// The columns of a view as points, if there are as many as a model was fitted to.
pub(super) fn points_of(rows: View<'_>, inputs: usize) -> Result<Vec<f64>> {
    if rows.columns() != inputs {
        return Err(Error::unsuitable("the columns are not those of the training data", ""));
    }
    let all: Vec<u32> = (0..rows.rows() as u32).collect();
    gather(rows, &all)
}

/// Some rows of the columns in view, one column after the other; an error where one is not made of
/// numbers.
fn gather(view: View<'_>, rows: &[u32]) -> Result<Vec<f64>> {
    let mut points = Vec::with_capacity(rows.len() * view.columns());
    for column in 0..view.columns() {
        let Column::Number(values) = view.gather(column) else {
            return Err(unfit(view, column));
        };
        let values = pick(rows, &values);
        if values.iter().any(|value| value.is_nan()) {
            return Err(unfit(view, column));
        }
        points.extend(values.iter().map(|value| value.clamp(-1e60, 1e60)));
    }
    Ok(points)
}

fn unfit(view: View<'_>, column: usize) -> Error {
    Error::unsuitable(
        format!("column `{}` does not hold numbers only", view.field(column).name),
        "encode the columns as numbers without gaps",
    )
}

/// The rows that count, and their weights where they are not all 1.
fn counted(task: &Task<'_>) -> Result<(Vec<u32>, Option<Vec<f64>>)> {
    let weights = task.weights();
    let total: f64 = weights.iter().sum();
    if !(1e-60..=1e60).contains(&total) {
        return Err(Error::unsuitable(
            format!("the weights of the rows sum to {total}"),
            "scale the weights, best so that they are 1 on average",
        ));
    }
    let rows: Vec<u32> = (0..weights.len() as u32).filter(|&r| weights[r as usize] > 0.0).collect();
    let weights = pick(&rows, &weights);
    let uneven = weights.iter().any(|weight| *weight != 1.0);
    Ok((rows, uneven.then_some(weights)))
}

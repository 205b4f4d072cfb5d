//! Class probabilities of many rows.

use crate::num::argmax;

/// A row of class probabilities for every row of a view, contiguous.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Proba {
    classes: usize,
    values: Vec<f64>,
}

impl Proba {
    /// An empty buffer; models size it themselves, so one can serve many batches.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes room for `rows` rows of `classes` probabilities, all 0.
    pub fn reset(&mut self, rows: usize, classes: usize) {
        self.classes = classes;
        self.values.clear();
        self.values.resize(rows * classes, 0.0);
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.values.len().checked_div(self.classes).unwrap_or(0)
    }

    /// How many classes there are.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// The probabilities of one row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.classes..(row + 1) * self.classes]
    }

    /// The probabilities of one row, to be written.
    pub fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.values[row * self.classes..(row + 1) * self.classes]
    }

    /// The probabilities of some rows, one after the other, to be written.
    pub fn rows_mut(&mut self, rows: std::ops::Range<usize>) -> &mut [f64] {
        &mut self.values[rows.start * self.classes..rows.end * self.classes]
    }

    /// All rows, one after the other.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The same, without a copy.
    pub fn into_values(self) -> Vec<f64> {
        self.values
    }

    /// The probability of one class in every row.
    pub fn class(&self, class: usize) -> Vec<f64> {
        self.values.iter().skip(class).step_by(self.classes.max(1)).copied().collect()
    }

    /// The most probable class of a row; the first one among equals.
    pub fn best(&self, row: usize) -> usize {
        argmax(self.row(row))
    }

    /// The most probable class of every row.
    pub fn calls(&self) -> Vec<u32> {
        (0..self.rows()).map(|row| self.best(row) as u32).collect()
    }
}

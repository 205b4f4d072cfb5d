//! A fitted logistic regression: probabilities, explanations, what a file may hold.

use super::problem::Problem;
use crate::classify::{Classifier, Explanation, Link, Part, Proba, Saved, softmax_in_place};
use crate::data::{Classes, DenseRows, Schema, View};
use crate::error::{Error, Result};
use crate::num::{add_scaled, wide};
use serde::{Deserialize, Serialize};

/// How many rows are worked on together.
const BLOCK: usize = 256;

/// Coefficients and intercepts: one vector for two classes, one for each of more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogisticModel {
    classes: Classes,
    inputs: usize,
    /// Vector after vector.
    coefficients: Vec<f64>,
    intercepts: Vec<f64>,
}

impl LogisticModel {
    pub(super) fn new(classes: &Classes, problem: &Problem<'_>, theta: &[f64]) -> Self {
        let (mut coefficients, mut intercepts) = (Vec::new(), Vec::new());
        for vector in theta.chunks_exact(problem.width()) {
            coefficients.extend_from_slice(&vector[..problem.columns.len()]);
            intercepts.push(vector[problem.columns.len()]);
        }
        let (classes, inputs) = (classes.clone(), problem.columns.len());
        Self { classes, inputs, coefficients, intercepts }
    }

    /// The coefficients, a value for each input: one vector for two classes (of the second
    /// against the first), one for each of more.
    pub fn coefficients(&self) -> impl Iterator<Item = &[f64]> {
        let part = move |i: usize| &self.coefficients[i * self.inputs..(i + 1) * self.inputs];
        (0..self.intercepts.len()).map(part)
    }

    /// The intercept of each vector.
    pub fn intercepts(&self) -> &[f64] {
        &self.intercepts
    }

    /// A value for each class: that of its vector, 0 for the first of two classes.
    fn by_class(&self, of: impl Fn(usize) -> f64) -> Vec<f64> {
        let first = self.classes.len() - self.intercepts.len();
        let class = |c: usize| if c < first { 0.0 } else { of(c - first) };
        (0..self.classes.len()).map(class).collect()
    }
}

impl Classifier for LogisticModel {
    fn classes(&self) -> &Classes {
        &self.classes
    }

    fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        let inputs = DenseRows::of_model(rows, self.inputs, DenseRows::LIMIT)?;
        out.reset(inputs.rows, self.classes.len());
        let first = self.classes.len() - self.intercepts.len();
        let mut scores = [0.0; BLOCK];
        for start in (0..inputs.rows).step_by(BLOCK) {
            let end = inputs.rows.min(start + BLOCK);
            for (i, vector) in self.coefficients().enumerate() {
                let scores = &mut scores[..end - start];
                scores.fill(self.intercepts[i]);
                wide(
                    #[inline(always)]
                    || {
                        for (column, factor) in inputs.columns.iter().zip(vector) {
                            add_scaled(scores, *factor, &column[start..end]);
                        }
                    },
                );
                for (row, score) in (start..end).zip(scores) {
                    out.row_mut(row)[first + i] = *score;
                }
            }
            (start..end).for_each(|row| softmax_in_place(out.row_mut(row)));
        }
        Ok(())
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        let values = DenseRows::of_model(rows, self.inputs, DenseRows::LIMIT)?.row(row);
        let base = self.by_class(|i| self.intercepts[i]);
        let part = |(column, value): (usize, f64)| Part {
            column: Some(column),
            because: format!("{} = {value}", rows.field(column).name),
            adds: self.by_class(|i| self.coefficients[i * self.inputs + column] * value),
        };
        let parts = values.into_iter().enumerate().map(part).collect();
        Ok(Explanation { base, parts, link: Link::Softmax })
    }
}

impl Saved for LogisticModel {
    const VERSION: u32 = 1;

    fn check(&self, inputs: &Schema) -> Result<()> {
        self.classes.check()?;
        let vectors = if self.classes.len() == 2 { 1 } else { self.classes.len() };
        let bounded = |values: &[f64]| values.iter().all(|v| v.abs() <= DenseRows::LIMIT);
        let sound = DenseRows::fits(inputs, self.inputs)
            && self.intercepts.len() == vectors
            && self.inputs.checked_mul(vectors) == Some(self.coefficients.len())
            && bounded(&self.coefficients)
            && bounded(&self.intercepts);
        if sound { Ok(()) } else { Err(Error::model_file("its coefficients are inconsistent")) }
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        let used = self.coefficients.iter().filter(|c| **c != 0.0).count();
        vec![("coefficients", used as u64), ("inputs", self.inputs as u64)]
    }
}

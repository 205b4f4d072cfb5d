//! A fitted ridge regression: numbers with their variance, explanations, what a file may hold.

use super::spectrum::Spectrum;
use crate::classify::{Explanation, Link, Part, Regressor, Saved};
use crate::data::{DenseRows, Schema, View};
use crate::error::{Error, Result};
use crate::num::{add_scaled, dot, wide};
use serde::{Deserialize, Serialize};

/// Coefficients with their variances.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RidgeModel {
    penalty: f64,
    intercept: f64,
    coefficients: Vec<f64>,
    /// The mean of each input in training.
    means: Vec<f64>,
    /// The variance of the residuals.
    noise: f64,
    /// The variance of the intercept, as a share of that.
    #[serde(rename = "level")]
    intercept_variance: f64,
    /// The directions in which the inputs vary, one after the other.
    axes: Vec<f64>,
    /// The variance of the coefficient along each direction, as a share of the residuals'.
    #[serde(rename = "doubts")]
    axis_variances: Vec<f64>,
    /// The same in all other directions.
    #[serde(rename = "doubt")]
    other_variance: f64,
}

impl RidgeModel {
    pub(super) fn new(spectrum: &Spectrum, penalty: f64) -> Self {
        let coefficients = spectrum.coefficients(penalty);
        let errors = spectrum.errors(penalty);
        let left = (spectrum.effective_rows - errors.freedom).max(1.0);
        // As if the weights summed to the effective number of rows.
        let scale = spectrum.total / spectrum.effective_rows;
        Self {
            penalty,
            intercept: spectrum.mean - dot(&spectrum.means, &coefficients),
            coefficients,
            means: spectrum.means.clone(),
            noise: errors.squares / spectrum.total * spectrum.effective_rows / left,
            intercept_variance: 1.0 / spectrum.effective_rows,
            axes: spectrum.axes.clone(),
            axis_variances: spectrum.values.iter().map(|value| scale / (value + penalty)).collect(),
            other_variance: scale / penalty,
        }
    }

    /// The penalty, given or chosen.
    pub fn penalty(&self) -> f64 {
        self.penalty
    }

    /// A coefficient for each input.
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// The prediction where all inputs are 0.
    pub fn intercept(&self) -> f64 {
        self.intercept
    }

    /// Whether all numbers lie within a limit.
    pub(super) fn is_bounded(&self, limit: f64) -> bool {
        let numbers = [
            self.penalty,
            self.intercept,
            self.noise,
            self.intercept_variance,
            self.other_variance,
        ];
        let lists = [&self.coefficients, &self.means, &self.axes, &self.axis_variances];
        let all = numbers.iter().chain(lists.into_iter().flatten());
        all.into_iter().all(|value| value.abs() <= limit)
    }

    /// The variance of a prediction.
    fn variance(&self, row: &[f64]) -> f64 {
        let difference: Vec<f64> = row.iter().zip(&self.means).map(|(x, mean)| x - mean).collect();
        let mut outside = dot(&difference, &difference);
        let mut sum = 1.0 + self.intercept_variance;
        for (axis, variance) in self.axes.chunks_exact(row.len().max(1)).zip(&self.axis_variances) {
            let component = dot(&difference, axis);
            sum += component * component * variance;
            outside -= component * component;
        }
        let sum = sum + outside.max(0.0) * self.other_variance;
        // A row so far away that this is infinite has the largest variance there is.
        (self.noise * sum).min(f64::MAX)
    }
}

impl Regressor for RidgeModel {
    fn predict_into(
        &self,
        rows: View<'_>,
        mean: &mut [f64],
        variance: Option<&mut [f64]>,
    ) -> Result<()> {
        let inputs = DenseRows::of_model(rows, self.coefficients.len(), DenseRows::LIMIT)?;
        if mean.len() != inputs.rows || variance.as_ref().is_some_and(|v| v.len() != inputs.rows) {
            return Err(Error::unsuitable(
                format!("there must be room for {} predictions, one for each row", inputs.rows),
                "",
            ));
        }
        mean.fill(self.intercept);
        wide(
            #[inline(always)]
            || {
                for (column, factor) in inputs.columns.iter().zip(&self.coefficients) {
                    add_scaled(mean, *factor, column);
                }
            },
        );
        for (row, variance) in variance.into_iter().flatten().enumerate() {
            *variance = self.variance(&inputs.row(row));
        }
        Ok(())
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        let values = DenseRows::of_model(rows, self.coefficients.len(), DenseRows::LIMIT)?.row(row);
        let part = |(column, (value, factor)): (usize, (f64, &f64))| Part {
            column: Some(column),
            because: format!("{} = {value}", rows.field(column).name),
            adds: vec![factor * value],
        };
        let parts = values.into_iter().zip(&self.coefficients).enumerate().map(part).collect();
        Ok(Explanation { base: vec![self.intercept], parts, link: Link::Identity })
    }
}

impl Saved for RidgeModel {
    const VERSION: u32 = 1;

    fn check(&self, inputs: &Schema) -> Result<()> {
        let width = self.coefficients.len();
        let amounts = [self.penalty, self.noise, self.intercept_variance, self.other_variance];
        let sound = DenseRows::fits(inputs, width)
            && self.means.len() == width
            && self.axis_variances.len().checked_mul(width) == Some(self.axes.len())
            && self.is_bounded(DenseRows::LIMIT)
            && amounts.iter().chain(&self.axis_variances).all(|amount| *amount >= 0.0);
        if sound { Ok(()) } else { Err(Error::model_file("its coefficients are inconsistent")) }
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        vec![("inputs", self.coefficients.len() as u64)]
    }
}

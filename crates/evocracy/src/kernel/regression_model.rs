//! What `rvm-regression` learns: a sparse sum and its error bars.
//!
//! The variance of a prediction is (2.72): the noise and the uncertainty of the weights. Kernels
//! vanish far from their centres, and with them that uncertainty; so far from all training rows the
//! variance of the training targets is added, by the share `1 - exp(-d^2 / width^2)`. `d` is the
//! excess of the distance to the training rows ([`KCentreCover`]). `explain` says when a row is far
//! from all of them.

use super::cover::KCentreCover;
use super::scales::{are_valid, scales_diagnostic, scales_part};
use super::sparse_sum::SparseSum;
use super::training::scaled_rows;
use super::tuning::{CoverTuning, NumericLimits};
use crate::classify::{Diagnostics, Explanation, Link, Part, Regressor, Saved};
use crate::data::{DenseRows, Schema, View};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// A fitted relevance vector machine for numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RvmRegressionModel {
    pub(super) width: f64,
    /// The scale of each input; none where all are alike.
    #[serde(default)]
    pub(super) scales: Vec<f64>,
    /// The variance of the noise and of the training targets.
    pub(super) noise: f64,
    #[serde(rename = "spread")]
    pub(super) target_variance: f64,
    #[serde(rename = "territory")]
    pub(super) cover: KCentreCover,
    #[serde(rename = "machine")]
    pub(super) sum: SparseSum,
}

impl RvmRegressionModel {
    /// The bases and their weights.
    pub fn sparse_sum(&self) -> &SparseSum {
        &self.sum
    }

    /// The width of the kernel, given or found.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// The scale of each input; none where all are alike.
    pub fn scales(&self) -> &[f64] {
        &self.scales
    }

    /// The variance of the noise.
    pub fn noise(&self) -> f64 {
        self.noise
    }

    /// The model of targets `scale` times as large, learnt from rows of weight `total`.
    pub(super) fn times(self, scale: f64, total: f64) -> Self {
        let square = scale * scale;
        Self {
            noise: self.noise * square,
            target_variance: self.target_variance * square,
            sum: self.sum.times(scale, total),
            ..self
        }
    }

    /// Writes the mean of every row and, where it is asked for, the variance.
    pub(super) fn predict(
        &self,
        points: &DenseRows<'_>,
        mean: &mut [f64],
        variance: Option<&mut [f64]>,
    ) {
        let Some(variance) = variance else {
            return self.sum.sum_into(points, mean, None);
        };
        self.sum.sum_into(points, mean, Some(variance));
        for (row, variance) in variance.iter_mut().enumerate() {
            let more = self.extrapolation(&points.row(row)) * self.target_variance;
            *variance = (*variance + self.noise + more).min(f64::MAX);
        }
    }

    /// The share of the variance of the targets that is added far from the training rows.
    fn extrapolation(&self, row: &[f64]) -> f64 {
        1.0 - (-(self.cover.excess_distance(row) / self.width).powi(2)).exp()
    }
}

impl Regressor for RvmRegressionModel {
    fn predict_into(
        &self,
        rows: View<'_>,
        mean: &mut [f64],
        variance: Option<&mut [f64]>,
    ) -> Result<()> {
        let points = scaled_rows(rows, self.sum.inputs(), &self.scales)?;
        let n = rows.rows();
        if mean.len() != n || variance.as_ref().is_some_and(|v| v.len() != n) {
            return Err(Error::unsuitable(
                format!("there must be room for {n} predictions, one for each row"),
                "",
            ));
        }
        self.predict(&points, mean, variance);
        Ok(())
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        let id = [rows.row_id(row) as u32];
        let points = scaled_rows(rows.with_rows(&id), self.sum.inputs(), &self.scales)?;
        let values = points.row(0);
        let name = |input: usize| rows.field(input).name.clone();
        let (bias, mut parts) = self.sum.contributions(&values, name);
        if self.extrapolation(&values) > CoverTuning::NOTABLE_SHARE {
            let (far, usual) = (self.cover.distance(&values), self.cover.quantile());
            let because = format!(
                "far from the training rows: {far:.4} from the nearest, {usual:.4} is usual"
            );
            parts.push(Part { column: None, because, adds: vec![0.0] });
        }
        parts.extend(scales_part(&self.scales, 1, name));
        Ok(Explanation { base: vec![bias], parts, link: Link::Identity })
    }
}

impl Saved for RvmRegressionModel {
    const VERSION: u32 = 1;

    fn check(&self, inputs: &Schema) -> Result<()> {
        let amount = |v: f64| (0.0..=NumericLimits::MODEL).contains(&v);
        let sound = self.sum.is_valid(inputs.len())
            && DenseRows::fits(inputs, inputs.len())
            && are_valid(&self.scales, inputs.len())
            && self.cover.is_valid(inputs.len())
            && NumericLimits::MODEL_WIDTHS.contains(&self.width)
            && amount(self.noise)
            && amount(self.target_variance);
        if sound {
            Ok(())
        } else {
            Err(Error::model_file("its relevance vectors are inconsistent"))
        }
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        vec![("vectors", self.sum.vectors() as u64)]
    }

    fn diagnostics(&self, inputs: &Schema) -> Diagnostics {
        let name = |input: usize| inputs.fields[input].name.clone();
        Diagnostics {
            width: Some(self.width),
            scales: scales_diagnostic(&self.scales, name),
            noise: Some(self.noise.sqrt()),
            ..self.sum.diagnostics(name)
        }
    }
}

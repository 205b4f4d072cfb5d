//! What `rvm-regression` learns: a machine and its error bars.
//!
//! The variance of a prediction is (2.72): the noise and the uncertainty of the weights. Kernels
//! vanish far from their centres, and with them that uncertainty; so beyond the range of the
//! training rows the variance grows to that of the training targets: by the share
//! `1 - exp(-d^2 / width^2)` of it, where `d` is the distance to the box that holds the training
//! rows. Within the box nothing is added. `explain` says when a row lies outside.

use super::bases::Points;
use super::ground::points_of;
use super::machine::Machine;
use crate::classify::{Explanation, Link, Part, Regressor, Saved};
use crate::data::{Kind, Schema, View};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A fitted relevance vector machine for numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RvmRegressionModel {
    pub(super) width: f64,
    /// The variance of the noise and of the training targets.
    pub(super) noise: f64,
    pub(super) spread: f64,
    /// The least and the greatest of each input in training.
    pub(super) ranges: Vec<(f64, f64)>,
    pub(super) machine: Machine,
}

impl RvmRegressionModel {
    /// The bases and their weights.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The width of the kernel, given or found.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// The variance of the noise.
    pub fn noise(&self) -> f64 {
        self.noise
    }

    pub(super) fn at(&self, points: Points<'_>, mean: &mut [f64], variance: Option<&mut [f64]>) {
        let Some(variance) = variance else {
            return self.machine.sum_into(points, mean, None);
        };
        self.machine.sum_into(points, mean, Some(variance));
        for (row, variance) in variance.iter_mut().enumerate() {
            let far = self.outside(points, row);
            let share = 1.0 - (-far / (self.width * self.width)).exp();
            *variance = (*variance + self.noise + share * self.spread).min(f64::MAX);
        }
    }

    /// The squared distance of a row to the box of the training rows.
    fn outside(&self, points: Points<'_>, row: usize) -> f64 {
        let beyond = |(input, (low, high)): (usize, &(f64, f64))| {
            let value = points.column(input)[row];
            (low - value).max(value - high).max(0.0).powi(2)
        };
        self.ranges.iter().enumerate().map(beyond).sum()
    }
}

impl Regressor for RvmRegressionModel {
    fn predict_into(
        &self,
        rows: View<'_>,
        mean: &mut [f64],
        variance: Option<&mut [f64]>,
    ) -> Result<()> {
        let values = points_of(rows, self.machine.inputs())?;
        let n = rows.rows();
        if mean.len() != n || variance.as_ref().is_some_and(|v| v.len() != n) {
            return Err(Error::unsuitable(
                format!("there must be room for {n} predictions, one for each row"),
                "",
            ));
        }
        self.at(Points { rows: n, values: &values }, mean, variance);
        Ok(())
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        let id = [rows.row_id(row) as u32];
        let values = points_of(rows.with_rows(&id), self.machine.inputs())?;
        let (bias, words) = self.machine.parts(&values, |input| rows.field(input).name.clone());
        let mut parts: Vec<Part> = words
            .into_iter()
            .map(|w| Part { column: w.column, because: w.because, adds: vec![w.adds] })
            .collect();
        if self.outside(Points { rows: 1, values: &values }, 0) > 0.0 {
            let because = "the row lies outside the range of the training rows".to_owned();
            parts.push(Part { column: None, because, adds: vec![0.0] });
        }
        Ok(Explanation { base: vec![bias], parts, link: Link::Identity })
    }
}

impl Saved for RvmRegressionModel {
    const VERSION: u32 = 1;

    fn check(&self, inputs: &Schema) -> Result<()> {
        let amount = |v: f64| (0.0..=1e150).contains(&v);
        let sound = self.machine.is_sound(inputs.len())
            && inputs.fields.iter().all(|field| field.kind == Kind::Number)
            && self.ranges.len() == inputs.len()
            && self.ranges.iter().all(|(low, high)| low.is_finite() && high.is_finite())
            && (1e-150..=1e150).contains(&self.width)
            && amount(self.noise)
            && amount(self.spread);
        if sound {
            Ok(())
        } else {
            Err(Error::model_file("its relevance vectors are inconsistent"))
        }
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        vec![("vectors", self.machine.vectors() as u64)]
    }

    fn diagnostics(&self, inputs: &Schema) -> Map<String, Value> {
        let mut notes = Map::new();
        notes.insert("width".into(), self.width.into());
        notes.insert("noise".into(), self.noise.sqrt().into());
        notes.extend(self.machine.notes(|input| inputs.fields[input].name.clone()));
        notes
    }
}

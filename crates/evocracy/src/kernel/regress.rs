//! The method `rvm-regression`: numbers with error bars.
//!
//! The variance of a prediction is (2.72): the noise and the uncertainty of the weights. Kernels
//! vanish far from their centres, and with them that uncertainty; so beyond the range of the
//! training rows the variance grows to that of the training targets: by the share
//! `1 - exp(-d^2 / width^2)` of it, where `d` is the distance to the box that holds the training
//! rows. Within the box nothing is added. `explain` says when a row lies outside.

use super::bases::{Kernel, Points};
use super::classify::{counted, gather, points_of, resolutions};
use super::design::{Design, Dictionary, Keep};
use super::fast::{Settings, Sparse, Target, fit};
use super::machine::Machine;
use super::width::{Choose, Sensible, Width, best, candidates, median, pick, rough, sample};
use crate::classify::{Explanation, Fitted, Learner, Link, Part, Predicts, Regressor, Saved};
use crate::data::{Input, Kind, Schema, Task, View, folds};
use crate::error::{Error, Result};
use crate::run::{Run, Stop, StopReason};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Targets beyond this cannot be squared and summed.
const MOST: f64 = 1e60;

/// Folds by which a width is chosen.
const FOLDS: usize = 5;

crate::params! {
    /// A relevance vector machine for numbers: a sparse sum of kernels with error bars.
    pub struct RvmRegression as "rvm-regression" {
        /// the bases that are summed
        kernel: Kernel = Kernel::Gaussian, Kernel::CHOICES;
        /// the width of the kernel, on inputs that are standardised
        width: Width = Width::Auto, Sensible;
        /// how the width is found where it is `auto`
        choose: Choose = Choose::Cross, Choose::CHOICES;
        /// resolutions: with 3 there are kernels of the width, half of it and a quarter of it on every row
        levels: usize = 1, 1..=8;
        /// the degree of a polynomial kernel
        degree: usize = 2, 1..=16;
        /// whether a bias is among the bases; it goes like any other when it is not needed
        bias: bool = true, ..;
        /// how strongly the smoothness prior exp(-c DF) counts; 0 is none, 1 is the usual
        smooth: f64 = 0.0, 0.0..=100.0;
        /// the standard deviation of the noise; at 0 it is estimated
        noise: f64 = 0.0, 0.0..=1e50;
        /// how many training rows at most are centres of kernels, evenly drawn; 0 for all
        centres: usize = 1000, 0..=10_000_000;
        /// whether to search from two starts instead of one: the evidence has many peaks
        explore: bool = true, ..;
        /// whether the design matrix is stored or computed as needed
        bases: Keep = Keep::Stored, Keep::CHOICES;
    }
}

/// Rows to learn from.
struct Ground<'a> {
    points: Vec<f64>,
    numbers: Vec<f64>,
    weights: Option<Vec<f64>>,
    rvm: &'a RvmRegression,
}

impl Learner for RvmRegression {
    type Model = RvmRegressionModel;
    const INPUT: Input = Input::Dense;
    const PREDICTS: Predicts = Predicts::Number;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<RvmRegressionModel>> {
        if run.stop.requested() {
            return Err(Error::Stopped);
        }
        let (rows, weights) = counted(task)?;
        let numbers = pick(&rows, &task.numbers()?);
        if let Some(bad) = numbers.iter().find(|y| y.is_nan() || y.abs() > MOST) {
            return Err(Error::unsuitable(
                format!("the target `{}` of a row is {bad}", task.target_name()),
                format!("rescale the target: it must lie within {MOST:e}"),
            ));
        }
        let ground = Ground { points: gather(task.features, &rows)?, numbers, weights, rvm: self };
        let width = ground.width(run)?;
        let settings = Settings { explore: self.explore, ..Settings::default() };
        let model =
            ground.model(width, run.stop, &settings, |row| task.row_id(rows[row] as usize))?;
        let stop =
            if run.stop.requested() { StopReason::Interrupted } else { StopReason::Finished };
        Ok(Fitted { model, stop })
    }
}

impl Ground<'_> {
    fn points(&self) -> Points<'_> {
        Points { rows: self.numbers.len(), values: &self.points }
    }

    fn sparse(&self, design: &Design, stop: &Stop, settings: &Settings<'_>) -> Result<Sparse> {
        let noise = (self.rvm.noise > 0.0).then_some(self.rvm.noise * self.rvm.noise);
        let settings = Settings { smooth: self.rvm.smooth, noise, ..settings.clone() };
        fit(design, Target::Numbers(&self.numbers), self.weights.as_deref(), &settings, stop)
    }

    fn model(
        &self,
        width: f64,
        stop: &Stop,
        settings: &Settings<'_>,
        id: impl Fn(usize) -> usize,
    ) -> Result<RvmRegressionModel> {
        let RvmRegression { kernel, degree, levels, bias, centres, bases, .. } = *self.rvm;
        let widths = resolutions(width, levels);
        let dictionary = Dictionary { kernel, degree, widths, bias, centres };
        let points = self.points();
        let design = Design::new(&dictionary, &self.points, points.rows, bases);
        let sparse = self.sparse(&design, stop, settings)?;
        let noise = sparse.noise.unwrap_or(0.0);
        let machine = Machine::new(&dictionary, &design, sparse, points, id);
        let weight = |row: usize| self.weights.as_ref().map_or(1.0, |w| w[row]);
        let total: f64 = (0..points.rows).map(weight).sum();
        let mean = (0..points.rows).map(|i| weight(i) * self.numbers[i]).sum::<f64>() / total;
        let squares = (0..points.rows).map(|i| weight(i) * (self.numbers[i] - mean).powi(2));
        let spread = squares.sum::<f64>() / total;
        let range = |input: usize| {
            let values = points.column(input).iter().copied();
            (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max))
        };
        let ranges = (0..points.inputs()).map(range).collect();
        Ok(RvmRegressionModel { width, noise, spread, ranges, machine })
    }

    fn width(&self, run: &Run<'_>) -> Result<f64> {
        if let Width::Fixed(width) = self.rvm.width {
            return Ok(width);
        }
        let rows = sample(self.numbers.len());
        let some = self.part(&rows);
        let widths = candidates(self.rvm.kernel, self.points());
        if widths.len() == 1 || rows.len() < 2 * FOLDS {
            return Ok(median(self.rvm.kernel, self.points()));
        }
        if self.rvm.choose == Choose::Evidence {
            return best(&widths, 1, run, |width, _| {
                Ok(some.model(width, run.stop, &rough(), |row| row)?.machine.evidence())
            });
        }
        let splits = folds(rows.len(), None, FOLDS, run.seed.child("width", 0))?;
        best(&widths, splits.len(), run, |width, fold| {
            some.held_out(width, &splits[fold].train, &splits[fold].test, run.stop)
        })
    }

    /// Some of the rows.
    fn part(&self, rows: &[u32]) -> Self {
        let points = self.points();
        Ground {
            points: (0..points.inputs()).flat_map(|j| pick(rows, points.column(j))).collect(),
            numbers: pick(rows, &self.numbers),
            weights: self.weights.as_ref().map(|weights| pick(rows, weights)),
            rvm: self.rvm,
        }
    }

    /// The log-likelihood of rows that were left out.
    fn held_out(&self, width: f64, train: &[u32], test: &[u32], stop: &Stop) -> Result<f64> {
        let (train, test) = (self.part(train), self.part(test));
        let model = train.model(width, stop, &rough(), |row| row)?;
        let n = test.numbers.len();
        let (mut mean, mut variance) = (vec![0.0; n], vec![0.0; n]);
        model.at(test.points(), &mut mean, Some(&mut variance));
        let log = |row: usize| {
            let (apart, v) = (test.numbers[row] - mean[row], variance[row].max(1e-300));
            let weight = test.weights.as_ref().map_or(1.0, |w| w[row]);
            -0.5 * weight * (v.ln() + apart * apart / v)
        };
        Ok((0..n).map(log).sum())
    }
}

/// A fitted relevance vector machine for numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RvmRegressionModel {
    width: f64,
    /// The variance of the noise and of the training targets.
    noise: f64,
    spread: f64,
    /// The least and the greatest of each input in training.
    ranges: Vec<(f64, f64)>,
    machine: Machine,
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

    fn at(&self, points: Points<'_>, mean: &mut [f64], variance: Option<&mut [f64]>) {
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

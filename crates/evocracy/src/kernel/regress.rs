//! The method `rvm-regression`: numbers with error bars.

use super::bases::Kernel;
use super::design::Keep;
use super::fast::{Settings, Target, fit};
use super::ground::Ground;
use super::machine::Machine;
use super::number_model::RvmRegressionModel;
use super::plan::{Plan, machine};
use super::width::{Choose, Sensible, Tried, Width, find, pick, rough};
use crate::classify::{Fitted, Learner, Predicts};
use crate::data::{Input, Task};
use crate::error::{Error, Result};
use crate::run::{Run, Stop, StopReason};

/// Targets beyond this cannot be squared and summed.
const MOST: f64 = 1e60;

machine! {
    /// A relevance vector machine for numbers: a sparse sum of kernels with error bars.
    pub struct RvmRegression as "rvm-regression", centres = 1000 {
        /// how strongly the smoothness prior exp(-c DF) counts; 0 is none, 1 is the usual
        smooth: f64 = 0.0, 0.0..=100.0;
        /// the standard deviation of the noise; at 0 it is estimated
        noise: f64 = 0.0, 0.0..=1e50;
        /// whether to search from two starts instead of one: the evidence has many peaks
        explore: bool = true, ..;
        /// whether the design matrix is stored or computed as needed
        bases: Keep = Keep::Stored, Keep::CHOICES;
    }
}

/// Rows and their numbers.
struct Sample<'a> {
    ground: Ground,
    numbers: Vec<f64>,
    plan: &'a Plan,
    smooth: f64,
    noise: f64,
}

impl Learner for RvmRegression {
    type Model = RvmRegressionModel;
    const INPUT: Input = Input::Dense;
    const PREDICTS: Predicts = Predicts::Number;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<RvmRegressionModel>> {
        if run.stop.requested() {
            return Err(Error::Stopped);
        }
        let (ground, rows) = Ground::new(task)?;
        let numbers = pick(&rows, &task.numbers()?);
        if let Some(bad) = numbers.iter().find(|y| y.is_nan() || y.abs() > MOST) {
            return Err(Error::unsuitable(
                format!("the target `{}` of a row is {bad}", task.target_name()),
                format!("rescale the target: it must lie within {MOST:e}"),
            ));
        }
        let (plan, smooth, noise) = (&self.plan(self.bases), self.smooth, self.noise);
        let sample = Sample { ground, numbers, plan, smooth, noise };
        let width = find(&sample, run)?;
        let settings = Settings { explore: self.explore, ..Settings::default() };
        let id = |row: usize| task.row_id(rows[row] as usize);
        let model = sample.model(width, run.stop, &settings, id)?;
        let stop =
            if run.stop.requested() { StopReason::Interrupted } else { StopReason::Finished };
        Ok(Fitted { model, stop })
    }
}

impl Tried for Sample<'_> {
    fn ground(&self) -> &Ground {
        &self.ground
    }

    fn plan(&self) -> &Plan {
        self.plan
    }

    fn labels(&self) -> Option<&[u32]> {
        None
    }

    fn part(&self, rows: &[u32]) -> Self {
        Self { ground: self.ground.part(rows), numbers: pick(rows, &self.numbers), ..*self }
    }

    fn evidence(&self, width: f64, stop: &Stop) -> Result<f64> {
        Ok(self.model(width, stop, &rough(), |row| row)?.machine.evidence())
    }

    fn held_out(&self, test: &Self, width: f64, stop: &Stop) -> Result<f64> {
        let model = self.model(width, stop, &rough(), |row| row)?;
        let n = test.numbers.len();
        let (mut mean, mut variance) = (vec![0.0; n], vec![0.0; n]);
        model.at(test.ground.points(), &mut mean, Some(&mut variance));
        let log = |row: usize| {
            let (apart, v) = (test.numbers[row] - mean[row], variance[row].max(1e-300));
            -0.5 * test.ground.weight(row) * (v.ln() + apart * apart / v)
        };
        Ok((0..n).map(log).sum())
    }
}

impl Sample<'_> {
    fn model(
        &self,
        width: f64,
        stop: &Stop,
        settings: &Settings<'_>,
        id: impl Fn(usize) -> usize,
    ) -> Result<RvmRegressionModel> {
        let points = self.ground.points();
        let (dictionary, design) = self.plan.design(width, points);
        let noise = (self.noise > 0.0).then_some(self.noise * self.noise);
        let settings = Settings { smooth: self.smooth, noise, ..settings.clone() };
        let (target, weights) = (Target::Numbers(&self.numbers), self.ground.weights.as_deref());
        let sparse = fit(&design, target, weights, &settings, stop)?;
        let noise = sparse.noise.unwrap_or(0.0);
        let machine = Machine::new(&dictionary, &design, sparse, points, id);
        let range = |input: usize| {
            let values = points.column(input).iter().copied();
            (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max))
        };
        let ranges = (0..points.inputs()).map(range).collect();
        Ok(RvmRegressionModel { width, noise, spread: self.spread(), ranges, machine })
    }

    /// The variance of the numbers.
    fn spread(&self) -> f64 {
        let weight = |row: usize| self.ground.weight(row);
        let (rows, numbers) = (0..self.numbers.len(), &self.numbers);
        let total: f64 = rows.clone().map(weight).sum();
        let mean = rows.clone().map(|i| weight(i) * numbers[i]).sum::<f64>() / total;
        rows.map(|i| weight(i) * (numbers[i] - mean).powi(2)).sum::<f64>() / total
    }
}

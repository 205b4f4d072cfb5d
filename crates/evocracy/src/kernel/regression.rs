//! The method `rvm-regression`: numbers with error bars.

use super::bases::Kernel;
use super::cover::KCentreCover;
use super::design::{Design, Keep};
use super::fast::{Settings, Solution, Target, fit};
use super::options::{BasisOptions, mismatch, rvm_params, width_and_scales};
use super::regression_model::RvmRegressionModel;
use super::scales::{Fit, Scales};
use super::sparse_sum::SparseSum;
use super::training::TrainingRows;
use super::tuning::NumericLimits;
use super::width::{Choose, Score, Start, Tunable, Width, WidthBounds, coarse};
use crate::classify::{Fitted, Learner, Predicts};
use crate::data::{Input, Task, pick};
use crate::error::{Error, Result};
use crate::run::{Run, Stop, StopReason};

rvm_params! {
    /// A relevance vector machine for numbers: a sparse sum of kernels with error bars.
    pub struct RvmRegression as "rvm-regression", centres = 1000 {
        /// how strongly the smoothness prior exp(-c DF) counts; 0 is none, 1 is the usual
        smooth: f64 = 0.0, 0.0..=100.0;
        /// the standard deviation of the noise; at 0 it is estimated
        noise: f64 = 0.0, 0.0..=1e50;
        /// whether to search from several starts instead of one: the evidence has many peaks
        explore: bool = true, ..;
        /// whether the design matrix is stored or computed as needed
        bases: Keep = Keep::Stored, Keep::CHOICES;
    }
}

/// Training rows and their targets.
struct NumberSample<'a> {
    training: TrainingRows,
    numbers: Vec<f64>,
    basis_options: &'a BasisOptions,
    smooth: f64,
    /// The variance of the noise, where it is known.
    noise: Option<f64>,
}

impl Learner for RvmRegression {
    type Model = RvmRegressionModel;
    const INPUT: Input = Input::Dense;
    const PREDICTS: Predicts = Predicts::Number;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<RvmRegressionModel>> {
        self.learn(None, task, run)
    }
}

impl RvmRegression {
    /// As [`Learner::fit`], but the search starts from the bases and precisions of another model,
    /// as in [`Rvm::fit_from`](super::Rvm::fit_from).
    pub fn fit_from(
        &self,
        from: &RvmRegressionModel,
        task: &Task<'_>,
        run: &Run<'_>,
    ) -> Result<Fitted<RvmRegressionModel>> {
        self.learn(Some(from), task, run)
    }

    fn learn(
        &self,
        from: Option<&RvmRegressionModel>,
        task: &Task<'_>,
        run: &Run<'_>,
    ) -> Result<Fitted<RvmRegressionModel>> {
        if run.stop.requested() {
            return Err(Error::Stopped);
        }
        let (training, rows) = TrainingRows::new(task, run.seed)?;
        self.basis_options(self.bases).reserve(&training, 0, false, run)?;
        let mut numbers = pick(&rows, &task.numbers()?);
        if let Some(bad) = numbers.iter().find(|y| y.is_nan() || y.abs() > NumericLimits::DATA) {
            return Err(Error::unsuitable(
                format!("the target `{}` of a row is {bad}", task.target_name()),
                format!("rescale the target: it must lie within {:e}", NumericLimits::DATA),
            ));
        }
        if from.is_some_and(|from| from.sum.inputs() != training.points().inputs()) {
            return Err(mismatch());
        }
        let scale = scale(&numbers)?;
        for number in &mut numbers {
            *number /= scale;
        }
        let (basis_options, smooth, noise) =
            (&self.basis_options(self.bases), self.smooth, self.known_noise(scale)?);
        let sample = NumberSample { training, numbers, basis_options, smooth, noise };
        let (width, scales) =
            width_and_scales(&sample, from.map(|from| (from.width, &from.scales[..])), run)?;
        let sample = sample.scaled(&scales);
        let settings = Settings { explore: self.explore, ..Settings::default() };
        let total = (0..rows.len()).map(|row| sample.training.weight(row)).sum();
        let from = from.map(|from| from.sum.clone().times(1.0 / scale, 0.0));
        let model = sample.model(width, from.as_ref(), run.stop, &settings, |row| {
            task.row_id(rows[row] as usize)
        })?;
        let model = RvmRegressionModel { scales, ..model.times(scale, total) };
        let stop =
            if run.stop.requested() { StopReason::Interrupted } else { StopReason::Finished };
        Ok(Fitted { model, stop })
    }

    /// The variance of the noise where it is given, in the units of the scaled target.
    fn known_noise(&self, scale: f64) -> Result<Option<f64>> {
        let noise = self.noise / scale;
        if noise > 0.0 && !(NumericLimits::LEAST_GIVEN_NOISE..=NumericLimits::DATA).contains(&noise)
        {
            return Err(Error::unsuitable(
                format!(
                    "the noise {:e} is no match for a target that spreads by {scale:e}",
                    self.noise
                ),
                "give the standard deviation of the noise in the units of the target, or 0 to have it estimated",
            ));
        }
        Ok((noise > 0.0).then_some(noise * noise))
    }
}

/// The power of 2 near the standard deviation of the targets: division by it makes targets of any
/// size alike, and rounds nothing. Targets are not centred: the evidence decides whether there is a
/// bias.
fn scale(numbers: &[f64]) -> Result<f64> {
    let largest = numbers.iter().fold(0.0_f64, |top, number| top.max(number.abs()));
    if largest == 0.0 {
        return Ok(1.0);
    }
    let n = numbers.len() as f64;
    let mean = numbers.iter().map(|number| number / largest).sum::<f64>() / n;
    let square = |number: &f64| (number / largest - mean).powi(2);
    let spread = (numbers.iter().map(square).sum::<f64>() / n).sqrt();
    // The scale of targets that are constant but for rounding is their size.
    let unit = if spread > NumericLimits::CONSTANT_SPREAD { spread * largest } else { largest };
    if unit < NumericLimits::LEAST_SPREAD {
        return Err(Error::unsuitable(
            format!("the target spreads by {unit:e} only"),
            format!(
                "rescale the target: it must spread by {:e} at least",
                NumericLimits::LEAST_SPREAD
            ),
        ));
    }
    Ok(2_f64.powi(unit.log2().floor() as i32))
}

impl Tunable for NumberSample<'_> {
    fn training(&self) -> &TrainingRows {
        &self.training
    }

    fn basis_options(&self) -> &BasisOptions {
        self.basis_options
    }

    fn labels(&self) -> Option<&[u32]> {
        None
    }

    fn scaled(&self, scales: &[f64]) -> Self {
        let training = self.training.scaled(scales);
        Self { training, numbers: self.numbers.clone(), ..*self }
    }

    fn with_inputs(&self, inputs: &[usize]) -> Self {
        let training = self.training.with_inputs(inputs);
        Self { training, numbers: self.numbers.clone(), ..*self }
    }

    fn subset(&self, rows: &[u32]) -> Self {
        Self { training: self.training.subset(rows), numbers: pick(rows, &self.numbers), ..*self }
    }

    fn coarse_fits(&self, design: &Design, starts: &[Start], stop: &Stop) -> Result<Vec<Fit>> {
        let start = starts.first().map_or(&[][..], Vec::as_slice);
        let solution = self.solution(design, stop, &Settings { start, ..coarse() })?;
        let (means, beta) = (solution.predict(design)?.0, 1.0 / solution.noise.unwrap_or(1.0));
        let rows = 0..means.len();
        let precisions: Vec<f64> = rows.map(|row| beta * self.training.weight(row)).collect();
        let residual = |(row, beta): (usize, &f64)| beta * (self.numbers[row] - means[row]);
        let residuals = precisions.iter().enumerate().map(residual).collect();
        Ok(vec![Fit { solution, residuals, precisions }])
    }

    fn held_out_score(&self, test: &Self, width: f64, stop: &Stop) -> Result<Score> {
        let model = self.model(width, None, stop, &coarse(), |row| row)?;
        let n = test.numbers.len();
        let (mut mean, mut variance) = (vec![0.0; n], vec![0.0; n]);
        model.predict(test.training.points(), &mut mean, Some(&mut variance));
        let log = |row: usize| {
            let (residual, v) =
                (test.numbers[row] - mean[row], variance[row].max(NumericLimits::LEAST_VARIANCE));
            -0.5 * test.training.weight(row) * (v.ln() + residual * residual / v)
        };
        let log = (0..n).map(log).sum();
        Ok(Score::new(log, model.sum.vectors(), self.numbers.len()))
    }
}

impl NumberSample<'_> {
    fn solution(&self, design: &Design, stop: &Stop, settings: &Settings<'_>) -> Result<Solution> {
        let settings = Settings { smooth: self.smooth, noise: self.noise, ..settings.clone() };
        let weights = self.training.weights.as_deref();
        fit(design, Target::Numbers(&self.numbers), weights, &settings, stop)
    }

    /// The model of a width, searched from the bases of a sum where there is one.
    fn model(
        &self,
        width: f64,
        from: Option<&SparseSum>,
        stop: &Stop,
        settings: &Settings<'_>,
        id: impl Fn(usize) -> usize,
    ) -> Result<RvmRegressionModel> {
        let points = self.training.points();
        let (dictionary, design) = self.basis_options.design(width, &self.training, None, stop)?;
        let start = from.map_or(Vec::new(), |from| from.start(&design, points));
        let solution =
            self.solution(&design, stop, &Settings { start: &start, ..settings.clone() })?;
        let noise = solution.noise.unwrap_or(0.0);
        let sum = SparseSum::new(&dictionary, &design, solution, points, id);
        let cover = KCentreCover::new(points);
        let (target_variance, scales) = (self.target_variance(), Vec::new());
        Ok(RvmRegressionModel { width, scales, noise, target_variance, cover, sum })
    }

    /// The variance of the targets.
    fn target_variance(&self) -> f64 {
        let weight = |row: usize| self.training.weight(row);
        let (rows, numbers) = (0..self.numbers.len(), &self.numbers);
        let total: f64 = rows.clone().map(weight).sum();
        let mean = rows.clone().map(|i| weight(i) * numbers[i]).sum::<f64>() / total;
        rows.map(|i| weight(i) * (numbers[i] - mean).powi(2)).sum::<f64>() / total
    }
}

//! The methods `rvm` and `rvm-classic`: one sparse sum for two classes, else one for each class.
//! Those of several classes share one likelihood (`softmax`) or are each learnt against the rest,
//! their probabilities normalised.

use super::bases::Kernel;
use super::classification_model::{RvmModel, probabilities};
use super::design::{Design, Keep};
use super::fast::{Settings, Solution, Target};
use super::options::{BasisOptions, mismatch, rvm_params, width_and_scales};
use super::scales::{Fit, Scales};
use super::sparse_sum::SparseSum;
use super::training::TrainingRows;
use super::tuning::NumericLimits;
use super::width::{Choose, Score, Start, Tunable, Width, WidthBounds, coarse};
use super::{classic, fast};
use crate::classify::{Classifier, Fitted, Learner};
use crate::data::{Input, Task, pick};
use crate::error::{Error, Result};
use crate::run::{Run, Stop, StopReason};

crate::choices! {
    /// How more than two classes are told apart.
    pub enum Multi {
        /// one likelihood for all classes
        Softmax = "softmax",
        /// each class against the rest, brought to a sum of 1
        OneRest = "one-rest",
    }
}

rvm_params! {
    /// A relevance vector machine: a sparse sum of kernels whose number the evidence decides (fast training).
    pub struct Rvm as "rvm", centres = 1000 {
        /// how more than two classes are told apart
        multi: Multi = Multi::Softmax, Multi::CHOICES;
        /// whether probabilities are drawn towards 1/2 where the weights are uncertain
        moderate: bool = false, ..;
        /// whether to search from several starts instead of one: the evidence has many peaks
        explore: bool = true, ..;
        /// whether the design matrix is stored or computed as needed
        bases: Keep = Keep::Stored, Keep::CHOICES;
    }
}

rvm_params! {
    /// The relevance vector machine as first published: starts from all bases. Slow; to compare with `rvm`.
    pub struct RvmClassic as "rvm-classic", centres = 100 {
        /// how more than two classes are told apart
        multi: Multi = Multi::Softmax, Multi::CHOICES;
        /// whether probabilities are drawn towards 1/2 where the weights are uncertain
        moderate: bool = false, ..;
    }
}

impl Learner for Rvm {
    type Model = RvmModel;
    const INPUT: Input = Input::Dense;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<RvmModel>> {
        learn(&self.options(), None, task, run)
    }
}

impl Rvm {
    /// As [`Learner::fit`], but the search starts from the bases and precisions of another model:
    /// one of nearly the same rows or of other parameters. A centre is the training row that is
    /// nearest to that of the model. The model's scales are taken over, and its width where it is
    /// to be chosen.
    pub fn fit_from(
        &self,
        from: &RvmModel,
        task: &Task<'_>,
        run: &Run<'_>,
    ) -> Result<Fitted<RvmModel>> {
        learn(&self.options(), Some(from), task, run)
    }

    fn options(&self) -> ClassOptions {
        let Self { multi, moderate, explore, bases, .. } = *self;
        let basis = self.basis_options(bases);
        ClassOptions { basis, multi, moderate, explore, classic: false }
    }
}

impl Learner for RvmClassic {
    type Model = RvmModel;
    const INPUT: Input = Input::Dense;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<RvmModel>> {
        let Self { multi, moderate, .. } = *self;
        let basis = self.basis_options(Keep::Stored);
        let options = ClassOptions { basis, multi, moderate, explore: false, classic: true };
        learn(&options, None, task, run)
    }
}

/// The options of a classification.
struct ClassOptions {
    basis: BasisOptions,
    multi: Multi,
    moderate: bool,
    explore: bool,
    classic: bool,
}

/// How much a fit may cost: to compare widths, a coarse search for each class against the rest is
/// enough.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Effort {
    Coarse,
    Full,
}

/// Training rows and their classes.
pub(super) struct ClassSample<'a> {
    pub(super) training: TrainingRows,
    pub(super) labels: Vec<u32>,
    pub(super) classes: usize,
    /// The limit of memory in bytes.
    pub(super) memory: u64,
    options: &'a ClassOptions,
}

fn learn(
    options: &ClassOptions,
    from: Option<&RvmModel>,
    task: &Task<'_>,
    run: &Run<'_>,
) -> Result<Fitted<RvmModel>> {
    if run.stop.requested() {
        return Err(Error::Stopped);
    }
    let (classes, labels) = task.labels()?;
    let (training, rows) = TrainingRows::new(task, run.seed)?;
    let labels = pick(&rows, &labels);
    if let Some(from) = from
        && (from.inputs() != training.points().inputs() || from.classes() != classes)
    {
        return Err(mismatch());
    }
    options.basis.reserve(&training, options.classic, run)?;
    let memory = run.memory;
    let sample = ClassSample { training, labels, classes: classes.len(), memory, options };
    let known = from.map(|from| (from.width, &from.scales[..]));
    let (width, scales) = width_and_scales(&sample, known, run)?;
    let sample = sample.scaled(&scales);
    let id = |row: usize| task.row_id(rows[row] as usize);
    let sums = from.map_or(&[][..], RvmModel::sparse_sums);
    let sums = sample.sums(width, sums, run.stop, Effort::Full, id)?;
    let (classes, multi, moderate) = (classes.clone(), options.multi, options.moderate);
    let model = RvmModel { classes, width, scales, multi, moderate, sums };
    let stop = if run.stop.requested() { StopReason::Interrupted } else { StopReason::Finished };
    Ok(Fitted { model, stop })
}

impl Tunable for ClassSample<'_> {
    fn training(&self) -> &TrainingRows {
        &self.training
    }

    fn basis_options(&self) -> &BasisOptions {
        &self.options.basis
    }

    fn labels(&self) -> Option<&[u32]> {
        Some(&self.labels)
    }

    fn scaled(&self, scales: &[f64]) -> Self {
        let training = self.training.scaled(scales);
        Self { training, labels: self.labels.clone(), ..*self }
    }

    fn subset(&self, rows: &[u32]) -> Self {
        Self { training: self.training.subset(rows), labels: pick(rows, &self.labels), ..*self }
    }

    fn coarse_fits(&self, design: &Design, starts: &[Start], stop: &Stop) -> Result<Vec<Fit>> {
        let found = self.fit(design, starts, stop, Effort::Coarse)?;
        let first = self.classes - found.len();
        let fit = |(at, solution): (usize, Solution)| {
            let log_odds = solution.predict(design)?.0;
            let targets = self.targets(first + at);
            let p = |row: usize| 1.0 / (1.0 + (-log_odds[row]).exp());
            let weight = |row: usize| self.training.weight(row);
            let rows = 0..log_odds.len();
            let residuals = rows.clone().map(|row| weight(row) * (targets[row] - p(row))).collect();
            let precisions = rows.map(|row| weight(row) * p(row) * (1.0 - p(row))).collect();
            Ok(Fit { solution, residuals, precisions })
        };
        found.into_iter().enumerate().map(fit).collect()
    }

    fn held_out_score(&self, test: &Self, width: f64, stop: &Stop) -> Result<Score> {
        let sums = self.sums(width, &[], stop, Effort::Coarse, |row| row)?;
        let k = self.classes;
        let mut proba = vec![0.0; test.labels.len() * k];
        let points = test.training.points();
        probabilities(&sums, k, Multi::OneRest, false, points, &mut proba);
        let least = NumericLimits::LEAST_PROBABILITY;
        let of = |row: usize| proba[row * k + test.labels[row] as usize].max(least).ln();
        let log = (0..test.labels.len()).map(|row| test.training.weight(row) * of(row)).sum();
        let vectors = sums.iter().map(SparseSum::vectors).max().unwrap_or(0);
        Ok(Score::new(log, vectors, self.labels.len()))
    }
}

impl ClassSample<'_> {
    /// The sums of a width, searched from the bases of others where there are any.
    fn sums(
        &self,
        width: f64,
        from: &[SparseSum],
        stop: &Stop,
        effort: Effort,
        id: impl Fn(usize) -> usize,
    ) -> Result<Vec<SparseSum>> {
        let points = self.training.points();
        let basis = &self.options.basis;
        let (dictionary, design) = basis.design(width, &self.training, Some(&self.labels))?;
        let starts: Vec<Start> = from.iter().map(|sum| sum.start(&design, points)).collect();
        let found = self.fit(&design, &starts, stop, effort)?;
        let sum = |solution| SparseSum::new(&dictionary, &design, solution, points, &id);
        Ok(found.into_iter().map(sum).collect())
    }

    /// One solution for two classes, else one for each.
    fn fit(
        &self,
        design: &Design,
        starts: &[Start],
        stop: &Stop,
        effort: Effort,
    ) -> Result<Vec<Solution>> {
        let settings = match effort {
            Effort::Coarse => coarse(),
            Effort::Full => Settings { explore: self.options.explore, ..Settings::default() },
        };
        let one = |targets: &[f64], offsets: Option<&[f64]>, start: &[(usize, f64)]| {
            let explore = settings.explore && offsets.is_none();
            let settings = Settings { start, explore, ..settings.clone() };
            let target = Target::Classes(targets, offsets);
            let weights = self.training.weights.as_deref();
            if self.options.classic && effort == Effort::Full {
                classic::fit(design, target, weights, &settings, stop)
            } else {
                fast::fit(design, target, weights, &settings, stop)
            }
        };
        let count = if self.classes == 2 { 1 } else { self.classes };
        let each = |at: usize| {
            // Without the sums of all classes there is no model.
            if at > 0 {
                stop.check()?;
            }
            let start = starts.get(at).map_or(&[][..], Vec::as_slice);
            one(&self.targets(self.classes - count + at), None, start)
        };
        let found: Vec<Solution> = (0..count).map(each).collect::<Result<_>>()?;
        match (self.options.multi, effort) {
            (Multi::Softmax, Effort::Full) if count > 1 => {
                super::softmax::learn(self, design, found, one, stop)
            }
            _ => Ok(found),
        }
    }

    /// 1 for the rows of a class, 0 for others.
    pub(super) fn targets(&self, class: usize) -> Vec<f64> {
        self.labels.iter().map(|&label| f64::from(u8::from(label as usize == class))).collect()
    }
}

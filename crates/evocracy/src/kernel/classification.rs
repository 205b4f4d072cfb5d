//! The methods `rvm` and `rvm-classic`: one sparse sum for two classes, else one for each class.
//! Those of several classes share one likelihood (`softmax`) or are each learnt against the rest,
//! their probabilities normalised.

use super::all_rows::AllRows;
use super::bases::{Basis, Kernel};
use super::classification_model::{RvmModel, probabilities};
use super::design::{Design, Keep};
use super::fast::{Settings, Solution, Target};
use super::inputs::{self, Chosen, Inputs};
use super::options::{BasisOptions, mismatch, rvm_params, width_and_scales};
use super::scales::{self, Fit, Scales};
use super::sparse_sum::{SparseSum, Term};
use super::training::TrainingRows;
use super::tuning::NumericLimits;
use super::width::{Choose, Score, Start, Tunable, Width, WidthBounds, coarse};
use super::{classic, fast};
use crate::classify::{Classifier, Fitted, Learner};
use crate::data::{Input, Task, pick};
use crate::error::{Error, Result};
use crate::run::{Run, Stop, StopReason};
use rand::seq::SliceRandom;
use std::borrow::Cow;

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
        /// on how many rows at most, drawn from every class, the bases are searched for before they are fitted to all rows; 0 for all
        rows: usize = 5000, 0..=1_000_000_000;
        /// which inputs count where the width is found by cross-validation
        inputs: Inputs = Inputs::Auto, Inputs::CHOICES;
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
        let Self { multi, moderate, explore, bases, rows, inputs, .. } = *self;
        let basis = self.basis_options(bases);
        ClassOptions { basis, multi, moderate, explore, classic: false, rows, inputs }
    }
}

impl Learner for RvmClassic {
    type Model = RvmModel;
    const INPUT: Input = Input::Dense;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<RvmModel>> {
        let Self { multi, moderate, .. } = *self;
        let basis = self.basis_options(Keep::Stored);
        let (explore, classic, rows, inputs) = (false, true, 0, Inputs::All);
        let options = ClassOptions { basis, multi, moderate, explore, classic, rows, inputs };
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
    /// The most rows of a search; 0 for all.
    rows: usize,
    inputs: Inputs,
}

/// How much a fit may cost: to compare widths, a coarse search for each class against the rest is
/// enough.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Effort {
    Coarse,
    Full,
}

/// Training rows and their classes.
#[derive(Clone)]
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
    let (labels, inputs) = (pick(&rows, &labels), training.points().inputs());
    if let Some(from) = from
        && (from.inputs() != inputs || from.classes() != classes)
    {
        return Err(mismatch());
    }
    let memory = run.memory;
    let all = ClassSample { training, labels, classes: classes.len(), memory, options };
    let drawn = all.drawn();
    let some = drawn.as_ref().map(|drawn| all.subset(drawn));
    let sample = some.as_ref().unwrap_or(&all);
    options.basis.reserve(&sample.training, classes.len(), options.classic, run)?;
    let found = Found::new(sample, from, run)?;
    let sample = found.prepared(sample);
    let id = |row: usize| {
        let row = drawn.as_ref().map_or(row, |drawn| drawn[row] as usize);
        task.row_id(rows[row] as usize)
    };
    let sums = from.map_or(&[][..], RvmModel::sparse_sums);
    let mut sums = sample.sums(found.width, sums, run.stop, Effort::Full, id)?;
    if drawn.is_some() {
        let joint = options.multi == Multi::Softmax && sums.len() > 1;
        let all = found.prepared(&all);
        AllRows::new(&all, joint, run).fit(&mut sums, &sample.candidates(found.width, id))?;
    }
    let (width, scales) = (found.width, found.spread(&mut sums, inputs));
    let (classes, multi, moderate) = (classes.clone(), options.multi, options.moderate);
    let searched = drawn.map(|drawn| drawn.len() as u64);
    let model = RvmModel { classes, width, scales, multi, moderate, searched, sums };
    let stop = if run.stop.requested() { StopReason::Interrupted } else { StopReason::Finished };
    Ok(Fitted { model, stop })
}

/// Width, scales and inputs for a search: given, found, or those of another model.
struct Found {
    width: f64,
    scales: Vec<f64>,
    /// The inputs that count, where not all of them do.
    inputs: Option<Vec<usize>>,
}

impl Found {
    fn new(sample: &ClassSample<'_>, from: Option<&RvmModel>, run: &Run<'_>) -> Result<Self> {
        if let Some(from) = from {
            let known = Some((from.width, &from.scales[..]));
            let (width, scales) = width_and_scales(sample, known, run)?;
            return Ok(Self { width, scales, inputs: None });
        }
        let Chosen { width, inputs } = inputs::choose(sample, sample.options.inputs, run)?;
        let scales = match &inputs {
            Some(inputs) => scales::learn(&sample.with_inputs(inputs), width, run)?,
            None => scales::learn(sample, width, run)?,
        };
        Ok(Self { width, scales, inputs })
    }

    /// A sample with the inputs that count, scaled.
    fn prepared<'a>(&self, sample: &'a ClassSample<'_>) -> Cow<'a, ClassSample<'a>> {
        match (&self.inputs, &self.scales[..]) {
            (None, []) => Cow::Borrowed(sample),
            (None, scales) => Cow::Owned(sample.scaled(scales)),
            (Some(inputs), []) => Cow::Owned(sample.with_inputs(inputs)),
            (Some(inputs), scales) => Cow::Owned(sample.with_inputs(inputs).scaled(scales)),
        }
    }

    /// The scales of so many inputs; those of inputs that do not count are 0.
    fn spread(self, sums: &mut [SparseSum], count: usize) -> Vec<f64> {
        let Some(inputs) = self.inputs else { return self.scales };
        let mut scales = vec![0.0; count];
        for (at, &input) in inputs.iter().enumerate() {
            scales[input] = self.scales.get(at).copied().unwrap_or(1.0);
        }
        for sum in sums {
            sum.spread(&inputs, count);
        }
        scales
    }
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

    fn with_inputs(&self, inputs: &[usize]) -> Self {
        let training = self.training.with_inputs(inputs);
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
    /// The rows that bases are searched for on, where they are not all.
    fn drawn(&self) -> Option<Vec<u32>> {
        let most = self.options.rows;
        let many = most > 0 && self.labels.len() > most;
        many.then(|| self.training.sample(Some(&self.labels), most, "rows"))
    }

    /// All kernels of a width, in random order.
    fn candidates(&self, width: f64, id: impl Fn(usize) -> usize) -> Vec<Term> {
        let (basis, points) = (&self.options.basis, self.training.points());
        let (dictionary, centres) = basis.dictionary(width, &self.training, Some(&self.labels));
        let term = |basis| match basis {
            Basis::Centre { row, width } => {
                Some(Term { basis: Basis::Centre { row: id(row), width }, at: points.row(row) })
            }
            Basis::Bias | Basis::Column(_) => None,
        };
        let all = dictionary.bases(points, &centres).into_iter();
        let mut terms: Vec<Term> = all.filter_map(term).collect();
        terms.shuffle(&mut self.training.seed.child("candidates", 0).rng());
        terms
    }

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
        let (dictionary, design) = basis.design(width, &self.training, Some(&self.labels), stop)?;
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

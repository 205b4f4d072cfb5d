//! `abc-mlp`: the method, and the same for other hard classifiers.

use super::external::{HardProgram, Program};
use super::model::{Caller, ChainModel, LIMIT, SampledPart};
use super::prior::{Prior, Priors};
use super::rows::BLOCK;
use super::sampled::sample;
use super::settings::{Sampler, Sampling};
use super::tune::{Rows, tune};
use super::units::{Unit, Units};
use crate::classify::{Fitted, Learner};
use crate::data::{Classes, DenseRows, Input, Task, pick};
use crate::error::{Error, Result};
use crate::run::{Run, StopReason};

crate::params! {
    /// Many networks that say yes or no, sampled by approximate Bayesian computation: their mean call is a probability.
    pub struct AbcMlp as "abc-mlp" {
        /// how many hidden units the networks have; 0 is a linear classifier
        hidden: usize = 7, 0..=10_000;
        /// how parameters are sampled
        sampler: Sampler = Sampler::Costs, Sampler::CHOICES;
        /// how many samples are kept of all chains together
        samples: usize = 1900, 1..=10_000_000;
        /// how many chains run side by side (costs: for each cost)
        chains: usize = 4, 1..=1000;
        /// how many proposals are made for each kept sample; 0: by the size of the table
        steps: usize = 0, 0..=1_000_000_000;
        /// the greatest AUC error (all samplers but costs)
        epsilon: f64 = 0.3, 0.0..=1.0;
        /// what a row called wrongly weighs (costs); 0: by cross-validation
        lambda: f64 = 0.0, 0.0..=1e9;
        /// how far the prior of the weights of a unit reaches; 0: by cross-validation (costs), else 8
        width: f64 = 0.0, 0.0..=1e6;
        /// how many costs there are chains for (costs)
        levels: usize = 19, 1..=999;
        /// how many folds the cross-validation has (costs)
        folds: usize = 5, 2..=100;
    }
}

impl AbcMlp {
    /// How it samples.
    pub fn sampling(&self) -> Sampling {
        let Self { sampler, samples, chains, steps, epsilon, lambda, width, levels, folds, .. } =
            *self;
        Sampling { sampler, samples, chains, steps, epsilon, lambda, width, levels, folds }
    }
}

impl Learner for AbcMlp {
    type Model = ChainModel;
    const INPUT: Input = Input::Dense;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<ChainModel>> {
        learn(Kind::Mlp(self.hidden), &self.sampling(), task, run)
    }
}

/// Which hard classifier is sampled.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind<'a> {
    /// A network of so many hidden units; a linear classifier with none.
    Mlp(usize),
    /// A vote of so many threshold rules, or of one for each column where that is more.
    Rules(usize),
    /// A program.
    Program(&'a dyn Program),
}

/// The width of the prior under a tolerance, the best on `gen:moons` but for the still wider, and of
/// the parameters of programs that say none.
const WIDTH: f64 = 8.0;
const PROGRAM_WIDTH: f64 = 4.0;

/// The weight of a row called wrongly where nothing is chosen.
const LAMBDA: f64 = 4.0;

/// The priors of the thesis: weights (5.4.2), their degrees of freedom and their precision.
const STUDENT: Prior = Prior::Student { nu: 3.0, alpha: 0.05 };

/// Samples a classifier for two classes, or one for each class against the rest.
pub(crate) fn learn(
    kind: Kind<'_>,
    with: &Sampling,
    task: &Task<'_>,
    run: &Run<'_>,
) -> Result<Fitted<ChainModel>> {
    with.check()?;
    let (classes, labels) = task.labels()?;
    let weights = task.weights();
    // A row without weight is not there.
    let counted: Vec<u32> =
        (0..labels.len() as u32).filter(|&row| weights[row as usize] > 0.0).collect();
    let (labels, weights) = (pick(&counted, &labels), pick(&counted, &weights));
    let ids: Vec<u32> =
        counted.iter().map(|&row| task.features.row_id(row as usize) as u32).collect();
    let view = task.features.with_rows(&ids);
    let of_class = |class: usize| -> Vec<bool> {
        labels.iter().map(|&label| label as usize == class).collect()
    };
    let (caller, center, parts) = match kind {
        Kind::Program(program) => {
            let parameters = program.open(view)?.priors().len();
            reserve(with, classes, parameters, run)?;
            let one = |class: usize, run: &Run<'_>| {
                let positive = of_class(class);
                let priors: Vec<Option<Prior>> = program.open(view)?.priors().to_vec();
                let weights = weights.clone();
                let hard = HardProgram { program, rows: view, parameters, positive, weights };
                of_program(with, &hard, &priors, run)
            };
            (Caller::Program(parameters), Vec::new(), each_class(classes, run, one)?)
        }
        Kind::Mlp(count) | Kind::Rules(count) => {
            let inputs = DenseRows::new(view, LIMIT)?;
            let units = match kind {
                // A column without a rule would not be heard.
                Kind::Rules(_) => Units::rules(inputs.inputs(), count.max(inputs.inputs())),
                _ => Units::mlp(inputs.inputs(), count),
            };
            if units.inputs == 0 {
                return Err(Error::unsuitable("there are no columns to learn from", "add columns"));
            }
            reserve(with, classes, units.parameters(), run)?;
            let one = |class: usize, run: &Run<'_>| {
                let positive = of_class(class);
                let rows = Rows { inputs: &inputs, positive: &positive, weights: &weights };
                of_units(with, units, &rows, run)
            };
            (Caller::Units(units), center(&inputs, &weights), each_class(classes, run, one)?)
        }
    };
    let stop = if run.stop.requested() { StopReason::Interrupted } else { StopReason::Finished };
    let model = ChainModel::new(classes.clone(), caller, parts, center)?;
    Ok(Fitted { model, stop })
}

/// Refuses chains that do not fit into memory: all samples of a class as they are drawn and once more
/// as they are put together, beside those of the classes before.
fn reserve(with: &Sampling, classes: &Classes, parameters: usize, run: &Run<'_>) -> Result<()> {
    let times = if classes.len() == 2 { 2 } else { classes.len() + 1 };
    let samples = with.kept();
    let what = format!("{samples} samples of {parameters} parameters");
    run.reserve(&what, &[times, samples, parameters + 3])
}

/// The part of the positive class, or one of each class.
fn each_class(
    classes: &Classes,
    run: &Run<'_>,
    one: impl Fn(usize, &Run<'_>) -> Result<SampledPart>,
) -> Result<Vec<SampledPart>> {
    if classes.len() == 2 {
        return Ok(vec![one(classes.positive(), &run.child("class", 0))?]);
    }
    (0..classes.len()).map(|class| one(class, &run.child("class", class as u64))).collect()
}

/// Samples built-in classifiers.
fn of_units(with: &Sampling, units: Units, rows: &Rows<'_>, run: &Run<'_>) -> Result<SampledPart> {
    let priors = |width: f64| priors(with.sampler, units, width);
    // Each chain under way holds its units twice: those kept and those tried.
    let (threads, n) = (run.pool.threads(), rows.inputs.rows.next_multiple_of(BLOCK));
    let what = format!("{threads} chains at a time of {} units on {n} rows", units.count);
    run.reserve(&what, &[2 * threads, units.count, n])?;
    // Of others than networks no prior has a width to choose.
    let fixed = Sampling { width: WIDTH, ..with.clone() };
    let with = if units.unit == Unit::Tanh { with } else { &fixed };
    let (with, chosen) = match with.sampler {
        Sampler::Costs => tune(with, units, rows, priors, &run.child("tune", 0))?,
        _ => (Sampling { width: open(with.width, WIDTH), ..with.clone() }, Vec::new()),
    };
    let (hard, cost) = (rows.hard(units), rows.inputs.rows * units.count);
    let mut part = sample(&with, &hard, &priors(with.width)?, cost, &run.child("sample", 0))?;
    if let Some(mixing) = &mut part.mixing {
        mixing.chosen = chosen;
    }
    Ok(part)
}

/// Samples a program. Its answers are dear: nothing is cross-validated.
fn of_program(
    with: &Sampling,
    hard: &HardProgram<'_>,
    given: &[Option<Prior>],
    run: &Run<'_>,
) -> Result<SampledPart> {
    let (width, lambda) = (open(with.width, PROGRAM_WIDTH), open(with.lambda, LAMBDA));
    let usual = Prior::Normal { mean: 0.0, sd: width };
    let priors = Priors::new(given.iter().map(|prior| prior.unwrap_or(usual)))?;
    let with = Sampling { lambda, width, ..with.clone() };
    // As many proposals as a small network of the same rows would get.
    let cost = hard.weights.len() * 7;
    sample(&with, hard, &priors, cost, &run.child("sample", 0))
}

fn open(given: f64, usual: f64) -> f64 {
    if given > 0.0 { given } else { usual }
}

/// The priors of a vote of units: as the thesis has them, or Gaussians. The weights of a unit add up
/// to about the width, however many inputs there are. Only the ratios of votes matter, so their
/// width does not.
fn priors(sampler: Sampler, units: Units, width: f64) -> Result<Priors> {
    let [biases, votes, last] = units.places();
    let normal = |sd: f64| Prior::Normal { mean: 0.0, sd };
    Priors::new((0..units.parameters()).map(|at| {
        let is_bias = (biases..votes).contains(&at) || at == last;
        match (sampler, units.unit) {
            (Sampler::Printed, _) if is_bias => Prior::Flat,
            (Sampler::Printed, _) => STUDENT,
            (_, Unit::Tanh) if at < biases => normal(width / (units.inputs as f64).sqrt()),
            (_, Unit::Tanh) if at < votes => normal(width),
            _ => normal(1.0),
        }
    }))
}

/// The mean of every input.
fn center(inputs: &DenseRows<'_>, weights: &[f64]) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    let mean = |column: &[f64]| column.iter().zip(weights).map(|(x, w)| x * (w / total)).sum();
    inputs.columns.iter().map(|column| mean(column)).collect()
}

//! A chain as a committee: the mean of the hard calls of sampled classifiers (thesis, (5.15)).
//!
//! One flat core: the parameters of all samples lie one after the other, with a weight each. Two
//! classes have one part, the probability of the positive class; more have a part for each class
//! against the rest, whose probabilities are then divided by their sum.
//!
//! A model of an external program holds parameters and never the command that runs it: that is
//! given anew, by [`ChainModel::with_program`], whenever the model is used.

use super::external::Program;
use super::mixing::Mixing;
use super::rows::{BLOCK, Blocks};
use super::units::Units;
use crate::classify::{Classifier, Diagnostics, Explanation, Link, Part, Proba, Saved};
use crate::data::{Classes, DenseRows, Schema, View};
use crate::error::{Error, Result};
use crate::num::logit::logistic;
use crate::run::Run;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The most units, inputs and samples that a file may ask for.
const MOST: usize = 1 << 24;

/// What makes calls of rows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Caller {
    /// A vote of units that comes with the model.
    Units(Units),
    /// A program of so many parameters that is not part of the model.
    Program(usize),
}

impl Caller {
    /// How many parameters it has.
    pub fn parameters(&self) -> usize {
        match self {
            Self::Units(units) => units.parameters(),
            Self::Program(parameters) => *parameters,
        }
    }
}

/// Sampled classifiers of one class against the rest.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SampledPart {
    /// The answer where all samples say no.
    pub base: f64,
    /// Whether sums are log-odds and not probabilities.
    #[serde(default)]
    pub logistic: bool,
    /// What each sample adds where it says yes.
    pub weights: Vec<f64>,
    /// The parameters, sample after sample.
    pub values: Vec<f64>,
    /// The level of each sample, and its chain within the level; empty once samples were weighted
    /// anew.
    #[serde(default)]
    pub groups: Vec<[u32; 2]>,
    /// How well its chains have mixed.
    #[serde(default)]
    pub mixing: Option<Mixing>,
}

impl SampledPart {
    /// How many samples there are.
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// A probability out of a sum. Weights of a machine that was fitted may add up to more than 1 or
    /// to less than 0.
    fn answer(&self, sum: f64) -> f64 {
        if self.logistic { logistic(sum) } else { sum.clamp(0.0, 1.0) }
    }

    /// The same samples with other weights; those of weight 0 are left out.
    #[must_use]
    pub fn weighted(&self, base: f64, weights: &[f64]) -> Self {
        let each = self.values.len().checked_div(self.len()).unwrap_or(0);
        let kept: Vec<usize> = (0..self.len()).filter(|&at| weights[at] != 0.0).collect();
        let values = |&at: &usize| &self.values[at * each..(at + 1) * each];
        Self {
            base,
            logistic: false,
            weights: kept.iter().map(|&at| weights[at]).collect(),
            values: kept.iter().flat_map(values).copied().collect(),
            groups: Vec::new(),
            mixing: self.mixing.clone(),
        }
    }
}

/// Sampled hard classifiers that answer together.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ChainModel {
    classes: Classes,
    caller: Caller,
    parts: Vec<SampledPart>,
    /// The inputs that explanations begin with; empty for programs.
    center: Vec<f64>,
    #[serde(skip)]
    program: Option<Arc<dyn Program>>,
}

impl ChainModel {
    /// Puts a model together.
    pub fn new(
        classes: Classes,
        caller: Caller,
        parts: Vec<SampledPart>,
        center: Vec<f64>,
    ) -> Result<Self> {
        let model = Self { classes, caller, parts, center, program: None };
        model.sound()?;
        Ok(model)
    }

    /// What makes the calls.
    pub fn caller(&self) -> Caller {
        self.caller
    }

    /// The parts: one for two classes, else one for each class.
    pub fn parts(&self) -> &[SampledPart] {
        &self.parts
    }

    /// The same model with other parts.
    pub fn with_parts(mut self, parts: Vec<SampledPart>) -> Result<Self> {
        self.parts = parts;
        self.sound()?;
        Ok(self)
    }

    /// The same model with the program that makes its calls.
    #[must_use]
    pub fn with_program(mut self, program: Arc<dyn Program>) -> Self {
        self.program = Some(program);
        self
    }

    /// Whether it needs a program to answer and has none.
    pub fn lacks_program(&self) -> bool {
        matches!(self.caller, Caller::Program(_)) && self.program.is_none()
    }

    /// An error where it needs a program to answer and has none.
    pub fn has_program(&self) -> Result<()> {
        if self.lacks_program() { Err(no_program()) } else { Ok(()) }
    }

    /// The calls of every sample of a part: sample after sample, 1 for a row called positive.
    pub fn calls(&self, part: usize, rows: View<'_>, run: &Run<'_>) -> Result<Vec<u8>> {
        let mut all = Vec::with_capacity(self.parts[part].len() * rows.rows());
        self.each_call(part, rows, |_, calls| {
            all.extend(calls.iter().map(|call| u8::from(*call > 0.0)));
            run.stop.check()
        })?;
        Ok(all)
    }

    /// Shows the calls of every sample of a part, one after the other: 1 for a row called positive,
    /// else 0. An error of `show` ends it.
    pub fn each_call(
        &self,
        part: usize,
        rows: View<'_>,
        mut show: impl FnMut(usize, &[f64]) -> Result<()>,
    ) -> Result<()> {
        let samples = self.parts[part].values.chunks_exact(self.caller.parameters().max(1));
        match self.caller {
            Caller::Units(units) => {
                let blocks = blocks(rows, units.inputs)?;
                let mut out = vec![[0.0; BLOCK]; blocks.len()];
                for (at, sample) in samples.enumerate() {
                    out.fill([0.0; BLOCK]);
                    units.add_calls(sample, &blocks, 1.0, &mut out);
                    show(at, &out.as_flattened()[..rows.rows()])?;
                }
            }
            Caller::Program(_) => {
                let program = self.program.as_ref().ok_or_else(no_program)?;
                let mut session = program.open(rows)?;
                session.fits(self.caller.parameters())?;
                let mut out = vec![0.0; rows.rows()];
                for (at, sample) in samples.enumerate() {
                    let labels = session.labels(sample)?;
                    out.iter_mut().zip(labels).for_each(|(o, &yes)| *o = f64::from(u8::from(yes)));
                    show(at, &out)?;
                }
            }
        }
        Ok(())
    }

    /// The answers of a part at some rows.
    pub fn answers(&self, part: usize, rows: View<'_>) -> Result<Vec<f64>> {
        let own = &self.parts[part];
        let mut answers = match self.caller {
            Caller::Units(units) => {
                let blocks = blocks(rows, units.inputs)?;
                let mut out = vec![[own.base; BLOCK]; blocks.len()];
                let samples = own.values.chunks_exact(units.parameters());
                for (sample, weight) in samples.zip(&own.weights) {
                    units.add_calls(sample, &blocks, *weight, &mut out);
                }
                out.as_flattened()[..rows.rows()].to_vec()
            }
            Caller::Program(_) => {
                let mut sums = vec![own.base; rows.rows()];
                self.each_call(part, rows, |at, calls| {
                    let weight = own.weights[at];
                    sums.iter_mut().zip(calls).for_each(|(sum, call)| *sum += weight * call);
                    Ok(())
                })?;
                sums
            }
        };
        for answer in &mut answers {
            *answer = own.answer(*answer);
        }
        Ok(answers)
    }

    /// The standard error of a part's answers at some rows, from how its ladders differ, which are the
    /// chains of one number of all levels: levels exchange states and depend on each other, ladders do
    /// not. `None` where a level has one chain, or samples were weighted anew; [`Error::Stopped`] where
    /// the stop flag is raised meanwhile.
    pub fn standard_errors(
        &self,
        part: usize,
        rows: View<'_>,
        run: &Run<'_>,
    ) -> Result<Option<Vec<f64>>> {
        let own = &self.parts[part];
        let levels = own.groups.iter().map(|[level, _]| level + 1).max().unwrap_or(0) as usize;
        let chains = own.groups.iter().map(|[_, chain]| chain + 1).max().unwrap_or(0) as usize;
        if own.groups.len() != own.len() || chains < 2 {
            return Ok(None);
        }
        let n = rows.rows();
        run.reserve(&format!("{chains} chains on {n} rows"), &[chains, levels + n])?;
        let place = |at: usize| own.groups[at].map(|number| number as usize);
        let mut totals = vec![0.0; levels * chains];
        for (at, weight) in own.weights.iter().enumerate() {
            let [level, chain] = place(at);
            totals[level * chains + chain] += weight;
        }
        let all: Vec<f64> = totals.chunks(chains).map(|level| level.iter().sum()).collect();
        // What each ladder alone would answer: of every level the mean call of its chain.
        let mut answers = vec![0.0; chains * n];
        self.each_call(part, rows, |at, calls| {
            let [level, chain] = place(at);
            let weight = own.weights[at] * all[level]
                / totals[level * chains + chain].max(f64::MIN_POSITIVE);
            let answers = &mut answers[chain * n..(chain + 1) * n];
            answers.iter_mut().zip(calls).for_each(|(sum, call)| *sum += weight * call);
            run.stop.check()
        })?;
        let error = |row: usize| {
            let own = answers.iter().skip(row).step_by(n);
            let mean = own.clone().sum::<f64>() / chains as f64;
            let squares: f64 = own.map(|answer| (answer - mean).powi(2)).sum();
            (squares / ((chains - 1) * chains) as f64).sqrt()
        };
        Ok(Some((0..n).map(error).collect()))
    }

    fn sound(&self) -> Result<()> {
        let parts = if self.classes.len() == 2 { 1 } else { self.classes.len() };
        let (inputs, shape) = match self.caller {
            Caller::Units(units) => (units.inputs, units.inputs.max(units.count)),
            Caller::Program(parameters) => (0, parameters),
        };
        let each = if shape <= MOST { self.caller.parameters() } else { 0 };
        let fits = |part: &SampledPart| {
            let finite = |values: &[f64]| values.iter().all(|value| value.abs() <= 1e100);
            part.values.len() == part.len() * each
                && !part.is_empty()
                && finite(&part.values)
                && finite(&part.weights)
                && finite(&[part.base])
                && (part.groups.is_empty() || part.groups.len() == part.len())
                && part.groups.iter().flatten().all(|&number| number < 1 << 12)
        };
        let sound = each > 0
            && self.parts.len() == parts
            && self.parts.iter().all(fits)
            && self.center.len() == inputs
            && self.center.iter().all(|value| value.abs() <= DenseRows::LIMIT);
        if sound { Ok(()) } else { Err(Error::model_file("its sampled classifiers do not fit")) }
    }
}

/// Rows in the layout of units.
fn blocks(rows: View<'_>, inputs: usize) -> Result<Blocks> {
    let dense = DenseRows::of_model(rows, inputs, LIMIT)?;
    Ok(Blocks::new(&dense, 0..dense.rows))
}

/// Inputs are cut here: sums of products with parameters stay finite.
pub(super) const LIMIT: f64 = 1e100;

fn no_program() -> Error {
    Error::unsuitable(
        "this model was sampled from an external program, and a model file never holds a command",
        crate::error::Remedy::GiveProgram,
    )
}

impl Classifier for ChainModel {
    fn classes(&self) -> &Classes {
        &self.classes
    }

    fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        out.reset(rows.rows(), self.classes.len());
        for part in 0..self.parts.len() {
            for (row, answer) in self.answers(part, rows)?.into_iter().enumerate() {
                let out = out.row_mut(row);
                if self.parts.len() == 1 {
                    let positive = self.classes.positive();
                    (out[positive], out[1 - positive]) = (answer, 1.0 - answer);
                } else {
                    out[part] = answer;
                }
            }
        }
        if self.parts.len() > 1 {
            (0..rows.rows()).for_each(|row| normalise(out.row_mut(row)));
        }
        Ok(())
    }

    /// From the mean inputs to the row's, one input after the other: a part is what the probabilities
    /// change by. Of a program nothing is known but its answer.
    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        let id = [rows.row_id(row) as u32];
        let k = self.classes.len();
        let Caller::Units(units) = self.caller else {
            let mut proba = Proba::new();
            self.proba_into(rows.with_rows(&id), &mut proba)?;
            let because = "the calls of the program with its sampled parameters".to_owned();
            let parts = vec![Part { column: None, because, adds: proba.row(0).to_vec() }];
            return Ok(Explanation { base: vec![0.0; k], parts, link: Link::Identity });
        };
        let values = DenseRows::of_model(rows, units.inputs, LIMIT)?.row(row);
        let m = values.len();
        // Step `s` has the first `s` inputs of the row: column after column.
        let steps = |input: usize| (0..=m).map(move |step| (input, step));
        let cells: Vec<f64> = (0..m)
            .flat_map(steps)
            .map(|(input, step)| if input < step { values[input] } else { self.center[input] })
            .collect();
        let mut proba = vec![vec![0.0; k]; m + 1];
        let blocks = Blocks::new(&DenseRows::from_slice(&cells, m + 1), 0..proba.len());
        for (at, part) in self.parts.iter().enumerate() {
            let mut out = vec![[part.base; BLOCK]; blocks.len()];
            for (sample, weight) in part.values.chunks_exact(units.parameters()).zip(&part.weights)
            {
                units.add_calls(sample, &blocks, *weight, &mut out);
            }
            for (row, answer) in proba.iter_mut().zip(out.as_flattened()) {
                let answer = part.answer(*answer);
                if self.parts.len() == 1 {
                    let positive = self.classes.positive();
                    (row[positive], row[1 - positive]) = (answer, 1.0 - answer);
                } else {
                    row[at] = answer;
                }
            }
        }
        if self.parts.len() > 1 {
            for row in &mut proba {
                normalise(row);
            }
        }
        let parts = (0..m).map(|input| Part {
            column: Some(input),
            because: format!("{} = {}", rows.field(input).name, values[input]),
            adds: (0..k).map(|class| proba[input + 1][class] - proba[input][class]).collect(),
        });
        let parts = parts.collect();
        Ok(Explanation { base: proba.swap_remove(0), parts, link: Link::Identity })
    }
}

/// To a sum of 1; all equal where the sum is 0.
fn normalise(row: &mut [f64]) {
    let (total, k): (f64, f64) = (row.iter().sum(), row.len() as f64);
    for p in row {
        *p = if total > 0.0 { *p / total } else { 1.0 / k };
    }
}

impl Saved for ChainModel {
    const VERSION: u32 = 1;

    fn check(&self, inputs: &Schema) -> Result<()> {
        self.classes.check()?;
        self.sound()?;
        match self.caller {
            Caller::Units(units) if !DenseRows::fits(inputs, units.inputs) => {
                Err(Error::model_file("its sampled classifiers have other inputs"))
            }
            _ => Ok(()),
        }
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        let samples = self.parts.iter().map(SampledPart::len).sum::<usize>() as u64;
        vec![("samples", samples), ("parameters", self.caller.parameters() as u64)]
    }

    fn diagnostics(&self, _: &Schema) -> Diagnostics {
        let of = |part: &SampledPart| Diagnostics {
            mixing: part.mixing.as_ref().map(Mixing::figures),
            ..Diagnostics::default()
        };
        match &self.parts[..] {
            [one] => of(one),
            parts => Diagnostics {
                by_class: self.classes.names().iter().cloned().zip(parts.iter().map(of)).collect(),
                ..Diagnostics::default()
            },
        }
    }
}

//! The methods `rvm` and `rvm-classic`: two classes by one machine, more by one for each class.
//!
//! *Softmax* (2.80): the machines share one likelihood. With the sums of the other classes held
//! fixed that of one class is logistic with an offset, so the machines are learnt in turns, each
//! around what the others say, until the likelihood rests. The evidence of each is that of its
//! own weights.
//!
//! *One against the rest*: each machine is learnt by itself; the probabilities are brought to a
//! sum of 1.

use super::bases::{Kernel, Points};
use super::design::{Design, Dictionary, Keep};
use super::fast::{Settings, Sparse, Target};
use super::machine::Machine;
use super::width::{Choose, Sensible, Width, best, candidates, median, pick, rough, sample};
use super::{classic, fast};
use crate::classify::{
    Classifier, Explanation, Fitted, Learner, Link, Part, Proba, Saved, softmax_in_place,
};
use crate::data::{Classes, Input, Kind, Schema, Task, View, folds};
use crate::error::{Error, Result};
use crate::run::{Run, Stop, StopReason};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Turns of the machines of a softmax at most.
const TURNS: usize = 20;

/// A rise of the log-likelihood that ends the turns.
const RESTS: f64 = 0.01;

/// Folds by which a width is chosen.
const FOLDS: usize = 5;

crate::choices! {
    /// How more than two classes are told apart.
    pub enum Multi {
        /// one likelihood for all classes
        Softmax = "softmax",
        /// each class against the rest, brought to a sum of 1
        OneRest = "one-rest",
    }
}

crate::params! {
    /// A relevance vector machine: a sparse sum of kernels whose number the evidence decides (fast training).
    pub struct Rvm as "rvm" {
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
        /// how more than two classes are told apart
        multi: Multi = Multi::Softmax, Multi::CHOICES;
        /// whether probabilities are drawn towards 1/2 where the weights are uncertain
        moderate: bool = false, ..;
        /// how many training rows at most are centres of kernels, evenly drawn; 0 for all
        centres: usize = 1000, 0..=10_000_000;
        /// whether to search from two starts instead of one: the evidence has many peaks
        explore: bool = true, ..;
        /// whether the design matrix is stored or computed as needed
        bases: Keep = Keep::Stored, Keep::CHOICES;
    }
}

crate::params! {
    /// The relevance vector machine as first published: starts from all bases. Slow; to compare with `rvm`.
    pub struct RvmClassic as "rvm-classic" {
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
        /// how more than two classes are told apart
        multi: Multi = Multi::Softmax, Multi::CHOICES;
        /// whether probabilities are drawn towards 1/2 where the weights are uncertain
        moderate: bool = false, ..;
        /// how many training rows at most are centres of kernels, evenly drawn; 0 for all
        centres: usize = 100, 0..=10_000_000;
    }
}

impl Learner for Rvm {
    type Model = RvmModel;
    const INPUT: Input = Input::Dense;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<RvmModel>> {
        learn(self, false, task, run)
    }
}

impl Learner for RvmClassic {
    type Model = RvmModel;
    const INPUT: Input = Input::Dense;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<RvmModel>> {
        let Self { kernel, width, choose, levels, degree, bias, multi, moderate, centres } = *self;
        let rvm = Rvm::default().kernel(kernel).width(width).choose(choose).levels(levels);
        let rvm = rvm.degree(degree).bias(bias).multi(multi).moderate(moderate).centres(centres);
        learn(&rvm, true, task, run)
    }
}

/// How much a fit may cost: to compare widths, a rough and fast search for each class against the
/// rest will do.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Effort {
    Little,
    Full,
}

/// Rows to learn from.
struct Ground<'a> {
    points: Vec<f64>,
    labels: Vec<u32>,
    weights: Option<Vec<f64>>,
    classes: usize,
    rvm: &'a Rvm,
    classic: bool,
}

fn learn(rvm: &Rvm, classic: bool, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<RvmModel>> {
    if run.stop.requested() {
        return Err(Error::Stopped);
    }
    let (classes, labels) = task.labels()?;
    let (rows, weights) = counted(task)?;
    let (points, labels) = (gather(task.features, &rows)?, pick(&rows, &labels));
    let ground = Ground { points, labels, weights, classes: classes.len(), rvm, classic };
    let width = ground.width(run)?;
    let (dictionary, design) = ground.design(width);
    let sparse = ground.fit(&design, run.stop, Effort::Full)?;
    let points = ground.points();
    let machine = |sparse| {
        Machine::new(&dictionary, &design, sparse, points, |row| task.row_id(rows[row] as usize))
    };
    let machines = sparse.into_iter().map(machine).collect();
    let (multi, moderate) = (rvm.multi, rvm.moderate);
    let model = RvmModel { classes: classes.clone(), width, multi, moderate, machines };
    let stop = if run.stop.requested() { StopReason::Interrupted } else { StopReason::Finished };
    Ok(Fitted { model, stop })
}

/// Some rows of the columns in view, one column after the other; an error where one is not made of
/// numbers.
pub(super) fn gather(view: View<'_>, rows: &[u32]) -> Result<Vec<f64>> {
    let mut points = Vec::with_capacity(rows.len() * view.columns());
    for column in 0..view.columns() {
        let crate::data::Column::Number(values) = view.gather(column) else {
            return Err(unfit(view, column));
        };
        let values = pick(rows, &values);
        if values.iter().any(|value| value.is_nan()) {
            return Err(unfit(view, column));
        }
        points.extend(values.iter().map(|value| value.clamp(-1e60, 1e60)));
    }
    Ok(points)
}

fn unfit(view: View<'_>, column: usize) -> Error {
    Error::unsuitable(
        format!("column `{}` does not hold numbers only", view.field(column).name),
        "encode the columns as numbers without gaps",
    )
}

/// The rows that count, and their weights where they are not all 1.
pub(super) fn counted(task: &Task<'_>) -> Result<(Vec<u32>, Option<Vec<f64>>)> {
    let weights = task.weights();
    let total: f64 = weights.iter().sum();
    if !(1e-60..=1e60).contains(&total) {
        return Err(Error::unsuitable(
            format!("the weights of the rows sum to {total}"),
            "scale the weights, best so that they are 1 on average",
        ));
    }
    let rows: Vec<u32> = (0..weights.len() as u32).filter(|&r| weights[r as usize] > 0.0).collect();
    let weights = pick(&rows, &weights);
    let uneven = weights.iter().any(|weight| *weight != 1.0);
    Ok((rows, uneven.then_some(weights)))
}

/// The widths of several resolutions: each half of the one before.
pub(super) fn resolutions(width: f64, levels: usize) -> Vec<f64> {
    (0..levels).map(|level| width / (1_u64 << level) as f64).collect()
}

impl Ground<'_> {
    fn points(&self) -> Points<'_> {
        Points { rows: self.labels.len(), values: &self.points }
    }

    fn design(&self, width: f64) -> (Dictionary, Design) {
        let Rvm { kernel, degree, levels, bias, centres, .. } = *self.rvm;
        let widths = resolutions(width, levels);
        let dictionary = Dictionary { kernel, degree, widths, bias, centres };
        let design = Design::new(&dictionary, &self.points, self.labels.len(), self.rvm.bases);
        (dictionary, design)
    }

    fn width(&self, run: &Run<'_>) -> Result<f64> {
        if let Width::Fixed(width) = self.rvm.width {
            return Ok(width);
        }
        let rows = sample(self.labels.len());
        let some = Ground { classic: false, ..self.part(&rows) };
        let widths = candidates(self.rvm.kernel, self.points());
        let least = some.rarest();
        if widths.len() == 1 || least < 2 {
            return Ok(median(self.rvm.kernel, self.points()));
        }
        if self.rvm.choose == Choose::Evidence {
            return best(&widths, 1, run, |width, _| {
                let (_, design) = some.design(width);
                let sparse = some.fit(&design, run.stop, Effort::Little)?;
                Ok(sparse.iter().map(|sparse| sparse.evidence).sum())
            });
        }
        let (labels, seed) = (Some(&some.labels[..]), run.seed.child("width", 0));
        let splits = folds(rows.len(), labels, FOLDS.min(least), seed)?;
        best(&widths, splits.len(), run, |width, fold| {
            some.held_out(width, &splits[fold].train, &splits[fold].test, run.stop)
        })
    }

    /// Some of the rows.
    fn part(&self, rows: &[u32]) -> Self {
        let points = self.points();
        Ground {
            points: (0..points.inputs()).flat_map(|j| pick(rows, points.column(j))).collect(),
            labels: pick(rows, &self.labels),
            weights: self.weights.as_ref().map(|weights| pick(rows, weights)),
            ..*self
        }
    }

    /// The number of rows of the class that has fewest.
    fn rarest(&self) -> usize {
        let mut counts = vec![0; self.classes];
        self.labels.iter().for_each(|&label| counts[label as usize] += 1);
        counts.into_iter().filter(|count| *count > 0).min().unwrap_or(0)
    }

    /// The log-likelihood of rows that were left out.
    fn held_out(&self, width: f64, train: &[u32], test: &[u32], stop: &Stop) -> Result<f64> {
        let (train, test) = (self.part(train), self.part(test));
        let (dictionary, design) = train.design(width);
        let sparse = train.fit(&design, stop, Effort::Little)?;
        let machine =
            |sparse| Machine::new(&dictionary, &design, sparse, train.points(), |row| row);
        let machines: Vec<Machine> = sparse.into_iter().map(machine).collect();
        let mut proba = vec![0.0; test.labels.len() * self.classes];
        probabilities(&machines, self.classes, Multi::OneRest, false, test.points(), &mut proba);
        let of = |row: usize| proba[row * self.classes + test.labels[row] as usize].max(1e-12).ln();
        let weight = |row: usize| test.weights.as_ref().map_or(1.0, |w| w[row]);
        Ok((0..test.labels.len()).map(|row| weight(row) * of(row)).sum())
    }

    /// One machine for two classes, else one for each.
    fn fit(&self, design: &Design, stop: &Stop, effort: Effort) -> Result<Vec<Sparse>> {
        let settings = match effort {
            Effort::Little => rough(),
            Effort::Full => Settings { explore: self.rvm.explore, ..Settings::default() },
        };
        if self.classes == 2 {
            let targets = self.targets(1);
            return Ok(vec![self.one(design, &targets, None, &settings, stop)?]);
        }
        let each = |class: usize| self.one(design, &self.targets(class), None, &settings, stop);
        let found: Vec<Sparse> = (0..self.classes).map(each).collect::<Result<_>>()?;
        match (self.rvm.multi, effort) {
            (Multi::Softmax, Effort::Full) => self.softmax(design, found, &settings, stop),
            _ => Ok(found),
        }
    }

    fn targets(&self, class: usize) -> Vec<f64> {
        self.labels.iter().map(|&label| f64::from(u8::from(label as usize == class))).collect()
    }

    fn one(
        &self,
        design: &Design,
        targets: &[f64],
        offsets: Option<&[f64]>,
        settings: &Settings<'_>,
        stop: &Stop,
    ) -> Result<Sparse> {
        let (target, weights) = (Target::Classes(targets, offsets), self.weights.as_deref());
        if self.classic {
            classic::fit(design, target, weights, settings, stop)
        } else {
            fast::fit(design, target, weights, settings, stop)
        }
    }

    /// Learns the machines in turns, each around what the others say.
    fn softmax(
        &self,
        design: &Design,
        mut found: Vec<Sparse>,
        settings: &Settings<'_>,
        stop: &Stop,
    ) -> Result<Vec<Sparse>> {
        let n = self.labels.len();
        let mut sums: Vec<Vec<f64>> = found.iter().map(|sparse| sum(design, sparse)).collect();
        let mut before = f64::NEG_INFINITY;
        for _ in 0..TURNS {
            for class in 0..self.classes {
                let offsets: Vec<f64> = (0..n).map(|row| -others(&sums, class, row)).collect();
                let start: Vec<(usize, f64)> =
                    found[class].bases.iter().copied().zip(found[class].alphas.clone()).collect();
                let settings = Settings { start: &start, explore: false, ..settings.clone() };
                let targets = self.targets(class);
                found[class] = self.one(design, &targets, Some(&offsets), &settings, stop)?;
                sums[class] = sum(design, &found[class]);
            }
            let weight = |row: usize| self.weights.as_ref().map_or(1.0, |w| w[row]);
            let log = |row: usize| {
                let label = self.labels[row] as usize;
                let own = sums[label][row];
                let rest = others(&sums, label, row);
                own - own.max(rest) - (-(own - rest).abs()).exp().ln_1p()
            };
            let likelihood: f64 = (0..n).map(|row| weight(row) * log(row)).sum();
            if likelihood - before < RESTS || stop.requested() {
                break;
            }
            before = likelihood;
        }
        Ok(found)
    }
}

/// The logarithm of the sum of the exponentials of what the other classes have.
fn others(sums: &[Vec<f64>], class: usize, row: usize) -> f64 {
    let rest = || sums.iter().enumerate().filter(|(at, _)| *at != class).map(|(_, s)| s[row]);
    let top = rest().fold(f64::NEG_INFINITY, f64::max);
    top + rest().map(|value| (value - top).exp()).sum::<f64>().ln()
}

/// The sum of the bases at every training row.
fn sum(design: &Design, sparse: &Sparse) -> Vec<f64> {
    let mut sums = vec![0.0; design.rows()];
    let mut column = vec![0.0; design.rows()];
    for (&base, weight) in sparse.bases.iter().zip(&sparse.weights) {
        design.column_into(base, &mut column);
        crate::num::add_scaled(&mut sums, *weight, &column);
    }
    sums
}

/// Writes the probabilities of some rows, row by row.
fn probabilities(
    machines: &[Machine],
    classes: usize,
    multi: Multi,
    moderate: bool,
    points: Points<'_>,
    out: &mut [f64],
) {
    let mut sums = vec![0.0; points.rows];
    let mut variances = vec![0.0; points.rows];
    // Of two classes the first has the sum 0.
    let first = classes - machines.len();
    for (at, machine) in machines.iter().enumerate() {
        machine.sum_into(points, &mut sums, moderate.then_some(&mut variances));
        for (row, out) in out.chunks_exact_mut(classes).enumerate() {
            out[first + at] = sums[row] * moderation(moderate.then_some(variances[row]));
        }
    }
    for out in out.chunks_exact_mut(classes) {
        if first == 0 && multi == Multi::OneRest {
            for value in out.iter_mut() {
                *value = log_sigmoid(*value);
            }
        }
        softmax_in_place(out);
    }
}

/// How much a sum of this variance counts (D. J. C. `MacKay`, "The evidence framework applied to
/// classification networks", Neural Computation 4 (1992) 720-736).
fn moderation(variance: Option<f64>) -> f64 {
    variance.map_or(1.0, |v| 1.0 / (1.0 + std::f64::consts::PI * v / 8.0).sqrt())
}

fn log_sigmoid(value: f64) -> f64 {
    value.min(0.0) - (-value.abs()).exp().ln_1p()
}

/// Rows whose probabilities are computed at a time.
const CHUNK: usize = 1024;

/// A fitted relevance vector machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RvmModel {
    classes: Classes,
    width: f64,
    multi: Multi,
    moderate: bool,
    machines: Vec<Machine>,
}

impl RvmModel {
    /// One machine for two classes, else one for each class.
    pub fn machines(&self) -> &[Machine] {
        &self.machines
    }

    /// The width of the kernel, given or found.
    pub fn width(&self) -> f64 {
        self.width
    }

    fn inputs(&self) -> usize {
        self.machines.first().map_or(0, Machine::inputs)
    }
}

/// The columns of a view as points, if there are as many as the model was fitted to.
pub(super) fn points_of(rows: View<'_>, inputs: usize) -> Result<Vec<f64>> {
    if rows.columns() != inputs {
        return Err(Error::unsuitable("the columns are not those of the training data", ""));
    }
    let all: Vec<u32> = (0..rows.rows() as u32).collect();
    gather(rows, &all)
}

impl Classifier for RvmModel {
    fn classes(&self) -> &Classes {
        &self.classes
    }

    fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        let k = self.classes.len();
        out.reset(rows.rows(), k);
        for start in (0..rows.rows()).step_by(CHUNK) {
            let end = (start + CHUNK).min(rows.rows());
            let ids: Vec<u32> = (start..end).map(|row| rows.row_id(row) as u32).collect();
            let values = points_of(rows.with_rows(&ids), self.inputs())?;
            let points = Points { rows: end - start, values: &values };
            let out = out.rows_mut(start..end);
            probabilities(&self.machines, k, self.multi, self.moderate, points, out);
        }
        Ok(())
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        let id = [rows.row_id(row) as u32];
        let values = points_of(rows.with_rows(&id), self.inputs())?;
        let points = Points { rows: 1, values: &values };
        let k = self.classes.len();
        let first = k - self.machines.len();
        let mut explanation =
            Explanation { base: vec![0.0; k], parts: Vec::new(), link: Link::Softmax };
        for (at, machine) in self.machines.iter().enumerate() {
            let (mut sum, mut variance) = ([0.0], [0.0]);
            machine.sum_into(points, &mut sum, self.moderate.then_some(&mut variance));
            let mut share = moderation(self.moderate.then_some(variance[0]));
            let (bias, words) = machine.parts(&values, |input| rows.field(input).name.clone());
            let mut base = bias * share;
            if first == 0 && self.multi == Multi::OneRest {
                // The sums go through a curve: each part counts by its mean slope.
                let (from, to) = (base, sum[0] * share);
                base = log_sigmoid(from);
                let slope = (log_sigmoid(to) - base) / (to - from);
                share *= if slope.is_finite() { slope } else { 0.0 };
            }
            explanation.base[first + at] = base;
            for words in words {
                let mut adds = vec![0.0; k];
                adds[first + at] = words.adds * share;
                let (column, because) = (words.column, words.because);
                explanation.parts.push(Part { column, because, adds });
            }
        }
        Ok(explanation)
    }
}

impl Saved for RvmModel {
    const VERSION: u32 = 1;

    fn check(&self, inputs: &Schema) -> Result<()> {
        self.classes.check()?;
        let k = self.classes.len();
        let sound = self.machines.len() == if k == 2 { 1 } else { k }
            && self.machines.iter().all(|machine| machine.is_sound(inputs.len()))
            && inputs.fields.iter().all(|field| field.kind == Kind::Number)
            && self.width.is_finite();
        if sound {
            Ok(())
        } else {
            Err(Error::model_file("its relevance vectors are inconsistent"))
        }
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        let vectors = self.machines.iter().map(Machine::vectors).sum::<usize>();
        vec![("vectors", vectors as u64)]
    }

    fn diagnostics(&self, inputs: &Schema) -> Map<String, Value> {
        let name = |input: usize| inputs.fields[input].name.clone();
        let mut notes = Map::new();
        notes.insert("width".into(), self.width.into());
        if let [machine] = &self.machines[..] {
            notes.extend(machine.notes(name));
            return notes;
        }
        for (machine, class) in self.machines.iter().zip(self.classes.names()) {
            notes.insert(class.clone(), machine.notes(name).into());
        }
        notes
    }
}

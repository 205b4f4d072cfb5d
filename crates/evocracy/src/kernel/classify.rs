//! The methods `rvm` and `rvm-classic`: two classes by one machine, more by one for each class,
//! which share one likelihood (`softmax`) or are each learnt against the rest, their probabilities
//! brought to a sum of 1.

use super::bases::Kernel;
use super::class_model::{RvmModel, probabilities};
use super::design::{Design, Keep};
use super::fast::{Settings, Sparse, Target};
use super::ground::Ground;
use super::machine::Machine;
use super::plan::{Plan, machine};
use super::width::{Choose, Sensible, Tried, Width, find, pick, rough};
use super::{classic, fast};
use crate::classify::{Fitted, Learner};
use crate::data::{Input, Task};
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

machine! {
    /// A relevance vector machine: a sparse sum of kernels whose number the evidence decides (fast training).
    pub struct Rvm as "rvm", centres = 1000 {
        /// how more than two classes are told apart
        multi: Multi = Multi::Softmax, Multi::CHOICES;
        /// whether probabilities are drawn towards 1/2 where the weights are uncertain
        moderate: bool = false, ..;
        /// whether to search from two starts instead of one: the evidence has many peaks
        explore: bool = true, ..;
        /// whether the design matrix is stored or computed as needed
        bases: Keep = Keep::Stored, Keep::CHOICES;
    }
}

machine! {
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
        let (plan, multi, explore) = (self.plan(self.bases), self.multi, self.explore);
        let way = Way { plan, multi, explore, classic: false };
        learn(&way, self.moderate, task, run)
    }
}

impl Learner for RvmClassic {
    type Model = RvmModel;
    const INPUT: Input = Input::Dense;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<RvmModel>> {
        let (plan, multi) = (self.plan(Keep::Stored), self.multi);
        let way = Way { plan, multi, explore: false, classic: true };
        learn(&way, self.moderate, task, run)
    }
}

/// How classes are learnt.
struct Way {
    plan: Plan,
    multi: Multi,
    explore: bool,
    classic: bool,
}

/// How much a fit may cost: to compare widths, a rough and fast search for each class against the
/// rest will do.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Effort {
    Little,
    Full,
}

/// Rows and their classes.
pub(super) struct Sample<'a> {
    pub(super) ground: Ground,
    pub(super) labels: Vec<u32>,
    pub(super) classes: usize,
    way: &'a Way,
}

fn learn(way: &Way, moderate: bool, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<RvmModel>> {
    if run.stop.requested() {
        return Err(Error::Stopped);
    }
    let (classes, labels) = task.labels()?;
    let (ground, rows) = Ground::new(task)?;
    let labels = pick(&rows, &labels);
    let sample = Sample { ground, labels, classes: classes.len(), way };
    let width = find(&sample, run)?;
    let id = |row: usize| task.row_id(rows[row] as usize);
    let machines = sample.machines(width, run.stop, Effort::Full, id)?;
    let model = RvmModel { classes: classes.clone(), width, multi: way.multi, moderate, machines };
    let stop = if run.stop.requested() { StopReason::Interrupted } else { StopReason::Finished };
    Ok(Fitted { model, stop })
}

impl Tried for Sample<'_> {
    fn ground(&self) -> &Ground {
        &self.ground
    }

    fn plan(&self) -> &Plan {
        &self.way.plan
    }

    fn labels(&self) -> Option<&[u32]> {
        Some(&self.labels)
    }

    fn part(&self, rows: &[u32]) -> Self {
        Self { ground: self.ground.part(rows), labels: pick(rows, &self.labels), ..*self }
    }

    fn evidence(&self, width: f64, stop: &Stop) -> Result<f64> {
        let (_, design) = self.way.plan.design(width, self.ground.points());
        let sparse = self.fit(&design, stop, Effort::Little)?;
        Ok(sparse.iter().map(|sparse| sparse.evidence).sum())
    }

    fn held_out(&self, test: &Self, width: f64, stop: &Stop) -> Result<f64> {
        let machines = self.machines(width, stop, Effort::Little, |row| row)?;
        let k = self.classes;
        let mut proba = vec![0.0; test.labels.len() * k];
        let points = test.ground.points();
        probabilities(&machines, k, Multi::OneRest, false, points, &mut proba);
        let of = |row: usize| proba[row * k + test.labels[row] as usize].max(1e-12).ln();
        Ok((0..test.labels.len()).map(|row| test.ground.weight(row) * of(row)).sum())
    }
}

impl Sample<'_> {
    fn machines(
        &self,
        width: f64,
        stop: &Stop,
        effort: Effort,
        id: impl Fn(usize) -> usize,
    ) -> Result<Vec<Machine>> {
        let points = self.ground.points();
        let (dictionary, design) = self.way.plan.design(width, points);
        let found = self.fit(&design, stop, effort)?;
        let machine = |sparse| Machine::new(&dictionary, &design, sparse, points, &id);
        Ok(found.into_iter().map(machine).collect())
    }

    /// One machine for two classes, else one for each.
    fn fit(&self, design: &Design, stop: &Stop, effort: Effort) -> Result<Vec<Sparse>> {
        let settings = match effort {
            Effort::Little => rough(),
            Effort::Full => Settings { explore: self.way.explore, ..Settings::default() },
        };
        let one = |targets: &[f64], offsets: Option<&[f64]>, start: &[(usize, f64)]| {
            let explore = settings.explore && offsets.is_none();
            let settings = Settings { start, explore, ..settings.clone() };
            let target = Target::Classes(targets, offsets);
            let weights = self.ground.weights.as_deref();
            if self.way.classic && effort == Effort::Full {
                classic::fit(design, target, weights, &settings, stop)
            } else {
                fast::fit(design, target, weights, &settings, stop)
            }
        };
        if self.classes == 2 {
            return Ok(vec![one(&self.targets(1), None, &[])?]);
        }
        let each = |class: usize| one(&self.targets(class), None, &[]);
        let found: Vec<Sparse> = (0..self.classes).map(each).collect::<Result<_>>()?;
        match (self.way.multi, effort) {
            (Multi::Softmax, Effort::Full) => super::softmax::learn(self, design, found, one, stop),
            _ => Ok(found),
        }
    }

    /// 1 for the rows of a class, 0 for others.
    pub(super) fn targets(&self, class: usize) -> Vec<f64> {
        self.labels.iter().map(|&label| f64::from(u8::from(label as usize == class))).collect()
    }
}

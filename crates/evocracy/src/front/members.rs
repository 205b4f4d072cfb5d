//! The methods `evo-tree` and `evo-rules`: fronts of models of other methods, whose settings and
//! columns are evolved.
//!
//! What is traded is the size of the model and the log-likelihood of rows that were left out
//! (folds). At each size the best is kept; all its thresholds are points of the front. What the
//! front promises is measured as `soft` does: the whole search is repeated without each fold.

use super::evolved::check_classes;
use super::model::FrontModel;
use super::options::{Admission, sampled_rows};
use super::path::ModelPath;
use super::unseen::{UNSTABLE_FOLD_ROWS, Unseen, enough_left, ranks};
use crate::classify::{Fitted, Learner};
use crate::committee::TrainingRows;
use crate::data::{Input, Task, folds, pick, rarest};
use crate::error::{Error, Result};
use crate::evolve::multi::Elite;
use crate::evolve::{
    Evolution, Goal, Problem, Rng, ScorePoints, Space, Until, below, chance, gauss, unit,
};
use crate::method::{Method, make};
use crate::model::Model;
use crate::run::{Run, Seed, StopReason};
use std::sync::Arc;

crate::params! {
    /// A front of decision trees, evolved: positives found against false alarms against leaves.
    pub struct EvoTree as "evo-tree" {
        /// the default member is the smallest whose likelihood on rows left out lacks at most this share of what the best gains over a constant
        tolerance: f64 = 0.05, 0.0..=1.0;
        /// folds for the comparison of trees and for what the front promises on new rows
        folds: usize = 5, 2..=20;
        /// how many trees are tried
        evaluations: u64 = 64, 1..=1_000_000_000;
        /// how many training rows at most are searched on, drawn from every class; 0 for all
        rows: usize = 5000, 0..=10_000_000;
    }
}

crate::params! {
    /// A front of rule lists, evolved: positives found against false alarms against rules.
    pub struct EvoRules as "evo-rules" {
        /// the default member is the smallest whose likelihood on rows left out lacks at most this share of what the best gains over a constant
        tolerance: f64 = 0.05, 0.0..=1.0;
        /// folds for the comparison of lists and for what the front promises on new rows
        folds: usize = 5, 2..=20;
        /// how many lists are tried
        evaluations: u64 = 32, 1..=1_000_000_000;
        /// how many training rows at most are searched on, drawn from every class; 0 for all
        rows: usize = 5000, 0..=10_000_000;
    }
}

/// A setting that is evolved: its name and range, on a logarithmic scale.
struct Knob {
    name: &'static str,
    low: f64,
    high: f64,
    whole: bool,
}

impl Knob {
    /// The value of a gene from 0 to 1.
    fn value(&self, gene: f64) -> String {
        let value = self.low * (self.high / self.low).powf(gene);
        if self.whole { value.round().to_string() } else { value.to_string() }
    }
}

/// A method, what is evolved of it, what is fixed, and which of its sizes is its complexity.
struct Kind {
    method: &'static str,
    knobs: &'static [Knob],
    fixed: &'static [(&'static str, &'static str)],
    size: &'static str,
}

const TREES: Kind = Kind {
    method: "tree",
    knobs: &[
        Knob { name: "prune", low: 1e-4, high: 0.3, whole: false },
        Knob { name: "leaf", low: 1.0, high: 40.0, whole: false },
    ],
    fixed: &[("prune_folds", "0")],
    size: "leaves",
};

const RULES: Kind = Kind {
    method: "foil",
    knobs: &[
        Knob { name: "rules", low: 1.0, high: 30.0, whole: true },
        Knob { name: "conditions", low: 1.0, high: 6.0, whole: true },
        Knob { name: "least", low: 1.0, high: 40.0, whole: false },
    ],
    fixed: &[],
    size: "rules",
};

struct Settings {
    tolerance: f64,
    folds: usize,
    evaluations: u64,
    rows: usize,
}

impl Learner for EvoTree {
    type Model = FrontModel;
    const INPUT: Input = Input::Mixed;
    const PROMISES: bool = true;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<FrontModel>> {
        let Self { tolerance, folds, evaluations, rows } = *self;
        learn(&TREES, &Settings { tolerance, folds, evaluations, rows }, task, run)
    }
}

impl Learner for EvoRules {
    type Model = FrontModel;
    const INPUT: Input = Input::Mixed;
    const PROMISES: bool = true;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<FrontModel>> {
        let Self { tolerance, folds, evaluations, rows } = *self;
        learn(&RULES, &Settings { tolerance, folds, evaluations, rows }, task, run)
    }
}

fn learn(
    kind: &Kind,
    settings: &Settings,
    task: &Task<'_>,
    run: &Run<'_>,
) -> Result<Fitted<FrontModel>> {
    check_classes(task)?;
    let data = TrainingRows::new(task)?;
    let searched = sampled_rows(settings.rows, &data.labels, run);
    let left = enough_left(&searched, &data.labels);
    let labels = pick(&searched, &data.labels);
    let k = settings.folds.min(rarest(&labels));
    let parts: Vec<Vec<u32>> = if k < 2 || left.is_some() {
        Vec::new()
    } else {
        let splits = folds(labels.len(), Some(&labels), k, run.seed.child("folds", 0))?;
        splits.into_iter().map(|split| pick(&split.test, &searched)).collect()
    };
    // The front of all rows and those without each fold are searched for side by side.
    let found = run.pool.map(parts.len() + 1, |at| match at.checked_sub(1) {
        None => found_or_searched(kind, settings, &data, &searched, &run.child("front", 0)),
        Some(fold) => {
            let train: Vec<u32> = searched
                .iter()
                .copied()
                .filter(|row| parts[fold].binary_search(row).is_err())
                .collect();
            found_or_searched(kind, settings, &data, &train, &run.child("fold", fold as u64))
        }
    });
    let mut found = found.into_iter();
    let front = found.next().unwrap_or(Err(Error::Stopped))?;
    let unseen = if let Some(left) = left {
        let proba = front.iter().map(|m| m.proba(&data, &left)).collect::<Result<_>>()?;
        Some(Unseen { rows: left, proba, rows_for_one: 1.0, ranks: None })
    } else if parts.is_empty() {
        None
    } else {
        match found.collect::<Result<Vec<_>>>() {
            _ if run.stop.requested() => None,
            Ok(fronts) => Some(out_of_fold(&front, &data, &searched, &parts, &fronts)?),
            Err(error) => return Err(error),
        }
    };
    let path = ModelPath {
        sizes: front.iter().map(|member| member.size).collect(),
        proba: front.iter().map(|member| member.proba(&data, &searched)).collect::<Result<_>>()?,
        rows: searched.clone(),
        expected: None,
        admission: (Admission::Counted, run.seed),
        unseen,
        chosen: chosen(&front, settings.tolerance, &data, &searched),
        labels: data.labels.clone(),
        weights: data.weights.clone(),
    };
    let (points, default) = path.points(&data.classes, kind.size, run.stop)?;
    let models = front.into_iter().map(|member| Arc::unwrap_or_clone(member.model)).collect();
    let model = FrontModel::of_models(data.classes.clone(), models, points, default)?;
    let stop = if run.stop.requested() { StopReason::Interrupted } else { StopReason::Finished };
    Ok(Fitted { model, stop })
}

/// A model of the front.
struct Member {
    model: Arc<Model>,
    size: f64,
    /// The mean log-likelihood of rows that were left out.
    likelihood: f64,
}

impl Member {
    /// The model's bytes, size and likelihood.
    fn written(&self) -> Result<(Vec<u8>, f64, f64)> {
        Ok((self.model.to_bytes()?, self.size, self.likelihood))
    }

    fn read((bytes, size, likelihood): (Vec<u8>, f64, f64)) -> Result<Self> {
        Ok(Self { model: Arc::new(Model::from_bytes(&bytes)?), size, likelihood })
    }

    /// The probabilities of some rows, row after row.
    fn proba(&self, data: &TrainingRows, rows: &[u32]) -> Result<Vec<f64>> {
        Ok(self.model.proba(data.features().with_rows(rows))?.values().to_vec())
    }
}

/// The smallest that lacks little of the best gain over a constant.
fn chosen(front: &[Member], tolerance: f64, data: &TrainingRows, searched: &[u32]) -> usize {
    let mut weight = vec![0.0; data.classes.len()];
    for &row in searched {
        weight[data.labels[row as usize] as usize] += data.weights[row as usize];
    }
    let total: f64 = weight.iter().sum();
    let constant: f64 = weight
        .iter()
        .map(|own| own / total)
        .filter(|share| *share > 0.0)
        .map(|share| share * share.ln())
        .sum();
    let best = front.iter().map(|member| member.likelihood).fold(constant, f64::max);
    let enough = best - tolerance * (best - constant);
    front.iter().position(|member| member.likelihood >= enough).unwrap_or(front.len() - 1)
}

/// The probabilities of every row by the members of each size that were learnt without it.
fn out_of_fold(
    front: &[Member],
    data: &TrainingRows,
    searched: &[u32],
    parts: &[Vec<u32>],
    fronts: &[Vec<Member>],
) -> Result<Unseen> {
    let k = data.classes.len();
    let positive = data.classes.positive();
    let score = |proba: &[f64]| proba.iter().skip(positive).step_by(k).copied().collect::<Vec<_>>();
    let mut proba = vec![vec![0.0; searched.len() * k]; front.len()];
    let mut rank = vec![vec![0.0; searched.len()]; front.len()];
    for (part, without) in parts.iter().zip(fronts) {
        let fitted: Vec<u32> =
            searched.iter().copied().filter(|row| part.binary_search(row).is_err()).collect();
        for (at, member) in front.iter().enumerate() {
            let beyond = without.partition_point(|other| other.size <= member.size);
            let same_size = &without[beyond.max(1) - 1];
            let found = same_size.proba(data, part)?;
            let ranked = ranks(&score(&found), &score(&same_size.proba(data, &fitted)?));
            for ((row, p), r) in part.iter().zip(found.chunks_exact(k)).zip(ranked) {
                let place = searched.binary_search(row).unwrap_or(0);
                proba[at][place * k..(place + 1) * k].copy_from_slice(p);
                rank[at][place] = r;
            }
        }
    }
    let rows_for_one = UNSTABLE_FOLD_ROWS;
    Ok(Unseen { rows: searched.to_vec(), proba, rows_for_one, ranks: Some(rank) })
}

/// Settings, each from 0 to 1, and which columns are used.
#[derive(Debug, Clone, PartialEq)]
struct Genome {
    genes: Vec<f64>,
    columns: Vec<bool>,
}

/// Models of a kind on some rows.
struct Models<'a> {
    kind: &'a Kind,
    data: &'a TrainingRows,
    train: &'a [u32],
    /// Train and test rows of folds.
    splits: Vec<(Vec<u32>, Vec<u32>)>,
    run: &'a Run<'a>,
}

impl Models<'_> {
    fn method(&self, genome: &Genome) -> Result<Box<dyn Method>> {
        let own = self.kind.knobs.iter().zip(&genome.genes);
        let own = own.map(|(knob, gene)| (knob.name.to_owned(), knob.value(*gene)));
        let fixed = self.kind.fixed.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
        make(self.kind.method, &own.chain(fixed).collect::<Vec<_>>())
    }

    fn train(&self, genome: &Genome, rows: &[u32], seed: Seed) -> Result<Model> {
        let used = (0..genome.columns.len() as u32).filter(|&at| genome.columns[at as usize]);
        let used: Vec<u32> = used.collect();
        let TrainingRows { classes, labels, weights, .. } = self.data;
        let features = self.data.features().with_columns(&used);
        let task = self.data.task_of(features, labels, classes, weights)?.with_rows(rows);
        let run = Run { seed, ..self.run.clone() };
        Ok(self.method(genome)?.train(&task, &run)?.model)
    }

    /// The mean log-likelihood of rows that were left out.
    fn likelihood(&self, genome: &Genome, seed: Seed) -> Result<f64> {
        let (mut sum, mut weight) = (0.0, 0.0);
        for (fold, (train, test)) in self.splits.iter().enumerate() {
            let model = self.train(genome, train, seed.child("fold", fold as u64))?;
            let proba = model.proba(self.data.features().with_rows(test))?;
            for (at, &row) in test.iter().enumerate() {
                let p = proba.row(at)[self.data.labels[row as usize] as usize];
                let w = self.data.weights[row as usize];
                sum += w * p.max(1e-9).ln();
                weight += w;
            }
        }
        Ok(if weight > 0.0 { sum / weight } else { 0.0 })
    }
}

impl Space for Models<'_> {
    type Genome = Genome;

    fn sample(&self, rng: &mut Rng) -> Result<Genome> {
        let genes = self.kind.knobs.iter().map(|_| unit(rng)).collect();
        Ok(Genome { genes, columns: vec![true; self.data.features().columns()] })
    }

    fn recombine(&self, parents: [&Genome; 2], children: [&mut Genome; 2], _: &mut Rng) {
        children.into_iter().zip(parents).for_each(|(child, parent)| child.clone_from(parent));
    }

    fn mutate(&self, genome: &mut Genome, rng: &mut Rng) {
        let at = below(genome.genes.len(), rng);
        genome.genes[at] = (genome.genes[at] + 0.2 * gauss(rng)).clamp(0.0, 1.0);
        let columns = genome.columns.len();
        if columns > 1 && chance(0.5, rng) {
            let at = below(columns, rng);
            genome.columns[at] ^= true;
            if !genome.columns.contains(&true) {
                genome.columns[at] = true;
            }
        }
    }

    fn admit(&self, genome: &Genome) -> Result<()> {
        if genome.genes.len() == self.kind.knobs.len() && genome.columns.contains(&true) {
            return Ok(());
        }
        Err(Error::unsuitable("settings of another method", "begin the search anew"))
    }
}

impl Problem<Genome> for Models<'_> {
    type Phenotype = Arc<Model>;

    fn goals(&self) -> &[Goal] {
        &[Goal::Minimise, Goal::Maximise]
    }

    fn score(
        &self,
        genome: &Genome,
        _: Option<&Arc<Model>>,
        seed: Seed,
        out: &mut ScorePoints,
    ) -> Result<Arc<Model>> {
        let likelihood = self.likelihood(genome, seed)?;
        let model = self.train(genome, self.train, seed)?;
        let size = model.core().size().into_iter().find(|(name, _)| *name == self.kind.size);
        out.push(&[size.map_or(0.0, |(_, size)| size as f64), likelihood])?;
        Ok(Arc::new(model))
    }
}

/// Searches, or takes what an earlier run found.
fn found_or_searched(
    kind: &Kind,
    settings: &Settings,
    data: &TrainingRows,
    train: &[u32],
    run: &Run<'_>,
) -> Result<Vec<Member>> {
    run.resume(
        |bytes| {
            let parts: Vec<(Vec<u8>, f64, f64)> =
                rmp_serde::from_slice(bytes).map_err(|_| broken())?;
            let members: Result<Vec<Member>> = parts.into_iter().map(Member::read).collect();
            members.and_then(|members| if members.is_empty() { Err(broken()) } else { Ok(members) })
        },
        |members| {
            if run.stop.requested() {
                return Ok(None);
            }
            let parts = members.iter().map(Member::written).collect::<Result<Vec<_>>>()?;
            rmp_serde::to_vec(&parts).map(Some).map_err(|_| broken())
        },
        || search(kind, settings, data, train, run),
    )
}

fn broken() -> Error {
    Error::unsuitable("a finished part does not read back", "")
}

/// Models that are tried at a time.
const CHILDREN: usize = 8;

/// The front of some rows, by rising size.
fn search(
    kind: &Kind,
    settings: &Settings,
    data: &TrainingRows,
    train: &[u32],
    run: &Run<'_>,
) -> Result<Vec<Member>> {
    let labels = pick(train, &data.labels);
    let k = settings.folds.min(rarest(&labels));
    let splits = if k < 2 {
        // A row of a class cannot be left out: the training rows must do.
        vec![(train.to_vec(), train.to_vec())]
    } else {
        let splits = folds(labels.len(), Some(&labels), k, run.seed.child("inner", 0))?;
        splits.into_iter().map(|s| (pick(&s.train, train), pick(&s.test, train))).collect()
    };
    let models = Models { kind, data, train, splits, run };
    let strategy = Elite::new().start(CHILDREN).children(CHILDREN);
    let mut search =
        Evolution::<_, _, Arc<Model>>::new(&models, strategy, models.goals(), run.seed.value())?
            .log_every(0);
    let task = run.task("front", settings.evaluations / CHILDREN as u64);
    search.run(&models, &Until::Evaluations(settings.evaluations), &task)?;
    let state = search.state();
    let mut members: Vec<Member> = Vec::new();
    for (at, model) in state.phenotypes().iter().enumerate() {
        let values: Vec<f64> = state.values(at).collect();
        let Some(model) = model.clone() else { continue };
        members.push(Member { model, size: values[0], likelihood: values[1] });
    }
    members.sort_by(|a, b| a.size.total_cmp(&b.size));
    Ok(members)
}

//! Growing the trees of a committee: in parallel, each with a sample, draws and a seed of its
//! own, so that the result does not depend on the number of threads.

use super::draw::{Cuts, RandomCandidates, SplitRules};
use super::oob::{InBag, OutOfBag, OutOfBagRows};
use crate::committee::flat_trees::{FlatTrees, Leaves, PackedTree};
use crate::data::Task;
use crate::error::{Error, Result};
use crate::experts::tree::columns::Columns;
use crate::experts::tree::grow::{Grower, Grown, Limits};
use crate::run::{Run, Seed, Stop, StopReason, Watch};
use rand::RngExt;
use std::borrow::Cow;

/// So many rows times trees are judged in a moment.
const LITTLE: usize = 1 << 22;

/// What kind of trees, and how many.
#[derive(Debug, Clone, Copy)]
pub(super) struct ForestPlan {
    pub(super) trees: usize,
    pub(super) limits: Limits,
    pub(super) rules: SplitRules,
    /// How many rows each tree draws with replacement, as a share of all; `None` gives every
    /// tree all rows.
    pub(super) sample: Option<f64>,
    pub(super) smoothing: f64,
    /// Whether to measure importance by permutation, too.
    pub(super) permute: bool,
}

/// Trees, and what training found out about them.
#[derive(Debug)]
pub(super) struct GrownForest {
    pub(super) flat: FlatTrees,
    pub(super) impurity: Vec<f64>,
    pub(super) permutation: Option<Vec<f64>>,
    pub(super) out_of_bag: Option<OutOfBag>,
    pub(super) stop: StopReason,
}

/// A tree, its number, and the impurity its columns take away, as shares.
struct GrownTree {
    number: usize,
    tree: PackedTree,
    importance: Vec<f64>,
}

impl ForestPlan {
    pub(super) fn grow(&self, task: &Task<'_>, run: &Run<'_>) -> Result<GrownForest> {
        let (classes, labels) = task.labels()?;
        let weights = task.weights();
        let run = run.task("trees", self.trees as u64);
        let grower = ForestGrower::new(self, task, &labels, &weights, classes.len(), &run)?;
        let members = run.pool.map(self.trees, |index| {
            let member = grower.member(index, &run);
            run.watch.advance(1);
            member
        });
        // The columns are not needed any more. Samples are drawn a second time below, which takes
        // less memory than to keep them.
        let ForestGrower { levels, sampler, columns, .. } = grower;
        drop(columns);
        let (mut trees, mut numbers) = (Vec::with_capacity(self.trees), Vec::new());
        let mut impurity = vec![0.0; levels.len()];
        for member in members {
            let Some(member) = member? else { continue };
            impurity.iter_mut().zip(&member.importance).for_each(|(sum, share)| *sum += share);
            trees.push(member.tree);
            numbers.push(member.number);
        }
        if trees.is_empty() {
            return Err(Error::Stopped);
        }
        let all: f64 = impurity.iter().sum();
        for share in impurity.iter_mut().filter(|_| all > 0.0) {
            *share /= all;
        }
        let complete = trees.len() == self.trees;
        let stop = if complete { StopReason::Finished } else { StopReason::Interrupted };
        let flat = FlatTrees::new(classes, levels, trees, Vec::new());
        let mut grown = GrownForest { flat, impurity, permutation: None, out_of_bag: None, stop };
        let Some(sampler) = sampler else { return Ok(grown) };
        // After a stop the trees are the result, and only a little judging fits before the end.
        let (stopped, calm) = (run.stop.requested(), Stop::new());
        if stopped {
            grown.stop = StopReason::Interrupted;
            if labels.len().saturating_mul(numbers.len()) > LITTLE {
                return Ok(grown);
            }
        }
        let in_bags = run.pool.map(numbers.len(), |at| {
            let mut in_bag = InBag::new(labels.len());
            sampler.draw(seed_of_sample(&run, numbers[at]), |row| in_bag.put(row));
            in_bag
        });
        let rows = OutOfBagRows { task, labels: &labels, weights: &weights, in_bags: &in_bags };
        let stop = if stopped { &calm } else { run.stop };
        match rows.judge(&grown.flat, &Run { stop, ..run.clone() }) {
            Err(Error::Stopped) => grown.stop = StopReason::Interrupted,
            judged => grown.out_of_bag = Some(judged?),
        }
        if self.permute && complete {
            grown.permutation = rows.permute(&grown.flat, &run)?;
        }
        Ok(grown)
    }
}

fn seed_of_tree(run: &Run<'_>, number: usize) -> Seed {
    run.seed.child("tree", number as u64)
}

fn seed_of_sample(run: &Run<'_>, number: usize) -> Seed {
    seed_of_tree(run, number).child("sample", 0)
}

/// Where samples are drawn from, with replacement.
struct BootstrapSampler {
    /// The rows that have weight.
    rows: Vec<u32>,
    draws: usize,
}

impl BootstrapSampler {
    fn new(weights: &[f64], share: f64) -> Self {
        let rows: Vec<u32> =
            (0..weights.len() as u32).filter(|&row| weights[row as usize] > 0.0).collect();
        let draws = (share * rows.len() as f64).round().max(1.0) as usize;
        Self { rows, draws }
    }

    /// Draws the rows of a sample.
    fn draw(&self, seed: Seed, mut drawn: impl FnMut(usize)) {
        let mut rng = seed.rng();
        for _ in 0..self.draws {
            drawn(self.rows[rng.random_range(0..self.rows.len())] as usize);
        }
    }
}

/// What all trees are grown from.
struct ForestGrower<'a> {
    plan: &'a ForestPlan,
    columns: Columns<'a>,
    levels: Vec<Option<u32>>,
    labels: &'a [u32],
    weights: &'a [f64],
    /// `None` where every tree sees all rows.
    sampler: Option<BootstrapSampler>,
    classes: usize,
}

impl<'a> ForestGrower<'a> {
    fn new(
        plan: &'a ForestPlan,
        task: &Task<'a>,
        labels: &'a [u32],
        weights: &'a [f64],
        classes: usize,
        run: &Run<'_>,
    ) -> Result<Self> {
        let columns = match plan.rules.cuts {
            Cuts::Best => Columns::unordered(task.features, run)?,
            Cuts::Random => Columns::plain(task.features, run)?,
        };
        let levels = columns.levels().collect();
        let sampler = plan.sample.map(|share| BootstrapSampler::new(weights, share));
        Ok(Self { plan, columns, levels, labels, weights, sampler, classes })
    }

    /// Grows one tree; `None` where the run was stopped first.
    fn member(&self, number: usize, run: &Run<'_>) -> Result<Option<GrownTree>> {
        if run.stop.requested() {
            return Ok(None);
        }
        let mut grower = Grower::new(&self.columns, self.labels, self.classes, self.plan.limits);
        let weights = self.sample(seed_of_sample(run, number));
        let seed = seed_of_tree(run, number).child("draws", 0);
        let mut drawn = RandomCandidates::new(self.plan.rules, seed);
        let silent = Run { watch: Watch::new("tree"), ..run.clone() };
        let grown = match grower.grow(weights, &mut drawn, &silent) {
            Ok(Grown { stop: StopReason::Interrupted, .. }) | Err(Error::Stopped) => {
                return Ok(None);
            }
            grown => grown?,
        };
        let leaves = Leaves::Shares(self.plan.smoothing);
        let tree = PackedTree::pack(&grown, self.classes, leaves, &self.levels);
        let importance = grown.nodes.importance(self.columns.len());
        Ok(Some(GrownTree { number, tree, importance }))
    }

    /// The weights of the rows in a sample: with replacement, each row with its own weight as
    /// often as it is drawn.
    fn sample(&self, seed: Seed) -> Cow<'a, [f64]> {
        let Some(sampler) = &self.sampler else { return self.weights.into() };
        let mut weights = vec![0.0; self.weights.len()];
        sampler.draw(seed, |row| weights[row] += self.weights[row]);
        weights.into()
    }
}

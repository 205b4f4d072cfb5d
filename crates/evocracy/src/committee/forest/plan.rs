//! Growing the trees of a committee: in parallel, each with a sample, draws and a seed of its
//! own, so that the result does not depend on the number of threads.

use super::draw::{Cuts, Drawn, Rules};
use super::oob::{self, Bag, OutOfBag};
use crate::committee::grove::{Grove, Leaves, Tree};
use crate::data::Task;
use crate::error::{Error, Result};
use crate::experts::tree::columns::Columns;
use crate::experts::tree::grow::{Grower, Grown, Limits};
use crate::run::{Run, Seed, StopReason, Watch};
use rand::RngExt;

/// What kind of trees, and how many.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    pub(super) trees: usize,
    pub(super) limits: Limits,
    pub(super) rules: Rules,
    /// How many rows each tree draws with replacement, as a share of all; `None` gives every
    /// tree all rows.
    pub(super) sample: Option<f64>,
    pub(super) smoothing: f64,
    /// Whether to reckon importance by permutation, too.
    pub(super) permute: bool,
}

/// Trees, and what training found out about them.
#[derive(Debug)]
pub(super) struct Grew {
    pub(super) grove: Grove,
    pub(super) impurity: Vec<f64>,
    pub(super) permutation: Option<Vec<f64>>,
    pub(super) out_of_bag: Option<OutOfBag>,
    pub(super) stop: StopReason,
}

/// A tree, the impurity its columns take away, as shares, and its sample.
struct Member {
    tree: Tree,
    importance: Vec<f64>,
    bag: Bag,
}

impl Plan {
    pub(super) fn grow(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Grew> {
        let (classes, labels) = task.labels()?;
        let weights = task.weights();
        let run = run.task("trees", self.trees as u64);
        let nursery = Nursery::new(self, task, &labels, &weights, classes.len(), &run)?;
        let members = run.pool.map(self.trees, |index| {
            let member = nursery.member(run.seed.child("tree", index as u64), &run);
            run.watch.advance(1);
            member
        });
        let levels = nursery.levels.clone();
        drop(nursery);
        let (mut trees, mut bags) = (Vec::with_capacity(self.trees), Vec::new());
        let mut impurity = vec![0.0; levels.len()];
        for member in members {
            let Some(member) = member? else { continue };
            impurity.iter_mut().zip(&member.importance).for_each(|(sum, share)| *sum += share);
            trees.push(member.tree);
            bags.push(member.bag);
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
        let grove = Grove::new(classes, levels, trees, Vec::new());
        let rows = oob::Rows { task, labels: &labels, weights: &weights, bags: &bags };
        let sampled = self.sample.is_some();
        let out_of_bag = if sampled { Some(rows.judge(&grove, &run)?) } else { None };
        let permute = sampled && self.permute && complete;
        let permutation = if permute { rows.permute(&grove, &run)? } else { None };
        Ok(Grew { grove, impurity, permutation, out_of_bag, stop })
    }
}

/// What all trees are grown from.
struct Nursery<'a> {
    plan: &'a Plan,
    columns: Columns,
    levels: Vec<Option<u32>>,
    labels: &'a [u32],
    weights: &'a [f64],
    /// The rows that have weight.
    rows: Vec<u32>,
    classes: usize,
}

impl<'a> Nursery<'a> {
    fn new(
        plan: &'a Plan,
        task: &Task<'_>,
        labels: &'a [u32],
        weights: &'a [f64],
        classes: usize,
        run: &Run<'_>,
    ) -> Result<Self> {
        let columns = match plan.rules.cuts {
            Cuts::Best => Columns::gather(task.features, run)?,
            Cuts::Random => Columns::plain(task.features, run)?,
        };
        let levels = columns.levels().collect();
        let rows = (0..labels.len() as u32).filter(|&row| weights[row as usize] > 0.0).collect();
        Ok(Self { plan, columns, levels, labels, weights, rows, classes })
    }

    /// Grows one tree; `None` where the run was stopped first.
    fn member(&self, seed: Seed, run: &Run<'_>) -> Result<Option<Member>> {
        if run.stop.requested() {
            return Ok(None);
        }
        let mut grower = Grower::new(&self.columns, self.labels, self.classes, self.plan.limits);
        let (weights, bag) = self.sample(seed.child("sample", 0));
        let mut drawn = Drawn::new(self.plan.rules, seed.child("draws", 0));
        let calm = Run { watch: Watch::new("tree"), ..run.clone() };
        let grown = match grower.grow(&weights, &mut drawn, &calm) {
            Ok(Grown { stop: StopReason::Interrupted, .. }) | Err(Error::Stopped) => {
                return Ok(None);
            }
            grown => grown?,
        };
        let leaves = Leaves::Shares(self.plan.smoothing);
        let tree = Tree::pack(&grown, self.classes, leaves, &self.levels);
        let importance = grown.nodes.importance(self.columns.len());
        Ok(Some(Member { tree, importance, bag }))
    }

    /// The weights of the rows in a sample: with replacement, each row with its own weight as
    /// often as it is drawn.
    fn sample(&self, seed: Seed) -> (Vec<f64>, Bag) {
        let Some(share) = self.plan.sample else {
            return (self.weights.to_vec(), Bag::default());
        };
        let mut rng = seed.rng();
        let mut weights = vec![0.0; self.weights.len()];
        let mut bag = Bag::new(weights.len());
        let draws = (share * self.rows.len() as f64).round().max(1.0) as usize;
        for _ in 0..draws {
            let row = self.rows[rng.random_range(0..self.rows.len())] as usize;
            weights[row] += self.weights[row];
            bag.put(row);
        }
        (weights, bag)
    }
}

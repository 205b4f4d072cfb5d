//! Growing a tree: split node after node, best split first found, until the limits say leaf.
//!
//! A [`Grower`] is made once for a set of rows and can grow many trees from them, each with its
//! own weights (0 leaves a row out) and its own choice of columns to try at each node: a single
//! tree tries [`All`], a random forest draws. Growth keeps its own stack, so depth is limited by
//! memory only, and allocates nothing for a node beyond the node itself.

use super::arena::{Scratch, Span};
use super::columns::Columns;
use super::node_rows::NodeRows;
use super::nodes::Nodes;
use super::random::DrawScratch;
use super::score::{Criterion, Entropy, Gini, PairGini};
use super::search::{Cut, Subsets};
use crate::data::total_weight;
use crate::error::{Error, Result};
use crate::run::{Run, StopReason};
use rand_chacha::ChaCha8Rng;
use std::borrow::Cow;

/// When a node is not split.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// What is made small by splitting.
    pub(crate) criterion: Criterion,
    /// The most splits on a path.
    pub(crate) depth: usize,
    /// The least weight of a leaf.
    pub(crate) leaf: f64,
    /// The least weight of a node that is split.
    pub(crate) split: f64,
    /// The least impurity that a split takes away, as a share of all rows.
    pub(crate) gain: f64,
    /// The most words that the levels of all nominal splits may take: a column with a level for
    /// nearly every row would else make a model that is too large for a file.
    pub(crate) words: usize,
}

/// What is tried at a node.
pub(crate) trait Candidates {
    /// How many columns are tried at a node, about: tells how the rows are best kept.
    fn count(&self, columns: usize) -> usize;

    /// Writes the columns to try at the next node; of equal splits the first one is taken.
    fn first(&mut self, columns: usize, into: &mut Vec<u32>);

    /// Writes further columns when none so far has a split; none when all were tried.
    fn further(&mut self, columns: usize, into: &mut Vec<u32>);

    /// Where cuts are drawn at random: their source; the columns must then be
    /// [plain](Columns::plain). Else the best cut of a column is searched.
    fn cuts(&mut self) -> Option<&mut ChaCha8Rng> {
        None
    }

    /// Whether [`Candidates::pick`] wants to see all splits: else those that are worse than one
    /// found before need not be told.
    fn picks(&self) -> bool {
        false
    }

    /// Takes one of the splits that were found, of which there is at least one: the gain and
    /// column of each. `None` for the best.
    fn pick(&mut self, _found: &mut [(f64, u32)]) -> Option<u32> {
        None
    }
}

/// Every column is tried at every node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct All;

impl Candidates for All {
    fn count(&self, columns: usize) -> usize {
        columns
    }

    fn first(&mut self, columns: usize, into: &mut Vec<u32>) {
        into.extend(0..columns as u32);
    }

    fn further(&mut self, _columns: usize, _into: &mut Vec<u32>) {}
}

/// A tree as it was grown.
#[derive(Debug, Clone)]
pub(crate) struct Grown {
    /// Its nodes, without probabilities yet.
    pub(crate) nodes: Nodes,
    /// The class weights of every node.
    pub(crate) counts: Vec<f64>,
    /// Why growth ended.
    pub(crate) stop: StopReason,
}

/// Grows trees from the same rows.
#[derive(Debug)]
pub(crate) struct Grower<'a> {
    pub(super) columns: &'a Columns<'a>,
    pub(super) classes: usize,
    pub(super) limits: Limits,
    pub(super) score: AnyScore,
    /// The rows at hand: all, or those of a small node.
    pub(super) node_rows: NodeRows<'a>,
    /// The others of the two.
    aside: NodeRows<'a>,
    /// The new number of every row of a small node.
    numbers: Vec<u32>,
    /// Nodes of so few rows are small.
    pub(super) small: usize,
    /// How many nodes waited when a small node came to hand.
    entered: Option<usize>,
    pub(super) subsets: Subsets,
    pub(super) scratch: Scratch,
    pub(super) absent: Vec<f64>,
    pub(super) drawing: DrawScratch,
    pub(super) tried: Vec<u32>,
    /// Gain and column of the splits found at a node.
    pub(super) found: Vec<(f64, u32)>,
    /// The class weights of both sides of the split at hand.
    pub(super) sides: [Vec<f64>; 2],
    /// The levels of the best nominal split so far, and whether they go left.
    pub(super) chosen: Vec<(u32, bool)>,
    /// Whether each level of the split column goes left.
    pub(super) level_left: Vec<bool>,
    pub(super) stack: Vec<Job>,
}

/// The rows of a node of so many stay in the cache of a processor.
const SMALL: usize = 1 << 14;

/// The kind of bookkeeping that criterion, classes and weights ask for.
#[derive(Debug)]
pub(super) enum AnyScore {
    Pair(PairGini<false>),
    Unit(PairGini<true>),
    Gini(Gini),
    Entropy(Entropy),
}

/// A node that waits to be split.
#[derive(Debug, Clone, Copy)]
pub(super) struct Job {
    pub(super) node: usize,
    pub(super) depth: usize,
    pub(super) span: Span,
}

/// The best split of a node so far; a nominal one has its levels in `chosen`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Best {
    pub(super) column: usize,
    pub(super) gain: f64,
    pub(super) cut: Option<Cut>,
}

impl<'a> Grower<'a> {
    /// A grower of trees for rows with these classes.
    pub(crate) fn new(
        columns: &'a Columns<'a>,
        labels: &[u32],
        classes: usize,
        limits: Limits,
    ) -> Self {
        let score = match limits.criterion {
            Criterion::Gini if classes == 2 => AnyScore::Pair(PairGini::default()),
            Criterion::Gini => AnyScore::Gini(Gini::default()),
            Criterion::Entropy => AnyScore::Entropy(Entropy::new(labels.len() + 1)),
        };
        let levels = columns.most_levels();
        Self {
            columns,
            classes,
            limits,
            score,
            node_rows: NodeRows::whole(columns, labels),
            aside: NodeRows::part(columns.len()),
            numbers: Vec::new(),
            small: SMALL,
            entered: None,
            subsets: Subsets::new(levels, classes),
            scratch: Scratch::default(),
            absent: Vec::new(),
            drawing: DrawScratch::default(),
            tried: Vec::new(),
            found: Vec::new(),
            sides: [vec![0.0; classes], vec![0.0; classes]],
            chosen: Vec::new(),
            level_left: vec![false; levels + 1],
            stack: Vec::new(),
        }
    }

    /// Grows a tree from the rows with weight; progress counts the rows that reached a leaf.
    pub(crate) fn grow(
        &mut self,
        weights: Cow<'_, [f64]>,
        candidates: &mut dyn Candidates,
        run: &Run<'_>,
    ) -> Result<Grown> {
        let total = total_weight(&weights)?;
        let tried = candidates.count(self.columns.len());
        let mut grown = self.plant(weights, tried);
        while let Some(job) = self.next_job(tried) {
            if run.stop.requested() {
                if job.node == 0 {
                    return Err(Error::Stopped);
                }
                grown.stop = StopReason::Interrupted;
            } else if let Some(best) = self.best_split(&grown, job, candidates, total) {
                let closed = self.divide(&mut grown, job, best, tried);
                run.watch.advance(closed as u64);
                continue;
            }
            run.watch.advance(job.span.len as u64);
        }
        Ok(grown)
    }

    /// The next node to be split. A small one and all below it are grown apart from the others.
    fn next_job(&mut self, tried: usize) -> Option<Job> {
        if self.entered == Some(self.stack.len()) {
            self.leave();
        }
        let mut job = self.stack.pop()?;
        let Span { len, sorted, .. } = job.span;
        // Taking its rows out costs as much as a level of it.
        let pays = self.node_rows.arena.len() > 2 * self.small
            && tried as f64 * (len as f64).log2() > self.columns.len() as f64;
        if self.entered.is_none() && sorted && len <= self.small && pays {
            self.entered = Some(self.stack.len());
            job.span = self.aside.take(&self.node_rows, job.span, &mut self.numbers);
            std::mem::swap(&mut self.node_rows, &mut self.aside);
        }
        Some(job)
    }

    /// Turns to all rows again.
    fn leave(&mut self) {
        if self.entered.take().is_some() {
            std::mem::swap(&mut self.node_rows, &mut self.aside);
        }
    }

    /// Starts a tree: a root with all rows that have weight.
    fn plant(&mut self, weights: Cow<'_, [f64]>, tried: usize) -> Grown {
        self.leave();
        let NodeRows { row_weights, arena, .. } = &mut self.node_rows;
        row_weights.weigh(weights, self.classes);
        if matches!(self.score, AnyScore::Pair(_) | AnyScore::Unit(_)) {
            self.score = if row_weights.is_unit {
                AnyScore::Unit(PairGini::default())
            } else {
                AnyScore::Pair(PairGini::default())
            };
        }
        let span = arena.fill(self.columns, row_weights, tried);
        let mut grown =
            Grown { nodes: Nodes::default(), counts: Vec::new(), stop: StopReason::Finished };
        let mut counts = vec![0.0; self.classes];
        for &row in arena.rows(span) {
            let row = row as usize;
            counts[row_weights.labels[row] as usize] += row_weights.weight(row);
        }
        grown.add_leaf(&counts);
        self.stack.clear();
        if self.is_open(&counts, 0) {
            self.stack.push(Job { node: 0, depth: 0, span });
        }
        grown
    }

    /// Whether the limits let a node with these class weights be split.
    fn is_open(&self, counts: &[f64], depth: usize) -> bool {
        let weight: f64 = counts.iter().sum();
        let least = self.limits.split.max(2.0 * self.limits.leaf);
        depth < self.limits.depth
            && weight >= enough(least)
            && counts.iter().filter(|&&w| w > 0.0).count() > 1
    }

    /// Queues the sides of a split that may be split further; how many rows are in the others.
    pub(super) fn queue(
        &mut self,
        job: Job,
        first: usize,
        lens: [usize; 2],
        tried: usize,
    ) -> usize {
        let depth = job.depth + 1;
        let open = [0, 1].map(|side: usize| self.is_open(&self.sides[side], depth));
        if open[0] || open[1] {
            let spans = self.node_rows.arena.split(job.span, lens, open, tried);
            // The left side comes off the stack first: nodes are numbered from left to right.
            for side in [1, 0] {
                if open[side] {
                    self.stack.push(Job { node: first + side, depth, span: spans[side] });
                }
            }
        }
        (0..2).filter(|&side| !open[side]).map(|side| lens[side]).sum()
    }
}

impl Grown {
    /// Adds a node that is a leaf so far.
    pub(super) fn add_leaf(&mut self, counts: &[f64]) {
        self.nodes.add_leaf(counts.iter().sum());
        self.counts.extend_from_slice(counts);
    }
}

/// Does the same with whatever score there is.
macro_rules! with_score {
    ($any:expr, $score:ident => $work:expr) => {
        match $any {
            AnyScore::Pair($score) => $work,
            AnyScore::Unit($score) => $work,
            AnyScore::Gini($score) => $work,
            AnyScore::Entropy($score) => $work,
        }
    };
}
pub(super) use with_score;

/// The weight from which on a limit is met: sums of fractional weights round.
pub(super) fn enough(limit: f64) -> f64 {
    limit * (1.0 - 1e-9)
}

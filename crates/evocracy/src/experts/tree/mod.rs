//! Classification trees (Breiman, Friedman, Olshen, Stone 1984, "Classification and Regression
//! Trees").
//!
//! Rows are split in two, again and again, by the column and the place that make the two sides
//! purest. Numbers are split at a threshold, nominal columns by a subset of their levels,
//! missing values go to the side where they help most (or, where training had none, to the
//! heavier one). Weights count as repeated rows do, and a row of weight 0 is left out.
//!
//! A tree that is grown until nothing is left to split overfits: its probabilities are too
//! extreme. By default it is therefore cut back to the subtree with the best likelihood in a
//! ten-fold cross-validation, and the shares in a leaf are smoothed towards those above it. Measured on the embedded data sets
//! by ten-fold cross-validation this gives the better probabilities: the log-likelihood of a row of
//! pima is -0.74 bits instead of the -1.17 of leaves of at least 5 rows, of wdbc -0.33 instead
//! of -0.43, at about the same accuracy and with fewer leaves. Committees that average many
//! trees want them unpruned: `prune_folds` 0.
//!
//! | file | job |
//! |---|---|
//! | `columns` | the data, gathered and ranked once |
//! | `score`, `search`, `random` | impurity; the best split of a column, or a random one |
//! | `arena`, `node_rows` | the rows of the nodes not yet split, all or those of a small node |
//! | `divide`, `grow` | splitting them; the loop |
//! | `prune`, `validate` | cost-complexity pruning, its strength by cross-validation |
//! | `place` | which leaves the training rows reach |
//! | `nodes`, `model`, `words`, `outline` | the fitted tree, what it predicts, how it reads |
//!
//! A committee of trees gathers [`columns::Columns`] once, makes a [`grow::Grower`] for each
//! thread, lets it grow with weights and [`grow::Candidates`] of its own, and keeps the
//! [`nodes::Nodes`] that [`grow::Grown::finish`] returns.

mod arena;
pub(crate) mod columns;
mod divide;
pub(crate) mod grow;
pub(crate) mod model;
mod node_rows;
pub(crate) mod nodes;
mod outline;
mod place;
mod prune;
mod random;
mod rules;
mod score;
mod search;
#[cfg(test)]
mod tests;
mod validate;
mod words;

pub(crate) use arena::part;
pub use model::TreeModel;
pub use outline::{TreeNode, TreeOutline};
pub(crate) use rules::LeafRules;
pub use score::Criterion;

use crate::classify::{Fitted, Learner};
use crate::data::{Input, Task};
use crate::error::Result;
use crate::run::{Run, StopReason};
use columns::Columns;
use grow::{All, Grower, Grown, Limits};
use nodes::MOST_WORDS;

crate::params! {
    /// A decision tree: one question about one column after another (CART).
    pub struct Tree as "tree" {
        /// what makes a node impure
        criterion: Criterion = Criterion::Gini, Criterion::CHOICES;
        /// the most questions on the way to a leaf
        depth: usize = 30, 0..=1_000_000;
        /// the least weight of the rows in a leaf (a row weighs 1 unless the data say otherwise)
        leaf: f64 = 2.0, 0.0..=1e15;
        /// the least weight of the rows in a node that is split
        split: f64 = 2.0, 0.0..=1e15;
        /// the least impurity that a split must take away, as a share of all rows
        gain: f64 = 0.0, 0.0..=1e3;
        /// the impurity that a leaf must save to be kept, as a share of all rows (cost-complexity pruning); at 0 `prune_folds` decides
        prune: f64 = 0.0, 0.0..=1e3;
        /// choose the strength of pruning by the likelihood in a cross-validation with so many folds; at 0 nothing is pruned
        prune_folds: usize = 10, 0..=1000;
        /// prune on as long as that likelihood is within so many standard errors of the best
        prune_errors: f64 = 0.0, 0.0..=100.0;
        /// how many rows like the node above are added to the counts of a node, so that small leaves are less sure
        smoothing: f64 = 2.0, 0.0..=1e6;
    }
}

impl Tree {
    fn limits(&self) -> Limits {
        let Self { criterion, depth, leaf, split, gain, .. } = *self;
        Limits { criterion, depth, leaf, split, gain, words: MOST_WORDS }
    }
}

impl Learner for Tree {
    type Model = TreeModel;
    const INPUT: Input = Input::Mixed;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<TreeModel>> {
        let (classes, labels) = task.labels()?;
        let weights = task.weights();
        // Ten folds grow ten more trees from nine tenths of the rows each: ten times all rows.
        let passes = if self.prune > 0.0 { 1 } else { self.prune_folds.max(1) };
        let run = run.task("tree", (passes * task.rows()) as u64);
        let columns = Columns::gather(task.features, &run)?;
        let mut grower = Grower::new(&columns, &labels, classes.len(), self.limits());
        let mut grown = grower.grow((&weights).into(), &mut All, &run)?;
        drop(grower);
        if grown.stop == StopReason::Finished && (self.prune > 0.0 || self.prune_folds > 1) {
            let rows = validate::ValidationRows {
                task,
                columns: &columns,
                labels: &labels,
                weights: &weights,
                classes: classes.len(),
            };
            grown = self.pruned(grown, &rows, &run)?;
        }
        let stop = grown.stop;
        let model = TreeModel::new(classes, &columns, &weights, grown, self.smoothing);
        Ok(Fitted { model, stop })
    }
}

impl Tree {
    /// The tree pruned as the parameters say.
    fn pruned(
        &self,
        grown: Grown,
        rows: &validate::ValidationRows<'_>,
        run: &Run<'_>,
    ) -> Result<Grown> {
        let points = prune::collapse_points(&grown, rows.classes, self.criterion);
        let alpha = if self.prune > 0.0 {
            self.prune
        } else {
            match validate::best_alpha(self, rows, &points, run)? {
                Some(alpha) => alpha,
                None => return Ok(Grown { stop: StopReason::Interrupted, ..grown }),
            }
        };
        let levels: Vec<_> = rows.columns.ranked.iter().map(|column| column.levels).collect();
        Ok(prune::prune(&grown, &points, alpha, &levels))
    }
}

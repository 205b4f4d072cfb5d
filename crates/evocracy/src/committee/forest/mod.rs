//! Committees of trees that are grown independently of each other and averaged.
//!
//! | method | sample | columns tried at a node | cut |
//! |---|---|---|---|
//! | `forest` (Breiman 2001) | bootstrap | some, drawn anew | best |
//! | `extra-trees` (Geurts, Ernst, Wehenkel 2006) | all rows | some, drawn anew | random |
//! | `random-trees` (Dietterich 2000) | all rows | all; one of the best 20 is taken | best |
//! | `bag` (Breiman 1996) | bootstrap | all | best |
//!
//! Trees are not pruned. Numbers, levels and missing values are split as in
//! [`tree`](crate::experts::Tree). A sample holds rows with replacement, each with its own weight
//! as often as it is drawn; the rows that trees did not see give an estimate of the error (`oob`).

mod draw;
mod model;
mod oob;
mod plan;
#[cfg(test)]
mod tests;

pub use model::ForestModel;
pub use oob::OutOfBag;

use crate::classify::{Fitted, Learner};
use crate::data::{Input, Task};
use crate::error::Result;
use crate::experts::Criterion;
use crate::experts::tree::grow::Limits;
use crate::experts::tree::nodes::MOST_WORDS;
use crate::run::Run;
use draw::{Cuts, SplitRules};
use plan::{ForestPlan, GrownForest};

crate::choices! {
    /// How the importance of columns is reckoned.
    pub enum Importance {
        /// by the impurity that splits take away: free, but kind to columns with many values
        Impurity = "impurity",
        /// also by the accuracy lost on rows a tree did not see when a column is shuffled
        Permutation = "permutation",
    }
}

crate::params! {
    /// A random forest: trees from bootstrap samples that see some columns at each node, averaged.
    pub struct Forest as "forest" {
        /// how many trees
        trees: usize = 100, 1..=100_000;
        /// how many columns are tried at a node; at 0 the square root of their number
        features: usize = 0, 0..=1_000_000;
        /// how many rows each tree draws with replacement, as a share of all
        sample: f64 = 1.0, 1e-6..=1.0;
        /// what makes a node impure
        criterion: Criterion = Criterion::Gini, Criterion::CHOICES;
        /// the most questions on the way to a leaf
        depth: usize = 1_000_000, 0..=1_000_000;
        /// the least weight of the rows in a leaf
        leaf: f64 = 1.0, 0.0..=1e15;
        /// how many rows like the node above are added to the counts of a node
        smoothing: f64 = 0.0, 0.0..=1e6;
        /// how the importance of columns is reckoned
        importance: Importance = Importance::Impurity, Importance::CHOICES;
    }
}

crate::params! {
    /// Extremely randomised trees: as a random forest, but of all rows and with cuts at random.
    pub struct ExtraTrees as "extra-trees" {
        /// how many trees
        trees: usize = 100, 1..=100_000;
        /// how many columns are tried at a node; at 0 the square root of their number
        features: usize = 0, 0..=1_000_000;
        /// draw a sample with replacement for each tree, as a forest does
        bootstrap: bool = false, ..;
        /// what makes a node impure
        criterion: Criterion = Criterion::Gini, Criterion::CHOICES;
        /// the most questions on the way to a leaf
        depth: usize = 1_000_000, 0..=1_000_000;
        /// the least weight of the rows in a leaf
        leaf: f64 = 1.0, 0.0..=1e15;
        /// how many rows like the node above are added to the counts of a node
        smoothing: f64 = 0.0, 0.0..=1e6;
    }
}

crate::params! {
    /// Randomised trees: at each node one of the best splits is taken at random.
    pub struct RandomTrees as "random-trees" {
        /// how many trees
        trees: usize = 200, 1..=100_000;
        /// one of the so many columns with the best splits is taken
        best: usize = 20, 1..=1_000_000;
        /// what makes a node impure
        criterion: Criterion = Criterion::Gini, Criterion::CHOICES;
        /// the most questions on the way to a leaf
        depth: usize = 1_000_000, 0..=1_000_000;
        /// the least weight of the rows in a leaf
        leaf: f64 = 1.0, 0.0..=1e15;
        /// how many rows like the node above are added to the counts of a node
        smoothing: f64 = 0.0, 0.0..=1e6;
    }
}

crate::params! {
    /// Bagging: trees from bootstrap samples, averaged.
    pub struct Bag as "bag" {
        /// how many members
        members: usize = 100, 1..=100_000;
        /// how many rows each member draws with replacement, as a share of all
        sample: f64 = 1.0, 1e-6..=1.0;
    }
}

/// All columns.
const ALL: usize = usize::MAX;

/// What all plans have in common: `trees` trees that are not pruned.
fn plan(trees: usize, criterion: Criterion, depth: usize, leaf: f64) -> ForestPlan {
    // The levels of all trees together must fit into a file.
    let words = MOST_WORDS / trees;
    ForestPlan {
        trees,
        limits: Limits { criterion, depth, leaf, split: 0.0, gain: 0.0, words },
        rules: SplitRules { features: ALL, cuts: Cuts::Best, among: 1 },
        sample: None,
        smoothing: 0.0,
        permute: false,
    }
}

/// How many columns are tried where `asked` were asked for.
fn features(asked: usize, task: &Task<'_>) -> usize {
    let root = (task.features.columns() as f64).sqrt() as usize;
    if asked == 0 { root.max(1) } else { asked }
}

fn fitted(grown: GrownForest) -> (Fitted<ForestModel>, Option<OutOfBag>) {
    let GrownForest { flat, impurity, permutation, out_of_bag, stop } = grown;
    let figures = out_of_bag.as_ref().and_then(|rows| rows.figures);
    let curve = out_of_bag.as_ref().map_or(Vec::new(), |rows| rows.curve.clone());
    let model = ForestModel { flat, out_of_bag: figures, impurity, permutation, curve };
    (Fitted { model, stop }, out_of_bag)
}

/// A committee of averaged trees as a learner, made from the plan of its parameters.
macro_rules! learner {
    ($name:ty) => {
        impl Learner for $name {
            type Model = ForestModel;
            const INPUT: Input = Input::Mixed;

            fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<ForestModel>> {
                Ok(self.fit_out_of_bag(task, run)?.0)
            }
        }

        impl $name {
            /// Fits, and returns also what the trees say of the training rows they did not see;
            /// `None` where all trees saw all rows.
            pub fn fit_out_of_bag(
                &self,
                task: &Task<'_>,
                run: &Run<'_>,
            ) -> Result<(Fitted<ForestModel>, Option<OutOfBag>)> {
                Ok(fitted(self.plan(task).grow(task, run)?))
            }
        }
    };
}

learner!(Forest);
learner!(ExtraTrees);
learner!(RandomTrees);
learner!(Bag);

impl Forest {
    fn plan(&self, task: &Task<'_>) -> ForestPlan {
        let features = features(self.features, task);
        ForestPlan {
            rules: SplitRules { features, cuts: Cuts::Best, among: 1 },
            sample: Some(self.sample),
            smoothing: self.smoothing,
            permute: self.importance == Importance::Permutation,
            ..plan(self.trees, self.criterion, self.depth, self.leaf)
        }
    }
}

impl ExtraTrees {
    fn plan(&self, task: &Task<'_>) -> ForestPlan {
        let features = features(self.features, task);
        ForestPlan {
            rules: SplitRules { features, cuts: Cuts::Random, among: 1 },
            sample: self.bootstrap.then_some(1.0),
            smoothing: self.smoothing,
            ..plan(self.trees, self.criterion, self.depth, self.leaf)
        }
    }
}

impl RandomTrees {
    fn plan(&self, _task: &Task<'_>) -> ForestPlan {
        ForestPlan {
            rules: SplitRules { features: ALL, cuts: Cuts::Best, among: self.best },
            smoothing: self.smoothing,
            ..plan(self.trees, self.criterion, self.depth, self.leaf)
        }
    }
}

impl Bag {
    fn plan(&self, _task: &Task<'_>) -> ForestPlan {
        ForestPlan {
            sample: Some(self.sample),
            ..plan(self.members, Criterion::Gini, 1_000_000, 1.0)
        }
    }
}

//! Rule lists in the manner of FOIL (Quinlan 1990, "Learning Logical Definitions from Relations"),
//! on columns: if all its conditions hold, a rule says how probable the classes are. The first rule
//! that applies counts; where none does, the default.
//!
//! Rules are learnt by covering, one class after the other, the one with the least weight first; the
//! one with the most weight is left to the default. A rule begins without conditions and takes one
//! after the other. With `p` and `n` the weight of the rows of the class and of all others that the
//! rule applies to, before and after (`p'`, `n'`) a condition, its gain is
//!
//! `p' (log2(p' / (p' + n')) - log2(p / (p + n)))`
//!
//! A rule is complete when it applies to no other class, no condition gains, or it has `conditions`
//! of them. It is kept if it applies to rows of its class with a weight of `least`; the rows it applies
//! to are then taken away. A class has no more rules when none is kept or its rows are covered.
//!
//! Conditions: a level of a nominal column, a number up to or above a cut half way between two
//! values. A missing value fulfils none. With `within` below 1 any condition with at least that
//! share of the best gain is taken, at random: the way to make rule lists differ for a committee
//! (the lecture takes 0.8). Else the best one is, the first among equals.
//!
//! Probabilities are the shares of the training rows that came to the rule and that it applied to,
//! with `smoothing` rows of each class added (Laplace). Rows of weight 0 do not count.
//!
//! | file | job |
//! |---|---|
//! | `search` | conditions and their gain |
//! | `cover` | rules, one after the other |
//! | `model` | what is predicted, explained and saved |

mod cover;
mod model;
mod search;
#[cfg(test)]
mod tests;

pub use model::FoilModel;

use crate::classify::{Fitted, Learner};
use crate::data::{Input, Task};
use crate::error::Result;
use crate::run::Run;

crate::params! {
    /// A list of rules: if conditions hold, then a class (FOIL).
    pub struct Foil as "foil" {
        /// take any condition with this share of the best gain, at random; 1 takes the best
        within: f64 = 1.0, 0.0..=1.0;
        /// the most rules of a class
        rules: usize = 100, 1..=1_000_000;
        /// the most conditions of a rule
        conditions: usize = 10, 1..=1000;
        /// the least weight of the rows of its class that a rule applies to
        least: f64 = 3.0, 0.0..=1e15;
        /// how many rows of each class are added to the counts of a rule (Laplace smoothing)
        smoothing: f64 = 1.0, 1e-9..=1e6;
    }
}

impl Learner for Foil {
    type Model = FoilModel;
    const INPUT: Input = Input::Mixed;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<FoilModel>> {
        let (classes, labels) = task.labels()?;
        let weights = task.weights();
        let run = run.task("foil", classes.len() as u64);
        let covered = cover::cover(self, task.features, &labels, &weights, classes.len(), &run);
        let stop = covered.stop;
        Ok(Fitted {
            model: FoilModel::new(classes, task.features.columns(), covered, self.smoothing),
            stop,
        })
    }
}

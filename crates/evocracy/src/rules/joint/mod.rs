//! The joint mixture found by a genetic algorithm: `moe-joint`.
//!
//! N. U. Edakunni, G. Brown, T. Kovacs, "Online, GA based mixture of experts: a probabilistic model
//! of UCS" (GECCO 2011), section 5 and algorithm 1. A population of rules with numerosities `n_j`
//! stands for the mixture, `P(Z = j) = n_j / sum of n` (20). Rows come one at a time:
//!
//! 1. Where no rule matches, covering adds one that does.
//! 2. Every matching rule gets its share `P(Z = j | x, c)` of the row (13), which goes to its class
//!    statistics (14), (15) and to its fitness, the mean of its shares (21).
//! 3. Every `every` rows two parents have two children, by crossover and mutation. A child that is
//!    there already adds to the numerosity of its equal.
//! 4. Above `size`, copies of rules are deleted, most likely those of low fitness.
//!
//! Prediction is (22): `sum of n_j P(x | j) P(c | j)`, normalised. A row that no rule matches gets
//! the shares of the classes seen so far.
//!
//! A rule is drawn, then a row it matches: `P(x | j)` is 1 over the number of rows it matches, so
//! `2^-(number of #)` over bits (`--encode bits`, the paper's), and likewise over sets of levels
//! and intervals. A missing value matches, and its factor is 1.
//!
//! Read literally the algorithm ends with a few uninformative rules. What is done instead:
//!
//! - the mean of (21) is over the rows since the rule was made, not over all rows: else late rules
//!   never count. It starts as `trust` rows of the fitness of its parents, copy for copy;
//! - deletion draws a copy with chance `(fitness of a copy)^-severity`, not the worst one: 0 draws
//!   any copy, and a large number the worst one nearly always;
//! - every rule starts with `prior` rows of each class: `P(c | j) = 1/K`, and never 0 or 1 later,
//!   which would exclude it from rows of a class for ever;
//! - parents come from the whole population, or from the rules that answer for the row.
//!
//! The joint likelihood prefers rules as specific as the rows, the more so the more bits there are:
//! see the conditional mixture `moe-ga` for what to use instead. This one is for comparison.
//!
//! | file | job |
//! |---|---|
//! | `population` | the rules, their statistics and the steps for a row |
//! | `breed` | covering, children, deletion |
//! | `model` | what is predicted, explained and saved |

mod breed;
mod model;
mod population;
#[cfg(test)]
mod tests;

pub use model::MoeJointModel;

use crate::classify::{Fitted, Learner};
use crate::data::{Input, Schema, Task};
use crate::error::{Error, Result};
use crate::rules::condition::Layout;
use crate::rules::epoch::EpochTally;
use crate::run::{Run, StopReason};
use rand::seq::SliceRandom;

crate::choices! {
    /// Where parents come from.
    pub enum Parents {
        /// all rules, by their fitness
        Population = "population",
        /// the rules that match the row, by their share of it
        Niche = "niche",
    }
}

crate::params! {
    /// The joint mixture of rules, found by a genetic algorithm one row at a time.
    pub struct MoeJoint as "moe-joint" {
        /// the most rules, copies counted
        size: usize = 500, 2..=1_000_000;
        /// how often all rows are shown
        epochs: usize = 20, 1..=1_000_000;
        /// how many rows there are from one pair of children to the next
        every: u64 = 10, 1..=1_000_000;
        /// the chance that two parents are crossed
        crossover: f64 = 0.8, 0.0..=1.0;
        /// the chance that a child's test of a column is changed
        mutation: f64 = 0.02, 0.0..=1.0;
        /// the chance that a rule made for a row does not test a column
        wild: f64 = 0.33, 0.0..=1.0;
        /// how many rows of each class a rule starts with
        prior: f64 = 0.01, 1e-6..=1e6;
        /// how many rows the fitness of a new rule is taken from its parents for
        trust: f64 = 1000.0, 1.0..=1e9;
        /// how much more likely a copy of low fitness is deleted
        severity: f64 = 30.0, 0.0..=1000.0;
        /// where parents come from
        parents: Parents = Parents::Population, Parents::CHOICES;
        /// how many intervals a number is cut into
        bins: usize = 8, 2..=64;
    }
}

impl Learner for MoeJoint {
    type Model = MoeJointModel;
    const INPUT: Input = Input::Mixed;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<MoeJointModel>> {
        let (classes, labels) = task.labels()?;
        let weights = task.weights();
        let layout = Layout::of_view(task.features, &weights, self.bins)?;
        let schema = Schema { fields: task.features.fields().cloned().collect() };
        let mut model =
            MoeJointModel::new(self, (schema, layout), classes, run.seed.child("moe-joint", 0));
        let rows = model.rows(task.features)?;
        let mut order: Vec<usize> = (0..rows.len()).filter(|&row| weights[row] > 0.0).collect();
        let mut rng = run.seed.child("moe-joint", 1).rng();
        let run = run.task("moe-joint", (self.epochs * order.len()) as u64);
        for _ in 0..self.epochs {
            order.shuffle(&mut rng);
            let mut tally = EpochTally::default();
            for &row in &order {
                if run.stop.requested() {
                    if model.is_empty() {
                        return Err(Error::Stopped);
                    }
                    return Ok(Fitted { model, stop: StopReason::Interrupted });
                }
                let predicted = model.learn_row(rows.row(row), labels[row], weights[row]);
                tally.add(&predicted, labels[row] as usize, weights[row]);
                run.watch.advance(1);
            }
            model.end_epoch(&tally);
        }
        Ok(Fitted { model, stop: StopReason::Finished })
    }
}

//! Mixtures of all ternary rules over some bits: `moe-batch` and `moe-online`.
//!
//! N. U. Edakunni, G. Brown, T. Kovacs, "Online, GA based mixture of experts: a probabilistic model
//! of UCS" (GECCO 2011), sections 3 and 4. A rule is a string over 0, 1 and `#`. The model is
//! generative: a rule is drawn, then a row that it matches, uniformly, and a class:
//!
//! `P(x, c) = sum over all rules j of P(Z = j) P(x | Z = j) P(C = c | Z = j)`   (2), (12)
//!
//! All 3^D rules take part. `moe-batch` finds their probabilities by expectation maximisation
//! (8)-(10), `moe-online` by one step for each row (13)-(19).
//!
//! - A bit that is missing is summed over, in training and in prediction. So a row about which
//!   nothing is known gets the shares of the classes. A level that training did not show is missing.
//! - A class that no training row has gets probability 0; with a `prior` it gets some.
//! - Every row matches the rule without conditions: there is no row that nothing answers for.
//!
//! The greatest likelihood is that of rules as special as the rows, so probabilities become extreme
//! with many passes: stop early, or take more rows than `2^D`.
//!
//! Without a prior on `P(C | Z)` the parameters `P(Z) P(C | Z)` of two classes are independent of each
//! other: the model is a density of each class, and its prediction is Bayes' rule.
//!
//! | file | job |
//! |---|---|
//! | `cube` | sums over all rules |
//! | `rows` | rows as codes |
//! | `mixture` | expectation maximisation |
//! | `batch` | the model of `moe-batch` |
//! | `online` | the model of `moe-online` |
//! | `show` | rules and explanations for people |

mod batch;
mod cube;
mod mixture;
mod online;
mod rows;
mod show;
#[cfg(test)]
mod tests;

pub use batch::MoeBatchModel;
pub use online::MoeOnlineModel;

use crate::classify::{Fitted, Learner, Online};
use crate::data::{Input, Schema, Task};
use crate::error::{Error, Remedy, Result};
use crate::rules::epoch::EpochTally;
use crate::run::{Run, StopReason};
use batch::Pass;
use mixture::{Mixture, heaviest};
use rand::seq::SliceRandom;
use rows::{Grouped, codes};

crate::params! {
    /// A mixture of all rules over the bits of a row, by expectation maximisation.
    pub struct MoeBatch as "moe-batch" {
        /// the most passes over the rows
        passes: usize = 100, 1..=1_000_000;
        /// stop when a pass gains less log-likelihood than this, in nats a row
        tolerance: f64 = 1e-4, 0.0..=1.0;
        /// how many rows of each class are added to the counts of every rule (Dirichlet)
        prior: f64 = 0.0, 0.0..=1e6;
        /// how many of the heaviest rules are kept to be read; probabilities are those of all
        rules: usize = 100, 0..=100_000;
    }
}

crate::params! {
    /// A mixture of all rules over the bits of a row, learnt one row at a time.
    pub struct MoeOnline as "moe-online" {
        /// how often all rows are shown
        epochs: usize = 20, 1..=1_000_000;
        /// the weight, in rows, of the equal start of all rules
        start: f64 = 0.2, 1e-6..=1e6;
        /// how many rows of each class are added to the counts of every rule (Dirichlet)
        prior: f64 = 0.0, 0.0..=1e6;
    }
}

/// The memory that all rules may take.
const MOST_BYTES: f64 = (1_u64 << 31) as f64;
/// The share of the weight that useful rules have, equation (11).
const USEFUL: f64 = 0.95;

/// Refuses bits whose rules do not fit into memory.
fn check_memory(bits: usize, bytes: f64, most: f64) -> Result<()> {
    if bytes <= most {
        return Ok(());
    }
    let gib = |bytes: f64| match bytes / f64::from(1 << 30) {
        gib if gib < 1e6 => format!("{gib:.1} GiB"),
        _ => "over a million GiB".to_owned(),
    };
    Err(Error::unsuitable(
        format!(
            "{bits} bits have 3^{bits} rules, which take {}; {} is the most",
            gib(bytes),
            gib(most)
        ),
        Remedy::FewerBits,
    ))
}

impl Learner for MoeBatch {
    type Model = MoeBatchModel;
    const INPUT: Input = Input::Bits(2);

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<MoeBatchModel>> {
        let (classes, labels) = task.labels()?;
        let bits = task.features.columns();
        check_memory(bits, Mixture::bytes(bits, classes.len(), self.prior), MOST_BYTES)?;
        let codes = codes(task.features)?;
        let rows = Grouped::by_class(&codes, &labels, &task.weights(), classes.len());
        let total: f64 = rows.iter().map(Grouped::total).sum();
        let run = run.task("moe-batch", self.passes as u64);
        let mut mixture = Mixture::new(bits, &rows, self.prior);
        let start = heaviest(mixture.rule_weights(), USEFUL);
        let mut curve: Vec<Pass> = Vec::new();
        let mut stop = StopReason::Finished;
        while curve.len() < self.passes {
            if run.stop.requested() {
                stop = StopReason::Interrupted;
                break;
            }
            let likelihood = mixture.pass();
            run.watch.advance(1);
            run.watch.figure("log-likelihood", likelihood);
            let gain = curve.last().map_or(f64::INFINITY, |last| likelihood - last.likelihood);
            let useful = heaviest(mixture.rule_weights(), USEFUL);
            curve.push(Pass { likelihood, useful: useful as u64 });
            if gain < self.tolerance * total {
                break;
            }
        }
        if curve.is_empty() {
            return Err(Error::Stopped);
        }
        let model = MoeBatchModel::new(classes, bits, mixture, &rows, start, curve, self.rules);
        Ok(Fitted { model, stop })
    }
}

impl Learner for MoeOnline {
    type Model = MoeOnlineModel;
    const INPUT: Input = Input::Bits(2);

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<MoeOnlineModel>> {
        let (classes, labels) = task.labels()?;
        let weights = task.weights();
        let schema = Schema { fields: task.features.fields().cloned().collect() };
        let mut model = MoeOnlineModel::start(&schema, classes).with(self.start, self.prior);
        model.prepare()?;
        let codes = codes(task.features)?;
        let mut order: Vec<usize> = (0..codes.len()).filter(|&row| weights[row] > 0.0).collect();
        let mut rng = run.seed.child("moe-online", 0).rng();
        let run = run.task("moe-online", (self.epochs * order.len()) as u64);
        for _ in 0..self.epochs {
            order.shuffle(&mut rng);
            let mut tally = EpochTally::default();
            for &row in &order {
                if run.stop.requested() {
                    if model.seen() <= 0.0 {
                        return Err(Error::Stopped);
                    }
                    return Ok(Fitted { model, stop: StopReason::Interrupted });
                }
                let predicted = model.learn_row(codes[row], labels[row], weights[row]);
                tally.add(&predicted, labels[row] as usize, weights[row]);
                run.watch.advance(1);
            }
            model.end_epoch(&tally);
        }
        Ok(Fitted { model, stop: StopReason::Finished })
    }
}

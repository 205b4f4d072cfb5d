//! The conditional mixture of rules. With `m_j(x)` 1 where rule `j` applies to a row and 0 elsewhere,
//!
//! `P(c | x) = sum_j m_j(x) g_j P(c | j) / sum_j m_j(x) g_j`
//!
//! One rule, the default, applies to every row and has the weight 1. It is the model of N. U.
//! Edakunni, G. Brown, T. Kovacs, "Online, GA based Mixture of Experts: a Probabilistic Model of
//! UCS" (GECCO 2011), with another aim: there the joint likelihood of row and class is maximised,
//! which prefers rules as specific as the rows; here the likelihood of the class given the row is.
//!
//! What is maximised: the log-likelihood of the outcomes, plus the logarithm of a prior on what rules
//! say, less a price for each rule: the length of its description in nats times a factor. Rows
//! held back in turns choose the factor.
//!
//! How: a genetic algorithm whose offspring climb before they are judged, and enter only if the
//! maximised quantity gains (`search`). Parameters follow by generalised EM, under which it never
//! falls (`em`).
//!
//! A missing value passes every test. A level that training did not show is missing. A row that no
//! rule applies to gets what the default says.
//!
//! | file | job |
//! |---|---|
//! | `rows`, `condition` | columns in bins; tests of columns and their prices |
//! | `family` | what rules say: class probabilities, a normal distribution |
//! | `state`, `em` | the mixture while it is learnt; EM on its parameters |
//! | `climb`, `bins`, `join` | from a condition to a better one; a rule's gain |
//! | `start`, `search` | where climbs begin; evolution of the members |
//! | `settings` | the parameters of a search |
//! | `learn` | choice of the price, several searches, notes |
//! | `model` | rules as they are saved |
//! | `classes`, `numbers` | the models for classes and for numbers |

mod bins;
mod em;
mod classes;
mod climb;
mod condition;
mod family;
mod join;
mod learn;
mod model;
mod numbers;
mod rows;
mod search;
mod settings;
mod start;
mod state;
#[cfg(test)]
mod tests;

pub use classes::MixtureModel;
pub(super) use classes::classes;
pub use numbers::{MoeRegression, MoeRegressionModel};
pub(super) use settings::{SearchSettings, mixture_params};

use crate::data::Task;
use crate::run::Run;
use family::Family;
use learn::{Sample, held};
use rows::Rows;

/// The rows of a task with weight, laid together; `family` is given the first row of each.
fn sample<F: Family>(
    task: &Task<'_>,
    weights: &[f64],
    cuts: usize,
    run: &Run<'_>,
    outcome: impl Fn(u32) -> u64,
    family: impl FnOnce(&[u32]) -> F,
) -> Sample<F> {
    let used: Vec<u32> =
        (0..weights.len() as u32).filter(|&row| weights[row as usize] > 0.0).collect();
    let (rows, became) = Rows::new(task.features, &used, cuts + 1, outcome);
    let used_weights: Vec<f64> = used.iter().map(|&row| weights[row as usize]).collect();
    let mut first = vec![u32::MAX; rows.len()];
    let mut total = vec![0.0; rows.len()];
    for (at, &to) in became.iter().enumerate() {
        total[to as usize] += used_weights[at];
        first[to as usize] = first[to as usize].min(used[at]);
    }
    let held = held(&became, &used_weights, rows.len(), run);
    Sample { rows, weights: total, family: family(&first), held }
}

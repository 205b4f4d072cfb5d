//! The conditional mixture of rules. With `m_j(x)` 1 where rule `j` applies to a row and 0 elsewhere,
//!
//! `P(c | x) = sum_j m_j(x) g_j P(c | j) / sum_j m_j(x) g_j`
//!
//! Rule `j` is an expert and `g_j` its gating weight. One rule, the default, applies to every row and
//! has the gating weight 1. It is the model of N. U. Edakunni, G. Brown, T. Kovacs, "Online, GA based
//! Mixture of Experts: a Probabilistic Model of UCS" (GECCO 2011), with another aim: there the joint
//! likelihood of row and class is maximised, which prefers rules as specific as the rows; here the
//! likelihood of the class given the row is.
//!
//! The objective, which is maximised: the log-likelihood of the outcomes, plus the log-prior of the
//! parameters of the rules, less a price for each rule: the length of its description in nats times a
//! factor, which cross-validation chooses.
//!
//! How: a genetic algorithm whose offspring are improved by hill climbing before they are judged, and
//! enter only if the objective gains (`search`). Parameters follow by generalised EM, under which the
//! objective never falls (`em`).
//!
//! A missing value passes every test. A level that training did not show is missing. A row that no
//! rule applies to gets the prediction of the default.
//!
//! | file | job |
//! |---|---|
//! | `rows`, `condition` | columns in bins; tests of columns and their prices |
//! | `family` | the distribution of the outcome: class probabilities, a normal distribution |
//! | `state`, `em` | the mixture while it is learnt; EM on its parameters |
//! | `start`, `hill_climb`, `bins` | from a condition to a better one |
//! | `new_rule` | the parameters of a new rule and its gain |
//! | `search` | the genetic algorithm over the members |
//! | `settings` | the parameters of a search |
//! | `learn` | cross-validation of the price, several searches, notes |
//! | `model` | rules as they are saved |
//! | `classes`, `numbers` | the models for classes and for numbers |

mod bins;
mod classes;
mod condition;
mod em;
mod family;
mod hill_climb;
mod learn;
mod model;
mod new_rule;
mod numbers;
mod progress;
mod rows;
mod search;
mod settings;
mod start;
mod state;
#[cfg(test)]
mod tests;

pub use classes::MixtureModel;
pub(super) use classes::fit_classes;
pub use numbers::{MoeRegression, MoeRegressionModel};
pub(super) use settings::{SearchSettings, mixture_params};

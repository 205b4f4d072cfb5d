//! Bayesian networks over discrete variables: scores, structure search, inference.
//!
//! The way of a network: codes in a [`Discrete`] table, a [`Scorer`] for it, a search
//! ([`search`]) for the [`Dag`] of the best score within [`Constraints`], and a [`Network`] whose
//! tables follow from counts. The [`Posterior`] of one node given all others is the combiner of De
//! Stefano, Fontanella, Marcelli and Scotto di Freca (2009): the outputs of experts and the true
//! class are the variables, and the class node is asked for.
//!
//! Invariants: graphs have no cycles, by construction or by check; scores are natural logarithms
//! and sums over the nodes; no result depends on the number of threads; what is read from files is
//! bounded before memory is taken.

mod bif;
mod confidence;
mod count;
mod dag;
mod discrete;
mod eliminate;
mod em;
mod gamma;
mod information;
mod posterior;
mod sampled;
mod score;
pub mod search;
mod tables;

pub use bif::{open_bif, read_bif};
pub use confidence::Confidence;
pub use dag::{Constraints, Dag};
pub use discrete::Discrete;
pub use em::{Em, EmFit, expectation_maximisation};
pub use information::{conditional_information, mutual_information};
pub use posterior::Posterior;
pub use score::{Score, Scorer};
pub use tables::{Network, Prior, Variable};

#[cfg(test)]
mod tests;

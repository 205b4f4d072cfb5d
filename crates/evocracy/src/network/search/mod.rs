//! Searches for structures: each takes a [`Scorer`](super::Scorer) and
//! [`Constraints`](super::Constraints) and yields the best graph it found.

mod climb;
mod k2;
mod lists;
mod memetic;
mod multilist;
mod orders;
mod printed;
mod trees;

pub use climb::{Climb, climb};
pub use k2::{information_order, k2, order_by_names, random_order};
pub use memetic::{Evobn, evobn};
pub use multilist::{Multilist, Multilists};
pub use printed::{PrintedEvobn, evobn_printed};
pub use trees::{naive, tan};

use super::Dag;
use crate::run::StopReason;

/// A structure that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Learnt {
    /// The graph.
    pub dag: Dag,
    /// Its score.
    pub score: f64,
    /// Why the search ended.
    pub stop: StopReason,
}

/// Whether one score is above another by more than rounding could do: equivalent graphs have
/// scores that differ in their last digits.
#[inline]
fn above(a: f64, b: f64) -> bool {
    a > b + 1e-9 * (1.0 + b.abs()).min(1e3)
}

//! Kinds of genomes and the domains they come from.

mod bits;
mod code;
mod hypothesis;
mod numbers;
mod permutation;
mod stepped;

pub use bits::{BitString, Bits};
pub use code::Code;
pub use hypothesis::{Attribute, Hypotheses};
pub use numbers::{Integers, Reals};
pub use permutation::{Permutation, Permutations};

pub use stepped::{Adapt, Discrete, Stepped, Stepping};

use crate::error::{Error, Result};

/// Refuses a genome of the wrong size or content.
fn foreign<T>(what: impl Into<String>) -> Result<T> {
    Err(Error::unsuitable(what, "give a genome of this search's space"))
}

/// Refuses a domain without genomes.
fn barren<T>(what: &str) -> Result<T> {
    Err(Error::unsuitable(what, "give the space at least one genome to hold"))
}

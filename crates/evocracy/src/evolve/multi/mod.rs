//! Strategies for several objectives.
//!
//! [`Nsga2`] keeps a population of a given size that spreads along the front. [`Elite`] keeps
//! every genome that nothing dominates and searches on from them.

mod elite;
mod nsga2;

pub use elite::Elite;
pub use nsga2::Nsga2;

use crate::error::{Error, Result};
use crate::param::refuse;

/// Refuses a count of zero.
fn positive(value: usize, name: &str, of: &str) -> Result<()> {
    if value > 0 {
        return Ok(());
    }
    Err(refuse(of, name, "a whole number from 1".into(), value.to_string()))
}

/// What is said of a saved search whose parts do not fit together.
fn damaged() -> Error {
    Error::unsuitable(
        "the saved search is damaged: what it knows of its members does not fit them",
        "begin the search anew, or take an older copy",
    )
}

#[cfg(test)]
mod tests;

//! Committees of rules: if conditions hold, then a class.

pub(crate) mod condition;
pub(crate) mod relief;
pub mod ucs;

pub use ucs::{Ucs, UcsModel};

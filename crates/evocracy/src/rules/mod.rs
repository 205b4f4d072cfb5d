//! Committees of rules: if conditions hold, then a class.

#[allow(dead_code, unused_imports, reason = "its first user comes with the next commit")]
pub(crate) mod condition;

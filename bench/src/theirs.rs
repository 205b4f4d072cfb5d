//! The side of every peer that is a Rust crate.

use crate::Measured;
use anyhow::{Result, bail};
use std::path::Path;

/// Does the work of a case with the crate `peer` and measures it.
pub fn run(peer: &str, name: &str, _case: &str, _folder: &Path) -> Result<Measured> {
    bail!("the side of `{peer}` in `{name}` is missing")
}

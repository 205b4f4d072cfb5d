//! Networks as BIF files, the interchange format for Bayesian networks (version 0.15, 1998) as
//! other programs write it, and as DOT for drawing programs.
//!
//! Files come from strangers: every error names line and column, nothing is recursive, and tables
//! are bounded before memory is taken for them.

mod lex;
mod read;
mod write;

pub use read::read_bif;

use super::Network;
use crate::data::read::Source;
use crate::error::Result;
use std::path::Path;

/// The largest file, gunzipped.
const MAX_BYTES: u64 = 1 << 28;

/// Reads a network from a BIF file, plain or gzipped.
pub fn open_bif(path: &Path) -> Result<Network> {
    let source = Source::file(path);
    read_bif(source.name(), &source.text(MAX_BYTES)?)
}

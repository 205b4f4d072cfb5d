//! The side of peers that are written in Rust.

mod onemax;

use crate::Measured;
use anyhow::{Result, bail};

/// Peers that are part of this program.
const RUST: &[&str] = &["genoxide"];

/// Whether a peer is written in Rust.
pub fn has(peer: &str) -> bool {
    RUST.contains(&peer)
}

/// Does the work of a case and measures it.
pub fn run(name: &str, case: &str, peer: &str) -> Result<Measured> {
    match (name, peer) {
        ("onemax", "genoxide") => onemax::run(case),
        _ => bail!("{peer}'s side of `{name}` is missing"),
    }
}

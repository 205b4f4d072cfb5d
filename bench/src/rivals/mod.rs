//! The side of every peer that is a Rust crate, or ourselves with fewer threads.

mod archive;
mod nsga2;
mod onemax;
mod trees;

use crate::measure::Measured;
use crate::ours::{abc, front, threads};
use anyhow::{Result, bail};
use std::path::Path;

/// Does the work of a case with the crate `peer` and measures it.
pub fn run(peer: &str, name: &str, case: &str, folder: &Path) -> Result<Measured> {
    match (name, peer) {
        ("onemax", "genoxide") => onemax::run(case),
        ("nsga2", "genoxide") => nsga2::genoxide(case),
        ("nsga2", "moors") => nsga2::moors(case),
        ("forest", "biosphere") => trees::biosphere(case, &folder.join(format!("{case}.bin"))),
        ("adaboost", "linfa") => trees::linfa(&folder.join(format!("{case}.bin"))),
        ("archive", "pareto_front") => archive::run(&folder.join(format!("{case}.bin"))),
        ("abc", "full chain") => abc::predict(false),
        ("front", "one thread") => front::run(1, case, folder),
        ("threads", "one thread") => threads::run(1, case, folder),
        _ => bail!("the side of `{peer}` in `{name}` is missing"),
    }
}

//! Our side of every bench.

mod csv;
mod experts;
pub mod onemax;

use crate::Measured;
use anyhow::{Result, bail};
use std::path::Path;

/// Does the work of a case and measures it.
pub fn run(name: &str, case: &str, folder: &Path) -> Result<Measured> {
    match name {
        "tree" | "logistic" | "knn" => experts::run(name, &folder.join(format!("{case}.bin"))),
        "onemax" => onemax::run(case),
        "csv" => csv::run(&folder.join(format!("{case}.csv"))),
        _ => bail!("our side of `{name}` is missing"),
    }
}

//! Our side of every bench.

mod csv;
mod experts;

use crate::Measured;
use anyhow::{Result, bail};
use std::path::Path;

/// Does the work of a case and measures it.
pub fn run(name: &str, case: &str, folder: &Path) -> Result<Measured> {
    match name {
        "tree" | "logistic" | "knn" | "forest" | "extra-trees" | "bagging" | "adaboost" => {
            experts::run(name, case, folder)
        }
        "csv" => csv::run(&folder.join(format!("{case}.csv"))),
        _ => bail!("our side of `{name}` is missing"),
    }
}

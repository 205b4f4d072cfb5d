//! Our side of every bench.

pub mod archive;
mod auc;
mod csv;
mod experts;
pub mod nsga2;
pub mod onemax;
mod rules;

use crate::Measured;
use anyhow::{Result, bail};
use std::path::Path;

/// Does the work of a case and measures it.
pub fn run(name: &str, case: &str, folder: &Path) -> Result<Measured> {
    match name {
        "tree" | "logistic" | "knn" | "forest" | "extra-trees" | "bagging" | "adaboost" | "mlp"
        | "lvq" => experts::run(name, case, folder),
        "auc" => auc::run(case, &folder.join(format!("{case}.bin"))),
        "rules" => rules::run(&folder.join(format!("{case}.csv"))),
        "csv" => csv::run(&folder.join(format!("{case}.csv"))),
        "onemax" => onemax::run(case),
        "nsga2" => nsga2::run(case),
        "archive" => archive::run(&folder.join(format!("{case}.bin"))),
        _ => bail!("our side of `{name}` is missing"),
    }
}

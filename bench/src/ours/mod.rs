//! Our side of every bench.

pub mod abc;
pub mod archive;
mod auc;
mod csv;
mod experts;
pub mod front;
mod front_file;
mod genes;
mod lcs;
mod network;
pub mod nsga2;
pub mod onemax;
mod rules;
mod rvm;
mod sizes;
pub mod threads;

use crate::files;
use crate::measure::Measured;
use anyhow::{Result, bail};
use std::path::Path;

/// Does the work of a case and measures it.
pub fn run(name: &str, case: &str, folder: &Path) -> Result<Measured> {
    match name {
        "tree" | "logistic" | "knn" | "forest" | "extra-trees" | "bagging" | "adaboost" | "mlp"
        | "lvq" => experts::run(name, case, folder),
        "threads" => threads::run(2, case, folder),
        "auc" => auc::run(case, &folder.join(format!("{case}.bin"))),
        "rules" => rules::run(&folder.join(format!("{case}.csv"))),
        "csv" => csv::run(&files::table(case, folder)?),
        "lcs" => lcs::run(case, folder),
        "front" => front::run(2, case, folder),
        "abc" => abc::run(case, folder),
        "front-file" => front_file::run(),
        "network" => network::run(case, folder),
        "genes" => genes::run(case, folder),
        "onemax" => onemax::run(case),
        "nsga2" => nsga2::run(case),
        "sizes" => sizes::run(case),
        "rvm" => rvm::run(case, &folder.join(format!("{case}.bin"))),
        "archive" => archive::run(&folder.join(format!("{case}.bin"))),
        _ => bail!("our side of `{name}` is missing"),
    }
}

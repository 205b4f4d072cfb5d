//! Our side of every bench.

mod auc;
mod csv;
mod experts;

use crate::Measured;
use anyhow::{Result, bail};
use std::path::Path;

/// Does the work of a case and measures it.
pub fn run(name: &str, case: &str, folder: &Path) -> Result<Measured> {
    match name {
        "tree" | "logistic" | "knn" | "forest" | "extra-trees" | "bagging" | "adaboost" | "mlp"
        | "lvq" => experts::run(name, case, folder),
        "auc" => auc::run(case, &folder.join(format!("{case}.bin"))),
        "csv" => csv::run(&folder.join(format!("{case}.csv"))),
        _ => bail!("our side of `{name}` is missing"),
    }
}

/// How many columns there are, then the numbers row by row and the class of every row. The file
/// holds rows, columns (little-endian u64) and the numbers.
fn numbers(path: &Path) -> Result<(usize, Vec<f64>)> {
    let bytes = std::fs::read(path)?;
    let words = bytes.as_chunks::<8>().0;
    let [rows, columns] = [0, 1].map(|at| u64::from_le_bytes(words[at]) as usize);
    let numbers: Vec<f64> = words[2..].iter().map(|word| f64::from_le_bytes(*word)).collect();
    if numbers.len() != rows * (columns + 1) {
        bail!("{} does not hold {rows} x {columns}", path.display());
    }
    Ok((columns, numbers))
}

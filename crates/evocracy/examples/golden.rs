//! Writes the golden model files of `tests/golden.rs`: models that every later version must
//! load, with the probabilities they gave when they were written.
//!
//! ```text
//! cargo run --example golden -- crates/evocracy/tests/golden
//! cargo run --example golden -- crates/evocracy/tests/golden rvm
//! ```
//!
//! The second adds the files of a method that is new.
//!
//! Until version 0.1 is published it may be run again whenever the format changes. From then on
//! a golden file is never written again: a change that makes one unreadable is a defect of the
//! change, and files of a new version go beside the old ones under names of their own.

#[path = "../tests/pairs/mod.rs"]
mod pairs;

use evocracy::data::Dataset;
use evocracy::data::catalogue::{Catalogue, Load};
use evocracy::error::{Error, Result};
use evocracy::method::{Method, make};
use evocracy::run::{Pool, Run, Stop};
use serde_json::{Value, json};
use std::path::Path;

/// Numbers and levels, with and without missing values.
const DATA: [&str; 2] = ["iris", "mushroom"];
/// Methods with what keeps their files small.
const METHODS: [(&str, &[(&str, &str)]); 24] = [
    ("tree", &[]),
    ("naive-bayes", &[]),
    ("mlp", &[("hidden", "4,3")]),
    ("lvq", &[("codes", "2")]),
    ("foil", &[]),
    ("moe-batch", &[("rules", "20")]),
    ("moe-online", &[]),
    ("moe-joint", &[("size", "40"), ("epochs", "5")]),
    ("ucs", &[("iterations", "20000")]),
    ("moe-ga", &[("epochs", "5"), ("searches", "2"), ("average", "true")]),
    ("forest", &[("trees", "5"), ("importance", "permutation"), ("leaf", "2")]),
    ("adaboost", &[("rounds", "10"), ("depth", "2")]),
    ("stack:tree+naive-bayes", &[("folds", "3"), ("combiner", "tree")]),
    ("ecoc:(bag:stump)", &[("1.members", "3")]),
    (FRONT, &[]),
    ("abc-mlp", ABC),
    ("rvm", &[("width", "4"), ("centres", "40"), ("moderate", "true")]),
    ("evobn", &[("folds", "2")]),
    ("labels-vote", &[("folds", "0")]),
    ("labels-auto", &[("folds", "2")]),
    ("labels-loglinear", &[("folds", "2")]),
    ("labels-conditional", &[("folds", "0")]),
    ("labels-hidden", &[("folds", "0")]),
    ("labels-naive:tree+naive-bayes", &[("folds", "2")]),
];
/// A small chain.
const ABC: &[(&str, &str)] = &[
    ("hidden", "2"),
    ("samples", "19"),
    ("chains", "1"),
    ("steps", "20"),
    ("lambda", "4"),
    ("width", "4"),
];
/// Methods over all rules of some bits, which mushroom has too many of.
const EXHAUSTIVE: [&str; 2] = ["moe-batch", "moe-online"];
/// A front of a few machines, which needs two classes.
const FRONT: &str = "pairs-of-rows";
/// How many rows the probabilities are kept of.
const ROWS: usize = 12;

fn main() -> Result<()> {
    let folder = std::env::args_os().nth(1).ok_or_else(|| {
        Error::unsuitable("no folder was given", "cargo run --example golden -- FOLDER")
    })?;
    let folder = Path::new(&folder);
    let only: Vec<String> = std::env::args().skip(2).collect();
    let mut cases = Vec::new();
    for data in DATA {
        for (method, settings) in METHODS {
            let wanted = only.is_empty() || only.iter().any(|name| name == method);
            let unfit = match data {
                "mushroom" => EXHAUSTIVE.contains(&method),
                _ => method == FRONT,
            };
            if !wanted || unfit {
                continue;
            }
            cases.push(write(folder, data, method, settings)?);
        }
    }
    let path = folder.join("golden.json");
    let mut text = format!("{:#}\n", Value::Array(cases));
    if !only.is_empty() {
        // The figures of others stay as they are, to the digit.
        let old = std::fs::read_to_string(&path).map_err(|e| Error::io("read", &path, e))?;
        let old = old.trim_end().trim_end_matches(']').trim_end();
        text = format!("{old},{}", text.trim_start_matches('['));
    }
    std::fs::write(&path, text).map_err(|e| Error::io("write", &path, e))
}

/// A few rows: a front keeps all that it was trained on.
fn small(data: &Dataset) -> Result<Dataset> {
    let step = data.table().rows() as u32 / 12;
    data.part(&data.name, &(0..12).map(|row| row * step).collect::<Vec<u32>>())
}

/// Trains a model, saves it and returns what it says of some rows.
fn write(folder: &Path, data: &str, method: &str, settings: &[(&str, &str)]) -> Result<Value> {
    let settings: Vec<(String, String)> =
        settings.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    let data = Catalogue::embedded().open(data, &Load::default())?;
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let model = match method {
        FRONT => pairs::Pairs::default().machines(3).train(&small(&data)?.task()?, &run)?.model,
        _ => make(method, &settings)?.train(&data.task()?, &run)?.model,
    };
    let file = format!("{}-{}.evo", data.name, method.replace([':', '(', ')'], "-"));
    model.save(&folder.join(&file))?;
    let count = data.table().rows();
    let rows: Vec<u32> = (0..ROWS).map(|i| (i * (count - 1) / (ROWS - 1)) as u32).collect();
    let proba = model.proba(data.features().with_rows(&rows))?;
    let proba: Vec<&[f64]> = (0..ROWS).map(|row| proba.row(row)).collect();
    Ok(json!({
        "file": file,
        "data": data.name,
        "method": method,
        "classes": model.classes()?.names(),
        "rows": rows,
        "proba": proba,
    }))
}

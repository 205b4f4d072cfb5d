//! Fitting an expert and, for neighbours, predicting with it.

use crate::clock;
use crate::measure::Measured;
use crate::numbers::Numbers;
use anyhow::Result;
use evocracy::data::{Column, Dataset, Field, Options, Schema, Table};
use evocracy::judge::Judged;
use evocracy::method;
use evocracy::model::Model;
use evocracy::run::{Pool, Run, Stop};
use std::path::Path;

/// The settings that make our method do the work of the peer's.
fn settings(name: &str, case: &str) -> &'static [(&'static str, &'static str)] {
    match (name, case) {
        ("tree", _) => &[("prune_folds", "0"), ("leaf", "1"), ("smoothing", "0")],
        ("forest", "50000x10") => &[("trees", "10")],
        ("mlp", _) => &[
            ("batch", "200"),
            ("rate", "0.001"),
            ("epochs", "50"),
            ("patience", "1000"),
            ("penalty", "0.0001"),
        ],
        ("lvq", _) => &[("kind", "lvq1"), ("codes", "10"), ("rate", "0.1"), ("epochs", "10")],
        ("adaboost", _) => &[("rounds", "200")],
        _ => &[],
    }
}

/// The method that a bench measures.
fn method_of(name: &str) -> &str {
    if name == "bagging" { "bag" } else { name }
}

pub fn run(name: &str, case: &str, folder: &Path) -> Result<Measured> {
    let table = case.trim_end_matches("-predict");
    let data = load(&folder.join(format!("{table}.bin")))?;
    let rows = data.table().rows() as u32;
    let cut = rows / 5 * 4;
    let (train, test): (Vec<u32>, Vec<u32>) = ((0..cut).collect(), (cut..rows).collect());
    let task = data.task()?.with_rows(&train);
    let unseen = data.features().with_rows(&test);
    let settings: Vec<(String, String)> =
        settings(name, case).iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let method = method::make(method_of(name), &settings)?;
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    if table != case {
        let model = method.train(&task, &run)?.model;
        let (seconds, _) = clock::time(|| Ok(model.proba(unseen)?))?;
        let quality = Some(accuracy(&model, &data, &test)?);
        return Ok(Measured { seconds, quality, ..Measured::default() });
    }
    let (seconds, model) = clock::time(|| {
        let model = method.train(&task, &run)?.model;
        // Neighbours do their work when they are asked.
        if name == "knn" {
            model.proba(unseen)?;
        }
        Ok(model)
    })?;
    let quality = Some(accuracy(&model, &data, &test)?);
    Ok(Measured { seconds, quality, ..Measured::default() })
}

/// The share of the test rows that a model calls rightly.
pub(super) fn accuracy(model: &Model, data: &Dataset, test: &[u32]) -> Result<f64> {
    let judged = Judged::task(model, &data.task()?.with_rows(test), false)?;
    Ok(judged.confusion()?.accuracy())
}

/// A table of numbers whose last column is the class.
pub(super) fn load(path: &Path) -> Result<Dataset> {
    let Numbers { rows, columns, cells, classes } = Numbers::read(path)?;
    let column = |j: usize| (0..rows).map(|i| cells[i * columns + j]).collect();
    let mut table: Vec<Column> = (0..columns).map(|j| Column::Number(column(j))).collect();
    table.push(Column::Number(classes));
    let mut fields: Vec<Field> = (0..columns).map(|j| Field::number(format!("x{j}"))).collect();
    fields.push(Field::number("class"));
    Ok(Dataset::new("bench", Table::new(Schema { fields }, table)?, &Options::default())?)
}

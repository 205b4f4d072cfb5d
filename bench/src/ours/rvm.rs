//! Training a relevance vector machine with a given Gaussian kernel, no bias, on all rows as they
//! are: the bases of the peers.

use crate::clock;
use crate::measure::Measured;
use crate::numbers::Numbers;
use anyhow::{Result, bail};
use evocracy::classify::Learner;
use evocracy::data::{Column, Dataset, Field, Goal, Options, Schema, Table};
use evocracy::kernel::{Rvm, RvmRegression, SparseSum, Width};
use evocracy::run::{Pool, Run, Stop};
use std::path::Path;

pub fn run(case: &str, path: &Path) -> Result<Measured> {
    let gamma: f64 = match case {
        "ripley" => 4.0,
        "moons400" | "moons2000" => 2.0,
        "sinc500" | "sinc2000" => 0.1,
        _ => bail!("there is no case `{case}`"),
    };
    let width = Width::Fixed(1.0 / gamma.sqrt());
    let goal = if case.starts_with("sinc") { Goal::Number } else { Goal::Class };
    let data = load(path, goal)?;
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let task = data.task()?;
    // One start, as the peers have.
    if goal == Goal::Number {
        let learner = RvmRegression::default().width(width).bias(false).centres(0).explore(false);
        let (seconds, model) = clock::time(|| Ok(learner.fit(&task, &run)?.model))?;
        return Ok(measured(seconds, model.sparse_sum()));
    }
    let learner = Rvm::default().width(width).bias(false).centres(0).explore(false);
    let (seconds, model) = clock::time(|| Ok(learner.fit(&task, &run)?.model))?;
    Ok(measured(seconds, &model.sparse_sums()[0]))
}

fn measured(seconds: f64, sum: &SparseSum) -> Measured {
    let (quality, vectors) = (Some(sum.evidence()), Some(sum.vectors()));
    Measured { seconds, quality, vectors, ..Measured::default() }
}

fn load(path: &Path, goal: Goal) -> Result<Dataset> {
    let Numbers { rows, columns, cells, classes } = Numbers::read(path)?;
    let column = |j: usize| (0..rows).map(|i| cells[i * columns + j]).collect();
    let mut table: Vec<Column> = (0..columns).map(|j| Column::Number(column(j))).collect();
    table.push(Column::Number(classes));
    let mut fields: Vec<Field> = (0..columns).map(|j| Field::number(format!("x{j}"))).collect();
    fields.push(Field::number("y"));
    let options = Options { goal, ..Options::default() };
    Ok(Dataset::new("bench", Table::new(Schema { fields }, table)?, &options)?)
}

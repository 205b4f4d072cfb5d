//! Loading a front of thousands of small machines on as many columns as a microarray has.

#[path = "../../../crates/evocracy/tests/pairs/mod.rs"]
mod pairs;

use crate::clock;
use crate::measure::Measured;
use anyhow::Result;
use evocracy::data::{Column, Dataset, Field, Options, Schema, Table};
use evocracy::method::Method;
use evocracy::model::Model;
use evocracy::run::{Pool, Run, Seed, Stop};
use pairs::Pairs;
use rand::RngExt;

const ROWS: usize = 72;
const COLUMNS: usize = 7129;
const MACHINES: usize = 5000;

pub fn run() -> Result<Measured> {
    let mut rng = Seed::new(1).rng();
    let mut fields: Vec<Field> =
        (0..COLUMNS).map(|at| Field::number(format!("gene {at}"))).collect();
    fields.push(Field::nominal("class", ["ALL", "AML"]));
    let mut column =
        || Column::Number((0..ROWS).map(|_| rng.random_range(-500.0..5000.0)).collect());
    let mut columns: Vec<Column> = (0..COLUMNS).map(|_| column()).collect();
    columns.push(Column::Nominal((0..ROWS as u32).map(|row| u32::from(row >= 47)).collect()));
    let table = Table::new(Schema { fields }, columns)?;
    let data = Dataset::new("genes", table, &Options::default())?;
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let front = Pairs::default().machines(MACHINES).train(&data.task()?, &run)?.model;
    let bytes = front.to_bytes()?;
    let (seconds, _) = clock::time(|| Ok(Model::from_bytes(&bytes)?))?;
    let result_mib = Some(bytes.len() as f64 / f64::from(1 << 20));
    Ok(Measured { seconds, result_mib, ..Measured::default() })
}

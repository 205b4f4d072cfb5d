//! How much memory committees need while they are trained.

use evocracy::data::{Column, Dataset, Field, Options, Schema, Table};
use evocracy::error::Result;
use evocracy::method;
use evocracy::run::{Pool, Run, Seed, Stop};
use peak_alloc::PeakAlloc;
use rand::RngExt;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// `columns` numbers and a class that hangs on some of them.
fn data(rows: usize, columns: usize, class: impl Fn(&[f64], usize) -> u32) -> Result<Dataset> {
    let mut rng = Seed::new(1).rng();
    let mut cells = vec![Vec::with_capacity(rows); columns];
    let mut codes = Vec::with_capacity(rows);
    for row in 0..rows {
        let own: Vec<f64> = (0..columns).map(|_| rng.random_range(-1.0..1.0)).collect();
        cells.iter_mut().zip(&own).for_each(|(column, &cell)| column.push(cell));
        codes.push(class(&own, row));
    }
    let classes = codes.iter().max().map_or(0, |most| most + 1);
    let mut fields: Vec<Field> = (0..columns).map(|j| Field::number(format!("x{j}"))).collect();
    fields.push(Field::nominal("class", (0..classes).map(|c| format!("c{c}"))));
    let mut table: Vec<Column> = cells.into_iter().map(Column::Number).collect();
    table.push(Column::Nominal(codes));
    Dataset::new("made", Table::new(Schema { fields }, table)?, &Options::default())
}

/// The most bytes that training needs, with the model that it returns.
fn peak(name: &str, data: &Dataset) -> Result<f64> {
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let method = method::make(name, &[])?;
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    method.train(&data.task()?, &Run::new(1, &stop, &pool))?;
    Ok((MEMORY.peak_usage() - before) as f64)
}

/// One test: tests of one program run side by side and would see each other's memory.
#[test]
fn training_takes_a_few_tables() -> Result<()> {
    let (rows, columns) = (20_000, 20);
    let numbers = data(rows, columns, |x, _| u32::from(x[0] + x[1] * x[2] + 0.2 * x[3] > 0.0))?;
    let times = peak("forest", &numbers)? / (rows * columns * 8) as f64;
    assert!(times < 3.0, "a forest takes {times} times the table");

    // 1770 questions of 6000 rows each: together they would be 42 MB.
    let many = data(6000, 1, |_, row| (row % 60) as u32)?;
    let bytes = peak("pairs:stump", &many)?;
    assert!(bytes < 20e6, "all pairs take {bytes} bytes");
    Ok(())
}

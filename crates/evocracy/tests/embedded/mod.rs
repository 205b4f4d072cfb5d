//! Embedded data sets of numbers, read by hand, so that a test can change their numbers.

use evocracy::data::{Column, Dataset, Field, Goal, MISSING, Options, Schema, Table};
use std::io::Read;

/// Numbers and, last, the class; `number` changes every number. `target` is a column to predict
/// as a number, in place of the class.
pub fn load(name: &str, target: Option<usize>, number: impl Fn(f64) -> f64) -> Dataset {
    let path = format!("{}/embed/{name}.csv.gz", env!("CARGO_MANIFEST_DIR"));
    let file = std::fs::File::open(path).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let rows: Vec<Vec<&str>> = lines.collect();
    let last = header.len() - 1;
    let mut levels: Vec<&str> = rows.iter().map(|row| row[last]).collect();
    levels.sort_unstable();
    levels.dedup();
    let mut fields: Vec<Field> = header[..last].iter().map(|name| Field::number(*name)).collect();
    let cells = |j: usize| rows.iter().map(|row| number(row[j].parse().unwrap())).collect();
    let mut columns: Vec<Column> = (0..last).map(|j| Column::Number(cells(j))).collect();
    let code = |text: &str| levels.iter().position(|l| *l == text).map_or(MISSING, |c| c as u32);
    columns.push(Column::Nominal(rows.iter().map(|row| code(row[last])).collect()));
    fields.push(Field::nominal("class", levels));
    let options = match target {
        None => Options::default(),
        Some(target) => Options {
            target: Some(header[target].to_owned()),
            goal: Goal::Number,
            ignore: vec!["class".to_owned()],
            ..Options::default()
        },
    };
    Dataset::new(name, Table::new(Schema { fields }, columns).unwrap(), &options).unwrap()
}

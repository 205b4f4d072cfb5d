//! Reading a CSV file with type inference.

use crate::clock;
use crate::measure::Measured;
use anyhow::Result;
use evocracy::data::Column;
use evocracy::data::read::{Format, Source, read_table};
use std::path::Path;

pub fn run(path: &Path) -> Result<Measured> {
    let source = [Source::file(path)];
    let (seconds, bytes) = clock::time(|| {
        let (table, _) = read_table(&source, &Format::default())?;
        let bytes = |column: &Column| match column {
            Column::Number(values) => 8 * values.len(),
            Column::Nominal(codes) => 4 * codes.len(),
        };
        Ok(table.columns().iter().map(bytes).sum::<usize>())
    })?;
    Ok(Measured {
        seconds,
        quality: None,
        peak_mib: Some(clock::peak_mib()?),
        result_mib: Some(bytes as f64 / f64::from(1 << 20)),
        ..Measured::default()
    })
}

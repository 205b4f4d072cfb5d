//! Remarks on a table that a person would want to know of before believing a figure.

use crate::words::counted;
use evocracy::data::{Cells, Dataset, Kind, MISSING};
use evocracy::model::Model;
use std::collections::HashSet;

/// A nominal column with more levels than this ...
const MANY_LEVELS: usize = 20;
/// ... in at least this share of the rows names rows rather than kinds of rows.
const NAMES: f64 = 0.5;
/// Larger tables are not searched for rows that come twice: it would take their size again.
const MOST_CELLS: usize = 20_000_000;

/// Columns that look like names of rows, or like numbers that were not understood.
pub fn columns(data: &Dataset) -> Vec<String> {
    let rows = data.table().rows();
    let mut notes = Vec::new();
    for field in data.features().fields() {
        let levels = field.levels();
        if levels.len() <= MANY_LEVELS || (levels.len() as f64) < NAMES * rows as f64 {
            continue;
        }
        let digit = |level: &&String| level.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        let numbers = levels.iter().filter(digit).count() * 2 > levels.len();
        let advice = if numbers {
            "if these are numbers, write them like 1234.5; else leave the column out with --ignore"
        } else {
            "if it names the rows, leave it out with --ignore"
        };
        notes.push(format!(
            "note: column `{}` has {} different texts in {} (such as `{}`); {advice}",
            field.name,
            levels.len(),
            counted(rows as u64, "row"),
            levels[0],
        ));
    }
    notes
}

/// Levels of the test rows that training rows did not show: they count as missing.
pub fn unseen(model: &Model, data: &Dataset, test: &[u32]) -> Vec<String> {
    let view = data.features().with_rows(test);
    let mut notes = Vec::new();
    for (j, (field, known)) in view.fields().zip(&model.schema().fields).enumerate() {
        let (Kind::Nominal(levels), Cells::Nominal(codes)) = (&field.kind, view.cells(j)) else {
            continue;
        };
        let new: Vec<bool> = levels.iter().map(|level| !known.levels().contains(level)).collect();
        let cells = view.pick(codes);
        let unseen: Vec<&u32> =
            cells.iter().filter(|&&code| code != MISSING && new[code as usize]).collect();
        if let Some(&&first) = unseen.first() {
            notes.push(format!(
                "note: {} of column `{}` in the test rows hold a level that training did not show (`{}`); it counts as missing",
                counted(unseen.len() as u64, "cell"),
                field.name,
                levels[first as usize],
            ));
        }
    }
    notes
}

/// Test rows that equal a training row, class included: figures on them are too good.
pub fn repeats(data: &Dataset, train: &[u32], test: &[u32]) -> Vec<String> {
    let table = data.table();
    if table.rows().saturating_mul(table.schema().len()) > MOST_CELLS {
        return Vec::new();
    }
    let view = table.view();
    let key = |row: u32| -> Vec<u64> {
        let cell = |column: usize| match view.cells(column) {
            Cells::Number(values) => values[row as usize].to_bits(),
            Cells::Nominal(codes) => u64::from(codes[row as usize]),
        };
        (0..view.columns()).map(cell).collect()
    };
    let seen: HashSet<Vec<u64>> = train.iter().map(|&row| key(row)).collect();
    let twice = test.iter().filter(|&&row| seen.contains(&key(row))).count();
    if twice == 0 {
        return Vec::new();
    }
    vec![format!("note: {twice} of the {} test rows equal a training row", test.len())]
}

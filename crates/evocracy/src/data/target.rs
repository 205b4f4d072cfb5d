//! The target column of a table, as classes or as numbers.

use super::{Classes, Column, Field, Goal, Kind, MISSING, Options, Table};
use crate::error::{Error, Place, Remedy, Result};
use std::cmp::Ordering;
use std::collections::HashMap;

/// A numeric target with at most this many different whole numbers is read as classes.
const MOST_NUMERIC_CLASSES: usize = 20;

/// The rows whose target is known.
pub(super) fn labelled(table: Table, target: usize) -> Result<Table> {
    let column = &table.columns()[target];
    if column.missing() == 0 {
        return Ok(table);
    }
    let known = |&row: &u32| !is_missing(column, row as usize);
    let rows: Vec<u32> = (0..table.rows() as u32).filter(known).collect();
    let (mut schema, mut columns) = table.view().with_rows(&rows).to_table()?.into_parts();
    // Levels of rows that were left out are as if they had never been there.
    for (field, column) in schema.fields.iter_mut().zip(&mut columns) {
        if let (Kind::Nominal(levels), Column::Nominal(codes)) = (&mut field.kind, column) {
            keep_used(levels, codes);
        }
    }
    Table::new(schema, columns)
}

/// Drops the levels that no code is of.
fn keep_used(levels: &mut Vec<String>, codes: &mut [u32]) {
    let mut used = vec![false; levels.len()];
    codes.iter().filter(|&&code| code != MISSING).for_each(|&code| used[code as usize] = true);
    let mut next = 0_u32;
    let new: Vec<u32> = used
        .iter()
        .map(|&used| {
            next += u32::from(used);
            next.saturating_sub(1)
        })
        .collect();
    codes.iter_mut().filter(|code| **code != MISSING).for_each(|code| *code = new[*code as usize]);
    let mut used = used.into_iter();
    levels.retain(|_| used.next().unwrap_or(true));
}

/// The table with its target column as the goal wants it, and the classes if it has any.
pub(super) fn with_target(
    table: Table,
    target: usize,
    options: &Options,
    source: &str,
) -> Result<(Table, Option<Classes>)> {
    let place = |problem: String, expected: &str, help: Remedy| {
        let column = Some(table.schema().fields[target].name.clone());
        let place = Place { source: source.to_owned(), column, ..Place::default() };
        Error::table(place, problem, expected, help)
    };
    let column = &table.columns()[target];
    if column.is_empty() {
        return Err(place(
            "the table has no rows".into(),
            "a header and at least two rows",
            "".into(),
        ));
    }
    if column.missing() > 0 {
        let first = (0..column.len()).find(|&row| is_missing(column, row)).unwrap_or(0);
        let problem = match column.missing() {
            1 => format!("the target is missing in row {first}"),
            rows => format!("the target is missing in {rows} rows, first in row {first}"),
        };
        return Err(place(problem, "a target in every row", Remedy::DropUnlabelled));
    }
    let codes = match column {
        Column::Nominal(_) if options.goal == Goal::Number => {
            return Err(place("the target is not a number".into(), "numbers", "".into()));
        }
        Column::Nominal(_) => None,
        Column::Number(values) => match number_levels(values, options.goal) {
            None => return Ok((table, None)),
            Some(levels) => Some(levels),
        },
    };
    let levels = match &codes {
        Some((levels, _)) => levels.clone(),
        None => used_levels(&table, target),
    };
    if levels.len() < 2 {
        let only = levels.first().cloned().unwrap_or_default();
        let (what, wanted) = match column {
            Column::Number(_) => ("value", "at least two different values"),
            Column::Nominal(_) => ("class", "at least two classes"),
        };
        return Err(place(
            format!("every row has the {what} `{only}`"),
            wanted,
            Remedy::OtherTarget,
        ));
    }
    let mut classes = Classes::new(levels)?;
    if let Some(positive) = &options.positive {
        classes = classes.with_positive(positive)?;
    }
    let (mut schema, mut columns) = table.into_parts();
    columns[target] = match (codes, &columns[target]) {
        (Some((_, codes)), _) => Column::Nominal(codes),
        (None, column) => recoded(&schema.fields[target], column, &classes),
    };
    schema.fields[target].kind = Kind::Nominal(classes.names().to_vec());
    Ok((Table::new(schema, columns)?, Some(classes)))
}

fn is_missing(column: &Column, row: usize) -> bool {
    match column {
        Column::Number(values) => values[row].is_nan(),
        Column::Nominal(codes) => codes[row] == MISSING,
    }
}

/// The different numbers as class names with the code of every row, or `None` where the column
/// is better predicted as a number.
fn number_levels(values: &[f64], goal: Goal) -> Option<(Vec<String>, Vec<u32>)> {
    if goal == Goal::Number {
        return None;
    }
    if goal == Goal::Auto && !few_differ(values) {
        return None;
    }
    // Of equal numbers, 0 and -0, the first one stays: the sort is stable.
    let mut distinct = values.to_vec();
    distinct.sort_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
    distinct.dedup();
    let whole = distinct.iter().all(|d| d.fract() == 0.0);
    if goal == Goal::Auto && !whole {
        return None;
    }
    let codes = values.iter().map(|v| distinct.partition_point(|d| d < v) as u32).collect();
    Some((distinct.iter().map(f64::to_string).collect(), codes))
}

/// Whether there are few enough different numbers to be taken as classes unasked.
fn few_differ(values: &[f64]) -> bool {
    let mut distinct: Vec<f64> = Vec::new();
    values.iter().all(|value| {
        if !distinct.contains(value) {
            distinct.push(*value);
        }
        distinct.len() <= MOST_NUMERIC_CLASSES
    })
}

/// The levels of a nominal target that occur, in their order.
fn used_levels(table: &Table, target: usize) -> Vec<String> {
    let Column::Nominal(codes) = &table.columns()[target] else { return Vec::new() };
    let levels = table.schema().fields[target].levels();
    let mut used = vec![false; levels.len()];
    for &code in codes {
        used[code as usize] = true;
    }
    levels.iter().zip(used).filter(|(_, used)| *used).map(|(level, _)| level.clone()).collect()
}

fn recoded(field: &Field, column: &Column, classes: &Classes) -> Column {
    // Only looked up in: a scan of all classes for each level would take the square of their number.
    let known: HashMap<&str, u32> = classes.names().iter().map(String::as_str).zip(0..).collect();
    let code = |level: &String| known.get(level.as_str()).copied().unwrap_or(MISSING);
    let map: Vec<u32> = field.levels().iter().map(code).collect();
    match column {
        Column::Nominal(codes) => Column::Nominal(codes.iter().map(|&c| map[c as usize]).collect()),
        Column::Number(_) => unreachable!("numbers were coded already"),
    }
}

//! Columns that name or number the rows: nothing that is learnt from them holds for other rows.

use super::{Column, MISSING, Table};
use crate::error::{Error, Place, Remedy, Result};

/// A nominal column with more levels than this ...
const MANY_LEVELS: usize = 20;
/// ... of which at least this share of its rows has one of its own names the rows.
const NEARLY_ALL: f64 = 0.9;
/// Of fewer rows numbers in order are no sign of anything.
const FEW_ROWS: usize = 20;

/// Names of columns that number rows, beside all that end in `id` or `nr`.
const NUMBERS: [&str; 18] = [
    "#",
    "case",
    "idx",
    "index",
    "line",
    "no",
    "no.",
    "nr",
    "nr.",
    "num",
    "number",
    "obs",
    "observation",
    "row",
    "row.names",
    "rownames",
    "s.no",
    "sno",
];

/// A column that is not learnt from because it names the rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The column.
    pub column: String,
    /// What it looks like.
    pub like: RowNames,
}

/// What tells that a column names the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowNames {
    /// Its texts nearly all differ.
    Texts,
    /// Its values count the rows.
    Numbers,
    /// It has no name where others have one, as the column of row names that programs write.
    Unnamed,
}

/// The columns among `features` that name the rows; none where there would be no other. Where the
/// target is of classes, any column that counts the rows is one: rows often lie sorted by class. A
/// number may well depend on a count, so that there the name must tell. `counting` says of each column
/// of the table whether it counts the rows, as [`counting`] found.
///
/// An error where all columns are left out and one of them holds texts that look like numbers: they
/// were not understood, and what is learnt from them would be worth nothing.
pub(super) fn naming_rows(
    table: &Table,
    features: &[u32],
    keep: &[String],
    classes: bool,
    counting: &[bool],
    source: &str,
) -> Result<Vec<LeftOut>> {
    let unnamed = |column: usize| {
        let name = &table.schema().fields[column].name;
        *name == format!("column {}", column + 1)
    };
    let headless = (0..table.schema().len()).all(unnamed);
    let like = |column: usize| {
        let field = &table.schema().fields[column];
        let written = ["Unnamed: ", "__index_level_"];
        if (!headless && unnamed(column)) || written.iter().any(|w| field.name.starts_with(w)) {
            return Some(RowNames::Unnamed);
        }
        match &table.columns()[column] {
            Column::Nominal(_) if nearly_all_differ(table, column) => Some(RowNames::Texts),
            Column::Number(_) if (classes || telling(&field.name)) && counting[column] => {
                Some(RowNames::Numbers)
            }
            _ => None,
        }
    };
    let named = features.iter().filter_map(|&column| {
        let name = &table.schema().fields[column as usize].name;
        let like = like(column as usize).filter(|_| !keep.contains(name))?;
        Some(LeftOut { column: name.clone(), like })
    });
    let named: Vec<LeftOut> = named.collect();
    if named.len() < features.len() {
        return Ok(named);
    }
    let texts = named.iter().zip(features).filter(|(left, _)| left.like == RowNames::Texts);
    match texts
        .map(|(_, &column)| column as usize)
        .find(|&column| looks_like_numbers(table, column))
    {
        Some(column) => Err(no_numbers(table, column, source)),
        None => Ok(Vec::new()),
    }
}

fn looks_like_numbers(table: &Table, column: usize) -> bool {
    like_numbers(table.schema().fields[column].levels())
}

/// Whether most of the texts begin as numbers do.
pub fn like_numbers(levels: &[String]) -> bool {
    levels.iter().filter(|level| begins_like_number(level)).count() * 2 > levels.len()
}

fn begins_like_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || c == '-')
}

/// Texts that look like numbers are all there is to learn from.
fn no_numbers(table: &Table, column: usize, source: &str) -> Error {
    let field = &table.schema().fields[column];
    let Column::Nominal(codes) = &table.columns()[column] else {
        unreachable!("texts are nominal")
    };
    let text = |code: u32| field.levels().get(code as usize).filter(|_| code != MISSING);
    let cells = codes.iter().enumerate().filter_map(|(row, &code)| Some((row, text(code)?)));
    let (row, cell) = cells.into_iter().find(|(_, cell)| begins_like_number(cell)).unzip();
    let place = Place {
        source: source.to_owned(),
        column: Some(field.name.clone()),
        row: row.map(|row| row as u64 + 1),
        line: None,
    };
    Error::table(
        place,
        format!("`{}` is not a number", cell.map_or("", String::as_str)),
        "a column to learn from beside those whose texts nearly all differ",
        Remedy::TextsAsNumbers { column: field.name.clone() },
    )
}

fn nearly_all_differ(table: &Table, column: usize) -> bool {
    let levels = table.schema().fields[column].levels().len();
    let cells = &table.columns()[column];
    let rows = cells.len() - cells.missing();
    levels > MANY_LEVELS && levels as f64 >= NEARLY_ALL * rows as f64
}

/// Whether a column of this name numbers the rows.
fn telling(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    name.ends_with("id") || name.ends_with("nr") || NUMBERS.contains(&name.as_str())
}

/// Of each column, whether it counts the rows of a table as it was read: rows that are left out later
/// tear gaps into a count. `starts` are the rows where a further file begins, with a count of its own.
pub(super) fn counting(table: &Table, starts: &[usize]) -> Vec<bool> {
    let counts = |column: &Column| match column {
        Column::Number(values) => count(values, starts),
        Column::Nominal(_) => false,
    };
    table.columns().iter().map(counts).collect()
}

/// Whether the values are consecutive whole numbers in the order of the rows, upwards or downwards;
/// they may begin anew at each of `starts`.
fn count(values: &[f64], starts: &[usize]) -> bool {
    if values.len() < FEW_ROWS {
        return false;
    }
    let mut step = None;
    (0..values.len()).all(|row| {
        if row == 0 || starts.contains(&row) {
            return values[row].fract() == 0.0;
        }
        let here = values[row] - values[row - 1];
        here.abs() == 1.0 && here == *step.get_or_insert(here)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Field, Schema};
    use crate::error::Result;

    fn table(rows: usize) -> Result<Table> {
        let texts = |each: usize| (0..rows).step_by(each).map(|row| format!("t{row}"));
        let fields = vec![
            Field::number("column 1"),
            Field::nominal("who", texts(1)),
            Field::nominal("kind", texts(3)),
            Field::number("PatientId"),
            Field::number("day"),
            Field::number("id"),
            Field::nominal("weight", (0..rows).map(|row| format!("{row},5"))),
        ];
        let count = |from: usize, step: usize| {
            Column::Number((0..rows).map(|row| (from + step * row) as f64).collect())
        };
        let codes = |each: u32| Column::Nominal((0..rows as u32).map(|row| row / each).collect());
        let down = (0..rows).map(|row| 5000.0 - row as f64).collect();
        let columns = vec![
            count(5, 3),
            codes(1),
            codes(3),
            Column::Number(down),
            count(1, 1),
            count(1, 2),
            codes(1),
        ];
        Table::new(Schema { fields }, columns)
    }

    #[test]
    fn columns_that_name_rows_are_found() -> Result<()> {
        let all = [0, 1, 2, 3, 4, 5];
        let of = |rows: usize, features: &[u32], keep: &[&str]| found(rows, features, keep, false);
        assert_eq!(of(60, &all, &[])?, ["column 1", "who", "PatientId"]);
        assert_eq!(of(60, &all, &["who"])?, ["column 1", "PatientId"]);
        // Of classes the name does not matter: 1, 3, 5 ... does not count the rows.
        assert_eq!(found(60, &all, &[], true)?, ["column 1", "who", "PatientId", "day"]);
        // Few rows are no evidence, and something is left to learn from.
        assert_eq!(of(12, &all, &[])?, ["column 1"]);
        assert_eq!(of(60, &[1, 3], &[])?, [""; 0]);
        Ok(())
    }

    fn found(rows: usize, features: &[u32], keep: &[&str], classes: bool) -> Result<Vec<String>> {
        let keep: Vec<String> = keep.iter().map(|&name| name.to_owned()).collect();
        let table = table(rows)?;
        let counting = counting(&table, &[]);
        let found = naming_rows(&table, features, &keep, classes, &counting, "t.csv")?;
        Ok(found.into_iter().map(|left| left.column).collect())
    }

    #[test]
    fn texts_like_numbers_are_refused_where_nothing_else_is_left() -> Result<()> {
        let refused = found(60, &[1, 3, 6], &[], false).unwrap_err().to_string();
        assert!(refused.contains("t.csv, row 1, column `weight`: `0,5` is not"), "{refused}");
        assert_eq!(found(60, &[1, 2, 6], &[], false)?, ["who", "weight"]);
        assert_eq!(found(60, &[3, 6], &["weight"], false)?, ["PatientId"]);
        Ok(())
    }

    #[test]
    fn a_count_may_begin_anew_where_a_file_does() {
        let rows: Vec<f64> = (1..=100).chain(1..=50).map(f64::from).collect();
        assert!(count(&rows, &[100]));
        assert!(!count(&rows, &[]) && !count(&rows, &[99]));
        assert!(count(&rows[..100], &[]));
        // Both files count in the same direction, and by ones.
        let mut turned = rows.clone();
        turned[100..].reverse();
        assert!(!count(&turned, &[100]));
        assert!(!count(&[0.5; 30], &[]) && !count(&[f64::NAN; 30], &[]));
        assert!(!count(&(1..=30).map(|row| f64::from(row) + 0.5).collect::<Vec<_>>(), &[]));
    }

    #[test]
    fn a_table_without_a_header_has_no_unnamed_column() -> Result<()> {
        let fields = vec![Field::number("column 1"), Field::number("column 2")];
        let columns = vec![Column::Number(vec![1.0, 2.0]), Column::Number(vec![1.0, 2.0])];
        let table = Table::new(Schema { fields }, columns)?;
        assert_eq!(naming_rows(&table, &[0], &[], true, &[false; 2], "")?, []);
        Ok(())
    }
}

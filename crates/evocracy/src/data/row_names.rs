//! Columns that name or number the rows: nothing that is learnt from them holds for other rows.

use super::{Column, Table};

/// A nominal column with more levels than this ...
const MANY_LEVELS: usize = 20;
/// ... of which at least this share of its rows has one of its own names the rows.
const NEARLY_ALL: f64 = 0.9;
/// Of fewer rows numbers in order are no sign of anything.
const FEW_ROWS: usize = 20;

/// Names of columns that number rows, beside all that end in `id`.
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

/// The columns among `features` that name the rows; none where there would be no other.
pub(super) fn naming_rows(table: &Table, features: &[u32], keep: &[String]) -> Vec<LeftOut> {
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
            Column::Number(values) if numbers(&field.name, values) => Some(RowNames::Numbers),
            _ => None,
        }
    };
    let named = features.iter().filter_map(|&column| {
        let name = &table.schema().fields[column as usize].name;
        let like = like(column as usize).filter(|_| !keep.contains(name))?;
        Some(LeftOut { column: name.clone(), like })
    });
    let named: Vec<LeftOut> = named.collect();
    if named.len() == features.len() { Vec::new() } else { named }
}

fn nearly_all_differ(table: &Table, column: usize) -> bool {
    let levels = table.schema().fields[column].levels().len();
    let cells = &table.columns()[column];
    let rows = cells.len() - cells.missing();
    levels > MANY_LEVELS && levels as f64 >= NEARLY_ALL * rows as f64
}

/// Whether the values of a column of this name are 0, 1, 2 ... or 1, 2, 3 ...
fn numbers(name: &str, values: &[f64]) -> bool {
    let name = name.trim().to_lowercase();
    let telling = name.ends_with("id") || NUMBERS.contains(&name.as_str());
    let first = values.first().copied().unwrap_or(f64::NAN);
    telling
        && values.len() >= FEW_ROWS
        && (first == 0.0 || first == 1.0)
        && values.iter().enumerate().all(|(row, value)| *value == first + row as f64)
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
        ];
        let count = |from: usize, step: usize| {
            Column::Number((0..rows).map(|row| (from + step * row) as f64).collect())
        };
        let codes = |each: u32| Column::Nominal((0..rows as u32).map(|row| row / each).collect());
        let columns = vec![count(5, 3), codes(1), codes(3), count(1, 1), count(1, 1), count(1, 2)];
        Table::new(Schema { fields }, columns)
    }

    #[test]
    fn columns_that_name_rows_are_found() -> Result<()> {
        let of = |rows: usize, features: &[u32], keep: &[&str]| -> Result<Vec<String>> {
            let keep: Vec<String> = keep.iter().map(|&name| name.to_owned()).collect();
            let found = naming_rows(&table(rows)?, features, &keep);
            Ok(found.into_iter().map(|left| left.column).collect())
        };
        let all = [0, 1, 2, 3, 4, 5];
        assert_eq!(of(60, &all, &[])?, ["column 1", "who", "PatientId"]);
        assert_eq!(of(60, &all, &["who"])?, ["column 1", "PatientId"]);
        // Few rows are no evidence, and something is left to learn from.
        assert_eq!(of(12, &all, &[])?, ["column 1"]);
        assert_eq!(of(60, &[1, 3], &[])?, [""; 0]);
        Ok(())
    }

    #[test]
    fn a_table_without_a_header_has_no_unnamed_column() -> Result<()> {
        let fields = vec![Field::number("column 1"), Field::number("column 2")];
        let columns = vec![Column::Number(vec![1.0, 2.0]), Column::Number(vec![1.0, 2.0])];
        let table = Table::new(Schema { fields }, columns)?;
        assert_eq!(naming_rows(&table, &[0], &[]), []);
        Ok(())
    }
}

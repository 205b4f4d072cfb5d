//! A window on rows and columns of a table.

use super::{Column, Field, MISSING, Schema, Table};
use crate::error::Result;

/// Some rows and columns of a table, in a given order. Cheap to copy; owns nothing.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    table: &'a Table,
    rows: Option<&'a [u32]>,
    columns: Option<&'a [u32]>,
}

/// The cells of one column of a view.
#[derive(Debug, Clone, Copy)]
pub enum Cells<'a> {
    /// All values of a number column, to be indexed by [`View::row_id`].
    Number(&'a [f64]),
    /// All codes of a nominal column, to be indexed by [`View::row_id`].
    Nominal(&'a [u32]),
}

impl<'a> View<'a> {
    pub(super) fn new(table: &'a Table) -> Self {
        Self { table, rows: None, columns: None }
    }

    /// The same columns, other rows: positions in the table. Panics in debug builds when a
    /// position is outside the table.
    #[must_use]
    pub fn with_rows(self, rows: &'a [u32]) -> Self {
        debug_assert!(rows.iter().all(|&r| (r as usize) < self.table.rows()));
        Self { rows: Some(rows), ..self }
    }

    /// The same rows, other columns: positions in the table.
    #[must_use]
    pub fn with_columns(self, columns: &'a [u32]) -> Self {
        debug_assert!(columns.iter().all(|&c| (c as usize) < self.table.schema().len()));
        Self { columns: Some(columns), ..self }
    }

    /// The positions in the table of columns of the view, for [`View::with_columns`].
    pub fn column_ids(&self, columns: impl IntoIterator<Item = usize>) -> Vec<u32> {
        columns.into_iter().map(|column| self.column_id(column) as u32).collect()
    }

    /// The table behind the view.
    pub fn table(&self) -> &'a Table {
        self.table
    }

    /// How many rows are in view.
    pub fn rows(&self) -> usize {
        self.rows.map_or(self.table.rows(), <[u32]>::len)
    }

    /// How many columns are in view.
    pub fn columns(&self) -> usize {
        self.columns.map_or(self.table.schema().len(), <[u32]>::len)
    }

    /// The position in the table of row `row` of the view.
    pub fn row_id(&self, row: usize) -> usize {
        self.rows.map_or(row, |rows| rows[row] as usize)
    }

    /// The chosen rows of the table, or `None` for all in order.
    pub fn row_ids(&self) -> Option<&'a [u32]> {
        self.rows
    }

    fn column_id(&self, column: usize) -> usize {
        self.columns.map_or(column, |columns| columns[column] as usize)
    }

    /// Name and kind of column `column` of the view.
    pub fn field(&self, column: usize) -> &'a Field {
        &self.table.schema().fields[self.column_id(column)]
    }

    /// The fields in view, in order.
    pub fn fields(&self) -> impl Iterator<Item = &'a Field> {
        let view = *self;
        (0..view.columns()).map(move |j| view.field(j))
    }

    /// The cells of column `column` of the view, for the whole table.
    pub fn cells(&self, column: usize) -> Cells<'a> {
        match &self.table.columns()[self.column_id(column)] {
            Column::Number(values) => Cells::Number(values),
            Column::Nominal(codes) => Cells::Nominal(codes),
        }
    }

    /// The column's values in view order, gathered into one contiguous column.
    pub fn gather(&self, column: usize) -> Column {
        match self.cells(column) {
            Cells::Number(values) => Column::Number(self.pick(values)),
            Cells::Nominal(codes) => Column::Nominal(self.pick(codes)),
        }
    }

    /// The rows and columns in view as a table of their own.
    pub fn to_table(&self) -> Result<Table> {
        let schema = Schema { fields: self.fields().cloned().collect() };
        Table::new(schema, (0..self.columns()).map(|column| self.gather(column)).collect())
    }

    /// The entries of a table-long slice that belong to the rows in view.
    pub fn pick<T: Copy>(&self, values: &[T]) -> Vec<T> {
        match self.rows {
            None => values.to_vec(),
            Some(rows) => rows.iter().map(|&r| values[r as usize]).collect(),
        }
    }

    /// The cell as a person would read it; `None` when it is missing.
    pub fn show(&self, row: usize, column: usize) -> Option<String> {
        let id = self.row_id(row);
        match self.cells(column) {
            Cells::Number(values) => (!values[id].is_nan()).then(|| values[id].to_string()),
            Cells::Nominal(codes) => {
                let code = codes[id];
                (code != MISSING).then(|| self.field(column).levels()[code as usize].clone())
            }
        }
    }
}

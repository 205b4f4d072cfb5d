//! The owner of columns.

use super::{Column, Kind, MISSING, Schema, View};
use crate::error::{Error, Place, Result};

/// A table in memory, column by column. Its invariants hold from construction on: as many
/// columns as fields, all of one length, codes within their levels, no infinite number.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    schema: Schema,
    columns: Vec<Column>,
    rows: usize,
}

impl Table {
    /// A table of these columns.
    pub fn new(schema: Schema, columns: Vec<Column>) -> Result<Self> {
        let rows = columns.first().map_or(0, Column::len);
        if schema.len() != columns.len() {
            return Err(Error::unsuitable(
                format!("{} columns for {} fields", columns.len(), schema.len()),
                "give every field its column",
            ));
        }
        if u32::try_from(rows).is_err() {
            return Err(Error::unsuitable("a table holds at most 4294967295 rows", "split it"));
        }
        for (field, column) in schema.fields.iter().zip(&columns) {
            let fits = match (&field.kind, column) {
                (Kind::Number, Column::Number(values)) => !values.iter().any(|v| v.is_infinite()),
                (Kind::Nominal(levels), Column::Nominal(codes)) => {
                    codes.iter().all(|&c| c == MISSING || (c as usize) < levels.len())
                }
                _ => false,
            };
            if !fits || column.len() != rows {
                let place = Place { column: Some(field.name.clone()), ..Place::default() };
                return Err(Error::table(
                    place,
                    "the values do not fit the column",
                    format!("{rows} finite numbers or codes of known levels"),
                    "",
                ));
            }
        }
        Ok(Self { schema, columns, rows })
    }

    /// What the columns are.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The columns in the order of the schema.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// All rows and columns.
    pub fn view(&self) -> View<'_> {
        View::new(self)
    }

    /// Takes the table apart.
    pub fn into_parts(self) -> (Schema, Vec<Column>) {
        (self.schema, self.columns)
    }
}

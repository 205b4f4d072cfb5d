//! Bringing any table to the columns a model was trained on.

use super::{Cells, Column, Field, Kind, MISSING, Schema, Table, View};
use crate::error::{Error, Place, Result};
use std::collections::HashMap;

/// Rows with exactly the columns of a schema.
#[derive(Debug)]
pub enum Conformed<'a> {
    /// They had them already.
    Same(View<'a>),
    /// They were brought to them.
    Made(Table),
}

impl Conformed<'_> {
    /// The rows.
    pub fn view(&self) -> View<'_> {
        match self {
            Self::Same(view) => *view,
            Self::Made(table) => table.view(),
        }
    }
}

impl Schema {
    /// The rows in view with the columns of this schema, found by name.
    ///
    /// Further columns are ignored, a level that the schema does not have becomes missing, a
    /// number in a nominal column is taken by its text; a missing column and text in a number
    /// column are errors.
    pub fn conform<'a>(&self, rows: View<'a>) -> Result<Conformed<'a>> {
        if rows.columns() == self.len() && self.fields.iter().eq(rows.fields()) {
            return Ok(Conformed::Same(rows));
        }
        let positions: HashMap<&str, usize> =
            rows.fields().enumerate().map(|(j, field)| (field.name.as_str(), j)).collect();
        let mut columns = Vec::with_capacity(self.len());
        for field in &self.fields {
            let Some(&position) = positions.get(field.name.as_str()) else {
                return Err(lacking(field, rows));
            };
            columns.push(conform_column(field, rows, position)?);
        }
        Ok(Conformed::Made(Table::new(self.clone(), columns)?))
    }
}

fn lacking(field: &Field, rows: View<'_>) -> Error {
    let known: Vec<String> = rows.fields().map(|f| f.name.clone()).collect();
    let help = match crate::error::nearest(&field.name, &known) {
        Some(near) => format!("did you mean its column `{near}`? rename it to `{}`", field.name),
        None => "add the column; where its values are unknown leave the cells empty".to_owned(),
    };
    Error::unsuitable(
        format!("the table lacks the column `{}` of the training data", field.name),
        help,
    )
}

fn conform_column(field: &Field, rows: View<'_>, position: usize) -> Result<Column> {
    match (&field.kind, rows.cells(position)) {
        (Kind::Number, Cells::Number(_)) => Ok(rows.gather(position)),
        (Kind::Number, Cells::Nominal(codes)) if rows.pick(codes).iter().all(|&c| c == MISSING) => {
            Ok(Column::Number(vec![f64::NAN; rows.rows()]))
        }
        (Kind::Number, Cells::Nominal(_)) => {
            let text = (0..rows.rows()).find_map(|row| rows.show(row, position));
            Err(Error::table(
                Place { column: Some(field.name.clone()), ..Place::default() },
                format!("the values are text, such as `{}`", text.unwrap_or_default()),
                "numbers, as in the training data",
                "",
            ))
        }
        (Kind::Nominal(levels), cells) => {
            let codes: HashMap<&str, u32> =
                levels.iter().enumerate().map(|(code, l)| (l.as_str(), code as u32)).collect();
            let code = |text: &str| codes.get(text).copied().unwrap_or(MISSING);
            Ok(Column::Nominal(match cells {
                Cells::Nominal(raw) => {
                    let map: Vec<u32> =
                        rows.field(position).levels().iter().map(|l| code(l)).collect();
                    let mapped = |&c: &u32| if c == MISSING { c } else { map[c as usize] };
                    rows.pick(raw).iter().map(mapped).collect()
                }
                Cells::Number(raw) => rows
                    .pick(raw)
                    .iter()
                    .map(|v| if v.is_nan() { MISSING } else { code(&v.to_string()) })
                    .collect(),
            }))
        }
    }
}

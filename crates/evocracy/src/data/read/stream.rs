//! Reading rows chunk by chunk into columns that are known already, in bounded memory.

use super::infer::{Wrong, check_width};
use super::intern::Codes;
use super::records::Records;
use super::{Format, Source, cell, open};
use crate::data::{Column, Field, Kind, MISSING, Schema, Table};
use crate::error::{Error, Result, nearest};
use std::collections::HashMap;

/// A stream of tables with given columns, found by name in the header of a source. Further
/// columns are ignored.
pub struct Stream {
    source: Source,
    format: Format,
    records: Records,
    width: usize,
    schema: Schema,
    /// For each field, its position in the source and, for nominal ones, the code of each text.
    columns: Vec<(usize, Codes)>,
    unseen: Vec<Unseen>,
    /// The field whose cells must hold one of its levels.
    required: Option<usize>,
}

/// Texts of a nominal column that are none of its levels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unseen {
    /// The column.
    pub column: String,
    /// The first such text.
    pub example: String,
    /// The line it stands in.
    pub line: u64,
    /// How many cells held such texts.
    pub cells: u64,
}

impl Stream {
    /// Opens a source and finds the columns of `schema` in it.
    pub fn open(source: &Source, format: &Format, schema: &Schema) -> Result<Self> {
        let (records, names) = open(source, format)?;
        let positions: HashMap<&str, usize> =
            names.iter().enumerate().map(|(j, name)| (name.as_str(), j)).collect();
        let mut columns = Vec::with_capacity(schema.len());
        for field in &schema.fields {
            let Some(&position) = positions.get(field.name.as_str()) else {
                return Err(lacking(field, &names, source));
            };
            let level = |(code, text): (usize, &String)| (text.as_bytes().into(), code as u32);
            columns.push((position, field.levels().iter().enumerate().map(level).collect()));
        }
        Ok(Self {
            source: source.clone(),
            format: format.clone(),
            records,
            width: names.len(),
            schema: schema.clone(),
            columns,
            unseen: Vec::new(),
            required: None,
        })
    }

    /// The same stream, in which a cell of the nominal column `name` that is missing or none of
    /// its levels is an error.
    pub fn with_required(mut self, name: &str) -> Result<Self> {
        self.required = Some(self.schema.find(name, self.source.name())?);
        Ok(self)
    }

    /// The next rows, at most `rows` of them; `None` at the end.
    pub fn next_chunk(&mut self, rows: usize) -> Result<Option<Table>> {
        let mut columns: Vec<Column> = self.schema.fields.iter().map(|f| empty(f, rows)).collect();
        let mut read = 0;
        while read < rows {
            let Some(record) = self.records.next()? else { break };
            check_width(&record, self.width, &self.source)?;
            for (j, column) in columns.iter_mut().enumerate() {
                let (position, levels) = &self.columns[j];
                let bytes = record.cell(*position).trimmed();
                let name = &self.schema.fields[j].name;
                let wrong = |wrong: Wrong<'_>| wrong.at(&self.source, record.line(), name, bytes);
                match column {
                    Column::Number(values) => {
                        values.push(number(bytes, &self.format).map_err(wrong)?);
                    }
                    Column::Nominal(codes) => {
                        let found = code(bytes, levels, &self.format);
                        if self.required == Some(j) && found.is_none_or(|code| code == MISSING) {
                            return Err(wrong(Wrong::NotALevel(self.schema.fields[j].levels())));
                        }
                        codes.push(found.unwrap_or(MISSING));
                        if found.is_none() {
                            note(&mut self.unseen, name, bytes, record.line());
                        }
                    }
                }
            }
            read += 1;
        }
        if read == 0 {
            return Ok(None);
        }
        Table::new(self.schema.clone(), columns).map(Some)
    }

    /// The texts met so far that are none of their column's levels; they were read as missing.
    pub fn unseen(&self) -> &[Unseen] {
        &self.unseen
    }
}

fn empty(field: &Field, rows: usize) -> Column {
    match field.kind {
        Kind::Number => Column::Number(Vec::with_capacity(rows)),
        Kind::Nominal(_) => Column::Nominal(Vec::with_capacity(rows)),
    }
}

fn number(bytes: &[u8], format: &Format) -> Result<f64, Wrong<'static>> {
    if format.is_missing(bytes) {
        return Ok(f64::NAN);
    }
    match cell::number(bytes) {
        Some(value) if value.is_infinite() => Err(Wrong::Infinite),
        Some(value) => Ok(value),
        None => Err(Wrong::NotANumber),
    }
}

/// The code of a text; a number is also found by its plain spelling (`1.0` as `1`), as the
/// levels of a column that was read as numbers are spelt. `None` for an unknown level.
fn code(bytes: &[u8], levels: &Codes, format: &Format) -> Option<u32> {
    if let Some(code) = levels.get(bytes) {
        return Some(code);
    }
    if format.is_missing(bytes) {
        return Some(MISSING);
    }
    let plain = cell::number(bytes)?.to_string();
    levels.get(plain.as_bytes())
}

fn note(unseen: &mut Vec<Unseen>, column: &str, bytes: &[u8], line: u64) {
    match unseen.iter_mut().find(|u| u.column == column) {
        Some(known) => known.cells += 1,
        None => unseen.push(Unseen {
            column: column.to_owned(),
            example: String::from_utf8_lossy(bytes).chars().take(60).collect(),
            line,
            cells: 1,
        }),
    }
}

fn lacking(field: &Field, names: &[String], source: &Source) -> Error {
    let help = match nearest(&field.name, names) {
        Some(near) => format!("did you mean its column `{near}`? rename it to `{}`", field.name),
        None => "add the column; where its values are unknown leave the cells empty".to_owned(),
    };
    let problem = format!("the column `{}` of the training data is missing", field.name);
    Error::table(super::place(source, Some(1), None), problem, "all columns of the model", help)
}

//! Reading rows chunk by chunk into columns that are known already, in bounded memory.

use super::cell::{self, Cell};
use super::intern::Codes;
use super::number::{self, Written};
use super::reader::{Reader, Sink};
use super::wrong::{self, At, Wrong, shown};
use super::{Format, Source, place};
use crate::data::{Column, Field, Kind, MISSING, Schema, Table};
use crate::error::{Error, Result, TableError, listed, nearest};
use std::collections::HashMap;

/// A stream of tables with given columns, found by name in a source. Further columns are
/// ignored.
pub struct Stream {
    source: Source,
    format: Format,
    reader: Reader,
    schema: Schema,
    /// For each field, and then for each column that is kept, its position in the source.
    wanted: Vec<usize>,
    sinks: Vec<KnownColumn>,
    skipped: Skipped,
}

/// Rows that were left out because they could not be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Skipped {
    /// How many.
    pub rows: u64,
    /// What was wrong with the first of them.
    pub first: Vec<TableError>,
}

impl Skipped {
    /// So many of them are listed.
    pub const LISTED: usize = 1000;

    pub(super) fn add(&mut self, error: TableError) {
        self.rows += 1;
        if self.first.len() < Self::LISTED {
            self.first.push(error);
        }
    }
}

/// Texts of a nominal column that are none of its levels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unseen {
    /// The column.
    pub column: String,
    /// The first such text.
    pub example: String,
    /// Where it stands.
    pub at: At,
    /// How many cells held such texts.
    pub cells: u64,
}

impl Stream {
    /// Opens a source and finds the columns of `schema` in it.
    pub fn open(source: &Source, format: &Format, schema: &Schema) -> Result<Self> {
        let reader = Reader::open(source, format)?;
        let columns = reader.columns();
        let positions: HashMap<&str, usize> =
            columns.iter().enumerate().map(|(j, column)| (column.name.as_str(), j)).collect();
        let mut wanted = Vec::with_capacity(schema.len());
        for field in &schema.fields {
            let position = positions.get(field.name.as_str());
            wanted.push(*position.ok_or_else(|| lacking(field, &reader, source))?);
        }
        drop(columns);
        Ok(Self {
            source: source.clone(),
            format: format.clone(),
            reader,
            schema: schema.clone(),
            wanted,
            sinks: schema.fields.iter().map(KnownColumn::new).collect(),
            skipped: Skipped::default(),
        })
    }

    /// The same stream, in which a cell of the column `name` that is missing or none of its
    /// levels is an error.
    pub fn with_required(mut self, name: &str) -> Result<Self> {
        let column = self.schema.find(name, self.source.name())?;
        self.sinks[column].required = Some(match &self.schema.fields[column].kind {
            Kind::Nominal(levels) => format!("one of {}", listed(levels)),
            Kind::Number => "a number".to_owned(),
        });
        Ok(self)
    }

    /// The same stream, in which texts of the nominal column `name` that are none of its levels
    /// become levels, after those that it has.
    pub fn with_new_levels(mut self, name: &str) -> Result<Self> {
        let column = self.schema.find(name, self.source.name())?;
        self.sinks[column].new_levels = Some(Vec::new());
        Ok(self)
    }

    /// The same stream, which also keeps the cells of these columns as they are written, to be taken
    /// with [`Stream::take_kept`]. They need not be columns of the schema.
    pub fn with_kept(mut self, names: &[String]) -> Result<Self> {
        for name in names {
            let columns = self.reader.columns();
            let position = columns.iter().position(|column| column.name == *name);
            let known = columns.iter().map(|column| column.name.as_str());
            let place = || Some(format!("`{}`", self.source.name()));
            let position =
                position.ok_or_else(|| Error::unknown("column", name, place(), known))?;
            self.wanted.push(position);
            self.sinks.push(KnownColumn::kept(name));
        }
        Ok(self)
    }

    /// The cells of the columns that are kept, of the rows of the last chunk; a missing one is empty.
    pub fn take_kept(&mut self) -> Vec<Vec<String>> {
        self.sinks.iter_mut().filter_map(|sink| Some(std::mem::take(sink.kept.as_mut()?))).collect()
    }

    /// The same stream, in which the numbers of these columns are written in these ways; those of
    /// other columns are plain.
    #[must_use]
    pub fn with_written(mut self, written: &[(String, Written)]) -> Self {
        for sink in &mut self.sinks {
            let own = written.iter().find(|(name, _)| *name == sink.name);
            sink.written = own.map_or(Written::Plain, |&(_, written)| written);
        }
        self
    }

    /// The rows that were left out so far, as [`Format::skip_bad`] asks for.
    pub fn skipped(&self) -> &Skipped {
        &self.skipped
    }

    /// The next rows, at most `rows` of them; `None` at the end. There may be none among the next
    /// where rows that cannot be read are left out.
    pub fn next_chunk(&mut self, rows: usize) -> Result<Option<Table>> {
        let Self { reader, wanted, sinks, format, skipped, .. } = self;
        let (read, over) = match reader {
            Reader::Text(text) if format.skip_bad => {
                text.read_good(rows, wanted, sinks, format, skipped)?
            }
            reader => (reader.read(rows, wanted, sinks, format)?, true),
        };
        if read == 0 && (over || rows == 0) {
            return Ok(None);
        }
        for (field, sink) in self.schema.fields.iter_mut().zip(&mut self.sinks) {
            if let (Kind::Nominal(levels), Some(new)) = (&mut field.kind, &mut sink.new_levels) {
                sink.known += new.len();
                levels.append(new);
            }
        }
        let columns =
            self.sinks.iter_mut().take(self.schema.len()).map(KnownColumn::take).collect();
        Table::new(self.schema.clone(), columns).map(Some)
    }

    /// Forgets the texts met so far, for a caller who drops the rows they stood in.
    pub fn forget_unseen(&mut self) {
        for sink in &mut self.sinks {
            sink.unseen = None;
        }
    }

    /// The texts met so far that are none of their column's levels; they were read as missing.
    pub fn unseen(&self) -> Vec<Unseen> {
        self.sinks.iter().filter_map(|sink| sink.unseen.clone()).collect()
    }
}

/// A column whose kind is known.
pub(super) struct KnownColumn {
    name: String,
    column: Column,
    /// How its numbers are written.
    written: Written,
    /// The codes of its levels.
    levels: Codes,
    unseen: Option<Unseen>,
    /// What every cell must be, where that is asked for.
    required: Option<String>,
    /// How many levels it has.
    known: usize,
    /// Further ones that were met since, where texts may become levels.
    new_levels: Option<Vec<String>>,
    /// The cells as they are written, of a column that is only kept.
    kept: Option<Vec<String>>,
}

impl KnownColumn {
    fn new(field: &Field) -> Self {
        let level = |(code, text): (usize, &String)| (text.as_bytes().into(), code as u32);
        Self {
            name: field.name.clone(),
            column: match field.kind {
                Kind::Number => Column::Number(Vec::new()),
                Kind::Nominal(_) => Column::Nominal(Vec::new()),
            },
            written: Written::Plain,
            levels: field.levels().iter().enumerate().map(level).collect(),
            unseen: None,
            required: None,
            known: field.levels().len(),
            new_levels: None,
            kept: None,
        }
    }

    /// A column that is kept as it is written.
    fn kept(name: &str) -> Self {
        Self { kept: Some(Vec::new()), ..Self::new(&Field::nominal(name, [""; 0])) }
    }

    /// What was read so far; an empty column with as much room stays.
    fn take(&mut self) -> Column {
        let room = self.column.len();
        let empty = match self.column {
            Column::Number(_) => Column::Number(Vec::with_capacity(room)),
            Column::Nominal(_) => Column::Nominal(Vec::with_capacity(room)),
        };
        std::mem::replace(&mut self.column, empty)
    }

    /// The code of a text; a number is also found by its plain spelling (`1.0` as `1`), as the
    /// levels of a column that was read as numbers are spelt.
    fn code(&self, text: &[u8], number: Option<f64>) -> Option<u32> {
        self.levels.get(text).or_else(|| self.levels.get(number?.to_string().as_bytes()))
    }

    /// The code of a text that is none of the levels, where it may become one.
    fn meet(&mut self, text: &[u8], number: Option<f64>) -> Result<Option<u32>, Wrong> {
        let Some(new) = &mut self.new_levels else { return Ok(None) };
        let name = match number {
            Some(value) => value.to_string(),
            None => wrong::text(text)?.to_owned(),
        };
        let code = (self.known + new.len()) as u32;
        self.levels.insert(name.as_bytes(), code);
        new.push(name);
        Ok(Some(code))
    }

    fn push(&mut self, value: f64) -> Result<(), Wrong> {
        if value.is_infinite() {
            return Err(Wrong::Infinite);
        }
        if let Column::Number(values) = &mut self.column {
            values.push(value);
        }
        Ok(())
    }

    fn is_number(&self) -> bool {
        matches!(self.column, Column::Number(_))
    }

    /// Whether a text is a missing value here. A level that the model knows never is.
    fn stands_for_nothing(&self, text: &[u8], format: &Format) -> bool {
        if self.is_number() {
            return format.is_missing_number(text);
        }
        format.is_missing(text) && self.levels.get(text).is_none()
    }

    /// A text that is not missing, with the number that it is.
    fn take_text(&mut self, text: &[u8], number: Option<f64>, at: At) -> Result<(), Wrong> {
        if self.is_number() {
            return self.push(number.ok_or(Wrong::NotANumber(self.written))?);
        }
        let code = match self.code(text, number) {
            None => self.meet(text, number)?,
            known => known,
        };
        if let (None, Some(expected)) = (code, &self.required) {
            return Err(Wrong::NotALevel(expected.clone()));
        }
        if code.is_none() {
            let (column, example) = (self.name.clone(), shown(text));
            let new = || Unseen { column, example, at, cells: 0 };
            self.unseen.get_or_insert_with(new).cells += 1;
        }
        if let Column::Nominal(codes) = &mut self.column {
            codes.push(code.unwrap_or(MISSING));
        }
        Ok(())
    }

    /// How many rows it holds.
    pub(super) fn rows(&self) -> usize {
        self.kept.as_ref().map_or(self.column.len(), Vec::len)
    }

    /// Drops its last row, which held `cell`.
    pub(super) fn drop_last(&mut self, cell: &[u8], format: &Format) {
        if let Some(kept) = &mut self.kept {
            kept.pop();
            return;
        }
        match &mut self.column {
            Column::Number(values) => drop(values.pop()),
            Column::Nominal(codes) => {
                let unseen = codes.pop() == Some(MISSING);
                if unseen && !self.stands_for_nothing(cell, format) {
                    // Only the first such cell is shown: where it is the only one, nothing is left.
                    self.unseen.take_if(|unseen| unseen.cells == 1);
                    self.unseen.iter_mut().for_each(|unseen| unseen.cells -= 1);
                }
            }
        }
    }
}

impl Sink for KnownColumn {
    fn cell(&mut self, cell: Cell<'_>, at: At, format: &Format) -> Result<(), Wrong> {
        if self.kept.is_some() {
            return self.text(cell.trimmed(), at);
        }
        // No text for a missing value reads as a number, unless the person says so.
        if format.is_plain()
            && self.written == Written::Plain
            && let (Column::Number(values), Some(value)) = (&mut self.column, cell.plain_number())
        {
            values.push(value);
            return Ok(());
        }
        let text = cell.trimmed();
        if self.stands_for_nothing(text, format) {
            return self.missing();
        }
        let number = number::read(text, format).filter(|(written, _)| *written == self.written);
        self.take_text(text, number.map(|(_, value)| value), at)
    }

    fn number(&mut self, value: f64, at: At) -> Result<(), Wrong> {
        if value.is_nan() {
            self.missing()
        } else if self.is_number() {
            self.push(value)
        } else {
            self.text(value.to_string().as_bytes(), at)
        }
    }

    fn text(&mut self, text: &[u8], at: At) -> Result<(), Wrong> {
        if let Some(kept) = &mut self.kept {
            kept.push(wrong::text(text)?.to_owned());
            return Ok(());
        }
        self.take_text(text, cell::number(text), at)
    }

    fn missing(&mut self) -> Result<(), Wrong> {
        if let Some(kept) = &mut self.kept {
            kept.push(String::new());
            return Ok(());
        }
        match (&self.required, &self.column) {
            (None, _) => {}
            (Some(_), Column::Number(_)) => return Err(Wrong::NotANumber(self.written)),
            (Some(expected), _) => return Err(Wrong::NotALevel(expected.clone())),
        }
        match &mut self.column {
            Column::Number(values) => values.push(f64::NAN),
            Column::Nominal(codes) => codes.push(MISSING),
        }
        Ok(())
    }
}

fn lacking(field: &Field, reader: &Reader, source: &Source) -> Error {
    let names: Vec<String> = reader.columns().iter().map(|column| column.name.clone()).collect();
    let help = match nearest(&field.name, &names) {
        Some(near) => format!("did you mean its column `{near}`? rename it to `{}`", field.name),
        None => "add the column; where its values are unknown leave the cells empty".to_owned(),
    };
    let problem = format!("the column `{}` of the training data is missing", field.name);
    let line = matches!(reader, Reader::Text(_)).then_some(1);
    Error::table(place(source, line, None), problem, "all columns of the model", help)
}

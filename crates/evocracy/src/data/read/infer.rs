//! Reading a whole table and finding out what its columns hold.
//!
//! Where the format does not say, a column is one of numbers until a cell says otherwise; then
//! the source is read again with that column as categories, so that texts such as `007` are kept
//! as they are. Levels are put in canonical order at the end.

use super::cell::{self, Cell};
use super::levels::{FirstText, Levels};
use super::number::{self, Written};
use super::reader::{Declared, Holds, Reader, Sink};
use super::wrong::{At, Wrong};
use super::{Format, Source, place, place_at};
use crate::data::{Column, Field, Kind, MISSING, Schema, Table};
use crate::error::{Error, Result};
use crate::run::Stop;

/// After this many rows a pass that has met a surprise starts again; the stop flag is looked at
/// as often.
const EARLY: usize = 1000;

/// What is known of a column before a pass over the source.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ColumnPlan {
    /// Numbers, unless a cell says otherwise.
    Guess,
    /// Numbers, because the format or the caller said so.
    Number,
    /// Categories, because an earlier pass found text.
    GuessedNominal,
    /// Categories, because the format or the caller said so.
    Nominal,
}

impl ColumnPlan {
    fn is_number(self) -> bool {
        matches!(self, Self::Guess | Self::Number)
    }
}

/// A table with what was noticed when it was read.
pub(in crate::data) struct Read {
    pub(in crate::data) table: Table,
    /// The number of rows that came from each source.
    pub(in crate::data) rows: Vec<usize>,
    /// Columns of numbers that are not written as plain numbers.
    pub(in crate::data) written: Vec<(String, Written)>,
    /// Of columns that were found to hold texts the first one that is no number, with its place.
    pub(in crate::data) first_texts: Vec<(String, String, String)>,
}

/// Reads the sources one after the other into one table; all have the same columns. Returns the
/// table and the number of rows that came from each source.
pub fn read_table(sources: &[Source], format: &Format) -> Result<(Table, Vec<usize>)> {
    read_table_until(&Stop::new(), sources, format)
}

/// As [`read_table`]; when `stop` is raised meanwhile, it ends with [`Error::Stopped`].
pub fn read_table_until(
    stop: &Stop,
    sources: &[Source],
    format: &Format,
) -> Result<(Table, Vec<usize>)> {
    read_all(stop, sources, format).map(|read| (read.table, read.rows))
}

/// As [`read_table_until`], with what was noticed.
pub(in crate::data) fn read_all(stop: &Stop, sources: &[Source], format: &Format) -> Result<Read> {
    let first = sources.first().ok_or_else(|| Error::unsuitable("no file was given", ""))?;
    let columns = open(first, format)?.columns().into_owned();
    let mut plans = plans(&columns, format, first)?;
    loop {
        let mut builders: Vec<Builder> = plans.iter().map(|&plan| Builder::new(plan)).collect();
        let mut rows = Vec::with_capacity(sources.len());
        for source in sources {
            rows.push(read_source(stop, source, format, &columns, &mut builders)?);
        }
        // One pass finds all columns that hold text after all; the next one keeps their texts.
        let surprised: Vec<usize> =
            (0..builders.len()).filter(|&j| builders[j].surprised).collect();
        if surprised.is_empty() {
            let mut fields = Vec::with_capacity(builders.len());
            let mut finished = Vec::with_capacity(builders.len());
            let (mut written, mut first_texts) = (Vec::new(), Vec::new());
            for (Declared { name, .. }, builder) in columns.into_iter().zip(builders) {
                written.extend(builder.written().map(|written| (name.clone(), written)));
                first_texts.extend(
                    builder
                        .first_text()
                        .map(|FirstText { at, text }| (name.clone(), text, at.to_string())),
                );
                let (kind, column) = builder.finish(&name, first)?;
                fields.push(Field { name, kind, label: None });
                finished.push(column);
            }
            let table = Table::new(Schema { fields }, finished)?;
            return Ok(Read { table, rows, written, first_texts });
        }
        for j in surprised {
            plans[j] = ColumnPlan::GuessedNominal;
        }
    }
}

/// Opens a source that must say what its rows are.
fn open(source: &Source, format: &Format) -> Result<Reader> {
    let reader = Reader::open(source, format)?;
    match &reader {
        Reader::Images(images) if !images.has_labels() => Err(Error::table(
            place(source, None, None),
            "there are no labels beside these images",
            "a file such as train-labels-idx1-ubyte beside train-images-idx3-ubyte",
            "",
        )),
        _ => Ok(reader),
    }
}

fn plans(columns: &[Declared], format: &Format, source: &Source) -> Result<Vec<ColumnPlan>> {
    for asked in format.nominal.iter().chain(&format.number) {
        if !columns.iter().any(|column| column.name == *asked) {
            let known = columns.iter().map(|column| column.name.as_str());
            return Err(Error::unknown("column", asked, Some(source.name().to_owned()), known));
        }
    }
    let plan = |column: &Declared| match column.holds {
        _ if format.nominal.contains(&column.name) => ColumnPlan::Nominal,
        _ if format.number.contains(&column.name) => ColumnPlan::Number,
        Holds::Anything => ColumnPlan::Guess,
        Holds::Numbers => ColumnPlan::Number,
        Holds::Texts => ColumnPlan::Nominal,
    };
    Ok(columns.iter().map(plan).collect())
}

/// Reads one source into the builders and returns its rows.
fn read_source(
    stop: &Stop,
    source: &Source,
    format: &Format,
    columns: &[Declared],
    builders: &mut [Builder],
) -> Result<usize> {
    let mut reader = open(source, format)?;
    let same = |(a, b): (&Declared, &Declared)| a.name == b.name;
    let found = reader.columns();
    if found.len() != columns.len() || !found.iter().zip(columns).all(same) {
        let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        let line = matches!(reader, Reader::Text(_)).then_some(1);
        return Err(Error::table(
            place(source, line, None),
            "the columns differ from those of the first file",
            names.join(","),
            "",
        ));
    }
    let wanted: Vec<usize> = (0..columns.len()).collect();
    let mut rows = 0;
    loop {
        let read = reader.read(EARLY, &wanted, builders, format)?;
        // Early surprises are cheap to read again; later ones wait for the end of the pass.
        let early = rows == 0 && builders.iter().any(|builder| builder.surprised);
        rows += read;
        if read < EARLY || early {
            return Ok(rows);
        }
        if stop.requested() {
            return Err(Error::Stopped);
        }
        if let Some(left) = reader.rows_left().filter(|_| rows == EARLY) {
            for builder in builders.iter_mut() {
                builder.reserve(left);
            }
        }
    }
}

/// A column under construction.
struct Builder {
    plan: ColumnPlan,
    numbers: Vec<f64>,
    levels: Levels,
    /// How its numbers are written, where that is known to be no plain way; a column has one way.
    written: Option<Written>,
    /// A cell was not the number that was guessed: the rest of the column is not worth keeping.
    surprised: bool,
    /// Whether plain numbers go straight into the column.
    plain: bool,
}

impl Builder {
    fn new(plan: ColumnPlan) -> Self {
        let (numbers, levels) = (Vec::new(), Levels::default());
        Self { plan, numbers, levels, written: None, surprised: false, plain: true }
    }

    /// How its numbers are written, where they are no plain numbers.
    fn written(&self) -> Option<Written> {
        self.written.filter(|&written| self.plan.is_number() && written != Written::Plain)
    }

    /// The first text of a column that was guessed to hold texts.
    fn first_text(&self) -> Option<FirstText> {
        if self.plan == ColumnPlan::GuessedNominal { self.levels.first_text() } else { None }
    }

    /// Makes room for so many more rows.
    fn reserve(&mut self, rows: usize) {
        if self.plan.is_number() {
            self.numbers.reserve_exact(rows);
        } else {
            self.levels.codes.reserve_exact(rows);
        }
    }

    /// A cell that is not simply the number or the level that was expected.
    fn unusual(&mut self, bytes: &[u8], at: At, format: &Format) -> Result<(), Wrong> {
        if self.surprised {
            return Ok(());
        }
        if !self.plan.is_number() {
            return if format.is_missing(bytes) {
                self.missing()
            } else {
                self.levels.push(bytes, at, format)
            };
        }
        if format.is_missing_number(bytes) {
            return self.missing();
        }
        match number::read(bytes, format) {
            Some((written, value)) if self.takes(written) => self.number(value, at),
            _ => self.surprise(),
        }
    }

    /// Whether numbers are written in this way here; the first of them decides.
    fn takes(&mut self, written: Written) -> bool {
        let known = || self.numbers.iter().any(|value| !value.is_nan()).then_some(Written::Plain);
        let own = self.written.or_else(known).unwrap_or(written);
        self.written = Some(own);
        self.plain = own == Written::Plain;
        own == written
    }

    /// A cell that is no number among numbers.
    fn surprise(&mut self) -> Result<(), Wrong> {
        let wanted = self.written.unwrap_or(Written::Plain);
        self.surprised = self.plan == ColumnPlan::Guess;
        self.plain = false;
        if self.surprised { Ok(()) } else { Err(Wrong::NotANumber(wanted)) }
    }

    fn finish(self, name: &str, source: &Source) -> Result<(Kind, Column)> {
        match self.plan {
            ColumnPlan::Guess | ColumnPlan::Number => {
                let mut numbers = self.numbers;
                numbers.shrink_to_fit();
                Ok((Kind::Number, Column::Number(numbers)))
            }
            ColumnPlan::Nominal => Ok(self.levels.finish()),
            ColumnPlan::GuessedNominal => {
                self.levels.check(|at| place_at(source, at, name))?;
                Ok(self.levels.finish())
            }
        }
    }
}

impl Sink for Builder {
    #[inline]
    fn cell(&mut self, cell: Cell<'_>, at: At, format: &Format) -> Result<(), Wrong> {
        if !self.plan.is_number() {
            let text = cell.trimmed();
            return if format.missing.is_empty() && self.levels.push_known(text) {
                Ok(())
            } else {
                self.unusual(text, at, format)
            };
        }
        match cell.plain_number() {
            Some(value) if self.plain && format.is_plain() => {
                self.numbers.push(value);
                Ok(())
            }
            _ => self.unusual(cell.trimmed(), at, format),
        }
    }

    fn number(&mut self, value: f64, at: At) -> Result<(), Wrong> {
        if value.is_nan() {
            self.missing()
        } else if value.is_infinite() {
            Err(Wrong::Infinite)
        } else if self.plan.is_number() {
            self.numbers.push(value);
            Ok(())
        } else {
            self.levels.push(value.to_string().as_bytes(), at, &Format::default())
        }
    }

    fn text(&mut self, text: &[u8], at: At) -> Result<(), Wrong> {
        if self.surprised {
            Ok(())
        } else if !self.plan.is_number() {
            self.levels.push(text, at, &Format::default())
        } else if let Some(value) = cell::number(text).filter(|_| self.takes(Written::Plain)) {
            self.number(value, at)
        } else {
            self.surprise()
        }
    }

    fn missing(&mut self) -> Result<(), Wrong> {
        if self.plan.is_number() {
            self.numbers.push(f64::NAN);
        } else {
            self.levels.codes.push(MISSING);
        }
        Ok(())
    }
}

//! Text tables: CSV and its relatives, a line of names and a line for each row.

use super::buffer::Buffer;
use super::reader::{Declared, Holds, Sink};
use super::records::{Record, Records};
use super::stream::{KnownColumn, Skipped};
use super::wrong::{At, not_utf8, shown};
use super::{Format, Source, cell, place, twice, wrong};
use crate::error::{Error, Place, Remedy, Result};
use std::borrow::Cow;

/// Records between two moments at which a caller may stop, where none of them can be read.
const RECORDS: usize = 8192;

/// Of a first line whose numbers come in order so many are names, as wavelengths are.
const ORDERED_NAMES: usize = 6;

/// An opened text table.
pub(super) struct Text {
    source: Source,
    records: Records,
    names: Vec<String>,
    /// How many rows were read.
    rows: usize,
}

impl Text {
    /// Reads the header.
    pub(super) fn open(buffer: Buffer, format: &Format) -> Result<Self> {
        let source = buffer.source.clone();
        let mut records = Records::new(buffer, format)?;
        let empty = || {
            let help = "a table has a line of column names and a line for each row";
            Error::table(place(&source, None, None), "the file is empty", "a table", help)
        };
        let names = if format.header {
            let record = records.next()?.ok_or_else(empty)?;
            names(&record, &source)?
        } else {
            let count = records.peek_width()?.ok_or_else(empty)?;
            (1..=count).map(|n| format!("column {n}")).collect()
        };
        Ok(Self { source, records, names, rows: 0 })
    }

    /// The format with what was found out about it.
    fn found<'a>(&self, format: &'a Format) -> Cow<'a, Format> {
        let delimiter = Some(self.records.delimiter());
        if format.delimiter == delimiter {
            return Cow::Borrowed(format);
        }
        Cow::Owned(Format { delimiter, ..format.clone() })
    }

    pub(super) fn columns(&self) -> Cow<'_, [Declared]> {
        let declared = |name: &String| Declared { name: name.clone(), holds: Holds::Anything };
        self.names.iter().map(declared).collect()
    }

    pub(super) fn read<S: Sink>(
        &mut self,
        most: usize,
        wanted: &[usize],
        sinks: &mut [S],
        format: &Format,
    ) -> Result<usize> {
        let mut read = 0;
        let found = self.found(format);
        let format: &Format = &found;
        while read < most {
            let Some(record) = self.records.next()? else { break };
            push(&record, &self.names, &self.source, wanted, sinks, format)?;
            read += 1;
        }
        self.rows += read;
        Ok(read)
    }

    /// As [`Text::read`], without the rows that cannot be read, which are noted; and whether there is
    /// no row left. It looks at so many records at a time whether they can be read or not, so that a
    /// caller may stop it.
    pub(super) fn read_good(
        &mut self,
        most: usize,
        wanted: &[usize],
        sinks: &mut [KnownColumn],
        format: &Format,
        skipped: &mut Skipped,
    ) -> Result<(usize, bool)> {
        let (mut read, mut over) = (0, false);
        let found = self.found(format);
        let format: &Format = &found;
        for _ in 0..most.max(RECORDS) {
            if read == most {
                break;
            }
            let Some(record) = self.records.next()? else {
                over = true;
                break;
            };
            match push(&record, &self.names, &self.source, wanted, sinks, format) {
                Ok(()) => read += 1,
                Err(Error::Table(error)) => {
                    for (sink, &column) in sinks.iter_mut().zip(wanted) {
                        if sink.rows() > read {
                            sink.drop_last(record.cell(column).trimmed(), format);
                        }
                    }
                    skipped.add(*error);
                }
                Err(error) => return Err(error),
            }
        }
        self.rows += read;
        Ok((read, over))
    }

    pub(super) fn rows_left(&self) -> Option<usize> {
        self.records.rows_left(self.rows)
    }
}

/// Pushes the wanted cells of a record into the sinks.
#[inline]
fn push<S: Sink>(
    record: &Record<'_>,
    names: &[String],
    source: &Source,
    wanted: &[usize],
    sinks: &mut [S],
    format: &Format,
) -> Result<()> {
    check_width(record, names.len(), source)?;
    let at = At::Line(record.line());
    for (sink, &column) in sinks.iter_mut().zip(wanted) {
        let cell = record.cell(column);
        if let Err(wrong) = sink.cell(cell, at, format) {
            return Err(wrong.at(source, at, &names[column], cell.trimmed()));
        }
    }
    Ok(())
}

fn names(record: &Record<'_>, source: &Source) -> Result<Vec<String>> {
    let line = record.line();
    let mut names: Vec<String> = Vec::with_capacity(record.len());
    for (j, cell) in record.cells().enumerate() {
        // A line of names that is marked as a comment.
        let cell =
            if j == 0 { cell.strip_prefix(b"# ").unwrap_or(cell).trim_ascii() } else { cell };
        let name = wrong::text(cell)
            .map_err(|_| not_utf8(place(source, Some(line), Some(format!("{}", j + 1)))))?;
        names.push(if name.is_empty() { format!("column {}", j + 1) } else { name.to_owned() });
    }
    refuse_data(&names, place(source, Some(line), None))?;
    if let Some(twice) = twice(names.iter().map(String::as_str)) {
        return Err(Error::table(
            place(source, Some(line), Some(twice.to_owned())),
            format!("two columns are called `{twice}`"),
            "a different name for each column",
            "rename one of them in the first line",
        ));
    }
    Ok(names)
}

/// Refuses a first line that is a row: only numbers, or as many numbers as texts, one of them with
/// decimals. Many numbers in order, such as wavelengths, are names.
fn refuse_data(names: &[String], place: Place) -> Result<()> {
    let numbers: Vec<f64> = names.iter().filter_map(|name| cell::number(name.as_bytes())).collect();
    let decimal = |name: &&String| name.contains('.') && cell::number(name.as_bytes()).is_some();
    let ordered = numbers.windows(2).all(|pair| pair[0] < pair[1])
        || numbers.windows(2).all(|pair| pair[0] > pair[1]);
    let ordered = ordered && numbers.len() >= ORDERED_NAMES;
    let decimals = names.iter().find(decimal);
    let problem = match decimals {
        _ if numbers.len() == names.len() => "the first line holds only numbers".to_owned(),
        Some(cell) if 2 * numbers.len() >= names.len() && !ordered => {
            format!(
                "the first line is a row, not names: it holds numbers such as `{}`",
                shown(cell.as_bytes())
            )
        }
        _ => return Ok(()),
    };
    Err(Error::table(place, problem, "column names", Remedy::AddHeader))
}

fn check_width(record: &Record<'_>, width: usize, source: &Source) -> Result<()> {
    if record.len() == width {
        return Ok(());
    }
    Err(Error::table(
        place(source, Some(record.line()), None),
        format!("the row has {} cells", record.len()),
        format!("{width} cells, as in the header"),
        "look for a missing or extra delimiter, or text with a delimiter that needs quotes",
    ))
}

/// The texts of one column of a side table, line by line; the last column where none is named.
pub(in crate::data) fn texts(source: &Source, column: Option<&str>) -> Result<Vec<String>> {
    let Text { mut records, names, .. } = Text::open(Buffer::open(source)?, &Format::default())?;
    let position = match column {
        None => names.len() - 1,
        Some(name) => names.iter().position(|n| n == name).ok_or_else(|| {
            let known = names.iter().map(String::as_str);
            Error::unknown("column", name, Some(source.name().to_owned()), known)
        })?,
    };
    let mut texts = Vec::new();
    while let Some(record) = records.next()? {
        check_width(&record, names.len(), source)?;
        texts.push(String::from_utf8_lossy(record.cell(position).trimmed()).into_owned());
    }
    Ok(texts)
}

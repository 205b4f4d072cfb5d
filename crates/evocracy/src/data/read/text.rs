//! Text tables: CSV and its relatives, a line of names and a line for each row.

use super::buffer::Buffer;
use super::reader::{Declared, Holds, Sink};
use super::records::{Record, Records};
use super::wrong::{At, not_utf8};
use super::{Format, Source, cell, place, wrong};
use crate::error::{Error, Remedy, Result};
use std::borrow::Cow;

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
        let mut records = Records::new(buffer, format);
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
        while read < most {
            let Some(record) = self.records.next()? else { break };
            check_width(&record, self.names.len(), &self.source)?;
            let at = At::Line(record.line());
            for (sink, &column) in sinks.iter_mut().zip(wanted) {
                let cell = record.cell(column);
                if let Err(wrong) = sink.cell(cell, at, format) {
                    return Err(wrong.at(&self.source, at, &self.names[column], cell.trimmed()));
                }
            }
            read += 1;
        }
        self.rows += read;
        Ok(read)
    }

    pub(super) fn rows_left(&self) -> Option<usize> {
        self.records.rows_left(self.rows)
    }
}

fn names(record: &Record<'_>, source: &Source) -> Result<Vec<String>> {
    let line = record.line();
    let mut names: Vec<String> = Vec::with_capacity(record.len());
    for (j, cell) in record.cells().enumerate() {
        let name = wrong::text(cell)
            .map_err(|_| not_utf8(place(source, Some(line), Some(format!("{}", j + 1)))))?;
        names.push(if name.is_empty() { format!("column {}", j + 1) } else { name.to_owned() });
    }
    if let Some(twice) = super::twice(names.iter().map(String::as_str)) {
        return Err(Error::table(
            place(source, Some(line), Some(twice.to_owned())),
            format!("two columns are called `{twice}`"),
            "a different name for each column",
            "rename one of them in the first line",
        ));
    }
    if names.iter().all(|name| cell::number(name.as_bytes()).is_some()) {
        return Err(Error::table(
            place(source, Some(line), None),
            "the first line holds only numbers",
            "column names",
            Remedy::AddHeader,
        ));
    }
    Ok(names)
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

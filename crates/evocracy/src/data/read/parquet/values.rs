//! The values of a column, pushed into a sink.

use super::super::reader::Sink;
use super::super::wrong::{At, Wrong};
use super::super::{Source, Written};
use super::guard::{damaged, fenced};
use super::meaning::{Meaning, big_endian, decimal};
use crate::error::Result;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;

/// A column of the row group at hand.
pub(super) struct Values {
    pub(super) name: String,
    pub(super) meaning: Meaning,
    pub(super) reader: ColumnReader,
    /// The level of a value that is there.
    pub(super) present: i16,
}

impl Values {
    /// Pushes `count` values, the first of which is that of row `row`, counted from 0.
    pub(super) fn push<S: Sink>(
        &mut self,
        row: u64,
        count: usize,
        sink: &mut S,
        source: &Source,
    ) -> Result<()> {
        use ColumnReader as Of;
        let Self { name, meaning, reader, present } = self;
        let meaning = *meaning;
        let part = Part { name, present: *present, row, count, source };
        match reader {
            Of::BoolColumnReader(reader) => part.push(reader, sink, |value, sink, at| {
                sink.text(if *value { b"true" } else { b"false" }, at)
            }),
            Of::Int32ColumnReader(reader) => {
                part.push(reader, sink, |value, sink, at| sink.number(meaning.number32(*value), at))
            }
            Of::Int64ColumnReader(reader) => {
                part.push(reader, sink, |value, sink, at| sink.number(meaning.number(*value), at))
            }
            Of::Int96ColumnReader(reader) => part.push(reader, sink, |value, sink, at| {
                sink.number(meaning.number(value.to_nanos()), at)
            }),
            Of::FloatColumnReader(reader) => {
                part.push(reader, sink, |value, sink, at| sink.number(f64::from(*value), at))
            }
            Of::DoubleColumnReader(reader) => {
                part.push(reader, sink, |value, sink, at| sink.number(*value, at))
            }
            Of::ByteArrayColumnReader(reader) => {
                part.push(reader, sink, |value, sink, at| bytes(value.data(), meaning, sink, at))
            }
            Of::FixedLenByteArrayColumnReader(reader) => {
                part.push(reader, sink, |value, sink, at| bytes(value.data(), meaning, sink, at))
            }
        }
    }
}

fn bytes<S: Sink>(bytes: &[u8], meaning: Meaning, sink: &mut S, at: At) -> Result<(), Wrong> {
    match meaning {
        Meaning::Decimal(scale) => {
            let value = big_endian(bytes).ok_or(Wrong::NotANumber(Written::Plain))?;
            sink.number(decimal(value, scale), at)
        }
        _ => sink.text(bytes, at),
    }
}

/// Some rows of a column.
struct Part<'a> {
    name: &'a str,
    present: i16,
    row: u64,
    count: usize,
    source: &'a Source,
}

impl Part<'_> {
    fn push<T: DataType, S: Sink>(
        &self,
        reader: &mut ColumnReaderImpl<T>,
        sink: &mut S,
        mut each: impl FnMut(&T::T, &mut S, At) -> Result<(), Wrong>,
    ) -> Result<()> {
        let (mut levels, mut values) = (Vec::new(), Vec::new());
        let (rows, _, _) = fenced(self.source, || {
            reader.read_records(self.count, Some(&mut levels), None, &mut values)
        })?;
        if self.present == 0 {
            // All values are there, and no levels say so.
            levels = vec![0; rows];
        }
        let there = levels.iter().filter(|level| **level == self.present).count();
        if rows != self.count || levels.len() != rows || values.len() != there {
            let why = format!("column `{}` ends before its last row", self.name);
            return Err(damaged(self.source, &why));
        }
        let mut values = values.iter();
        for (row, level) in levels.into_iter().enumerate() {
            let at = At::Row(self.row + row as u64 + 1);
            let value = if level == self.present { values.next() } else { None };
            let pushed = match value {
                Some(value) => each(value, sink, at),
                None => sink.missing(),
            };
            if let Err(wrong) = pushed {
                let shown = value.map_or(String::new(), ToString::to_string);
                return Err(wrong.at(self.source, at, self.name, shown.as_bytes()));
            }
        }
        Ok(())
    }
}

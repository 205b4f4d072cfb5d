//! Parquet: flat tables of numbers, texts and truth values, row group by row group.
//!
//! Numbers, decimals, dates (days since 1970) and times (seconds since 1970 or midnight) are
//! numbers, NaN is missing; texts are categories, and so are truth values, as `false` and `true`.
//! A column that is nested or binary is an error when it is wanted. Infinite numbers are errors.
//!
//! Of the crate `parquet` only the decoding of metadata and values is used; pages are read here,
//! so that no size is believed before it is checked, and calls are fenced (see `guard`).

mod guard;
mod meaning;
mod pages;
mod thrift;
mod values;
mod whole;

pub(super) use whole::Whole;

use super::reader::{Declared, Holds, Sink};
use super::{Source, place, twice};
use crate::error::{Error, Result};
use bytes::Bytes;
use guard::{damaged, fenced};
use meaning::Meaning;
use pages::Pages;
use parquet::column::reader::get_column_reader;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use parquet::schema::types::SchemaDescriptor;
use std::sync::Arc;
use values::Values;

/// How many rows are decoded at a time.
const BATCH: usize = 4096;
/// A table may take this many bytes, and this many more for each byte of its file; what claims
/// more is forged: not even a file of constant columns comes near it.
const FREE_BYTES: u64 = 64 << 20;
const BYTES_PER_BYTE: u64 = 1000;
/// More groups in the schema than this are refused.
const MAX_GROUPS: usize = 1000;

/// An opened Parquet file.
pub(super) struct Parquet {
    source: Source,
    whole: Arc<Whole>,
    metadata: ParquetMetaData,
    columns: Vec<Declared>,
    /// For each column its number among the values of the file, or what it holds instead.
    leaves: Vec<Result<(usize, Meaning), &'static str>>,
    /// The row group to open next.
    group: usize,
    values: Vec<Values>,
    /// Rows of the row group at hand that are left.
    in_group: u64,
    row: u64,
    rows: u64,
}

impl Parquet {
    pub(super) fn open(source: &Source) -> Result<Self> {
        let whole = source.whole()?;
        let footer = footer(&whole, source)?;
        check_footer(&footer).ok_or_else(|| damaged(source, "its footer is damaged"))?;
        let metadata = fenced(source, || ParquetMetaDataReader::decode_metadata(&footer))?;
        let mut rows = 0_u64;
        for group in metadata.row_groups() {
            let count = u64::try_from(group.num_rows()).ok();
            let sum = count.and_then(|count| rows.checked_add(count));
            rows = sum.ok_or_else(|| damaged(source, "its row groups are damaged"))?;
        }
        let schema = metadata.file_metadata().schema_descr();
        let size = u128::from(rows) * 8 * schema.num_columns() as u128;
        if size > u128::from(FREE_BYTES + whole.len() * BYTES_PER_BYTE) {
            return Err(damaged(source, &format!("it claims {rows} rows, more than it can hold")));
        }
        let (columns, leaves) = columns(schema, source)?;
        Ok(Self {
            source: source.clone(),
            whole: Arc::new(whole),
            metadata,
            columns,
            leaves,
            group: 0,
            values: Vec::new(),
            in_group: 0,
            row: 0,
            rows,
        })
    }

    pub(super) fn columns(&self) -> &[Declared] {
        &self.columns
    }

    pub(super) fn rows_left(&self) -> usize {
        (self.rows - self.row) as usize
    }

    /// As for every reader; `wanted` is the same in all calls.
    pub(super) fn read<S: Sink>(
        &mut self,
        most: usize,
        wanted: &[usize],
        sinks: &mut [S],
    ) -> Result<usize> {
        let mut read = 0;
        while read < most {
            if self.in_group == 0 {
                if self.group == self.metadata.num_row_groups() {
                    break;
                }
                self.open_group(wanted)?;
                continue;
            }
            let count = (self.in_group as usize).min(most - read).min(BATCH);
            for (values, sink) in self.values.iter_mut().zip(&mut *sinks) {
                values.push(self.row, count, sink, &self.source)?;
            }
            self.in_group -= count as u64;
            self.row += count as u64;
            read += count;
        }
        Ok(read)
    }

    fn open_group(&mut self, wanted: &[usize]) -> Result<()> {
        let group = self.metadata.row_group(self.group);
        self.values.clear();
        for &column in wanted {
            let (leaf, meaning) = self.leaves[column].map_err(|what| self.refuse(column, what))?;
            let name = self.columns[column].name.clone();
            let values = fenced(&self.source, || {
                let pages = Pages::new(&self.whole, group.column(leaf))?;
                let descriptor = group.schema_descr().column(leaf);
                let present = descriptor.max_def_level();
                let reader = get_column_reader(descriptor, Box::new(pages));
                Ok(Values { name, meaning, reader, present })
            })?;
            self.values.push(values);
        }
        self.in_group = group.num_rows().max(0) as u64;
        self.group += 1;
        Ok(())
    }

    fn refuse(&self, column: usize, what: &str) -> Error {
        Error::table(
            place(&self.source, None, Some(self.columns[column].name.clone())),
            format!("the column holds {what}"),
            "numbers, texts or truth values",
            "write the table without this column, or with simple values in it",
        )
    }
}

/// The bytes of the metadata at the end of the file.
fn footer(whole: &Whole, source: &Source) -> Result<Bytes> {
    let no_end = || {
        let why = "it does not end like a Parquet file; it is cut short, encrypted, or gzipped as a whole";
        damaged(source, why)
    };
    let bytes = |from: u64, length: u64| whole.bytes(from, length).map_err(|e| source.failed(e));
    let tail = whole.len().checked_sub(8).ok_or_else(no_end)?;
    let end = bytes(tail, 8)?;
    let ([a, b, c, d], b"PAR1") = (&end[..4], &end[4..]) else { return Err(no_end()) };
    let length = u64::from(u32::from_le_bytes([*a, *b, *c, *d]));
    let start = tail.checked_sub(length).ok_or_else(no_end)?;
    bytes(start, length)
}

/// Whether the lists and the schema of the footer can be as large as they claim.
fn check_footer(footer: &[u8]) -> Option<()> {
    let (mut elements, mut children, mut groups, mut sound) = (0, 0_i64, 0_usize, true);
    thrift::walk(footer, &mut |path, value| match path {
        [2] => elements = value,
        [2, 0, 5] => {
            sound &= value >= 0;
            children = children.saturating_add(value);
            groups += usize::from(value > 0);
        }
        _ => {}
    })?;
    (sound && children <= elements && groups <= MAX_GROUPS).then_some(())
}

type Leaf = Result<(usize, Meaning), &'static str>;

/// The columns of the table and where their values are.
fn columns(schema: &SchemaDescriptor, source: &Source) -> Result<(Vec<Declared>, Vec<Leaf>)> {
    let fields = schema.root_schema().get_fields();
    let mut leaves: Vec<Leaf> = vec![Err("nested values"); fields.len()];
    for leaf in 0..schema.num_columns() {
        let column = schema.get_column_root_idx(leaf);
        let descriptor = schema.column(leaf);
        if fields[column].is_primitive() && descriptor.max_rep_level() == 0 {
            leaves[column] = Meaning::of(&descriptor).map(|meaning| (leaf, meaning));
        }
    }
    let holds = |leaf: &Leaf| leaf.map_or(Holds::Texts, |(_, meaning)| meaning.holds());
    let declared = fields.iter().zip(&leaves);
    let columns: Vec<Declared> = declared
        .map(|(field, leaf)| Declared { name: field.name().to_owned(), holds: holds(leaf) })
        .collect();
    if columns.is_empty() {
        return Err(damaged(source, "it has no columns"));
    }
    if let Some(name) = twice(columns.iter().map(|column| column.name.as_str())) {
        return Err(Error::table(
            place(source, None, Some(name.to_owned())),
            format!("two columns are called `{name}`"),
            "a different name for each column",
            "rename one of them",
        ));
    }
    Ok((columns, leaves))
}

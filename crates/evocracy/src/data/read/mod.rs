//! Readers: from bytes to tables, with errors that name file, line and column.
//!
//! [`read_table`] reads a whole table and infers what its columns hold; [`Stream`] reads rows
//! chunk by chunk into columns that are known already, in bounded memory. Both read CSV and its
//! relatives, ARFF, idx images and, with the feature `parquet`, Parquet; the format is told by
//! content.

mod arff;
mod buffer;
mod cell;
mod fence;
mod format;
mod idx;
mod infer;
mod intern;
mod levels;
mod number;
mod packed;
#[cfg(feature = "parquet")]
mod parquet;
mod reader;
mod records;
mod source;
mod stream;
mod text;
mod utf16;
mod waiting;
mod word;
mod wrong;

pub(crate) use cell::by_value_then_text;
pub use format::{Format, MISSING_TEXTS, Reading};
pub use infer::{read_table, read_table_until};
pub use number::Written;
pub(crate) use number::has_decimal_comma;
pub use source::Source;
pub use stream::{Skipped, Stream, Unseen};
pub use waiting::Waiting;
pub use wrong::At;

pub(super) use infer::{Read, read_all};
pub(super) use text::texts;
pub(super) use waiting::is_pipe;

use crate::error::{Error, Remedy, Result};
use crate::run::Stop;
use std::path::Path;
use wrong::{place, place_at, shown};

/// What can be read, for messages.
const READABLE: &str =
    "a table: CSV, TSV or ARFF (plain or packed by gzip, zstd or xz), Parquet or idx images";

/// Endings of the names of files that hold a table.
pub const ENDINGS: [&str; 13] = [
    ".csv.gz",
    ".csv.zst",
    ".csv.xz",
    ".csv",
    ".tsv.gz",
    ".tsv.zst",
    ".tsv.xz",
    ".tsv",
    ".arff.gz",
    ".arff.zst",
    ".arff.xz",
    ".arff",
    ".parquet",
];

/// The table at a path: a file, or what comes once, such as a pipe. `None` where there is nothing
/// to read from.
pub fn at(path: &Path) -> Result<Option<Source>> {
    if path.is_file() {
        return Ok(Some(Source::file(path)));
    }
    if path.is_dir() || !path.exists() {
        return Ok(None);
    }
    let pipe = std::fs::File::open(path).map_err(|e| Error::io("read", path, e))?;
    Ok(Some(Source::once(path.display().to_string(), pipe)))
}

/// As [`at`]; a named pipe, whose writer may not be there yet or stay silent, is waited for until the
/// flag is raised.
pub fn at_until(path: &Path, stop: &'static Stop) -> Result<Option<Source>> {
    if !is_pipe(path) {
        return at(path);
    }
    Ok(Some(Source::once(path.display().to_string(), Waiting::pipe(path, stop))))
}

/// The error for a table of more than `most` columns.
fn too_wide(source: &Source, line: Option<u64>, most: usize) -> Error {
    let what = format!("there are more than {most} columns");
    let expected = format!("at most {most} columns");
    Error::table(place(source, line, None), what, expected, Remedy::MoreColumns)
}

/// The first name that comes twice.
fn twice<'a>(mut names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut seen = std::collections::HashSet::new();
    names.find(|name| !seen.insert(*name))
}

/// Whether this thread is in a call to a decoder whose panics are caught and become errors. The
/// library installs no panic hook; that of a shell can ask here whether to stay silent.
pub fn catching_panics() -> bool {
    fence::catching()
}

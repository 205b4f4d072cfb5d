//! Calls into the decoder: its errors and its panics become errors of the source.

use super::super::{Source, fence, place};
use crate::error::{Error, Result};
use parquet::errors::ParquetError;

/// Calls the decoder; its errors and its panics become errors of the source.
pub(super) fn fenced<T>(
    source: &Source,
    call: impl FnOnce() -> Result<T, ParquetError>,
) -> Result<T> {
    // What the call has changed is never used after a panic: the reader gives up.
    match fence::fenced(call) {
        Some(Ok(value)) => Ok(value),
        Some(Err(error)) => Err(damaged(source, &error.to_string())),
        None => Err(damaged(source, "its parts do not fit each other")),
    }
}

/// The error for a file that is damaged or uses what is not known here.
pub(super) fn damaged(source: &Source, why: &str) -> Error {
    Error::table(
        place(source, None, None),
        format!("the file cannot be read: {why}"),
        "a Parquet file",
        "write it again; snappy, gzip, zstd and lz4-raw are the compressions that are read",
    )
}

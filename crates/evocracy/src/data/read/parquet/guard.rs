//! A fence around the decoder.
//!
//! The crate that decodes Parquet panics on some damaged files: it indexes and slices by numbers
//! that stand in the file. A damaged file must be an error and not the end of the program, so
//! every call into the decoder is fenced. A library installs no panic hook, and the one of the
//! shell would still print; it can ask [`catching`] whether to stay silent.

use super::super::{Source, place};
use crate::error::{Error, Result};
use parquet::errors::ParquetError;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is in a call whose panics are caught and become errors.
pub(in super::super) fn catching() -> bool {
    CATCHING.get()
}

/// Calls the decoder; its errors and its panics become errors of the source.
pub(super) fn fenced<T>(
    source: &Source,
    call: impl FnOnce() -> Result<T, ParquetError>,
) -> Result<T> {
    let before = CATCHING.replace(true);
    // What the call has changed is never used after a panic: the reader gives up.
    let result = catch_unwind(AssertUnwindSafe(call));
    CATCHING.set(before);
    match result {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(damaged(source, &error.to_string())),
        Err(_) => Err(damaged(source, "its parts do not fit each other")),
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

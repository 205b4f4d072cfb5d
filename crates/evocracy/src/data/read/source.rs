//! Where bytes come from: files or memory, plain or gzipped.

use crate::error::{Error, Place, Result};
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A source of bytes. It can be read more than once, except one made by [`Source::once`].
#[derive(Clone)]
pub struct Source {
    name: String,
    from: From,
}

/// Bytes on their way.
type Bytes = Box<dyn Read + Send>;

#[derive(Clone)]
enum From {
    File(PathBuf),
    Memory(Arc<[u8]>),
    Embedded(&'static [u8]),
    Once(Arc<Mutex<Option<Bytes>>>),
}

/// Starts of files that are no text tables, with what they are.
const FOREIGN: [(&[u8], &str); 5] = [
    (b"PK\x03\x04", "a zip archive or an Excel workbook"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "an Arrow file"),
    (b"EVOCRACY", "an evocracy model"),
    (b"\x89PNG", "a picture"),
];

impl Source {
    /// A file.
    pub fn file(path: &Path) -> Self {
        Self { name: path.display().to_string(), from: From::File(path.to_owned()) }
    }

    /// Bytes in memory, under a name for messages.
    pub fn memory(name: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> Self {
        Self { name: name.into(), from: From::Memory(bytes.into()) }
    }

    /// Bytes that come once, such as standard input: enough for a stream.
    pub fn once(name: impl Into<String>, input: impl Read + Send + 'static) -> Self {
        let input: Bytes = Box::new(input);
        Self { name: name.into(), from: From::Once(Arc::new(Mutex::new(Some(input)))) }
    }

    /// Bytes compiled into the program.
    pub(in crate::data) fn embedded(name: &str, bytes: &'static [u8]) -> Self {
        Self { name: name.to_owned(), from: From::Embedded(bytes) }
    }

    /// The name for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The bytes from the start, gunzipped where they are gzipped.
    pub(in crate::data) fn open(&self) -> Result<Bytes> {
        let mut raw: Bytes = match &self.from {
            From::File(path) => Box::new(File::open(path).map_err(|e| Error::io("read", path, e))?),
            From::Memory(bytes) => Box::new(Cursor::new(Arc::clone(bytes))),
            From::Embedded(bytes) => Box::new(*bytes),
            From::Once(input) => {
                let mut input = input.lock().unwrap_or_else(PoisonError::into_inner);
                input.take().ok_or_else(|| {
                    let what = format!("{} can be read only once", self.name);
                    Error::unsuitable(what, "save it to a file first")
                })?
            }
        };
        let mut start = Vec::with_capacity(8);
        raw.by_ref().take(8).read_to_end(&mut start).map_err(|e| self.failed(e))?;
        if let Some((_, what)) = FOREIGN.iter().find(|(magic, _)| start.starts_with(magic)) {
            let place = Place { source: self.name.clone(), ..Place::default() };
            let expected = "a CSV or TSV file, plain or gzipped";
            return Err(Error::table(place, format!("this is {what}"), expected, ""));
        }
        let gzipped = start.starts_with(&[0x1f, 0x8b]);
        let whole = Cursor::new(start).chain(raw);
        Ok(if gzipped { Box::new(MultiGzDecoder::new(whole)) } else { Box::new(whole) })
    }

    /// The error for a read that failed.
    pub(in crate::data) fn failed(&self, error: std::io::Error) -> Error {
        match &self.from {
            From::File(path) => Error::io("read", path, error),
            _ => Error::io("read", Path::new(&self.name), error),
        }
    }
}

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
    /// The labels that belong to images.
    labels: Option<Box<Source>>,
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

/// A source that was opened.
pub(in crate::data) struct Opened {
    /// Its bytes from the start, gunzipped where they are gzipped.
    pub(in crate::data) input: Bytes,
    /// How many bytes it has, where that is known.
    pub(in crate::data) size: Option<u64>,
}

/// Starts of files that are no tables, with what they are.
const FOREIGN: [(&[u8], &str); 4] = [
    (b"PK\x03\x04", "a zip archive or an Excel workbook"),
    (b"ARROW1", "an Arrow file"),
    (b"EVOCRACY", "an evocracy model"),
    (b"\x89PNG", "a picture"),
];

/// How the parts of idx files are called, images and labels.
const IDX_NAMES: [(&str, &str); 2] =
    [("images-idx3", "labels-idx1"), ("images.idx3", "labels.idx1")];

/// What is gunzipped, as long as it does not grow beyond all measure: a small file can hold
/// terabytes.
struct Gunzipped<R: Read> {
    decoder: MultiGzDecoder<Counted<R>>,
    out: u64,
}

/// Counts the bytes that are read through it.
struct Counted<R> {
    inner: R,
    count: u64,
}

impl<R: Read> Gunzipped<R> {
    /// How many times its size a file may grow, beyond so many bytes. Tables of text grow by 3 to
    /// 50; more than 1032 is not possible.
    const MOST_TIMES: u64 = 400;
    const FREE: u64 = 256 << 20;

    fn new(inner: R) -> Self {
        Self { decoder: MultiGzDecoder::new(Counted { inner, count: 0 }), out: 0 }
    }
}

impl<R: Read> Read for Gunzipped<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.decoder.read(buffer)?;
        self.out += count as u64;
        let allowed = Self::MOST_TIMES * self.decoder.get_ref().count;
        if self.out > Self::FREE.max(allowed) {
            return Err(std::io::Error::other(format!(
                "it grows to more than {} times its size when it is gunzipped; if that is meant, \
                 gunzip it first",
                Self::MOST_TIMES
            )));
        }
        Ok(count)
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.count += count as u64;
        Ok(count)
    }
}

impl Source {
    fn of(name: String, from: From) -> Self {
        Self { name, from, labels: None }
    }

    /// A file.
    pub fn file(path: &Path) -> Self {
        Self::of(path.display().to_string(), From::File(path.to_owned()))
    }

    /// Bytes in memory, under a name for messages.
    pub fn memory(name: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> Self {
        Self::of(name.into(), From::Memory(bytes.into()))
    }

    /// Bytes that come once, such as standard input: enough for a stream.
    pub fn once(name: impl Into<String>, input: impl Read + Send + 'static) -> Self {
        let input: Bytes = Box::new(input);
        Self::of(name.into(), From::Once(Arc::new(Mutex::new(Some(input)))))
    }

    /// The files that it is read from, labels of images included.
    pub(in crate::data) fn files(&self) -> Vec<PathBuf> {
        let own = if let From::File(path) = &self.from { Some(path.clone()) } else { None };
        own.into_iter().chain(self.labels().iter().flat_map(Self::files)).collect()
    }

    /// Bytes compiled into the program.
    pub(in crate::data) fn embedded(name: &str, bytes: &'static [u8]) -> Self {
        Self::of(name.to_owned(), From::Embedded(bytes))
    }

    /// The name for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same images with their labels. Those of a file are found beside it by its name, such
    /// as `train-labels-idx1-ubyte` beside `train-images-idx3-ubyte`.
    #[must_use]
    pub fn with_labels(self, labels: Self) -> Self {
        Self { labels: Some(Box::new(labels)), ..self }
    }

    /// The labels of images: those given, else the file beside them.
    pub fn labels(&self) -> Option<Self> {
        if let Some(labels) = &self.labels {
            return Some(Self::clone(labels));
        }
        let From::File(path) = &self.from else { return None };
        let name = path.file_name()?.to_str()?;
        let plain = name.strip_suffix(".gz").unwrap_or(name);
        let (images, labels) = IDX_NAMES.iter().find(|(images, _)| plain.contains(images))?;
        let beside = plain.replace(images, labels);
        let candidates = [path.with_file_name(format!("{beside}.gz")), path.with_file_name(beside)];
        candidates.iter().find(|path| path.is_file()).map(|path| Self::file(path))
    }

    /// The bytes from the start.
    pub(in crate::data) fn open(&self) -> Result<Opened> {
        let (mut raw, size) = self.raw()?;
        let mut magic = Vec::with_capacity(8);
        raw.by_ref().take(8).read_to_end(&mut magic).map_err(|e| self.failed(e))?;
        if let Some((_, what)) = FOREIGN.iter().find(|(start, _)| magic.starts_with(start)) {
            let place = Place { source: self.name.clone(), ..Place::default() };
            return Err(Error::table(place, format!("this is {what}"), super::READABLE, ""));
        }
        let gzipped = magic.starts_with(&[0x1f, 0x8b]);
        let whole = Cursor::new(magic).chain(raw);
        if gzipped {
            return Ok(Opened { input: Box::new(Gunzipped::new(whole)), size: None });
        }
        Ok(Opened { input: Box::new(whole), size })
    }

    /// The same bytes in memory, gunzipped where they are gzipped, to be read more than once.
    pub fn in_memory(&self) -> Result<Self> {
        let mut bytes = Vec::new();
        self.open()?.input.read_to_end(&mut bytes).map_err(|e| self.failed(e))?;
        Ok(Self::memory(self.name.clone(), bytes))
    }

    /// All of it as text, gunzipped where it is gzipped; an error beyond `most` bytes.
    pub fn text(&self, most: u64) -> Result<String> {
        let mut bytes = Vec::new();
        let input = self.open()?.input;
        input.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(|e| self.failed(e))?;
        let wrong = |problem: &str, expected: String| {
            let place = Place { source: self.name.clone(), ..Place::default() };
            Error::table(place, problem, expected, "")
        };
        if bytes.len() as u64 > most {
            return Err(wrong("the file is too large", format!("at most {most} bytes")));
        }
        String::from_utf8(bytes).map_err(|_| wrong("this is no text", "UTF-8".to_owned()))
    }

    /// The bytes as they are on disk, and how many they are.
    fn raw(&self) -> Result<(Bytes, Option<u64>)> {
        Ok(match &self.from {
            From::File(path) => {
                let file = File::open(path).map_err(|e| Error::io("read", path, e))?;
                let size = file.metadata().ok().filter(std::fs::Metadata::is_file);
                (Box::new(file), size.map(|size| size.len()))
            }
            From::Memory(bytes) => {
                (Box::new(Cursor::new(Arc::clone(bytes))), Some(bytes.len() as u64))
            }
            From::Embedded(bytes) => (Box::new(*bytes), Some(bytes.len() as u64)),
            From::Once(input) => {
                let mut input = input.lock().unwrap_or_else(PoisonError::into_inner);
                let input = input.take().ok_or_else(|| {
                    let what = format!("{} can be read only once", self.name);
                    Error::unsuitable(what, "save it to a file first")
                })?;
                (input, None)
            }
        })
    }

    /// The bytes in any order.
    #[cfg(feature = "parquet")]
    pub(super) fn whole(&self) -> Result<super::parquet::Whole> {
        use super::parquet::Whole;
        Ok(match &self.from {
            From::File(path) => {
                let file = File::open(path).map_err(|e| Error::io("read", path, e))?;
                let length = file.metadata().map_err(|e| Error::io("read", path, e))?.len();
                Whole::File(file, length)
            }
            From::Memory(bytes) => Whole::Memory(bytes::Bytes::from_owner(Arc::clone(bytes))),
            From::Embedded(bytes) => Whole::Memory(bytes::Bytes::from_static(bytes)),
            From::Once(_) => {
                let what = format!("Parquet is read from its end, and {} comes once", self.name);
                return Err(Error::unsuitable(what, "save it to a file first"));
            }
        })
    }

    /// The error for a read that failed.
    pub(in crate::data) fn failed(&self, error: std::io::Error) -> Error {
        // A reader that waits, such as that of a pipe, may be told to stop meanwhile.
        let own = error.get_ref().and_then(|inner| inner.downcast_ref::<Error>());
        if matches!(own, Some(Error::Stopped)) {
            return Error::Stopped;
        }
        match &self.from {
            From::File(path) => Error::io("read", path, error),
            _ => Error::io("read", Path::new(&self.name), error),
        }
    }
}

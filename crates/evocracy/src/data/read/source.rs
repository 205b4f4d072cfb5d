//! Where bytes come from: files or memory, plain or packed, in UTF-8 or UTF-16.

use super::packed::{self, Packing};
use super::utf16::Utf16;
use super::waiting::within;
use crate::error::{Error, Place, Result};
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
    /// Its bytes from the start, unpacked where they are packed, text as UTF-8.
    pub(in crate::data) input: Bytes,
    /// How many bytes it has, where that is known.
    pub(in crate::data) size: Option<u64>,
}

/// Starts of files that are no tables, with what they are.
const FOREIGN: [(&[u8], &str); 6] = [
    (b"\xff\xfe\0\0", "text in UTF-32"),
    (b"\0\0\xfe\xff", "text in UTF-32"),
    (b"PK\x03\x04", "a zip archive or an Excel workbook"),
    (b"ARROW1", "an Arrow file"),
    (b"EVOCRACY", "an evocracy model"),
    (b"\x89PNG", "a picture"),
];

/// How the parts of idx files are called, images and labels.
const IDX_NAMES: [(&str, &str); 2] =
    [("images-idx3", "labels-idx1"), ("images.idx3", "labels.idx1")];

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
        let plain = packed::ENDINGS.iter().find_map(|e| name.strip_suffix(e)).unwrap_or(name);
        let (images, labels) = IDX_NAMES.iter().find(|(images, _)| plain.contains(images))?;
        let beside = plain.replace(images, labels);
        let candidates = [path.with_file_name(format!("{beside}.gz")), path.with_file_name(beside)];
        candidates.iter().find(|path| path.is_file()).map(|path| Self::file(path))
    }

    /// The bytes from the start.
    pub(in crate::data) fn open(&self) -> Result<Opened> {
        let (raw, size) = self.raw()?;
        let (magic, whole) = self.peek(raw)?;
        let Some(packing) = Packing::of(&magic) else {
            return self.as_utf8(&magic, whole, size);
        };
        let (magic, whole) = self.peek(packing.unpack(whole))?;
        self.as_utf8(&magic, whole, None)
    }

    /// The first bytes of a source, and all of them.
    fn peek(&self, mut raw: Bytes) -> Result<(Vec<u8>, Bytes)> {
        let mut magic = Vec::with_capacity(8);
        raw.by_ref().take(8).read_to_end(&mut magic).map_err(|e| self.failed(e))?;
        Ok((magic.clone(), Box::new(Cursor::new(magic).chain(raw))))
    }

    /// Bytes that begin like this, text as UTF-8.
    fn as_utf8(&self, magic: &[u8], mut input: Bytes, size: Option<u64>) -> Result<Opened> {
        if let Some((_, what)) = FOREIGN.iter().find(|(start, _)| magic.starts_with(start)) {
            let place = Place { source: self.name.clone(), ..Place::default() };
            return Err(Error::table(place, format!("this is {what}"), super::READABLE, ""));
        }
        let big_endian = match magic {
            [0xff, 0xfe, ..] => false,
            [0xfe, 0xff, ..] => true,
            _ => return Ok(Opened { input, size }),
        };
        input.read_exact(&mut [0; 2]).map_err(|e| self.failed(e))?;
        Ok(Opened { input: Box::new(Utf16::new(input, big_endian)), size: None })
    }

    /// The same bytes in memory, unpacked where they are packed, to be read more than once; an error
    /// beyond `most` bytes.
    pub fn in_memory(&self, most: u64) -> Result<Self> {
        let mut bytes = Vec::new();
        let input = self.open()?.input;
        input.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(|e| self.failed(e))?;
        within(&self.name, &bytes, most)?;
        Ok(Self::memory(self.name.clone(), bytes))
    }

    /// All of it as text, unpacked where it is packed; an error beyond `most` bytes.
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

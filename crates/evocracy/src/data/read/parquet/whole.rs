//! Any bytes of a file, as Parquet needs them.

use bytes::Bytes;
use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result, Seek, SeekFrom};

/// A source whose bytes can be taken in any order.
pub(in super::super) enum Whole {
    /// A file and its length. It is read by one reader only, which seeks before every read.
    File(File, u64),
    /// Bytes in memory.
    Memory(Bytes),
}

impl Whole {
    pub(super) fn len(&self) -> u64 {
        match self {
            Self::File(_, length) => *length,
            Self::Memory(bytes) => bytes.len() as u64,
        }
    }

    /// The `length` bytes from `start` on, which must be within the source.
    pub(super) fn bytes(&self, start: u64, length: u64) -> Result<Bytes> {
        let end = start.checked_add(length).filter(|&end| end <= self.len());
        let end = end.ok_or_else(|| Error::from(ErrorKind::UnexpectedEof))?;
        match self {
            Self::Memory(bytes) => Ok(bytes.slice(start as usize..end as usize)),
            Self::File(file, _) => {
                let mut file = file;
                file.seek(SeekFrom::Start(start))?;
                let mut bytes = vec![0; length as usize];
                file.read_exact(&mut bytes)?;
                Ok(bytes.into())
            }
        }
    }
}

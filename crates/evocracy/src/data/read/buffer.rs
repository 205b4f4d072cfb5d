//! The bytes of a source, one block at a time.

use super::{Source, place, word};
use crate::error::{Error, Result};
use memchr::memchr;
use std::io::Read;

/// The longest record, in bytes.
const MAX_RECORD: usize = 64 << 20;
/// How many bytes are read at a time.
pub(super) const BLOCK: usize = 256 << 10;

/// What is read of a source and not yet given out. A record longer than [`MAX_RECORD`] is
/// refused, so no input makes memory grow.
pub(super) struct Buffer {
    pub(super) source: Source,
    input: Box<dyn Read + Send>,
    /// How long the source is, where that is known.
    size: Option<u64>,
    bytes: Vec<u8>,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) at_end: bool,
    /// How many bytes were read in all.
    read: u64,
    /// The line that starts at `start`, from 1.
    pub(super) line: u64,
    /// Whether lines end with a carriage return alone, which is read as a line feed.
    returns: bool,
}

impl Buffer {
    /// The start of a source, without a byte-order mark.
    pub(super) fn open(source: &Source) -> Result<Self> {
        let opened = source.open()?;
        // One byte more than a small source shows that it is at its end.
        let room = opened.size.map_or(BLOCK, |size| size.clamp(63, BLOCK as u64 - 1) as usize + 1);
        let mut buffer = Self {
            source: source.clone(),
            input: opened.input,
            size: opened.size,
            bytes: vec![0; room + word::SLACK],
            start: 0,
            end: 0,
            at_end: false,
            read: 0,
            line: 1,
            returns: false,
        };
        buffer.fill()?;
        // A return at the very end may be the first half of a line's end.
        let filled = &buffer.bytes[..buffer.end];
        let cut = filled.len() - usize::from(!buffer.at_end && !filled.is_empty());
        if memchr(b'\n', filled).is_none() && memchr(b'\r', &filled[..cut]).is_some() {
            buffer.returns = true;
            feed(&mut buffer.bytes[..buffer.end]);
        }
        if buffer.filled().starts_with(b"\xef\xbb\xbf") {
            buffer.start = 3;
        }
        Ok(buffer)
    }

    /// The bytes that are read and not yet given out.
    pub(super) fn filled(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// The same, with the bytes behind them.
    pub(super) fn rest(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    /// All bytes from position `from` of the block on.
    pub(super) fn from(&self, from: usize) -> &[u8] {
        &self.bytes[from..]
    }

    /// How many rows are left if they are as long as the `rows` that were read so far.
    pub(super) fn rows_left(&self, rows: usize) -> Option<usize> {
        let done = self.read - (self.end - self.start) as u64;
        let left = self.size?.saturating_sub(done) as f64;
        // Rows differ: a hundredth more spares most files a second allocation.
        Some((left / done.max(1) as f64 * rows as f64 * 1.01) as usize + 16)
    }

    /// Moves what is left to the front of the block and reads more behind it.
    pub(super) fn fill(&mut self) -> Result<()> {
        self.bytes.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.end + word::SLACK == self.bytes.len() {
            if self.end >= MAX_RECORD {
                return Err(Error::table(
                    place(&self.source, Some(self.line), None),
                    format!("the line is longer than {} MiB", MAX_RECORD >> 20),
                    "a table with one line for each row",
                    "a quote that is never closed also reads like this",
                ));
            }
            self.bytes.resize(self.end * 2 + word::SLACK, 0);
        }
        let room = self.bytes.len() - word::SLACK;
        while self.end < room {
            match self.input.read(&mut self.bytes[self.end..room]) {
                Ok(0) => {
                    self.at_end = true;
                    break;
                }
                Ok(count) => {
                    if self.returns {
                        feed(&mut self.bytes[self.end..self.end + count]);
                    }
                    self.end += count;
                    self.read += count as u64;
                }
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Err(e) => return Err(self.source.failed(e)),
            }
        }
        Ok(())
    }

    /// The next line with what follows it, how many bytes it has without its end, and its
    /// number; `None` at the end.
    pub(super) fn next_line(&mut self) -> Result<Option<(&[u8], usize, u64)>> {
        let end = loop {
            match memchr(b'\n', self.filled()) {
                Some(end) => break end,
                None if !self.at_end => self.fill()?,
                None if self.start == self.end => return Ok(None),
                None => break self.end - self.start,
            }
        };
        let from = self.start;
        self.start = (from + end + 1).min(self.end);
        self.line += 1;
        let rest = &self.bytes[from..];
        let len = end - usize::from(rest[..end].ends_with(b"\r"));
        Ok(Some((rest, len, self.line - 1)))
    }
}

/// Ends lines that end with a carriage return by a line feed.
fn feed(bytes: &mut [u8]) {
    bytes.iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
}

//! Splitting bytes into records and cells: RFC 4180 with any one-byte delimiter, `\n` or `\r\n`,
//! empty lines and comments skipped, a byte-order mark dropped.
//!
//! Cells are slices of the block that is read; only records with quotes are copied.

use super::buffer::Buffer;
use super::cell::Cell;
use super::{Format, cell, place, too_wide, word};
use crate::error::{Error, Result};
use memchr::{memchr, memchr_iter, memchr2};

/// Delimiters that are recognised, the likelier first.
const DELIMITERS: [u8; 4] = [b',', b'\t', b';', b'|'];

/// The records of a source, one after the other.
pub(super) struct Records {
    buffer: Buffer,
    delimiter: u8,
    /// What lines without a record begin with.
    comment: Option<u8>,
    /// The most cells of a record.
    most: usize,
    cells: Vec<(u32, u32)>,
    unquoted: Vec<u8>,
}

/// One record.
pub(super) struct Record<'a> {
    bytes: &'a [u8],
    cells: &'a [(u32, u32)],
    line: u64,
}

impl<'a> Record<'a> {
    /// The line it starts in, from 1.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Its cells without surrounding white space.
    pub(super) fn cells(&self) -> impl Iterator<Item = &'a [u8]> {
        (0..self.len()).map(|at| self.cell(at).trimmed())
    }

    /// Cell `at`.
    #[inline]
    pub(super) fn cell(&self, at: usize) -> Cell<'a> {
        let (from, to) = self.cells[at];
        Cell::new(&self.bytes[from as usize..], (to - from) as usize)
    }
}

/// How far a scan got.
enum Scan {
    /// A record was found: where the next one starts, and whether its cells are in `unquoted`.
    Found { next: usize, unquoted: bool },
    /// The block ends within the record.
    Cut,
}

impl Records {
    /// The records of a text, without comments before the first one: those begin with `#` or
    /// with what the format says.
    pub(super) fn new(buffer: Buffer, format: &Format) -> Result<Self> {
        let (comment, most) = (format.comment, format.most_columns);
        let (cells, unquoted) = (Vec::new(), Vec::new());
        let mut records = Self { buffer, delimiter: b',', comment, most, cells, unquoted };
        records.skip_comments(format.delimiter)?;
        records.delimiter = format.delimiter.unwrap_or_else(|| sniff(records.buffer.filled()));
        Ok(records)
    }

    /// What separates cells.
    pub(super) fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// Skips comments before the first record. A line that begins with `#` is one, unless it has
    /// as many cells as the line after it and is like a line of names: without a space after
    /// the mark, or with numbers in the line below.
    fn skip_comments(&mut self, delimiter: Option<u8>) -> Result<()> {
        loop {
            self.skip_to_record()?;
            if self.comment.is_some() || self.buffer.filled().first() != Some(&b'#') {
                return Ok(());
            }
            // Up to the end of the next line.
            let (line, next) = loop {
                let filled = self.buffer.filled();
                let line = memchr(b'\n', filled);
                let next =
                    line.and_then(|end| memchr(b'\n', &filled[end + 1..]).map(|at| end + 1 + at));
                match (line, next) {
                    (Some(line), Some(next)) => break (line, next),
                    (line, _) if self.buffer.at_end => {
                        break (line.unwrap_or(filled.len()), filled.len());
                    }
                    _ => self.buffer.fill()?,
                }
            };
            let filled = self.buffer.filled();
            let (own, below) = (&filled[..line], &filled[(line + 1).min(next)..next]);
            if names_columns(own, below, delimiter) {
                return Ok(());
            }
            self.buffer.start += (line + 1).min(filled.len());
            self.buffer.line += 1;
        }
    }

    /// How many rows are left if they are as long as the `rows` that were read so far.
    pub(super) fn rows_left(&self, rows: usize) -> Option<usize> {
        self.buffer.rows_left(rows)
    }

    /// The next record, or `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Record<'_>>> {
        let Some((next, unquoted)) = self.locate()? else { return Ok(None) };
        let line = self.buffer.line;
        let from = std::mem::replace(&mut self.buffer.start, next);
        let bytes = if unquoted {
            let raw = &self.buffer.from(from)[..next - from];
            self.buffer.line += memchr_iter(b'\n', raw).count() as u64;
            &self.unquoted
        } else {
            self.buffer.line += 1;
            self.buffer.from(from)
        };
        Ok(Some(Record { bytes, cells: &self.cells, line }))
    }

    /// The number of cells of the next record, which stays to be read.
    pub(super) fn peek_width(&mut self) -> Result<Option<usize>> {
        Ok(self.locate()?.map(|_| self.cells.len()))
    }

    /// Brings the next record into the block and finds its cells: where the record after it
    /// starts, and whether the cells are in `unquoted`.
    fn locate(&mut self) -> Result<Option<(usize, bool)>> {
        loop {
            self.skip_to_record()?;
            if self.buffer.start == self.buffer.end && self.buffer.at_end {
                return Ok(None);
            }
            match self.scan()? {
                Scan::Found { next, unquoted } => return Ok(Some((next, unquoted))),
                Scan::Cut => self.buffer.fill()?,
            }
        }
    }

    /// Skips empty lines and, where the person said what they begin with, comments.
    fn skip_to_record(&mut self) -> Result<()> {
        loop {
            self.skip_empty_lines();
            let Some(mark) = self.comment else { return Ok(()) };
            let filled = self.buffer.filled();
            match filled.first() {
                Some(first) if *first == mark => {}
                None if !self.buffer.at_end => {
                    self.buffer.fill()?;
                    continue;
                }
                _ => return Ok(()),
            }
            match memchr(b'\n', filled) {
                Some(end) => self.buffer.start += end + 1,
                None if self.buffer.at_end => self.buffer.start = self.buffer.end,
                None => {
                    self.buffer.fill()?;
                    continue;
                }
            }
            self.buffer.line += 1;
        }
    }

    fn skip_empty_lines(&mut self) {
        loop {
            let skipped = match self.buffer.filled() {
                [b'\n', ..] => 1,
                [b'\r', b'\n', ..] => 2,
                [b'\r'] if self.buffer.at_end => 1,
                _ => return,
            };
            self.buffer.start += skipped;
            self.buffer.line += 1;
        }
    }

    /// Finds the cells of the record at the start of the block.
    fn scan(&mut self) -> Result<Scan> {
        let bytes = self.buffer.filled();
        let mut from = 0;
        // The line ends the record, unless a quote before that opens a cell.
        let end = loop {
            match memchr2(b'\n', b'"', &bytes[from..]).map(|at| from + at) {
                Some(at) if bytes[at] == b'\n' => break at,
                Some(at) if at == 0 || bytes[at - 1] == self.delimiter => {
                    return self.scan_quoted();
                }
                Some(at) => from = at + 1,
                None if self.buffer.at_end => break bytes.len(),
                None => return Ok(Scan::Cut),
            }
        };
        let next = (end + 1).min(bytes.len());
        self.cells.clear();
        split(self.buffer.rest(), end, self.delimiter, self.most, &mut self.cells);
        if self.cells.len() > self.most {
            return Err(too_wide(&self.buffer.source, Some(self.buffer.line), self.most));
        }
        Ok(Scan::Found { next: self.buffer.start + next, unquoted: false })
    }

    /// As [`Records::scan`], for a record with quoted cells, which are copied without quotes.
    fn scan_quoted(&mut self) -> Result<Scan> {
        let bytes = self.buffer.filled();
        self.cells.clear();
        self.unquoted.clear();
        let (mut at, mut from, mut quoted) = (0, 0, false);
        let mut opened = 0;
        loop {
            let Some(&byte) = bytes.get(at) else {
                return match quoted {
                    _ if !self.buffer.at_end => Ok(Scan::Cut),
                    true => Err(self.unclosed(opened)),
                    false => {
                        self.cells.push((from, self.unquoted.len() as u32));
                        Ok(Scan::Found { next: self.buffer.end, unquoted: true })
                    }
                };
            };
            let cell_is_empty = self.unquoted.len() == from as usize;
            match byte {
                b'"' if quoted && bytes.get(at + 1) == Some(&b'"') => {
                    self.unquoted.push(b'"');
                    at += 1;
                }
                // Whether the quote is doubled shows only in the next block.
                b'"' if quoted && at + 1 == bytes.len() && !self.buffer.at_end => {
                    return Ok(Scan::Cut);
                }
                b'"' if quoted => quoted = false,
                b'"' if cell_is_empty => (quoted, opened) = (true, at),
                b'\n' if !quoted => {
                    if self.unquoted.last() == Some(&b'\r') && !cell_is_empty {
                        self.unquoted.pop();
                    }
                    self.cells.push((from, self.unquoted.len() as u32));
                    return Ok(Scan::Found { next: self.buffer.start + at + 1, unquoted: true });
                }
                _ if byte == self.delimiter && !quoted => {
                    if self.cells.len() >= self.most {
                        return Err(too_wide(
                            &self.buffer.source,
                            Some(self.buffer.line),
                            self.most,
                        ));
                    }
                    self.cells.push((from, self.unquoted.len() as u32));
                    from = self.unquoted.len() as u32;
                }
                _ => self.unquoted.push(byte),
            }
            at += 1;
        }
    }

    fn unclosed(&self, opened: usize) -> Error {
        let before = &self.buffer.filled()[..opened];
        let line = self.buffer.line + memchr_iter(b'\n', before).count() as u64;
        Error::table(
            place(&self.buffer.source, Some(line), None),
            "a quote is opened here and never closed",
            "a closing \"",
            "close the quote, or double it (\"\") where it belongs to the text",
        )
    }
}

/// Appends the cells of the line `rest[..end]`, none of which is quoted; not many more than `most`.
fn split(rest: &[u8], end: usize, delimiter: u8, most: usize, cells: &mut Vec<(u32, u32)>) {
    let pattern = word::all(delimiter);
    let mut from = 0;
    for at in (0..end).step_by(8) {
        if cells.len() > most {
            return;
        }
        let mut found = word::equal(word::at(rest, at), pattern);
        while found != 0 {
            let to = at + (found.trailing_zeros() / 8) as usize;
            if to >= end {
                break;
            }
            cells.push((from, to as u32));
            from = to as u32 + 1;
            found &= found - 1;
        }
    }
    let returned = end > from as usize && rest[end - 1] == b'\r';
    cells.push((from, (end - usize::from(returned)) as u32));
}

/// Whether a line that begins with `#` holds the names of the columns of the line below it.
fn names_columns(line: &[u8], below: &[u8], delimiter: Option<u8>) -> bool {
    let delimiter = delimiter.unwrap_or_else(|| sniff(below));
    let cells = |line: &[u8]| memchr_iter(delimiter, line).count() + 1;
    let number = |cell: &[u8]| cell::number(cell.trim_ascii()).is_some();
    let spaced = line.get(1).is_some_and(u8::is_ascii_whitespace) && delimiter != line[1];
    !below.starts_with(b"#")
        && cells(below) > 1
        && cells(line) == cells(below)
        && (!spaced || below.split(|&byte| byte == delimiter).any(number))
}

/// The most frequent delimiter of the first line, outside quotes.
fn sniff(bytes: &[u8]) -> u8 {
    let mut counts = [0_usize; DELIMITERS.len()];
    let mut quoted = false;
    for &byte in bytes {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' if !quoted => break,
            _ if !quoted => {
                if let Some(at) = DELIMITERS.iter().position(|&d| d == byte) {
                    counts[at] += 1;
                }
            }
            _ => {}
        }
    }
    let best = (0..counts.len()).rev().max_by_key(|&at| counts[at]).unwrap_or(0);
    DELIMITERS[best]
}

#[cfg(test)]
mod tests {
    use super::super::{Source, buffer::BLOCK};
    use super::*;

    fn parse(text: &str) -> Result<Vec<Vec<String>>> {
        let mut records =
            Records::new(Buffer::open(&Source::memory("t", text.as_bytes()))?, &Format::default())?;
        let mut rows = Vec::new();
        while let Some(record) = records.next()? {
            let text = |c: &[u8]| String::from_utf8_lossy(c).into_owned();
            rows.push(record.cells().map(text).collect());
        }
        Ok(rows)
    }

    #[test]
    fn the_dialects_of_csv_are_understood() -> Result<()> {
        let plain = vec![vec!["a", "b"], vec!["1", "x y"], vec!["", "z"]];
        for text in [
            "a,b\n1,x y\n,z\n",
            "a,b\r\n1,x y\r\n,z",
            "\u{feff}a;b\n\n1; x y \n;z\n\n",
            "a\tb\n1\tx y\n\tz",
            "\"a\",\"b\"\n1,\"x y\"\r\n\"\",\"z\"",
        ] {
            assert_eq!(parse(text)?, plain, "{text:?}");
        }
        let quoted = parse("a,b\n\"x,\"\"y\"\"\",\"two\nlines\"\n5\" pipe,\"\"\n")?;
        assert_eq!(quoted[1], ["x,\"y\"", "two\nlines"]);
        assert_eq!(quoted[2], ["5\" pipe", ""]);
        Ok(())
    }

    #[test]
    fn records_across_blocks_are_whole_and_lines_are_counted() -> Result<()> {
        let long = "x".repeat(BLOCK - 3);
        let text = format!("a,b\n1,{long}\n\"q\"\"\n{long}\",2\n3,4\n");
        let mut records = Records::new(
            Buffer::open(&Source::memory("t", text.into_bytes()))?,
            &Format::default(),
        )?;
        let mut seen = Vec::new();
        while let Some(record) = records.next()? {
            seen.push((record.line(), record.cells().map(<[u8]>::len).collect::<Vec<_>>()));
        }
        let n = long.len();
        assert_eq!(seen, [(1, vec![1, 1]), (2, vec![1, n]), (3, vec![n + 3, 1]), (5, vec![1, 1])]);
        Ok(())
    }

    #[test]
    fn an_open_quote_is_an_error_that_names_its_line() {
        let error = parse("a,b\n1,2\n3,\"x\n").unwrap_err().to_string();
        assert!(error.contains("line 3"), "{error}");
    }
}

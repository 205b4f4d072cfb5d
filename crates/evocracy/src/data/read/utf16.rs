//! UTF-16 as UTF-8, as the programs of Windows save tables.

use std::io::{BufReader, Read};

/// A byte that is never part of UTF-8: it stands for what is no text, so that the cell is named.
const NO_TEXT: u8 = 0xff;

/// Reads UTF-16 without its byte-order mark.
pub(super) struct Utf16<R> {
    input: BufReader<R>,
    big_endian: bool,
    /// The first half of a pair.
    high: Option<u16>,
    /// What was converted and is not yet given out.
    ready: Vec<u8>,
    given: usize,
}

impl<R: Read> Utf16<R> {
    pub(super) fn new(input: R, big_endian: bool) -> Self {
        let (ready, input) = (Vec::new(), BufReader::new(input));
        Self { input, big_endian, high: None, ready, given: 0 }
    }

    /// Converts the next units; nothing is ready at the end.
    fn convert(&mut self) -> std::io::Result<()> {
        self.ready.clear();
        self.given = 0;
        let mut units = [0; 4096];
        let mut count = 0;
        while count < units.len() {
            match self.input.read(&mut units[count..]) {
                Ok(0) => break,
                Ok(more) => count += more,
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        let pairs = units[..count].chunks_exact(2);
        let odd = !pairs.remainder().is_empty();
        for pair in pairs {
            let pair = [pair[0], pair[1]];
            let unit =
                if self.big_endian { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) };
            self.unit(unit);
        }
        // Half a unit or half a pair at the end is no text.
        if odd || (count < units.len() && self.high.take().is_some()) {
            self.ready.push(NO_TEXT);
        }
        Ok(())
    }

    fn unit(&mut self, unit: u16) {
        let high = self.high.take();
        let both = high.into_iter().chain([unit]);
        if (0xd800..0xdc00).contains(&unit) {
            self.ready.extend(high.map(|_| NO_TEXT));
            self.high = Some(unit);
            return;
        }
        for letter in char::decode_utf16(both) {
            match letter {
                Ok(letter) => {
                    self.ready.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
                }
                Err(_) => self.ready.push(NO_TEXT),
            }
        }
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.given == self.ready.len() && !buffer.is_empty() {
            self.convert()?;
        }
        let ready = &self.ready[self.given..];
        let count = ready.len().min(buffer.len());
        buffer[..count].copy_from_slice(&ready[..count]);
        self.given += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], big_endian: bool) -> Vec<u8> {
        let mut text = Vec::new();
        Utf16::new(bytes, big_endian).read_to_end(&mut text).expect("memory can be read");
        text
    }

    #[test]
    fn every_letter_comes_through() {
        // Longer than a block, so that pairs are cut by its end.
        let text = "a\u{e9}\u{20ac}\u{1f600},".repeat(3000);
        for shift in ["", "x"] {
            let text = format!("{shift}{text}");
            let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
            assert_eq!(read(&little, false), text.as_bytes());
            assert_eq!(read(&big, true), text.as_bytes());
        }
    }

    #[test]
    fn what_is_no_text_does_not_become_any() {
        let of =
            |units: &[u16]| -> Vec<u8> { units.iter().flat_map(|u| u.to_le_bytes()).collect() };
        assert_eq!(read(&of(&[0x61, 0xd83d, 0x62]), false), b"a\xffb");
        assert_eq!(read(&of(&[0xde00, 0x62]), false), b"\xffb");
        assert_eq!(read(&of(&[0x61, 0xd83d]), false), b"a\xff");
        let twice = read(&of(&[0xd83d, 0xd83d, 0xde00]), false);
        assert_eq!((twice[0], &twice[1..]), (0xff, "\u{1f600}".as_bytes()));
        assert_eq!(read(b"a\0b", false), b"a\xff");
    }
}

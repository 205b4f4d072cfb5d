//! Where the bytes stand that shape a record: delimiters, line ends and quotes.
//!
//! Cells are short, so a search that starts anew for each of them costs as much as it saves;
//! here eight bytes are looked at together, and all marks among them come out of one word.

const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
/// A word of eight equal bytes is this times the byte.
const EVERY: u64 = 0x0101_0101_0101_0101;

/// The positions of all marks, ascending.
pub(super) struct Marks<'a> {
    bytes: &'a [u8],
    delimiters: u64,
    /// Where the word after the one at hand starts.
    next: usize,
    /// The high bit of every byte of the word at hand that is a mark still to be given out.
    found: u64,
}

impl<'a> Marks<'a> {
    pub(super) fn new(bytes: &'a [u8], delimiter: u8) -> Self {
        Self { bytes, delimiters: EVERY * u64::from(delimiter), next: 0, found: 0 }
    }

    /// Looks at the next word; `None` at the end.
    fn advance(&mut self) -> Option<()> {
        let rest = self.bytes.get(self.next..).filter(|rest| !rest.is_empty())?;
        let (word, valid) = if let Some(word) = rest.first_chunk() {
            (u64::from_le_bytes(*word), u64::MAX)
        } else {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            (u64::from_le_bytes(word), (1 << (8 * rest.len())) - 1)
        };
        let line_ends = equal(word, EVERY * u64::from(b'\n'));
        let quotes = equal(word, EVERY * u64::from(b'"'));
        self.found = (equal(word, self.delimiters) | line_ends | quotes) & valid;
        self.next += 8;
        Some(())
    }
}

impl Iterator for Marks<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        while self.found == 0 {
            self.advance()?;
        }
        let at = self.next - 8 + self.found.trailing_zeros() as usize / 8;
        self.found &= self.found - 1;
        Some(at)
    }
}

/// The high bit of every byte in which the words are equal. Exact: the sum of seven bits cannot
/// carry into the next byte.
fn equal(left: u64, right: u64) -> u64 {
    let differs = left ^ right;
    !(((differs & LOW) + LOW) | differs | LOW)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_marks_are_those_that_a_look_at_every_byte_finds(
            bytes in prop::collection::vec(
                prop_oneof![Just(b','), Just(b'\n'), Just(b'"'), Just(0), any::<u8>()], 0..70),
            delimiter in prop_oneof![Just(b','), Just(0), any::<u8>()],
        ) {
            let mark = |byte: u8| byte == delimiter || byte == b'\n' || byte == b'"';
            let plain: Vec<usize> = (0..bytes.len()).filter(|&at| mark(bytes[at])).collect();
            prop_assert_eq!(Marks::new(&bytes, delimiter).collect::<Vec<_>>(), plain);
        }
    }
}

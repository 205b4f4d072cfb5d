//! Numbers as bits: standard binary and the reflected Gray code (Gray 1953), in which neighbours
//! differ in one bit.

use super::bits::BitString;
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::ops::{Range, RangeInclusive};

/// How bits encode a number. The first bit is the most significant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// Standard binary.
    Binary,
    /// Reflected Gray code.
    Gray,
}

impl Code {
    /// The code word of a number.
    #[must_use]
    pub fn encode(self, number: u64) -> u64 {
        match self {
            Self::Binary => number,
            Self::Gray => number ^ number >> 1,
        }
    }

    /// The number of a code word.
    #[must_use]
    pub fn decode(self, word: u64) -> u64 {
        match self {
            Self::Binary => word,
            // Every bit of the number is the parity of the code's bits from the top to it.
            Self::Gray => [1, 2, 4, 8, 16, 32].iter().fold(word, |sum, shift| sum ^ sum >> shift),
        }
    }

    /// The number in the bits at `at`, of which there are 1 to 64.
    pub fn integer(self, bits: &BitString, at: Range<usize>) -> Result<u64> {
        check(bits, &at)?;
        Ok(self.decode(at.fold(0, |word, i| word << 1 | u64::from(bits.get(i)))))
    }

    /// The real number in the bits at `at`: their integer, spread evenly over the range, both
    /// ends included.
    pub fn real(
        self,
        bits: &BitString,
        at: Range<usize>,
        range: RangeInclusive<f64>,
    ) -> Result<f64> {
        let most = u64::MAX >> (64 - at.len().clamp(1, 64));
        let part = self.integer(bits, at)? as f64 / most as f64;
        // Written so that both ends come out exactly.
        Ok(range.start() * (1.0 - part) + range.end() * part)
    }

    /// Writes a number into the bits at `at`.
    pub fn write(self, number: u64, bits: &mut BitString, at: Range<usize>) -> Result<()> {
        check(bits, &at)?;
        if at.len() < 64 && number >> at.len() != 0 {
            return Err(Error::unsuitable(
                format!("{number} does not fit into {} bits", at.len()),
                "give it more bits",
            ));
        }
        let word = self.encode(number);
        let width = at.len();
        at.enumerate().for_each(|(k, i)| bits.set(i, word >> (width - 1 - k) & 1 == 1));
        Ok(())
    }
}

fn check(bits: &BitString, at: &Range<usize>) -> Result<()> {
    if at.start < at.end && at.end <= bits.len() && at.len() <= 64 {
        return Ok(());
    }
    Err(Error::unsuitable(
        format!("bits {} to {} of a string of {}", at.start, at.end, bits.len()),
        "decode 1 to 64 bits that are there",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_lecture_s_gray_table() -> Result<()> {
        let table = ["000", "001", "011", "010", "110", "111", "101", "100"];
        for (number, gray) in (0..).zip(table) {
            let bits = BitString::parse(gray)?;
            assert_eq!(Code::Gray.integer(&bits, 0..3)?, number);
            let mut written = BitString::zeros(3);
            Code::Gray.write(number, &mut written, 0..3)?;
            assert_eq!(written, bits);
        }
        assert_eq!(Code::Binary.integer(&BitString::parse("01101")?, 0..5)?, 13);
        assert_eq!(Code::Binary.integer(&BitString::parse("11000")?, 0..5)?, 24);
        Ok(())
    }

    #[test]
    fn reals_reach_both_ends_and_bad_places_are_refused() -> Result<()> {
        let bits = BitString::parse("0000011111")?;
        assert_eq!(Code::Binary.real(&bits, 0..5, -5.12..=5.11)?, -5.12);
        assert_eq!(Code::Binary.real(&bits, 5..10, -5.12..=5.11)?, 5.11);
        let mut bits = bits;
        assert!(Code::Gray.integer(&bits, 3..3).is_err());
        assert!(Code::Gray.integer(&bits, 3..11).is_err());
        assert!(Code::Gray.write(32, &mut bits, 0..5).is_err());
        Ok(())
    }

    proptest! {
        #[test]
        fn gray_neighbours_differ_in_one_bit(number in 0..u64::MAX) {
            let changed = Code::Gray.encode(number) ^ Code::Gray.encode(number + 1);
            prop_assert_eq!(changed.count_ones(), 1);
        }

        #[test]
        fn what_is_encoded_decodes(number: u64, shift in 0_u32..64, start in 0_usize..70) {
            let number = number >> shift;
            for code in [Code::Binary, Code::Gray] {
                prop_assert_eq!(code.decode(code.encode(number)), number);
                let (mut bits, at) = (BitString::zeros(140), start..start + 64);
                code.write(number, &mut bits, at.clone())?;
                prop_assert_eq!(code.integer(&bits, at)?, number);
            }
        }
    }
}

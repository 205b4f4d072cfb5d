//! Strings of bits, packed into words.

use super::{barren, foreign};
use crate::error::{Error, Result};
use crate::evolve::{Domain, Rng};
use crate::num::bits;
use rand::Rng as _;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A string of bits. Bit 0 is the one that is written first.
///
/// Invariant: bits of the last word beyond the length are zero. A string that was loaded is held
/// against this by [`Domain::admit`].
#[derive(PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct BitString {
    len: usize,
    words: Vec<u64>,
}

impl Clone for BitString {
    fn clone(&self) -> Self {
        Self { len: self.len, words: self.words.clone() }
    }

    /// Reuses the memory of the words, which the derived one would not.
    fn clone_from(&mut self, source: &Self) {
        self.len = source.len;
        self.words.clone_from(&source.words);
    }
}

impl BitString {
    /// `len` bits, all 0.
    pub fn zeros(len: usize) -> Self {
        Self { len, words: vec![0; len.div_ceil(64)] }
    }

    /// Reads a string such as `01101`. Spaces do not count.
    pub fn parse(text: &str) -> Result<Self> {
        let digits: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        let mut bits = Self::zeros(digits.len());
        for (i, digit) in digits.into_iter().enumerate() {
            match digit {
                '0' => {}
                '1' => bits.flip(i),
                other => {
                    return Err(Error::unsuitable(
                        format!("`{other}` is no bit"),
                        "write bits as 0 and 1",
                    ));
                }
            }
        }
        Ok(bits)
    }

    /// How many bits there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bit `i`. Like an index into a slice, `i` is below the length.
    #[inline]
    pub fn get(&self, i: usize) -> bool {
        bits::has(&self.words, i)
    }

    /// Sets bit `i`, which is below the length.
    #[inline]
    pub fn set(&mut self, i: usize, value: bool) {
        if self.get(i) != value {
            self.flip(i);
        }
    }

    /// Turns bit `i` over, which is below the length.
    #[inline]
    pub fn flip(&mut self, i: usize) {
        debug_assert!(i < self.len, "bit {i} of {}", self.len);
        self.words[i / 64] ^= 1 << (i % 64);
    }

    /// How many bits are 1.
    #[inline]
    pub fn count_ones(&self) -> usize {
        bits::count(&self.words) as usize
    }

    /// In how many places two strings of one length differ.
    pub fn hamming(&self, other: &Self) -> usize {
        let pairs = self.words.iter().zip(&other.words);
        pairs.map(|(a, b)| (a ^ b).count_ones() as usize).sum()
    }

    /// The words that hold the bits, 64 in each, the first bit lowest.
    #[inline]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The words, to be written. [`BitString::trim`] mends what was written beyond the end.
    #[inline]
    pub(in crate::evolve) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// Clears what lies beyond the end.
    #[inline]
    pub(in crate::evolve) fn trim(&mut self) {
        if let (Some(last), over @ 1..) = (self.words.last_mut(), self.len % 64) {
            *last &= u64::MAX >> (64 - over);
        }
    }

    /// Draws every bit anew.
    pub fn randomise(&mut self, rng: &mut Rng) {
        self.words.iter_mut().for_each(|word| *word = rng.next_u64());
        self.trim();
    }
}

impl fmt::Display for BitString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..self.len).try_for_each(|i| f.write_str(if self.get(i) { "1" } else { "0" }))
    }
}

impl fmt::Debug for BitString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// All bit strings of one length.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bits {
    len: usize,
}

impl Bits {
    /// The bit strings of length `len`.
    pub fn new(len: usize) -> Self {
        Self { len }
    }
}

impl Domain for Bits {
    type Genome = BitString;

    fn check(&self) -> Result<()> {
        if self.len == 0 { barren("bit strings of no bits") } else { Ok(()) }
    }

    fn sample(&self, rng: &mut Rng) -> BitString {
        let mut bits = BitString::zeros(self.len);
        bits.randomise(rng);
        bits
    }

    fn sample_into(&self, genome: &mut BitString, rng: &mut Rng) {
        genome.randomise(rng);
    }

    fn admit(&self, genome: &BitString) -> Result<()> {
        let mut trimmed = genome.clone();
        trimmed.trim();
        if genome.len != self.len || genome.words.len() != self.len.div_ceil(64) {
            return foreign(format!("a string of {} bits, not {}", genome.len, self.len));
        }
        if trimmed == *genome { Ok(()) } else { foreign("a bit string with bits beyond its end") }
    }

    fn distance(&self, a: &BitString, b: &BitString) -> f64 {
        a.hamming(b) as f64
    }

    fn key(&self, genome: &BitString, out: &mut Vec<u64>) {
        out.extend_from_slice(&genome.words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_reads_as_it_is_written() -> Result<()> {
        let text = "01101".repeat(30);
        let bits = BitString::parse(&text)?;
        assert_eq!(bits.to_string(), text);
        assert_eq!((bits.len(), bits.count_ones()), (150, 90));
        assert!(BitString::parse("012").is_err());
        Ok(())
    }

    #[test]
    fn what_does_not_belong_is_refused() -> Result<()> {
        let domain = Bits::new(5);
        let mut bits = BitString::parse("01101")?;
        domain.admit(&bits)?;
        bits.words[0] |= 1 << 7;
        assert!(domain.admit(&bits).is_err());
        assert!(domain.admit(&BitString::zeros(6)).is_err());
        Ok(())
    }
}

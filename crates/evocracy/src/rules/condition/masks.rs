//! A population of conditions, word after word, and the search for those that match a row.

use crate::num::{bits, wide};
use serde::{Deserialize, Serialize};

/// How many conditions are tested side by side.
const BLOCK: usize = 64;

/// Conditions in a structure of arrays: word `w` of all of them stands together.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Masks {
    forbidden: Vec<Vec<u64>>,
}

impl Masks {
    /// No conditions of `words` words.
    pub(crate) fn new(words: usize) -> Self {
        Self { forbidden: vec![Vec::new(); words] }
    }

    /// How many words a condition has.
    pub(crate) fn words(&self) -> usize {
        self.forbidden.len()
    }

    /// How many conditions there are.
    pub(crate) fn len(&self) -> usize {
        self.forbidden.first().map_or(0, Vec::len)
    }

    /// Whether every condition has all its words (after loading).
    pub(crate) fn even(&self) -> bool {
        self.forbidden.iter().all(|words| words.len() == self.len())
    }

    /// Adds a condition at the end.
    pub(crate) fn push(&mut self, condition: &[u64]) {
        for (words, &word) in self.forbidden.iter_mut().zip(condition) {
            words.push(word);
        }
    }

    /// Removes a condition; the last one takes its place.
    pub(crate) fn swap_remove(&mut self, at: usize) {
        for words in &mut self.forbidden {
            words.swap_remove(at);
        }
    }

    /// Copies a condition out.
    #[inline]
    pub(crate) fn get(&self, at: usize, out: &mut [u64]) {
        for (word, words) in out.iter_mut().zip(&self.forbidden) {
            *word = words[at];
        }
    }

    /// A condition of its own.
    pub(crate) fn condition(&self, at: usize) -> Vec<u64> {
        self.forbidden.iter().map(|words| words[at]).collect()
    }

    /// Whether a condition is the given one.
    #[inline]
    pub(crate) fn is(&self, at: usize, condition: &[u64]) -> bool {
        self.forbidden.iter().zip(condition).all(|(words, word)| words[at] == *word)
    }

    /// Whether a condition matches all that the given one matches.
    #[inline]
    pub(crate) fn contains(&self, at: usize, condition: &[u64]) -> bool {
        self.forbidden.iter().zip(condition).all(|(words, word)| words[at] & !word == 0)
    }

    /// The conditions that match a row, in order.
    pub(crate) fn matching(&self, row: &[u64], out: &mut Vec<u32>) {
        out.clear();
        wide(
            #[inline(always)]
            || self.find(row, out),
        );
    }

    #[inline(always)]
    #[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
    fn find(&self, row: &[u64], out: &mut Vec<u32>) {
        let (len, Some((first, others))) = (self.len(), self.forbidden.split_first()) else {
            return;
        };
        for start in (0..len).step_by(BLOCK) {
            let mut hits = if start + BLOCK <= len {
                free(first[start..start + BLOCK].try_into().expect("a block"), row[0])
            } else {
                let rest = len - start;
                let mut block = [0; BLOCK];
                block[..rest].copy_from_slice(&first[start..]);
                free(&block, row[0]) & (u64::MAX >> (BLOCK - rest))
            };
            if !others.is_empty() && hits != 0 {
                hits = narrow(others, &row[1..], start, hits);
            }
            bits::each_of_word(
                hits,
                start / BLOCK,
                #[inline(always)]
                |at| out.push(at as u32),
            );
        }
    }
}

/// A bit for each word that has no literal of the row.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
fn free(block: &[u64; BLOCK], row: u64) -> u64 {
    const LANES: usize = 8;
    let mut hits = [0_u64; LANES];
    for step in 0..BLOCK / LANES {
        for (lane, hits) in hits.iter_mut().enumerate() {
            let at = step * LANES + lane;
            *hits |= u64::from(block[at] & row == 0) << at;
        }
    }
    hits.iter().fold(0, |all, hits| all | hits)
}

/// Those of the hits that the other words do not forbid. Where many are left a whole block is
/// tested at once, else each for itself.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
fn narrow(others: &[Vec<u64>], row: &[u64], start: usize, mut hits: u64) -> u64 {
    for (words, &row) in others.iter().zip(row) {
        if hits.count_ones() > 8 && start + BLOCK <= words.len() {
            hits &= free(words[start..start + BLOCK].try_into().expect("a block"), row);
        } else {
            let mut rest = hits;
            while rest != 0 {
                let at = rest.trailing_zeros();
                hits &= !(u64::from(words[start + at as usize] & row != 0) << at);
                rest &= rest - 1;
            }
        }
        if hits == 0 {
            break;
        }
    }
    hits
}

/// Whether the first condition matches all that the second one matches.
#[inline]
pub(crate) fn contains(general: &[u64], special: &[u64]) -> bool {
    general.iter().zip(special).all(|(general, special)| general & !special == 0)
}

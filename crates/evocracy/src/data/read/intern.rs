//! Texts and their codes, in the order of their first appearance.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};

/// The codes of texts.
#[derive(Clone, Default)]
pub(super) struct Codes {
    codes: HashMap<Box<[u8]>, u32, Keyed>,
}

impl Codes {
    pub(super) fn get(&self, text: &[u8]) -> Option<u32> {
        self.codes.get(text).copied()
    }

    pub(super) fn insert(&mut self, text: &[u8], code: u32) {
        self.codes.insert(text.into(), code);
    }
}

impl FromIterator<(Box<[u8]>, u32)> for Codes {
    fn from_iter<I: IntoIterator<Item = (Box<[u8]>, u32)>>(texts: I) -> Self {
        Self { codes: texts.into_iter().collect() }
    }
}

/// A hash by one multiplication for each eight bytes, many times faster than the standard one on
/// short texts. Its key is random, so that no file can be made to collide; nothing depends on
/// the order of a map.
#[derive(Clone)]
struct Keyed(u64);

impl Default for Keyed {
    fn default() -> Self {
        Self(RandomState::new().build_hasher().finish() | 1)
    }
}

impl BuildHasher for Keyed {
    type Hasher = Folded;

    fn build_hasher(&self) -> Folded {
        Folded { key: self.0, state: self.0 }
    }
}

struct Folded {
    key: u64,
    state: u64,
}

impl Folded {
    fn mix(&mut self, word: u64) {
        let product = u128::from(self.state ^ word) * u128::from(self.key ^ 0x9e37_79b9_7f4a_7c15);
        self.state = product as u64 ^ (product >> 64) as u64;
    }
}

impl Hasher for Folded {
    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            self.mix(super::word::at(chunk, 0));
        }
        self.mix(super::word::at(chunks.remainder(), 0));
    }

    fn write_usize(&mut self, length: usize) {
        self.mix(length as u64);
    }

    fn finish(&self) -> u64 {
        self.state
    }
}

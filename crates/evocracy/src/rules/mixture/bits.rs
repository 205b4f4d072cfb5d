//! Sets of rows, a bit for each.

/// A set of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bits(pub(super) Vec<u64>);

impl Bits {
    /// All of the first `rows` rows.
    pub(super) fn full(rows: usize) -> Self {
        let mut words = vec![u64::MAX; rows.div_ceil(64)];
        if let (Some(last), true) = (words.last_mut(), !rows.is_multiple_of(64)) {
            *last = (1 << (rows % 64)) - 1;
        }
        Self(words)
    }

    /// The rows whose code is allowed, 1 standing for yes and 0 for no.
    pub(super) fn of(codes: &[u32], allows: &[u64]) -> Self {
        let word = |codes: &[u32]| {
            codes.iter().rev().fold(0, |word, &code| word << 1 | allows[code as usize])
        };
        Self(codes.chunks(64).map(word).collect())
    }

    /// Keeps the rows that are in `other` as well.
    pub(super) fn meet(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= other;
        }
    }

    /// Whether a row is in the set.
    pub(super) fn has(&self, row: usize) -> bool {
        self.0[row / 64] >> (row % 64) & 1 == 1
    }

    /// How many rows are in the set.
    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// How many rows are in both.
    pub(super) fn shared(&self, other: &Self) -> u32 {
        self.0.iter().zip(&other.0).map(|(a, b)| (a & b).count_ones()).sum()
    }

    /// Calls `visit` with every row, in order.
    #[inline]
    pub(super) fn each(&self, mut visit: impl FnMut(usize)) {
        for (at, &word) in self.0.iter().enumerate() {
            each_bit(word, at, &mut visit);
        }
    }
}

/// Calls `visit` with every row of word number `at`.
#[inline]
pub(super) fn each_bit(mut word: u64, at: usize, visit: &mut impl FnMut(usize)) {
    while word != 0 {
        visit(at * 64 + word.trailing_zeros() as usize);
        word &= word - 1;
    }
}

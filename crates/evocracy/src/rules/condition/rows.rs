//! Rows as sets of literals: row after row for matching, literal after literal for counting.

use super::Layout;
use crate::data::View;

/// Rows, one set of literals after the other.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    words: usize,
    sets: Vec<u64>,
}

impl Rows {
    /// The rows in view.
    pub(crate) fn new(layout: &Layout, rows: View<'_>) -> Self {
        let words = layout.words();
        let mut sets = vec![0; words * rows.rows()];
        for attribute in 0..layout.attributes() {
            let cells = rows.cells(attribute);
            for (row, set) in sets.chunks_exact_mut(words).enumerate() {
                if let Some(literal) = layout.literal(attribute, cells, rows.row_id(row)) {
                    set[literal / 64] |= 1 << (literal % 64);
                }
            }
        }
        Self { words, sets }
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.sets.len().checked_div(self.words).unwrap_or(0)
    }

    /// All rows in order.
    #[inline]
    pub(crate) fn each(&self) -> impl Iterator<Item = &[u64]> {
        self.sets.chunks_exact(self.words)
    }

    /// The literals of a row.
    #[inline]
    pub(crate) fn row(&self, row: usize) -> &[u64] {
        &self.sets[row * self.words..(row + 1) * self.words]
    }
}

/// For each literal the rows that have it: what a condition covers is then found word by word,
/// for 64 rows at once.
#[derive(Debug, Clone)]
pub(crate) struct Transposed {
    rows: usize,
    /// The words of a set of rows.
    words: usize,
    with: Vec<u64>,
}

/// The rows that a condition matches, as a set.
pub(crate) type Covered = Vec<u64>;

impl Transposed {
    /// The same rows, literal after literal.
    pub(crate) fn new(layout: &Layout, rows: &Rows) -> Self {
        let words = rows.len().div_ceil(64);
        let mut with = vec![0; words * layout.literals()];
        for row in 0..rows.len() {
            let set = rows.row(row);
            for (at, &word) in set.iter().enumerate() {
                let mut rest = word;
                while rest != 0 {
                    let literal = at * 64 + rest.trailing_zeros() as usize;
                    with[literal * words + row / 64] |= 1 << (row % 64);
                    rest &= rest - 1;
                }
            }
        }
        Self { rows: rows.len(), words, with }
    }

    /// How many words a set of rows has.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// The rows that have a literal.
    #[inline]
    pub(crate) fn with(&self, literal: usize) -> &[u64] {
        &self.with[literal * self.words..(literal + 1) * self.words]
    }

    /// The rows that a condition matches.
    pub(crate) fn cover(&self, condition: &[u64], out: &mut Covered) {
        out.clear();
        out.resize(self.words, u64::MAX);
        if let (Some(last), rest) = (out.last_mut(), self.rows % 64)
            && rest > 0
        {
            *last = u64::MAX >> (64 - rest);
        }
        crate::num::wide(
            #[inline(always)]
            || {
                for (at, &word) in condition.iter().enumerate() {
                    let mut rest = word;
                    while rest != 0 {
                        let with = self.with(at * 64 + rest.trailing_zeros() as usize);
                        for (out, with) in out.iter_mut().zip(with) {
                            *out &= !with;
                        }
                        rest &= rest - 1;
                    }
                }
            },
        );
    }
}

/// How many rows two sets have in common.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
pub(crate) fn common(a: &[u64], b: &[u64]) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a & b).count_ones()).sum()
}

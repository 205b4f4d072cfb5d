//! Rows as sets of literals: row after row for matching, literal after literal for counting.

use super::Layout;
use crate::data::View;
use crate::num::{bits, wide};

/// Rows, one set of literals after the other.
#[derive(Debug, Clone, Default)]
pub(crate) struct LiteralRows {
    words: usize,
    sets: Vec<u64>,
}

impl LiteralRows {
    /// The rows in view.
    pub(crate) fn new(layout: &Layout, rows: View<'_>) -> Self {
        let words = layout.words();
        let mut sets = vec![0; words * rows.rows()];
        for attribute in 0..layout.attributes() {
            let cells = rows.cells(attribute);
            for (row, set) in sets.chunks_exact_mut(words).enumerate() {
                if let Some(literal) = layout.literal(attribute, cells, rows.row_id(row)) {
                    bits::insert(set, literal);
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
    /// All rows.
    all: Vec<u64>,
    with: Vec<u64>,
}

/// The rows that a condition matches, as a set.
pub(crate) type Covered = Vec<u64>;

impl Transposed {
    /// The same rows, literal after literal.
    pub(crate) fn new(layout: &Layout, rows: &LiteralRows) -> Self {
        let words = rows.len().div_ceil(64);
        let mut with = vec![0; words * layout.literals()];
        for row in 0..rows.len() {
            bits::each(rows.row(row), |literal| {
                bits::insert(&mut with[literal * words..][..words], row);
            });
        }
        Self { all: bits::full(rows.len()), with }
    }

    /// How many words a set of rows has.
    pub(crate) fn words(&self) -> usize {
        self.all.len()
    }

    /// The rows that have a literal.
    #[inline]
    pub(crate) fn with(&self, literal: usize) -> &[u64] {
        &self.with[literal * self.words()..][..self.words()]
    }

    /// The rows that a condition matches.
    pub(crate) fn cover(&self, condition: &[u64], out: &mut Covered) {
        out.clone_from(&self.all);
        wide(
            #[inline(always)]
            || {
                bits::each(
                    condition,
                    #[inline(always)]
                    |literal| {
                        for (out, with) in out.iter_mut().zip(self.with(literal)) {
                            *out &= !with;
                        }
                    },
                );
            },
        );
    }
}

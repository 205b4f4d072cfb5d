//! The rows that a tree is grown from: all of them or, once a node has few, those of the node,
//! numbered anew from 0. What belongs to a row is looked up at random all the time; that of a few
//! rows side by side stays in the cache of the processor.

use super::arena::{Arena, Span};
use super::columns::Columns;
use super::score::RowWeights;
use std::borrow::Cow;

/// Rows with their ranks, classes and weights, and their lists.
#[derive(Debug)]
pub(super) struct NodeRows<'a> {
    /// The row behind each number; empty where all rows are there with their own.
    ids: Vec<u32>,
    /// The ranks of the rows in every column.
    pub(super) ranks: Vec<Cow<'a, [u32]>>,
    pub(super) row_weights: RowWeights,
    pub(super) arena: Arena,
}

impl<'a> NodeRows<'a> {
    /// All rows.
    pub(super) fn whole(columns: &'a Columns<'a>, labels: &[u32]) -> Self {
        let ranks = columns.ranked.iter().map(|column| Cow::Borrowed(&column.ranks[..]));
        let (ids, ranks) = (Vec::new(), ranks.collect());
        Self { ids, ranks, row_weights: RowWeights::new(labels), arena: Arena::default() }
    }

    /// Room for some rows.
    pub(super) fn part(columns: usize) -> Self {
        let ranks = vec![Cow::Owned(Vec::new()); columns];
        let row_weights = RowWeights::default();
        Self { ids: Vec::new(), ranks, row_weights, arena: Arena::default() }
    }

    /// Takes in the rows of a node whose lists are sorted; `numbers` is room for the new number of
    /// every row. The span of the node.
    pub(super) fn take(&mut self, from: &Self, span: Span, numbers: &mut Vec<u32>) -> Span {
        let rows = from.arena.rows(span);
        self.ids.clear();
        self.ids.extend_from_slice(rows);
        numbers.resize(from.row_weights.labels.len(), 0);
        for (number, &row) in rows.iter().enumerate() {
            numbers[row as usize] = number as u32;
        }
        for (ranks, from) in self.ranks.iter_mut().zip(&from.ranks) {
            let ranks = ranks.to_mut();
            ranks.clear();
            ranks.extend(rows.iter().map(|&row| from[row as usize]));
        }
        self.row_weights.select(&from.row_weights, rows);
        self.arena.take(&from.arena, span, numbers)
    }

    /// The row of the table behind a number.
    pub(super) fn id(&self, number: u32) -> u32 {
        self.ids.get(number as usize).copied().unwrap_or(number)
    }
}

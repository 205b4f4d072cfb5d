//! The rows of all nodes under way, in two forms that are split with the nodes: a list of rows
//! and, as long as that pays, the sorted entries of every number column.
//!
//! A node owns the same span of each list. Splitting keeps the order within both sides (a stable
//! partition), so nothing is sorted twice. Sorted lists of all columns cost a pass over all
//! columns for each split; in small nodes, and where few columns are tried, it is cheaper to
//! sort the few rows when a column is tried. Both ways yield the same entries in the same order.

use super::columns::{Columns, Ranked};
use super::search::entry;

/// What one level of a comparison sort costs for each entry, in passes of a partition.
/// Measured; see the module documentation for what hangs on it.
const SORT_COST: f64 = 1.0;

/// A node's share of the lists.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) len: usize,
    /// Whether the sorted lists hold the node's rows too.
    pub(super) sorted: bool,
}

impl Span {
    fn range(self) -> std::ops::Range<usize> {
        self.start..self.start + self.len
    }
}

#[derive(Debug, Default)]
pub(super) struct Arena {
    /// The rows in play, node by node, ascending within each.
    rows: Vec<u32>,
    /// For each number column its entries, `rows.len()` of them, column after column.
    orders: Vec<u64>,
    /// Where the entries of a column start; of no meaning for nominal columns.
    slots: Vec<usize>,
    numbers: usize,
    /// Whether each row goes left in the split at hand.
    left: Vec<bool>,
    spare_rows: Vec<u32>,
    spare: Vec<u64>,
    /// Whether the lists hold every row, sorted, as they were filled in.
    whole: bool,
}

impl Arena {
    /// Takes in the rows that have weight; the span of the root.
    pub(super) fn fill(&mut self, columns: &Columns, weights: &[f64], tried: usize) -> Span {
        let counts = |row: u32| weights[row as usize] > 0.0;
        let all = weights.iter().all(|&weight| weight > 0.0);
        if self.whole && all && self.keeps_order(columns.rows, tried) {
            return Span { start: 0, len: columns.rows, sorted: true };
        }
        self.rows.clear();
        self.rows.extend((0..columns.rows as u32).filter(|&row| counts(row)));
        self.left.resize(columns.rows, false);
        let len = self.rows.len();
        self.spare_rows.resize(len, 0);
        self.spare.resize(len, 0);
        self.numbers = columns.columns.iter().filter(|c| c.levels.is_none()).count();
        let sorted = self.keeps_order(len, tried);
        self.orders.clear();
        self.slots.clear();
        for column in &columns.columns {
            self.slots.push(self.orders.len());
            if column.levels.is_none() && sorted {
                let known = column.order.iter().filter(|&&row| counts(row));
                self.orders.extend(known.map(|&row| entry(column.ranks[row as usize], row)));
            }
        }
        self.whole = all && sorted;
        Span { start: 0, len, sorted }
    }

    /// Whether a node of `len` rows should keep sorted lists when `tried` columns are tried.
    fn keeps_order(&self, len: usize, tried: usize) -> bool {
        let tried = tried.min(self.numbers) as f64;
        tried * SORT_COST * (len as f64).log2() > self.numbers as f64
    }

    /// The rows of a node.
    pub(super) fn rows(&self, span: Span) -> &[u32] {
        &self.rows[span.range()]
    }

    /// The entries of a node in a number column, in order.
    pub(super) fn entries<'a>(
        &'a self,
        column: usize,
        ranked: &Ranked,
        span: Span,
        scratch: &'a mut Vec<u64>,
    ) -> &'a [u64] {
        if span.sorted {
            return &self.orders[self.slots[column]..][span.range()];
        }
        scratch.clear();
        scratch.extend(self.rows(span).iter().map(|&row| entry(ranked.ranks[row as usize], row)));
        scratch.sort_unstable();
        scratch
    }

    /// Writes for every row of the node whether it goes left.
    pub(super) fn mark(&mut self, span: Span, mut goes_left: impl FnMut(usize) -> bool) {
        for row in self.rows[span.range()].iter().map(|&row| row as usize) {
            self.left[row] = goes_left(row);
        }
    }

    /// Parts a node into its sides: `lens` rows on the left and right, of which those of a side
    /// that is not `open` are dropped. The spans of the sides.
    pub(super) fn split(
        &mut self,
        span: Span,
        lens: [usize; 2],
        open: [bool; 2],
        tried: usize,
    ) -> [Span; 2] {
        self.whole = false;
        let sorted = [0, 1].map(|s| open[s] && span.sorted && self.keeps_order(lens[s], tried));
        // A dropped left side leaves no gap: the right one takes its place.
        let start = [span.start, span.start + if open[0] { lens[0] } else { 0 }];
        let left = &self.left;
        let goes_left = |row: u32| left[row as usize];
        split_list(&mut self.rows[span.range()], &mut self.spare_rows, open, goes_left);
        if sorted[0] || sorted[1] {
            let total = self.rows.len();
            for slot in 0..self.numbers {
                let list = &mut self.orders[slot * total..][span.range()];
                split_list(list, &mut self.spare, open, |entry| goes_left(entry as u32));
            }
        }
        [0, 1].map(|s| Span { start: start[s], len: lens[s], sorted: sorted[s] })
    }
}

/// Parts the items of a node; those of a side that is not open may be lost.
fn split_list<T: Copy>(
    items: &mut [T],
    spare: &mut [T],
    open: [bool; 2],
    goes_left: impl Fn(T) -> bool,
) {
    if open[0] && open[1] {
        part(items, spare, goes_left);
    } else {
        keep(items, |item| goes_left(item) == open[0]);
    }
}

/// Keeps one side of a node in order; the other one is lost.
fn keep<T: Copy>(items: &mut [T], kept_side: impl Fn(T) -> bool) {
    let mut kept = 0;
    for i in 0..items.len() {
        let item = items[i];
        items[kept] = item;
        kept += usize::from(kept_side(item));
    }
}

/// A stable partition of `items` into left and right, with as much room to spare; how many are
/// left.
pub(crate) fn part<T: Copy>(
    items: &mut [T],
    spare: &mut [T],
    goes_left: impl Fn(T) -> bool,
) -> usize {
    // Every item is written to both places, and only the right place moves on: the sides are
    // hard to guess for the processor, so a branch would cost more than a write.
    let (mut kept, mut aside) = (0, 0);
    for i in 0..items.len() {
        let item = items[i];
        let is_left = goes_left(item);
        items[kept] = item;
        spare[aside] = item;
        kept += usize::from(is_left);
        aside += usize::from(!is_left);
    }
    items[kept..].copy_from_slice(&spare[..aside]);
    kept
}

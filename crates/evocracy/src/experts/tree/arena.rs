//! The rows of all nodes under way, in two forms that are split with the nodes: a list of rows
//! and, as long as that pays, the sorted entries of every number column.
//!
//! A node owns the same span of each list. Splitting keeps the order within both sides (a stable
//! partition), so nothing is sorted twice. Sorted lists of all columns cost a pass over all
//! columns for each split; in small nodes, and where few columns are tried, it is cheaper to
//! sort the few rows when a column is tried. Both ways yield the same entries in the same order.

use super::columns::{Columns, Ranked};
use super::score::RowWeights;
use super::search::{FIRST, row_of};

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

/// Lists of rows, shared by the nodes under way.
#[derive(Debug, Default)]
pub(super) struct Arena {
    /// The rows in play, node by node, ascending within each.
    rows: Vec<u32>,
    /// For each number column its [entries](FIRST), `rows.len()` of them, column after column.
    orders: Vec<u32>,
    /// Where the entries of a column start; of no meaning for nominal columns.
    slots: Vec<usize>,
    numbers: usize,
    /// Whether each row goes left in the split at hand.
    left: Vec<bool>,
    spare: Vec<u32>,
    /// Whether the lists hold every row, sorted, as they were filled in.
    whole: bool,
}

impl Arena {
    /// Takes in the rows that have weight; the span of the root.
    pub(super) fn fill(
        &mut self,
        columns: &Columns<'_>,
        row_weights: &RowWeights,
        tried: usize,
    ) -> Span {
        let counts = |row: usize| row_weights.weight(row) > 0.0;
        let all = (0..columns.rows).all(counts);
        if self.whole && all && self.keeps_order(columns.rows, tried) {
            return Span { start: 0, len: columns.rows, sorted: true };
        }
        self.left.clear();
        self.left.extend((0..columns.rows).map(counts));
        self.rows.clear();
        self.rows.extend((0..columns.rows as u32).filter(|&row| self.left[row as usize]));
        let len = self.rows.len();
        self.spare.resize(len, 0);
        self.numbers = columns.ranked.iter().filter(|c| c.levels.is_none()).count();
        let sorted = self.keeps_order(len, tried);
        self.slots.clear();
        // One more: every entry is written, and only those that count move the place on.
        let room = if sorted { self.numbers * len + 1 } else { 0 };
        self.orders.clear();
        self.orders.resize(room, 0);
        let (mut slot, mut places) = (0, Vec::new());
        for column in &columns.ranked {
            self.slots.push(slot);
            if column.levels.is_none() && sorted {
                let list = &mut self.orders[slot..=slot + len];
                if column.order.is_empty() {
                    sort(column, &self.rows, list, &mut places);
                } else {
                    copy(&column.order, list, &self.left);
                }
                list[..len].iter_mut().for_each(|e| *e |= row_weights.mark(row_of(*e) as usize));
                slot += len;
            }
        }
        self.whole = all && sorted;
        Span { start: 0, len, sorted }
    }

    /// Takes in the rows of a node of other lists, which are sorted, with new numbers. The span of
    /// the node.
    pub(super) fn take(&mut self, from: &Self, span: Span, numbers: &[u32]) -> Span {
        let (total, len) = (from.rows.len(), span.len);
        self.whole = false;
        self.numbers = from.numbers;
        self.rows.clear();
        self.rows.extend(0..len as u32);
        self.slots.clear();
        self.slots.extend(from.slots.iter().map(|slot| slot / total * len));
        self.orders.clear();
        for slot in 0..self.numbers {
            let entries = &from.orders[slot * total..][span.range()];
            let renumbered = |&e: &u32| e - row_of(e) + numbers[row_of(e) as usize];
            self.orders.extend(entries.iter().map(renumbered));
        }
        self.left.resize(len, false);
        self.spare.resize(len, 0);
        Span { start: 0, len, sorted: true }
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
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
        (ranks, row_weights): (&[u32], &RowWeights),
        span: Span,
        scratch: &'a mut Scratch,
    ) -> &'a [u32] {
        if span.sorted {
            return &self.orders[self.slots[column]..][span.range()];
        }
        let Scratch { keys, entries } = scratch;
        keys.clear();
        let key = |row: u32| u64::from(ranks[row as usize]) << 32 | u64::from(row);
        keys.extend(self.rows(span).iter().map(|&row| key(row)));
        keys.sort_unstable();
        entries.clear();
        let mut last = u32::MAX;
        entries.extend(keys.iter().map(|&key| {
            let (rank, row, before) = ((key >> 32) as u32, key as u32, last);
            last = rank;
            let first = if rank == before { 0 } else { FIRST };
            row | row_weights.mark(row as usize) | first
        }));
        entries
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
        split_list(&mut self.rows[span.range()], &mut self.spare, open, left);
        if sorted[0] || sorted[1] {
            let total = self.rows.len();
            for slot in 0..self.numbers {
                let list = &mut self.orders[slot * total..][span.range()];
                split_list(list, &mut self.spare, open, left);
            }
        }
        [0, 1].map(|s| Span { start: start[s], len: lens[s], sorted: sorted[s] })
    }
}

/// Room for sorting the rows of a node.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    keys: Vec<u64>,
    entries: Vec<u32>,
}

/// Parts the entries of a node; those of a side that is not open may be lost. Rows that stand in
/// no order of values are entries without marks.
fn split_list(entries: &mut [u32], spare: &mut [u32], open: [bool; 2], left: &[bool]) {
    if open[0] && open[1] {
        part_entries(entries, spare, left);
    } else {
        keep(entries, left, open[0]);
    }
}

/// Puts an entry to a place; `marked` is whether one between it and the entry before it in its
/// list has the mark. The place moves on if it `stays`. No branch: that is hard to guess.
#[inline]
fn put(list: &mut [u32], (place, marked): (&mut usize, &mut u32), entry: u32, stays: bool) {
    *marked |= entry & FIRST;
    list[*place] = entry & !FIRST | *marked;
    *place += usize::from(stays);
    *marked &= u32::from(stays).wrapping_sub(1);
}

/// Writes the entries of rows, which stand in ascending order, by their ranks: counted first, then
/// each put to its place.
fn sort(column: &Ranked, rows: &[u32], to: &mut [u32], places: &mut Vec<u32>) {
    let place = |row: u32| column.ranks[row as usize].min(column.distinct) as usize;
    places.clear();
    places.resize(column.distinct as usize + 2, 0);
    for &row in rows {
        places[place(row) + 1] += 1;
    }
    for at in 1..places.len() {
        places[at] += places[at - 1];
    }
    for &row in rows {
        let at = &mut places[place(row)];
        to[*at as usize] = row;
        *at += 1;
    }
    // Each place has moved on to the end of its rows, where those of the next rank start.
    let mut start = 0;
    for &end in &places[..places.len() - 1] {
        if end > start {
            to[start as usize] |= FIRST;
        }
        start = end;
    }
}

/// Copies the entries whose rows count, in order.
fn copy(from: &[u32], to: &mut [u32], counts: &[bool]) {
    let (mut place, mut marked) = (0, 0);
    for &entry in from {
        put(to, (&mut place, &mut marked), entry, counts[row_of(entry) as usize]);
    }
}

/// Keeps the entries of one side in order; the others are lost.
fn keep(entries: &mut [u32], left: &[bool], side: bool) {
    let (mut place, mut marked) = (0, 0);
    for i in 0..entries.len() {
        let entry = entries[i];
        let stays = left[row_of(entry) as usize] == side;
        put(entries, (&mut place, &mut marked), entry, stays);
    }
}

/// A stable partition into left and right, with as much room to spare.
fn part_entries(entries: &mut [u32], spare: &mut [u32], left: &[bool]) {
    let (mut kept, mut aside, mut marked) = (0, 0, [0; 2]);
    let [here, there] = &mut marked;
    for i in 0..entries.len() {
        let entry = entries[i];
        let is_left = left[row_of(entry) as usize];
        put(entries, (&mut kept, here), entry, is_left);
        put(spare, (&mut aside, there), entry, !is_left);
    }
    entries[kept..].copy_from_slice(&spare[..aside]);
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

//! The nearest points of a query.
//!
//! Going down the k-d tree, the distance to a cell grows axis by axis (Arya, Mount 1993); a cell
//! that is farther than the worst neighbour so far is skipped. Rounding may make that
//! distance a little too large, so a cell must be farther by more than that: the neighbours are
//! exactly those that a look at all points finds.
//!
//! A point stands for one row or many. Where more rows are as far as the last one wanted than there
//! are places for, all of them are found, and share these places.

use super::kd_tree::{KdTree, Subtree, TILE};
use crate::num::wide;
use std::collections::BinaryHeap;

/// The bound on the distance of a cell is right up to this share of it.
const SLACK: f64 = 1.0 - 1e-12;

/// So many numbers stay in the cache while several queries are compared with them.
const CACHED: usize = 1 << 14;

/// Squared distances that differ by less than this share are equal: standardised numbers round, so
/// that neighbours on a grid would else be apart by chance.
const TIE: f64 = 1e-10;

/// A point that was found; the farther one is the greater one, then the one of the later row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Neighbour {
    /// The squared distance.
    pub(super) square: f64,
    pub(super) id: u32,
    /// Its position among the points.
    pub(super) at: u32,
    /// How many rows it stands for.
    pub(super) rows: u64,
    /// How much of each of them counts: all of it, or less where more rows are equally far than
    /// are wanted.
    pub(super) share: f64,
}

impl Eq for Neighbour {}

impl Ord for Neighbour {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let near = self.square.total_cmp(&other.square);
        near.then(self.id.cmp(&other.id)).then(self.at.cmp(&other.at))
    }
}

impl PartialOrd for Neighbour {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The nearest points so far.
#[derive(Debug, Clone)]
struct Nearest {
    /// How many rows are wanted.
    wanted: u64,
    /// As few of the nearest points as stand for that many.
    heap: BinaryHeap<Neighbour>,
    /// How many rows they stand for.
    rows: u64,
    /// Points beside these that are as far as the farthest of them.
    ties: Vec<Neighbour>,
    /// The squared distance that a point must not exceed.
    limit: f64,
}

impl Nearest {
    fn clear(&mut self) {
        self.heap.clear();
        self.ties.clear();
        self.rows = 0;
        self.limit = f64::INFINITY;
    }

    /// Takes in a point within the limit.
    fn offer(&mut self, found: Neighbour) {
        if self.rows >= self.wanted && self.heap.peek().is_some_and(|worst| found > *worst) {
            return self.ties.push(found);
        }
        self.heap.push(found);
        self.rows += found.rows;
        while let Some(worst) = self.heap.peek().copied()
            && self.rows - worst.rows >= self.wanted
        {
            self.heap.pop();
            self.rows -= worst.rows;
            self.ties.push(worst);
        }
        let farthest = self.heap.peek().map_or(f64::INFINITY, |worst| worst.square);
        let limit = farthest * (1.0 + TIE);
        if self.rows >= self.wanted && limit < self.limit {
            self.limit = limit;
            self.ties.retain(|tie| tie.square <= limit);
        }
    }

    /// Writes what was found in order. Rows that are as far as the last one share the places that
    /// are left for them.
    fn sorted(&self, out: &mut Vec<Neighbour>) {
        out.clear();
        out.extend(self.heap.iter().chain(&self.ties).copied());
        out.sort_unstable();
        let farthest = self.heap.peek().map_or(0.0, |worst| worst.square);
        let near = out.partition_point(|found| found.square < farthest * (1.0 - TIE));
        let rows = |found: &[Neighbour]| found.iter().map(|found| found.rows).sum::<u64>();
        let (before, tied) = (rows(&out[..near]), rows(&out[near..]));
        let places = self.wanted.saturating_sub(before);
        if places < tied {
            let share = places as f64 / tied as f64;
            out[near..].iter_mut().for_each(|found| found.share = share);
        }
    }
}

/// Looks for the nearest points of many queries; all memory is used again.
#[derive(Debug)]
pub(super) struct NeighbourSearch<'a> {
    points: &'a KdTree,
    /// One for each query of a block.
    nearest: Vec<Nearest>,
    /// How far the query is from the cell along each axis.
    offsets: Vec<f64>,
    sorted: Vec<Neighbour>,
}

impl<'a> NeighbourSearch<'a> {
    /// How many queries are looked at together.
    pub(super) const BLOCK: usize = 8;

    pub(super) fn new(points: &'a KdTree, k: usize) -> Self {
        let wanted = (k as u64).min(points.rows()).max(1);
        let (heap, ties) = (BinaryHeap::new(), Vec::new());
        let nearest = Nearest { wanted, heap, rows: 0, ties, limit: f64::INFINITY };
        Self {
            points,
            nearest: vec![nearest; Self::BLOCK],
            offsets: vec![0.0; points.axes],
            sorted: Vec::new(),
        }
    }

    /// Calls `found` with the nearest points of each query, the nearest first, and all that are
    /// as far as the last. `queries` holds at
    /// most [`NeighbourSearch::BLOCK`] rows of coordinates.
    pub(super) fn each(
        &mut self,
        queries: &[f64],
        count: usize,
        mut found: impl FnMut(usize, &[Neighbour]),
    ) {
        let axes = self.points.axes;
        let query = |i: usize| &queries[i * axes..(i + 1) * axes];
        self.nearest.iter_mut().for_each(Nearest::clear);
        if self.points.levels == 0 {
            let step = (CACHED / (TILE * axes.max(1))).max(1);
            let end = self.points.root().end;
            for start in (0..end).step_by(step) {
                for (i, nearest) in self.nearest[..count].iter_mut().enumerate() {
                    self.points.scan(start..end.min(start + step), query(i), nearest);
                }
            }
        } else {
            for (i, nearest) in self.nearest[..count].iter_mut().enumerate() {
                self.offsets.fill(0.0);
                let root = self.points.root();
                self.points.descend(root, 0.0, query(i), &mut self.offsets, nearest);
            }
        }
        for (i, nearest) in self.nearest[..count].iter().enumerate() {
            nearest.sorted(&mut self.sorted);
            found(i, &self.sorted);
        }
    }
}

impl KdTree {
    /// Looks below a node, whose cell has the squared distance `square`.
    fn descend(
        &self,
        subtree: Subtree,
        square: f64,
        query: &[f64],
        offsets: &mut [f64],
        nearest: &mut Nearest,
    ) {
        if subtree.node >= self.axis.len() {
            return self.scan(subtree.start..subtree.end, query, nearest);
        }
        let axis = self.axis[subtree.node] as usize;
        let sides = [
            (query[axis] - self.low[subtree.node]).max(0.0),
            (self.high[subtree.node] - query[axis]).max(0.0),
        ];
        let halves = subtree.halves();
        let first = usize::from(sides[1] < sides[0]);
        for side in [first, 1 - first] {
            let before = offsets[axis];
            let now = before.max(sides[side]);
            let square = square + (now * now - before * before);
            // What is not a number is not farther.
            if square * SLACK > nearest.limit {
                continue;
            }
            offsets[axis] = now;
            self.descend(halves[side], square, query, offsets, nearest);
            offsets[axis] = before;
        }
    }

    /// Looks at all points of some tiles.
    fn scan(&self, tiles: std::ops::Range<usize>, query: &[f64], nearest: &mut Nearest) {
        wide(
            #[inline(always)]
            || {
                for tile in tiles {
                    let size = TILE * self.axes;
                    let squares =
                        squares(&self.tiles[tile * size..(tile + 1) * size], query, nearest.limit);
                    let count = TILE.min(self.len() - tile * TILE);
                    for (i, &square) in squares[..count].iter().enumerate() {
                        if square <= nearest.limit {
                            let at = tile * TILE + i;
                            let (id, rows) = (self.ids[at], self.rows_of(at));
                            let at = at as u32;
                            nearest.offer(Neighbour { square, id, at, rows, share: 1.0 });
                        }
                    }
                }
            },
        );
    }
}

/// The squared distances of the points of a tile; where all exceed `limit`, something above it.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
fn squares(tile: &[f64], query: &[f64], limit: f64) -> [f64; TILE] {
    let mut sums = [0.0; TILE];
    let (rows, _) = tile.as_chunks::<TILE>();
    for (rows, query) in rows.chunks(16).zip(query.chunks(16)) {
        for (row, query) in rows.iter().zip(query) {
            for i in 0..TILE {
                let difference = row[i] - query;
                sums[i] += difference * difference;
            }
        }
        // Sums only grow: what is too far after some axes is too far.
        if sums.iter().all(|sum| *sum > limit) {
            break;
        }
    }
    sums
}

//! Training rows as points, ordered by a balanced k-d tree (Bentley 1975; Friedman, Bentley,
//! Finkel 1977).
//!
//! Points lie in tiles of [`TILE`], coordinate after coordinate, so that the distances to all
//! points of a tile are computed side by side. The tree halves the list of tiles, `levels`
//! times: its shape follows from the number of points, and its inner nodes lie in one array as
//! in a heap (the children of node `i` are `2 i + 1` and `2 i + 2`). A node knows the axis along
//! which it is split, the largest coordinate on the lower side and the least on the upper one.

use serde::{Deserialize, Serialize};

/// How many points lie side by side.
pub(super) const TILE: usize = 16;

/// A leaf of the tree has at most about so many tiles. Measured: 1 or 2 are best from 2 to 12
/// dimensions.
const LEAF: usize = 2;

/// In more dimensions than this all points are looked at. Measured on 15,000 points: the
/// tree takes 0.06 s for 5,000 queries in 10 dimensions, 0.15 in 14 and 0.20 in 16; looking at all
/// takes 0.19 s.
const MOST_AXES: usize = 15;

/// Points in the order of a k-d tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct KdTree {
    pub(super) axes: usize,
    /// The number of each point's first row.
    pub(super) ids: Vec<u32>,
    /// How many rows each point stands for; empty where each is one row.
    #[serde(default)]
    pub(super) counts: Vec<u32>,
    /// Coordinates, tile after tile; the last tile is filled up with zeros.
    pub(super) tiles: Vec<f64>,
    /// How often the tiles are halved.
    pub(super) levels: u32,
    /// The axis of each inner node, in heap order.
    pub(super) axis: Vec<u32>,
    /// The largest coordinate below the split of each inner node.
    pub(super) low: Vec<f64>,
    /// The least coordinate above it.
    pub(super) high: Vec<f64>,
}

/// A node and the tiles below it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subtree {
    pub(super) node: usize,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Subtree {
    /// Its two halves.
    pub(super) fn halves(self) -> [Self; 2] {
        let middle = self.start.midpoint(self.end);
        [
            Self { node: 2 * self.node + 1, start: self.start, end: middle },
            Self { node: 2 * self.node + 2, start: middle, end: self.end },
        ]
    }
}

impl KdTree {
    /// Orders rows of `axes` coordinates, one after the other; also the position that each point
    /// had among the rows.
    pub(super) fn new(rows: &[f64], axes: usize, ids: &[u32]) -> (Self, Vec<u32>) {
        let tiles = ids.len().div_ceil(TILE);
        let halvings = (tiles / LEAF).checked_ilog2().unwrap_or(0);
        Self::with_levels(rows, axes, ids, if axes > MOST_AXES { 0 } else { halvings })
    }

    pub(super) fn with_levels(
        rows: &[f64],
        axes: usize,
        ids: &[u32],
        levels: u32,
    ) -> (Self, Vec<u32>) {
        let mut order: Vec<u32> = (0..ids.len() as u32).collect();
        let inner = (1 << levels) - 1;
        let mut points = Self {
            axes,
            ids: Vec::new(),
            counts: Vec::new(),
            tiles: Vec::new(),
            levels,
            axis: vec![0; inner],
            low: vec![0.0; inner],
            high: vec![0.0; inner],
        };
        let mut subtrees = vec![Subtree { node: 0, start: 0, end: ids.len().div_ceil(TILE) }];
        while let Some(subtree) = subtrees.pop().filter(|_| inner > 0) {
            if subtree.node < inner {
                points.split(rows, &mut order, ids, subtree);
                subtrees.extend(subtree.halves());
            }
        }
        points.ids = order.iter().map(|&at| ids[at as usize]).collect();
        points.tiles = vec![0.0; ids.len().div_ceil(TILE) * TILE * axes];
        for (at, &from) in order.iter().enumerate() {
            for axis in 0..axes {
                let cell = (at / TILE * axes + axis) * TILE + at % TILE;
                points.tiles[cell] = rows[from as usize * axes + axis];
            }
        }
        (points, order)
    }

    /// Halves a subtree along the axis in which it is widest.
    fn split(&mut self, rows: &[f64], order: &mut [u32], ids: &[u32], subtree: Subtree) {
        let axes = self.axes;
        let (start, end) = (subtree.start * TILE, (subtree.end * TILE).min(order.len()));
        let order = &mut order[start..end];
        let value = |at: u32, axis: usize| rows[at as usize * axes + axis];
        let width = |axis: usize| {
            let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
            for &at in order.iter() {
                least = least.min(value(at, axis));
                most = most.max(value(at, axis));
            }
            most - least
        };
        let widths: Vec<f64> = (0..axes).map(width).collect();
        let axis = crate::num::argmax(&widths);
        let middle = subtree.halves()[1].start * TILE - start;
        let key = |at: u32| (value(at, axis), ids[at as usize], at);
        order.select_nth_unstable_by(middle, |&a, &b| {
            let (a, b) = (key(a), key(b));
            a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2))
        });
        let (below, above) = order.split_at(middle);
        let most = |most: f64, &at: &u32| most.max(value(at, axis));
        self.axis[subtree.node] = axis as u32;
        self.low[subtree.node] = below.iter().fold(f64::NEG_INFINITY, most);
        self.high[subtree.node] = value(above[0], axis);
    }

    /// How many points there are.
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// How many rows a point stands for.
    pub(super) fn rows_of(&self, point: usize) -> u64 {
        self.counts.get(point).map_or(1, |&count| u64::from(count))
    }

    /// How many rows all points stand for.
    pub(super) fn rows(&self) -> u64 {
        if self.counts.is_empty() {
            return self.len() as u64;
        }
        self.counts.iter().map(|&count| u64::from(count)).sum()
    }

    /// The whole tree.
    pub(super) fn root(&self) -> Subtree {
        Subtree { node: 0, start: 0, end: self.len().div_ceil(TILE) }
    }

    fn coordinate(&self, point: usize, axis: usize) -> f64 {
        self.tiles[(point / TILE * self.axes + axis) * TILE + point % TILE]
    }

    /// Whether the arrays fit each other and every node splits its points as it says.
    pub(super) fn check(&self) -> bool {
        let tiles = self.len().div_ceil(TILE);
        let inner = 1_usize.checked_shl(self.levels).map_or(usize::MAX, |leaves| leaves - 1);
        let shapes = tiles > inner
            && [self.axis.len(), self.low.len(), self.high.len()].iter().all(|&len| len == inner)
            && (tiles * TILE).checked_mul(self.axes) == Some(self.tiles.len())
            && (self.counts.is_empty() || self.counts.len() == self.len())
            && self.counts.iter().all(|&count| count > 0);
        let finite =
            |values: &[f64]| values.iter().all(|v| v.abs() <= crate::data::DenseRows::LIMIT);
        shapes
            && finite(&self.tiles)
            && finite(&self.low)
            && finite(&self.high)
            && self.axis.iter().all(|&axis| (axis as usize) < self.axes)
            && self.splits_hold()
    }

    fn splits_hold(&self) -> bool {
        let mut subtrees = vec![self.root()];
        while let Some(subtree) = subtrees.pop() {
            if subtree.node < self.axis.len() {
                let (axis, [left, right]) = (self.axis[subtree.node] as usize, subtree.halves());
                let of = |half: Subtree| half.start * TILE..(half.end * TILE).min(self.len());
                let (low, high) = (self.low[subtree.node], self.high[subtree.node]);
                if low > high
                    || of(left).any(|point| self.coordinate(point, axis) > low)
                    || of(right).any(|point| self.coordinate(point, axis) < high)
                {
                    return false;
                }
                subtrees.extend([left, right]);
            }
        }
        true
    }
}

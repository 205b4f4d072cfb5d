//! The nodes of a tree, one array for each property.
//!
//! Node 0 is the root. The children of a split are neighbours and come after it, so walks end
//! and every sweep over the arrays meets parents before children. [`Nodes::check`] refuses
//! anything else.

use crate::data::{Cells, Kind, MISSING, Schema};
use serde::{Deserialize, Serialize};

/// The feature of a leaf.
const LEAF: u32 = u32::MAX;

/// How many rows are walked down the tree side by side.
pub(crate) const BLOCK: usize = 64;

/// The most words that the levels of the nominal splits of a model may take (128 MiB).
pub(crate) const MOST_WORDS: usize = 1 << 24;

/// All nodes of a tree.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Nodes {
    /// The column a node is split by; [`LEAF`] for leaves.
    feature: Vec<u32>,
    /// Numbers up to this go left; 0 for leaves and nominal splits.
    threshold: Vec<f64>,
    /// Where the levels of a nominal split start in `pool`; 0 elsewhere.
    subset: Vec<u32>,
    /// The left child; the right one is next to it. 0 for leaves.
    child: Vec<u32>,
    /// Whether missing values, and levels that training did not show here, go left.
    missing_left: Vec<bool>,
    /// The weight of the training rows in each node.
    weight: Vec<f64>,
    /// The weighted impurity that a split takes away; 0 for leaves.
    gain: Vec<f64>,
    /// The class probabilities of every node, node after node.
    pub(super) proba: Vec<f64>,
    /// For each nominal split: a bit for every level that goes left, then for every one that
    /// goes right, each in as many words as the levels need.
    pool: Vec<u64>,
}

/// How a node is split.
#[derive(Debug, Clone, Copy)]
pub(super) enum SplitRule<'a> {
    /// Numbers up to this go left.
    Threshold(f64),
    /// The side of each level that was seen, of so many.
    Levels { levels: u32, sides: &'a [(u32, bool)] },
}

/// Where a row goes at a split, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Direction {
    pub(super) left: bool,
    /// Whether the value was missing or unseen.
    pub(super) unknown: bool,
}

fn words(levels: u32) -> usize {
    levels.div_ceil(64) as usize
}

fn bit(words: &[u64], level: u32) -> bool {
    words.get(level as usize / 64).is_some_and(|word| word >> (level % 64) & 1 == 1)
}

impl Nodes {
    /// Adds a leaf.
    pub(super) fn add_leaf(&mut self, weight: f64) {
        self.feature.push(LEAF);
        self.threshold.push(0.0);
        self.subset.push(0);
        self.child.push(0);
        self.missing_left.push(false);
        self.weight.push(weight);
        self.gain.push(0.0);
    }

    /// Makes a split of a leaf. The caller adds the two children next; the index of the first.
    pub(super) fn split(
        &mut self,
        node: usize,
        column: usize,
        rule: SplitRule<'_>,
        missing_left: bool,
        gain: f64,
    ) -> usize {
        self.feature[node] = column as u32;
        self.child[node] = self.len() as u32;
        self.missing_left[node] = missing_left;
        self.gain[node] = gain.max(0.0);
        match rule {
            SplitRule::Threshold(threshold) => self.threshold[node] = threshold,
            SplitRule::Levels { levels, sides } => {
                let (start, words) = (self.pool.len(), words(levels));
                self.subset[node] = start as u32;
                self.pool.resize(start + 2 * words, 0);
                // The level beyond the last stands for missing values.
                for &(level, left) in sides.iter().filter(|side| side.0 < levels) {
                    let side = start + if left { 0 } else { words };
                    self.pool[side + level as usize / 64] |= 1 << (level % 64);
                }
            }
        }
        self.len()
    }

    /// Whether one more split of a column with so many levels stays within `most` words.
    pub(super) fn has_room(&self, levels: Option<u32>, most: usize) -> bool {
        levels.is_none_or(|levels| self.pool.len() + 2 * words(levels) <= most)
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.feature.len()
    }

    /// The children of a node; `None` for a leaf.
    pub(crate) fn children(&self, node: usize) -> Option<[usize; 2]> {
        let child = self.child[node] as usize;
        (self.feature[node] != LEAF).then_some([child, child + 1])
    }

    /// The column a node is split by; meaningless for a leaf.
    pub(crate) fn column(&self, node: usize) -> usize {
        self.feature[node] as usize
    }

    pub(crate) fn threshold(&self, node: usize) -> f64 {
        self.threshold[node]
    }

    pub(crate) fn missing_left(&self, node: usize) -> bool {
        self.missing_left[node]
    }

    pub(crate) fn weight(&self, node: usize) -> f64 {
        self.weight[node]
    }

    pub(crate) fn gain(&self, node: usize) -> f64 {
        self.gain[node]
    }

    /// The levels that a nominal split of `levels` levels sends to one side.
    pub(crate) fn levels(&self, node: usize, levels: u32, left: bool) -> Vec<u32> {
        let side = self.side(node, levels, left);
        (0..levels).filter(|&level| bit(side, level)).collect()
    }

    fn side(&self, node: usize, levels: u32, left: bool) -> &[u64] {
        let words = words(levels);
        let start = self.subset[node] as usize + if left { 0 } else { words };
        self.pool.get(start..start + words).unwrap_or_default()
    }

    /// Where row `id` of the table goes at a split.
    pub(super) fn direction(
        &self,
        node: usize,
        cells: Cells<'_>,
        id: usize,
        levels: u32,
    ) -> Direction {
        let known = match cells {
            Cells::Number(values) if values[id].is_nan() => None,
            Cells::Number(values) => Some(values[id] <= self.threshold[node]),
            Cells::Nominal(codes) if codes[id] == MISSING => None,
            Cells::Nominal(codes) if bit(self.side(node, levels, true), codes[id]) => Some(true),
            Cells::Nominal(codes) => {
                bit(self.side(node, levels, false), codes[id]).then_some(false)
            }
        };
        Direction { left: known.unwrap_or(self.missing_left[node]), unknown: known.is_none() }
    }

    /// The child that row `id` of the table goes to from a split. `columns` are the cells of all
    /// columns with the levels of the nominal ones.
    fn step(&self, node: usize, columns: &[(Cells<'_>, u32)], id: usize) -> usize {
        let (cells, levels) = columns[self.column(node)];
        let goes_left = match cells {
            // As `direction`, without a branch: sides are hard to guess for the processor.
            Cells::Number(values) => {
                let value = values[id];
                (value <= self.threshold[node]) | (value.is_nan() & self.missing_left[node])
            }
            Cells::Nominal(_) => self.direction(node, cells, id, levels).left,
        };
        self.child[node] as usize + usize::from(!goes_left)
    }

    /// The leaves that some rows reach, given their positions in the table. All rows take one
    /// step before any takes the next: their steps do not wait for each other.
    pub(crate) fn leaves_of(
        &self,
        columns: &[(Cells<'_>, u32)],
        ids: &[usize; BLOCK],
        count: usize,
    ) -> [usize; BLOCK] {
        let mut nodes = [0; BLOCK];
        let mut walking: [usize; BLOCK] = std::array::from_fn(|i| i);
        let mut left = if self.feature[0] == LEAF { 0 } else { count };
        while left > 0 {
            let mut kept = 0;
            for i in 0..left {
                let row = walking[i];
                let next = self.step(nodes[row], columns, ids[row]);
                nodes[row] = next;
                walking[kept] = row;
                kept += usize::from(self.feature[next] != LEAF);
            }
            left = kept;
        }
        nodes
    }

    /// The class probabilities of a node.
    pub(crate) fn shares(&self, node: usize, classes: usize) -> &[f64] {
        &self.proba[node * classes..(node + 1) * classes]
    }

    /// How much each of `columns` columns takes away of the impurity, as shares of what all take
    /// away; all 0 for a tree without a split.
    pub(crate) fn importance(&self, columns: usize) -> Vec<f64> {
        let mut shares = vec![0.0; columns];
        for node in (0..self.len()).filter(|&node| self.children(node).is_some()) {
            shares[self.column(node)] += self.gain(node);
        }
        let total: f64 = shares.iter().sum();
        for share in shares.iter_mut().filter(|_| total > 0.0) {
            *share /= total;
        }
        shares
    }

    /// How many splits the longest path has.
    pub(crate) fn depth(&self) -> usize {
        let mut depths = vec![0; self.len()];
        for node in 0..self.len() {
            for child in self.children(node).into_iter().flatten() {
                depths[child] = depths[node] + 1;
            }
        }
        depths.into_iter().max().unwrap_or(0)
    }

    /// How many nodes are leaves.
    pub(crate) fn leaves(&self) -> usize {
        self.feature.iter().filter(|&&feature| feature == LEAF).count()
    }

    /// Copies node `from` of another tree into leaf `to` of this one: what it is split by, not
    /// where its children are. The index of the first child, which the caller adds next.
    pub(super) fn copy_split(&mut self, to: usize, other: &Self, from: usize, levels: Option<u32>) {
        self.feature[to] = other.feature[from];
        self.threshold[to] = other.threshold[from];
        self.missing_left[to] = other.missing_left[from];
        self.gain[to] = other.gain[from];
        self.child[to] = self.len() as u32;
        if let Some(levels) = levels {
            self.subset[to] = self.pool.len() as u32;
            self.pool.extend_from_slice(other.side(from, levels, true));
            self.pool.extend_from_slice(other.side(from, levels, false));
        }
    }

    /// Whether the arrays describe one tree over columns of this schema.
    pub(crate) fn check(&self, inputs: &Schema, classes: usize) -> bool {
        let count = self.len();
        let lengths = [
            self.threshold.len(),
            self.subset.len(),
            self.child.len(),
            self.missing_left.len(),
            self.weight.len(),
            self.gain.len(),
        ];
        let amount = |w: &f64| w.is_finite() && *w >= 0.0;
        let sums = |p: &[f64]| (p.iter().sum::<f64>() - 1.0).abs() <= 1e-9;
        count > 0
            && lengths.iter().all(|&len| len == count)
            && count.checked_mul(classes) == Some(self.proba.len())
            && self.threshold.iter().all(|t| t.is_finite())
            && self.weight.iter().chain(&self.gain).chain(&self.proba).all(amount)
            && self.proba.chunks_exact(classes).all(sums)
            && (0..count).all(|node| self.check_split(node, inputs))
            && self.is_one_tree()
    }

    /// Whether a split names a column that exists and levels that are in the pool.
    fn check_split(&self, node: usize, inputs: &Schema) -> bool {
        if self.feature[node] == LEAF {
            return true;
        }
        let Some(field) = inputs.fields.get(self.column(node)) else { return false };
        match &field.kind {
            Kind::Number => true,
            Kind::Nominal(levels) => {
                let need = 2 * levels.len().div_ceil(64);
                (self.subset[node] as usize)
                    .checked_add(need)
                    .is_some_and(|end| end <= self.pool.len())
            }
        }
    }

    /// Whether every node but the root is the child of exactly one earlier node; with that, all
    /// are reached from the root and every walk ends.
    fn is_one_tree(&self) -> bool {
        let mut has_parent = vec![false; self.len()];
        for node in 0..self.len() {
            for child in self.children(node).into_iter().flatten() {
                if child <= node || child >= self.len() || has_parent[child] {
                    return false;
                }
                has_parent[child] = true;
            }
        }
        has_parent.iter().skip(1).all(|&has| has)
    }
}

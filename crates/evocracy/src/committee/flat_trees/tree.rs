//! A packed tree: 16 bytes a node, all that a walk needs in one place.
//!
//! Node 0 is the root. The two children of a split stand side by side and after it, so that every
//! walk ends; [`PackedTree::check`] refuses anything else. A leaf of a single class holds the
//! number of that class. Few leaves of an unpruned tree are of several; their shares stand in an
//! array of their own.

use crate::data::{Kind, Schema};
use crate::experts::tree::grow::Grown;
use crate::experts::tree::model::probabilities;

/// The mark of a leaf.
pub(super) const LEAF: u32 = u32::MAX;
/// Bits of a split's mark below its column.
const MISSING_LEFT: u32 = 1;
const NOMINAL: u32 = 2;
const COLUMN: u32 = 2;

/// A split or a leaf.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PackedNode {
    /// The highest number that goes left, the first word of a nominal split's levels, or the
    /// weight of the training rows in a leaf.
    pub(super) value: f64,
    /// [`LEAF`], or column, kind and side of missing values.
    pub(super) mark: u32,
    /// The left child of a split, the right one is next to it; for a leaf its class, or beyond
    /// the classes the position of its shares.
    pub(super) next: u32,
}

/// Which rows go left.
#[derive(Debug, Clone, Copy)]
pub(super) enum Side<'a> {
    /// Numbers up to this.
    UpTo(f64),
    /// Numbers up to this, and what is missing.
    NotAbove(f64),
    /// Levels that have their bit.
    Levels { left: &'a [u64], missing_left: bool },
}

/// The output of a leaf.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum LeafOutput<'a> {
    /// This class alone.
    Class(usize),
    /// Each class with this probability.
    Shares(&'a [f64]),
}

/// The leaves of a tree that is being packed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Leaves {
    /// Give the shares of their classes, smoothed by so many rows.
    Shares(f64),
    /// Give their heaviest class, the first among equals.
    Label,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct PackedTree {
    pub(super) nodes: Vec<PackedNode>,
    /// The shares of leaves of more than one class, `classes` each.
    pub(super) shares: Vec<f64>,
    /// For each nominal split a bit for every level that goes left.
    pub(super) levels: Vec<u64>,
}

/// The words that a bit for each level needs.
fn words(levels: u32) -> usize {
    levels.div_ceil(64) as usize
}

impl PackedTree {
    /// Packs a tree; `levels` are those of the columns.
    pub(crate) fn pack(
        grown: &Grown,
        classes: usize,
        leaves: Leaves,
        levels: &[Option<u32>],
    ) -> Self {
        let smoothing = if let Leaves::Shares(smoothing) = leaves { smoothing } else { 0.0 };
        let shares = probabilities(grown, classes, smoothing);
        let mut tree = Self::default();
        tree.nodes.reserve_exact(grown.nodes.len());
        for (node, own) in shares.chunks_exact(classes).enumerate() {
            let packed = if let Some([left, _]) = grown.nodes.children(node) {
                tree.split(grown, node, left, levels)
            } else {
                let next = tree.output_code(own, matches!(leaves, Leaves::Label));
                PackedNode { value: grown.nodes.weight(node), mark: LEAF, next }
            };
            tree.nodes.push(packed);
        }
        tree.shares.shrink_to_fit();
        tree.levels.shrink_to_fit();
        tree
    }

    fn split(
        &mut self,
        grown: &Grown,
        node: usize,
        left: usize,
        levels: &[Option<u32>],
    ) -> PackedNode {
        let nodes = &grown.nodes;
        let (column, missing_left) = (nodes.column(node), nodes.missing_left(node));
        let mut mark = (column as u32) << COLUMN | u32::from(missing_left);
        let value = match levels[column] {
            None => nodes.threshold(node),
            Some(levels) => {
                mark |= NOMINAL;
                let start = self.levels.len();
                // A level that training did not show here goes where missing values go.
                let fill = if missing_left { u64::MAX } else { 0 };
                self.levels.resize(start + words(levels), fill);
                for level in nodes.levels(node, levels, !missing_left) {
                    self.levels[start + level as usize / 64] ^= 1 << (level % 64);
                }
                start as f64
            }
        };
        PackedNode { value, mark, next: left as u32 }
    }

    /// The `next` of a leaf with these shares.
    fn output_code(&mut self, shares: &[f64], label: bool) -> u32 {
        let best = crate::num::argmax(shares);
        let others = shares.iter().enumerate().all(|(class, &p)| class == best || p == 0.0);
        if label || others {
            return best as u32;
        }
        let position = self.shares.len() / shares.len();
        self.shares.extend_from_slice(shares);
        (shares.len() + position) as u32
    }

    /// The output of leaf `leaf`.
    pub(crate) fn output(&self, leaf: usize, classes: usize) -> LeafOutput<'_> {
        match (self.nodes[leaf].next as usize).checked_sub(classes) {
            None => LeafOutput::Class(self.nodes[leaf].next as usize),
            Some(at) => LeafOutput::Shares(&self.shares[at * classes..(at + 1) * classes]),
        }
    }

    pub(crate) fn is_leaf(&self, node: usize) -> bool {
        self.nodes[node].mark == LEAF
    }

    /// The column of a split.
    pub(crate) fn column(&self, node: usize) -> usize {
        (self.nodes[node].mark >> COLUMN) as usize
    }

    pub(super) fn children(&self, node: usize) -> [usize; 2] {
        let left = self.nodes[node].next as usize;
        [left, left + 1]
    }

    /// Which rows a split sends left.
    pub(super) fn side(&self, node: usize) -> Side<'_> {
        let PackedNode { value, mark, .. } = self.nodes[node];
        match (mark & NOMINAL != 0, mark & MISSING_LEFT != 0) {
            (false, false) => Side::UpTo(value),
            (false, true) => Side::NotAbove(value),
            (true, missing_left) => {
                Side::Levels { left: &self.levels[value as usize..], missing_left }
            }
        }
    }

    /// Whether a split asks about this column.
    pub(crate) fn asks(&self, column: usize) -> bool {
        (0..self.len()).any(|node| !self.is_leaf(node) && self.column(node) == column)
    }

    pub(crate) fn leaves(&self) -> usize {
        self.nodes.iter().filter(|node| node.mark == LEAF).count()
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The mean output of the leaves below each node, by their weight; node after node.
    pub(crate) fn means(&self, classes: usize) -> Vec<f64> {
        let mut weights = vec![0.0; self.len()];
        let mut means = vec![0.0; self.len() * classes];
        for node in (0..self.len()).rev() {
            let (here, below) = means.split_at_mut((node + 1) * classes);
            let here = &mut here[node * classes..];
            if self.is_leaf(node) {
                weights[node] = self.nodes[node].value;
                match self.output(node, classes) {
                    LeafOutput::Class(class) => here[class] = 1.0,
                    LeafOutput::Shares(shares) => here.copy_from_slice(shares),
                }
                continue;
            }
            let left = self.nodes[node].next as usize;
            weights[node] = weights[left] + weights[left + 1];
            // Leaves without weight count equally.
            let share = if weights[node] > 0.0 { weights[left] / weights[node] } else { 0.5 };
            let at = (left - node - 1) * classes;
            for class in 0..classes {
                let [a, b] = [below[at + class], below[at + classes + class]];
                here[class] = b + share * (a - b);
            }
        }
        means
    }

    /// Whether this is one tree over columns of this schema.
    pub(super) fn check(&self, inputs: &Schema, classes: usize) -> bool {
        let mut has_parent = vec![false; self.len()];
        let mut claim = |node: usize, child: usize| {
            let free = child > node && has_parent.get(child) == Some(&false);
            if free {
                has_parent[child] = true;
            }
            free
        };
        let positions = classes + self.shares.len() / classes;
        let mut sound = self.shares.len().is_multiple_of(classes)
            && self.shares.chunks_exact(classes).all(|shares| {
                shares.iter().all(|p| (0.0..=1.0).contains(p))
                    && (shares.iter().sum::<f64>() - 1.0).abs() <= 1e-9
            });
        for (node, &packed) in self.nodes.iter().enumerate() {
            let next = packed.next as usize;
            sound &= packed.value.is_finite();
            sound &= if packed.mark == LEAF {
                packed.value >= 0.0 && next < positions
            } else {
                claim(node, next) && claim(node, next + 1) && self.check_split(packed, inputs)
            };
        }
        sound && self.len() > 0 && has_parent.iter().skip(1).all(|&has| has)
    }

    /// Whether a split names a column that exists and levels that are there.
    fn check_split(&self, node: PackedNode, inputs: &Schema) -> bool {
        let Some(field) = inputs.fields.get((node.mark >> COLUMN) as usize) else { return false };
        match &field.kind {
            Kind::Number => node.mark & NOMINAL == 0,
            Kind::Nominal(levels) => {
                let room = self.levels.len() as f64 - words(levels.len() as u32) as f64;
                node.mark & NOMINAL != 0 && (0.0..=room).contains(&node.value)
            }
        }
    }
}

//! A packed tree: about 12 bytes for a split and its share of the leaves.
//!
//! Node 0 is the root, and nodes are numbered level by level: the two children of a split stand side
//! by side, after those of all splits before it. So which nodes are splits, a bit for each, tells
//! where children are (G. Jacobson, "Space-efficient static trees and graphs", FOCS 1989), and every
//! walk ends. A leaf of a single class holds the number of that class. Few leaves of an unpruned tree
//! are of several; their shares stand in an array of their own.

use super::narrow::{Narrow, Weights};
use crate::data::{Kind, Schema};
use crate::experts::tree::grow::Grown;
use crate::experts::tree::model::probabilities;

/// The mark of a leaf.
pub(super) const LEAF: u32 = u32::MAX;
/// Bits of a split's mark below its column.
const MISSING_LEFT: u32 = 1;
const NOMINAL: u32 = 2;
const COLUMN: u32 = 2;

/// A split or a leaf, as a file holds it.
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

/// A split: where it stands among the splits tells where its children are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Split(usize);

impl Split {
    pub(super) fn children(self) -> [usize; 2] {
        [2 * self.0 + 1, 2 * self.0 + 2]
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct PackedTree {
    len: usize,
    /// A bit for each node: whether it is a split.
    is_split: Vec<u64>,
    /// How many splits there are before each of these words.
    before: Vec<u32>,
    /// What a node's `value` is, for each split.
    places: Vec<f64>,
    marks: Narrow,
    /// What a node's `next` is, for each leaf.
    outputs: Narrow,
    weights: Weights,
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
        let mut nodes = Vec::with_capacity(grown.nodes.len());
        for (node, own) in shares.chunks_exact(classes).enumerate() {
            nodes.push(if let Some([left, _]) = grown.nodes.children(node) {
                tree.pack_split(grown, node, left, levels)
            } else {
                let next = tree.output_code(own, matches!(leaves, Leaves::Label));
                PackedNode { value: grown.nodes.weight(node), mark: LEAF, next }
            });
        }
        tree.shares.shrink_to_fit();
        tree.levels.shrink_to_fit();
        tree.with_nodes(&nodes)
    }

    /// The same tree with these nodes, as far as they are one tree.
    pub(super) fn with_nodes(mut self, nodes: &[PackedNode]) -> Self {
        let order = level_by_level(nodes);
        self.len = order.len();
        self.is_split = vec![0; self.len.div_ceil(64)];
        let (mut marks, mut outputs, mut weights) = (Vec::new(), Vec::new(), Vec::new());
        for (at, node) in order.iter().map(|&node| nodes[node as usize]).enumerate() {
            if at % 64 == 0 {
                self.before.push(marks.len() as u32);
            }
            if node.mark == LEAF {
                outputs.push(node.next);
                weights.push(node.value);
            } else {
                self.is_split[at / 64] |= 1 << (at % 64);
                marks.push(node.mark);
                self.places.push(node.value);
            }
        }
        self.places.shrink_to_fit();
        (self.marks, self.outputs) = (Narrow::new(&marks), Narrow::new(&outputs));
        weights.shrink_to_fit();
        self.weights = Weights::new(weights);
        self
    }

    /// A node as a file holds it.
    pub(super) fn node(&self, node: usize) -> PackedNode {
        match self.find(node) {
            Ok(split) => PackedNode {
                value: self.places[split.0],
                mark: self.marks.get(split.0),
                next: split.children()[0] as u32,
            },
            Err(leaf) => PackedNode {
                value: self.weights.get(leaf),
                mark: LEAF,
                next: self.outputs.get(leaf),
            },
        }
    }

    /// The split that a node is, or the position of the leaf among the leaves.
    #[inline]
    fn find(&self, node: usize) -> Result<Split, usize> {
        let (word, bit) = (self.is_split[node / 64], node % 64);
        let before = self.before[node / 64] as usize;
        let splits = before + (word & ((1 << bit) - 1)).count_ones() as usize;
        if word >> bit & 1 == 1 { Ok(Split(splits)) } else { Err(node - splits) }
    }

    /// The split that a node is; `None` for a leaf.
    #[inline]
    pub(super) fn split(&self, node: usize) -> Option<Split> {
        self.find(node).ok()
    }

    fn pack_split(
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
        let output = self.node(leaf).next as usize;
        match output.checked_sub(classes) {
            None => LeafOutput::Class(output),
            Some(at) => LeafOutput::Shares(&self.shares[at * classes..(at + 1) * classes]),
        }
    }

    /// The column of a split.
    pub(super) fn column(&self, split: Split) -> usize {
        (self.marks.get(split.0) >> COLUMN) as usize
    }

    /// Which rows a split sends left.
    pub(super) fn side(&self, split: Split) -> Side<'_> {
        let (value, mark) = (self.places[split.0], self.marks.get(split.0));
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
        (0..self.places.len()).any(|split| self.column(Split(split)) == column)
    }

    /// The column of the first split.
    #[cfg(test)]
    pub(crate) fn first_column(&self) -> usize {
        self.column(Split(0))
    }

    pub(crate) fn leaves(&self) -> usize {
        self.len - self.places.len()
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The mean output of the leaves below each node, by their weight; node after node.
    pub(crate) fn means(&self, classes: usize) -> Vec<f64> {
        let mut weights = vec![0.0; self.len()];
        let mut means = vec![0.0; self.len() * classes];
        for node in (0..self.len()).rev() {
            let (here, below) = means.split_at_mut((node + 1) * classes);
            let here = &mut here[node * classes..];
            let Some(split) = self.split(node) else {
                weights[node] = self.node(node).value;
                match self.output(node, classes) {
                    LeafOutput::Class(class) => here[class] = 1.0,
                    LeafOutput::Shares(shares) => here.copy_from_slice(shares),
                }
                continue;
            };
            let [left, _] = split.children();
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

    /// Whether splits and leaves are of columns of this schema and of these classes.
    pub(super) fn check(&self, inputs: &Schema, classes: usize) -> bool {
        let positions = classes + self.shares.len() / classes;
        let sound = self.shares.len().is_multiple_of(classes)
            && self.shares.chunks_exact(classes).all(|shares| {
                shares.iter().all(|p| (0.0..=1.0).contains(p))
                    && (shares.iter().sum::<f64>() - 1.0).abs() <= 1e-9
            });
        let node = |node: usize| {
            let packed = self.node(node);
            packed.value.is_finite()
                && if packed.mark == LEAF {
                    packed.value >= 0.0 && (packed.next as usize) < positions
                } else {
                    self.check_split(packed, inputs)
                }
        };
        sound && self.len > 0 && (0..self.len).all(node)
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

/// The nodes from the root on, level by level; fewer than there are where they are not one tree, in
/// which children come after their parent and have no other.
fn level_by_level(nodes: &[PackedNode]) -> Vec<u32> {
    let mut has_parent = vec![false; nodes.len()];
    let mut order = Vec::with_capacity(nodes.len());
    order.extend((!nodes.is_empty()).then_some(0));
    let mut at = 0;
    while let Some(&node) = order.get(at) {
        at += 1;
        let PackedNode { mark, next, .. } = nodes[node as usize];
        if mark == LEAF {
            continue;
        }
        for child in [Some(next), next.checked_add(1)] {
            let free = child.and_then(|child| has_parent.get_mut(child as usize));
            match (child, free) {
                (Some(child), Some(has)) if child > node && !*has => {
                    *has = true;
                    order.push(child);
                }
                _ => return Vec::new(),
            }
        }
    }
    order
}

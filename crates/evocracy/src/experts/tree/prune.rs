//! Minimal cost-complexity pruning (Breiman, Friedman, Olshen, Stone 1984, chapter 3).
//!
//! The cost of a tree is `R + alpha |leaves|`, with `R` the weighted impurity of its leaves as a
//! share of all rows. As `alpha` grows, the best subtrees are nested: in turn the inner node `t`
//! with the weakest link `g(t) = (R(t) - R(T_t)) / (|T_t| - 1)` becomes a leaf (equation 3.9).
//! The `alpha` at which each node collapses describes the whole sequence, and pruning at one
//! `alpha` is keeping the nodes that no collapsed node is above.

use super::grow::Grown;
use super::nodes::Nodes;
use super::score::Criterion;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Strengths closer than this are equal; they are shares of all rows.
const TIE: f64 = 1e-13;

/// The `alpha` from which on each node is a leaf: infinite for leaves, and for nodes that are
/// gone with one above them before their own turn comes.
pub(super) fn collapse_points(grown: &Grown, classes: usize, criterion: Criterion) -> Vec<f64> {
    let mut links = Links::new(grown, classes, criterion);
    let mut points = vec![f64::INFINITY; grown.nodes.len()];
    let mut alpha = 0.0_f64;
    while let Some((strength, node)) = links.weakest() {
        // Links that are equal but for rounding collapse together.
        if strength > alpha + TIE {
            alpha = strength;
        }
        points[node] = alpha;
        links.cut(node);
    }
    points
}

/// The links between the inner nodes that are left and their leaves.
struct Links<'a> {
    nodes: &'a Nodes,
    parent: Vec<Option<usize>>,
    /// `R` of each node as a leaf.
    alone: Vec<f64>,
    /// `R` of the leaves below each node.
    below: Vec<f64>,
    leaves: Vec<usize>,
    /// Strength (as bits: the order of numbers that are not negative) and node. A link that has
    /// grown stronger since is put in anew when it comes out.
    queue: BinaryHeap<Reverse<(u64, usize)>>,
    /// The strength with which each node is in the queue.
    queued: Vec<u64>,
}

impl<'a> Links<'a> {
    fn new(grown: &'a Grown, classes: usize, criterion: Criterion) -> Self {
        let nodes = &grown.nodes;
        let total = nodes.weight(0);
        let impurity = |counts: &[f64]| criterion.impurity(counts) / total;
        let alone: Vec<f64> = grown.counts.chunks_exact(classes).map(impurity).collect();
        let (parent, leaves) = (vec![None; nodes.len()], vec![1; nodes.len()]);
        let (below, queue) = (alone.clone(), BinaryHeap::new());
        let queued = vec![u64::MAX; nodes.len()];
        let mut links = Self { nodes, parent, alone, below, leaves, queue, queued };
        // Children come after their parents: from the back, both are complete in time.
        for node in (0..nodes.len()).rev() {
            if let Some(children) = nodes.children(node) {
                for child in children {
                    links.parent[child] = Some(node);
                }
                links.renew(node);
            }
        }
        links
    }

    fn renew(&mut self, node: usize) {
        if let Some([left, right]) = self.nodes.children(node) {
            self.below[node] = self.below[left] + self.below[right];
            self.leaves[node] = self.leaves[left] + self.leaves[right];
            // Cutting the weakest link makes those above it stronger, save for rounding.
            let strength = self.strength(node).to_bits();
            if strength < self.queued[node] {
                self.enqueue(strength, node);
            }
        }
    }

    fn enqueue(&mut self, strength: u64, node: usize) {
        self.queued[node] = strength;
        self.queue.push(Reverse((strength, node)));
    }

    fn strength(&self, node: usize) -> f64 {
        let saved = self.alone[node] - self.below[node];
        (saved / (self.leaves[node].max(2) - 1) as f64).max(0.0)
    }

    /// The weakest link that is left; the lowest node among equals.
    fn weakest(&mut self) -> Option<(f64, usize)> {
        while let Some(Reverse((bits, node))) = self.queue.pop() {
            if self.leaves[node] < 2 || bits != self.queued[node] {
                continue;
            }
            let strength = self.strength(node);
            if strength.to_bits() == bits {
                return Some((strength, node));
            }
            self.enqueue(strength.to_bits(), node);
        }
        None
    }

    /// Makes a leaf of the node, which takes all below it out of the queue.
    fn cut(&mut self, node: usize) {
        let mut gone = vec![node];
        while let Some(inner) = gone.pop() {
            if self.leaves[inner] > 1 {
                gone.extend(self.nodes.children(inner).into_iter().flatten());
            }
            self.leaves[inner] = 1;
        }
        self.below[node] = self.alone[node];
        let mut above = self.parent[node];
        while let Some(node) = above {
            self.renew(node);
            above = self.parent[node];
        }
    }
}

/// The tree without what is below the nodes that have collapsed at `alpha`. `levels` are those
/// of the nominal columns.
pub(super) fn prune(grown: &Grown, points: &[f64], alpha: f64, levels: &[Option<u32>]) -> Grown {
    let classes = grown.counts.len() / grown.nodes.len();
    let counts = |node: usize| &grown.counts[node * classes..(node + 1) * classes];
    let mut kept = Grown { nodes: Nodes::default(), counts: Vec::new(), stop: grown.stop };
    kept.add_leaf(counts(0));
    let mut stack = vec![(0, 0)];
    while let Some((old, new)) = stack.pop() {
        let Some([left, right]) = grown.nodes.children(old).filter(|_| points[old] > alpha) else {
            continue;
        };
        let first = kept.nodes.len();
        kept.nodes.copy_split(new, &grown.nodes, old, levels[grown.nodes.column(old)]);
        kept.add_leaf(counts(left));
        kept.add_leaf(counts(right));
        stack.extend([(right, first + 1), (left, first)]);
    }
    kept
}

//! A tree over distinct points, most often none of which dominates another, that finds a point
//! covering a given one, and takes out those that a given one covers, without visiting all.
//!
//! It is a k-d tree with small leaves and with bounds at every node, as the ND-tree has them
//! (A. Jaszkiewicz, T. Lust, "ND-Tree-Based Update: A Fast Algorithm for the Dynamic
//! Nondominance Problem", 2018): only a node whose least costs are nowhere above the point can
//! hold one that covers it, and only a node whose greatest costs are nowhere below can hold one
//! that it covers. Unlike there, nodes part by a plane, which makes the way down cheap, and a
//! subtree that grew to twice its size on one side is built anew, so that no order of insertion
//! makes the tree deep.
//!
//! Invariants: bounds are exact; siblings stand next to each other; no leaf but the root is
//! empty.

mod change;
mod leaf;

pub(super) use change::Item;
use leaf::Leaf;

/// Where the root is.
const ROOT: usize = 0;

#[derive(Debug, Clone)]
pub(super) struct DominanceTree<const D: usize> {
    /// The root, then pairs of siblings.
    nodes: Vec<TreeNode<D>>,
    leaves: Vec<Leaf<D>>,
    /// First nodes of pairs that are not in use.
    free_pairs: Vec<u32>,
    free_leaves: Vec<u32>,
    /// Points on their way between leaves.
    moved: Vec<Item<D>>,
}

#[derive(Debug, Clone, Copy)]
struct TreeNode<const D: usize> {
    low: [f64; D],
    high: [f64; D],
    size: u32,
    /// The size at which balance is looked at again.
    due: u32,
    /// The leaf, or the first of two children.
    below: u32,
    /// `D` for a leaf.
    axis: u32,
    /// Points below this on the axis go to the first child.
    cut: f64,
}

impl<const D: usize> TreeNode<D> {
    fn is_leaf(&self) -> bool {
        self.axis as usize == D
    }

    /// Whether a point in here may cover `y`.
    #[inline]
    fn may_cover(&self, y: &[f64; D]) -> bool {
        every::<D>(|d| self.low[d] <= y[d])
    }

    /// Whether `y` may cover a point in here.
    #[inline]
    fn may_be_covered(&self, y: &[f64; D]) -> bool {
        every::<D>(|d| y[d] <= self.high[d])
    }

    #[inline]
    fn widen(&mut self, y: &[f64; D]) {
        for (d, &cost) in y.iter().enumerate() {
            self.low[d] = self.low[d].min(cost);
            self.high[d] = self.high[d].max(cost);
        }
    }
}

impl<const D: usize> DominanceTree<D> {
    pub fn new() -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            leaves: vec![Leaf::new()],
            free_pairs: Vec::new(),
            free_leaves: Vec::new(),
            moved: Vec::new(),
        };
        tree.nodes.push(Self::leaf_node(0));
        tree
    }

    /// Forgets the points and keeps the room they took.
    pub fn clear(&mut self) {
        self.nodes.truncate(1);
        self.leaves.truncate(1);
        self.leaves[0].clear();
        self.nodes[ROOT] = Self::leaf_node(0);
        self.free_pairs.clear();
        self.free_leaves.clear();
    }

    /// Somebody who covers `y`: no cost above those of `y`.
    pub fn cover(&self, y: &[f64; D]) -> Option<u32> {
        if self.nodes[ROOT].may_cover(y) { self.cover_below(ROOT, y) } else { None }
    }

    fn cover_below(&self, at: usize, y: &[f64; D]) -> Option<u32> {
        let node = &self.nodes[at];
        if node.is_leaf() {
            return self.leaves[node.below as usize].cover(y);
        }
        // The nearer side first: there a dominator is more likely.
        let first = node.below as usize;
        let near = usize::from(y[node.axis as usize] >= node.cut);
        for child in [first + near, first + 1 - near] {
            if self.nodes[child].may_cover(y)
                && let Some(found) = self.cover_below(child, y)
            {
                return Some(found);
            }
        }
        None
    }

    /// Gives every member the name that `names` has for its present one.
    pub fn rename(&mut self, names: &[u32]) {
        // Leaves that are not in use hold nobody.
        self.leaves.iter_mut().for_each(|leaf| leaf.rename(names));
    }

    fn leaf_node(leaf: u32) -> TreeNode<D> {
        TreeNode {
            low: [f64::INFINITY; D],
            high: [f64::NEG_INFINITY; D],
            size: 0,
            due: 0,
            below: leaf,
            axis: D as u32,
            cut: 0.0,
        }
    }
}

/// Whether something holds for every objective. It looks at all of them, which costs less than
/// a branch that cannot be foreseen.
#[inline]
fn every<const D: usize>(holds: impl Fn(usize) -> bool) -> bool {
    let mut all = true;
    for d in 0..D {
        all &= holds(d);
    }
    all
}

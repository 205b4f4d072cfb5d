//! Putting points in and taking them out.

use super::leaf::{Leaf, ROOM};
use super::{DominanceTree, ROOT, TreeNode};

/// A side with more than this share of the points is too heavy, in sixteenths.
const HEAVY: u32 = 11;

/// A point and whose it is.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Item<const D: usize> {
    pub costs: [f64; D],
    pub who: u32,
}

impl<const D: usize> DominanceTree<D> {
    /// Adds a point that is not there yet.
    pub fn insert(&mut self, item: Item<D>) {
        let mut at = ROOT;
        let mut heavy = None;
        loop {
            let node = &mut self.nodes[at];
            node.widen(&item.costs);
            node.size += 1;
            if node.is_leaf() {
                break;
            }
            let (first, on_axis, cut) =
                (node.below as usize, item.costs[node.axis as usize], node.cut);
            if node.size > node.due && heavy.is_none() {
                node.due = node.size * 2;
                let (size, left) = (node.size - 1, self.nodes[first].size);
                if left.max(size - left) * 16 > size * HEAVY {
                    heavy = Some(at);
                }
            }
            at = first + usize::from(on_axis >= cut);
        }
        let leaf = self.nodes[at].below as usize;
        if self.leaves[leaf].len() < ROOM {
            self.leaves[leaf].push(&item);
        } else {
            let mut moved = std::mem::take(&mut self.moved);
            moved.extend(self.leaves[leaf].items());
            moved.push(item);
            self.free_leaf(leaf as u32);
            self.build(at, &mut moved);
            moved.clear();
            self.moved = moved;
        }
        if let Some(at) = heavy {
            self.rebuild(at);
        }
    }

    /// Takes out those that `y` covers and tells who they were.
    pub fn take_covered(&mut self, y: &[f64; D], out: &mut Vec<u32>) {
        if self.nodes[ROOT].may_be_covered(y) {
            self.take_below(ROOT, y, out);
        }
    }

    fn take_below(&mut self, at: usize, y: &[f64; D], out: &mut Vec<u32>) {
        let before = out.len();
        let first = self.nodes[at].below as usize;
        if self.nodes[at].is_leaf() {
            self.leaves[first].take_covered(y, out);
            if out.len() > before {
                self.bound_leaf(at);
            }
            return;
        }
        for child in [first, first + 1] {
            if self.nodes[child].may_be_covered(y) {
                self.take_below(child, y, out);
            }
        }
        if out.len() > before {
            self.shrink(at);
        }
    }

    /// Puts a node right after points were taken from below it.
    fn shrink(&mut self, at: usize) {
        let first = self.nodes[at].below as usize;
        let [left, right] = [self.nodes[first], self.nodes[first + 1]];
        let (empty, rest) = if left.size == 0 { (left, right) } else { (right, left) };
        if empty.size == 0 {
            self.free_leaf(empty.below);
            self.free_pairs.push(first as u32);
            self.nodes[at] = rest;
            return;
        }
        let node = &mut self.nodes[at];
        node.size = left.size + right.size;
        for d in 0..D {
            node.low[d] = left.low[d].min(right.low[d]);
            node.high[d] = left.high[d].max(right.high[d]);
        }
    }

    fn bound_leaf(&mut self, at: usize) {
        let leaf = self.nodes[at].below;
        let mut node = Self::leaf_node(leaf);
        for item in self.leaves[leaf as usize].items() {
            node.widen(&item.costs);
            node.size += 1;
        }
        self.nodes[at] = node;
    }

    fn rebuild(&mut self, at: usize) {
        let mut moved = std::mem::take(&mut self.moved);
        self.empty(at, &mut moved);
        self.build(at, &mut moved);
        moved.clear();
        self.moved = moved;
    }

    /// Takes all points and nodes from below a node.
    fn empty(&mut self, at: usize, out: &mut Vec<Item<D>>) {
        let TreeNode { below, .. } = self.nodes[at];
        if self.nodes[at].is_leaf() {
            out.extend(self.leaves[below as usize].items());
            self.free_leaf(below);
            return;
        }
        self.empty(below as usize, out);
        self.empty(below as usize + 1, out);
        self.free_pairs.push(below);
    }

    /// Builds the subtree of these points, parting by half.
    fn build(&mut self, at: usize, items: &mut [Item<D>]) {
        let mut node = Self::leaf_node(0);
        for item in &*items {
            node.widen(&item.costs);
        }
        node.size = items.len() as u32;
        if items.len() <= ROOM {
            node.below = self.new_leaf();
            let leaf = &mut self.leaves[node.below as usize];
            for item in &*items {
                leaf.push(item);
            }
            self.nodes[at] = node;
            return;
        }
        let (axis, middle) = part(&node, items);
        node.axis = axis as u32;
        node.cut = items[middle].costs[axis];
        node.due = node.size * 2;
        node.below = self.new_pair();
        self.nodes[at] = node;
        let (left, right) = items.split_at_mut(middle);
        self.build(node.below as usize, left);
        self.build(node.below as usize + 1, right);
    }

    fn new_leaf(&mut self) -> u32 {
        self.free_leaves.pop().unwrap_or_else(|| {
            self.leaves.push(Leaf::new());
            self.leaves.len() as u32 - 1
        })
    }

    fn free_leaf(&mut self, leaf: u32) {
        self.leaves[leaf as usize].clear();
        self.free_leaves.push(leaf);
    }

    fn new_pair(&mut self) -> u32 {
        self.free_pairs.pop().unwrap_or_else(|| {
            let first = self.nodes.len() as u32;
            self.nodes.extend([Self::leaf_node(0); 2]);
            first
        })
    }
}

/// Orders points by an axis so that both sides of a place differ there. The widest axis is
/// taken, unless so many points agree on it that another parts them better.
fn part<const D: usize>(node: &TreeNode<D>, items: &mut [Item<D>]) -> (usize, usize) {
    let width =
        |d: usize| if node.low[d] < node.high[d] { node.high[d] - node.low[d] } else { 0.0 };
    let mut axes: [usize; D] = std::array::from_fn(|d| d);
    axes.sort_by(|&a, &b| width(b).total_cmp(&width(a)));
    let mut best = (0, 0, 0);
    for axis in axes {
        let middle = boundary(items, axis);
        let smaller = middle.min(items.len() - middle);
        if smaller * 4 >= items.len() {
            return (axis, middle);
        }
        best = best.max((smaller, D - axis, middle));
    }
    let axis = D - best.1;
    (axis, boundary(items, axis))
}

/// Parts points by an axis; the place nearest to the middle where the two sides differ.
fn boundary<const D: usize>(items: &mut [Item<D>], axis: usize) -> usize {
    let half = items.len() / 2;
    let by_axis = |a: &Item<D>, b: &Item<D>| a.costs[axis].total_cmp(&b.costs[axis]);
    let (_, middle, _) = items.select_nth_unstable_by(half, by_axis);
    let cut = middle.costs[axis];
    // Those that equal the middle go together to the side that has fewer.
    let below = items.iter().filter(|item| item.costs[axis] < cut).count();
    let through = items.iter().filter(|item| item.costs[axis] <= cut).count();
    items.sort_by(by_axis);
    if half - below <= through - half { below } else { through }
}

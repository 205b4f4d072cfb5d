//! Where the training rows end up in a tree, by their ranks: no cell is looked at again.

use super::columns::{Columns, Ranked};
use super::nodes::Nodes;
use crate::data::MISSING;

/// A split in terms of ranks.
struct Step<'a> {
    ranked: &'a Ranked,
    /// Numbers up to this rank go left, if there is any.
    below: Option<u32>,
    /// Whether each level goes left; the last one stands for missing values.
    left: Vec<bool>,
    missing_left: bool,
    child: usize,
}

impl Columns<'_> {
    /// Writes for every row, with weight or not, the leaf it reaches.
    pub(crate) fn place(&self, nodes: &Nodes, leaves: &mut [u32]) {
        let steps: Vec<Option<Step<'_>>> =
            (0..nodes.len()).map(|node| self.step(nodes, node)).collect();
        let Some(root) = &steps[0] else { return leaves.fill(0) };
        for (row, leaf) in leaves.iter_mut().enumerate() {
            let mut node = root.child_of(row);
            while let Some(step) = &steps[node] {
                node = step.child_of(row);
            }
            *leaf = node as u32;
        }
    }

    fn step(&self, nodes: &Nodes, node: usize) -> Option<Step<'_>> {
        let [child, _] = nodes.children(node)?;
        let ranked = &self.ranked[nodes.column(node)];
        let (threshold, missing_left) = (nodes.threshold(node), nodes.missing_left(node));
        let below = self.rank_up_to(nodes.column(node), threshold);
        let left = ranked.levels.map_or(Vec::new(), |levels| {
            let mut left = vec![missing_left; levels as usize + 1];
            for level in nodes.levels(node, levels, !missing_left) {
                left[level as usize] = !missing_left;
            }
            left
        });
        Some(Step { ranked, below, left, missing_left, child })
    }
}

impl Step<'_> {
    fn child_of(&self, row: usize) -> usize {
        let rank = self.ranked.ranks[row];
        let left = if self.ranked.levels.is_some() {
            self.left[(rank as usize).min(self.left.len() - 1)]
        } else if rank == MISSING {
            self.missing_left
        } else {
            self.below.is_some_and(|below| rank <= below)
        };
        self.child + usize::from(!left)
    }
}

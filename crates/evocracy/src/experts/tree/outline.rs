//! The first levels of a tree as a list of nodes, for whoever draws or writes it.

use super::model::TreeModel;
use super::words;
use crate::classify::Classifier;
use crate::data::Schema;
use serde::Serialize;

/// The whole of a tree, or as many of its levels as were asked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TreeOutline {
    /// The nodes: each before those below it, and what is left before what is right.
    pub nodes: Vec<TreeNode>,
    /// How many splits the longest path in the list has.
    pub depth: usize,
    /// How many nodes the tree has.
    pub of_nodes: usize,
    /// How many splits its longest path has.
    pub of_depth: usize,
}

/// A node of a tree.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TreeNode {
    /// The node above, by its position in the list; none for the root.
    pub parent: Option<usize>,
    /// How many splits there are above it.
    pub depth: usize,
    /// What sends a row of the node above here; empty for the root.
    pub condition: String,
    /// The probability of each class here.
    pub says: Vec<f64>,
    /// The weight of the training rows here: how many they are where all weigh 1.
    pub rows: f64,
    /// How many nodes below it are not in the list.
    pub hidden: usize,
    /// Whether it is a leaf of the tree.
    pub leaf: bool,
}

impl TreeOutline {
    /// Whether all nodes are there.
    pub fn is_whole(&self) -> bool {
        self.nodes.len() == self.of_nodes
    }
}

impl TreeModel {
    /// As many levels as `most` nodes allow, the root at least; `inputs` are the columns the tree
    /// was fitted to.
    pub fn outline(&self, inputs: &Schema, most: usize) -> TreeOutline {
        let nodes = &self.nodes;
        let (mut depths, mut below) = (vec![0; nodes.len()], vec![0; nodes.len()]);
        let mut levels = vec![0; nodes.depth() + 1];
        for node in 0..nodes.len() {
            levels[depths[node]] += 1;
            for child in nodes.children(node).into_iter().flatten() {
                depths[child] = depths[node] + 1;
            }
        }
        for node in (0..nodes.len()).rev() {
            let children = nodes.children(node).into_iter().flatten();
            below[node] = children.map(|child| below[child] + 1).sum();
        }
        let mut sum = 0;
        let fits = |of: &&usize| {
            sum += **of;
            sum <= most
        };
        let depth = levels.iter().take_while(fits).count().max(1) - 1;
        let (mut list, mut stack) = (Vec::new(), vec![(0, None, String::new())]);
        while let Some((node, parent, condition)) = stack.pop() {
            let (place, cut) = (list.len(), depths[node] == depth);
            let children = nodes.children(node);
            list.push(TreeNode {
                parent,
                depth: depths[node],
                condition,
                says: nodes.shares(node, self.classes().len()).to_vec(),
                rows: nodes.weight(node),
                hidden: if cut { below[node] } else { 0 },
                leaf: children.is_none(),
            });
            let Some([left, right]) = children.filter(|_| !cut) else { continue };
            // The last one pushed is taken first: left before right.
            for (child, is_left) in [(right, false), (left, true)] {
                stack.push((child, Some(place), words::side(self, node, inputs, is_left)));
            }
        }
        let (of_nodes, of_depth) = (nodes.len(), nodes.depth());
        TreeOutline { nodes: list, depth, of_nodes, of_depth }
    }
}

#[cfg(test)]
mod tests {
    use super::TreeOutline;
    use crate::classify::Learner;
    use crate::data::catalogue::{Catalogue, Load};
    use crate::error::Result;
    use crate::experts::Tree;
    use crate::run::{Pool, Run, Stop};

    fn outline(most: usize) -> Result<(TreeOutline, String)> {
        let data = Catalogue::embedded().open("pima", &Load::default())?;
        let (stop, pool) = (Stop::new(), Pool::new(1)?);
        let tree = Tree { prune_folds: 0, ..Tree::default() };
        let model = tree.fit(&data.task()?, &Run::new(1, &stop, &pool))?.model;
        let schema = crate::data::Schema { fields: data.features().fields().cloned().collect() };
        Ok((model.outline(&schema, most), model.describe(&schema)))
    }

    #[test]
    fn all_nodes_are_there_in_the_order_of_the_drawing() -> Result<()> {
        let (all, drawing) = outline(usize::MAX)?;
        assert!(all.is_whole() && all.depth == all.of_depth && all.of_depth > 5);
        assert_eq!(all.nodes.len(), drawing.lines().count() + 1);
        for (node, line) in all.nodes[1..].iter().zip(drawing.lines()) {
            assert!(line.trim_start().starts_with(&node.condition), "{line}");
            let parent = &all.nodes[node.parent.expect("only the root has none")];
            assert_eq!(node.depth, parent.depth + 1);
            assert!(!parent.leaf && node.hidden == 0);
        }
        let rows: f64 = all.nodes.iter().filter(|node| node.leaf).map(|node| node.rows).sum();
        assert_eq!(rows, all.nodes[0].rows);
        Ok(())
    }

    #[test]
    fn a_part_has_whole_levels_and_says_what_it_leaves_out() -> Result<()> {
        let all = outline(usize::MAX)?.0;
        for most in [0, 1, 2, 3, 20, 63] {
            let some = outline(most)?.0;
            assert!(some.nodes.len() <= most.max(1));
            let within = all.nodes.iter().filter(|node| node.depth <= some.depth);
            assert_eq!(some.nodes.len(), within.count(), "{most}");
            // One more level would be too many.
            let more = all.nodes.iter().filter(|node| node.depth <= some.depth + 1).count();
            assert!(more > most);
            let hidden: usize = some.nodes.iter().map(|node| node.hidden).sum();
            assert_eq!(some.nodes.len() + hidden, all.nodes.len());
            assert_eq!(some.of_nodes, all.of_nodes);
        }
        Ok(())
    }
}

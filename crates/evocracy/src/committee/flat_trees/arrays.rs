//! Trees as a file holds them: one array for each property, over all trees.

use super::tree::{PackedNode, PackedTree};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub(super) struct TreeArrays {
    /// How many nodes, shares and words of levels each tree has.
    sizes: Vec<[u32; 3]>,
    value: Vec<f64>,
    mark: Vec<u32>,
    next: Vec<u32>,
    shares: Vec<f64>,
    levels: Vec<u64>,
}

/// Packed trees, saved as [`TreeArrays`].
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(try_from = "TreeArrays", into = "TreeArrays")]
pub(crate) struct SavedTrees(pub(super) Vec<PackedTree>);

impl From<SavedTrees> for TreeArrays {
    fn from(SavedTrees(trees): SavedTrees) -> Self {
        let sizes = |tree: &PackedTree| {
            [tree.len(), tree.shares.len(), tree.levels.len()].map(|len| len as u32)
        };
        let nodes = || trees.iter().flat_map(|tree| (0..tree.len()).map(|node| tree.node(node)));
        Self {
            sizes: trees.iter().map(sizes).collect(),
            value: nodes().map(|node| node.value).collect(),
            mark: nodes().map(|node| node.mark).collect(),
            next: nodes().map(|node| node.next).collect(),
            shares: trees.iter().flat_map(|tree| &tree.shares).copied().collect(),
            levels: trees.iter().flat_map(|tree| &tree.levels).copied().collect(),
        }
    }
}

impl TryFrom<TreeArrays> for SavedTrees {
    type Error = &'static str;

    fn try_from(flat: TreeArrays) -> Result<Self, Self::Error> {
        let TreeArrays { sizes, value, mark, next, shares, levels } = flat;
        let total = |which: usize| sizes.iter().map(|size| size[which] as usize).sum::<usize>();
        let nodes = [value.len(), mark.len(), next.len()];
        if nodes != [total(0); 3] || shares.len() != total(1) || levels.len() != total(2) {
            return Err("its trees do not have the sizes it names");
        }
        let nodes = value.into_iter().zip(mark).zip(next);
        let mut nodes = nodes.map(|((value, mark), next)| PackedNode { value, mark, next });
        let (mut shares, mut levels) = (shares.into_iter(), levels.into_iter());
        let trees = sizes.into_iter().map(|size| {
            let [n, s, l] = size.map(|size| size as usize);
            let mut tree = PackedTree::default();
            tree.shares = shares.by_ref().take(s).collect();
            tree.levels = levels.by_ref().take(l).collect();
            let tree = tree.with_nodes(&nodes.by_ref().take(n).collect::<Vec<_>>());
            if tree.len() == n { Ok(tree) } else { Err("its nodes are not one tree each") }
        });
        Ok(Self(trees.collect::<Result<_, _>>()?))
    }
}

//! Ranks with four objectives and more: every front a tree.

use super::super::points::{PointSet, covers};
use super::super::tree::{DominanceTree, Item};

/// Trees of fronts, kept for the next time.
#[derive(Debug, Clone, Default)]
pub(super) struct Fronts {
    four: Vec<DominanceTree<4>>,
    five: Vec<DominanceTree<5>>,
    six: Vec<DominanceTree<6>>,
    /// Members of each front, where there is no tree.
    lists: Vec<Vec<u32>>,
}

impl Fronts {
    /// Ranks points that are given in lexicographic order.
    pub fn rank(&mut self, points: &PointSet, order: &[u32], ranks: &mut [u32]) {
        match points.objectives() {
            4 => by_trees(&mut self.four, points, order, ranks),
            5 => by_trees(&mut self.five, points, order, ranks),
            6 => by_trees(&mut self.six, points, order, ranks),
            _ => self.by_lists(points, order, ranks),
        }
    }

    fn by_lists(&mut self, points: &PointSet, order: &[u32], ranks: &mut [u32]) {
        let mut used = 0;
        let mut before = None;
        for &at in order {
            let costs = points.costs(at as usize);
            let rank = match before.filter(|&before: &u32| points.costs(before as usize) == costs) {
                Some(twin) => ranks[twin as usize] as usize,
                None => self.lists[..used].partition_point(|front| {
                    // The newest are the nearest in the order.
                    front.iter().rev().any(|&a| covers(points.costs(a as usize), costs))
                }),
            };
            if rank == used {
                used += 1;
                if self.lists.len() < used {
                    self.lists.push(Vec::new());
                }
                self.lists[rank].clear();
            }
            self.lists[rank].push(at);
            ranks[at as usize] = rank as u32;
            before = Some(at);
        }
    }
}

fn by_trees<const D: usize>(
    trees: &mut Vec<DominanceTree<D>>,
    points: &PointSet,
    order: &[u32],
    ranks: &mut [u32],
) {
    let mut used = 0;
    let mut before: Option<([f64; D], usize)> = None;
    for &at in order {
        let costs: [f64; D] = std::array::from_fn(|d| points.costs(at as usize)[d]);
        let rank = match before {
            Some((twin, rank)) if twin == costs => rank,
            _ => {
                let rank = trees[..used].partition_point(|front| front.cover(&costs).is_some());
                if rank == used {
                    used += 1;
                    if trees.len() < used {
                        trees.push(DominanceTree::new());
                    }
                    trees[rank].clear();
                }
                trees[rank].insert(Item { costs, who: at });
                rank
            }
        };
        ranks[at as usize] = rank as u32;
        before = Some((costs, rank));
    }
}

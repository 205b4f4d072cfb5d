//! The tree for as many objectives as there are.

use super::super::tree::{DominanceTree, Item};
use crate::error::{Error, Result};

/// The most objectives there are trees for.
pub(super) const MOST: usize = 6;

#[derive(Debug, Clone)]
pub(super) enum Index {
    One(DominanceTree<1>),
    Two(DominanceTree<2>),
    Three(DominanceTree<3>),
    Four(DominanceTree<4>),
    Five(DominanceTree<5>),
    Six(DominanceTree<6>),
}

/// The same words for every number of objectives.
macro_rules! each {
    ($index:expr, $tree:ident => $do:expr) => {
        match $index {
            Index::One($tree) => $do,
            Index::Two($tree) => $do,
            Index::Three($tree) => $do,
            Index::Four($tree) => $do,
            Index::Five($tree) => $do,
            Index::Six($tree) => $do,
        }
    };
}

impl Index {
    pub fn new(objectives: usize) -> Result<Self> {
        Ok(match objectives {
            1 => Self::One(DominanceTree::new()),
            2 => Self::Two(DominanceTree::new()),
            3 => Self::Three(DominanceTree::new()),
            4 => Self::Four(DominanceTree::new()),
            5 => Self::Five(DominanceTree::new()),
            6 => Self::Six(DominanceTree::new()),
            _ => {
                return Err(Error::unsuitable(
                    format!("an archive cannot hold points of {objectives} objectives"),
                    format!("use 1 to {MOST} objectives"),
                ));
            }
        })
    }

    #[inline]
    pub fn cover(&self, costs: &[f64]) -> Option<u32> {
        each!(self, tree => tree.cover(&array(costs)))
    }

    #[inline]
    pub fn take_covered(&mut self, costs: &[f64], out: &mut Vec<u32>) {
        each!(self, tree => tree.take_covered(&array(costs), out));
    }

    #[inline]
    pub fn insert(&mut self, costs: &[f64], who: u32) {
        each!(self, tree => tree.insert(Item { costs: array(costs), who }));
    }

    pub fn rename(&mut self, names: &[u32]) {
        each!(self, tree => tree.rename(names));
    }
}

fn array<const D: usize>(costs: &[f64]) -> [f64; D] {
    std::array::from_fn(|d| costs[d])
}

//! Who lives on.

use super::niche::apart;
use super::select::ranked;
use super::{Select, Single};
use crate::error::{Error, Result};
use crate::evolve::{Generation, Next, Space};
use serde::{Deserialize, Serialize};

/// A way of choosing survivors by one objective. Among equals the earlier one lives, and parents
/// come before children.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Survive {
    /// The children replace their parents, but for the best `elite` parents; the worst children
    /// give way to them.
    Generational {
        /// How many parents live on.
        elite: usize,
    },
    /// The best of parents and children live on.
    Plus,
    /// The best of the children live on.
    Comma,
    /// Steady state: each child in turn takes the place of the worst member, unless it is worse.
    Steady,
    /// Deterministic crowding (Mahfoud 1995): each child takes the place of the nearer one of
    /// its parents, unless it is worse. Every member is a parent at most once.
    Crowding,
}

impl Survive {
    pub(super) fn check(self, strategy: &Single) -> Result<()> {
        let (size, children) = (strategy.size, strategy.children);
        let wrong = match self {
            Self::Generational { elite } if elite > size || children + elite < size => {
                "the children and the elite do not fill the population"
            }
            Self::Comma if children < size => "the children do not fill the population",
            Self::Crowding if strategy.select != Select::Shuffle || strategy.parents() > size => {
                "crowding where a member may be a parent twice"
            }
            _ => return Ok(()),
        };
        let help = match self {
            Self::Crowding => "select by `Shuffle`, and have no more children than members",
            _ => "have more children",
        };
        Err(Error::unsuitable(format!("{wrong}: {children} children, {size} members"), help))
    }

    /// Says who lives on after the costs of parents and children.
    pub(super) fn decide<S: Space>(
        self,
        size: usize,
        generation: &Generation<'_, S>,
        parents: &[f64],
        children: &[f64],
        next: &mut Next,
    ) -> Result<()> {
        let n = parents.len();
        match self {
            Self::Generational { elite } => {
                next.keep_all(best(elite, parents));
                let room = size - elite.min(n);
                next.keep_all(best(room, children).into_iter().map(|child| n + child));
            }
            Self::Plus => {
                let cost = |i: usize| if i < n { parents[i] } else { children[i - n] };
                let order = ranked(n + children.len(), cost);
                next.keep_all(order.into_iter().take(size));
            }
            Self::Comma => {
                next.keep_all(best(size, children).into_iter().map(|child| n + child));
            }
            Self::Steady => steady(parents, children, next),
            Self::Crowding => return crowding(generation, parents, children, next),
        }
        Ok(())
    }
}

/// The best `k`, in their order.
fn best(k: usize, costs: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..costs.len()).collect();
    if k == 0 {
        order.clear();
    } else if k < order.len() {
        let by_cost = |a: &usize, b: &usize| costs[*a].total_cmp(&costs[*b]).then(a.cmp(b));
        order.select_nth_unstable_by(k - 1, by_cost);
        order.truncate(k);
        order.sort_unstable();
    }
    order
}

fn steady(parents: &[f64], children: &[f64], next: &mut Next) {
    let mut costs = parents.to_vec();
    // The child that is in a place now.
    let mut taken: Vec<(usize, usize)> = Vec::new();
    for (child, cost) in children.iter().enumerate() {
        let worst = crate::num::argmax(&costs);
        if *cost > costs[worst] {
            continue;
        }
        costs[worst] = *cost;
        match taken.iter_mut().find(|(slot, _)| *slot == worst) {
            Some(entry) => entry.1 = child,
            None => taken.push((worst, child)),
        }
    }
    for (slot, child) in taken {
        next.replace(slot, child);
    }
}

fn crowding<S: Space>(
    generation: &Generation<'_, S>,
    parents: &[f64],
    children: &[f64],
    next: &mut Next,
) -> Result<()> {
    let Generation { space, pairs, .. } = generation;
    let apart = |parent: usize, child: usize| {
        apart(*space, &generation.parents.genomes[parent], &generation.children.genomes[child])
    };
    let mut compete = |parent: usize, child: usize| {
        if children[child] <= parents[parent] {
            next.replace(parent, child);
        }
    };
    for (k, couple) in pairs.chunks_exact(2).enumerate() {
        let (child, [a, b]) = (2 * k, [couple[0], couple[1]]);
        if child + 1 < children.len() {
            let straight = apart(a, child)? + apart(b, child + 1)?;
            let crossed = apart(a, child + 1)? + apart(b, child)?;
            let [a, b] = if straight <= crossed { [a, b] } else { [b, a] };
            compete(a, child);
            compete(b, child + 1);
        } else {
            compete(if apart(a, child)? <= apart(b, child)? { a } else { b }, child);
        }
    }
    Ok(())
}

//! Orders of the nodes: main lists whose nodes take the best parents among those before them.
//!
//! A local search takes a node out of the order and puts it where the score is best, until no node
//! can be put better (Lee, van Beek 2017). Moving a node is a sequence of swaps of neighbours, and
//! a swap concerns these two nodes alone.

use super::above;
use super::lists::ParentSets;
use crate::error::{Error, Result};
use crate::evolve::{Permutation, Rng, Space, below};
use crate::network::Dag;

/// The score of a node whose required parents do not come before it.
const IMPOSSIBLE: f64 = -1e15;
/// No candidate.
const NONE: u8 = u8::MAX;

/// The orders of the nodes of some lists, each a local optimum.
pub(super) struct Orders {
    lists: Vec<ParentSets>,
    /// `bit[child * n + parent]`: the number of the parent among the candidates of the child.
    bit: Vec<u8>,
    /// The most pairs that a mutation swaps.
    swaps: usize,
}

impl Orders {
    pub fn new(lists: Vec<ParentSets>, swaps: usize) -> Self {
        let n = lists.len();
        let mut bit = vec![NONE; n * n];
        for (child, list) in lists.iter().enumerate() {
            for (at, &parent) in list.candidates.iter().enumerate() {
                bit[child * n + parent as usize] = at as u8;
            }
        }
        Self { lists, bit, swaps }
    }

    #[inline]
    fn bit(&self, child: u32, parent: u32) -> u64 {
        match self.bit[child as usize * self.lists.len() + parent as usize] {
            NONE => 0,
            at => 1 << at,
        }
    }

    /// The best set of a node among the candidates that come before it.
    #[inline]
    fn best(&self, node: u32, before: u64) -> (u64, f64) {
        let fits = |(set, _): &&(u64, f64)| set & !before == 0;
        self.lists[node as usize].sets.iter().find(fits).copied().unwrap_or((0, IMPOSSIBLE))
    }

    /// For each node the candidates before it.
    fn before(&self, order: &[u32]) -> Vec<u64> {
        let mut before = vec![0; order.len()];
        for (at, &node) in order.iter().enumerate() {
            before[node as usize] =
                order[..at].iter().fold(0, |set, &parent| set | self.bit(node, parent));
        }
        before
    }

    pub fn score(&self, order: &[u32]) -> f64 {
        let before = self.before(order);
        order.iter().map(|&node| self.best(node, before[node as usize]).1).sum()
    }

    pub fn dag(&self, order: &[u32]) -> Dag {
        let before = self.before(order);
        let parents = (0..order.len())
            .map(|node| self.lists[node].members(self.best(node as u32, before[node]).0));
        Dag::trusted(parents.collect())
    }

    /// Puts nodes where they are best until none can be put better.
    pub fn improve(&self, order: &mut [u32]) {
        let mut before = self.before(order);
        let mut own: Vec<f64> =
            (0..order.len()).map(|node| self.best(node as u32, before[node]).1).collect();
        let (mut still, mut node, n) = (0, 0, order.len() as u32);
        while still < n {
            let at = order.iter().position(|other| *other == node).unwrap_or(0);
            let (to, gain) = self.best_place(order, at, &before, &own);
            if above(gain, 0.0) {
                self.put((at, to), order, &mut before, &mut own);
                still = 0;
            } else {
                still += 1;
            }
            node = (node + 1) % n.max(1);
        }
    }

    /// Puts the node at one place at another, and counts anew for the nodes between.
    fn put(
        &self,
        (at, to): (usize, usize),
        order: &mut [u32],
        before: &mut [u64],
        own: &mut [f64],
    ) {
        shift(order, at, to);
        for place in at.min(to)..=at.max(to) {
            let moved = order[place];
            let set = order[..place].iter().fold(0, |set, &parent| set | self.bit(moved, parent));
            before[moved as usize] = set;
            own[moved as usize] = self.best(moved, set).1;
        }
    }

    /// Where to put the node at a place, and what that gains.
    fn best_place(&self, order: &[u32], at: usize, before: &[u64], own: &[f64]) -> (usize, f64) {
        let node = order[at];
        let mut best = (at, 0.0);
        let mut walk = |places: &mut dyn Iterator<Item = usize>, earlier: bool| {
            let (mut mask, mut gain, mut mine) = (before[node as usize], 0.0, own[node as usize]);
            for to in places {
                let other = order[to];
                let (bit, back) = (self.bit(node, other), self.bit(other, node));
                let mask_other = before[other as usize];
                if bit != 0 {
                    mask = if earlier { mask & !bit } else { mask | bit };
                    let now = self.best(node, mask).1;
                    gain += now - mine;
                    mine = now;
                }
                if back != 0 {
                    let wider = if earlier { mask_other | back } else { mask_other & !back };
                    gain += self.best(other, wider).1 - own[other as usize];
                }
                if above(gain, best.1) {
                    best = (to, gain);
                }
            }
        };
        walk(&mut (0..at).rev(), true);
        walk(&mut (at + 1..order.len()), false);
        best
    }
}

/// Takes an item out and puts it in at another place.
fn shift(order: &mut [u32], from: usize, to: usize) {
    if from < to {
        order[from..=to].rotate_left(1);
    } else {
        order[to..=from].rotate_right(1);
    }
}

impl Space for Orders {
    type Genome = Vec<u32>;

    fn sample(&self, rng: &mut Rng) -> Result<Vec<u32>> {
        let mut order = Permutation::identity(self.lists.len());
        order.shuffle(rng);
        let mut order = Vec::from(order);
        self.improve(&mut order);
        Ok(order)
    }

    /// The t-cut of both main lists at one place and the two merges of their parts.
    fn recombine(&self, parents: [&Vec<u32>; 2], children: [&mut Vec<u32>; 2], rng: &mut Rng) {
        let t = 1 + below(self.lists.len().saturating_sub(1), rng);
        for (child, [head, tail]) in
            children.into_iter().zip([[parents[0], parents[1]], [parents[1], parents[0]]])
        {
            child.clear();
            child.extend_from_slice(&head[..t]);
            child.extend(tail.iter().copied().filter(|node| !head[..t].contains(node)));
        }
    }

    /// Some m-mutations, and the way to the next local optimum.
    fn mutate(&self, genome: &mut Vec<u32>, rng: &mut Rng) {
        let n = genome.len();
        for _ in 0..below(self.swaps + 1, rng) {
            genome.swap(below(n, rng), below(n, rng));
        }
        self.improve(genome);
    }

    fn admit(&self, genome: &Vec<u32>) -> Result<()> {
        let fits = genome.len() == self.lists.len();
        if fits && Permutation::try_from(genome.clone()).is_ok() {
            return Ok(());
        }
        Err(Error::unsuitable("not an order of these nodes", ""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::{chance, rng, unit};
    use crate::run::Seed;

    /// Lists of random sets with random scores; the empty set is the worst of all.
    fn random(nodes: usize, rng: &mut Rng) -> Orders {
        let list = |child: usize| {
            let others = (0..nodes as u32).filter(|&other| other as usize != child);
            let candidates: Vec<u32> = others.filter(|_| chance(0.6, rng)).collect();
            let mut sets = vec![(0, -100.0)];
            for _ in 0..12 {
                let bits = (0..candidates.len()).filter(|_| chance(0.3, rng));
                sets.push((bits.fold(0, |set, at| set | 1 << at), -90.0 * unit(rng)));
            }
            sets.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            ParentSets { candidates, sets }
        };
        Orders::new((0..nodes).map(list).collect::<Vec<_>>(), 3)
    }

    fn shuffled(nodes: usize, rng: &mut Rng) -> Vec<u32> {
        let mut order = Permutation::identity(nodes);
        order.shuffle(rng);
        Vec::from(order)
    }

    fn owns(space: &Orders, order: &[u32]) -> (Vec<u64>, Vec<f64>) {
        let before = space.before(order);
        let own = (0..order.len()).map(|node| space.best(node as u32, before[node]).1).collect();
        (before, own)
    }

    #[test]
    fn orders_keep_nodes_and_acyclicity() -> Result<()> {
        let mut rng = rng(Seed::new(21));
        for nodes in [1, 2, 3, 9, 30] {
            let space = random(nodes, &mut rng);
            let sound = |order: &Vec<u32>| -> Result<()> {
                space.admit(order)?;
                let mut all = order.clone();
                all.sort_unstable();
                assert!(all.iter().copied().eq(0..nodes as u32), "{order:?}");
                let dag = space.dag(order);
                // Checked from nothing: `from_arcs` refuses cycles.
                assert_eq!(Dag::from_arcs(nodes, &dag.arcs())?, dag);
                for (parent, child) in dag.arcs() {
                    let place = |node: u32| order.iter().position(|other| *other == node);
                    assert!(place(parent) < place(child), "{parent} {child} {order:?}");
                }
                Ok(())
            };
            let [mut a, mut b] = [space.sample(&mut rng)?, space.sample(&mut rng)?];
            let [mut c, mut d] = [Vec::new(), Vec::new()];
            for _ in 0..40 {
                space.recombine([&a, &b], [&mut c, &mut d], &mut rng);
                for child in [&mut c, &mut d] {
                    sound(child)?;
                    space.mutate(child, &mut rng);
                    sound(child)?;
                }
                (a, b) = (shuffled(nodes, &mut rng), std::mem::take(&mut d));
            }
        }
        Ok(())
    }

    /// What the search of places says is what whole scores say, for all places.
    #[test]
    fn the_gain_of_a_move_is_the_difference_of_whole_scores() {
        let mut rng = rng(Seed::new(22));
        let mut moved = 0;
        for _ in 0..30 {
            let space = random(8, &mut rng);
            let mut order = shuffled(8, &mut rng);
            for at in 0..8 {
                let (mut before, mut own) = owns(&space, &order);
                let here = space.score(&order);
                assert!((own.iter().sum::<f64>() - here).abs() < 1e-9);
                let (to, gain) = space.best_place(&order, at, &before, &own);
                let gains = (0..8).map(|to| {
                    let mut other = order.clone();
                    shift(&mut other, at, to);
                    space.score(&other) - here
                });
                let gains: Vec<f64> = gains.collect();
                let most = gains.iter().copied().fold(0.0, f64::max);
                assert!((gains[to] - gain).abs() < 1e-9, "{gains:?} {to} {gain}");
                assert!((most - gain).abs() < 1e-6, "{gains:?} {to} {gain}");
                // Counts that are kept from move to move are those of the whole order.
                space.put((at, to), &mut order, &mut before, &mut own);
                assert_eq!((before, own), owns(&space, &order));
                moved += usize::from(at != to);
            }
        }
        assert!(moved > 60, "{moved}");
    }

    #[test]
    fn no_move_improves_what_was_improved() {
        let mut rng = rng(Seed::new(23));
        for _ in 0..20 {
            let space = random(10, &mut rng);
            let first = shuffled(10, &mut rng);
            let mut order = first.clone();
            space.improve(&mut order);
            assert!(space.score(&order) >= space.score(&first));
            for (at, to) in (0..10).flat_map(|at| (0..10).map(move |to| (at, to))) {
                let mut other = order.clone();
                shift(&mut other, at, to);
                assert!(!above(space.score(&other), space.score(&order)), "{at} {to} {order:?}");
            }
        }
    }
}

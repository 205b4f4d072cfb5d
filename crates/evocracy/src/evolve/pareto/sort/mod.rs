//! Non-dominated sorting: the front of every point.
//!
//! The rank of a point is the length of the longest chain of points that dominate each other and
//! end before it: 0 for points that nothing dominates, and so on. With two objectives a sweep
//! finds it in `O(n log n)`; with three, divide and conquer in `O(n log^2 n)` (M. T. Jensen,
//! "Reducing the run-time complexity of multiobjective EAs", 2003). With more, points are taken
//! in lexicographic order and each looks for the first front without a dominator by bisection
//! (X. Zhang et al., "An efficient approach to nondominated sorting", 2015); up to six objectives
//! every front is the tree of [`super::Archive`], so that a look does not visit all of it.
//!
//! Invariant: equal points have equal ranks.

mod chains;
mod fronts;

use super::points::PointSet;
use chains::Chains;
use fronts::Fronts;

/// Sorts sets of points again and again in the same memory.
#[derive(Debug, Clone, Default)]
pub struct Sorter {
    ranks: Vec<u32>,
    /// Points by front, and by number within a front.
    members: Vec<u32>,
    /// Where each front ends in `members`.
    ends: Vec<u32>,
    keys: Vec<u128>,
    order: Vec<u32>,
    tails: Vec<f64>,
    chains: Chains,
    fronts: Fronts,
}

impl Sorter {
    /// A sorter that has no memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The front of every point, from 0 for those that nothing dominates.
    pub fn sort(&mut self, points: &PointSet) -> &[u32] {
        self.ranks.clear();
        self.ranks.resize(points.len(), 0);
        if points.objectives() == 3 {
            self.chains.rank(points, &mut self.keys, &mut self.ranks);
        } else {
            lexicographic(points, &mut self.keys, &mut self.order);
            match points.objectives() {
                1 | 2 => self.sweep(points),
                _ => self.fronts.rank(points, &self.order, &mut self.ranks),
            }
        }
        self.group();
        &self.ranks
    }

    /// The front of every point that was sorted last.
    pub fn ranks(&self) -> &[u32] {
        &self.ranks
    }

    /// The points of each front, the best front first.
    pub fn fronts(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.ends.len()).map(|front| {
            let start = if front == 0 { 0 } else { self.ends[front - 1] };
            &self.members[start as usize..self.ends[front] as usize]
        })
    }

    /// A point that comes later in the order is dominated by a front exactly if the last cost of
    /// that front's newest point is no greater than its own; and newer fronts have greater ones.
    fn sweep(&mut self, points: &PointSet) {
        self.tails.clear();
        let mut before: Option<usize> = None;
        for &at in &self.order {
            let costs = points.costs(at as usize);
            let last = costs[costs.len() - 1];
            let rank = match before.filter(|&before| points.costs(before) == costs) {
                Some(twin) => self.ranks[twin] as usize,
                None => self.tails.partition_point(|&tail| tail <= last),
            };
            match self.tails.get_mut(rank) {
                Some(tail) => *tail = last,
                None => self.tails.push(last),
            }
            self.ranks[at as usize] = rank as u32;
            before = Some(at as usize);
        }
    }

    /// Gathers the members of each front by counting.
    fn group(&mut self) {
        let fronts = self.ranks.iter().max().map_or(0, |&last| last as usize + 1);
        self.ends.clear();
        self.ends.resize(fronts, 0);
        self.ranks.iter().for_each(|&rank| self.ends[rank as usize] += 1);
        let mut start = 0;
        for end in &mut self.ends {
            start += std::mem::replace(end, start);
        }
        self.members.resize(self.ranks.len(), 0);
        for (at, &rank) in self.ranks.iter().enumerate() {
            let end = &mut self.ends[rank as usize];
            self.members[*end as usize] = at as u32;
            *end += 1;
        }
    }
}

/// A number whose order as an integer is that of the cost, followed by who has it.
#[inline]
pub(super) fn key(cost: f64, at: usize) -> u128 {
    let bits = cost.to_bits();
    let flip = if bits >> 63 == 1 { u64::MAX } else { 1 << 63 };
    (u128::from(bits ^ flip) << 32) | at as u128
}

/// Who stands in a key.
#[inline]
pub(super) fn who(key: u128) -> u32 {
    key as u32
}

/// The points ordered by their first cost, equal ones by the second, and so on.
fn lexicographic(points: &PointSet, keys: &mut Vec<u128>, order: &mut Vec<u32>) {
    keys.clear();
    keys.extend(points.rows().enumerate().map(|(at, costs)| key(costs[0], at)));
    keys.sort_unstable();
    order.clear();
    order.extend(keys.iter().map(|&key| who(key)));
    for run in
        order.chunk_by_mut(|&a, &b| points.costs(a as usize)[0] == points.costs(b as usize)[0])
    {
        run.sort_by(|&a, &b| {
            let (a, b) = (points.costs(a as usize), points.costs(b as usize));
            a.iter()
                .zip(b)
                .map(|(a, b)| a.total_cmp(b))
                .find(|c| c.is_ne())
                .unwrap_or(a.len().cmp(&b.len()))
        });
    }
}

#[cfg(test)]
mod tests;

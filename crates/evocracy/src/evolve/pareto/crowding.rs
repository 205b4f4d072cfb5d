//! Crowding distance: how far apart the neighbours of a point are.
//!
//! K. Deb, A. Pratap, S. Agarwal, T. Meyarivan, "A fast and elitist multiobjective genetic
//! algorithm: NSGA-II", 2002, section III-B: for each objective the gap between the two
//! neighbours of a point, as a share of the range, summed over the objectives. The ends of an
//! objective have infinite distance. An objective in which all points agree tells nothing apart
//! and is left out.

use super::points::PointSet;
use super::sort::{key, who};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Measures fronts again and again in the same memory.
#[derive(Debug, Clone, Default)]
pub struct Crowding {
    keys: Vec<u128>,
    distances: Vec<f64>,
    /// For each objective that tells points apart: which it is, its range, and for each member
    /// the ones before and after it.
    chains: Vec<Chain>,
    /// Members by their distance when they were put in, the least on top.
    heap: BinaryHeap<Reverse<u128>>,
}

#[derive(Debug, Clone, Default)]
struct Chain {
    objective: usize,
    range: f64,
    sides: Vec<[u32; 2]>,
}

/// Beyond the end of a chain.
const END: u32 = u32::MAX;

impl Crowding {
    /// Nothing measured yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The crowding distance of each of these points among all of them, in the order given.
    pub fn measure(&mut self, points: &PointSet, members: &[u32]) -> &[f64] {
        self.link(points, members);
        self.distances.clear();
        for at in 0..members.len() {
            let distance = distance(&self.chains, points, members, at);
            self.distances.push(distance);
        }
        &self.distances
    }

    /// Takes out the most crowded point, measures again, and so on until `left` are left; adds
    /// those to `out` with their distances, in the order given.
    ///
    /// S. Kukkonen, K. Deb, "Improved Pruning of Non-Dominated Solutions Based on Crowding
    /// Distance for Bi-Objective Optimization Problems", 2006: taking out all at once leaves gaps
    /// where several neighbours go together.
    pub fn thin(
        &mut self,
        points: &PointSet,
        members: &[u32],
        left: usize,
        out: &mut Vec<(u32, f64)>,
    ) {
        self.measure(points, members);
        self.heap.clear();
        let count = members.len();
        // Of equally crowded ones the newest goes first.
        let entry = |distance: f64, at: usize| Reverse(key(distance, count - 1 - at));
        self.heap.extend(self.distances.iter().enumerate().map(|(at, &d)| entry(d, at)));
        for _ in left..count {
            let crowded = loop {
                let Some(Reverse(top)) = self.heap.pop() else { return };
                let at = count - 1 - who(top) as usize;
                // A distance that changed since, or of one that went, is NaN or has another key.
                if entry(self.distances[at], at) == Reverse(top) {
                    break at;
                }
            };
            self.distances[crowded] = f64::NAN;
            for chain in 0..self.chains.len() {
                for side in self.chains[chain].unlink(crowded).into_iter().filter(|&s| s != END) {
                    let at = side as usize;
                    self.distances[at] = distance(&self.chains, points, members, at);
                    self.heap.push(entry(self.distances[at], at));
                }
            }
        }
        let kept = members.iter().zip(&self.distances).filter(|(_, distance)| !distance.is_nan());
        out.extend(kept.map(|(&member, &distance)| (member, distance)));
    }

    /// Chains the members by each objective that tells them apart.
    fn link(&mut self, points: &PointSet, members: &[u32]) {
        let mut used = 0;
        for objective in 0..points.objectives() {
            let cost = |member: u32| points.costs(member as usize)[objective];
            self.keys.clear();
            self.keys.extend(members.iter().enumerate().map(|(at, &m)| key(cost(m), at)));
            self.keys.sort_unstable();
            let end = |key: Option<&u128>| key.map_or(0.0, |&key| cost(members[who(key) as usize]));
            let range = end(self.keys.last()) - end(self.keys.first());
            if range.is_nan() || range <= 0.0 {
                continue;
            }
            if self.chains.len() == used {
                self.chains.push(Chain::default());
            }
            let chain = &mut self.chains[used];
            (chain.objective, chain.range) = (objective, range);
            chain.sides.resize(members.len(), [END; 2]);
            let mut before = END;
            for (position, &key) in self.keys.iter().enumerate() {
                let after = self.keys.get(position + 1).map_or(END, |&key| who(key));
                chain.sides[who(key) as usize] = [before, after];
                before = who(key);
            }
            used += 1;
        }
        self.chains.truncate(used);
    }
}

impl Chain {
    /// Takes a member out and gives back its neighbours.
    fn unlink(&mut self, at: usize) -> [u32; 2] {
        let [before, after] = self.sides[at];
        if let Some(side) = self.sides.get_mut(before as usize) {
            side[1] = after;
        }
        if let Some(side) = self.sides.get_mut(after as usize) {
            side[0] = before;
        }
        [before, after]
    }
}

#[inline]
fn distance(chains: &[Chain], points: &PointSet, members: &[u32], at: usize) -> f64 {
    chains.iter().fold(0.0, |sum, chain| {
        let [before, after] = chain.sides[at];
        if before == END || after == END {
            return f64::INFINITY;
        }
        let cost = |at: u32| points.costs(members[at as usize] as usize)[chain.objective];
        sum + gap(cost(before), cost(after), chain.range)
    })
}

/// The gap as a share of the range. Next to an infinite cost there is room without end, between
/// two equal ones there is none.
fn gap(low: f64, high: f64, range: f64) -> f64 {
    if low == high {
        0.0
    } else if range.is_infinite() {
        if low.is_infinite() || high.is_infinite() { f64::INFINITY } else { 0.0 }
    } else {
        (high - low) / range
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Result;
    use crate::evolve::pareto::testing::{KINDS, random};

    #[test]
    fn the_gap_between_neighbours_counts() -> Result<()> {
        let rows = [[0.0, 4.0], [4.0, 0.0], [1.0, 2.0], [2.0, 1.0]];
        let points = PointSet::minimised(rows)?;
        let mut crowding = Crowding::new();
        let inf = f64::INFINITY;
        // By hand: 2/4 + 3/4 for both inner points.
        assert_eq!(crowding.measure(&points, &[0, 1, 2, 3]), [inf, inf, 1.25, 1.25]);
        assert_eq!(crowding.measure(&points, &[2, 0, 3]), [2.0, inf, inf]);
        assert_eq!(crowding.measure(&points, &[1]), [0.0]);
        assert!(crowding.measure(&points, &[]).is_empty());
        Ok(())
    }

    #[test]
    fn thinning_measures_again_after_each_point() -> Result<()> {
        // At first 410 and 420 are the most crowded. Once one is gone, 710 is.
        let places = [0.0, 400.0, 410.0, 420.0, 430.0, 700.0, 710.0, 725.0, 1000.0];
        let points = PointSet::minimised(places.map(|x| [x, 1000.0 - x]))?;
        let (mut crowding, mut left) = (Crowding::new(), Vec::new());
        let members: Vec<u32> = (0..9).collect();
        crowding.thin(&points, &members, 7, &mut left);
        let kept: Vec<u32> = left.iter().map(|&(member, _)| member).collect();
        assert_eq!(kept, [0, 1, 2, 4, 5, 7, 8]);
        assert_eq!(left[0].1, f64::INFINITY);
        // By hand: twice (430 - 400) / 1000.
        assert_eq!(left[2].1, 0.06);
        left.clear();
        crowding.thin(&points, &[5, 2], 1, &mut left);
        assert_eq!(left, [(5, f64::INFINITY)]);
        Ok(())
    }

    /// The chains must give what measuring the rest anew gives.
    #[test]
    fn thinning_is_measuring_and_taking_out_one_by_one() -> Result<()> {
        for (kind, objectives) in KINDS.iter().flat_map(|&kind| [2, 3, 5].map(|m| (kind, m))) {
            let points = random(kind, 80, objectives, 2)?;
            let (mut crowding, mut slow) = (Crowding::new(), Crowding::new());
            let (mut members, mut left) = ((0..80).collect::<Vec<u32>>(), Vec::new());
            crowding.measure(&points, &members);
            let ranges: Vec<f64> = crowding.chains.iter().map(|chain| chain.range).collect();
            crowding.thin(&points, &members, 40, &mut left);
            while members.len() > 40 {
                slow.link(&points, &members);
                // The scale stays that of the whole front.
                slow.chains.iter_mut().zip(&ranges).for_each(|(chain, range)| chain.range = *range);
                let rooms =
                    (0..members.len()).map(|at| distance(&slow.chains, &points, &members, at));
                let rooms: Vec<f64> = rooms.collect();
                let least = rooms.iter().copied().fold(f64::INFINITY, f64::min);
                let out = rooms.iter().rposition(|&room| room == least).unwrap();
                members.remove(out);
            }
            let kept: Vec<u32> = left.iter().map(|&(member, _)| member).collect();
            assert_eq!(kept, members, "{kind:?} {objectives}");
        }
        Ok(())
    }

    #[test]
    fn flat_and_infinite_objectives_give_no_nan() -> Result<()> {
        let inf = f64::INFINITY;
        let rows = [[0.0, 1.0], [1.0, 1.0], [3.0, 1.0], [inf, 1.0], [-inf, 1.0]];
        let points = PointSet::minimised(rows)?;
        let mut crowding = Crowding::new();
        assert_eq!(crowding.measure(&points, &[0, 1, 2]), [inf, 1.0, inf]);
        assert_eq!(crowding.measure(&points, &[0, 1, 2, 3, 4]), [inf, 0.0, inf, inf, inf]);
        Ok(())
    }
}

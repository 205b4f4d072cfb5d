//! Crowding distance: how far apart the neighbours of a point are.
//!
//! K. Deb, A. Pratap, S. Agarwal, T. Meyarivan, "A fast and elitist multiobjective genetic
//! algorithm: NSGA-II", 2002, section III-B: for each objective the gap between the two
//! neighbours of a point, as a share of the range, summed over the objectives. The ends of an
//! objective have infinite distance. An objective in which all points agree tells nothing apart
//! and is left out.

use super::points::PointSet;
use super::sort::{key, who};

/// Measures fronts again and again in the same memory.
#[derive(Debug, Clone, Default)]
pub struct Crowding {
    keys: Vec<u128>,
    distances: Vec<f64>,
}

impl Crowding {
    /// Nothing measured yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The crowding distance of each of these points among all of them, in the order given.
    pub fn measure(&mut self, points: &PointSet, members: &[u32]) -> &[f64] {
        self.distances.clear();
        self.distances.resize(members.len(), 0.0);
        for objective in 0..points.objectives() {
            let cost = |member: u32| points.costs(member as usize)[objective];
            self.keys.clear();
            self.keys.extend(members.iter().enumerate().map(|(at, &m)| key(cost(m), at)));
            self.keys.sort_unstable();
            let at = |position: usize| who(self.keys[position]) as usize;
            let cost = |position: usize| cost(members[at(position)]);
            let Some(last) = members.len().checked_sub(1) else { break };
            let range = cost(last) - cost(0);
            if range <= 0.0 {
                continue;
            }
            self.distances[at(0)] = f64::INFINITY;
            self.distances[at(last)] = f64::INFINITY;
            for position in 1..last {
                self.distances[at(position)] += gap(cost(position - 1), cost(position + 1), range);
            }
        }
        &self.distances
    }
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

//! The volume that a set dominates, up to a reference point: exact.
//!
//! E. Zitzler, L. Thiele, "Multiobjective Optimization Using Evolutionary Algorithms", 1998. Two
//! objectives are swept in order; three are swept along one while a staircase over the other two
//! keeps its area (N. Beume et al., "On the Complexity of Computing the Hypervolume Indicator",
//! 2009), both in `O(n log n)`. With more, points are taken by their last cost, and each adds what
//! it dominates alone among those before it, a problem with one objective less (L. While,
//! L. Bradstreet, L. Barone, "A Fast Way of Calculating Exact Hypervolumes", 2012).

use super::points::{PointSet, check, covers};
use super::sort::key;
use crate::error::{Error, Result};
use std::collections::BTreeMap;

/// The volume dominated by the points and bounded by `reference`, which is given as objectives.
/// Points that are not better than the reference everywhere add nothing.
pub fn hypervolume(points: &PointSet, reference: &[f64]) -> Result<f64> {
    check(reference, points.goals())?;
    if let Some(at) = reference.iter().position(|x| x.is_infinite()) {
        return Err(Error::unsuitable(
            format!("objective {} of the reference point is infinite", at + 1),
            "give a finite reference point that is worse than the points that count",
        ));
    }
    let limit: Vec<f64> =
        points.goals().iter().zip(reference).map(|(goal, &x)| goal.turn(x)).collect();
    let inside = |row: &&[f64]| row.iter().zip(&limit).all(|(a, b)| a < b);
    let flat: Vec<f64> = points.rows().filter(inside).flatten().copied().collect();
    if flat.contains(&f64::NEG_INFINITY) {
        return Ok(f64::INFINITY);
    }
    Ok(volume(&flat, &limit))
}

/// The volume of rows that lie below the limit in every cost.
fn volume(flat: &[f64], limit: &[f64]) -> f64 {
    match limit.len() {
        1 => flat.iter().map(|x| limit[0] - x).fold(0.0, f64::max),
        2 => area(flat, limit),
        3 => layers(flat, limit),
        _ => slices(flat, limit),
    }
}

/// The rows in the order of one of their costs.
fn ordered(flat: &[f64], width: usize, by: usize) -> impl Iterator<Item = &[f64]> {
    let rows = flat.chunks_exact(width);
    let mut keys: Vec<u128> = rows.enumerate().map(|(at, row)| key(row[by], at)).collect();
    keys.sort_unstable();
    keys.into_iter().map(move |key| {
        let at = super::sort::who(key) as usize;
        &flat[at * width..(at + 1) * width]
    })
}

fn area(flat: &[f64], limit: &[f64]) -> f64 {
    let (mut area, mut height) = (0.0, limit[1]);
    for row in ordered(flat, 2, 0) {
        if row[1] < height {
            area += (limit[0] - row[0]) * (height - row[1]);
            height = row[1];
        }
    }
    area
}

fn layers(flat: &[f64], limit: &[f64]) -> f64 {
    let mut stairs = Stairs { steps: BTreeMap::new(), limit: [limit[0], limit[1]], area: 0.0 };
    let (mut volume, mut level) = (0.0, 0.0);
    for row in ordered(flat, 3, 2) {
        if stairs.area > 0.0 {
            volume += stairs.area * (row[2] - level);
        }
        level = row[2];
        stairs.add(row[0], row[1]);
    }
    if stairs.area > 0.0 { volume + stairs.area * (limit[2] - level) } else { volume }
}

/// Points of two costs none of which dominates another, and the area they dominate.
struct Stairs {
    /// By the first cost; the second falls from step to step.
    steps: BTreeMap<u128, (f64, f64)>,
    limit: [f64; 2],
    area: f64,
}

impl Stairs {
    fn add(&mut self, x: f64, y: f64) {
        let here = key(x, 0);
        let before = |steps: &BTreeMap<u128, (f64, f64)>, end| {
            steps.range(..end).next_back().map(|(_, &(_, height))| height)
        };
        if before(&self.steps, here + 1).is_some_and(|height| height <= y) {
            return;
        }
        let mut height = before(&self.steps, here).unwrap_or(self.limit[1]);
        let mut from = x;
        let end = loop {
            let Some((&at, &(next, low))) = self.steps.range(here..).next() else {
                break self.limit[0];
            };
            if low < y {
                break next;
            }
            self.area += (next - from) * (height - y);
            (from, height) = (next, low);
            self.steps.remove(&at);
        };
        self.area += (end - from) * (height - y);
        self.steps.insert(here, (x, y));
    }
}

fn slices(flat: &[f64], limit: &[f64]) -> f64 {
    let width = limit.len() - 1;
    let (mut total, mut before, mut cut) = (0.0, Vec::<f64>::new(), Cut::default());
    for row in ordered(flat, width + 1, width) {
        let (base, height) = (&row[..width], limit[width] - row[width]);
        if before.chunks_exact(width).any(|other| covers(other, base)) {
            continue;
        }
        cut.corners.clear();
        before.chunks_exact(width).for_each(|other| cut.push(other, base));
        let full: f64 = limit.iter().zip(base).map(|(a, b)| a - b).product();
        total += (full - volume(&cut.corners, &limit[..width])) * height;
        before.extend_from_slice(base);
    }
    total
}

/// What other points dominate of the box of one: the corners of that, none covering another.
#[derive(Default)]
struct Cut {
    corners: Vec<f64>,
    corner: Vec<f64>,
}

impl Cut {
    fn push(&mut self, other: &[f64], base: &[f64]) {
        let Self { corners, corner } = self;
        let width = base.len();
        corner.clear();
        corner.extend(other.iter().zip(base).map(|(a, b)| a.max(*b)));
        if corners.chunks_exact(width).any(|known| covers(known, corner)) {
            return;
        }
        let mut kept = 0;
        for at in (0..corners.len()).step_by(width) {
            if !covers(corner, &corners[at..at + width]) {
                corners.copy_within(at..at + width, kept);
                kept += width;
            }
        }
        corners.truncate(kept);
        corners.extend_from_slice(corner);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::Goal;
    use crate::evolve::pareto::testing::{KINDS, random};

    /// By inclusion and exclusion over all subsets.
    fn naive(points: &PointSet, limit: f64) -> f64 {
        let m = points.objectives();
        (1_u32..1 << points.len()).fold(0.0, |sum, subset| {
            let members = (0..points.len()).filter(|at| subset >> at & 1 == 1);
            let corner = members.fold(vec![f64::NEG_INFINITY; m], |corner, at| {
                corner.iter().zip(points.costs(at)).map(|(a, b)| a.max(*b)).collect()
            });
            let volume: f64 = corner.iter().map(|x| (limit - x).max(0.0)).product();
            if subset.count_ones() % 2 == 1 { sum + volume } else { sum - volume }
        })
    }

    #[test]
    fn it_is_the_volume_of_the_union() -> Result<()> {
        for objectives in 1..=6 {
            for (kind, seed) in KINDS.iter().flat_map(|&kind| (0..8).map(move |s| (kind, s))) {
                let points = random(kind, 9, objectives, seed)?;
                for limit in [0.7, 1.1, 3.0] {
                    let (found, wanted) =
                        (hypervolume(&points, &vec![limit; objectives])?, naive(&points, limit));
                    let size = wanted.abs().max(1.0) * 1e3;
                    assert!(
                        (found - wanted).abs() <= 1e-14 * size,
                        "{kind:?} {objectives} {found} {wanted}"
                    );
                }
            }
        }
        Ok(())
    }

    #[test]
    fn goals_turn_the_reference_too() -> Result<()> {
        let goals = [Goal::Minimise, Goal::Maximise];
        let points = PointSet::from_rows(&goals, [[0.0, 1.0], [1.0, 3.0], [5.0, 9.0]])?;
        assert_eq!(hypervolume(&points, &[2.0, 0.0])?, 4.0);
        assert_eq!(hypervolume(&points, &[0.0, 0.0])?, 0.0);
        assert!(hypervolume(&points, &[f64::NAN, 0.0]).is_err());
        assert!(hypervolume(&points, &[f64::INFINITY, 0.0]).is_err());
        assert!(hypervolume(&points, &[1.0]).is_err());
        let endless = PointSet::from_rows(&goals, [[f64::NEG_INFINITY, 1.0], [0.0, 1.0]])?;
        assert_eq!(hypervolume(&endless, &[2.0, 0.0])?, f64::INFINITY);
        Ok(())
    }
}

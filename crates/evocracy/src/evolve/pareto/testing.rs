//! Random sets of points and the plain definitions, for tests.

use super::points::{PointSet, Relation};
use crate::error::Result;
use crate::run::Seed;
use rand::RngExt;

/// The kinds of sets that trouble a sorter or an archive.
#[derive(Debug, Clone, Copy)]
pub enum PointKind {
    /// All over the cube: many fronts.
    Cube,
    /// Few different costs: ties and duplicates.
    Grid(u32),
    /// On a sphere: one front.
    Sphere,
    /// Near a sphere: a few fronts.
    Noisy,
    /// On a plane in sorted order, the worst order for a tree.
    Sorted,
}

pub const KINDS: [PointKind; 6] = [
    PointKind::Cube,
    PointKind::Grid(3),
    PointKind::Grid(9),
    PointKind::Sphere,
    PointKind::Noisy,
    PointKind::Sorted,
];

pub fn random(kind: PointKind, n: usize, objectives: usize, seed: u64) -> Result<PointSet> {
    let mut rng = Seed::new(seed).rng();
    let rows = (0..n).map(|i| {
        let mut row: Vec<f64> = (0..objectives).map(|_| rng.random::<f64>()).collect();
        match kind {
            PointKind::Cube => {}
            PointKind::Grid(steps) => {
                for x in &mut row {
                    *x = (*x * f64::from(steps)).floor() - 1.0;
                }
            }
            PointKind::Sphere | PointKind::Noisy => {
                let length = row.iter().map(|x| x * x).sum::<f64>().sqrt();
                let noise =
                    if matches!(kind, PointKind::Noisy) { rng.random::<f64>() * 0.1 } else { 0.0 };
                for x in &mut row {
                    *x = 1.0 - *x / length + noise;
                }
            }
            PointKind::Sorted => {
                row[0] = i as f64;
                let rest: f64 = row.iter().sum();
                if let Some(last) = row.last_mut() {
                    *last -= rest;
                }
            }
        }
        row
    });
    PointSet::minimised(rows.collect::<Vec<_>>())
}

/// The members of the first front by the definition, equal ones once or all.
pub fn naive_front(points: &PointSet, all: bool) -> Vec<u32> {
    let beaten = |b: usize| {
        (0..points.len()).any(|a| match points.relation(a, b) {
            Relation::Dominates => true,
            Relation::Equal => !all && a < b,
            _ => false,
        })
    };
    (0..points.len()).filter(|&b| !beaten(b)).map(|b| b as u32).collect()
}

/// Ranks by the definition: take the front away, again and again.
pub fn naive_ranks(points: &PointSet) -> Vec<u32> {
    let mut ranks = vec![u32::MAX; points.len()];
    let mut left: Vec<u32> = (0..points.len() as u32).collect();
    for front in 0.. {
        let now = points.select(&left);
        let first = naive_front(&now, true);
        for at in first {
            ranks[left[at as usize] as usize] = front;
        }
        left.retain(|&at| ranks[at as usize] == u32::MAX);
        if left.is_empty() {
            break;
        }
    }
    ranks
}

//! Whether a class of samples falls into two groups in the genes that were selected.
//!
//! The samples of the class are parted in two by 2-means; how tight the groups are (the sum of
//! squares within them as a share of all) is held against samples of one normal distribution with
//! the same covariance (Y. Liu, D. N. Hayes, A. Nobel, J. S. Marron, "Statistical significance of
//! clustering for high-dimension, low-sample size data", JASA 103 (2008) 1281-1293). Correlated genes
//! alone do not make groups then.

use super::half::{Half, Preparation};
use super::samples::Samples;
use crate::evolve::{Rng, below, gauss, rng};
use crate::measure::screen;
use crate::run::Run;
use serde::Serialize;

/// Draws of the null distribution.
const SIMULATED: usize = 199;
/// Random starts of 2-means.
const STARTS: usize = 10;
/// The most rounds from a start.
const ROUNDS: usize = 50;
/// Genes that are named.
const NAMED: usize = 5;
/// Fewer samples of a class cannot be parted.
const FEWEST: usize = 6;

/// Two groups of a class.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Subclasses {
    /// The class.
    pub class: String,
    /// The samples of both groups, counted from 1.
    pub groups: [Vec<usize>; 2],
    /// The sum of squares within the groups as a share of all.
    pub index: f64,
    /// The share of classes without groups that have as low an index.
    pub p_value: f64,
    /// The genes that differ most between the groups.
    pub genes: Vec<String>,
}

/// Parts both classes by some genes; a class of few samples is left out.
pub fn subclasses(
    samples: &Samples,
    preparation: &Preparation,
    genes: &[usize],
    run: &Run<'_>,
) -> Vec<Subclasses> {
    let mut found = Vec::new();
    for (class, positive) in [true, false].into_iter().enumerate() {
        let rows: Vec<u32> = (0..samples.rows() as u32)
            .filter(|&row| samples.positive()[row as usize] == positive)
            .collect();
        if rows.len() < FEWEST || genes.len() < 2 {
            continue;
        }
        // The values of these samples alone, standardised.
        let half = Half::new(samples, samples.positive(), (&rows, &[]), preparation, &[]);
        let places: Vec<usize> = genes
            .iter()
            .filter_map(|&gene| half.genes.binary_search(&(gene as u32)).ok())
            .collect();
        let points = Points::new(rows.len(), places.iter().map(|&at| half.column(at)));
        let seed = run.seed.child("subclasses", class as u64);
        let (index, first) = points.part(&mut rng(seed));
        let null = run.pool.map(SIMULATED, |number| {
            let mut draws = rng(seed.child("normal", number as u64));
            points.like(&mut draws).part(&mut draws).0
        });
        let low = null.iter().filter(|other| **other <= index).count();
        let columns: Vec<f64> = places.iter().flat_map(|&at| half.column(at)).copied().collect();
        let mut areas: Vec<(f64, usize)> = screen(&columns, &first)
            .iter()
            .zip(&places)
            .map(|(area, &at)| ((area.auc - 0.5).abs(), half.genes[at] as usize))
            .collect();
        areas.sort_by(|a, b| b.0.total_cmp(&a.0));
        let name = |(_, gene): &(f64, usize)| samples.genes()[*gene].name.clone();
        let group = |side: bool| {
            let own = rows.iter().zip(&first).filter(|(_, first)| **first == side);
            own.map(|(row, _)| *row as usize + 1).collect()
        };
        found.push(Subclasses {
            class: samples.class_names()[class].clone(),
            groups: [group(true), group(false)],
            index,
            p_value: (1 + low) as f64 / (1 + SIMULATED) as f64,
            genes: areas.iter().take(NAMED).map(name).collect(),
        });
    }
    found
}

/// Points of many coordinates, centred, point after point.
struct Points {
    rows: usize,
    cells: Vec<f64>,
}

impl Points {
    fn new<'a>(rows: usize, columns: impl Iterator<Item = &'a [f64]>) -> Self {
        let columns: Vec<&[f64]> = columns.collect();
        let cell = |row: usize| columns.iter().map(move |column| column[row]);
        Self { rows, cells: (0..rows).flat_map(cell).collect() }
    }

    fn point(&self, row: usize) -> &[f64] {
        let width = self.cells.len() / self.rows;
        &self.cells[row * width..(row + 1) * width]
    }

    /// As many normal points with the covariance of these, centred.
    fn like(&self, draws: &mut Rng) -> Self {
        let width = self.cells.len() / self.rows;
        let scale = 1.0 / (self.rows as f64 - 1.0).sqrt();
        let mut cells = vec![0.0; self.cells.len()];
        for own in cells.chunks_exact_mut(width.max(1)) {
            for row in 0..self.rows {
                crate::num::add_scaled(own, scale * gauss(draws), self.point(row));
            }
        }
        for at in 0..width {
            let mean = cells.iter().skip(at).step_by(width).sum::<f64>() / self.rows as f64;
            cells.iter_mut().skip(at).step_by(width).for_each(|cell| *cell -= mean);
        }
        Self { rows: self.rows, cells }
    }

    /// The best of some runs of 2-means: the index, and which points are in the first group.
    fn part(&self, draws: &mut Rng) -> (f64, Vec<bool>) {
        let all: f64 = self.cells.iter().map(|cell| cell * cell).sum();
        let mut best = (f64::INFINITY, vec![true; self.rows]);
        for _ in 0..STARTS {
            let first = below(self.rows, draws);
            let second = (first + 1 + below(self.rows - 1, draws)) % self.rows;
            let mut centres = [self.point(first).to_vec(), self.point(second).to_vec()];
            let mut sides: Vec<bool> = Vec::new();
            let mut within = f64::INFINITY;
            for _ in 0..ROUNDS {
                let far = |row: usize, side: usize| -> f64 {
                    self.point(row).iter().zip(&centres[side]).map(|(x, c)| (x - c).powi(2)).sum()
                };
                let next: Vec<bool> =
                    (0..self.rows).map(|row| far(row, 0) <= far(row, 1)).collect();
                within = (0..self.rows).map(|row| far(row, usize::from(!next[row]))).sum();
                if next == sides {
                    break;
                }
                sides = next;
                for (side, centre) in [true, false].into_iter().zip(&mut centres) {
                    let own: Vec<usize> =
                        (0..self.rows).filter(|&row| sides[row] == side).collect();
                    if own.is_empty() {
                        continue;
                    }
                    centre.fill(0.0);
                    for &row in &own {
                        crate::num::add_scaled(centre, 1.0 / own.len() as f64, self.point(row));
                    }
                }
            }
            if within < best.0 {
                best = (within, sides);
            }
        }
        (if all > 0.0 { best.0 / all } else { 1.0 }, best.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Seed;

    fn sample(shift: f64, seed: u64) -> Points {
        let mut draws = rng(Seed::new(seed));
        let mut cells: Vec<f64> = Vec::new();
        for row in 0..24 {
            let own = if row < 12 { shift } else { -shift };
            cells.extend((0..8).map(|_| gauss(&mut draws) + own));
        }
        Points { rows: 24, cells }
    }

    #[test]
    fn two_groups_are_told_from_one() {
        let p = |points: &Points| {
            let mut draws = rng(Seed::new(9));
            let (index, sides) = points.part(&mut draws);
            let low =
                (0..99).filter(|_| points.like(&mut draws).part(&mut draws).0 <= index).count();
            ((1 + low) as f64 / 100.0, sides)
        };
        let (two, sides) = p(&sample(1.5, 1));
        assert!(two <= 0.05, "{two}");
        assert!(sides[..12].iter().all(|side| *side == sides[0]));
        assert!(sides[12..].iter().all(|side| *side != sides[0]));
        let (one, _) = p(&sample(0.0, 2));
        assert!(one > 0.05, "{one}");
    }
}

//! Whether a class of samples falls into two groups in the genes that were selected.
//!
//! The samples of the class are parted in two by 2-means; how tight the groups are (the sum of
//! squares within them as a share of all) is held against samples of one normal distribution (Y. Liu,
//! D. N. Hayes, A. Nobel, J. S. Marron, "Statistical significance of clustering for high-dimension,
//! low-sample size data", JASA 103 (2008) 1281-1293). Correlated genes alone do not make groups then.
//! The covariance of that distribution is in `spiked`.

mod spiked;

use super::half::{Half, Preparation};
use super::samples::Samples;
use crate::error::Result;
use crate::evolve::{Rng, below, rng};
use crate::measure::screen;
use crate::run::{Run, Seed, Stop};
use serde::Serialize;
use spiked::Spiked;

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
) -> Result<Vec<Subclasses>> {
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
            // One that does not vary within the class parts nothing.
            .filter(|&at| half.column(at).iter().any(|value| *value != 0.0))
            .collect();
        if places.len() < 2 {
            continue;
        }
        let points = Points::new(rows.len(), places.iter().map(|&at| half.column(at)));
        let seed = run.seed.child("subclasses", class as u64);
        let Parted { index, first, p_value } = points.parted(SIMULATED, seed, run)?;
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
            p_value,
            genes: areas.iter().take(NAMED).map(name).collect(),
        });
    }
    Ok(found)
}

/// Points in two groups.
struct Parted {
    index: f64,
    /// Which points are in the first group.
    first: Vec<bool>,
    p_value: f64,
}

/// Points of many coordinates, each standardised, point after point.
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

    fn width(&self) -> usize {
        self.cells.len() / self.rows
    }

    fn point(&self, row: usize) -> &[f64] {
        let width = self.width();
        &self.cells[row * width..(row + 1) * width]
    }

    /// The best groups, held against those of points without any.
    fn parted(&self, simulated: usize, seed: Seed, run: &Run<'_>) -> Result<Parted> {
        let like = Spiked::new(self, run)?;
        let (index, first) = self.part(&mut rng(seed), run.stop)?;
        let null = run.pool.map(simulated, |number| {
            let mut draws = rng(seed.child("normal", number as u64));
            run.stop.check()?;
            Ok(like.draw(self.rows, &mut draws).part(&mut draws, run.stop)?.0)
        });
        let null = null.into_iter().collect::<Result<Vec<f64>>>()?;
        let low = null.iter().filter(|other| **other <= index).count();
        Ok(Parted { index, first, p_value: (1 + low) as f64 / (1 + simulated) as f64 })
    }

    /// The best of some runs of 2-means: the index, and which points are in the first group.
    fn part(&self, draws: &mut Rng, stop: &Stop) -> Result<(f64, Vec<bool>)> {
        let all: f64 = self.cells.iter().map(|cell| cell * cell).sum();
        let mut best = (f64::INFINITY, vec![true; self.rows]);
        for _ in 0..STARTS {
            let first = below(self.rows, draws);
            let second = (first + 1 + below(self.rows - 1, draws)) % self.rows;
            let found = self.settle([first, second], stop)?;
            if found.0 < best.0 {
                best = found;
            }
        }
        Ok((if all > 0.0 { best.0 / all } else { 1.0 }, best.1))
    }

    /// 2-means from two points: the sum of squares within groups, and which points are in the first.
    fn settle(&self, [first, second]: [usize; 2], stop: &Stop) -> Result<(f64, Vec<bool>)> {
        let mut centres = [self.point(first).to_vec(), self.point(second).to_vec()];
        let mut sides: Vec<bool> = Vec::new();
        let mut within = f64::INFINITY;
        for _ in 0..ROUNDS {
            stop.check()?;
            let far = |row: usize, side: usize| -> f64 {
                self.point(row).iter().zip(&centres[side]).map(|(x, c)| (x - c).powi(2)).sum()
            };
            let both: Vec<[f64; 2]> =
                (0..self.rows).map(|row| [far(row, 0), far(row, 1)]).collect();
            let next: Vec<bool> = both.iter().map(|[one, other]| one <= other).collect();
            within = both.iter().map(|[one, other]| one.min(*other)).sum();
            if next == sides {
                break;
            }
            sides = next;
            for (side, centre) in [true, false].into_iter().zip(&mut centres) {
                let own: Vec<usize> = (0..self.rows).filter(|&row| sides[row] == side).collect();
                if own.is_empty() {
                    continue;
                }
                centre.fill(0.0);
                for &row in &own {
                    crate::num::add_scaled(centre, 1.0 / own.len() as f64, self.point(row));
                }
            }
        }
        Ok((within, sides))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::evolve::gauss;
    use crate::run::Pool;

    /// Standard normal points with a share of variance in common, half of them moved.
    fn sample([rows, width]: [usize; 2], common: f64, shift: f64, seed: u64) -> Points {
        let mut draws = rng(Seed::new(seed));
        let mut cells: Vec<f64> = Vec::new();
        for row in 0..rows {
            let side = if row < rows / 2 { shift } else { -shift };
            let own = common.sqrt() * gauss(&mut draws) + side;
            cells.extend((0..width).map(|_| own + (1.0 - common).sqrt() * gauss(&mut draws)));
        }
        spiked::standardise(&mut cells, width);
        Points { rows, cells }
    }

    fn parted(points: &Points, seed: u64) -> Parted {
        let (stop, pool) = (Stop::new(), Pool::new(2).unwrap());
        points.parted(39, Seed::new(seed), &Run::new(1, &stop, &pool)).unwrap()
    }

    #[test]
    fn two_groups_are_told_from_one() {
        for size in [[24, 8], [15, 30], [60, 5]] {
            let Parted { p_value, first, .. } = parted(&sample(size, 0.0, 1.5, 1), 9);
            assert!(p_value <= 0.05, "{size:?}: {p_value}");
            let (one, other) = first.split_at(size[0] / 2);
            assert!(one.iter().all(|side| *side == first[0]));
            assert!(other.iter().all(|side| *side != first[0]));
        }
    }

    /// Fewer samples than columns, as it is with classes of a few tumours; columns with nothing in
    /// common, and with most of their variance.
    #[test]
    fn p_values_of_one_group_are_even() {
        for (common, low, high) in [(0.0, 0.4, 0.6), (0.7, 0.35, 0.6)] {
            let all: Vec<f64> = (0..50)
                .map(|number| parted(&sample([15, 30], common, 0.0, 100 + number), number).p_value)
                .collect();
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            // The mean of as many even values has a standard deviation of 0.04.
            assert!((low..high).contains(&mean), "{common}: {mean}");
            let small = all.iter().filter(|p| **p <= 0.05).count();
            // Eight come by chance once in a thousand times.
            assert!(small < 8, "{common}: {small}");
        }
    }

    #[test]
    fn a_stop_is_heard_and_memory_is_asked_for() {
        let points = sample([24, 8], 0.0, 0.0, 1);
        let (stop, pool) = (Stop::after(300), Pool::new(1).unwrap());
        let run = Run::new(1, &stop, &pool);
        let stopped = points.parted(SIMULATED, Seed::new(1), &run);
        assert!(matches!(stopped, Err(Error::Stopped)));
        // It is heard in each of the draws that were begun or waited, and not looked for again.
        assert!(stop.looks_after() <= SIMULATED as u64 + 1);
        let stop = Stop::new();
        let run = Run { memory: 2 * 8 * 8 * 8 - 1, ..Run::new(1, &stop, &pool) };
        let said = points.parted(1, Seed::new(1), &run).err().map(|error| error.to_string());
        assert!(said.is_some_and(|said| said.contains("the covariance of 8 columns")));
    }
}

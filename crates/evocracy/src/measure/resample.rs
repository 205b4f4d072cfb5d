//! Drawing rows with replacement, class by class, one by one or patient by patient.

use super::check::{self, Weights};
use super::split::both_classes;
use crate::error::{Error, Result};
use crate::run::{Run, Seed};
use rand::distr::{Distribution, Uniform};

/// Replicates that share one scratch space; a matter of speed only.
const BATCH: usize = 16;
/// More units than this in a stratum are left out in blocks, or the jackknife would be
/// quadratic in the rows.
const BLOCKS: usize = 500;

/// How rows are drawn: within strata, so that every replicate has rows of both classes.
#[derive(Debug, Clone)]
pub struct Resampling {
    rows: usize,
    /// The units of each stratum.
    strata: Vec<Vec<u32>>,
    /// The rows of each unit; none where every row is its own unit.
    members: Option<Vec<Vec<u32>>>,
    /// How many units hold positives, and how many negatives, where units are clusters.
    clusters: Option<(f64, f64)>,
}

impl Resampling {
    /// As many positives and as many negatives as there are, drawn from each.
    ///
    /// Rows of weight 0 are never drawn; other weights do not change how often a row is drawn,
    /// only what it then counts for.
    pub fn stratified(truth: &[bool], weights: Option<&[f64]>) -> Result<Self> {
        let weights = Weights::new(weights, truth.len())?;
        let of = |class: bool| {
            let rows = (0..truth.len()).filter(|&row| truth[row] == class);
            rows.filter(|&row| weights.of(row) > 0.0).map(|row| row as u32).collect::<Vec<u32>>()
        };
        let strata = vec![of(true), of(false)];
        both_classes(!strata[0].is_empty(), !strata[1].is_empty())?;
        Ok(Self { rows: truth.len(), strata, members: None, clusters: None })
    }

    /// Whole clusters, as all rows of a patient, drawn together; `clusters` names the cluster
    /// of every row.
    ///
    /// Clusters with positives only, with negatives only and with both are drawn separately,
    /// so that neither class can vanish.
    pub fn clustered(truth: &[bool], clusters: &[u32], weights: Option<&[f64]>) -> Result<Self> {
        check::same_length("clusters", clusters.len(), truth.len())?;
        let weights = Weights::new(weights, truth.len())?;
        let mut rows: Vec<u32> = (0..truth.len() as u32).collect();
        rows.retain(|&row| weights.of(row as usize) > 0.0);
        let has = |class: bool| rows.iter().any(|&row| truth[row as usize] == class);
        both_classes(has(true), has(false))?;
        rows.sort_by_key(|&row| clusters[row as usize]);
        let same = |a: &u32, b: &u32| clusters[*a as usize] == clusters[*b as usize];
        let members: Vec<Vec<u32>> = rows.chunk_by(same).map(<[u32]>::to_vec).collect();
        let mut strata = vec![Vec::new(); 3];
        for (unit, rows) in (0u32..).zip(&members) {
            let has = |class: bool| rows.iter().any(|&row| truth[row as usize] == class);
            let kind = if has(true) { usize::from(has(false)) } else { 2 };
            strata[kind].push(unit);
        }
        let [positive, mixed, negative] = [0, 1, 2].map(|kind: usize| strata[kind].len());
        let clusters = Some(((positive + mixed) as f64, (negative + mixed) as f64));
        strata.retain(|units| !units.is_empty());
        Ok(Self { rows: truth.len(), strata, members: Some(members), clusters })
    }

    /// How many clusters hold positives, and how many negatives; `None` where rows are drawn.
    pub fn clusters(&self) -> Option<(f64, f64)> {
        self.clusters
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// What `measure` makes of each of `replicates` draws. It is given how often each row was
    /// drawn.
    ///
    /// Replicate `i` draws by the seed of child `i` of the run, so the result does not depend
    /// on the number of threads.
    pub fn draw<T: Send>(
        &self,
        replicates: usize,
        run: &Run<'_>,
        measure: impl Fn(&[u32]) -> T + Sync,
    ) -> Result<Vec<T>> {
        let sizes = self.strata.iter().map(|units| Uniform::new(0, units.len() as u32));
        let sizes = sizes.collect::<std::result::Result<Vec<_>, _>>();
        let sizes = sizes.map_err(|_| Error::unsuitable("an empty stratum", "give rows"))?;
        let batch = |at: usize| {
            if run.stop.requested() {
                return Vec::new();
            }
            let mut counts = vec![0; self.rows];
            let one = |i: usize| {
                self.fill(&sizes, run.seed.child("bootstrap", i as u64), &mut counts);
                measure(&counts)
            };
            (at * BATCH..((at + 1) * BATCH).min(replicates)).map(one).collect()
        };
        let found: Vec<Vec<T>> = run.pool.map(replicates.div_ceil(BATCH), batch);
        let found: Vec<T> = found.into_iter().flatten().collect();
        if found.len() < replicates { Err(Error::Stopped) } else { Ok(found) }
    }

    fn fill(&self, sizes: &[Uniform<u32>], seed: Seed, counts: &mut [u32]) {
        let mut rng = seed.rng();
        counts.fill(0);
        for (units, size) in self.strata.iter().zip(sizes) {
            for _ in units {
                let unit = units[size.sample(&mut rng) as usize];
                self.each_row(unit, |row| counts[row] += 1);
            }
        }
    }

    #[inline]
    fn each_row(&self, unit: u32, mut each: impl FnMut(usize)) {
        match &self.members {
            None => each(unit as usize),
            Some(members) => {
                for &row in &members[unit as usize] {
                    each(row as usize);
                }
            }
        }
    }

    /// The acceleration of a measure, for [`Bootstrap::bca`](super::Bootstrap::bca): the
    /// skewness of what leaving out one unit does, over all strata (A. C. Davison, D. V.
    /// Hinkley, "Bootstrap Methods and their Application", 1997, chapter 5).
    ///
    /// Of more than 500 units in a stratum, one of 500 blocks is left out at a time. Strata
    /// of one unit cannot be left out and count as constant.
    pub fn acceleration(
        &self,
        run: &Run<'_>,
        measure: impl Fn(&[u32]) -> f64 + Sync,
    ) -> Result<f64> {
        let (mut cubes, mut squares) = (0.0, 0.0);
        for units in self.strata.iter().filter(|units| units.len() > 1) {
            let blocks = units.len().min(BLOCKS);
            let without = |block: usize| {
                if run.stop.requested() {
                    return None;
                }
                let mut counts = vec![1; self.rows];
                for &unit in units.iter().skip(block).step_by(blocks) {
                    self.each_row(unit, |row| counts[row] = 0);
                }
                Some(measure(&counts))
            };
            let left: Option<Vec<f64>> = run.pool.map(blocks, without).into_iter().collect();
            let left = left.ok_or(Error::Stopped)?;
            let n = blocks as f64;
            let mean = left.iter().sum::<f64>() / n;
            let pull = |value: &f64| (n - 1.0) / n * (mean - value);
            cubes += left.iter().map(|v| pull(v).powi(3)).sum::<f64>();
            squares += left.iter().map(|v| pull(v).powi(2)).sum::<f64>();
        }
        if !(cubes.is_finite() && squares.is_finite()) {
            return Err(Error::unsuitable(
                "the measure has no value without some of the rows",
                "use the percentile interval",
            ));
        }
        Ok(if squares > 0.0 { cubes / (6.0 * squares.powf(1.5)) } else { 0.0 })
    }
}

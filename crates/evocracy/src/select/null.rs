//! The null distribution of counts and areas: everything is repeated with permuted labels.
//!
//! Halves of one set of samples overlap, so that a gene that fits some labels by chance is selected
//! again and again: counts of a random selector would make it look significant. Permuted labels
//! have the same dependence. Genes are pooled: the p-value of a count is the share of all genes in
//! all permutations that reach it, the observed one counted with them (B. Phipson, G. K. Smyth,
//! Statistical Applications in Genetics and Molecular Biology 9 (2010) 39).

use super::classifier::Performance;
use super::counts::Counts;
use super::halving::{Halving, SplitFound, kept};
use crate::error::{Error, Result};
use crate::measure::significance::benjamini_hochberg;
use crate::run::{Run, Shelf};
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

/// What permuted labels gave.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct NullCounts {
    /// How many genes in all permutations had each total count.
    total: Vec<u64>,
    /// The same of coincident counts.
    coincident: Vec<u64>,
    /// The mean test area of each permutation.
    pub areas: Vec<f64>,
    /// Mean and standard deviation of the test areas of all classifiers; none where there was none.
    pub area: Option<[f64; 2]>,
}

/// One permutation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Permuted {
    total: Vec<u64>,
    coincident: Vec<u64>,
    /// Number, sum and sum of squares of the test areas.
    areas: [f64; 3],
}

/// The null distribution from so many permutations; those that were not finished when the run was
/// stopped are left out. `None` where none was.
pub fn null_counts(
    halving: &Halving<'_>,
    permutations: usize,
    run: &Run<'_>,
) -> Result<Option<NullCounts>> {
    let task = run.task("permutations", permutations as u64);
    let mut null = NullCounts::default();
    let mut sums = [0.0; 3];
    for number in 0..permutations {
        let own = task.child("permutation", number as u64);
        let one = match kept(&own, || permute(halving, &own)) {
            Ok(one) => one,
            Err(Error::Stopped) => break,
            Err(other) => return Err(other),
        };
        add(&mut null.total, &one.total);
        add(&mut null.coincident, &one.coincident);
        null.areas.push(if one.areas[0] > 0.0 { one.areas[1] / one.areas[0] } else { 0.5 });
        sums.iter_mut().zip(one.areas).for_each(|(sum, own)| *sum += own);
        task.watch.advance(1);
    }
    if sums[0] > 0.0 {
        let mean = sums[1] / sums[0];
        null.area = Some([mean, (sums[2] / sums[0] - mean * mean).max(0.0).sqrt()]);
    }
    Ok((!null.areas.is_empty()).then_some(null))
}

fn add(to: &mut Vec<u64>, from: &[u64]) {
    to.resize(to.len().max(from.len()), 0);
    to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
}

fn permute(halving: &Halving<'_>, run: &Run<'_>) -> Result<Permuted> {
    let mut labels = halving.samples.positive().to_vec();
    labels.shuffle(&mut run.seed.child("labels", 0).rng());
    // The permutation is kept as a whole, its splits are not.
    let found = halving.run_with(&labels, &Run { shelf: Shelf::none(), ..run.clone() })?;
    // A permutation of fewer splits would have smaller counts.
    if found.len() < halving.splits {
        return Err(Error::Stopped);
    }
    let genes = halving.samples.genes().len();
    let counts = Counts::new(&found, genes);
    let able = |gene: usize| !halving.is_left_out(gene);
    let histogram = |counts: &[u32]| {
        let mut bins = vec![0; 2 * halving.splits + 1];
        (0..genes).filter(|&gene| able(gene)).for_each(|gene| bins[counts[gene] as usize] += 1);
        bins
    };
    let (total, coincident) = (histogram(&counts.total), histogram(&counts.coincident));
    let mut areas = [0.0; 3];
    for area in test_areas(&found) {
        areas[0] += 1.0;
        areas[1] += area;
        areas[2] += area * area;
    }
    Ok(Permuted { total, coincident, areas })
}

/// The test areas of all classifiers.
pub(super) fn test_areas(found: &[SplitFound]) -> impl Iterator<Item = f64> {
    let all = found.iter().flatten().flat_map(|half| &half.classifiers);
    all.map(|one: &Performance| one.auc[1])
}

impl NullCounts {
    /// The p-value of each total count, and of each coincident count.
    pub fn p_values(&self, counts: &Counts) -> [Vec<f64>; 2] {
        [tail(&self.total, &counts.total), tail(&self.coincident, &counts.coincident)]
    }

    /// The false discovery rate at which each gene would be called (Benjamini and Hochberg), over
    /// those that can be selected; 1 for others.
    pub fn q_values(p_values: &[f64], able: impl Fn(usize) -> bool) -> Result<Vec<f64>> {
        let genes: Vec<usize> = (0..p_values.len()).filter(|&gene| able(gene)).collect();
        let own: Vec<f64> = genes.iter().map(|&gene| p_values[gene]).collect();
        let mut q = vec![1.0; p_values.len()];
        for (gene, value) in genes.iter().zip(benjamini_hochberg(&own)?) {
            q[*gene] = value;
        }
        Ok(q)
    }

    /// The p-value of a mean test area.
    pub fn area_p(&self, mean: f64) -> f64 {
        let reached = self.areas.iter().filter(|area| **area >= mean).count();
        (1 + reached) as f64 / (1 + self.areas.len()) as f64
    }
}

/// The share of null counts that reach each count, the count itself among them.
fn tail(null: &[u64], counts: &[u32]) -> Vec<f64> {
    let all: u64 = null.iter().sum();
    // How many reach each count, from the largest down.
    let mut reach = vec![0; null.len() + 1];
    for at in (0..null.len()).rev() {
        reach[at] = reach[at + 1] + null[at];
    }
    let p = |&count: &u32| {
        let above = reach.get(count as usize).copied().unwrap_or(0);
        (1 + above) as f64 / (1 + all) as f64
    };
    counts.iter().map(p).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_values_count_what_reaches_a_count() {
        // Null counts 0, 0, 1, 3.
        assert_eq!(tail(&[2, 1, 0, 1], &[0, 1, 2, 3, 9]), [1.0, 0.6, 0.4, 0.4, 0.2]);
    }
}

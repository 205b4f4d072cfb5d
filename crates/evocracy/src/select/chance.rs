//! What chance would do: overlaps of random selections, areas of random scores, the stability of
//! selections, and how many of the genes above a threshold may be false.

use super::counts::Counts;
use super::halving::SplitFound;
use crate::error::{Error, Result};
use crate::measure::{Interval, LEVEL};
use crate::num::normal_quantile;
use serde::Serialize;
use statrs::function::factorial::ln_binomial;

/// The probability that two random selections of `first` and `second` of `genes` genes have exactly
/// `common` genes in common (thesis (4.9), the hypergeometric distribution).
pub fn overlap_probability(genes: u64, first: u64, second: u64, common: u64) -> f64 {
    let (large, small) = (first.max(second), first.min(second));
    let impossible = common > small || large > genes || small - common > genes - large;
    if impossible {
        return 0.0;
    }
    let log = ln_binomial(large, common) + ln_binomial(genes - large, small - common)
        - ln_binomial(genes, small);
    log.exp()
}

/// The probability of at least `common` genes in common.
pub fn overlap_at_least(genes: u64, first: u64, second: u64, common: u64) -> f64 {
    let most = first.min(second);
    let tail: f64 = (common..=most).map(|n| overlap_probability(genes, first, second, n)).sum();
    tail.min(1.0)
}

/// Mean and standard deviation of the area under the ROC curve of random scores.
pub fn random_auc(positives: usize, negatives: usize) -> (f64, f64) {
    let (m, n) = (positives as f64, negatives as f64);
    (0.5, ((m + n + 1.0) / (12.0 * m * n)).sqrt())
}

/// How much the two halves of splits agree, beside what chance would do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Overlap {
    /// The mean number of genes in common.
    pub mean: f64,
    /// The same of random selections of as many genes.
    pub expected: f64,
    /// The share of splits whose overlap has a probability of at most 0.05 by chance.
    pub significant: f64,
}

/// The overlap of the halves of splits of so many genes that can be selected.
pub fn overlap(found: &[SplitFound], genes: usize) -> Overlap {
    let (mut mean, mut expected, mut significant) = (0.0, 0.0, 0.0);
    for split in found {
        let [first, second] = [split[0].genes(), split[1].genes()];
        let common = first.iter().filter(|gene| second.binary_search(gene).is_ok()).count();
        let (m, a, b) = (genes as u64, first.len() as u64, second.len() as u64);
        mean += common as f64;
        expected += a as f64 * b as f64 / m.max(1) as f64;
        let p = overlap_at_least(m, a, b, common as u64);
        significant += f64::from(u8::from(p <= 0.05 && common > 0));
    }
    let splits = found.len().max(1) as f64;
    Overlap { mean: mean / splits, expected: expected / splits, significant: significant / splits }
}

/// How stable selections are: 1 where all are the same, 0 on average where they are random.
///
/// S. Nogueira, K. Sechidis, G. Brown, "On the stability of feature selection algorithms", JMLR 18
/// (2018), definition 4 and theorem 7. The interval takes the selections as independent; those of
/// overlapping halves are not, so that it is too narrow.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stability {
    /// The index.
    pub index: f64,
    /// Its interval.
    pub interval: Interval,
}

/// The stability of selections of genes, each a list without repeats; `None` for fewer than two, or
/// where all or none of the genes are always selected.
pub fn stability(selections: &[Vec<u32>], genes: usize) -> Option<Stability> {
    let (m, d) = (selections.len() as f64, genes as f64);
    let last = selections.iter().flatten().max();
    let mut counts = vec![0_u32; last.map_or(0, |&gene| gene as usize + 1)];
    for &gene in selections.iter().flatten() {
        counts[gene as usize] += 1;
    }
    let mean = selections.iter().map(Vec::len).sum::<usize>() as f64 / m;
    let scale = mean / d * (1.0 - mean / d);
    if selections.len() < 2 || scale.is_nan() || scale <= 0.0 {
        return None;
    }
    let share = |gene: usize| f64::from(counts[gene]) / m;
    let variance: f64 = (0..counts.len()).map(|g| share(g) * (1.0 - share(g))).sum();
    let index = 1.0 - variance * m / (m - 1.0) / d / scale;
    let term = |selection: &Vec<u32>| {
        let k = selection.len() as f64;
        let shares: f64 = selection.iter().map(|&gene| share(gene as usize)).sum();
        let correction = 2.0 * mean * k / (d * d) - k / d - mean / d + 1.0;
        (shares / d - k * mean / (d * d) + index / 2.0 * correction) / scale
    };
    let terms: Vec<f64> = selections.iter().map(term).collect();
    let centre = terms.iter().sum::<f64>() / m;
    let squares: f64 = terms.iter().map(|t| (t - centre).powi(2)).sum();
    let half = normal_quantile(0.5 + LEVEL / 2.0) * (4.0 / (m * m) * squares).sqrt();
    Some(Stability {
        index,
        interval: Interval { low: index - half, high: index + half, level: LEVEL },
    })
}

/// Genes above a threshold on the share of halves that bounds how many are false.
///
/// N. Meinshausen, P. Bühlmann, "Stability selection", JRSS B 72 (2010) 417-473, theorem 1: with `q`
/// genes selected on a half on average and a threshold above one half, the expected number of false
/// ones is at most `q^2 / ((2 threshold - 1) genes)`, if no way of selecting is worse than guessing
/// and false genes are exchangeable.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StableSet {
    /// The most false genes that are expected.
    pub bound: f64,
    /// The share of halves on which a gene must be selected; above 1 no gene can be.
    pub threshold: f64,
    /// How many genes are.
    pub genes: usize,
}

/// The genes for a bound on the expected number of false ones.
pub fn stable_set(counts: &Counts, genes: usize, bound: f64) -> Result<StableSet> {
    if !(bound > 0.0 && bound.is_finite()) {
        return Err(Error::Param {
            of: "stability selection".into(),
            name: "bound".into(),
            expected: "a number above 0".into(),
            got: bound.to_string(),
        });
    }
    let q = counts.mean_selected();
    let threshold = 0.5 * (1.0 + q * q / (bound * genes.max(1) as f64));
    let least = threshold * f64::from(2 * counts.splits);
    let genes = counts.total.iter().filter(|count| f64::from(**count) >= least).count();
    Ok(StableSet { bound, threshold, genes })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::auc;
    use crate::run::Seed;
    use rand::RngExt;

    #[test]
    fn overlaps_are_those_of_all_pairs_of_selections() {
        // All selections of 2 and of 3 of 6 genes.
        let sets = |size: u32| (0_u32..64).filter(move |bits| bits.count_ones() == size);
        for common in 0..=3 {
            let pairs: Vec<u32> =
                sets(2).flat_map(|a| sets(3).map(move |b| (a & b).count_ones())).collect();
            let share = pairs.iter().filter(|n| **n == common).count() as f64 / pairs.len() as f64;
            let found = overlap_probability(6, 2, 3, u64::from(common));
            assert!((found - share).abs() < 1e-12);
            assert_eq!(found, overlap_probability(6, 3, 2, u64::from(common)));
        }
        assert!((overlap_at_least(7129, 43, 43, 0) - 1.0).abs() < 1e-9);
        assert!(overlap_at_least(7129, 43, 43, 3) < 0.01);
        assert_eq!(overlap_probability(5, 4, 4, 2), 0.0);
    }

    #[test]
    fn random_scores_of_49_and_18_targets() {
        let mut rng = Seed::new(1).rng();
        let truth: Vec<bool> = (0..67).map(|i| i < 18).collect();
        let all: Vec<f64> = (0..20_000)
            .map(|_| {
                let scores: Vec<f64> = (0..67).map(|_| rng.random()).collect();
                auc(&truth, &scores, None).unwrap()
            })
            .collect();
        let mean = all.iter().sum::<f64>() / 20_000.0;
        let sd = (all.iter().map(|a| (a - mean).powi(2)).sum::<f64>() / 20_000.0).sqrt();
        let (expected, spread) = random_auc(18, 49);
        // As printed in the thesis: 0.50 and 0.08.
        assert_eq!((expected, (100.0 * spread).round()), (0.5, 8.0));
        assert!((mean - expected).abs() < 0.003 && (sd - spread).abs() < 0.002);
    }

    #[test]
    fn stability_is_one_for_equal_and_nought_for_random_selections() {
        let same = stability(&vec![vec![1, 5, 7]; 10], 20).unwrap();
        assert!((same.index - 1.0).abs() < 1e-12);
        assert!((same.interval.high - same.interval.low).abs() < 1e-9);
        let mut rng = Seed::new(2).rng();
        let random: Vec<Vec<u32>> =
            (0..400).map(|_| (0..100).filter(|_| rng.random::<f64>() < 0.2).collect()).collect();
        let found = stability(&random, 100).unwrap();
        assert!(found.index.abs() < 0.01, "{}", found.index);
        assert!(found.interval.low < 0.0 && found.interval.high > 0.0);
        assert!(stability(&[vec![1]], 20).is_none() && stability(&[vec![], vec![]], 20).is_none());
        // By hand: p = (1, 1/2, 1/2, 0), k = 2 each, d = 4: 1 - (2 * 1/4 * 2) / 4 / (1/4) = 0.
        let two = stability(&[vec![0, 1], vec![0, 2]], 4).unwrap();
        assert!((two.index - 0.0).abs() < 1e-12);
    }

    #[test]
    fn the_bound_of_stability_selection() {
        let counts = Counts { total: vec![200, 180, 100, 20], coincident: vec![0; 4], splits: 100 };
        // q = 2.5: with 1000 genes and 1 false gene at most the threshold is (1 + 6.25 / 1000) / 2.
        let found = stable_set(&counts, 1000, 1.0).unwrap();
        assert!((found.threshold - 0.503_125).abs() < 1e-12);
        assert_eq!(found.genes, 2);
        assert!(stable_set(&counts, 1000, 0.0).is_err());
    }
}

//! Two methods on the folds of one data set.

use super::metric::Metric;
use super::report::MethodReport;
use crate::error::Result;
use crate::measure::significance::{Alternative, corrected_t, holm};
use serde::Serialize;
use std::collections::BTreeMap;

/// How two methods differ on the folds of a data set, by every metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairReport {
    /// The first method.
    pub first: String,
    /// The second.
    pub second: String,
    /// The first less the second.
    #[serde(flatten)]
    pub by: BTreeMap<Metric, Difference>,
}

/// The corrected resampled t test of Nadeau and Bengio.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Difference {
    /// How many folds have the figure of both.
    pub folds: usize,
    /// The mean difference over these folds.
    pub mean: f64,
    /// Its corrected standard error.
    pub error: Option<f64>,
    /// The mean in units of its error.
    pub t: Option<f64>,
    /// The chance of so large a difference, either way, if the methods were equal; nothing where
    /// the folds show no spread to measure it by.
    pub p_value: Option<f64>,
    /// The same after Holm, for all pairs of the set.
    pub p_adjusted: Option<f64>,
}

impl Difference {
    /// Compares folds; `k` of them make a repeat. Nothing where none has both figures.
    fn new(first: &[Option<f64>], second: &[Option<f64>], k: usize) -> Option<Self> {
        let both = first.iter().zip(second).filter_map(|(a, b)| Some((*a)? - (*b)?));
        let differences: Vec<f64> = both.filter(|difference| difference.is_finite()).collect();
        if differences.is_empty() {
            return None;
        }
        let (folds, n) = (differences.len(), differences.len() as f64);
        // Test rows for each training row.
        let ratio = 1.0 / (k.max(2) - 1) as f64;
        let test = corrected_t(&differences, ratio, Alternative::TwoSided).ok();
        Some(Self {
            folds,
            mean: differences.iter().sum::<f64>() / n,
            error: test.map(|test| test.error),
            t: test.map(|test| test.t),
            p_value: test.map(|test| test.p_value).filter(|p| p.is_finite()),
            p_adjusted: None,
        })
    }
}

/// Every pair of the methods that were judged, with p-values adjusted for their number.
pub(super) fn pairs(methods: &[MethodReport], k: usize) -> Result<Vec<PairReport>> {
    let judged: Vec<&MethodReport> =
        methods.iter().filter(|method| !method.figures.is_empty()).collect();
    let mut pairs = Vec::new();
    for (i, first) in judged.iter().enumerate() {
        for second in &judged[i + 1..] {
            let both = first.figures.iter().filter_map(|(metric, of)| {
                let other = second.figures.get(metric)?;
                Some((*metric, Difference::new(&of.folds, &other.folds, k)?))
            });
            let by = both.collect();
            pairs.push(PairReport { first: first.name.clone(), second: second.name.clone(), by });
        }
    }
    for metric in Metric::ALL {
        let mut of: Vec<&mut Difference> =
            pairs.iter_mut().filter_map(|pair| pair.by.get_mut(&metric)).collect();
        adjust(of.iter_mut().map(|difference| (difference.p_value, &mut difference.p_adjusted)))?;
    }
    Ok(pairs)
}

/// Writes beside every p-value that there is the one after Holm.
pub(super) fn adjust<'a>(
    tests: impl Iterator<Item = (Option<f64>, &'a mut Option<f64>)>,
) -> Result<()> {
    let known: Vec<(f64, &mut Option<f64>)> =
        tests.filter_map(|(p, place)| Some((p?, place))).collect();
    let adjusted = holm(&known.iter().map(|(p, _)| *p).collect::<Vec<_>>())?;
    for ((_, place), p) in known.into_iter().zip(adjusted) {
        *place = Some(p);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_without_a_figure_do_not_count_and_equal_ones_have_no_spread() {
        let of = |values: [f64; 4]| values.map(Some).to_vec();
        let mut first = of([0.9, 0.8, 0.7, 0.9]);
        let second = of([0.8, 0.8, 0.6, 0.7]);
        let all = Difference::new(&first, &second, 4).unwrap();
        assert!((all.mean - 0.1).abs() < 1e-12 && all.folds == 4 && all.p_value.is_some());
        first[3] = None;
        assert_eq!(Difference::new(&first, &second, 4).unwrap().folds, 3);
        let shifted = Difference::new(&of([0.5; 4]), &of([0.25; 4]), 4).unwrap();
        assert_eq!((shifted.mean, shifted.p_value), (0.25, None));
        let same = Difference::new(&second, &second, 4).unwrap();
        assert_eq!((same.mean, same.p_value), (0.0, Some(1.0)));
        assert!(Difference::new(&[None], &[Some(1.0)], 2).is_none());
    }
}

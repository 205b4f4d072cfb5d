//! Whether probabilities come true: rows binned by probability, against the rate in each bin.
//!
//! A. H. Murphy, R. L. Winkler, Applied Statistics 26 (1977) 41-47; the calibration errors as in
//! C. Guo, G. Pleiss, Y. Sun, K. Q. Weinberger, "On calibration of modern neural networks", ICML
//! 2017, and, class by class, M. Kull et al., "Beyond temperature scaling", 2019.

use super::bins::{BinnedRow, Bins, Means, Sorted, against_rest};
use super::check::{self, Weights};
use super::interval::Interval;
use super::wilson::wilson;
use crate::error::Result;
use crate::num::argmax;
use serde::Serialize;

/// The rows of one bin.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bin {
    /// The lower end of the bin, or its lowest probability where bins have equal mass.
    pub low: f64,
    /// The upper end of the bin, or its highest probability where bins have equal mass.
    pub high: f64,
    /// The weight of its rows.
    pub weight: f64,
    /// The mean probability of its rows.
    pub mean: f64,
    /// The share of its rows that are positive.
    pub rate: f64,
    /// Wilson's interval of the rate, for the effective number of rows.
    pub interval: Interval,
}

/// Bins in ascending order; empty ones are left out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reliability {
    bins: Vec<Bin>,
}

impl Reliability {
    /// Bins the probabilities of being positive, with intervals of the given level.
    pub fn new(
        truth: &[bool],
        proba: &[f64],
        bins: Bins,
        level: f64,
        weights: Option<&[f64]>,
    ) -> Result<Self> {
        let bin = |(low, high, rows): (f64, f64, &[BinnedRow])| {
            let Means { weight, p: mean, rate } = Means::of(rows);
            let trials = check::effective(rows.iter().map(|row| row.weight));
            let interval = wilson((rate * trials).min(trials), trials, level)?;
            Ok(Bin { low, high, weight, mean, rate, interval })
        };
        let sorted = Sorted::new(truth, proba, weights)?;
        let bins = sorted.cut(bins)?.into_iter().map(bin).collect::<Result<_>>()?;
        Ok(Self { bins })
    }

    /// Bins the probabilities of one class; `classes` probabilities for every row.
    pub fn of_class(
        labels: &[u32],
        proba: &[f64],
        classes: usize,
        class: usize,
        bins: Bins,
        level: f64,
        weights: Option<&[f64]>,
    ) -> Result<Self> {
        check::probabilities(labels, proba, classes)?;
        let (truth, own) = against_rest(labels, proba, classes, class);
        Self::new(&truth, &own, bins, level, weights)
    }

    /// Bins the probabilities of the most probable class of every row, the first one among
    /// equals; a row is positive where that class is the true one.
    pub fn of_top(
        labels: &[u32],
        proba: &[f64],
        classes: usize,
        bins: Bins,
        level: f64,
        weights: Option<&[f64]>,
    ) -> Result<Self> {
        check::probabilities(labels, proba, classes)?;
        let rows = || proba.chunks_exact(classes.max(1));
        let truth: Vec<bool> =
            rows().zip(labels).map(|(p, &label)| argmax(p) == label as usize).collect();
        let top: Vec<f64> = rows().map(|p| p[argmax(p)].clamp(0.0, 1.0)).collect();
        Self::new(&truth, &top, bins, level, weights)
    }

    /// The bins that have rows.
    pub fn bins(&self) -> &[Bin] {
        &self.bins
    }

    /// The expected calibration error: the mean distance of rate and mean probability over the
    /// bins, weighted by their rows.
    pub fn ece(&self) -> f64 {
        let total: f64 = self.bins.iter().map(|bin| bin.weight).sum();
        self.bins.iter().map(|bin| bin.weight / total * bin.off()).sum()
    }

    /// The maximum calibration error: the largest distance of rate and mean probability of a bin.
    pub fn mce(&self) -> f64 {
        self.bins.iter().map(Bin::off).fold(0.0, f64::max)
    }
}

impl Bin {
    fn off(&self) -> f64 {
        (self.rate - self.mean).abs()
    }
}

/// The mean over the classes of the expected calibration error of each against the rest.
pub fn classwise_ece(
    labels: &[u32],
    proba: &[f64],
    classes: usize,
    bins: Bins,
    weights: Option<&[f64]>,
) -> Result<f64> {
    check::probabilities(labels, proba, classes)?;
    Weights::new(weights, labels.len())?;
    let mut sum = 0.0;
    for class in 0..classes {
        let (truth, own) = against_rest(labels, proba, classes, class);
        sum += Reliability::new(&truth, &own, bins, super::LEVEL, weights)?.ece();
    }
    Ok(sum / classes as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_input_is_refused() {
        let table = |p: f64, bins| Reliability::new(&[true], &[p], bins, 0.95, None);
        assert!(table(f64::NAN, Bins::Width(10)).is_err() && table(1.1, Bins::Width(10)).is_err());
        assert!(table(0.5, Bins::Width(0)).is_err() && table(0.5, Bins::Mass(0)).is_err());
        assert!(Reliability::new(&[], &[], Bins::default(), 0.95, None).is_err());
        assert!(classwise_ece(&[], &[], 0, Bins::default(), None).is_err());
        assert_eq!(table(0.5, Bins::Width(10)).unwrap().mce(), 0.5);
    }
}

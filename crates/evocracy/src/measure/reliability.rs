//! Whether probabilities come true: rows binned by probability, against the rate in each bin.
//!
//! A. H. Murphy, R. L. Winkler, Applied Statistics 26 (1977) 41-47; the calibration errors as in
//! C. Guo, G. Pleiss, Y. Sun, K. Q. Weinberger, "On calibration of modern neural networks", ICML
//! 2017, and, class by class, M. Kull et al., "Beyond temperature scaling", 2019.

use super::check::{self, Weights};
use super::interval::Interval;
use super::wilson::wilson;
use crate::error::{Error, Result};
use crate::num::argmax;
use serde::Serialize;

/// How probabilities are put into bins. Equal probabilities always share a bin, so neither the
/// order of the rows nor their repetition matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bins {
    /// This many bins of equal width; a bin holds its upper end, the first also 0.
    Width(usize),
    /// At most this many bins of nearly equal weight: a probability goes where the middle of its
    /// weight falls among the sorted rows.
    Mass(usize),
    /// One bin for every different probability.
    Distinct,
}

/// The bins used where none are asked for.
impl Default for Bins {
    fn default() -> Self {
        Self::Width(10)
    }
}

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
        let sorted = Sorted::new(truth, proba, weights)?;
        Ok(Self { bins: sorted.bins(bins, level)? })
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
    let mut sum = 0.0;
    for class in 0..classes {
        let (truth, own) = against_rest(labels, proba, classes, class);
        sum += Reliability::new(&truth, &own, bins, super::LEVEL, weights)?.ece();
    }
    Ok(sum / classes as f64)
}

/// Truth and probability of one class; the slack of a row's sum does not leave 0 to 1.
pub(super) fn against_rest(
    labels: &[u32],
    proba: &[f64],
    classes: usize,
    class: usize,
) -> (Vec<bool>, Vec<f64>) {
    let truth = labels.iter().map(|&label| label as usize == class).collect();
    let rows = proba.chunks_exact(classes.max(1));
    (truth, rows.map(|p| p.get(class).map_or(0.0, |p| p.clamp(0.0, 1.0))).collect())
}

/// Rows by ascending probability.
pub(super) struct Sorted {
    rows: Vec<Row>,
}

#[derive(Clone, Copy)]
pub(super) struct Row {
    pub p: f64,
    pub positive: bool,
    pub weight: f64,
}

impl Sorted {
    /// Checks and sorts; rows of weight 0 are no rows.
    pub(super) fn new(truth: &[bool], proba: &[f64], weights: Option<&[f64]>) -> Result<Self> {
        check::same_length("probabilities", proba.len(), truth.len())?;
        let weights = Weights::new(weights, truth.len())?;
        if let Some(row) = proba.iter().position(|p| !(0.0..=1.0).contains(p)) {
            let what = format!("row {} has the probability {}", row + 1, proba[row]);
            return Err(Error::unsuitable(what, "probabilities lie between 0 and 1"));
        }
        let row = |(i, &p): (usize, &f64)| Row { p, positive: truth[i], weight: weights.of(i) };
        let mut rows: Vec<Row> =
            proba.iter().enumerate().map(row).filter(|row| row.weight > 0.0).collect();
        rows.sort_unstable_by(|a, b| {
            a.p.total_cmp(&b.p)
                .then(a.positive.cmp(&b.positive))
                .then(a.weight.total_cmp(&b.weight))
        });
        Ok(Self { rows })
    }

    /// The rows of each bin that has any, with the bin's ends.
    pub(super) fn cut(&self, bins: Bins) -> Result<Vec<(f64, f64, &[Row])>> {
        let wanted = match bins {
            Bins::Width(n) | Bins::Mass(n) => n,
            Bins::Distinct => 1,
        };
        if !(1..=1_000_000).contains(&wanted) {
            return Err(Error::Param {
                of: "reliability".to_owned(),
                name: "bins".to_owned(),
                expected: "a whole number from 1 to 1000000".to_owned(),
                got: wanted.to_string(),
            });
        }
        let total: f64 = self.rows.iter().map(|row| row.weight).sum();
        let mut cut: Vec<(usize, f64, f64, usize, usize)> = Vec::new();
        let (mut start, mut before) = (0, 0.0);
        for (at, group) in self.rows.chunk_by(|a, b| a.p == b.p).enumerate() {
            let p = group[0].p;
            let weight: f64 = group.iter().map(|row| row.weight).sum();
            let bin = match bins {
                Bins::Width(n) => width_bin(p, n),
                Bins::Mass(n) => (((before + weight / 2.0) / total * n as f64) as usize).min(n - 1),
                Bins::Distinct => at,
            };
            let end = start + group.len();
            match cut.last_mut().filter(|last| last.0 == bin) {
                Some(last) => (last.2, last.4) = (p, end),
                None => cut.push((bin, p, p, start, end)),
            }
            (start, before) = (end, before + weight);
        }
        let ends = |&(bin, low, high, from, to): &(usize, f64, f64, usize, usize)| {
            let rows = &self.rows[from..to];
            match bins {
                Bins::Width(n) => (bin as f64 / n as f64, (bin + 1) as f64 / n as f64, rows),
                Bins::Mass(_) | Bins::Distinct => (low, high, rows),
            }
        };
        Ok(cut.iter().map(ends).collect())
    }

    fn bins(&self, bins: Bins, level: f64) -> Result<Vec<Bin>> {
        let bin = |(low, high, rows): (f64, f64, &[Row])| {
            let means = Means::of(rows);
            let trials = check::effective(rows.iter().map(|row| row.weight));
            let interval = wilson((means.rate * trials).min(trials), trials, level)?;
            let Means { weight, p: mean, rate } = means;
            Ok(Bin { low, high, weight, mean, rate, interval })
        };
        self.cut(bins)?.into_iter().map(bin).collect()
    }
}

/// The bin of a probability among `n` of equal width, each with its upper end.
fn width_bin(p: f64, n: usize) -> usize {
    let edge = |bin: usize| bin as f64 / n as f64;
    let mut bin = ((p * n as f64).ceil() as usize).clamp(1, n) - 1;
    // Multiplying rounds; the edges themselves decide.
    if bin > 0 && p <= edge(bin) {
        bin -= 1;
    } else if bin + 1 < n && p > edge(bin + 1) {
        bin += 1;
    }
    bin
}

/// Weighted means of rows.
pub(super) struct Means {
    pub weight: f64,
    pub p: f64,
    pub rate: f64,
}

impl Means {
    pub(super) fn of(rows: &[Row]) -> Self {
        let (mut weight, mut p, mut positive) = (0.0, 0.0, 0.0);
        for row in rows {
            weight += row.weight;
            p += row.weight * row.p;
            positive += if row.positive { row.weight } else { 0.0 };
        }
        Self { weight, p: p / weight, rate: positive / weight }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bin_holds_its_upper_end() {
        for n in [1, 3, 7, 10, 49, 1000] {
            for bin in 0..n {
                assert_eq!(width_bin((bin + 1) as f64 / n as f64, n), bin);
                assert_eq!(width_bin((bin as f64 + 0.5) / n as f64, n), bin);
            }
            assert_eq!(width_bin(0.0, n), 0);
        }
    }

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

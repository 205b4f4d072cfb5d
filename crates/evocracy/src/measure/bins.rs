//! Rows put into bins by their probability.

use super::check::{self, Weights};
use crate::error::{Error, Result};

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
    rows: Vec<BinnedRow>,
}

#[derive(Clone, Copy)]
pub(super) struct BinnedRow {
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
            let what = format!("row {row} has the probability {}", proba[row]);
            return Err(Error::unsuitable(what, "probabilities lie between 0 and 1"));
        }
        let row =
            |(i, &p): (usize, &f64)| BinnedRow { p, positive: truth[i], weight: weights.of(i) };
        let mut rows: Vec<BinnedRow> =
            proba.iter().enumerate().map(row).filter(|row| row.weight > 0.0).collect();
        rows.sort_unstable_by(|a, b| {
            a.p.total_cmp(&b.p)
                .then(a.positive.cmp(&b.positive))
                .then(a.weight.total_cmp(&b.weight))
        });
        Ok(Self { rows })
    }

    /// The rows of each bin that has any, with the bin's ends.
    pub(super) fn cut(&self, bins: Bins) -> Result<Vec<(f64, f64, &[BinnedRow])>> {
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
    pub(super) fn of(rows: &[BinnedRow]) -> Self {
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
}

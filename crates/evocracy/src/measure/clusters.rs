//! Rows that come in clusters, as several of a patient: what they sum to, and how far that is to
//! be trusted. It is clusters, not rows, that are independent.

use super::check::{self, Weights};
use super::compare::Classes;
use super::interval::Interval;
use super::wilson::wilson;
use crate::error::Result;

/// The clusters of rows with weight.
#[derive(Debug, Clone)]
pub struct Clusters {
    /// The cluster of every row, counted from 0 without gaps.
    of: Vec<u32>,
    /// How many there are.
    count: usize,
    /// How many hold positives, and how many negatives.
    holding: (usize, usize),
}

impl Clusters {
    /// From the name of the cluster of every row.
    pub(super) fn new(truth: &[bool], weights: Weights<'_>, names: &[u32]) -> Result<Self> {
        check::same_length("clusters", names.len(), truth.len())?;
        let mut known: Vec<u32> =
            (0..names.len()).filter(|&row| weights.of(row) > 0.0).map(|row| names[row]).collect();
        known.sort_unstable();
        known.dedup();
        let of: Vec<u32> =
            names.iter().map(|name| known.binary_search(name).unwrap_or(0) as u32).collect();
        let mut held = vec![[false; 2]; known.len()];
        for row in (0..truth.len()).filter(|&row| weights.of(row) > 0.0) {
            held[of[row] as usize][usize::from(truth[row])] = true;
        }
        let holding = |class: usize| held.iter().filter(|held| held[class]).count();
        Ok(Self { of, count: known.len(), holding: (holding(1), holding(0)) })
    }

    /// The clusters that rows of both classes come in.
    pub fn of_rows(truth: &[bool], names: &[u32], weights: Option<&[f64]>) -> Result<Self> {
        Self::new(truth, Weights::new(weights, truth.len())?, names)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many hold positives, and how many negatives.
    pub fn holding(&self) -> (f64, f64) {
        (self.holding.0 as f64, self.holding.1 as f64)
    }

    /// The sum of a figure of every row in each cluster.
    fn sums(&self, figure: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut sums = vec![0.0; self.count];
        for (row, &cluster) in self.of.iter().enumerate() {
            sums[cluster as usize] += figure(row);
        }
        sums
    }

    /// Obuchowski's covariance of two areas from how far the components of rows are from them:
    /// positives, negatives, and what a cluster with both adds.
    pub(super) fn covariance(&self, classes: &Classes<'_>, first: &[f64], second: &[f64]) -> f64 {
        let part = |deviations: &[f64], class: bool| {
            let total = if class { classes.totals.0 } else { classes.totals.1 };
            self.sums(|row| {
                let counts = classes.truth[row] == class;
                if counts { classes.weights.of(row) * deviations[row] / total } else { 0.0 }
            })
        };
        let (a1, a0) = (part(first, true), part(first, false));
        let (b1, b0) = (part(second, true), part(second, false));
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let spread = |units: f64| units / (units - 1.0);
        let (m, n) = self.holding();
        spread(m) * product(&a1, &b1)
            + spread(n) * product(&a0, &b0)
            + spread(self.count as f64) * (product(&a1, &b0) + product(&a0, &b1))
    }

    /// The interval of the share of rows of a class for which `is` holds: Wilson's, for as many
    /// trials as rows drawn one by one would vary as much, and where nothing varies for as many
    /// as clusters hold the class.
    pub fn rate_interval(
        &self,
        truth: &[bool],
        weights: Option<&[f64]>,
        class: bool,
        level: f64,
        is: impl Fn(usize) -> bool,
    ) -> Result<Interval> {
        let weights = Weights::new(weights, truth.len())?;
        let weight = |row: usize| if truth[row] == class { weights.of(row) } else { 0.0 };
        let total: f64 = (0..truth.len()).map(weight).sum();
        let rate = (0..truth.len()).filter(|&row| is(row)).map(weight).sum::<f64>() / total;
        let rate = rate.clamp(0.0, 1.0);
        let off = self.sums(|row| weight(row) * (f64::from(is(row)) - rate) / total);
        let units = if class { self.holding().0 } else { self.holding().1 };
        let squares: f64 = off.iter().map(|u| u * u).sum();
        let variance = if units > 1.0 { squares * units / (units - 1.0) } else { 0.0 };
        let rows = check::effective((0..truth.len()).map(weight));
        // Clusters that happen to balance each other are no more than their rows.
        let trials = rate * (1.0 - rate) / variance;
        let trials = if variance > 1e-30 { trials.min(rows) } else { units };
        wilson(rate * trials, trials, level)
    }
}

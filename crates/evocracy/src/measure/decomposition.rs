//! The decomposition of the Brier score: reliability, resolution, uncertainty.
//!
//! A. H. Murphy, "A new vector partition of the probability score", Journal of Applied
//! Meteorology 12 (1973) 595-600; the two terms within bins after D. B. Stephenson,
//! C. A. S. Coelho, I. T. Jolliffe, "Two extra components in the Brier score decomposition",
//! Weather and Forecasting 23 (2008) 752-757.

use super::bins::{BinnedRow, Bins, Means, Sorted, against_rest};
use super::check::{self, Weights};
use crate::error::Result;
use serde::Serialize;

/// A Brier score as a sum:
/// `reliability - resolution + uncertainty + within_variance - within_covariance`.
///
/// That sum is exact for any bins. Murphy's three terms alone are exact where every bin holds one
/// probability ([`Bins::Distinct`], or bins that happen to), for then nothing varies within a bin;
/// otherwise they miss the last two.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Decomposition {
    /// The Brier score itself.
    pub brier: f64,
    /// The mean squared distance of a bin's rate from its mean probability: 0 at best.
    pub reliability: f64,
    /// The variance of the rates between the bins: the larger the better.
    pub resolution: f64,
    /// The variance of the truth, whatever is predicted.
    pub uncertainty: f64,
    /// The mean variance of the probabilities within bins.
    pub within_variance: f64,
    /// Twice the mean covariance of probabilities and truth within bins.
    pub within_covariance: f64,
}

impl Decomposition {
    /// Takes apart the Brier score of the probabilities of being positive.
    pub fn new(truth: &[bool], proba: &[f64], bins: Bins, weights: Option<&[f64]>) -> Result<Self> {
        let sorted = Sorted::new(truth, proba, weights)?;
        let cut = sorted.cut(bins)?;
        let each: Vec<(Means, &[BinnedRow])> =
            cut.into_iter().map(|(_, _, rows)| (Means::of(rows), rows)).collect();
        let total: f64 = each.iter().map(|(bin, _)| bin.weight).sum();
        let rate = each.iter().map(|(bin, _)| bin.weight * bin.rate).sum::<f64>() / total;
        let mut found = Self { uncertainty: rate * (1.0 - rate), ..Self::default() };
        for (bin, rows) in &each {
            let share = bin.weight / total;
            found.reliability += share * (bin.p - bin.rate).powi(2);
            found.resolution += share * (bin.rate - rate).powi(2);
            for row in *rows {
                let (share, truth) = (row.weight / total, f64::from(row.positive));
                found.brier += share * (row.p - truth).powi(2);
                found.within_variance += share * (row.p - bin.p).powi(2);
                found.within_covariance += share * 2.0 * (row.p - bin.p) * (truth - bin.rate);
            }
        }
        Ok(found)
    }

    /// Takes apart [`brier`](super::brier): every class against the rest, summed, for two classes
    /// halved; `classes` probabilities for every row.
    pub fn of_classes(
        labels: &[u32],
        proba: &[f64],
        classes: usize,
        bins: Bins,
        weights: Option<&[f64]>,
    ) -> Result<Self> {
        check::probabilities(labels, proba, classes)?;
        Weights::new(weights, labels.len())?;
        let scale = if classes == 2 { 0.5 } else { 1.0 };
        let mut sum = Self::default();
        for class in 0..classes {
            let (truth, own) = against_rest(labels, proba, classes, class);
            let one = Self::new(&truth, &own, bins, weights)?;
            sum.brier += scale * one.brier;
            sum.reliability += scale * one.reliability;
            sum.resolution += scale * one.resolution;
            sum.uncertainty += scale * one.uncertainty;
            sum.within_variance += scale * one.within_variance;
            sum.within_covariance += scale * one.within_covariance;
        }
        Ok(sum)
    }

    /// The five terms put together again: the Brier score, up to rounding.
    pub fn sum(&self) -> f64 {
        self.reliability - self.resolution + self.uncertainty + self.within_variance
            - self.within_covariance
    }
}

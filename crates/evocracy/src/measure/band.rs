//! Confidence bands of a ROC curve.
//!
//! *Pointwise*: at each false positive rate an interval of the true positive rate from
//! resampled curves (vertical averaging, T. Fawcett, Pattern Recognition Letters 27 (2006)
//! 861-874, 9.1). The chance that the whole true curve lies inside is less than the level.
//!
//! *Simultaneous, of fixed width*: the curve shifted by what the two empirical distributions can
//! be off at any place, up and to the left, down and to the right (G. Campbell, "Advances in
//! statistical methodology for the evaluation of diagnostic and laboratory tests", Statistics in
//! Medicine 13 (1994) 499-508). The shifts are not asymptotic Kolmogorov-Smirnov quantiles but
//! the bound of P. Massart, Annals of Probability 18 (1990) 1269-1283,
//! `sqrt(ln(2 / a) / (2 n))`, which holds for every n: the band covers the whole curve at least
//! as often as it says, and is wide.

use super::bootstrap::quantile;
use super::interval::deviations;
use super::order::Order;
use super::ranking::Ranking;
use super::resample::Resampling;
use super::roc::Roc;
use super::wilson::wilson;
use crate::error::{Error, Result};
use crate::run::Run;
use serde::Serialize;

/// The band at one false positive rate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BandPoint {
    /// The false positive rate.
    pub fpr: f64,
    /// The lower end of the true positive rate.
    pub low: f64,
    /// The true positive rate of the curve itself.
    pub tpr: f64,
    /// The upper end of the true positive rate.
    pub high: f64,
}

/// A band around a ROC curve, by rising false positive rate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Band {
    /// The confidence, of each point or of the whole curve.
    pub level: f64,
    /// Whether it is the whole curve that lies inside with that confidence.
    pub simultaneous: bool,
    /// One point per false positive rate asked for.
    pub points: Vec<BandPoint>,
}

/// The simultaneous band of fixed width at the false positive rates of `grid`.
pub fn fixed_width_band(ranking: &Ranking, grid: &[f64], level: f64) -> Result<Band> {
    deviations(level)?;
    let roc = Roc::from(ranking);
    // Both distributions must lie inside their bounds at once.
    let each = 1.0 - level.sqrt();
    let width = |rows: f64| ((2.0 / each).ln() / (2.0 * rows)).sqrt();
    let (positives, negatives) = ranking.effective();
    let (up, aside) = (width(positives), width(negatives));
    let at = |&fpr: &f64| {
        let low = if fpr < aside { 0.0 } else { below(&roc, fpr - aside) - up };
        let high = roc.tpr_at((fpr + aside).min(1.0)) + up;
        BandPoint { fpr, low: low.max(0.0), tpr: roc.tpr_at(fpr), high: high.min(1.0) }
    };
    Ok(Band { level, simultaneous: true, points: rates(grid)?.iter().map(at).collect() })
}

/// The pointwise band from `replicates` resampled curves at the false positive rates of `grid`.
///
/// Where no replicate differs, as next to the corner of a perfect curve, the interval is
/// Wilson's for a rate seen in as many trials as there are (effective) positives, or clusters
/// with positives. Neither end falls along the curve.
pub fn bootstrap_band(
    order: &Order,
    resampling: &Resampling,
    grid: &[f64],
    replicates: usize,
    level: f64,
    run: &Run<'_>,
) -> Result<Band> {
    deviations(level)?;
    super::check::same_length("resampled rows", resampling.rows(), order.rows())?;
    let ranking = order.ranking(None)?;
    let roc = Roc::from(&ranking);
    let positives = resampling.clusters().map_or(ranking.effective().0, |units| units.0);
    let grid = rates(grid)?;
    let curves = resampling.draw(replicates.max(2), run, |counts| {
        let roc = Roc::from(&order.ranking(Some(counts))?);
        Ok(grid.iter().map(|&fpr| roc.tpr_at(fpr)).collect())
    })?;
    let curves: Vec<Vec<f64>> = curves.into_iter().collect::<Result<_>>()?;
    let at = |(i, &fpr): (usize, &f64)| {
        if fpr == 1.0 {
            return Ok(BandPoint { fpr, low: 1.0, tpr: 1.0, high: 1.0 });
        }
        let mut seen: Vec<f64> = curves.iter().map(|curve| curve[i]).collect();
        seen.sort_by(f64::total_cmp);
        let tpr = roc.tpr_at(fpr);
        let (low, high) = if seen[0] == seen[seen.len() - 1] {
            let interval = wilson(tpr.min(1.0) * positives, positives, level)?;
            (interval.low, interval.high)
        } else {
            let side = (1.0 - level) / 2.0;
            (quantile(&seen, side), quantile(&seen, 1.0 - side))
        };
        // With few replicates the quantiles may miss the curve itself.
        Ok(BandPoint { fpr, low: low.min(tpr), tpr, high: high.max(tpr) })
    };
    let mut points = grid.iter().enumerate().map(at).collect::<Result<Vec<BandPoint>>>()?;
    // No curve falls, so neither may its band; widening is the safe way to see to that.
    for i in 1..points.len() {
        points[i].high = points[i].high.max(points[i - 1].high);
    }
    let inside = points.partition_point(|p| p.fpr < 1.0);
    for i in (1..inside).rev() {
        points[i - 1].low = points[i - 1].low.min(points[i].low);
    }
    Ok(Band { level, simultaneous: false, points })
}

/// The mean true positive rate of several curves, as of the folds of a cross-validation, at the
/// false positive rates of `grid`.
pub fn vertical_average(curves: &[Roc], grid: &[f64]) -> Result<Vec<f64>> {
    if curves.is_empty() {
        return Err(Error::unsuitable("there are no curves to average", "give at least one"));
    }
    let mean = |&fpr: &f64| {
        let sum: f64 = curves.iter().map(|roc| roc.tpr_at(fpr)).sum();
        sum / curves.len() as f64
    };
    Ok(rates(grid)?.iter().map(mean).collect())
}

/// The lowest true positive rate at a false positive rate.
fn below(roc: &Roc, fpr: f64) -> f64 {
    let before = roc.points().partition_point(|p| p.fpr < fpr);
    let next = roc.points()[before.min(roc.points().len() - 1)];
    if next.fpr == fpr { next.tpr } else { roc.tpr_at(fpr) }
}

fn rates(grid: &[f64]) -> Result<&[f64]> {
    let rising = grid.windows(2).all(|pair| pair[0] < pair[1]);
    if rising && grid.iter().all(|f| (0.0..=1.0).contains(f)) {
        return Ok(grid);
    }
    Err(Error::unsuitable(
        "the false positive rates of the band are not rising from 0 to 1",
        "give rates between 0 and 1, each above the one before",
    ))
}

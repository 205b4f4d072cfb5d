//! Intervals of any measure from resampled rows.
//!
//! B. Efron, R. J. Tibshirani, "An Introduction to the Bootstrap", 1993, chapters 13 and 14.

use super::delong::Delong;
use super::interval::{Interval, deviations};
use super::order::Order;
use super::resample::Resampling;
use crate::error::{Error, Result};
use crate::num::{normal_quantile, normal_tail};
use crate::run::Run;

/// How an interval is read from replicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BootstrapInterval {
    /// Quantiles of the replicates.
    Percentile,
    /// Quantiles shifted by bias and skewness: bias-corrected and accelerated.
    Bca,
}

/// A figure and what resampling made of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Bootstrap {
    estimate: f64,
    /// Sorted.
    replicates: Vec<f64>,
}

impl Bootstrap {
    /// Draws `replicates` times and measures; `measure` is given how often each row counts.
    ///
    /// A measure that is NaN for the rows themselves or for some draw is refused.
    pub fn new(
        resampling: &Resampling,
        replicates: usize,
        run: &Run<'_>,
        measure: impl Fn(&[u32]) -> f64 + Sync,
    ) -> Result<Self> {
        let estimate = measure(&vec![1; resampling.rows()]);
        Self::from_replicates(estimate, resampling.draw(replicates, run, measure)?)
    }

    /// A figure and replicates of it that were made elsewhere.
    pub fn from_replicates(estimate: f64, mut replicates: Vec<f64>) -> Result<Self> {
        let undefined = replicates.iter().filter(|r| r.is_nan()).count();
        if estimate.is_nan() || undefined > 0 {
            return Err(Error::unsuitable(
                format!("the measure has no value in {undefined} of the replicates"),
                "bootstrap a measure that every draw of rows has",
            ));
        }
        if replicates.len() < 2 {
            return Err(Error::Param {
                of: "bootstrap".to_owned(),
                name: "replicates".to_owned(),
                expected: "at least 2".to_owned(),
                got: replicates.len().to_string(),
            });
        }
        replicates.sort_by(f64::total_cmp);
        Ok(Self { estimate, replicates })
    }

    /// The figure of the rows themselves.
    pub fn estimate(&self) -> f64 {
        self.estimate
    }

    /// The replicates, the smallest first.
    pub fn replicates(&self) -> &[f64] {
        &self.replicates
    }

    /// Whether the replicates differ at all. Where they do not, as for a perfect ranking, they
    /// say nothing about how certain the figure is.
    pub fn varies(&self) -> bool {
        self.replicates[0] < self.replicates[self.replicates.len() - 1]
    }

    /// The standard deviation of the replicates: the standard error of the figure.
    pub fn deviation(&self) -> f64 {
        let n = self.replicates.len() as f64;
        let mean = self.replicates.iter().sum::<f64>() / n;
        let squares: f64 = self.replicates.iter().map(|r| (r - mean).powi(2)).sum();
        (squares / (n - 1.0)).sqrt()
    }

    /// The interval between the quantiles of the replicates; refused where they do not vary.
    pub fn percentile(&self, level: f64) -> Result<Interval> {
        deviations(level)?;
        self.between((1.0 - level) / 2.0, f64::midpoint(1.0, level), level)
    }

    /// The bias-corrected and accelerated interval; refused where replicates do not vary.
    ///
    /// `acceleration` is that of [`Resampling::acceleration`] for the same measure.
    pub fn bca(&self, level: f64, acceleration: f64) -> Result<Interval> {
        let z = deviations(level)?;
        let n = self.replicates.len() as f64;
        let below = self.replicates.partition_point(|&r| r < self.estimate);
        let up_to = self.replicates.partition_point(|&r| r <= self.estimate);
        // Ties count half; an estimate outside all replicates must not be infinitely biased.
        let share = (below + up_to) as f64 / (2.0 * n);
        let bias = normal_quantile(share.clamp(0.5 / n, 1.0 - 0.5 / n));
        let shifted = |z: f64| {
            let moved = bias + z;
            let z = bias + moved / (1.0 - acceleration * moved);
            normal_tail(-z)
        };
        self.between(shifted(-z), shifted(z), level)
    }

    fn between(&self, low: f64, high: f64, level: f64) -> Result<Interval> {
        if !self.varies() {
            return Err(Error::unsuitable(
                "all replicates are equal, so they give no interval",
                "take an interval that does not need them to vary, such as DeLong's or Wilson's",
            ));
        }
        let (low, high) = (quantile(&self.replicates, low), quantile(&self.replicates, high));
        Ok(Interval { low, high, level })
    }
}

/// The area under the ROC curve with an interval from `replicates` draws.
///
/// Where no replicate differs (a perfect ranking) the interval is that of [`Delong::interval`],
/// for clusters as if each were one row: never a single value, never outside 0 and 1.
pub fn bootstrap_auc(
    order: &Order,
    resampling: &Resampling,
    replicates: usize,
    level: f64,
    kind: BootstrapInterval,
    run: &Run<'_>,
) -> Result<(Bootstrap, Interval)> {
    super::check::same_length("resampled rows", resampling.rows(), order.rows())?;
    let measure = |counts: &[u32]| order.auc(counts);
    let found = Bootstrap::new(resampling, replicates, run, measure)?;
    let interval = if !found.varies() {
        let units = resampling.clusters();
        let rows = || Ok(Delong::from(&order.ranking(None)?));
        let delong =
            units.map_or_else(rows, |units| Ok(Delong::from_parts(found.estimate(), None, units)));
        delong?.interval(level)?
    } else if kind == BootstrapInterval::Percentile {
        found.percentile(level)?
    } else {
        found.bca(level, resampling.acceleration(run, measure)?)?
    };
    Ok((found, interval))
}

/// The quantile of sorted values, linear between neighbours (type 7 of R. J. Hyndman, Y. Fan,
/// The American Statistician 50 (1996) 361-365).
pub(super) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let last = sorted.len() - 1;
    let at = share.clamp(0.0, 1.0) * last as f64;
    let below = (at.floor() as usize).min(last);
    let above = (below + 1).min(last);
    sorted[below] + (at - below as f64) * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Pool, Stop};

    #[test]
    fn nothing_that_varies_is_no_certainty() {
        let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
        let run = Run::new(3, &stop, &pool);
        let truth = [true, true, true, false, false, false];
        let order = Order::new(&truth, &[6.0, 5.0, 4.0, 3.0, 2.0, 1.0], None).unwrap();
        let draws = Resampling::stratified(&truth, None).unwrap();
        for kind in [BootstrapInterval::Percentile, BootstrapInterval::Bca] {
            let (found, interval) = bootstrap_auc(&order, &draws, 50, 0.95, kind, &run).unwrap();
            assert!(!found.varies() && found.percentile(0.95).is_err());
            assert!(interval.low < 0.6 && interval.high == 1.0);
        }
        stop.request();
        let stopped = Bootstrap::new(&draws, 50, &run, |counts| order.auc(counts));
        assert!(matches!(stopped, Err(Error::Stopped)));
    }

    #[test]
    fn a_measure_without_a_value_is_refused() {
        assert!(Bootstrap::from_replicates(0.5, vec![0.4, f64::NAN]).is_err());
        assert!(Bootstrap::from_replicates(f64::NAN, vec![0.4, 0.5]).is_err());
        assert!(Bootstrap::from_replicates(0.5, vec![0.4]).is_err());
        let beyond = Bootstrap::from_replicates(0.9, vec![0.4, 0.5, 0.6]).unwrap();
        assert!(beyond.bca(0.95, 0.0).unwrap().high <= 0.6);
        assert!(beyond.percentile(1.0).is_err());
    }
}

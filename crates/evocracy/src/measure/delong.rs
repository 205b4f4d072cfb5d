//! How far to trust the area under a ROC curve.
//!
//! E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson, "Comparing the areas under two or more
//! correlated receiver operating characteristic curves", Biometrics 44 (1988) 837-845, for one
//! curve. A row's component is the share of the other class that it is in order with, ties one
//! half; rows with equal scores have equal components, so one pass over a [`Ranking`] is enough.

use super::interval::{Interval, deviations};
use super::ranking::Ranking;
use super::wilson::wilson;
use crate::error::Result;

/// Below this a variance is rounding: components differ by at least 1 / rows, or not at all.
pub(super) const NO_VARIANCE: f64 = 1e-30;

/// The area under a ROC curve with its variance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Delong {
    auc: f64,
    variance: Option<f64>,
    /// The effective number of rows of the smaller class.
    fewest: f64,
    /// The effective number of rows.
    rows: f64,
}

impl Delong {
    /// Ranks the rows and estimates.
    pub fn new(truth: &[bool], scores: &[f64], weights: Option<&[f64]>) -> Result<Self> {
        Ok(Self::from(&Ranking::new(truth, scores, weights)?))
    }

    /// From the effective numbers of positives and negatives.
    pub(super) fn from_parts(auc: f64, variance: Option<f64>, (m, n): (f64, f64)) -> Self {
        Self { auc, variance, fewest: m.min(n), rows: m + n }
    }

    /// The area under the curve.
    pub fn auc(&self) -> f64 {
        self.auc
    }

    /// DeLong's estimate of the variance of the area; `None` where a class has a single row
    /// (or a single effective row), which shows no spread.
    pub fn variance(&self) -> Option<f64> {
        self.variance
    }

    /// A confidence interval of the area, never outside 0 and 1.
    ///
    /// Where there is a variance the interval is symmetric on the logit scale,
    /// `logit(A) +- z sd / (A (1 - A))` (M. S. Pepe, "The Statistical Evaluation of Medical Tests
    /// for Classification and Prediction", 2003, chapter 5).
    ///
    /// With fewer than about five rows in a class it covers less than it says: simulated at 95 %
    /// with an area of 0.66 and 50 negatives, 77 % for two positives, 87 % for three, 92 % for
    /// five, 93 % for eight, 95 % for twelve.
    ///
    /// Where there is no variance, as for a perfect ranking, for equal scores or for a single positive
    /// row, it is Wilson's for a rate `A` seen in as many trials as the smaller class has rows.
    /// The variance of the area is at most `A (1 - A) / min(m, n)` whatever the distributions
    /// (see Z. W. Birnbaum, O. M. Klose, Annals of Mathematical Statistics 28 (1957) 933-945):
    /// the area is a mean of means over `min(m, n)` disjoint pairs, and averaging those cannot
    /// add variance. So this errs on the wide side, and 1 is never shown as "1 to 1".
    pub fn interval(&self, level: f64) -> Result<Interval> {
        let z = deviations(level)?;
        let Some(variance) = self.spread() else {
            return wilson(self.auc * self.fewest, self.fewest, level);
        };
        let logit = (self.auc / (1.0 - self.auc)).ln();
        let half = z * variance.sqrt() / (self.auc * (1.0 - self.auc));
        let back = |x: f64| 1.0 / (1.0 + (-x).exp());
        Ok(Interval { low: back(logit - half), high: back(logit + half), level })
    }

    /// The textbook interval `A +- z sd`, cut off at 0 and 1, for comparison with other tools;
    /// [`Delong::interval`] covers better where the area is near 1 or rows are few. Where there
    /// is no variance the two are the same.
    pub fn plain_interval(&self, level: f64) -> Result<Interval> {
        let Some(variance) = self.spread() else { return self.interval(level) };
        let half = deviations(level)? * variance.sqrt();
        let (low, high) = ((self.auc - half).max(0.0), (self.auc + half).min(1.0));
        Ok(Interval { low, high, level })
    }

    /// The variance where it says anything.
    pub(super) fn spread(&self) -> Option<f64> {
        let inside = self.auc > 0.0 && self.auc < 1.0;
        self.variance.filter(|&variance| inside && variance > NO_VARIANCE)
    }

    /// The effective number of rows.
    pub(super) fn rows(&self) -> f64 {
        self.rows
    }
}

impl From<&Ranking> for Delong {
    fn from(ranking: &Ranking) -> Self {
        let auc = ranking.auc();
        let (m, n) = (ranking.positives(), ranking.negatives());
        // Mean squared deviations of the components of each class from their mean, the area.
        let (mut among_positives, mut among_negatives) = (0.0, 0.0);
        let (mut positive_above, mut negative_above) = (0.0, 0.0);
        for g in ranking.groups() {
            let of_positive = (n - negative_above - g.negative / 2.0) / n;
            let of_negative = (positive_above + g.positive / 2.0) / m;
            among_positives += g.positive / m * (of_positive - auc).powi(2);
            among_negatives += g.negative / n * (of_negative - auc).powi(2);
            positive_above += g.positive;
            negative_above += g.negative;
        }
        let (m, n) = ranking.effective();
        // Mean square to sample variance to variance of the mean: m / (m - 1) / m.
        let variance =
            (m > 1.0 && n > 1.0).then(|| among_positives / (m - 1.0) + among_negatives / (n - 1.0));
        Self::from_parts(auc, variance, (m, n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::LEVEL;

    #[test]
    fn an_interval_never_claims_certainty() {
        let truth = [true, true, true, false, false, false];
        let interval =
            |scores: &[f64]| Delong::new(&truth, scores, None).unwrap().interval(LEVEL).unwrap();
        let perfect = interval(&[6.0, 5.0, 4.0, 3.0, 2.0, 1.0]);
        assert!(perfect.low > 0.4 && perfect.low < 0.5 && perfect.high == 1.0);
        let inverse = interval(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert!(inverse.low == 0.0 && (inverse.high + perfect.low - 1.0).abs() < 1e-12);
        let equal = interval(&[1.0; 6]);
        assert!((equal.low + equal.high - 1.0).abs() < 1e-12 && equal.high > 0.8);
    }

    #[test]
    fn one_positive_row_has_a_wide_interval_and_no_variance() {
        let truth: Vec<bool> = (0..100).map(|i| i == 70).collect();
        let scores: Vec<f64> = (0..100).map(f64::from).collect();
        let delong = Delong::new(&truth, &scores, None).unwrap();
        assert_eq!(delong.variance(), None);
        let interval = delong.interval(LEVEL).unwrap();
        assert!(interval.low < 0.2 && interval.high > 0.9);
    }
}

//! Points of a ROC curve that one may work at, with what happens there.

use super::judged::Judged;
use crate::classify::{Criterion, Decision};
use crate::error::Result;
use crate::measure::{Clusters, Conditions, Interval, LEVEL, Outcome, Point, Ranking, Roc, wilson};
use serde::Serialize;

/// How many rows an outcome is told for.
pub const PER: f64 = 1000.0;

/// False positive rates that every report of two classes has a point for.
pub const FALSE_ALARMS: [f64; 4] = [0.01, 0.05, 0.1, 0.2];

/// A point of a curve: which rows are called positive, and what that gives.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OperatingPoint {
    /// Rows that score at least this are called positive; none where no row is.
    pub threshold: Option<f64>,
    /// The share of the negatives that is called positive.
    pub fpr: f64,
    /// Its interval.
    pub fpr_interval: Interval,
    /// The share of the positives that is called positive.
    pub tpr: f64,
    /// Its interval.
    pub tpr_interval: Interval,
    /// Equation (2.40) of the thesis: per row.
    pub expected_cost: f64,
    /// Of a thousand rows under the prior.
    pub per_1000: Outcome,
    /// The point itself.
    #[serde(skip)]
    pub point: Point,
}

/// The best point with at most a false positive rate, read from the curve of the judged rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Capped {
    /// The greatest false positive rate.
    pub max_fpr: f64,
    /// The point.
    #[serde(flatten)]
    pub point: OperatingPoint,
}

/// Rows that are judged, to read points from.
pub(super) struct Reader<'a> {
    pub ranking: &'a Ranking,
    pub under: Conditions,
    pub level: f64,
    /// Whether low scores mean positive, so that thresholds are turned round.
    pub turned: bool,
    /// Clusters of rows, with the truth, scores and weights of the rows.
    pub clustered: Option<Clustered<'a>>,
}

/// Rows in clusters: those, not rows, are independent.
pub(super) struct Clustered<'a> {
    pub clusters: &'a Clusters,
    pub truth: &'a [bool],
    pub scores: &'a [f64],
    pub weights: Option<&'a [f64]>,
}

impl Reader<'_> {
    /// What happens at a point.
    pub fn at(&self, point: Point) -> Result<OperatingPoint> {
        let threshold = if self.turned { -point.threshold } else { point.threshold };
        Ok(OperatingPoint {
            threshold: Some(threshold).filter(|t| t.is_finite()),
            fpr: point.fpr,
            fpr_interval: self.interval(&point, false)?,
            tpr: point.tpr,
            tpr_interval: self.interval(&point, true)?,
            expected_cost: self.under.cost(point.fpr, point.tpr),
            per_1000: self.under.outcome(&point, PER),
            point,
        })
    }

    /// The interval of the share of a class that is called positive.
    fn interval(&self, point: &Point, class: bool) -> Result<Interval> {
        if let Some(rows) = &self.clustered {
            let called = |row: usize| rows.scores[row] >= point.threshold;
            let (truth, weights) = (rows.truth, rows.weights);
            return rows.clusters.rate_interval(truth, weights, class, self.level, called);
        }
        let (positives, negatives) = self.ranking.effective();
        let (rate, rows) = if class { (point.tpr, positives) } else { (point.fpr, negatives) };
        wilson(rate.clamp(0.0, 1.0) * rows, rows, self.level)
    }

    /// The best points at [`FALSE_ALARMS`].
    pub fn capped(&self, roc: &Roc) -> Result<Vec<Capped>> {
        let each = FALSE_ALARMS.iter().map(|&max_fpr| {
            Ok(Capped { max_fpr, point: self.at(roc.with_fpr_at_most(max_fpr)?)? })
        });
        each.collect()
    }
}

/// The points at some false positive rates, for rows of two classes; of rows that were judged
/// repeatedly, those of the first repeat. Without costs an error costs 1 and the
/// prior is that of the rows.
pub fn operating_points(judged: &Judged, decision: &Decision) -> Result<Vec<Capped>> {
    if judged.classes().is_none_or(|said| said.classes.len() != 2) {
        return Ok(Vec::new());
    }
    let Some(scores) = judged.scores().into_iter().next() else { return Ok(Vec::new()) };
    // Rows of one class, or with weight of one class only, cannot be ranked.
    let Ok(ranking) = Ranking::new(&scores.truth, &scores.scores, scores.weights.as_deref()) else {
        return Ok(Vec::new());
    };
    let under = match decision.criterion {
        Criterion::Cost(under) => under,
        _ => Conditions::new(1.0, 1.0, ranking.prior())?,
    };
    let reader = Reader { ranking: &ranking, under, level: LEVEL, turned: false, clustered: None };
    reader.capped(&Roc::from(&ranking))
}

//! What scores are worth, whatever made them: a report of its own, with the curves.

use super::operating::{Clustered, OperatingPoint, Reader};
use super::remark::{Noticed, Remark};
use crate::classify::Criterion;
use crate::error::Result;
use crate::measure::significance::holm;
use crate::measure::{
    Areas, Clusters, Comparison, Conditions, Interval, LEVEL, Order, Point, PrecisionRecall, Roc,
};
use serde::Serialize;
use std::cmp::Ordering;

/// The version of the shape of a report.
const VERSION: u32 = 1;

/// Points of a curve that lie closer than this to the one before are left out of a report.
const STEP: f64 = 1e-3;

/// Intervals from fewer clusters than this, or than this with a class, are too narrow.
const FEW_CLUSTERS: usize = 20;
const FEW_WITH_A_CLASS: usize = 8;

/// Rows with their true class and their scores.
#[derive(Debug, Clone)]
pub struct ScoreTable {
    /// The column of true classes.
    pub target: String,
    /// Whether each row is positive.
    pub truth: Vec<bool>,
    /// The name of the positive class.
    pub positive: String,
    /// What the other rows are called.
    pub others: String,
    /// Name and scores of each column, higher for what looks more positive.
    pub columns: Vec<(String, Vec<f64>)>,
    /// The weight of every row.
    pub weights: Option<Vec<f64>>,
    /// The cluster of every row.
    pub clusters: Option<Vec<u32>>,
    /// Low scores mean positive where they come from: thresholds are turned round.
    pub turned: bool,
}

/// What is asked of scores.
#[derive(Debug, Clone, Copy)]
pub struct Question {
    /// What a false alarm costs.
    pub cost_fp: f64,
    /// What a missed positive costs.
    pub cost_fn: f64,
    /// The share of positives where the scores will be used; that of the rows where none is given.
    pub prior: Option<f64>,
    /// What the best point is chosen for; costs unless a rate is given.
    pub criterion: Criterion,
    /// The confidence of all intervals.
    pub level: f64,
}

impl Default for Question {
    fn default() -> Self {
        let criterion = Criterion::Given;
        Self { cost_fp: 1.0, cost_fn: 1.0, prior: None, criterion, level: LEVEL }
    }
}

/// Everything there is to say of the scores of one table.
#[derive(Debug, Clone, Serialize)]
pub struct RocReport {
    /// The version of this shape.
    pub report: u32,
    /// The column of true classes.
    pub truth: String,
    /// The positive class.
    pub positive: String,
    /// What the other rows are called.
    pub others: String,
    /// How many rows there are.
    pub rows: usize,
    /// Whether rows have weights.
    pub weighted: bool,
    /// How many rows, or how much weight, is positive.
    pub positives: f64,
    /// How many rows, or how much weight, is not.
    pub negatives: f64,
    /// The confidence of all intervals.
    pub level: f64,
    /// Costs and prior.
    pub conditions: Conditions,
    /// Whether low scores mean positive.
    pub lower: bool,
    /// How the best point was chosen: `cost`, `max-fpr` or `min-tpr`.
    pub chosen_by: &'static str,
    /// How intervals were made.
    pub intervals: &'static str,
    /// The clusters that rows come in.
    pub clusters: Option<Grouped>,
    /// What each column of scores is worth.
    pub scores: Vec<ScoreFigures>,
    /// Every pair of columns.
    pub comparisons: Vec<Pair>,
    /// What to worry about.
    pub remarks: Vec<Remark>,
}

/// The clusters that rows come in.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Grouped {
    /// How many there are.
    pub count: usize,
    /// How many hold positives.
    pub with_positives: usize,
    /// How many hold negatives.
    pub with_negatives: usize,
}

/// What one column of scores is worth.
#[derive(Debug, Clone, Serialize)]
pub struct ScoreFigures {
    /// The column.
    pub name: String,
    /// The area under its ROC curve.
    pub auc: f64,
    /// Its interval.
    pub auc_interval: Interval,
    /// Below the corners of the curve only: what is attained without tossing coins.
    pub conservative_auc: f64,
    /// The mean precision over the recalls.
    pub average_precision: f64,
    /// The best point, as it was asked for.
    pub best: OperatingPoint,
    /// The point farthest above the diagonal.
    pub youden: OperatingPoint,
    /// False positive rate, true positive rate and threshold along the curve. Points that hardly
    /// differ from the one before are left out.
    pub curve: Vec<CurveStep>,
    /// The whole curve.
    #[serde(skip)]
    pub roc: Roc,
}

/// A point of a curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CurveStep {
    /// The false positive rate.
    pub fpr: f64,
    /// The true positive rate.
    pub tpr: f64,
    /// Rows that score at least this, or at most where low scores mean positive, are called so;
    /// none at the start, where no row is.
    pub threshold: Option<f64>,
}

/// Two columns of scores compared.
#[derive(Debug, Clone, Serialize)]
pub struct Pair {
    /// The first column.
    pub first: String,
    /// The second column.
    pub second: String,
    /// How their areas differ.
    #[serde(flatten)]
    pub found: Comparison,
    /// The p-value after Holm, for all pairs at once.
    pub p_adjusted: Option<f64>,
}

impl RocReport {
    /// Judges all columns of scores.
    pub fn new(table: &ScoreTable, asked: &Question) -> Result<Self> {
        let weights = table.weights.as_deref();
        let clusters = table.clusters.as_ref();
        let clusters = clusters.map(|of| Clusters::of_rows(&table.truth, of, weights));
        let clusters = clusters.transpose()?;
        // Every column is sorted once.
        let orders = table.columns.iter().map(|(_, s)| Order::new(&table.truth, s, weights));
        let orders: Vec<Order> = orders.collect::<Result<_>>()?;
        let areas = Areas::of_orders(&orders, table.clusters.as_deref())?;
        let (mut scores, mut totals) = (Vec::new(), (0.0, 0.0));
        let mut under = Conditions::new(asked.cost_fp, asked.cost_fn, asked.prior.unwrap_or(0.5))?;
        for (((name, column), order), area) in table.columns.iter().zip(&orders).zip(areas.each()) {
            let ranking = order.ranking(None)?;
            totals = (ranking.positives(), ranking.negatives());
            under.prior = asked.prior.unwrap_or_else(|| ranking.prior());
            let truth = &table.truth;
            let clustered = clusters.as_ref().map(|clusters| Clustered {
                clusters,
                truth,
                scores: column,
                weights,
            });
            let (level, turned) = (asked.level, table.turned);
            let reader = Reader { ranking: &ranking, under, level, turned, clustered };
            let interval = area.interval(asked.level)?;
            scores.push(ScoreFigures::new(name, &reader, interval, asked)?);
        }
        let clusters = clusters.map(|clusters| Grouped {
            count: clusters.count(),
            with_positives: clusters.holding().0 as usize,
            with_negatives: clusters.holding().1 as usize,
        });
        Ok(Self {
            report: VERSION,
            truth: table.target.clone(),
            positive: table.positive.clone(),
            others: table.others.clone(),
            rows: table.truth.len(),
            weighted: weights.is_some(),
            positives: totals.0,
            negatives: totals.1,
            level: asked.level,
            conditions: under,
            lower: table.turned,
            chosen_by: asked.criterion.chosen_by(),
            intervals: if clusters.is_some() { "obuchowski-logit" } else { "delong-logit" },
            remarks: remarks(&scores, &table.positive, clusters.as_ref()),
            comparisons: pairs(&scores, &areas, asked.level)?,
            clusters,
            scores,
        })
    }

    /// The score that is best at its chosen point: it costs least, or where one rate was asked
    /// for it has the better other rate; among equals the better rate that was asked for.
    pub fn best(&self) -> Option<&ScoreFigures> {
        let order = |a: &ScoreFigures, b: &ScoreFigures| {
            let (found, alarms) =
                (b.best.tpr.total_cmp(&a.best.tpr), a.best.fpr.total_cmp(&b.best.fpr));
            let first = match self.chosen_by {
                "max-fpr" => found.then(alarms),
                "min-tpr" => alarms.then(found),
                _ => a.best.expected_cost.total_cmp(&b.best.expected_cost),
            };
            first.then(b.auc.total_cmp(&a.auc))
        };
        // The first one among equals.
        self.scores.iter().reduce(|best, next| match order(next, best) {
            Ordering::Less => next,
            _ => best,
        })
    }
}

impl Criterion {
    /// One word for it.
    pub fn chosen_by(&self) -> &'static str {
        match self {
            Self::MaxFpr(_) => "max-fpr",
            Self::MinTpr(_) => "min-tpr",
            Self::Given | Self::Cost(_) => "cost",
        }
    }

    /// The best point of a curve; costs count where no rate was asked for.
    pub fn best(&self, roc: &Roc, under: &Conditions) -> Result<Point> {
        match self {
            Self::MaxFpr(cap) => roc.with_fpr_at_most(*cap),
            Self::MinTpr(floor) => roc.with_tpr_at_least(*floor),
            Self::Cost(own) => Ok(roc.best(own)),
            Self::Given => Ok(roc.best(under)),
        }
    }
}

impl ScoreFigures {
    fn new(
        name: &str,
        reader: &Reader<'_>,
        auc_interval: Interval,
        asked: &Question,
    ) -> Result<Self> {
        let roc = Roc::from(reader.ranking);
        Ok(Self {
            name: name.to_owned(),
            auc: roc.auc(),
            auc_interval,
            conservative_auc: roc.conservative_auc(),
            average_precision: PrecisionRecall::from(reader.ranking).average_precision(),
            best: reader.at(asked.criterion.best(&roc, &reader.under)?)?,
            youden: reader.at(roc.youden())?,
            curve: steps(&roc, reader.turned),
            roc,
        })
    }
}

/// The points of a curve that differ from the one kept before.
fn steps(roc: &Roc, turned: bool) -> Vec<CurveStep> {
    let (points, mut kept) = (roc.points(), Vec::<CurveStep>::new());
    for (at, point) in points.iter().enumerate() {
        let far = kept.last().is_none_or(|last| {
            (point.fpr - last.fpr).abs() >= STEP || (point.tpr - last.tpr).abs() >= STEP
        });
        if far || at + 1 == points.len() {
            let threshold = if turned { -point.threshold } else { point.threshold };
            let threshold = Some(threshold).filter(|threshold| threshold.is_finite());
            kept.push(CurveStep { fpr: point.fpr, tpr: point.tpr, threshold });
        }
    }
    kept
}

/// Every pair of columns; the p-values are adjusted for their number.
fn pairs(scores: &[ScoreFigures], areas: &Areas, level: f64) -> Result<Vec<Pair>> {
    let all = (0..scores.len()).flat_map(|i| (i + 1..scores.len()).map(move |j| (i, j)));
    let pair = |(i, j): (usize, usize)| {
        let (first, second) = (scores[i].name.clone(), scores[j].name.clone());
        Ok(Pair { first, second, found: areas.compare(i, j, level)?, p_adjusted: None })
    };
    let mut pairs: Vec<Pair> = all.map(pair).collect::<Result<_>>()?;
    let known: Vec<f64> = pairs.iter().filter_map(|pair| pair.found.p_value).collect();
    let mut raised = holm(&known)?.into_iter();
    for pair in pairs.iter_mut().filter(|pair| pair.found.p_value.is_some()) {
        pair.p_adjusted = raised.next();
    }
    Ok(pairs)
}

/// Scores that point the wrong way, and clusters that are few.
fn remarks(scores: &[ScoreFigures], positive: &str, clusters: Option<&Grouped>) -> Vec<Remark> {
    let wrong = scores.iter().filter(|figures| figures.auc_interval.high < 0.5);
    let mut remarks: Vec<Remark> = wrong
        .map(|figures| {
            let (score, positive) = (figures.name.clone(), positive.to_owned());
            Noticed::RanksBelow { score, positive, auc: figures.auc }.into()
        })
        .collect();
    if let Some(&Grouped { count: clusters, with_positives, with_negatives }) = clusters
        && (clusters < FEW_CLUSTERS || with_positives.min(with_negatives) < FEW_WITH_A_CLASS)
    {
        remarks.push(Noticed::FewClusters { clusters, with_positives, with_negatives }.into());
    }
    remarks
}

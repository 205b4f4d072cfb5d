//! The figures of one method on one data set: over all rows of a repeat, and fold by fold.

use super::metric::Metric;
use crate::error::Result;
use crate::judge::{Judged, Said};
use crate::measure::significance::Better;
use crate::measure::{
    Interval, Judgement, LEVEL, Ranking, Regression, Roc, brier_of, log2_of, mean_interval, wilson,
};
use crate::num::t_quantile_above;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;

/// What a method is worth by one metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricReport {
    /// The mean over the repeats of the figure of all rows of a repeat.
    pub value: f64,
    /// Its interval, where there is one: the mean over the repeats, for judging rows again does not
    /// make them more. Where `by_folds`, from the spread of the folds with the error corrected for
    /// training rows that folds share.
    pub interval: Option<Interval>,
    /// Whether the interval comes from the folds and not from the rows.
    pub by_folds: bool,
    /// The rank among the methods of the set: 1 is best, equal ones share the mean of theirs.
    pub rank: Option<f64>,
    /// The figure of every fold of the repeats that count, in order; nothing where a fold has none,
    /// such as an area where its rows are of one class.
    pub folds: Vec<Option<f64>>,
}

/// A figure and its interval.
type Value = (f64, Option<Interval>);

/// The figures of judged rows that stand fold after fold; `ends` says where each fold ends, and
/// `per_repeat` of them make a repeat.
pub(super) fn figures(
    judged: &Judged,
    ends: &[usize],
    per_repeat: usize,
) -> Result<BTreeMap<Metric, MetricReport>> {
    let start = |fold: usize| if fold == 0 { 0 } else { ends[fold - 1] };
    let folds: Vec<BTreeMap<Metric, Value>> = (0..ends.len())
        .map(|fold| figures_of(judged, start(fold)..ends[fold], false))
        .collect::<Result<_>>()?;
    let repeats: Vec<BTreeMap<Metric, Value>> = (0..ends.len() / per_repeat.max(1))
        .map(|repeat| {
            let (first, last) = (repeat * per_repeat, (repeat + 1) * per_repeat - 1);
            figures_of(judged, start(first)..ends[last], true)
        })
        .collect::<Result<_>>()?;
    let mut all = BTreeMap::new();
    let known = repeats.first().into_iter().flat_map(BTreeMap::keys).copied();
    for metric in known {
        let each: Option<Vec<Value>> = repeats.iter().map(|of| of.get(&metric).copied()).collect();
        let Some(each) = each else { continue };
        let folds: Vec<Option<f64>> =
            folds.iter().map(|of| of.get(&metric).map(|(value, _)| *value)).collect();
        let n = each.len() as f64;
        let value = each.iter().map(|(value, _)| value).sum::<f64>() / n;
        let intervals: Option<Vec<Interval>> = each.iter().map(|(_, interval)| *interval).collect();
        let interval = intervals.map(|of| Interval {
            low: of.iter().map(|interval| interval.low).sum::<f64>() / n,
            high: of.iter().map(|interval| interval.high).sum::<f64>() / n,
            level: LEVEL,
        });
        let by_folds = interval.is_none();
        let interval = interval.or_else(|| of_folds(value, &folds, per_repeat));
        let rank = None;
        all.insert(metric, MetricReport { value, interval, by_folds, rank, folds });
    }
    Ok(all)
}

/// An interval from the spread of folds, with the error of the corrected resampled t test.
fn of_folds(value: f64, folds: &[Option<f64>], per_repeat: usize) -> Option<Interval> {
    let known: Vec<f64> = folds.iter().copied().collect::<Option<_>>()?;
    let n = known.len() as f64;
    if per_repeat < 2 {
        return None;
    }
    let mean = known.iter().sum::<f64>() / n;
    let squares: f64 = known.iter().map(|fold| (fold - mean).powi(2)).sum();
    let error = ((1.0 / n + 1.0 / (per_repeat - 1) as f64) * squares / (n - 1.0)).sqrt();
    let half = t_quantile_above(f64::midpoint(1.0, -LEVEL), n - 1.0) * error;
    // Neither an area nor a share of variance is above 1.
    let high = (value + half).min(1.0);
    Some(Interval { low: value - half, high, level: LEVEL }).filter(|of| of.low.is_finite())
}

/// The figures of some of the judged rows; those that there are not for these rows are left out.
fn figures_of(
    judged: &Judged,
    rows: Range<usize>,
    intervals: bool,
) -> Result<BTreeMap<Metric, Value>> {
    let weights = judged.weights.as_ref().map(|weights| &weights[rows.clone()]);
    // Rows without any weight say nothing.
    if weights.is_some_and(|weights| weights.iter().all(|weight| *weight == 0.0)) {
        return Ok(BTreeMap::new());
    }
    match &judged.said {
        Said::Numbers { truth, predicted } => {
            let (truth, predicted) = (&truth[rows.clone()], &predicted[rows]);
            of_numbers(truth, predicted, weights, intervals)
        }
        Said::Classes(said) => {
            let k = said.classes.len();
            let proba = &said.proba[rows.start * k..rows.end * k];
            let (labels, calls) = (&said.labels[rows.clone()], &said.calls[rows]);
            let of = Called { labels, proba, calls, k, positive: said.classes.positive(), weights };
            of.figures(intervals)
        }
    }
}

/// Rows with their probabilities and calls.
struct Called<'a> {
    labels: &'a [u32],
    proba: &'a [f64],
    calls: &'a [u32],
    k: usize,
    positive: usize,
    weights: Option<&'a [f64]>,
}

impl Called<'_> {
    fn figures(&self, intervals: bool) -> Result<BTreeMap<Metric, Value>> {
        let Self { labels, proba, calls, k, positive, weights } = *self;
        let judged = Judgement::of_calls(labels, proba, calls, k, positive, weights)?;
        let mut all = BTreeMap::new();
        if let Some(auc) = judged.auc {
            all.insert(Metric::Auc, (auc, judged.auc_interval));
        }
        all.insert(Metric::Accuracy, (judged.accuracy, Some(judged.accuracy_interval)));
        let of_rows = |of: fn(&[f64], u32) -> f64| {
            let rows = proba.chunks_exact(k).zip(labels);
            let rows: Vec<f64> = rows.map(|(proba, label)| of(proba, *label)).collect();
            mean_interval(&rows, weights, LEVEL).ok()
        };
        // Means of rows cannot leave the side of 0 that every row is on.
        let bits = intervals.then(|| of_rows(log2_of)).flatten();
        let bits = bits.map(|of| Interval { high: of.high.min(0.0), ..of });
        let brier = intervals.then(|| of_rows(brier_of)).flatten();
        let brier = brier.map(|of| Interval { low: of.low.max(0.0), ..of });
        all.insert(Metric::Log2Likelihood, (judged.log2_likelihood, bits));
        all.insert(Metric::Brier, (judged.brier, brier));
        if k == 2 && judged.auc.is_some() {
            self.found(&mut all)?;
        }
        Ok(all)
    }

    /// What is found with few false alarms.
    fn found(&self, all: &mut BTreeMap<Metric, Value>) -> Result<()> {
        let truth: Vec<bool> = self.labels.iter().map(|&l| l as usize == self.positive).collect();
        let scores: Vec<f64> = self.proba.chunks_exact(2).map(|p| p[self.positive]).collect();
        let ranking = Ranking::new(&truth, &scores, self.weights)?;
        let roc = Roc::from(&ranking);
        let (positives, _) = ranking.effective();
        for metric in [Metric::TprAt5, Metric::TprAt10] {
            let Some(cap) = metric.cap() else { continue };
            let tpr = roc.with_fpr_at_most(cap)?.tpr.clamp(0.0, 1.0);
            all.insert(metric, (tpr, Some(wilson(tpr * positives, positives, LEVEL)?)));
        }
        Ok(())
    }
}

fn of_numbers(
    truth: &[f64],
    predicted: &[f64],
    weights: Option<&[f64]>,
    intervals: bool,
) -> Result<BTreeMap<Metric, Value>> {
    let judged = Regression::new(truth, predicted, weights)?;
    let errors = |of: fn(f64) -> f64| {
        let each: Vec<f64> = truth.iter().zip(predicted).map(|(t, p)| of(t - p)).collect();
        let of = mean_interval(&each, weights, LEVEL).ok().filter(|_| intervals);
        of.map(|of| Interval { low: of.low.max(0.0), ..of }).filter(|of| of.high.is_finite())
    };
    let root = |of: Interval| Interval { low: of.low.sqrt(), high: of.high.sqrt(), ..of };
    let mut all = BTreeMap::new();
    all.insert(Metric::Rmse, (judged.rmse, errors(|error| error * error).map(root)));
    all.insert(Metric::Mae, (judged.mae, errors(f64::abs)));
    if let Some(r2) = judged.r2 {
        all.insert(Metric::R2, (r2, None));
    }
    Ok(all)
}

/// The ranks of values, nothing for those that are missing.
pub(super) fn ranks(values: &[Option<f64>], better: Better) -> Vec<Option<f64>> {
    let before = |a: f64, b: f64| match better {
        Better::Higher => a > b,
        Better::Lower => a < b,
    };
    let rank = |value: f64| {
        let others = values.iter().flatten();
        let (ahead, equal) = others.fold((0.0, 0.0), |(ahead, equal), &other| {
            (ahead + f64::from(before(other, value)), equal + f64::from(other == value))
        });
        1.0 + ahead + (equal - 1.0) / 2.0
    };
    values.iter().map(|value| value.map(rank)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_their_ranks_and_missing_ones_have_none() {
        let values = [Some(0.9), None, Some(0.8), Some(0.9), Some(0.1)];
        let high = ranks(&values, Better::Higher);
        assert_eq!(high, [Some(1.5), None, Some(3.0), Some(1.5), Some(4.0)]);
        let low = ranks(&values, Better::Lower);
        assert_eq!(low, [Some(3.5), None, Some(2.0), Some(3.5), Some(1.0)]);
    }

    #[test]
    fn an_interval_of_folds_has_the_corrected_error() {
        // Four folds of one repeat: (1/4 + 1/3) s^2, s^2 = 0.02/3, t(0.975, 3) = 3.1824.
        let folds = [Some(0.6), Some(0.7), Some(0.8), Some(0.7)];
        let of = of_folds(0.7, &folds, 4).unwrap();
        let half = 3.182_446 * ((0.25 + 1.0 / 3.0) * 0.02 / 3.0_f64).sqrt();
        assert!((of.low - (0.7 - half)).abs() < 1e-6 && (of.high - (0.7 + half)).abs() < 1e-6);
        assert!(of_folds(0.7, &[Some(0.5), None], 2).is_none());
    }
}

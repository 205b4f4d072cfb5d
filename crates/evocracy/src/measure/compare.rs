//! Areas under several ROC curves, of the same rows or of different ones, compared.
//!
//! E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson, Biometrics 44 (1988) 837-845, with the
//! components of all rows read from one sort per score (X. Sun, W. Xu, "Fast implementation of
//! DeLong's algorithm", IEEE Signal Processing Letters 21 (2014) 1389-1393). For rows in clusters
//! N. A. Obuchowski, "Nonparametric analysis of clustered ROC curve data", Biometrics 53 (1997)
//! 567-578.

use super::check::{self, Weights};
use super::clusters::Clusters;
use super::delong::{Delong, NO_VARIANCE};
use super::interval::{Interval, deviations};
use super::order::Order;
use super::split::both_classes;
use crate::error::{Error, Result};
use crate::num::{normal_tail, t_tail};
use serde::Serialize;
use std::borrow::Cow;
use std::ops::Range;

/// The areas of several scores of the same rows, with their covariances.
#[derive(Debug, Clone, PartialEq)]
pub struct Areas {
    each: Vec<Delong>,
    /// Row-major; `None` where a class has a single (effective) row.
    covariance: Option<Vec<f64>>,
}

/// The difference of two areas.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Comparison {
    /// The first area less the second.
    pub difference: f64,
    /// The difference in units of its standard deviation; `None` where that is unknown or 0.
    pub statistic: Option<f64>,
    /// Degrees of freedom, where the statistic is judged by Student's t instead of the normal.
    pub freedom: Option<f64>,
    /// The chance of so large a difference, either way, if the areas were equal. 1 where the
    /// areas are equal and do not vary; `None` where they differ and nothing is known of how
    /// they vary.
    pub p_value: Option<f64>,
    /// A confidence interval of the difference, within -1 and 1.
    pub interval: Interval,
}

impl Areas {
    /// Ranks the rows by each of the scores.
    pub fn new(truth: &[bool], scores: &[&[f64]], weights: Option<&[f64]>) -> Result<Self> {
        let orders = scores.iter().map(|s| Order::new(truth, s, weights).map(Cow::Owned));
        Self::of((truth, weights), orders, None)
    }

    /// The same for rows in clusters, as several of a patient: it is clusters that are
    /// independent. `clusters` names the cluster of every row.
    pub fn clustered(
        truth: &[bool],
        scores: &[&[f64]],
        weights: Option<&[f64]>,
        clusters: &[u32],
    ) -> Result<Self> {
        let orders = scores.iter().map(|s| Order::new(truth, s, weights).map(Cow::Owned));
        Self::of((truth, weights), orders, Some(clusters))
    }

    /// As [`Areas::new`], or with clusters [`Areas::clustered`], of the same rows in the orders of
    /// several scores: nothing is sorted again.
    pub fn of_orders(orders: &[Order], clusters: Option<&[u32]>) -> Result<Self> {
        let Some(first) = orders.first() else {
            return Ok(Self { each: Vec::new(), covariance: None });
        };
        let (truth, weights) = first.by_row();
        if orders.iter().any(|order| !order.is_of(&truth, weights.as_deref())) {
            return Err(Error::unsuitable(
                "the orders are not of the same rows",
                "order the same rows with the same weights by each of the scores",
            ));
        }
        let orders = orders.iter().map(|order| Ok(Cow::Borrowed(order)));
        Self::of((&truth, weights.as_deref()), orders, clusters)
    }

    fn of<'o>(
        (truth, weights): (&[bool], Option<&[f64]>),
        orders: impl Iterator<Item = Result<Cow<'o, Order>>>,
        clusters: Option<&[u32]>,
    ) -> Result<Self> {
        let classes = Classes::new(truth, Weights::new(weights, truth.len())?.in_reach()?)?;
        let clusters = clusters.map(|of| Clusters::new(truth, classes.weights, of)).transpose()?;
        let units = clusters.as_ref().map_or(classes.effective, Clusters::holding);
        let covariance_of = |a: &[f64], b: &[f64]| match &clusters {
            None => classes.covariance(a, b),
            Some(clusters) => clusters.covariance(&classes, a, b),
        };
        let (mut areas, mut deviations) = (Vec::new(), Vec::new());
        for order in orders {
            let (auc, of_rows) = classes.components(&*order?);
            areas.push(auc);
            deviations.push(of_rows);
        }
        let k = areas.len();
        let mut covariance = vec![0.0; k * k];
        for i in 0..k {
            for j in i..k {
                let found = covariance_of(&deviations[i], &deviations[j]);
                (covariance[i * k + j], covariance[j * k + i]) = (found, found);
            }
        }
        let known = units.0 > 1.0 && units.1 > 1.0;
        let covariance = known.then_some(covariance);
        let variance = |i: usize| covariance.as_ref().map(|c| c[i * k + i]);
        let each = areas.iter().enumerate();
        let each = each.map(|(i, &auc)| Delong::from_parts(auc, variance(i), units));
        Ok(Self { each: each.collect(), covariance })
    }

    /// The areas, each with its variance, in the order of the scores.
    pub fn each(&self) -> &[Delong] {
        &self.each
    }

    /// The covariance of two areas; `None` where a class has a single row, or for others.
    pub fn covariance(&self, first: usize, second: usize) -> Option<f64> {
        let k = self.each.len();
        let inside = first < k && second < k;
        self.covariance.as_ref().filter(|_| inside).map(|c| c[first * k + second])
    }

    /// DeLong's paired test of two of the areas.
    pub fn compare(&self, first: usize, second: usize, level: f64) -> Result<Comparison> {
        let k = self.each.len();
        if first >= k || second >= k {
            return Err(Error::unsuitable(
                format!("there are {k} scores, not {}", first.max(second) + 1),
                "compare scores that were ranked",
            ));
        }
        let [a, b] = [&self.each[first], &self.each[second]];
        let variance = self.covariance.as_ref().map(|c| {
            let sum = c[first * k + first] + c[second * k + second];
            let found = sum - 2.0 * c[first * k + second];
            // What is left of two equal rankings is rounding.
            if found > 1e-14 * sum { found } else { 0.0 }
        });
        compare(a, b, variance, None, level)
    }
}

/// The test of two areas of different rows.
///
/// The statistic is judged by Student's t with Welch and Satterthwaite's degrees of freedom, as
/// in R's pROC.
pub fn unpaired(first: &Delong, second: &Delong, level: f64) -> Result<Comparison> {
    let both = first.variance().zip(second.variance());
    let freedom = both.map(|(a, b)| {
        let part = |v: f64, of: &Delong| v * v / (of.rows() - 1.0);
        (a + b).powi(2) / (part(a, first) + part(b, second))
    });
    compare(first, second, both.map(|(a, b)| a + b), freedom, level)
}

fn compare(
    first: &Delong,
    second: &Delong,
    variance: Option<f64>,
    freedom: Option<f64>,
    level: f64,
) -> Result<Comparison> {
    let z = deviations(level)?;
    let difference = first.auc() - second.auc();
    if let Some(variance) = variance.filter(|&v| v > NO_VARIANCE) {
        let statistic = difference / variance.sqrt();
        let beyond = freedom.map_or_else(
            || normal_tail(statistic.abs()),
            |freedom| t_tail(statistic.abs(), freedom),
        );
        let half = z * variance.sqrt();
        let (low, high) = ((difference - half).max(-1.0), (difference + half).min(1.0));
        let (statistic, p_value) = (Some(statistic), Some((2.0 * beyond).min(1.0)));
        let interval = Interval { low, high, level };
        return Ok(Comparison { difference, statistic, freedom, p_value, interval });
    }
    let interval = recovered(first, second, level)?;
    let p_value = (variance.is_some() && difference == 0.0).then_some(1.0);
    Ok(Comparison { difference, statistic: None, freedom: None, p_value, interval })
}

/// An interval of the difference from those of the two areas, as if they were independent, so
/// that there is a width even where nothing was seen to vary (G. Y. Zou, A. Donner, Statistics
/// in Medicine 27 (2008) 1693-1702).
fn recovered(first: &Delong, second: &Delong, level: f64) -> Result<Interval> {
    let (a, b) = (first.interval(level)?, second.interval(level)?);
    let difference = first.auc() - second.auc();
    let down = (first.auc() - a.low).hypot(b.high - second.auc());
    let up = (a.high - first.auc()).hypot(second.auc() - b.low);
    Ok(Interval { low: (difference - down).max(-1.0), high: (difference + up).min(1.0), level })
}

/// What all scores share.
pub(super) struct Classes<'a> {
    pub(super) truth: &'a [bool],
    pub(super) weights: Weights<'a>,
    /// The weights of positives and of negatives.
    pub(super) totals: (f64, f64),
    effective: (f64, f64),
}

impl<'a> Classes<'a> {
    fn new(truth: &'a [bool], weights: Weights<'a>) -> Result<Self> {
        let positives = truth.iter().filter(|t| **t).count();
        let mut totals = (positives as f64, (truth.len() - positives) as f64);
        let mut effective = totals;
        if !weights.are_equal() {
            let of = |class: bool| {
                let rows = (0..truth.len()).filter(move |&row| truth[row] == class);
                rows.map(move |row| weights.of(row))
            };
            totals = (of(true).sum(), of(false).sum());
            effective = (check::effective(of(true)), check::effective(of(false)));
        }
        both_classes(totals.0 > 0.0, totals.1 > 0.0)?;
        Ok(Self { truth, weights, totals, effective })
    }

    /// The area, and for every row how far its component is from the area.
    fn components(&self, order: &Order) -> (f64, Vec<f64>) {
        let Order { rows, ends, positive, .. } = order;
        // Calls back with the places of each group and its positive and negative weight.
        let each_group = |each: &mut dyn FnMut(Range<usize>, f64, f64)| {
            let mut start = 0;
            for &end in ends {
                let places = start..end as usize;
                let (mut p, mut n) = (0.0, 0.0);
                for at in places.clone() {
                    let weight = order.weight(at);
                    let is = f64::from(positive[at]);
                    p += weight * is;
                    n += weight * (1.0 - is);
                }
                start = end as usize;
                each(places, p, n);
            }
        };
        let (m, n) = self.totals;
        let (mut above, mut area) = (0.0, 0.0);
        each_group(&mut |_, p, n| {
            area += n * (above + p / 2.0);
            above += p;
        });
        let auc = (area / (m * n)).clamp(0.0, 1.0);
        let mut deviations = vec![0.0; rows.len()];
        let mut above = (0.0, 0.0);
        each_group(&mut |places, p, q| {
            let of = [(above.0 + p / 2.0) / m - auc, (n - above.1 - q / 2.0) / n - auc];
            for at in places {
                deviations[rows[at] as usize] = of[usize::from(positive[at])];
            }
            above = (above.0 + p, above.1 + q);
        });
        (auc, deviations)
    }

    /// The covariance of two areas, from the mean products of deviations in each class:
    /// `1 / (m - 1)` makes them variances of means.
    fn covariance(&self, first: &[f64], second: &[f64]) -> f64 {
        let (mut positive, mut negative) = (0.0, 0.0);
        for (row, (&a, &b)) in first.iter().zip(second).enumerate() {
            let product = self.weights.of(row) * a * b;
            let is = f64::from(self.truth[row]);
            positive += product * is;
            negative += product * (1.0 - is);
        }
        let (m, n) = self.effective;
        positive / self.totals.0 / (m - 1.0) + negative / self.totals.1 / (n - 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::LEVEL;

    #[test]
    fn scores_that_never_vary_are_not_called_certain() {
        let truth = [true, true, true, false, false, false];
        let (up, down) = ([6.0, 5.0, 4.0, 3.0, 2.0, 1.0], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let areas = Areas::new(&truth, &[&up, &down, &up], None).unwrap();
        let same = areas.compare(0, 2, LEVEL).unwrap();
        assert_eq!((same.difference, same.p_value, same.statistic), (0.0, Some(1.0), None));
        assert!(same.interval.low < -0.2 && same.interval.high > 0.2);
        let apart = areas.compare(0, 1, LEVEL).unwrap();
        assert_eq!((apart.difference, apart.p_value), (1.0, None));
        assert!(apart.interval.low < 0.5 && apart.interval.high == 1.0);
        assert!(areas.compare(0, 3, LEVEL).is_err() && areas.covariance(3, 0).is_none());
    }

    #[test]
    fn one_positive_row_gives_an_interval_but_no_test() {
        let truth = [true, false, false];
        let areas = Areas::new(&truth, &[&[0.5, 0.7, 0.1], &[0.9, 0.2, 0.1]], None).unwrap();
        let found = areas.compare(0, 1, LEVEL).unwrap();
        assert_eq!((found.difference, found.p_value), (-0.5, None));
        let apart = unpaired(&areas.each()[0], &areas.each()[1], LEVEL).unwrap();
        assert_eq!((apart.difference, apart.p_value, apart.freedom), (-0.5, None, None));
    }

    #[test]
    fn bad_input_is_refused() {
        assert!(Areas::new(&[true, false], &[&[0.5]], None).is_err());
        assert!(Areas::new(&[true, true], &[&[0.5, 0.1]], None).is_err());
        assert!(Areas::new(&[true, false], &[&[0.5, f64::NAN]], None).is_err());
        assert!(Areas::new(&[true, false], &[&[0.5, 0.1]], Some(&[1.0, 0.0])).is_err());
        let order = |truth: &[bool]| Order::new(truth, &[0.5, 0.1, 0.2], None).unwrap();
        let others = [order(&[true, false, true]), order(&[true, false, false])];
        assert!(Areas::of_orders(&others, None).is_err());
    }
}

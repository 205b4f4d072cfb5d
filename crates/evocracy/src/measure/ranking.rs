//! Rows in the order of their scores: the one sort behind the ROC curve, its area and the
//! variance of that area.

use super::check;
use super::order::Order;
use super::split::{Split, both_classes};
use crate::error::Result;

/// The rows that share one score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Group {
    /// The score.
    pub score: f64,
    /// The weight of its positive rows.
    pub positive: f64,
    /// The weight of its negative rows.
    pub negative: f64,
}

/// Positive and negative weight by score, from the highest score to the lowest.
///
/// Rows with equal scores form one group, so nothing downstream can depend on the order of
/// ties. Both classes have weight. Rows of weight 0 leave no trace.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    groups: Vec<Group>,
    positives: f64,
    negatives: f64,
    effective: (f64, f64),
}

/// One row to be ranked.
#[derive(Debug, Clone, Copy)]
pub(super) struct ScoredRow {
    pub(super) score: f64,
    pub(super) positive: bool,
    pub(super) weight: f64,
}

impl Ranking {
    /// Sorts the rows. Scores may be infinite but not NaN, and both classes must occur.
    pub fn new(truth: &[bool], scores: &[f64], weights: Option<&[f64]>) -> Result<Self> {
        if weights.is_some() {
            return Order::new(truth, scores, weights)?.ranking(None);
        }
        Self::unweighted(&Split::checked(truth, scores)?)
    }

    /// Sorts rows whose weights are known to be good.
    pub(super) fn of(items: &[ScoredRow]) -> Result<Self> {
        let scores: Vec<f64> = items.iter().map(|i| i.score).collect();
        check::numbers(&scores)?;
        if items.iter().all(|i| i.weight == 1.0) {
            return Self::unweighted(&Split::new(items.iter().map(|i| (i.positive, i.score))));
        }
        let truth: Vec<bool> = items.iter().map(|i| i.positive).collect();
        let weights: Vec<f64> = items.iter().map(|i| i.weight).collect();
        Order::new(&truth, &scores, Some(&weights))?.ranking(None)
    }

    fn unweighted(split: &Split) -> Result<Self> {
        let mut groups = Vec::with_capacity(split.rows());
        split.each_group(|group| groups.push(group));
        let (positives, negatives) = split.classes();
        Self::from_groups(groups, (positives as f64, negatives as f64))
    }

    /// From groups of falling score that all have weight, and the effective numbers of rows.
    pub(super) fn from_groups(groups: Vec<Group>, effective: (f64, f64)) -> Result<Self> {
        let (mut positives, mut negatives) = (0.0, 0.0);
        for g in &groups {
            positives += g.positive;
            negatives += g.negative;
        }
        both_classes(positives > 0.0, negatives > 0.0)?;
        Ok(Self { groups, positives, negatives, effective })
    }

    /// The share of positives among the rows.
    pub fn prior(&self) -> f64 {
        self.positives / (self.positives + self.negatives)
    }

    /// The distinct scores, the highest first.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The weight of the positive rows, above 0.
    pub fn positives(&self) -> f64 {
        self.positives
    }

    /// The weight of the negative rows, above 0.
    pub fn negatives(&self) -> f64 {
        self.negatives
    }

    /// The effective numbers of positive and of negative rows: the plain numbers where all
    /// weights are equal, less otherwise.
    pub fn effective(&self) -> (f64, f64) {
        self.effective
    }

    /// The area under the ROC curve by the trapezium rule, which is the chance that a positive
    /// row scores above a negative one, ties counting one half (Mann-Whitney).
    pub fn auc(&self) -> f64 {
        // Counts rather than rates: without weights every term is exact.
        let (mut above, mut area) = (0.0, 0.0);
        for g in &self.groups {
            area += g.negative * (above + g.positive / 2.0);
            above += g.positive;
        }
        (area / (self.positives * self.negatives)).clamp(0.0, 1.0)
    }
}

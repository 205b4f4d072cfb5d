//! Rows in the order of their scores: the one sort behind the ROC curve, its area and the
//! variance of that area.

use super::check::{self, Weights};
use crate::error::{Error, Result};

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
pub(super) struct Item {
    pub(super) score: f64,
    pub(super) positive: bool,
    pub(super) weight: f64,
}

impl Ranking {
    /// Sorts the rows. Scores may be infinite but not NaN, and both classes must occur.
    pub fn new(truth: &[bool], scores: &[f64], weights: Option<&[f64]>) -> Result<Self> {
        check::same_length("scores", scores.len(), truth.len())?;
        let weights = Weights::new(weights, truth.len())?;
        let rows = truth.iter().zip(scores).enumerate();
        let items = rows.map(|(row, (&positive, &score))| {
            let weight = weights.of(row);
            Item { score, positive, weight }
        });
        Self::of(items.collect())
    }

    /// Sorts rows whose weights are known to be good.
    pub(super) fn of(mut items: Vec<Item>) -> Result<Self> {
        if let Some(row) = items.iter().position(|i| i.score.is_nan()) {
            return Err(Error::unsuitable(
                format!("row {} has no score (NaN)", row + 1),
                "leave out rows without a score, or give them the lowest one",
            ));
        }
        items.retain(|i| i.weight > 0.0);
        let of = |class: bool| items.iter().filter(move |i| i.positive == class).map(|i| i.weight);
        let effective = (check::effective(of(true)), check::effective(of(false)));
        // Stable, so that sums of weights come out the same on every platform and version.
        items.sort_by(|a, b| b.score.total_cmp(&a.score));
        let groups: Vec<Group> = items.chunk_by(|a, b| a.score == b.score).map(Group::of).collect();
        let positives = groups.iter().map(|g| g.positive).sum();
        let negatives = groups.iter().map(|g| g.negative).sum();
        if positives == 0.0 || negatives == 0.0 {
            let only = if positives == 0.0 { "negative" } else { "positive" };
            return Err(Error::unsuitable(
                format!("all rows are {only}, so there is nothing to rank them against"),
                "judge on rows of both classes",
            ));
        }
        Ok(Self { groups, positives, negatives, effective })
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

impl Group {
    fn of(items: &[Item]) -> Self {
        let mut group = Self { score: items[0].score, positive: 0.0, negative: 0.0 };
        for item in items {
            let side = if item.positive { &mut group.positive } else { &mut group.negative };
            *side += item.weight;
        }
        group
    }
}

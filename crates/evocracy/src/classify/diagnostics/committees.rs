//! What committees report.

use super::ColumnShare;
use crate::classify::Proba;
use crate::error::Result;
use crate::measure::{MarginSummary, brier, log2_likelihood};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How well rows are called by the members that did not see them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct OutOfBagFigures {
    /// How many rows with weight at least one member did not see.
    pub rows: usize,
    /// The share of them that is called wrongly.
    pub error: f64,
    /// The mean log2-likelihood of the truth.
    pub log2_likelihood: f64,
    /// The Brier score.
    pub brier: f64,
}

impl OutOfBagFigures {
    /// Judges the mean probabilities of each row by the members that did not see it, which are as
    /// many as `members` says; `None` where there are none for any row with weight.
    pub(crate) fn new(
        proba: &Proba,
        members: &[u32],
        labels: &[u32],
        weights: &[f64],
    ) -> Result<Option<Self>> {
        let counts = |row: &usize| members[*row] > 0 && weights[*row] > 0.0;
        let rows: Vec<usize> = (0..labels.len()).filter(counts).collect();
        if rows.is_empty() {
            return Ok(None);
        }
        let labels: Vec<u32> = rows.iter().map(|&row| labels[row]).collect();
        let weights: Vec<f64> = rows.iter().map(|&row| weights[row]).collect();
        let wrong = rows.iter().zip(&labels).zip(&weights);
        let wrong = wrong.filter(|((row, label), _)| proba.best(**row) != **label as usize);
        let wrong: f64 = wrong.map(|(_, weight)| weight).sum();
        let classes = proba.classes();
        let proba: Vec<f64> = rows.iter().flat_map(|&row| proba.row(row)).copied().collect();
        Ok(Some(Self {
            rows: rows.len(),
            error: wrong / weights.iter().sum::<f64>(),
            log2_likelihood: log2_likelihood(&labels, &proba, classes, Some(&weights))?,
            brier: brier(&labels, &proba, classes, Some(&weights))?,
        }))
    }
}

/// A point of a learning curve over the number of members.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// So many members, the first ones.
    pub members: usize,
    /// The share of the rows that they call wrongly, among rows that one of them did not see.
    pub error: f64,
}

/// How much each column matters, as the method measures it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Importances {
    /// In a committee of trees, in the order of the columns.
    Trees(Vec<TreeImportance>),
    /// The share of each column in the votes of rules, greatest first.
    Shares(Vec<ColumnShare>),
    /// What forgetting the tests of a column costs, in bits for each training row.
    Bits(BTreeMap<String, f64>),
}

/// How much a column matters to a committee of trees.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TreeImportance {
    /// The name of the column.
    pub column: String,
    /// Its share of the impurity that splits take away.
    pub impurity: f64,
    /// The accuracy lost on unseen rows when it is shuffled, where that was asked for.
    pub permutation: Option<f64>,
}

/// How a method did on the folds it was not trained on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemberError {
    /// The name of the method.
    pub method: String,
    /// The share of the rows that it calls wrongly.
    pub error: f64,
}

crate::choices! {
    /// How the weights of the rows reach the members of a boosted committee.
    pub enum Weighting {
        /// members learn from weighted rows
        Reweighting = "reweighting",
        /// members learn from rows drawn in proportion to their weights
        Resampling = "resampling",
    }
}

/// What happened in a round of boosting.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// The weighted error of the member, on the weights of its round.
    pub error: f64,
    /// The weight of the member's vote.
    pub vote: f64,
    /// The most that the training error of the committee can be; `None` where nothing is known
    /// (SAMME with three or more classes).
    pub bound: Option<f64>,
    /// The training error of the committee up to this round, by the given weights.
    pub training_error: f64,
    /// The least margin of a training row: the share of the votes for its class less that of the
    /// best other one.
    pub least_margin: f64,
    /// The mean margin, by the given weights.
    pub mean_margin: f64,
}

/// Why no further round of boosting was tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// All rounds were done.
    Rounds,
    /// The last member makes no error.
    Perfect,
    /// The next member would be no better than chance.
    Chance,
    /// The work was stopped.
    Stopped,
}

/// How the margins of the training rows are distributed at the end of boosting.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Margins {
    /// The smallest.
    pub least: f64,
    /// A quarter of the weight has at most this margin.
    pub lower_quartile: f64,
    /// Half of the weight has at most this margin.
    pub median: f64,
    /// Three quarters of the weight have at most this margin.
    pub upper_quartile: f64,
    /// The largest.
    pub greatest: f64,
}

impl Margins {
    pub(crate) fn new(margins: &[f64], weights: &[f64]) -> Result<Self> {
        let all = MarginSummary::new(margins, Some(weights))?;
        let MarginSummary { least, lower_quartile, median, upper_quartile, greatest, .. } = all;
        Ok(Self { least, lower_quartile, median, upper_quartile, greatest })
    }
}

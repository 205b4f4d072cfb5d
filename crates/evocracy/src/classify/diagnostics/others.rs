//! What kernel machines and rules report.

use serde::{Deserialize, Serialize};

/// A vector of a relevance vector machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RelevanceVector {
    /// What it multiplies.
    #[serde(flatten)]
    pub base: VectorBase,
    /// Its weight.
    pub weight: f64,
    /// The precision of its weight.
    pub alpha: f64,
}

/// What a weight of a relevance vector machine multiplies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum VectorBase {
    /// 1 everywhere.
    Bias {
        /// Always true.
        bias: bool,
    },
    /// An input.
    Column {
        /// Its name.
        column: String,
    },
    /// The kernel around a training row.
    Centre {
        /// The row's position in the training rows.
        row: usize,
        /// The width of the kernel.
        width: f64,
    },
}

/// The share of a column in the votes of rules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColumnShare {
    /// The name of the column.
    pub column: String,
    /// Its share.
    pub share: f64,
}

/// How the learning of rules went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RuleCurve {
    /// Over windows of rows.
    Windows(Vec<LearningWindow>),
    /// Over epochs of an evolutionary search.
    Epochs(Vec<SearchEpoch>),
}

/// Some rows that rules were learnt from one by one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LearningWindow {
    /// How many rows had been learnt from at its end.
    pub rows: u64,
    /// The share of its rows that were called wrongly before they were learnt from.
    pub error: f64,
    /// The share of its rows that needed covering.
    pub covered: f64,
    /// The mean log2-likelihood of its rows, before they were learnt from.
    pub log2: f64,
    /// How many rules there were at its end.
    pub rules: u64,
}

/// What is known after an epoch of the search for a mixture of rules.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SearchEpoch {
    /// What is maximised: the log-likelihood with priors and prices.
    pub objective: f64,
    /// The log2-likelihood of a training row.
    pub bits: f64,
    /// The share of wrong calls, or the mean squared error.
    pub error: f64,
    /// Rules beside the default.
    pub rules: usize,
}

/// How well the chains of sampled classifiers have mixed: figures of the worst level.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MixingFigures {
    /// How many levels were sampled.
    pub levels: usize,
    /// How many chains each level has.
    pub chains: usize,
    /// The share of proposals that were accepted.
    pub acceptance: f64,
    /// The least effective sample size of a level; `None` where chains are too short to tell.
    pub effective: Option<f64>,
    /// The greatest split R-hat of a level, below [`Self::MOST`] where chains have mixed; `None` where
    /// they have fewer than [`Self::LEAST`] samples each, too few to tell.
    pub r_hat: Option<f64>,
    /// How many chains did not move: all of their several samples are one.
    #[serde(default)]
    pub stuck: usize,
    /// The greatest autocorrelation of successive samples of a chain.
    #[serde(default)]
    pub autocorrelation: Option<f64>,
}

impl MixingFigures {
    /// An R-hat above this tells that chains have not mixed.
    pub const MOST: f64 = 1.2;

    /// An R-hat of chains with fewer samples tells nothing.
    pub const LEAST: usize = 20;
}

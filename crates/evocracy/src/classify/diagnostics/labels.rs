//! What combiners of labels report.

use serde::{Deserialize, Serialize};

/// What a combiner of labels found out about its experts.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct LabelReport {
    /// The way that combines, by the name of its method, or `blend`.
    pub way: String,
    /// The ways of a blend, the heaviest first; empty where it is none.
    #[serde(default)]
    pub blended: Vec<BlendedWay>,
    /// The ways that cannot learn from these rows, and why.
    #[serde(default)]
    pub left_out: Vec<LeftOutWay>,
    /// The ways that were tried on training rows that each did not learn from, best first: all
    /// that could have been chosen, or the one that was asked for; empty where that was not measured.
    #[serde(default)]
    pub compared: Vec<ComparedWay>,
    /// How many training rows were held out in turn, for the comparison and for what experts add;
    /// 0 where none were.
    #[serde(default)]
    pub judged_rows: usize,
    /// The experts in the order of their columns.
    pub experts: Vec<ExpertReport>,
    /// What depends on what, as pairs of names from parent to child, where the way finds that out.
    #[serde(default)]
    pub arcs: Vec<[String; 2]>,
    /// The way that found out what depends on what: the one that combines, or the heaviest of a blend
    /// that does. Its graph may have no arcs.
    #[serde(default)]
    pub arcs_of: Option<String>,
    /// Experts that are combined as if they copied one source, where the way looks for that.
    #[serde(default)]
    pub sources: Vec<Vec<CopiedExpert>>,
    /// For each arc the share of resampled tables in which it is found again; empty where that was not
    /// asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub confidence: Vec<f64>,
}

/// A way of a blend.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BlendedWay {
    /// The name of its method.
    pub way: String,
    /// By how much its log-probabilities are multiplied.
    pub weight: f64,
}

/// A way that could not be tried.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeftOutWay {
    /// The name of its method.
    pub way: String,
    /// What was in its way.
    pub why: String,
}

/// How a way did on training rows that it did not learn from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ComparedWay {
    /// The name of its method.
    pub way: String,
    /// The share of the rows that it calls rightly.
    pub accuracy: f64,
    /// The mean log2-likelihood of the truth.
    pub log2_likelihood: f64,
    /// By how much that is below the best one.
    pub behind: f64,
    /// The standard error of that difference.
    pub error: f64,
}

/// What is known of an expert.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExpertReport {
    /// The name of its column.
    pub name: String,
    /// The share of the training rows with a vote of it in which that is right; `None` where it
    /// has no vote.
    pub accuracy: Option<f64>,
    /// The share of the training rows in which it abstains.
    pub abstains: f64,
    /// Whether the combiner looks at what it says.
    pub relevant: bool,
    /// Bits a row of the truth's likelihood that are lost when it is silenced, on training rows that
    /// were held out; `None` where that was not measured.
    #[serde(default)]
    pub adds: Option<f64>,
    /// Whether nothing is lost without it: it is not looked at, adds nothing, or says what an
    /// earlier expert says.
    pub redundant: bool,
    /// The first expert before it that says the same in all training rows.
    #[serde(default)]
    pub same_as: Option<String>,
    /// What it says, as columns of `confusion`.
    pub says: Vec<String>,
    /// The weight of the training rows of each class (rows) of which it says each label (columns).
    pub confusion: Vec<Vec<f64>>,
}

/// An expert that may copy a source: whether it does is told by [`is_clear`](Self::is_clear).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CopiedExpert {
    /// The name of its column.
    pub name: String,
    /// How much of what it says is copied, if it has this source.
    pub copied: f64,
    /// How many nats more likely the training rows, held out in turn, find what the group says with
    /// it in the group than with it alone; 0 where that was not measured.
    #[serde(default)]
    pub gain: f64,
    /// The standard error of that sum.
    #[serde(default)]
    pub error: f64,
}

/// So many standard errors are more than the best of many groups gains by chance.
const CLEAR: f64 = 3.0;

impl CopiedExpert {
    /// Whether the gain is far above what chance does.
    pub fn is_clear(&self) -> bool {
        self.gain > CLEAR * self.error
    }
}

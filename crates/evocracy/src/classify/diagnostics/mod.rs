//! Diagnostics: what training found out about a model beside its predictions.
//!
//! One type for all methods, with a field for everything that some method reports. What a method
//! does not report is left out of the JSON; the names in the JSON are stable.

mod committees;
mod labels;
mod others;

pub use committees::{
    CurvePoint, Ended, Importances, Margins, MemberError, OutOfBagFigures, Round, TreeImportance,
    Weighting,
};
pub use labels::{BlendedWay, ComparedWay, CopiedExpert, ExpertReport, LabelReport, LeftOutWay};
pub use others::{
    ColumnShare, LearningWindow, MixingFigures, RelevanceVector, RuleCurve, SearchEpoch, VectorBase,
};

use crate::measure::diversity::Pair;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// Declares the fields: each is optional and left out where there is nothing to report.
macro_rules! diagnostics {
    ($( $(#[$meta:meta])+ $name:ident: $ty:ty, )+) => {
        /// What training found out about a model; each method reports its own part of it.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Diagnostics {
            $(
                $(#[$meta])+
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $name: Option<$ty>,
            )+
            /// The same for each class by its name, where a method learns a part for each class.
            #[serde(flatten, deserialize_with = "by_class")]
            pub by_class: BTreeMap<String, Diagnostics>,
        }
    };
}

diagnostics! {
    /// Committees: how well training rows are called by the members that did not see them.
    out_of_bag: OutOfBagFigures,
    /// Committees: how the error on rows that members did not see falls as members join.
    learning_curve: Vec<CurvePoint>,
    /// How much each column matters.
    importance: Importances,
    /// Committees: the error of each member's method on the folds it was not trained on.
    out_of_fold: Vec<MemberError>,
    /// Committees: every two members compared on the folds they were not trained on.
    diversity: Vec<Pair>,
    /// Committees: the members that take no weights and were given rows drawn by weight.
    resampled_by_weight: Vec<String>,
    /// Pruned committees: how many members there were to choose from.
    candidates: usize,
    /// Pruned committees: the mean log2-likelihood of all candidates together, on rows set aside.
    log2_likelihood_of_all: f64,
    /// Pruned committees: that of the chosen ones.
    log2_likelihood_of_chosen: f64,
    /// Output codes: how many bits the code words have.
    bits: usize,
    /// Output codes: the least number of bits in which two code words differ.
    least_distance: usize,
    /// Combiners of labels: what they found out about the experts.
    labels: LabelReport,
    /// Boosting: how the weights of the rows reach the members.
    weights_reach_members_by: Weighting,
    /// Boosting: the history.
    rounds: Vec<Round>,
    /// Boosting: why there are no more rounds.
    ended: Ended,
    /// Boosting: the margins of the training rows.
    margins: Margins,
    /// Sampled classifiers: how well the chains have mixed.
    mixing: MixingFigures,
    /// Relevance vectors: how many rows the bases were searched for on, where they were not all.
    searched_rows: u64,
    /// Relevance vectors: the width of the kernel.
    width: f64,
    /// Relevance vectors: the scale of each input, where scales are learnt.
    scales: BTreeMap<String, f64>,
    /// Relevance vectors: the standard deviation of the noise of numbers.
    noise: f64,
    /// Relevance vectors: the log evidence.
    evidence: f64,
    /// Relevance vectors: how the log evidence rose.
    evidence_curve: Vec<f64>,
    /// Relevance vectors: whether the search ended because nothing was left to gain.
    settled: bool,
    /// Relevance vectors: the sum of `1 / (1 + alpha)` over the vectors.
    complexity: f64,
    /// Relevance vectors: all of them.
    vectors: Vec<RelevanceVector>,
    /// Rules: how many rows were learnt from, repeated ones counted each time.
    iterations: u64,
    /// Rules: how many there are, equal ones counted each.
    numerosity: u64,
    /// Rules: the share of the training rows that the default rule alone answers.
    unmatched: f64,
    /// Rules: the share of every answer that is left to the default rule.
    doubt: f64,
    /// Rules: how learning went.
    curve: RuleCurve,
    /// Rules: the factor on their description length.
    price: f64,
    /// Rules: for each rule how much of its rows it shares with the nearest of other searches.
    stability: Vec<f64>,
    /// Mixtures of all rules: the log-likelihood, with that of the prior, at each pass.
    #[serde(rename = "log-likelihood")]
    log_likelihood: Vec<f64>,
    /// Mixtures of all rules: how many of them have 95 % of the weight, before and after passes.
    #[serde(rename = "useful-rules")]
    useful_rules: Vec<u64>,
    /// Mixtures of all rules: whether the log-likelihood rose at every pass.
    monotone: bool,
    /// Rules learnt row by row: the share of rows called wrongly before they were learnt.
    #[serde(rename = "error-by-epoch")]
    error_by_epoch: Vec<f64>,
    /// Rules learnt row by row: the mean log2-likelihood of those rows.
    #[serde(rename = "log2-by-epoch")]
    log2_by_epoch: Vec<f64>,
    /// Rules learnt row by row: how many different rules there were at the end of each epoch.
    #[serde(rename = "rules-by-epoch")]
    rules_by_epoch: Vec<u64>,
}

/// Reads the fields that have no name of their own; those of a newer program are passed over.
fn by_class<'de, D>(from: D) -> Result<BTreeMap<String, Diagnostics>, D::Error>
where
    D: Deserializer<'de>,
{
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Field {
        Class(Box<Diagnostics>),
        Unknown(IgnoredAny),
    }
    let fields = BTreeMap::<String, Field>::deserialize(from)?.into_iter();
    let class = |(name, field)| match field {
        Field::Class(own) if *own != Diagnostics::default() => Some((name, *own)),
        Field::Class(_) | Field::Unknown(_) => None,
    };
    Ok(fields.filter_map(class).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_not_reported_is_left_out() {
        assert_eq!(serde_json::to_value(Diagnostics::default()).unwrap(), json!({}));
        let one = Diagnostics { bits: Some(3), ..Diagnostics::default() };
        assert_eq!(serde_json::to_value(one).unwrap(), json!({ "bits": 3 }));
    }

    #[test]
    fn all_shapes_are_read_back() {
        let texts = [
            json!({ "out_of_bag":
                        { "rows": 3, "error": 0.5, "log2_likelihood": -1.0, "brier": 0.2 },
                    "learning_curve": [{ "members": 1, "error": 0.5 }],
                    "importance": [{ "column": "x", "impurity": 1.0, "permutation": null }] }),
            json!({ "importance": [{ "column": "x", "share": 1.0 }],
                    "curve": [
                        { "rows": 9, "error": 0.1, "covered": 0.2, "log2": -1.0, "rules": 4 }] }),
            json!({ "importance": { "x": 0.25 },
                    "curve": [{ "objective": -9.0, "bits": -0.5, "error": 0.1, "rules": 4 }] }),
            json!({ "width": 2.0, "virginica": { "evidence": -4.5, "vectors": [
                { "bias": true, "weight": 0.5, "alpha": 1.5 },
                { "column": "x", "weight": 0.5, "alpha": 1.5 },
                { "row": 7, "width": 2.0, "weight": 0.5, "alpha": 1.5 }] } }),
            json!({ "weights_reach_members_by": "Resampling", "ended": "perfect",
                    "log-likelihood": [-3.0], "rules-by-epoch": [5] }),
        ];
        for text in texts {
            let read: Diagnostics = serde_json::from_value(text.clone()).unwrap();
            assert_eq!(serde_json::to_value(&read).unwrap(), text);
        }
    }

    #[test]
    fn fields_of_a_newer_program_are_passed_over() {
        let text = json!({ "bits": 3, "future": { "any": ["thing", 1, null] }, "more": 7 });
        let read: Diagnostics = serde_json::from_value(text).unwrap();
        assert_eq!(read, Diagnostics { bits: Some(3), ..Diagnostics::default() });
    }
}

//! A fitted AdaBoost committee of trees.

use super::rounds::{Ended, Round};
use crate::classify::{Classifier, Explanation, Link, Proba, Saved, softmax_in_place};
use crate::committee::grove::Grove;
use crate::data::{Classes, Schema, View};
use crate::error::{Error, Result};
use crate::measure::MarginSummary;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// How the margins of the training rows are distributed at the end.
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
    pub(super) fn new(margins: &[f64], weights: &[f64]) -> Result<Self> {
        let all = MarginSummary::new(margins, Some(weights))?;
        let MarginSummary { least, lower_quartile, median, upper_quartile, greatest, .. } = all;
        Ok(Self { least, lower_quartile, median, upper_quartile, greatest })
    }
}

/// Trees with votes, and the history of their rounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AdaBoostModel {
    pub(super) grove: Grove,
    pub(super) link: Link,
    pub(super) rounds: Vec<Round>,
    pub(super) margins: Margins,
    pub(super) ended: Ended,
}

impl AdaBoostModel {
    /// What happened in each round.
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// The margins of the training rows.
    pub fn margins(&self) -> Margins {
        self.margins
    }

    /// Why there are no more rounds.
    pub fn ended(&self) -> Ended {
        self.ended
    }
}

impl Classifier for AdaBoostModel {
    fn classes(&self) -> &Classes {
        &self.grove.classes
    }

    fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        self.grove.proba_into(rows, out)?;
        if self.link == Link::Softmax {
            let all = self.grove.all_votes();
            for row in 0..out.rows() {
                let votes = out.row_mut(row);
                for share in votes.iter_mut() {
                    *share *= all;
                }
                softmax_in_place(votes);
            }
        }
        Ok(())
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        let mut explanation = self.grove.explain(rows, row)?;
        if self.link == Link::Softmax {
            let all = self.grove.all_votes();
            let parts = explanation.parts.iter_mut().flat_map(|part| &mut part.adds);
            parts.chain(&mut explanation.base).for_each(|share| *share *= all);
            explanation.link = Link::Softmax;
        }
        Ok(explanation)
    }
}

impl Saved for AdaBoostModel {
    const VERSION: u32 = 1;

    fn check(&self, inputs: &Schema) -> Result<()> {
        self.grove.check(inputs)?;
        // Votes beyond this would make the sum, or its exponentials, infinite.
        if self.rounds.len() == self.grove.trees().len() && self.grove.all_votes() < 1e100 {
            Ok(())
        } else {
            Err(Error::model_file("its rounds are not those of its trees"))
        }
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        self.grove.size()
    }

    fn diagnostics(&self, _inputs: &Schema) -> Map<String, Value> {
        let mut all = Map::new();
        all.insert("ended".to_owned(), json!(self.ended));
        all.insert("margins".to_owned(), json!(self.margins));
        all.insert("rounds".to_owned(), json!(self.rounds));
        all
    }
}

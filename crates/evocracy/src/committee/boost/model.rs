//! A fitted AdaBoost committee of trees.

use crate::classify::{
    Classifier, Diagnostics, Ended, Explanation, Link, Margins, Proba, Round, Rulebook, Saved,
    softmax_in_place,
};
use crate::committee::flat_trees::FlatTrees;
use crate::data::{Classes, Schema, View};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// Trees with votes, and the history of their rounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AdaBoostModel {
    #[serde(rename = "grove")]
    pub(super) flat: FlatTrees,
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
        &self.flat.classes
    }

    fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        self.flat.proba_into(rows, out)?;
        if self.link == Link::Softmax {
            let all = self.flat.all_votes();
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
        let mut explanation = self.flat.explain(rows, row)?;
        if self.link == Link::Softmax {
            let all = self.flat.all_votes();
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
        self.flat.check(inputs)?;
        // Votes beyond this would make the sum, or its exponentials, infinite.
        if self.rounds.len() == self.flat.trees().len() && self.flat.all_votes() < 1e100 {
            Ok(())
        } else {
            Err(Error::model_file("its rounds are not those of its trees"))
        }
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        self.flat.size()
    }

    fn diagnostics(&self, _inputs: &Schema) -> Diagnostics {
        Diagnostics {
            ended: Some(self.ended),
            margins: Some(self.margins),
            rounds: Some(self.rounds.clone()),
            ..Diagnostics::default()
        }
    }

    fn rules(&self, _inputs: &Schema) -> Option<Rulebook> {
        Some(self.flat.rulebook())
    }
}

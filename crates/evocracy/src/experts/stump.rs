//! Decision stumps: trees of one question (Iba, Langley 1992, "Induction of one-level decision
//! trees"), the weak experts of boosting.
//!
//! The question is the root of a [`Tree`](super::Tree) with the same criterion: the same search,
//! the same treatment of weights, levels and missing values.
//!
//! Boosting asks for hundreds of stumps on the same rows: gather [`Columns`] once, make one
//! [`Stump::grower`], let it grow with the weights of each round. A stump never divides the
//! sorted rows further, so that they are filled in once and used again as long as every row has
//! weight.

use super::tree::columns::Columns;
use super::tree::grow::{All, Grower, Grown, Limits};
use super::tree::nodes::MOST_WORDS;
use super::tree::{Criterion, TreeModel, TreeOutline};
use crate::classify::{Classifier, Explanation, Fitted, Learner, Proba, Rulebook, Saved};
use crate::data::{Classes, Input, Schema, Task, View};
use crate::error::{Error, Result};
use crate::run::Run;
use serde::{Deserialize, Serialize};

crate::params! {
    /// A decision stump: a tree of one question.
    pub struct Stump as "stump" {
        /// what makes a side impure
        criterion: Criterion = Criterion::Gini, Criterion::CHOICES;
        /// how many rows like the whole are added to the counts of a side, so that small sides are less sure
        smoothing: f64 = 2.0, 0.0..=1e6;
    }
}

impl Stump {
    /// A grower of stumps for rows with these classes; each round brings its weights.
    pub(crate) fn grower<'a>(
        &self,
        columns: &'a Columns<'a>,
        labels: &'a [u32],
        classes: usize,
    ) -> Grower<'a> {
        let limits = Limits {
            criterion: self.criterion,
            depth: 1,
            leaf: 0.0,
            split: 0.0,
            gain: 0.0,
            words: MOST_WORDS,
        };
        Grower::new(columns, labels, classes, limits)
    }
}

impl Learner for Stump {
    type Model = StumpModel;
    const INPUT: Input = Input::Mixed;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<StumpModel>> {
        let (classes, labels) = task.labels()?;
        let weights = task.weights();
        let run = run.task("stump", task.rows() as u64);
        let columns = Columns::gather(task.features, &run)?;
        let mut grower = self.grower(&columns, &labels, classes.len());
        let grown = grower.grow((&weights).into(), &mut All, &run)?;
        let stop = grown.stop;
        let model = StumpModel::new(classes, &columns, &weights, grown, self.smoothing);
        Ok(Fitted { model, stop })
    }
}

/// A fitted stump.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StumpModel(TreeModel);

impl StumpModel {
    /// The stump that was grown from these columns and weights.
    pub(crate) fn new(
        classes: &Classes,
        columns: &Columns<'_>,
        weights: &[f64],
        grown: Grown,
        smoothing: f64,
    ) -> Self {
        Self(TreeModel::new(classes, columns, weights, grown, smoothing))
    }

    /// The stump as lines; `inputs` are the columns it was fitted to.
    pub fn describe(&self, inputs: &Schema) -> String {
        self.0.describe(inputs)
    }

    /// The root and, where `most` allows it, the two sides.
    pub(crate) fn outline(&self, inputs: &Schema, most: usize) -> TreeOutline {
        self.0.outline(inputs, most)
    }
}

impl Classifier for StumpModel {
    fn classes(&self) -> &Classes {
        self.0.classes()
    }

    fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        self.0.proba_into(rows, out)
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        self.0.explain(rows, row)
    }
}

impl Saved for StumpModel {
    const VERSION: u32 = 1;

    fn check(&self, inputs: &Schema) -> Result<()> {
        self.0.check(inputs)?;
        if self.0.leaves() > 2 {
            return Err(Error::model_file("its stump asks more than one question"));
        }
        Ok(())
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        vec![("leaves", self.0.leaves() as u64)]
    }

    fn rules(&self, inputs: &Schema) -> Option<Rulebook> {
        self.0.rules(inputs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Field, Table};
    use crate::run::{Pool, Seed, Stop};
    use rand::RngExt;

    #[test]
    fn rounds_with_new_weights_give_the_stumps_of_fresh_growers() {
        let mut rng = Seed::new(3).rng();
        let cells = |rng: &mut rand_chacha::ChaCha8Rng| {
            Column::Number((0..60).map(|_| f64::from(rng.random_range(0..9_u8))).collect())
        };
        let columns = vec![cells(&mut rng), cells(&mut rng), cells(&mut rng)];
        let schema = Schema { fields: ["a", "b", "c"].map(Field::number).to_vec() };
        let table = Table::new(schema, columns).unwrap();
        let labels: Vec<u32> = (0..60).map(|_| rng.random_range(0..3)).collect();
        let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
        let run = Run::new(1, &stop, &pool);
        let columns = Columns::gather(table.view(), &run).unwrap();
        let stump = Stump::default();
        let mut kept = stump.grower(&columns, &labels, 3);
        for round in 0..30 {
            // Now and then some rows have no weight.
            let least = if round % 5 == 0 { -0.3 } else { 0.01 };
            let weights: Vec<f64> =
                (0..60).map(|_| rng.random_range(least..1.0_f64).max(0.0)).collect();
            let again = kept.grow((&weights).into(), &mut All, &run).unwrap();
            let mut fresh = stump.grower(&columns, &labels, 3);
            let fresh = fresh.grow((&weights).into(), &mut All, &run).unwrap();
            assert_eq!(again.nodes, fresh.nodes, "round {round}");
            assert_eq!(again.counts, fresh.counts);
            assert_eq!(again.nodes.len(), 3);
        }
    }
}

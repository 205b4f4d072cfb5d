//! Decisions: how the probabilities of a row become a call, and how that was chosen.

use crate::data::Classes;
use crate::error::{Error, Result};
use crate::measure::{Conditions, CostMatrix};
use crate::num::argmax;
use serde::{Deserialize, Serialize};

/// How the probabilities of a row become the class it is called.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Call {
    /// The most probable class, the first one among equals.
    #[default]
    MostProbable,
    /// The positive class where its probability is at least this, else the most probable other.
    Threshold(f64),
    /// The class of least expected cost, the first one among equals.
    Costs(CostMatrix),
}

/// What a decision was chosen for.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Criterion {
    /// It was given, not chosen.
    #[default]
    Given,
    /// Least expected cost under these conditions.
    Cost(Conditions),
    /// The most positives found with a false positive rate of at most this.
    MaxFpr(f64),
    /// The fewest false alarms with a true positive rate of at least this.
    MinTpr(f64),
}

/// The rows a decision was chosen on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChosenOn {
    /// No rows were looked at.
    #[default]
    Nothing,
    /// The rows the model was trained on: their figures are too good.
    TrainingRows,
    /// Training rows, by models that were not trained on them.
    OutOfFold,
    /// Rows that the model was not trained on, which must not be judged on again.
    RowsSetAside,
}

/// A way to call rows, and where it comes from.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Decision {
    /// How a row is called.
    pub call: Call,
    /// What it was chosen for.
    #[serde(default)]
    pub criterion: Criterion,
    /// What rows it was chosen on.
    #[serde(default)]
    pub on: ChosenOn,
    /// How many they were.
    #[serde(default)]
    pub rows: usize,
}

impl Decision {
    /// A threshold for the positive class that was given.
    pub fn threshold(threshold: f64) -> Self {
        Self { call: Call::Threshold(threshold), ..Self::default() }
    }

    /// Costs that were given.
    pub fn costs(costs: CostMatrix) -> Self {
        Self { call: Call::Costs(costs), ..Self::default() }
    }

    /// The class of the largest probability times its weight, the first one among equals; the most
    /// probable one where the weights are equal or none.
    pub fn weighted(weights: &[f64]) -> Self {
        if weights.iter().all(|weight| *weight == weights[0]) {
            return Self::default();
        }
        // A weight is what it costs to miss a row of its class.
        let cost = |of: usize, called: usize| if of == called { 0.0 } else { weights[of] };
        let row = |of: usize| (0..weights.len()).map(|called| cost(of, called)).collect();
        let rows: Vec<Vec<f64>> = (0..weights.len()).map(row).collect();
        CostMatrix::new(&rows).map_or_else(|_| Self::default(), Self::costs)
    }

    /// The same decision on probabilities of a model in whose training a row of each class weighed
    /// so much more: expected costs are those without these weights.
    #[must_use]
    pub(crate) fn of_balanced(mut self, class_weights: &[f64]) -> Self {
        if let Call::Costs(costs) = self.call {
            // A probability divided by a weight is the same as the costs of its class divided by it.
            self.call = Call::Costs(costs.divided(class_weights));
        }
        self
    }

    /// Whether rows are called by the most probable class.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// The class that a row of these probabilities is called.
    pub fn of(&self, proba: &[f64], positive: usize) -> usize {
        match &self.call {
            Call::MostProbable => argmax(proba),
            Call::Threshold(least) if proba[positive] >= *least => positive,
            Call::Threshold(_) => {
                let others = (0..proba.len()).filter(|&class| class != positive);
                // The first one among equals, as in `argmax`.
                let better = |best: usize, class: usize| {
                    if proba[class] > proba[best] { class } else { best }
                };
                others.reduce(better).unwrap_or(positive)
            }
            Call::Costs(costs) => costs.cheapest(proba),
        }
    }

    /// The calls of rows of probabilities, one after the other.
    pub fn calls(&self, proba: &[f64], classes: &Classes) -> Vec<u32> {
        let rows = proba.chunks_exact(classes.len());
        rows.map(|proba| self.of(proba, classes.positive()) as u32).collect()
    }

    /// Refuses what cannot call rows of these classes.
    pub fn check(&self, classes: &Classes) -> Result<()> {
        let sound = match &self.call {
            Call::MostProbable => true,
            // A threshold of plus infinity calls no row positive.
            Call::Threshold(least) => *least > f64::NEG_INFINITY,
            Call::Costs(costs) => costs.classes() == classes.len(),
        };
        if sound {
            return Ok(());
        }
        Err(Error::unsuitable(
            format!("the decision does not fit {} classes", classes.len()),
            "give a threshold for the positive class, or a cost for every pair of classes",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_called_by_the_decision() -> Result<()> {
        let classes = Classes::new(["a", "b", "c"].map(str::to_owned).to_vec())?;
        let positive = classes.positive();
        let rows = [[0.5, 0.3, 0.2], [0.2, 0.2, 0.6], [0.35, 0.35, 0.3]].concat();
        let calls = |decision: &Decision| decision.calls(&rows, &classes);
        assert_eq!(positive, 2);
        assert_eq!(calls(&Decision::default()), [0, 2, 0]);
        assert_eq!(calls(&Decision::threshold(0.3)), [0, 2, 2]);
        assert_eq!(calls(&Decision::threshold(f64::INFINITY)), [0, 0, 0]);
        assert_eq!(calls(&Decision::threshold(0.0)), [2, 2, 2]);
        // Missing a `b` is dear: called wherever its probability is above a tenth.
        let dear = [vec![0.0, 1.0, 1.0], vec![9.0, 0.0, 9.0], vec![1.0, 1.0, 0.0]];
        assert_eq!(calls(&Decision::costs(CostMatrix::new(&dear)?)), [1, 1, 1]);
        Ok(())
    }

    #[test]
    fn weights_scale_the_probabilities_of_classes() {
        let weighted = |weights: &[f64]| Decision::weighted(weights);
        assert!(weighted(&[2.0; 3]).is_plain() && weighted(&[]).is_plain());
        for (weights, called) in [([1.0, 1.0, 3.0], 2), ([1.0, 2.0, 1.0], 1), ([2.0, 2.0, 1.0], 0)]
        {
            assert_eq!(weighted(&weights).of(&[0.5, 0.3, 0.2], 2), called);
        }
    }

    #[test]
    fn a_decision_that_cannot_be_used_is_refused() -> Result<()> {
        let classes = Classes::new(vec!["no".to_owned(), "yes".to_owned()])?;
        assert!(Decision::threshold(f64::NAN).check(&classes).is_err());
        assert!(Decision::threshold(f64::NEG_INFINITY).check(&classes).is_err());
        assert!(Decision::threshold(f64::INFINITY).check(&classes).is_ok());
        let costs = CostMatrix::new(&vec![vec![0.0; 3]; 3])?;
        assert!(Decision::costs(costs).check(&classes).is_err());
        Ok(())
    }
}

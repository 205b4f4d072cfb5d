//! Boosting: each expert learns from the rows that the ones before it called wrongly.
//!
//! [`rounds`] holds the algorithm, for any weak learner; [`trees`] are trees and stumps as weak
//! learners, [`members`] any other method; [`model`] is what a fit of trees yields.

mod members;
mod model;
mod rounds;
#[cfg(test)]
mod tests;
mod trees;

pub use model::AdaBoostModel;

use super::flat_trees::FlatTrees;
use crate::classify::{Fitted, Learner, Link, Margins, Weighting};
use crate::data::{Input, Task};
use crate::error::Result;
use crate::experts::Criterion;
use crate::experts::tree::grow::Limits;
use crate::experts::tree::nodes::MOST_WORDS;
use crate::run::Run;
use rounds::Boost;
use trees::{Ranked, WeakTrees};

crate::choices! {
    /// What three and more classes change; for two classes both are the same.
    pub enum Form {
        /// a member must be better than guessing among all classes (SAMME)
        Samme = "samme",
        /// a member must be right for more than half of the weight (AdaBoost.M1)
        M1 = "m1",
    }
}

crate::choices! {
    /// What the probability of a class is.
    pub enum Probability {
        /// its share of the votes
        Share = "share",
        /// its votes as log-odds (Friedman, Hastie, Tibshirani 2000): bolder
        Odds = "odds",
    }
}

crate::params! {
    /// AdaBoost: stumps or small trees, each trained on what those before it called wrongly.
    pub struct AdaBoost as "adaboost" {
        /// the most members; fewer where one is perfect or none is better than chance
        rounds: usize = 100, 1..=100_000;
        /// the most questions of a member: 1 makes stumps
        depth: usize = 1, 1..=1_000_000;
        /// what makes a node impure
        criterion: Criterion = Criterion::Gini, Criterion::CHOICES;
        /// how the weights of the rows reach the members
        by: Weighting = Weighting::Reweighting, Weighting::CHOICES;
        /// what three and more classes change
        form: Form = Form::Samme, Form::CHOICES;
        /// what the probability of a class is
        probability: Probability = Probability::Odds, Probability::CHOICES;
    }
}

impl Learner for AdaBoost {
    type Model = AdaBoostModel;
    const INPUT: Input = Input::Mixed;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<AdaBoostModel>> {
        let (classes, labels) = task.labels()?;
        let weights = task.weights();
        let run = run.task("rounds", self.rounds as u64);
        let ranked = Ranked::new(task, classes.len(), &run)?;
        let limits = Limits {
            criterion: self.criterion,
            depth: self.depth,
            leaf: 0.0,
            split: 0.0,
            gain: 0.0,
            words: MOST_WORDS / self.rounds,
        };
        let mut weak = WeakTrees::new(&ranked, &labels, limits, &run);
        let Self { rounds, by, form, .. } = *self;
        let boost = Boost { rounds, by, form, classes: classes.len() };
        let boosted = boost.run(&mut weak, &labels, &weights, &run)?;
        let stop = boosted.stop();
        let model = AdaBoostModel {
            margins: Margins::new(&boosted.margins, &weights)?,
            flat: FlatTrees::new(classes, ranked.levels.clone(), boosted.members, boosted.votes),
            link: match self.probability {
                Probability::Share => Link::Identity,
                Probability::Odds => Link::Softmax,
            },
            rounds: boosted.rounds,
            ended: boosted.ended,
        };
        Ok(Fitted { model, stop })
    }
}

//! Committees of different methods on the same rows, weighted by how good they are on rows they
//! were not trained on.

use super::assembly::{Assembly, Ensemble};
use super::{Combine, CommitteeModel, member_weights};
use crate::classify::Fitted;
use crate::error::Result;
use crate::method::Members;

/// The members of committees of several methods where none are named.
pub(super) const THREE: &str = "tree+naive-bayes+knn";

crate::choices! {
    /// How a vote is counted.
    pub enum VoteRule {
        /// the mean of the probabilities
        Mean = "mean",
        /// the share of the members that call the class
        Vote = "vote",
        /// the product of the probabilities: one member that is sure outweighs several that are not
        Product = "product",
        /// the greatest probability that any member gives
        Max = "max",
    }
}

crate::choices! {
    /// The weight of a member's vote.
    pub enum Worth {
        /// the same for all
        Equal = "equal",
        /// its accuracy on the folds it was not trained on
        Accuracy = "accuracy",
        /// the log-odds of its accuracy there: the best weights of members that err independently
        LogOdds = "log-odds",
    }
}

crate::params! {
    /// A vote of different methods, equal or weighted: mean, product, maximum or count of calls.
    pub struct Vote as "vote" {
        /// how the votes are counted
        rule: VoteRule = VoteRule::Mean, VoteRule::CHOICES;
        /// the weight of a member's vote
        worth: Worth = Worth::Equal, Worth::CHOICES;
        /// how many folds tell the weights; as many as rows leave out one at a time
        folds: usize = 5, 2..=1_000_000;
    }
}

crate::params! {
    /// The Bayes-optimal vote: each method's calls count by the posterior of the method.
    pub struct BayesVote as "bayes-vote" {
        /// how many folds tell how often a method is right
        folds: usize = 5, 2..=1_000_000;
    }
}

crate::params! {
    /// Bayesian model averaging: probabilities of methods, weighted by the posterior of each.
    pub struct Averaging as "bma" {
        /// how many folds tell the likelihood of a method
        folds: usize = 5, 2..=1_000_000;
    }
}

crate::params! {
    /// Bayesian model combination: probabilities of methods, by the posterior mean of the weights.
    pub struct Combination as "bmc" {
        /// how many folds tell the likelihood of weights
        folds: usize = 5, 2..=1_000_000;
        /// how many weights are drawn
        draws: usize = 2000, 10..=10_000_000;
    }
}

impl Ensemble for Vote {
    const MEMBERS: Members = Members::several(THREE);

    fn assemble(&self, assembly: &Assembly<'_>) -> Result<Fitted<CommitteeModel>> {
        let proba = match self.worth {
            Worth::Equal => Vec::new(),
            Worth::Accuracy | Worth::LogOdds => assembly.out_of_fold(self.folds)?,
        };
        let weights = match self.worth {
            Worth::Equal => Combine::equal(assembly.members.len()),
            Worth::Accuracy => member_weights::by_accuracy(&assembly.rows, &proba),
            Worth::LogOdds => member_weights::by_log_odds(&assembly.rows, &proba),
        };
        let combine = match self.rule {
            VoteRule::Mean => Combine::Mean(weights),
            VoteRule::Vote => Combine::Vote(weights),
            // Weights that sum to their number: equal ones give the plain product.
            VoteRule::Product => {
                let n = weights.len() as f64;
                Combine::Product(weights.iter().map(|w| n * w).collect())
            }
            VoteRule::Max => Combine::Max,
        };
        assembly.combine_all(combine, &proba)
    }
}

impl Ensemble for BayesVote {
    const MEMBERS: Members = Members::several(THREE);

    fn assemble(&self, assembly: &Assembly<'_>) -> Result<Fitted<CommitteeModel>> {
        let proba = assembly.out_of_fold(self.folds)?;
        let weights = member_weights::by_posterior_of_calls(&assembly.rows, &proba);
        assembly.combine_all(Combine::Vote(weights), &proba)
    }
}

impl Ensemble for Averaging {
    const MEMBERS: Members = Members::several(THREE);

    fn assemble(&self, assembly: &Assembly<'_>) -> Result<Fitted<CommitteeModel>> {
        let proba = assembly.out_of_fold(self.folds)?;
        let weights = member_weights::by_posterior(&assembly.rows, &proba);
        assembly.combine_all(Combine::Mean(weights), &proba)
    }
}

impl Ensemble for Combination {
    const MEMBERS: Members = Members::several(THREE);

    fn assemble(&self, assembly: &Assembly<'_>) -> Result<Fitted<CommitteeModel>> {
        let proba = assembly.out_of_fold(self.folds)?;
        let (rows, run) = (&assembly.rows, assembly.run);
        let weights = member_weights::by_combination(rows, &proba, self.draws, run)?;
        assembly.combine_all(Combine::Mean(weights), &proba)
    }
}

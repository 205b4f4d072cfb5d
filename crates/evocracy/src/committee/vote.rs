//! Committees of different methods on the same rows, weighted by what they are worth on rows
//! they were not trained on.

use super::council::{Council, Ground, blame, train_each};
use super::model::CommitteeModel;
use super::notes;
use super::{Combine, weigh};
use crate::classify::Fitted;
use crate::data::Task;
use crate::error::Result;
use crate::method::{Members, Method};
use crate::run::Run;

/// What the committees of several methods are made of where nothing is said.
pub(super) const THREE: &str = "tree+naive-bayes+knn";

crate::choices! {
    /// How a vote is counted.
    pub enum Rule {
        /// the mean of the probabilities
        Mean = "mean",
        /// the share of the members that call the class
        Vote = "vote",
        /// the product of the probabilities: one member that is sure counts much
        Product = "product",
        /// the greatest probability that any member gives
        Max = "max",
    }
}

crate::choices! {
    /// What a member's word counts.
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
        rule: Rule = Rule::Mean, Rule::CHOICES;
        /// what a member's word counts
        worth: Worth = Worth::Equal, Worth::CHOICES;
        /// how many folds tell what members are worth; as many as rows leave out one at a time
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

impl Council for Vote {
    const MEMBERS: Members = Members::several(THREE);

    fn assemble(
        &self,
        members: &[Box<dyn Method>],
        task: &Task<'_>,
        run: &Run<'_>,
    ) -> Result<Fitted<CommitteeModel>> {
        let worth = self.worth;
        together(members, self.folds, worth != Worth::Equal, task, run, |ground, said| {
            let weights = match worth {
                Worth::Equal => Combine::equal(members.len()),
                Worth::Accuracy => weigh::by_accuracy(ground, said),
                Worth::LogOdds => weigh::by_log_odds(ground, said),
            };
            Ok(match self.rule {
                Rule::Mean => Combine::Mean(weights),
                Rule::Vote => Combine::Vote(weights),
                // Weights that sum to their number: equal ones give the plain product.
                Rule::Product => {
                    let n = weights.len() as f64;
                    Combine::Product(weights.iter().map(|w| n * w).collect())
                }
                Rule::Max => Combine::Max,
            })
        })
    }
}

impl Council for BayesVote {
    const MEMBERS: Members = Members::several(THREE);

    fn assemble(
        &self,
        members: &[Box<dyn Method>],
        task: &Task<'_>,
        run: &Run<'_>,
    ) -> Result<Fitted<CommitteeModel>> {
        together(members, self.folds, true, task, run, |ground, said| {
            Ok(Combine::Vote(weigh::by_posterior_of_calls(ground, said)))
        })
    }
}

impl Council for Averaging {
    const MEMBERS: Members = Members::several(THREE);

    fn assemble(
        &self,
        members: &[Box<dyn Method>],
        task: &Task<'_>,
        run: &Run<'_>,
    ) -> Result<Fitted<CommitteeModel>> {
        together(members, self.folds, true, task, run, |ground, said| {
            Ok(Combine::Mean(weigh::by_posterior(ground, said)))
        })
    }
}

impl Council for Combination {
    const MEMBERS: Members = Members::several(THREE);

    fn assemble(
        &self,
        members: &[Box<dyn Method>],
        task: &Task<'_>,
        run: &Run<'_>,
    ) -> Result<Fitted<CommitteeModel>> {
        together(members, self.folds, true, task, run, |ground, said| {
            let seed = run.seed.child("weights", 0);
            Ok(Combine::Mean(weigh::by_combination(ground, said, self.draws, seed)))
        })
    }
}

/// What each method says of every row, out of fold: a list of probabilities for each.
pub(super) fn all_out_of_fold(
    members: &[Box<dyn Method>],
    ground: &Ground,
    folds: usize,
    run: &Run<'_>,
) -> Result<Vec<Vec<f64>>> {
    let run = run.task("folds", (members.len() * folds.min(ground.rows())) as u64);
    // The same folds for all: members are compared on them.
    let run = run.child("out of fold", 0);
    members.iter().map(|member| ground.out_of_fold(member.as_ref(), folds, &run)).collect()
}

/// Trains all methods on all rows, asks them out of fold first where `ask` says so, and
/// combines them.
fn together(
    members: &[Box<dyn Method>],
    folds: usize,
    ask: bool,
    task: &Task<'_>,
    run: &Run<'_>,
    rule: impl FnOnce(&Ground, &[Vec<f64>]) -> Result<Combine>,
) -> Result<Fitted<CommitteeModel>> {
    let ground = Ground::new(task)?;
    let said = if ask { all_out_of_fold(members, &ground, folds, run)? } else { Vec::new() };
    let combine = rule(&ground, &said)?;
    let all = ground.task()?;
    let trained = train_each(members.len(), run, |at, run| {
        members[at].train(&all, run).map_err(|e| blame(members[at].name(), e))
    })?;
    let mut notes = notes::start(members, &ground);
    if ask {
        notes::out_of_fold(&mut notes, members, &ground, &said)?;
    }
    let model = CommitteeModel::new(ground.classes.clone(), trained.model, combine, notes)?;
    Ok(Fitted { model, stop: trained.stop })
}

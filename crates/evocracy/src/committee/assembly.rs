//! How committees are made: the methods of their members and the rows they are trained on.

use super::diagnostics;
use super::{Combine, CommitteeModel, TrainingRows};
use crate::classify::{Diagnostics, Fitted, Proba};
use crate::data::Task;
use crate::error::{Error, Result};
use crate::judge::{self, Splits, out_of_sample};
use crate::method::{Members, Method};
use crate::model::Model;
use crate::param::Params;
use crate::run::{Run, StopReason};

/// A way to make members and to combine them.
pub trait Ensemble: Params + Send + Sync {
    /// The members it takes.
    const MEMBERS: Members;

    /// Whether members of this method are trained by a fast way of its own, where they have no
    /// settings of their own.
    fn is_fast(member: &dyn Method) -> bool {
        let _ = member;
        false
    }

    /// Trains members and puts them together. Parameters and rows are checked.
    fn assemble(&self, assembly: &Assembly<'_>) -> Result<Fitted<CommitteeModel>>;
}

/// What a committee is assembled from.
pub struct Assembly<'a> {
    /// The methods of its members, as many as [`Ensemble::MEMBERS`] allows.
    pub(super) members: &'a [Box<dyn Method>],
    /// The rows with weight.
    pub(super) rows: TrainingRows,
    pub(super) run: &'a Run<'a>,
}

impl<'a> Assembly<'a> {
    /// Copies the rows of the task that have weight.
    pub fn new(members: &'a [Box<dyn Method>], task: &Task<'_>, run: &'a Run<'a>) -> Result<Self> {
        Ok(Self { members, rows: TrainingRows::new(task)?, run })
    }

    /// The method of all members, where there is only one.
    pub(super) fn member(&self) -> &dyn Method {
        self.members[0].as_ref()
    }

    /// The probabilities that each method gives every row when it is trained on the other folds.
    /// As many folds as rows leave out one row at a time.
    pub(super) fn out_of_fold(&self, k: usize) -> Result<Vec<Proba>> {
        let run = self.run.child("out of fold", 0);
        // The same folds for all methods, so that they can be compared on them.
        let seed = run.seed.child("folds", 0);
        let splits = Splits::folds(self.rows.len(), Some(&self.rows.labels), k, seed)?;
        let task = self.rows.task()?;
        let each = self.members.iter().enumerate().map(|(at, method)| {
            let run = run.part("method", at as u64);
            let trial = out_of_sample(method.as_ref(), &task, &splits, false, &run)
                .map_err(|error| named(method.as_ref(), error))?;
            if trial.stop == StopReason::Interrupted {
                return Err(Error::Stopped);
            }
            trial.judged.in_row_order(self.rows.len())
        });
        each.collect()
    }

    /// Trains each method on all rows.
    pub(super) fn train_all(&self) -> Result<Fitted<Vec<Model>>> {
        let task = self.rows.task()?;
        train_all_members(self.members.len(), self.run, |at, run| {
            train_member(self.members[at].as_ref(), &task, run)
        })
    }

    /// What is known of the members before they are trained on all rows; `out_of_fold` is empty
    /// where it is not known.
    pub(super) fn diagnostics(&self, out_of_fold: &[Proba]) -> Result<Diagnostics> {
        diagnostics::of_members(self.members, &self.rows, out_of_fold)
    }

    /// Trains each method on all rows and combines them.
    pub(super) fn combine_all(
        &self,
        combine: Combine,
        out_of_fold: &[Proba],
    ) -> Result<Fitted<CommitteeModel>> {
        let members = self.train_all()?;
        self.committee(members, combine, self.diagnostics(out_of_fold)?)
    }

    /// A committee of members that have been trained.
    pub(super) fn committee(
        &self,
        members: Fitted<Vec<Model>>,
        combine: Combine,
        diagnostics: Diagnostics,
    ) -> Result<Fitted<CommitteeModel>> {
        let classes = self.rows.classes.clone();
        let model = CommitteeModel::new(classes, members.model, combine, diagnostics)?;
        Ok(Fitted { model, stop: members.stop })
    }
}

/// Trains one member. All members go through here, save those of committees that have a fast way
/// of their own. An error names the member.
pub(crate) fn train_member(
    method: &dyn Method,
    task: &Task<'_>,
    run: &Run<'_>,
) -> Result<Fitted<Model>> {
    judge::train(method, task, run).map_err(|error| named(method, error))
}

/// An error with the name of the member that it comes from.
fn named(method: &dyn Method, error: Error) -> Error {
    match error {
        Error::Stopped => Error::Stopped,
        error => {
            Error::Member { member: format!("member `{}`", method.name()), source: Box::new(error) }
        }
    }
}

/// Trains `n` members side by side. Stopping yields those that are done, which need not be the
/// first ones.
pub(super) fn train_members<M: Send>(
    n: usize,
    run: &Run<'_>,
    train: impl Fn(usize, &Run<'_>) -> Result<Fitted<M>> + Sync,
) -> Result<Fitted<Vec<M>>> {
    let task = run.task("members", n as u64);
    let trained = run.pool.map(n, |member| {
        if run.stop.requested() {
            return Err(Error::Stopped);
        }
        let fitted = train(member, &run.child("member", member as u64));
        task.watch.advance(1);
        fitted
    });
    let (mut members, mut stop) = (Vec::with_capacity(n), StopReason::Finished);
    for fitted in trained {
        match fitted {
            Ok(fitted) => {
                stop = if fitted.stop == StopReason::Finished { stop } else { fitted.stop };
                members.push(fitted.model);
            }
            Err(Error::Stopped) => stop = StopReason::Interrupted,
            Err(error) => return Err(error),
        }
    }
    if members.is_empty() { Err(Error::Stopped) } else { Ok(Fitted { model: members, stop }) }
}

/// As [`train_members`] for committees that need all of their members.
pub(super) fn train_all_members(
    n: usize,
    run: &Run<'_>,
    train: impl Fn(usize, &Run<'_>) -> Result<Fitted<Model>> + Sync,
) -> Result<Fitted<Vec<Model>>> {
    let trained = train_members(n, run, train)?;
    if trained.model.len() < n { Err(Error::Stopped) } else { Ok(trained) }
}

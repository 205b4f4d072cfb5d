//! How committees are made: the rows members learn from, and members trained side by side.

use super::CommitteeModel;
use crate::classify::Fitted;
use crate::data::{Classes, Split, Table, Target, Task, View, folds};
use crate::error::{Error, Result};
use crate::method::{Members, Method};
use crate::model::Model;
use crate::param::Params;
use crate::run::{Run, StopReason};

/// A way to make members and to combine them.
pub trait Council: Params + Send + Sync {
    /// The members it takes.
    const MEMBERS: Members;

    /// Trains members on the task and puts them together. Parameters and task are checked.
    fn assemble(
        &self,
        members: &[Box<dyn Method>],
        task: &Task<'_>,
        run: &Run<'_>,
    ) -> Result<Fitted<CommitteeModel>>;
}

/// The rows a committee is made from: those with weight, copied once, so that members may be
/// given any of them in any number.
pub(super) struct Ground {
    table: Table,
    pub classes: Classes,
    pub labels: Vec<u32>,
    pub weights: Vec<f64>,
    target: String,
}

impl Ground {
    pub fn new(task: &Task<'_>) -> Result<Self> {
        let (classes, labels) = task.labels()?;
        let weights = task.weights();
        let kept: Vec<usize> = (0..task.rows()).filter(|&row| weights[row] > 0.0).collect();
        let ids: Vec<u32> = kept.iter().map(|&row| task.features.row_id(row) as u32).collect();
        let ground = Self {
            table: task.features.with_rows(&ids).to_table()?,
            classes: classes.clone(),
            labels: kept.iter().map(|&row| labels[row]).collect(),
            weights: kept.iter().map(|&row| weights[row]).collect(),
            target: task.target_name().to_owned(),
        };
        // The rows with weight may show less than all rows did.
        ground.task()?.check()?;
        Ok(ground)
    }

    pub fn rows(&self) -> usize {
        self.labels.len()
    }

    pub fn features(&self) -> View<'_> {
        self.table.view()
    }

    /// All rows.
    pub fn task(&self) -> Result<Task<'_>> {
        self.task_with(&self.labels, &self.classes, &self.weights)
    }

    /// All rows under other labels or weights.
    pub fn task_with<'a>(
        &'a self,
        codes: &'a [u32],
        classes: &'a Classes,
        weights: &'a [f64],
    ) -> Result<Task<'a>> {
        Task::new(self.features(), &self.target, Target::Class { codes, classes }, Some(weights))
    }

    /// What a method says of every row when it is trained on the other folds: row after row, a
    /// probability for each class. As many folds as rows leave out one row at a time.
    ///
    /// Where the other folds show a single class, their shares of the classes are the answer.
    pub fn out_of_fold(&self, method: &dyn Method, k: usize, run: &Run<'_>) -> Result<Vec<f64>> {
        let classes = self.classes.len();
        let k = k.min(self.rows());
        let splits = folds(self.rows(), Some(&self.labels), k, run.seed.child("folds", 0))?;
        let said = run.pool.map(splits.len(), |fold| {
            if run.stop.requested() {
                return Err(Error::Stopped);
            }
            let found = self.unseen(method, &splits[fold], &run.child("fold", fold as u64));
            run.watch.advance(1);
            found
        });
        let mut proba = vec![0.0; self.rows() * classes];
        for (split, said) in splits.iter().zip(said) {
            let said = said.map_err(|e| blame(method.name(), e))?;
            for (row, p) in split.test.iter().zip(said.chunks_exact(classes)) {
                let at = *row as usize * classes;
                proba[at..at + classes].copy_from_slice(p);
            }
        }
        Ok(proba)
    }

    /// What a method that is trained on one part of a split says of the other.
    fn unseen(&self, method: &dyn Method, split: &Split, run: &Run<'_>) -> Result<Vec<f64>> {
        if self.shows_two(&split.train) {
            let fitted = method.train(&self.task()?.with_rows(&split.train), run)?;
            let proba = fitted.model.proba(self.features().with_rows(&split.test))?;
            return Ok(proba.values().to_vec());
        }
        let mut shares = vec![0.0; self.classes.len()];
        for &row in &split.train {
            shares[self.labels[row as usize] as usize] += 1.0 / split.train.len() as f64;
        }
        Ok(shares.repeat(split.test.len()))
    }

    /// Whether rows are of more than one class.
    pub fn shows_two(&self, rows: &[u32]) -> bool {
        rows.windows(2).any(|pair| self.labels[pair[0] as usize] != self.labels[pair[1] as usize])
    }
}

/// Trains `n` members side by side. Stopping yields those that are done, which need not be the
/// first ones.
pub(super) fn train_all<M: Send>(
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

/// As [`train_all`] for committees that are nothing without all of their members.
pub(super) fn train_each(
    n: usize,
    run: &Run<'_>,
    train: impl Fn(usize, &Run<'_>) -> Result<Fitted<Model>> + Sync,
) -> Result<Fitted<Vec<Model>>> {
    let trained = train_all(n, run, train)?;
    if trained.model.len() < n { Err(Error::Stopped) } else { Ok(trained) }
}

/// Names the member that an error comes from.
pub(super) fn blame(member: &str, error: Error) -> Error {
    match error {
        Error::Stopped => Error::Stopped,
        error => Error::Member { member: format!("member `{member}`"), source: Box::new(error) },
    }
}

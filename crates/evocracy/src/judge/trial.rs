//! Any method under any protocol: trained and judged fold by fold.

use super::judged::{Judged, Place, Said, SaidClasses};
use super::protocol::Splits;
use crate::classify::{Decision, Fitted, Predicts};
use crate::data::{Digest, Split, Task};
use crate::error::{Error, Result};
use crate::method::Method;
use crate::model::Model;
use crate::run::{Run, StopReason};

/// What a method said of the rows of every fold.
#[derive(Debug, Clone)]
pub struct Trial {
    /// What it said of the rows that were judged.
    pub judged: Judged,
    /// Whether all folds were judged.
    pub stop: StopReason,
}

impl Trial {
    /// How many folds were judged.
    pub fn folds(&self) -> usize {
        let places = self.judged.places.iter().map(|place| (place.repeat, place.fold));
        let mut folds: Vec<(u32, u32)> = places.collect();
        folds.dedup();
        folds.len()
    }
}

/// Trains a method on the training rows of every split and asks it about the test rows. Splits are
/// worked on in parallel; stopping keeps those that are done. Weights count where `weighted`.
pub fn out_of_sample(
    method: &dyn Method,
    task: &Task<'_>,
    splits: &Splits,
    weighted: bool,
    run: &Run<'_>,
) -> Result<Trial> {
    let run = run.task("folds", splits.len() as u64);
    let folds = run.pool.map(splits.len(), |at| {
        let split = splits.get(at);
        let said = unseen(method, task, &split, &run.child("fold", at as u64));
        run.watch.advance(1);
        said.map(|said| (split, said))
    });
    let mut judged = Judged { said: nothing(method, task)?, ..Judged::default() };
    judged.weights = weighted.then(Vec::new);
    let mut stop = StopReason::Finished;
    for (at, fold) in folds.into_iter().enumerate() {
        let (split, said) = match fold {
            Ok(done) => done,
            Err(Error::Stopped) => {
                stop = StopReason::Interrupted;
                continue;
            }
            Err(error) => return Err(error),
        };
        let part = task.with_rows(&split.test);
        let (fold, repeat) = splits.place(at);
        judged.places.extend(split.test.iter().map(|&row| Place { row, fold, repeat }));
        judged.weights.iter_mut().for_each(|weights| weights.extend(part.weights()));
        match &mut judged.said {
            Said::Classes(all) => {
                all.labels.extend(part.labels()?.1);
                all.proba.extend(said);
            }
            Said::Numbers { truth, predicted } => {
                truth.extend(part.numbers()?);
                predicted.extend(said);
            }
        }
    }
    if judged.places.is_empty() {
        return Err(Error::Stopped);
    }
    Ok(Trial { judged, stop })
}

/// Trains a method, or takes the model that an earlier run finished.
///
/// The key of the part holds the rows, targets and weights of the task, so that no caller can mix
/// up two trainings of one run.
pub fn train(method: &dyn Method, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<Model>> {
    if !run.shelf.is_open() {
        return method.train(task, run);
    }
    run.part(&format!("train {} {}", method.name(), identity(task)?), 0).resume(
        |bytes| Ok(Fitted { model: Model::from_bytes(bytes)?, stop: StopReason::Finished }),
        |fitted| match fitted.stop {
            StopReason::Finished => fitted.model.to_bytes().map(Some),
            StopReason::Interrupted => Ok(None),
        },
        || method.train(task, run),
    )
}

/// What tells a task of a run from its others: the features of a row are known by its number.
fn identity(task: &Task<'_>) -> Result<String> {
    let mut digest = Digest::default();
    task.features.fields().for_each(|field| digest.text(&field.name));
    digest.codes(&(0..task.rows()).map(|row| task.row_id(row) as u32).collect::<Vec<_>>());
    match task.labels() {
        Ok((_, labels)) => digest.codes(&labels),
        Err(_) => digest.numbers(&task.numbers()?),
    }
    digest.numbers(&task.weights());
    Ok(digest.finish())
}

/// What a method that is trained on one part of a split says of the other: the probabilities of
/// each row, one after the other, or numbers. A fold that was interrupted has no answer.
///
/// Where the training rows show a single class, it has the probability 1.
fn unseen(method: &dyn Method, task: &Task<'_>, split: &Split, run: &Run<'_>) -> Result<Vec<f64>> {
    if run.stop.requested() {
        return Err(Error::Stopped);
    }
    let learnt = task.with_rows(&split.train);
    if let Ok((classes, labels)) = learnt.labels()
        && let Some(only) = single(&labels)
    {
        let mut shares = vec![0.0; classes.len()];
        shares[only as usize] = 1.0;
        return Ok(shares.repeat(split.test.len()));
    }
    if !run.shelf.is_open() {
        return predictions(method, task, split, run);
    }
    // What is kept is what is said of the rows: models of folds are not needed again.
    let count = split.test.len() * learnt.labels().map_or(1, |(classes, _)| classes.len());
    let rows = identity(&task.with_rows(&split.test))?;
    run.part(&format!("judge {} {} {rows}", method.name(), identity(&learnt)?), 0).resume(
        |bytes| {
            let (values, rest) = bytes.as_chunks::<8>();
            let values: Vec<f64> = values.iter().map(|value| f64::from_le_bytes(*value)).collect();
            let sound = values.len() == count && values.iter().all(|value| value.is_finite());
            if sound && rest.is_empty() { Ok(values) } else { Err(Error::Stopped) }
        },
        |said| Ok(Some(said.iter().flat_map(|value| value.to_le_bytes()).collect())),
        || predictions(method, task, split, run),
    )
}

/// Trains on one part of a split and predicts the other.
fn predictions(
    method: &dyn Method,
    task: &Task<'_>,
    split: &Split,
    run: &Run<'_>,
) -> Result<Vec<f64>> {
    let fitted = method.train(&task.with_rows(&split.train), run)?;
    if fitted.stop == StopReason::Interrupted {
        return Err(Error::Stopped);
    }
    let rows = task.features.with_rows(&split.test);
    match method.predicts() {
        Predicts::Class => Ok(fitted.model.proba(rows)?.values().to_vec()),
        Predicts::Number => fitted.model.predict(rows),
    }
}

/// The class that all labels are of.
fn single(labels: &[u32]) -> Option<u32> {
    let first = *labels.first()?;
    labels.iter().all(|&label| label == first).then_some(first)
}

/// Predictions of no row yet.
fn nothing(method: &dyn Method, task: &Task<'_>) -> Result<Said> {
    if method.predicts() == Predicts::Number {
        task.numbers()?;
        return Ok(Said::default());
    }
    let (classes, _) = task.labels()?;
    Ok(Said::Classes(SaidClasses {
        classes: classes.clone(),
        labels: Vec::new(),
        proba: Vec::new(),
        decision: Decision::default(),
    }))
}

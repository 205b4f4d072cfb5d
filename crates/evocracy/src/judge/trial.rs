//! Any method under any protocol: trained and judged fold by fold.

use super::judged::{Judged, Place, Said, SaidClasses};
use super::protocol::Splits;
use crate::classify::{Fitted, Predicts};
use crate::data::{Column, Digest, Split, Task};
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
        let said = unseen(method, task, &splits.get(at), &run.child("fold", at as u64));
        run.watch.advance(1);
        said
    });
    let mut judged = Judged { said: nothing(method, task)?, ..Judged::default() };
    judged.weights = weighted.then(Vec::new);
    let mut stop = StopReason::Finished;
    for (at, fold) in folds.into_iter().enumerate() {
        let said = match fold {
            Ok(said) => said,
            Err(Error::Stopped) => {
                stop = StopReason::Interrupted;
                continue;
            }
            Err(error) => return Err(error),
        };
        // Made again: all splits at once may take the square of the rows.
        let test = &splits.get(at).test;
        let part = task.with_rows(test);
        let (fold, repeat) = splits.place(at);
        judged.places.extend(test.iter().map(|&row| Place { row, fold, repeat }));
        judged.weights.iter_mut().for_each(|weights| weights.extend(part.weights()));
        match &mut judged.said {
            Said::Classes(all) => {
                all.labels.extend(part.labels()?.1);
                all.proba.extend(said.values);
                all.calls.extend(said.calls);
            }
            Said::Numbers { truth, predicted } => {
                truth.extend(part.numbers()?);
                predicted.extend(said.values);
            }
        }
    }
    if judged.places.is_empty() {
        return Err(Error::Stopped);
    }
    Ok(Trial { judged, stop })
}

/// What a fold said: the probabilities of each row, one after the other, and its calls; or numbers.
struct SaidOfFold {
    values: Vec<f64>,
    calls: Vec<u32>,
}

impl SaidOfFold {
    fn to_bytes(&self) -> Vec<u8> {
        let values = self.values.iter().flat_map(|value| value.to_le_bytes());
        values.chain(self.calls.iter().flat_map(|call| call.to_le_bytes())).collect()
    }

    /// Of so many rows and classes; no classes for numbers. Nothing where the bytes are not that.
    fn from_bytes(bytes: &[u8], rows: usize, classes: usize) -> Option<Self> {
        let (values, calls) = bytes.split_at_checked(8 * rows * classes.max(1))?;
        let values = values.as_chunks::<8>().0.iter().map(|value| f64::from_le_bytes(*value));
        let (calls, rest) = calls.as_chunks::<4>();
        let calls = calls.iter().map(|call| u32::from_le_bytes(*call));
        let said = Self { values: values.collect(), calls: calls.collect() };
        let sound = match classes {
            0 => said.calls.is_empty() && said.values.iter().all(|value| value.is_finite()),
            k => {
                said.calls.len() == rows
                    && said.calls.iter().all(|&call| (call as usize) < k)
                    && said.values.iter().all(|value| (0.0..=1.0).contains(value))
            }
        };
        (sound && rest.is_empty()).then_some(said)
    }
}

/// Trains a method, or takes the model that an earlier run finished.
///
/// The key of the part holds the content of the task, and the parts of the training stand below
/// it, so that no two trainings of a run, or of two runs in one folder, can be mixed up.
///
/// The model recognises the rows of the task, so that it is known later what it was trained on; of
/// rules it knows which of these rows stand behind each.
pub fn train(method: &dyn Method, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<Model>> {
    let Fitted { model, stop } = trained(method, task, run)?;
    Ok(Fitted { model: model.having_seen(task).having_counted(task, run)?, stop })
}

fn trained(method: &dyn Method, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<Model>> {
    if !run.shelf.is_open() {
        return method.train(task, run);
    }
    let part = run.part(&format!("train {} {}", method.name(), identity(task)?), 0);
    part.resume(
        |bytes| {
            let model = Model::from_bytes(bytes)?;
            if fits(&model, task) {
                return Ok(Fitted { model, stop: StopReason::Finished });
            }
            Err(Error::model_file("it is a part of something else"))
        },
        |fitted| match fitted.stop {
            StopReason::Finished => fitted.model.to_bytes().map(Some),
            StopReason::Interrupted => Ok(None),
        },
        || method.train(task, &part),
    )
}

/// Whether a model can be that of a task.
fn fits(model: &Model, task: &Task<'_>) -> bool {
    let same_classes = match (model.classes(), task.labels()) {
        (Ok(own), Ok((classes, _))) => own == classes,
        (Err(_), Err(_)) => true,
        _ => false,
    };
    same_classes
        && (model.about().rows, model.about().target.as_str()) == (task.rows(), task.target_name())
        && model.schema().names().eq(task.features.fields().map(|field| field.name.as_str()))
}

/// A digest of all that can be learnt from a task.
pub(crate) fn identity(task: &Task<'_>) -> Result<String> {
    let mut digest = Digest::default();
    for column in 0..task.features.columns() {
        digest.text(&task.features.field(column).name);
        match task.features.gather(column) {
            Column::Number(values) => digest.numbers(&values),
            Column::Nominal(codes) => digest.codes(&codes),
        }
    }
    digest.codes(&(0..task.rows()).map(|row| task.row_id(row) as u32).collect::<Vec<_>>());
    match task.labels() {
        Ok((classes, labels)) => {
            classes.names().iter().for_each(|name| digest.text(name));
            digest.number(classes.positive() as u64);
            digest.codes(&labels);
        }
        Err(_) => digest.numbers(&task.numbers()?),
    }
    digest.numbers(&task.weights());
    Ok(digest.finish())
}

/// What a method that is trained on one part of a split says of the other. A fold that was
/// interrupted has no answer.
///
/// Where the training rows show a single class, it has the probability 1.
fn unseen(
    method: &dyn Method,
    task: &Task<'_>,
    split: &Split,
    run: &Run<'_>,
) -> Result<SaidOfFold> {
    if run.stop.requested() {
        return Err(Error::Stopped);
    }
    let learnt = task.with_rows(&split.train);
    if let Ok((classes, labels)) = learnt.labels()
        && let Some(only) = only_class(&labels)
    {
        let mut shares = vec![0.0; classes.len()];
        shares[only as usize] = 1.0;
        let rows = split.test.len();
        return Ok(SaidOfFold { values: shares.repeat(rows), calls: vec![only; rows] });
    }
    if !run.shelf.is_open() {
        return predictions(method, task, split, run);
    }
    // What is kept is what is said of the rows: models of folds are not needed again.
    let classes = match method.predicts() {
        Predicts::Class => learnt.labels()?.0.len(),
        Predicts::Number => 0,
    };
    let rows = identity(&task.with_rows(&split.test))?;
    let part = run.part(&format!("judge {} {} {rows}", method.name(), identity(&learnt)?), 0);
    part.resume(
        |bytes| {
            let said = SaidOfFold::from_bytes(bytes, split.test.len(), classes);
            said.ok_or_else(|| Error::unsuitable("a finished fold does not read back", ""))
        },
        |said| Ok(Some(said.to_bytes())),
        || predictions(method, task, split, &part),
    )
}

/// Trains on one part of a split and predicts the other.
fn predictions(
    method: &dyn Method,
    task: &Task<'_>,
    split: &Split,
    run: &Run<'_>,
) -> Result<SaidOfFold> {
    let Fitted { model, stop } = method.train(&task.with_rows(&split.train), run)?;
    if stop == StopReason::Interrupted {
        return Err(Error::Stopped);
    }
    let rows = task.features.with_rows(&split.test);
    if method.predicts() == Predicts::Number {
        return Ok(SaidOfFold { values: model.predict(rows)?, calls: Vec::new() });
    }
    let proba = model.proba(rows)?;
    let calls = model.calls(proba.values())?;
    Ok(SaidOfFold { values: proba.values().to_vec(), calls })
}

/// The class that all labels are of.
pub(crate) fn only_class(labels: &[u32]) -> Option<u32> {
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
        calls: Vec::new(),
    }))
}

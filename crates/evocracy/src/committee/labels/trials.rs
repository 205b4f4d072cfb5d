//! Rows that are held out in turn, what ways say of them, and what a blend of the ways would.

use super::blend::{Blend, HeldOut};
use super::law::{Law, logs, right};
use super::loglinear::few_of;
use super::network::Names;
use super::rows::{Experts, Rows, weights};
use super::ways::Way;
use crate::data::{Classes, Encoder, Encoding, Input, Schema, Split, Target, Task, folds};
use crate::error::{Error, Result};
use crate::run::{Run, Stop};

/// Folds of the training rows. All that is learnt from labels is learnt anew in each: how numbers
/// are cut, which labels there are, what they are votes for.
pub(super) struct Trials {
    folds: Vec<Fold>,
    /// The judged rows in the order of the folds, without what was said of them.
    pub judged: Rows,
}

struct Fold {
    experts: Experts,
    inputs: Schema,
    train: Rows,
    test: Rows,
}

/// What a way said of rows that it did not learn from.
pub(super) struct Trial {
    pub way: Way,
    laws: Vec<Law>,
    /// The probabilities of the classes, row after row in the order of the folds.
    pub probabilities: Vec<f64>,
    /// The log-likelihood of each row in nats.
    pub logs: Vec<f64>,
    /// Whether each of them is called rightly.
    pub right: Vec<bool>,
}

impl Trials {
    /// Folds of the rows, or of a sample of them where they are many; `None` where they are too few.
    pub fn new(task: &Task<'_>, count: usize, run: &Run<'_>) -> Result<Option<Self>> {
        let (classes, labels) = task.labels()?;
        let (kept, heavy) = weights(&task.weights());
        let labels: Vec<u32> = kept.iter().map(|&row| labels[row]).collect();
        let some = few_of(&labels, run)?.unwrap_or_else(|| (0..kept.len() as u32).collect());
        let count = count.min(some.len() / 2);
        if count < 2 {
            return Ok(None);
        }
        let pick = |&at: &u32| at as usize;
        let ids: Vec<u32> =
            some.iter().map(|at| task.features.row_id(kept[pick(at)]) as u32).collect();
        let table = task.features.with_rows(&ids).to_table()?;
        let labels: Vec<u32> = some.iter().map(|at| labels[pick(at)]).collect();
        let heavy: Vec<f64> = some.iter().map(|at| heavy[pick(at)]).collect();
        let target = Target::Class { codes: &labels, classes };
        let task = Task::new(table.view(), task.target_name(), target, Some(&heavy))?;
        let splits = folds(labels.len(), Some(&labels), count, run.seed.child("trials", 0))?;
        let each = run.pool.map(splits.len(), |at| Fold::new(&task, classes, &splits[at]));
        let folds = each.into_iter().collect::<Result<Vec<Fold>>>()?;
        let order: Vec<u32> = splits.into_iter().flat_map(|split| split.test).collect();
        let judged = Rows {
            states: Vec::new(),
            classes: classes.len(),
            codes: Vec::new(),
            labels: order.iter().map(|at| labels[pick(at)]).collect(),
            weights: order.iter().map(|at| heavy[pick(at)]).collect(),
        };
        Ok(Some(Self { folds, judged }))
    }

    /// Tries ways on all folds. Those that a stop kept from finishing are left out, and so are,
    /// with the reason, those that cannot learn from these rows.
    pub fn of(
        &self,
        ways: &[Way],
        names: &Names<'_>,
        smoothing: f64,
        run: &Run<'_>,
    ) -> (Vec<Trial>, Vec<(Way, Error)>) {
        let count = self.folds.len();
        let task = run.task("held-out rows", (ways.len() * count) as u64);
        let each = run.pool.map(ways.len() * count, |at| {
            let (way, fold) = (ways[at / count], &self.folds[at % count]);
            let names = Names { experts: &fold.experts, inputs: &fold.inputs, ..*names };
            if run.stop.requested() {
                return Err(Error::Stopped);
            }
            let run = run.child("fold", (at % count) as u64);
            let law = way.fit(&names, &fold.train, smoothing, &run)?;
            // A search that was cut short is not what its way can do.
            if run.stop.requested() && !way.is_counted() {
                return Err(Error::Stopped);
            }
            let said = law.probabilities(&fold.experts, &fold.test, None, run.stop)?;
            task.watch.advance(1);
            Ok((law, said))
        });
        let (mut trials, mut failed) = (Vec::new(), Vec::new());
        let mut each = each.into_iter();
        for &way in ways {
            let done: Vec<Result<_>> = each.by_ref().take(count).collect();
            match done.into_iter().collect::<Result<Vec<_>>>() {
                Ok(done) => {
                    let (laws, said): (Vec<Law>, Vec<Vec<f64>>) = done.into_iter().unzip();
                    trials.push(self.trial(way, laws, said.concat()));
                }
                Err(Error::Stopped) => {}
                Err(error) => failed.push((way, error)),
            }
        }
        (trials, failed)
    }

    fn trial(&self, way: Way, laws: Vec<Law>, probabilities: Vec<f64>) -> Trial {
        let (logs, right) =
            (logs(&self.judged, &probabilities), right(&self.judged, &probabilities));
        Trial { way, laws, probabilities, logs, right }
    }

    /// What a blend says of the rows of each fold, its weights learnt from those of the others;
    /// `None` where there are not two ways. That is nearly what it does on new rows: the ways behind
    /// the rows of the others have seen this fold, of which a few weights learn next to nothing.
    pub fn blend(&self, tried: &[Trial], stop: &Stop) -> Result<Option<Trial>> {
        if tried.len() < 2 {
            return Ok(None);
        }
        let held_out = self.held_out(&tried.iter().collect::<Vec<_>>());
        let (mut laws, mut said, mut start) = (Vec::new(), Vec::new(), 0);
        for (at, fold) in self.folds.iter().enumerate() {
            let end = start + fold.test.len();
            let others: Vec<usize> =
                (0..self.judged.len()).filter(|row| !(start..end).contains(row)).collect();
            stop.check()?;
            let weights = held_out.weights(&others);
            let each = tried.iter().map(|trial| trial.laws[at].clone()).collect();
            let law = Law::Blend(Blend::new(weights, each));
            said.extend(law.probabilities(&fold.experts, &fold.test, None, stop)?);
            laws.push(law);
            start = end;
        }
        Ok(Some(self.trial(Way::Blend, laws, said)))
    }

    /// The weights that all judged rows give the ways.
    pub fn weights(&self, tried: &[&Trial]) -> Vec<f64> {
        let all: Vec<usize> = (0..self.judged.len()).collect();
        self.held_out(tried).weights(&all)
    }

    fn held_out<'a>(&'a self, tried: &[&Trial]) -> HeldOut<'a> {
        HeldOut::new(&self.judged, tried.iter().map(|trial| &trial.probabilities[..]))
    }

    /// The columns as the training rows of a fold show them.
    #[cfg(test)]
    pub fn inputs(&self, fold: usize) -> &Schema {
        &self.folds[fold].inputs
    }

    /// The mean of a number for each judged row, by weight.
    pub fn mean(&self, values: &[f64]) -> f64 {
        let (mut sum, mut total) = (0.0, 0.0);
        for (value, weight) in values.iter().zip(&self.judged.weights) {
            sum += value * weight;
            total += weight;
        }
        sum / total
    }

    /// What silencing an expert costs, in bits a row: how much it adds.
    pub fn adds(&self, trial: &Trial, expert: usize, stop: &Stop) -> Result<f64> {
        let (mut lost, mut start) = (Vec::with_capacity(trial.logs.len()), 0);
        for (law, fold) in trial.laws.iter().zip(&self.folds) {
            stop.check()?;
            let all = &trial.logs[start..start + fold.test.len()];
            start += fold.test.len();
            if law.heeds(expert) {
                let less = law.probabilities(&fold.experts, &fold.test, Some(expert), stop)?;
                lost.extend(all.iter().zip(logs(&fold.test, &less)).map(|(all, less)| all - less));
            } else {
                lost.resize(start, 0.0);
            }
        }
        Ok(self.mean(&lost) / std::f64::consts::LN_2)
    }
}

impl Fold {
    /// Learns from the training rows what the columns are, and reads the others by that.
    fn new(task: &Task<'_>, classes: &Classes, split: &Split) -> Result<Self> {
        let train = task.with_rows(&split.train);
        let shown = train.shown();
        let conformed = shown.conform(train.features)?;
        let train = train.with_features(conformed.view());
        let encoder = Encoder::fit(Encoding::Auto, Input::Levels, &train)?;
        let encoded = encoder.encode(train.features)?;
        let (experts, rows) = Rows::new(&train.with_features(encoded.view()))?;
        let test = task.with_rows(&split.test);
        let conformed = shown.conform(test.features)?;
        let encoded = encoder.encode(conformed.view())?;
        let about = (classes.len(), test.labels()?.1, test.weights());
        let test = Rows::of(&experts, encoded.view(), about)?;
        Ok(Self { experts, inputs: encoder.output(&shown), train: rows, test })
    }
}

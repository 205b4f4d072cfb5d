//! What was said of judged rows, beside the truth: every figure of a report comes from here.

use super::remark::Remark;
use crate::classify::{Classifier, Decision, Proba};
use crate::data::{Classes, Task, View};
use crate::error::{Error, Result};
use crate::measure::{Confusion, Judgement, Regression};
use crate::model::Model;
use crate::run::Run;
use serde::Serialize;
use std::collections::BTreeMap;

/// What a method or model said of rows whose truth is known.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    /// The place of every judged row.
    pub places: Vec<Place>,
    /// The weight of every judged row, where rows have weights.
    pub weights: Option<Vec<f64>>,
    /// What was said.
    pub said: Said,
    /// What was noticed of the judged rows.
    pub remarks: Vec<Remark>,
}

/// Where a judged row stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Its row in the table.
    pub row: u32,
    /// The fold it was judged in.
    pub fold: u32,
    /// The repeat of the folds.
    pub repeat: u32,
}

/// Predictions beside the truth.
#[derive(Debug, Clone)]
pub enum Said {
    /// Of classes.
    Classes(SaidClasses),
    /// Of numbers.
    Numbers {
        /// The true number of every row.
        truth: Vec<f64>,
        /// The predicted one.
        predicted: Vec<f64>,
    },
}

impl Default for Said {
    fn default() -> Self {
        Self::Numbers { truth: Vec::new(), predicted: Vec::new() }
    }
}

/// Class probabilities beside the true classes.
#[derive(Debug, Clone)]
pub struct SaidClasses {
    /// The classes.
    pub classes: Classes,
    /// The true class of every row.
    pub labels: Vec<u32>,
    /// The probabilities, row after row.
    pub proba: Vec<f64>,
    /// The class that each row is called.
    pub calls: Vec<u32>,
}

/// What predictions are worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Figures {
    /// On classes.
    Classes(Box<Judgement>),
    /// On numbers.
    Numbers(Regression),
}

impl Figures {
    /// How many rows were judged.
    pub fn rows(&self) -> usize {
        match self {
            Self::Classes(judgement) => judgement.rows,
            Self::Numbers(regression) => regression.rows,
        }
    }

    /// The figures of classes.
    pub fn classes(&self) -> Option<&Judgement> {
        match self {
            Self::Classes(judgement) => Some(judgement),
            Self::Numbers(_) => None,
        }
    }
}

/// Scores of rows of which it is known whether they are positive.
#[derive(Debug, Clone)]
pub struct Scores {
    /// What they are scores of: the class, where there are several.
    pub class: Option<String>,
    /// Whether each row is positive.
    pub truth: Vec<bool>,
    /// The score of each row, higher for what looks more positive.
    pub scores: Vec<f64>,
    /// The weight of each row.
    pub weights: Option<Vec<f64>>,
    /// False and true positive rate of the calls.
    pub called: Option<(f64, f64)>,
}

impl Judged {
    /// As [`Judged::task`], in parts that are judged in parallel; [`Error::Stopped`] where the stop
    /// flag is raised meanwhile.
    pub fn task_in(model: &Model, task: &Task<'_>, weighted: bool, run: &Run<'_>) -> Result<Self> {
        let said = if model.is_classifier() {
            let classes = model.classes()?.clone();
            let proba = in_parts(model, task, classes.len(), run, |rows, out| {
                out.copy_from_slice(model.proba(rows)?.values());
                Ok(())
            })?;
            let calls = model.calls(&proba)?;
            Said::Classes(SaidClasses { classes, labels: task.labels()?.1, proba, calls })
        } else {
            let predicted =
                in_parts(model, task, 1, run, |rows, out| model.predict_into(rows, out, None))?;
            Said::Numbers { truth: task.numbers()?, predicted }
        };
        Ok(Self { weights: weighted.then(|| task.weights()), ..Self::of(task, said) })
    }

    /// What a model says of the rows of a task; weights count where `weighted`.
    pub fn task(model: &Model, task: &Task<'_>, weighted: bool) -> Result<Self> {
        let said = if model.is_classifier() {
            let proba = model.proba(task.features)?.into_values();
            let classes = model.classes()?.clone();
            let calls = model.calls(&proba)?;
            Said::Classes(SaidClasses { classes, labels: task.labels()?.1, proba, calls })
        } else {
            Said::Numbers { truth: task.numbers()?, predicted: model.predict(task.features)? }
        };
        Ok(Self { weights: weighted.then(|| task.weights()), ..Self::of(task, said) })
    }

    /// What a classifier without an encoder says of the rows of a task, whose columns are the
    /// inputs it was fitted to.
    pub fn classifier(classifier: &dyn Classifier, task: &Task<'_>) -> Result<Self> {
        let mut proba = Proba::new();
        classifier.proba_into(task.features, &mut proba)?;
        let (classes, proba) = (classifier.classes().clone(), proba.values().to_vec());
        let calls = Decision::default().calls(&proba, &classes);
        let labels = task.labels()?.1;
        let said = Said::Classes(SaidClasses { classes, labels, proba, calls });
        Ok(Self::of(task, said))
    }

    /// What was said of the rows of a task, without weights.
    fn of(task: &Task<'_>, said: Said) -> Self {
        Self { places: places(task), said, ..Self::default() }
    }

    /// How many rows were judged.
    pub fn rows(&self) -> usize {
        self.places.len()
    }

    /// What was said of classes.
    pub fn classes(&self) -> Option<&SaidClasses> {
        match &self.said {
            Said::Classes(said) => Some(said),
            Said::Numbers { .. } => None,
        }
    }

    /// The same rows and probabilities, called by another decision; an error where that does not fit
    /// the classes. Numbers stay as they are.
    pub fn called_by(mut self, decision: &Decision) -> Result<Self> {
        if let Said::Classes(said) = &mut self.said {
            decision.check(&said.classes)?;
            said.calls = decision.calls(&said.proba, &said.classes);
        }
        Ok(self)
    }

    /// True classes against called ones; an error for numbers.
    pub fn confusion(&self) -> Result<Confusion> {
        let Some(said) = self.classes() else {
            return Err(Error::unsuitable("numbers are not called right or wrong", ""));
        };
        Confusion::new(&said.labels, &said.calls, said.classes.len(), self.weights.as_deref())
    }

    /// The probabilities of all rows of a table in order, each judged once.
    pub fn in_row_order(&self, rows: usize) -> Result<Proba> {
        let (Some(said), true) = (self.classes(), self.rows() == rows) else {
            return Err(Error::unsuitable("not every row was judged once by classes", ""));
        };
        let mut all = Proba::new();
        all.reset(rows, said.classes.len());
        for (at, place) in self.places.iter().enumerate() {
            all.row_mut(place.row as usize).copy_from_slice(said.row(at));
        }
        Ok(all)
    }

    /// The figures. Rows that were judged repeatedly count once: figures are the means over the
    /// repeats, and so are their intervals. A repeat that was interrupted does not count beside
    /// whole ones.
    pub fn figures(&self) -> Result<Figures> {
        let each = self.whole_repeats().into_iter().map(|repeat| self.figures_of(repeat));
        let (mut classes, mut numbers) = (Vec::new(), Vec::new());
        for figures in each {
            match figures? {
                Figures::Classes(judgement) => classes.push(*judgement),
                Figures::Numbers(regression) => numbers.push(regression),
            }
        }
        Ok(match (classes.len(), numbers.len()) {
            (1, 0) => Figures::Classes(Box::new(classes.remove(0))),
            (0, 1) => Figures::Numbers(numbers.remove(0)),
            (_, 0) => Figures::Classes(Box::new(Judgement::mean(&classes)?)),
            _ => Figures::Numbers(Regression::mean(&numbers)),
        })
    }

    /// The repeats in which most rows were judged, in order.
    fn whole_repeats(&self) -> Vec<u32> {
        let mut rows: BTreeMap<u32, usize> = BTreeMap::new();
        for place in &self.places {
            *rows.entry(place.repeat).or_default() += 1;
        }
        let most = rows.values().max().copied();
        rows.into_iter().filter(|(_, rows)| Some(*rows) == most).map(|(repeat, _)| repeat).collect()
    }

    /// The figures of one repeat.
    fn figures_of(&self, repeat: u32) -> Result<Figures> {
        let rows = self.rows_of(repeat);
        let pick = |values: &[f64]| -> Vec<f64> { rows.iter().map(|&at| values[at]).collect() };
        let weights = self.weights.as_deref().map(pick);
        let weights = weights.as_deref();
        match &self.said {
            Said::Classes(said) => {
                let k = said.classes.len();
                let positive = said.classes.positive();
                // Rows that were judged once need no copy.
                if rows.len() == self.rows() {
                    let (labels, proba) = (&said.labels, &said.proba);
                    let judgement =
                        Judgement::of_calls(labels, proba, &said.calls, k, positive, weights)?;
                    return Ok(Figures::Classes(Box::new(judgement)));
                }
                let labels: Vec<u32> = rows.iter().map(|&at| said.labels[at]).collect();
                let of = |&at: &usize| said.row(at).iter().copied();
                let proba: Vec<f64> = rows.iter().flat_map(of).collect();
                let calls: Vec<u32> = rows.iter().map(|&at| said.calls[at]).collect();
                let judgement = Judgement::of_calls(&labels, &proba, &calls, k, positive, weights)?;
                Ok(Figures::Classes(Box::new(judgement)))
            }
            Said::Numbers { truth, predicted } => {
                Ok(Figures::Numbers(Regression::new(&pick(truth), &pick(predicted), weights)?))
            }
        }
    }

    /// The judged rows of one repeat.
    fn rows_of(&self, repeat: u32) -> Vec<usize> {
        (0..self.rows()).filter(|&at| self.places[at].repeat == repeat).collect()
    }

    /// The scores of the rows: of the positive class where there are two, else of each class
    /// against the rest. A class that the rows do not show, or that all have, has none. Of rows
    /// that were judged repeatedly, the first whole repeat counts.
    pub fn scores(&self) -> Vec<Scores> {
        let Said::Classes(said) = &self.said else { return Vec::new() };
        let (classes, k) = (&said.classes, said.classes.len());
        let first = self.whole_repeats().first().map_or(Vec::new(), |&repeat| self.rows_of(repeat));
        let weights: Option<Vec<f64>> =
            self.weights.as_ref().map(|weights| first.iter().map(|&at| weights[at]).collect());
        let of = |class: usize, name: Option<String>| {
            let truth: Vec<bool> =
                first.iter().map(|&at| said.labels[at] as usize == class).collect();
            let scores = first.iter().map(|&at| said.proba[at * k + class]).collect();
            let calls: Vec<bool> =
                first.iter().map(|&at| said.calls[at] as usize == class).collect();
            let called = (k == 2).then(|| rates(&truth, &calls, weights.as_deref())).flatten();
            let both = truth.contains(&true) && truth.contains(&false);
            let weights = weights.clone();
            both.then_some(Scores { class: name, truth, scores, weights, called })
        };
        if k == 2 {
            return of(classes.positive(), None).into_iter().collect();
        }
        let named = |(class, name): (usize, &String)| of(class, Some(name.clone()));
        classes.names().iter().enumerate().filter_map(named).collect()
    }
}

impl SaidClasses {
    /// The probabilities of one row.
    pub fn row(&self, at: usize) -> &[f64] {
        let k = self.classes.len();
        &self.proba[at * k..(at + 1) * k]
    }
}

/// `width` numbers for every row of a task, found part by part.
fn in_parts(
    model: &Model,
    task: &Task<'_>,
    width: usize,
    run: &Run<'_>,
    of: impl Fn(View<'_>, &mut [f64]) -> Result<()> + Sync,
) -> Result<Vec<f64>> {
    let (rows, width) = (task.rows(), width.max(1));
    run.reserve(&format!("judging {rows} rows of {width} classes"), &[2, rows, width])?;
    let part = model.rows_at_a_time();
    let ids: Vec<u32> = (0..rows).map(|row| task.features.row_id(row) as u32).collect();
    let mut values = vec![0.0; rows * width];
    let parts = values.chunks_mut(part * width).zip(ids.chunks(part));
    let mut parts: Vec<_> = parts.map(|(out, ids)| (out, ids, Ok(()))).collect();
    run.pool.each(&mut parts, |_, (out, ids, result)| {
        *result = run.stop.check().and_then(|()| of(task.features.with_rows(ids), out));
    });
    match parts.into_iter().try_for_each(|(_, _, result)| result) {
        Ok(()) => Ok(values),
        Err(Error::Stopped) => Err(Error::Stopped),
        // Asked for all rows at once, so that the error names the row of the table.
        Err(error) => of(task.features, &mut values).and(Err(error)),
    }
}

/// The rows of a task, judged at once.
fn places(task: &Task<'_>) -> Vec<Place> {
    let place = |row: usize| Place { row: task.row_id(row) as u32, fold: 0, repeat: 0 };
    (0..task.rows()).map(place).collect()
}

/// False and true positive rate of calls.
fn rates(truth: &[bool], calls: &[bool], weights: Option<&[f64]>) -> Option<(f64, f64)> {
    let mut sums = [[0.0; 2]; 2];
    for (at, (&truth, &call)) in truth.iter().zip(calls).enumerate() {
        sums[usize::from(truth)][usize::from(call)] += weights.map_or(1.0, |weights| weights[at]);
    }
    let rate = |[not, called]: [f64; 2]| Some(called / (not + called)).filter(|r| r.is_finite());
    Some((rate(sums[0])?, rate(sums[1])?))
}

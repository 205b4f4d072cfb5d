//! Figures of one data set on the folds of repeated cross-validations, one repeat for each seed.
//!
//! The training rows of two folds overlap, so differences between them are judged with the
//! corrected resampled t: C. Nadeau, Y. Bengio, "Inference for the generalization error", Machine
//! Learning 52 (2003) 239-281.

use super::Size;
use crate::Row;
use evocracy::data::{Dataset, Split, Task, folds};
use evocracy::error::{Error, Result};
use evocracy::judge::Judged;
use evocracy::measure::significance::{Alternative, corrected_t_folds};
use evocracy::method::make;
use evocracy::model::Model;
use evocracy::run::Run;

/// Parameters of a method and their values.
pub(super) type Settings<'a> = &'a [(&'a str, &'a str)];

/// Figures by seed, fold and place.
pub(super) struct Figures {
    values: Vec<Vec<Vec<f64>>>,
    folds: usize,
}

/// The rows of one fold and the surroundings of its work.
pub(super) struct Fold<'a> {
    pub(super) task: Task<'a>,
    pub(super) split: Split,
    pub(super) run: Run<'a>,
}

/// Measures the same figures on every fold.
pub(super) fn measure(
    data: &Dataset,
    size: Size,
    run: &Run<'_>,
    figures: impl Fn(&Fold<'_>) -> Result<Vec<f64>> + Sync,
) -> Result<Figures> {
    let task = data.task()?;
    let (_, labels) = task.labels()?;
    let count = size.seeds * size.folds;
    let watch = run.task(&data.name, count as u64).watch;
    let all = run.pool.map(count, |number| {
        let run = run.child(&data.name, (number / size.folds) as u64);
        let mut splits = folds(labels.len(), Some(&labels), size.folds, run.seed)?;
        let at = number % size.folds;
        let run = run.child("fold", at as u64);
        let values = figures(&Fold { task, split: splits.swap_remove(at), run });
        watch.advance(1);
        values
    });
    let all: Vec<Vec<f64>> = all.into_iter().collect::<Result<_>>()?;
    let values = all.chunks(size.folds).map(<[Vec<f64>]>::to_vec).collect();
    Ok(Figures { values, folds: size.folds })
}

impl Figures {
    /// The mean over the folds and its standard deviation over the seeds.
    pub(super) fn row(&self, name: String, unit: &'static str, figure: Figure) -> Row {
        let mean = |folds: &Vec<Vec<f64>>| {
            folds.iter().map(|values| figure.of(values)).sum::<f64>() / folds.len() as f64
        };
        Row::mean(name, &self.values.iter().map(mean).collect::<Vec<f64>>(), unit)
    }

    /// How many corrected standard errors the figure is from 0.
    pub(super) fn t(&self, name: String, figure: Figure) -> Result<Row> {
        let values: Vec<f64> = self.values.iter().flatten().map(|all| figure.of(all)).collect();
        let test = corrected_t_folds(&values, self.folds, Alternative::TwoSided)?;
        Ok(Row::new(name, test.t, "corrected standard errors"))
    }
}

/// A figure, or the first of two less the second, by their places.
#[derive(Debug, Clone, Copy)]
pub(super) enum Figure {
    At(usize),
    Difference(usize, usize),
}

impl Figure {
    fn of(self, values: &[f64]) -> f64 {
        match self {
            Self::At(at) => values[at],
            Self::Difference(first, second) => values[first] - values[second],
        }
    }
}

impl Fold<'_> {
    /// The same rows with surroundings of their own.
    pub(super) fn child(&self, name: &str, index: u64) -> Self {
        let run = self.run.child(name, index);
        Self { task: self.task, split: self.split.clone(), run }
    }

    /// The method trained on the training rows.
    pub(super) fn train(&self, method: &str, settings: Settings<'_>) -> Result<Model> {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let settings: Vec<(String, String)> = settings.iter().map(owned).collect();
        let task = self.task.with_rows(&self.split.train);
        Ok(make(method, &settings)?.train(&task, &self.run)?.model)
    }

    /// The class that a model calls each test row.
    pub(super) fn calls(&self, model: &Model) -> Result<Vec<u32>> {
        let judged = self.judged(model)?;
        let said = judged.classes();
        said.map(|said| said.calls.clone())
            .ok_or_else(|| Error::unsuitable("numbers are not called", ""))
    }

    /// The class of each test row.
    pub(super) fn truth(&self) -> Result<Vec<u32>> {
        Ok(self.task.with_rows(&self.split.test).labels()?.1)
    }

    /// The share of the test rows that a model calls wrongly.
    pub(super) fn error(&self, model: &Model) -> Result<f64> {
        Ok(self.judged(model)?.confusion()?.error())
    }

    fn judged(&self, model: &Model) -> Result<Judged> {
        Judged::task(model, &self.task.with_rows(&self.split.test), false)
    }
}

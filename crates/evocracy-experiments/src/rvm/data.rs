//! Data sets with their partitions, and what a machine reaches on them.

use evocracy::data::catalogue::{Catalogue, Load};
use evocracy::data::{Dataset, Split};
use evocracy::error::Result;
use evocracy::method::make;
use evocracy::model::{Core, Model};
use evocracy::run::Run;
use rand::seq::SliceRandom;
use std::path::PathBuf;

/// Partitions that widths are found on.
const TUNED: usize = 5;

/// Partitions of pima: Ripley's and random ones of the same sizes.
const PIMA: u64 = 10;

/// A data set and its partitions.
pub(super) struct Problem {
    data: Dataset,
    splits: Vec<Split>,
}

/// What a machine reached on one partition.
pub(super) struct Scores {
    pub(super) train: f64,
    pub(super) test: f64,
    pub(super) vectors: f64,
}

/// The folders of `EVOCRACY_DATA` and the embedded data sets.
pub(super) fn catalogue() -> Catalogue {
    let listed = std::env::var_os("EVOCRACY_DATA").unwrap_or_default();
    let folders: Vec<PathBuf> =
        std::env::split_paths(&listed).filter(|path| !path.as_os_str().is_empty()).collect();
    // Those of Raetsch lie in a folder of their own.
    let inner: Vec<PathBuf> = folders.iter().map(|folder| folder.join("raetsch")).collect();
    let all = folders.into_iter().chain(inner.into_iter().filter(|folder| folder.is_dir()));
    Catalogue::with_folders(all.collect())
}

impl Problem {
    pub(super) fn open(name: &str, run: &Run<'_>, quick: bool) -> Result<Self> {
        let data = catalogue().open(name, &Load::default())?;
        let mut splits = data.published.clone();
        if name == "pima" {
            let count = if quick { 3 } else { PIMA };
            splits.truncate(1);
            for number in 1..count {
                let mut rows: Vec<u32> = (0..data.table().rows() as u32).collect();
                rows.shuffle(&mut run.seed.child("pima", number).rng());
                let test = rows.split_off(splits[0].train.len());
                splits.push(Split { train: rows, test });
            }
        }
        Ok(Self { data, splits })
    }

    /// The median of the widths that cross-validation finds in the first partitions. On pima that
    /// is Ripley's one: the random ones train on rows that he tests on.
    pub(super) fn width(&self, run: &Run<'_>) -> Result<f64> {
        let tuned = if self.data.name == "pima" { 1 } else { TUNED.min(self.splits.len()) };
        let widths = run.pool.map(tuned, |number| {
            let run = run.child(&self.data.name, number as u64);
            Ok(width_of(&train(&self.data, &self.splits[number].train, &[], &run)?))
        });
        let mut widths: Vec<f64> = widths.into_iter().collect::<Result<_>>()?;
        widths.sort_unstable_by(f64::total_cmp);
        Ok(widths[widths.len() / 2])
    }

    /// Trains on every partition, on its first `most` training rows. With several resolutions there
    /// is one start, as the thesis has: from above a higher evidence by narrow kernels on every row
    /// tells new rows apart no better, and costs twice as much.
    pub(super) fn measure(
        &self,
        run: &Run<'_>,
        width: f64,
        levels: usize,
        most: usize,
    ) -> Result<Vec<Scores>> {
        let explore = (levels == 1).to_string();
        let (width, levels) = (width.to_string(), levels.to_string());
        let settings =
            [("width", width.as_str()), ("levels", levels.as_str()), ("explore", explore.as_str())];
        let scores = run.pool.map(self.splits.len(), |number| {
            let split = &self.splits[number];
            let rows = &split.train[..split.train.len().min(most)];
            let run = run.child(&self.data.name, number as u64);
            let model = train(&self.data, rows, &settings, &run)?;
            Ok(Scores {
                train: accuracy(&model, &self.data, rows)?,
                test: accuracy(&model, &self.data, &split.test)?,
                vectors: model.core().size()[0].1 as f64,
            })
        });
        scores.into_iter().collect()
    }
}

/// A relevance vector machine on some rows.
fn train(data: &Dataset, rows: &[u32], settings: &[(&str, &str)], run: &Run<'_>) -> Result<Model> {
    let settings: Vec<(String, String)> =
        settings.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    Ok(make("rvm", &settings)?.train(&data.task()?.with_rows(rows), run)?.model)
}

/// The width that a model has.
fn width_of(model: &Model) -> f64 {
    match model.core() {
        Core::Rvm(model) => model.width(),
        _ => f64::NAN,
    }
}

/// The share of some rows that a model calls rightly.
fn accuracy(model: &Model, data: &Dataset, rows: &[u32]) -> Result<f64> {
    let proba = model.proba(data.features().with_rows(rows))?;
    let (_, labels) = data.task()?.with_rows(rows).labels()?;
    let right = labels.iter().enumerate().filter(|(row, l)| proba.best(*row) == **l as usize);
    Ok(right.count() as f64 / labels.len() as f64)
}

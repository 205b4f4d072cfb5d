//! What relevance vector machines reach on the partitions of a data set.

use crate::sets::Problem;
use evocracy::classify::Learner;
use evocracy::data::Dataset;
use evocracy::error::Result;
use evocracy::judge::Judged;
use evocracy::kernel::{Inputs, Rvm};
use evocracy::method::make;
use evocracy::model::{Core, Model};
use evocracy::run::Run;

/// Partitions that widths are found on.
const TUNED: usize = 5;

/// What a machine reached on one partition.
pub(super) struct Scores {
    pub(super) train: f64,
    pub(super) test: f64,
    pub(super) vectors: f64,
}

/// The median of the widths that cross-validation finds in the first partitions. On pima that
/// is Ripley's one: the random ones train on rows that he tests on.
pub(crate) fn width(problem: &Problem, run: &Run<'_>) -> Result<f64> {
    let Problem { data, splits } = problem;
    let tuned = if data.name == "pima" { 1 } else { TUNED.min(splits.len()) };
    let widths = run.pool.map(tuned, |number| {
        let run = run.child(&data.name, number as u64);
        Ok(width_of(&train(data, &splits[number].train, &[], &run)?))
    });
    let mut widths: Vec<f64> = widths.into_iter().collect::<Result<_>>()?;
    widths.sort_unstable_by(f64::total_cmp);
    Ok(widths[widths.len() / 2])
}

/// The width that cross-validation finds in the training rows of the first partition, inputs as
/// they are.
pub(crate) fn raw_width(problem: &Problem, run: &Run<'_>) -> Result<f64> {
    let task = problem.data.task()?.with_rows(&problem.splits[0].train);
    let learner = Rvm::default().explore(false).rows(0).inputs(Inputs::All);
    Ok(learner.fit(&task, run)?.model.width())
}

/// Trains on every partition, on its first `most` training rows. With several resolutions there
/// is one start, as the thesis has: from above a higher evidence by narrow kernels on every row
/// tells new rows apart no better, and costs twice as much.
pub(super) fn measure(
    problem: &Problem,
    run: &Run<'_>,
    width: f64,
    levels: usize,
    most: usize,
) -> Result<Vec<Scores>> {
    let Problem { data, splits } = problem;
    let explore = (levels == 1).to_string();
    let (width, levels) = (width.to_string(), levels.to_string());
    let settings =
        [("width", width.as_str()), ("levels", levels.as_str()), ("explore", explore.as_str())];
    let scores = run.pool.map(splits.len(), |number| {
        let split = &splits[number];
        let rows = &split.train[..split.train.len().min(most)];
        let run = run.child(&data.name, number as u64);
        let model = train(data, rows, &settings, &run)?;
        let right = |rows: &[u32]| -> Result<f64> {
            let judged = Judged::task(&model, &data.task()?.with_rows(rows), false)?;
            Ok(judged.confusion()?.accuracy())
        };
        Ok(Scores {
            train: right(rows)?,
            test: right(&split.test)?,
            vectors: model.core().size()[0].1 as f64,
        })
    });
    scores.into_iter().collect()
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

//! What a front reaches on one partition.

use super::sets::Set;
use evocracy::classify::Learner;
use evocracy::data::{Split, Task};
use evocracy::error::{Error, Result};
use evocracy::front::FrontModel;
use evocracy::judge::Judged;
use evocracy::kernel::{Rvm, Width};
use evocracy::measure::{Rates, Roc, attained_area, log2_likelihood};
use evocracy::method::Method;
use evocracy::model::{Core, Model};
use evocracy::run::{Run, Seed};
use rand::seq::SliceRandom;

/// What one scheme reached.
#[derive(Debug, Clone, Default)]
pub(super) struct Scores {
    /// Of the point that is chosen, in percent.
    pub(super) accuracy: f64,
    pub(super) vectors: f64,
    /// Flattened on the training rows: their area, and that of the same points on the test rows.
    pub(super) train_area: f64,
    pub(super) test_area: f64,
    /// What all points attain on the test rows, which looks at their labels; and on test rows whose
    /// labels were permuted, where only looking helps.
    pub(super) archive_area: f64,
    pub(super) permuted_area: f64,
    /// The mean log-likelihood of the test rows, in nats; not of pictures.
    pub(super) log_likelihood: f64,
}

/// A front with its rates on the test rows.
pub(super) struct Judgement {
    pub(super) front: FrontModel,
    pub(super) test: Vec<[f64; 2]>,
    pub(super) positives: f64,
    pub(super) negatives: f64,
    /// Positive and negative training rows.
    pub(super) seen: [f64; 2],
}

/// The share of rows that rates call rightly, in percent.
fn accuracy(rates: [f64; 2], positives: f64, negatives: f64) -> f64 {
    100.0 * (rates[0] * positives + (1.0 - rates[1]) * negatives) / (positives + negatives)
}

fn area(rates: impl Iterator<Item = [f64; 2]>) -> Result<f64> {
    let points: Vec<Rates> = rates.map(|[tpr, fpr]| (fpr, tpr)).collect();
    attained_area(&points)
}

/// Trains a front on a partition and judges all its points on the test rows.
pub(super) fn front<L: Learner<Model = FrontModel> + Send + Sync + 'static>(
    set: &Set,
    split: &Split,
    learner: &L,
    run: &Run<'_>,
) -> Result<(Scores, Judgement)> {
    let task = set.data.task()?;
    let (train, test) = (task.with_rows(&split.train), task.with_rows(&split.test));
    let mut shuffled = positives(&test)?;
    let positive = shuffled.clone();
    shuffled.shuffle(&mut Seed::new(run.seed.value()).child("permuted", 0).rng());
    let (front, rates, permuted, log_likelihood) = if set.standardised {
        let model = learner.train(&train, run)?.model;
        let rates = model.point_rates(test.features, &positive)?;
        let Core::Front(front) = model.core() else { return Err(no_front()) };
        let front = front.clone();
        let permuted = model.point_rates(test.features, &shuffled)?;
        (front, rates, permuted, likelihood(&model, &test)?)
    } else {
        let front = learner.fit(&train, run)?.model;
        let rates = front.rates_on(test.features, &positive)?;
        let permuted = front.rates_on(test.features, &shuffled)?;
        (front, rates, permuted, f64::NAN)
    };
    let count = positive.iter().filter(|one| **one).count() as f64;
    let negatives = positive.len() as f64 - count;
    let points = front.points();
    let chosen = front.chosen();
    let scores = Scores {
        accuracy: accuracy(rates[chosen], count, negatives),
        vectors: front.vectors() as f64,
        train_area: points.training_area(f64::INFINITY)?,
        test_area: points.attained_area(&rates, f64::INFINITY)?,
        archive_area: area(rates.iter().copied())?,
        permuted_area: area(permuted.into_iter())?,
        log_likelihood,
    };
    let learnt = positives(&train)?;
    let found = learnt.iter().filter(|one| **one).count() as f64;
    let seen = [found, learnt.len() as f64 - found];
    Ok((scores, Judgement { front, test: rates, positives: count, negatives, seen }))
}

fn positives(task: &Task<'_>) -> Result<Vec<bool>> {
    let (classes, labels) = task.labels()?;
    Ok(labels.iter().map(|&label| label as usize == classes.positive()).collect())
}

fn no_front() -> Error {
    Error::unsuitable("this method made no front", "")
}

/// The mean log-likelihood of the test rows by the chosen point of a front, in nats.
fn likelihood(model: &Model, task: &Task<'_>) -> Result<f64> {
    let (_, labels) = task.labels()?;
    let proba = model.proba(task.features)?;
    let classes = model.classes()?.len();
    let bits = log2_likelihood(&labels, proba.values(), classes, None)?;
    Ok(bits * std::f64::consts::LN_2)
}

/// A relevance vector machine of some levels on a partition.
pub(super) fn machine(set: &Set, split: &Split, levels: usize, run: &Run<'_>) -> Result<Scores> {
    // The width of the subset is too narrow on purpose: one level is tuned to its rows.
    let tuned = levels == 1 && set.name == "banana-subset";
    let width = if tuned { Width::Auto } else { Width::Fixed(set.width) };
    let learner = Rvm::default().width(width).levels(levels).explore(levels == 1).rows(0);
    let task = set.data.task()?;
    let (train, test) = (task.with_rows(&split.train), task.with_rows(&split.test));
    let (judged, vectors, likelihood) = if set.standardised {
        let model = learner.train(&train, run)?.model;
        let judged = [Judged::task(&model, &train, false)?, Judged::task(&model, &test, false)?];
        (judged, model.core().size()[0].1, likelihood(&model, &test)?)
    } else {
        let model = learner.fit(&train, run)?.model;
        let judged = [Judged::classifier(&model, &train)?, Judged::classifier(&model, &test)?];
        (judged, model.sparse_sums()[0].vectors() as u64, f64::NAN)
    };
    let attained = |judged: &Judged| -> Result<f64> {
        let scores = judged.scores().into_iter().next().ok_or_else(no_front)?;
        Ok(Roc::new(&scores.truth, &scores.scores, None)?.conservative_auc())
    };
    Ok(Scores {
        accuracy: 100.0 * judged[1].confusion()?.accuracy(),
        vectors: vectors as f64,
        train_area: attained(&judged[0])?,
        test_area: attained(&judged[1])?,
        archive_area: f64::NAN,
        permuted_area: f64::NAN,
        log_likelihood: likelihood,
    })
}

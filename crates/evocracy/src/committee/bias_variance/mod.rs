//! Why a method errs: because it is wrong on average, or because it depends on its training rows.
//!
//! The method is trained on many training sets drawn from one pool of rows, and every test row is
//! predicted by all the models. What the models agree on against the truth is bias; what they
//! disagree on is variance. The truth of a test row is taken as it stands, so noise counts as bias.
//!
//! - Squared loss: S. Geman, E. Bienenstock, R. Doursat, "Neural networks and the bias/variance
//!   dilemma", Neural Computation 4 (1992) 1-58. See [`Squared`].
//! - 0-1 loss: P. Domingos, "A unified bias-variance decomposition and its applications", ICML
//!   2000; R. Kohavi, D. H. Wolpert, "Bias plus variance decomposition for zero-one loss
//!   functions", ICML 1996. See [`ZeroOne`].
//!
//! All are plug-in figures over the models at hand: each sums exactly to the mean loss of those
//! models; with few models variance is somewhat too low (by a factor `1 - 1 / sets` for squared
//! loss) and bias too high by the same amount.

mod squared;
mod zero_one;

pub use squared::Squared;
pub use zero_one::{KohaviWolpert, ZeroOne};

use crate::data::{Task, bootstrap, folds};
use crate::error::{Error, Result};
use crate::method::Method;
use crate::run::{Run, Seed, StopReason};
use serde::Serialize;
use squared::Moments;
use zero_one::Votes;

/// How often a bootstrap that shows one class only is drawn anew.
const TRIES: u64 = 100;

/// Where training sets come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sets {
    /// This many samples with replacement, each as large as the pool. They overlap, so variance
    /// looks lower than it would over fresh rows. A sample of a single class is drawn anew.
    Bootstrap(usize),
    /// The pool cut into this many parts of equal size, stratified by class: independent, but
    /// small.
    Disjoint(usize),
}

impl Sets {
    fn count(self) -> usize {
        match self {
            Self::Bootstrap(count) | Self::Disjoint(count) => count,
        }
    }
}

/// The error of a method taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BiasVariance {
    /// How many models it is reckoned from.
    pub sets: usize,
    /// Interrupted where the stop flag was raised before all sets were done.
    pub stop: StopReason,
    /// The 0-1 loss of the called classes; `None` for a numeric target.
    pub zero_one: Option<ZeroOne>,
    /// The squared loss of the probabilities (the Brier score), or of the predicted numbers.
    pub squared: Squared,
}

/// Takes the error of `method` apart: trained on `sets` drawn from `train`, judged on `test`.
///
/// Sets are trained in parallel; the result does not depend on the number of threads. When
/// stopped, it is reckoned from the models that were done; with fewer than two that is
/// [`Error::Stopped`].
pub fn bias_variance(
    method: &dyn Method,
    train: &Task<'_>,
    test: &Task<'_>,
    sets: Sets,
    run: &Run<'_>,
) -> Result<BiasVariance> {
    if !(2..=100_000).contains(&sets.count()) || test.rows() == 0 {
        return Err(Error::unsuitable(
            format!("{} training sets and {} test rows", sets.count(), test.rows()),
            "bias and variance need at least two sets and a test row",
        ));
    }
    let run = run.task("training sets", sets.count() as u64);
    let sampler = SetSampler::new(train, sets, run.seed)?;
    let mut sums = PredictionSums::new(test)?;
    let mut stop = StopReason::Finished;
    // A few at a time, so that not all predictions are kept; added in order of the sets, so that
    // it does not matter how many a few are.
    let few = 2 * run.pool.threads();
    for start in (0..sets.count()).step_by(few) {
        let done = run.pool.map(few.min(sets.count() - start), |i| {
            one(method, train, test, &sampler, start + i, &run)
        });
        for outcome in done {
            match outcome? {
                Some(predictions) => sums.add(&predictions)?,
                None => stop = StopReason::Interrupted,
            }
        }
        if stop == StopReason::Interrupted {
            break;
        }
    }
    sums.finish(test, stop)
}

/// The predictions of the model of one training set; `None` where the work was stopped.
fn one(
    method: &dyn Method,
    train: &Task<'_>,
    test: &Task<'_>,
    sampler: &SetSampler,
    set: usize,
    run: &Run<'_>,
) -> Result<Option<Vec<f64>>> {
    if run.stop.requested() {
        return Ok(None);
    }
    let rows = sampler.rows(set)?;
    let fitted = match method.train(&train.with_rows(&rows), &run.child("set", set as u64)) {
        Err(Error::Stopped) => return Ok(None),
        fitted => fitted?,
    };
    // Half-trained models would show another method's bias.
    if fitted.stop == StopReason::Interrupted {
        return Ok(None);
    }
    let predictions = if fitted.model.is_classifier() {
        fitted.model.proba(test.features)?.values().to_vec()
    } else {
        fitted.model.predict(test.features)?
    };
    run.watch.advance(1);
    Ok(Some(predictions))
}

/// Draws training sets.
struct SetSampler {
    /// Positions in the table of the rows of the pool.
    pool: Vec<u32>,
    /// Their classes, if they have any.
    labels: Option<Vec<u32>>,
    /// The parts of the pool, where they are disjoint.
    parts: Vec<Vec<u32>>,
    seed: Seed,
}

impl SetSampler {
    fn new(train: &Task<'_>, sets: Sets, seed: Seed) -> Result<Self> {
        train.check()?;
        let pool: Vec<u32> =
            (0..train.rows()).map(|row| train.features.row_id(row) as u32).collect();
        let labels = train.labels().ok().map(|(_, labels)| labels);
        let seed = seed.child("bias-variance", 0);
        let parts = match sets {
            Sets::Bootstrap(_) => Vec::new(),
            Sets::Disjoint(count) => folds(pool.len(), labels.as_deref(), count, seed)?
                .into_iter()
                .map(|fold| fold.test)
                .collect(),
        };
        Ok(Self { pool, labels, parts, seed })
    }

    /// Positions in the table of the rows of a set.
    fn rows(&self, set: usize) -> Result<Vec<u32>> {
        let chosen = match self.parts.get(set) {
            Some(part) => part.clone(),
            None => self.bootstrap(set as u64)?,
        };
        Ok(chosen.iter().map(|&row| self.pool[row as usize]).collect())
    }

    fn bootstrap(&self, set: u64) -> Result<Vec<u32>> {
        let seed = self.seed.child("bootstrap", set);
        for attempt in 0..TRIES {
            let drawn = bootstrap(self.pool.len(), seed.child("try", attempt))?.train;
            let one_class = self.labels.as_ref().is_some_and(|labels| {
                drawn.iter().all(|&row| labels[row as usize] == labels[drawn[0] as usize])
            });
            if !one_class {
                return Ok(drawn);
            }
        }
        Err(Error::unsuitable(
            format!("{TRIES} bootstraps in a row showed one class only"),
            "give a pool with more rows of the other classes",
        ))
    }
}

/// What is kept of the predictions so far.
struct PredictionSums {
    votes: Option<Votes>,
    moments: Moments,
}

impl PredictionSums {
    fn new(test: &Task<'_>) -> Result<Self> {
        match test.labels() {
            Ok((classes, labels)) => Ok(Self {
                votes: Some(Votes::new(&labels, classes.len())),
                moments: Moments::of_classes(&labels, classes.len()),
            }),
            Err(_) => Ok(Self { votes: None, moments: Moments::of_numbers(test.numbers()?) }),
        }
    }

    fn add(&mut self, predictions: &[f64]) -> Result<()> {
        self.moments.add(predictions)?;
        if let Some(votes) = &mut self.votes {
            votes.add(predictions);
        }
        Ok(())
    }

    fn finish(self, test: &Task<'_>, stop: StopReason) -> Result<BiasVariance> {
        if self.moments.sets() < 2 {
            return Err(Error::Stopped);
        }
        let weights = test.weights();
        if weights.iter().sum::<f64>() <= 0.0 {
            return Err(Error::unsuitable(
                "all test rows have the weight 0",
                "give some test rows weight",
            ));
        }
        Ok(BiasVariance {
            sets: self.moments.sets(),
            stop,
            zero_one: self.votes.map(|votes| votes.finish(&weights)),
            squared: self.moments.finish(&weights),
        })
    }
}

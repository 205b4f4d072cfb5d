//! The fits of a comparison: every method on every fold of every data set.

use super::entrant::Entrant;
use super::folded::Folded;
use super::metric::Metric;
use super::report::Asked;
use super::tune::{Tuning, tuned};
use crate::classify::{Fitted, Predicts};
use crate::data::{Classes, Split, Task};
use crate::error::{Error, Result};
use crate::judge::{Judged, Place, Said, SaidClasses, identity, only_class};
use crate::method::{Method, make};
use crate::run::{Pool, Run, Shelf, StopReason};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a method said of the rows of a fold.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Tried {
    /// The probabilities of each row, one after the other; or numbers.
    pub values: Vec<f64>,
    /// The class that each row is called; none for numbers.
    pub calls: Vec<u32>,
    /// How large the model is, in its own terms.
    pub size: Vec<(String, u64)>,
    /// How large its file would be; known for the first fold.
    pub bytes: Option<u64>,
    /// The seconds of fitting and of predicting, where there is a clock.
    pub seconds: Option<[f64; 2]>,
    /// The settings that were found, where parameters are tuned.
    pub tuned: Vec<(String, String)>,
}

/// How a fit ended.
#[derive(Debug)]
pub(super) enum End {
    /// It said something.
    Done(Box<Tried>),
    /// It could not be made.
    Failed(Error),
    /// It was not tried, because an earlier fold had failed.
    Skipped,
    /// The work was stopped before.
    Stopped,
}

/// The seconds that a method took on a data set, by the clock of the caller.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Spent {
    /// The data set.
    pub dataset: String,
    /// The method.
    pub method: String,
    /// How many fits there were.
    pub fits: usize,
    /// The mean seconds of a fit, parameters tuned where that was asked.
    pub fit_s: f64,
    /// The mean seconds of predicting the rows of a fold.
    pub predict_s: f64,
}

/// One fit: a data set, a method, a fold.
#[derive(Debug, Clone, Copy)]
struct Unit {
    set: usize,
    entrant: usize,
    split: usize,
}

/// All fits of a comparison.
pub(super) struct Trials<'a> {
    pub datasets: &'a [Folded],
    pub entrants: &'a [Entrant],
    pub asked: &'a Asked<'a>,
    /// What is compared by, and tuned for.
    pub by: Metric,
    /// Where a fit runs: on one thread, so that its seconds are its own.
    alone: Pool,
    /// The first fold in which each method failed on each set.
    failed: Vec<AtomicUsize>,
}

impl<'a> Trials<'a> {
    pub fn new(
        datasets: &'a [Folded],
        entrants: &'a [Entrant],
        asked: &'a Asked<'a>,
        by: Metric,
    ) -> Result<Self> {
        let failed = (0..datasets.len() * entrants.len()).map(|_| AtomicUsize::new(usize::MAX));
        let failed = failed.collect();
        Ok(Self { datasets, entrants, asked, by, alone: Pool::new(1)?, failed })
    }

    /// Set after set, repeat after repeat, method after method: what is finished early is of use
    /// together.
    fn units(&self) -> Vec<Unit> {
        let mut units = Vec::new();
        for (set, folded) in self.datasets.iter().enumerate() {
            for repeat in 0..folded.repeats {
                for entrant in 0..self.entrants.len() {
                    let splits = repeat * folded.folds..(repeat + 1) * folded.folds;
                    units.extend(splits.map(|split| Unit { set, entrant, split }));
                }
            }
        }
        units
    }

    /// How every fit ended: by set, method and fold. Fits are begun in order, on all threads.
    pub fn run(&self, run: &Run<'_>) -> Result<Vec<Vec<Vec<End>>>> {
        for folded in self.datasets {
            let classes = folded.data.classes().map_or(1, Classes::len);
            let rows = folded.data.table().rows() * folded.repeats;
            let what = format!("comparing on {rows} judged rows of {}", folded.data.name);
            run.reserve(&what, &[self.entrants.len(), rows, classes])?;
        }
        let units = self.units();
        let run = run.task("fits", units.len() as u64);
        let next = AtomicUsize::new(0);
        let mut ends = run.pool.map(units.len(), |_| {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let end = self.end(units[at], &run);
            run.watch.advance(1);
            (at, end)
        });
        ends.sort_by_key(|(at, _)| *at);
        let mut all: Vec<Vec<Vec<End>>> = self
            .datasets
            .iter()
            .map(|_| (0..self.entrants.len()).map(|_| Vec::new()).collect())
            .collect();
        for (at, end) in ends {
            let Unit { set, entrant, .. } = units[at];
            all[set][entrant].push(end);
        }
        Ok(all)
    }

    fn end(&self, unit: Unit, run: &Run<'_>) -> End {
        let first = &self.failed[unit.set * self.entrants.len() + unit.entrant];
        // A later fold would not change what is reported: the first failure.
        if first.load(Ordering::Relaxed) < unit.split {
            return End::Skipped;
        }
        let tried = run.stop.check().and_then(|()| self.attempt(unit, run));
        match tried {
            Ok(tried) => End::Done(Box::new(tried)),
            Err(Error::Stopped) => End::Stopped,
            Err(_) if run.stop.requested() => End::Stopped,
            Err(error) => {
                first.fetch_min(unit.split, Ordering::Relaxed);
                End::Failed(error)
            }
        }
    }

    /// Trains on the training rows of a fold and asks about the others. The seed is that of the
    /// fold, whatever else is compared.
    fn attempt(&self, unit: Unit, run: &Run<'_>) -> Result<Tried> {
        let folded = &self.datasets[unit.set];
        let task = folded.data.task()?;
        let split = folded.splits.get(unit.split);
        let learnt = task.with_rows(&split.train);
        if let Ok((classes, labels)) = learnt.labels()
            && let Some(only) = only_class(&labels)
        {
            // As in every cross-validation here: a single class is predicted.
            let rows = split.test.len();
            let mut shares = vec![0.0; classes.len()];
            shares[only as usize] = 1.0;
            let (values, calls) = (shares.repeat(rows), vec![only; rows]);
            return Ok(Tried { values, calls, ..Tried::default() });
        }
        let run = Run { pool: &self.alone, ..run.child("fold", unit.split as u64) };
        if !run.shelf.is_open() {
            return self.fit(unit, &task, &split, &run);
        }
        let entrant = &self.entrants[unit.entrant];
        let mut key = format!(
            "compare {} {:?} {:?} {} {} {} {}",
            entrant.name(),
            entrant.settings(),
            self.asked.tune,
            self.by.name(),
            unit.split == 0,
            identity(&learnt)?,
            identity(&task.with_rows(&split.test))?
        );
        // What is tuned depends on the groups.
        key.extend(folded.groups.as_ref().map(|column| format!(" groups {column}")));
        let classes = learnt.labels().map_or(0, |(classes, _)| classes.len());
        let broken = || Error::unsuitable("a finished fold does not read back", "");
        run.part(&key, 0).resume(
            |bytes| {
                let tried: Tried = rmp_serde::from_slice(bytes).map_err(|_| broken())?;
                let sound = tried.is_sound(split.test.len(), classes);
                if sound { Ok(tried) } else { Err(broken()) }
            },
            |tried| rmp_serde::to_vec(tried).map(Some).map_err(|_| broken()),
            || self.fit(unit, &task, &split, &run),
        )
    }

    fn fit(&self, unit: Unit, task: &Task<'_>, split: &Split, run: &Run<'_>) -> Result<Tried> {
        // A fold is kept whole or not at all.
        let run = Run { shelf: Shelf::none(), ..run.clone() };
        let entrant = &self.entrants[unit.entrant];
        let now = || self.asked.clock.map(|clock| clock());
        let learnt = task.with_rows(&split.train);
        let start = now();
        let mut found = Vec::new();
        let mut other: Option<Box<dyn Method>> = None;
        if let Some(candidates) = self.asked.tune {
            let groups = self.datasets[unit.set].group_of()?;
            let groups = groups.as_deref();
            let tuning = Tuning { entrant, by: self.by, candidates, groups };
            found = tuned(&tuning, &learnt, &run)?;
            if !found.is_empty() {
                let settings = [entrant.settings(), &found].concat();
                other = Some(make(entrant.name(), &settings)?);
            }
        }
        let method = match &other {
            Some(method) => method.as_ref(),
            None => entrant.method(),
        };
        let Fitted { model, stop } = method.train(&learnt, &run)?;
        if stop == StopReason::Interrupted {
            return Err(Error::Stopped);
        }
        let fitted = now();
        let rows = task.features.with_rows(&split.test);
        let (values, calls) = if method.predicts() == Predicts::Number {
            (model.predict(rows)?, Vec::new())
        } else {
            let values = model.proba(rows)?.into_values();
            let calls = model.calls(&values)?;
            (values, calls)
        };
        let seconds = start.zip(fitted).zip(now());
        let seconds = seconds.map(|((start, fitted), end)| [fitted - start, end - fitted]);
        let bytes = (unit.split == 0).then(|| model.to_bytes()).transpose()?;
        let size = model.core().size().into_iter().map(|(what, n)| (what.to_owned(), n)).collect();
        let bytes = bytes.map(|bytes| bytes.len() as u64);
        Ok(Tried { values, calls, size, bytes, seconds, tuned: found })
    }
}

impl Tried {
    /// Whether it can be what was said of so many rows and classes; no classes for numbers.
    fn is_sound(&self, rows: usize, classes: usize) -> bool {
        let seconds = self.seconds.is_none_or(|both| both.iter().all(|s| s.is_finite()));
        let values = self.values.len() == rows * classes.max(1);
        seconds
            && values
            && match classes {
                0 => self.calls.is_empty() && self.values.iter().all(|value| value.is_finite()),
                k => {
                    self.calls.len() == rows
                        && self.calls.iter().all(|&call| (call as usize) < k)
                        && self.values.iter().all(|value| (0.0..=1.0).contains(value))
                }
            }
    }
}

/// What a method said of the rows of some repeats, fold after fold, and where each fold ends.
pub(super) fn judged(
    folded: &Folded,
    tried: &[Option<&Tried>],
    repeats: &[u32],
) -> Result<(Judged, Vec<usize>)> {
    let task = folded.data.task()?;
    let mut judged = Judged { said: nothing(folded)?, ..Judged::default() };
    judged.weights = folded.data.weighted().then(Vec::new);
    let mut ends = Vec::new();
    for (at, tried) in tried.iter().enumerate() {
        let (fold, repeat) = folded.splits.place(at);
        let Some(tried) = tried.filter(|_| repeats.contains(&repeat)) else { continue };
        let test = &folded.splits.get(at).test;
        let part = task.with_rows(test);
        judged.places.extend(test.iter().map(|&row| Place { row, fold, repeat }));
        judged.weights.iter_mut().for_each(|weights| weights.extend(part.weights()));
        match &mut judged.said {
            Said::Classes(all) => {
                all.labels.extend(part.labels()?.1);
                all.proba.extend(&tried.values);
                all.calls.extend(&tried.calls);
            }
            Said::Numbers { truth, predicted } => {
                truth.extend(part.numbers()?);
                predicted.extend(&tried.values);
            }
        }
        ends.push(judged.places.len());
    }
    Ok((judged, ends))
}

/// Predictions of no row yet.
fn nothing(folded: &Folded) -> Result<Said> {
    let task = folded.data.task()?;
    Ok(match task.labels() {
        Err(_) => Said::default(),
        Ok((classes, _)) => Said::Classes(SaidClasses {
            classes: classes.clone(),
            labels: Vec::new(),
            proba: Vec::new(),
            calls: Vec::new(),
        }),
    })
}

//! The parameters of a method, evolved on training rows.
//!
//! Candidates come from an evolution over the method's table of parameters; the defaults are the
//! first. Each generation is judged by successive halving (K. Jamieson, A. Talwalkar, "Non-stochastic
//! best arm identification and hyperparameter optimization", AISTATS 2016): all of them on one inner
//! fold with a third of its training rows, the better half on that fold with all rows, the better
//! half of those on all inner folds. A candidate that was not judged on all folds is worse than any
//! that was. Settings that a method refuses, or fails with, are the worst.

use super::entrant::Entrant;
use super::figures::figures;
use super::metric::Metric;
use super::space::Settings;
use crate::data::{Split, Task, fold_numbers, grouped_fold_numbers};
use crate::error::{Error, Result};
use crate::evolve::vary::{Chance, Laplace, Sbx};
use crate::evolve::{Domain, Evolution, Goal, Single};
use crate::judge::{Splits, out_of_sample};
use crate::method::{make, registry};
use crate::run::Run;

/// Inner folds.
const FOLDS: usize = 3;
/// Candidates of a generation.
const BROOD: usize = 8;
/// The share of the training rows that the first rung learns from is one in so many.
const THIN: usize = 3;
/// Fewer rows than this are not thinned.
const FEW: usize = 100;

/// What a candidate is worth that was not tried: less than any that was.
const UNTRIED: f64 = -1e6;

/// What is tuned, for what, with so many candidates.
#[derive(Clone, Copy)]
pub(super) struct Tuning<'a> {
    pub entrant: &'a Entrant,
    pub by: Metric,
    pub candidates: usize,
    /// The group of every row of the table, where rows of a group stay together.
    pub groups: Option<&'a [u32]>,
}

/// The best settings found, as far as they differ from the defaults; none where there is nothing
/// to tune.
pub(super) fn tuned(
    tuning: &Tuning<'_>,
    task: &Task<'_>,
    run: &Run<'_>,
) -> Result<Vec<(String, String)>> {
    let name = tuning.entrant.name();
    let base = name.split(':').next().unwrap_or(name);
    let entry = registry().into_iter().find(|entry| entry.name == base);
    let table = entry.map(|entry| (entry.table)()).unwrap_or_default();
    let settings = Settings::new(&table, tuning.entrant.settings());
    if settings.is_empty() || task.rows() < 2 * FOLDS {
        return Ok(Vec::new());
    }
    let run = run.child("tune", 0);
    let rungs = Rungs::new(tuning, task, &run)?;
    let brood = BROOD.min(tuning.candidates);
    let cross = Chance { p: 0.9, of: Sbx::new(5.0) };
    let space = settings.domain().vary(cross, Laplace::new(0.15, 0.3));
    let strategy = Single::plus(brood, brood);
    let search = Evolution::<_, _, ()>::new(space, strategy, &[Goal::Maximise], run.seed.value())?;
    let mut search = search.start(vec![settings.defaults()])?;
    for count in generations(tuning.candidates, brood) {
        run.stop.check()?;
        let mut candidates: Vec<Vec<(String, String)>> =
            search.ask()?.iter().map(|genome| settings.settings(genome)).collect();
        let all = candidates.len();
        candidates.truncate(count);
        let mut merits = rungs.merits(&candidates, &run)?;
        // Those beyond the number that was asked for are not tried.
        merits.resize(all, UNTRIED);
        search.tell(&merits)?;
    }
    let best = search.best().map(|best| settings.settings(best.genome));
    Ok(best.unwrap_or_default())
}

/// How many candidates of each generation are tried.
fn generations(candidates: usize, brood: usize) -> impl Iterator<Item = usize> {
    (0..candidates).step_by(brood).map(move |tried| brood.min(candidates - tried))
}

/// The rungs of successive halving, from the cheapest up.
struct Rungs<'a> {
    tuning: &'a Tuning<'a>,
    task: &'a Task<'a>,
    /// Each with fewer candidates than the one before.
    steps: Vec<Splits>,
}

impl<'a> Rungs<'a> {
    fn new(tuning: &'a Tuning<'a>, task: &'a Task<'a>, run: &Run<'_>) -> Result<Self> {
        let labels = task.labels().map(|(_, labels)| labels).ok();
        let folds = match tuning.groups {
            None => fold_numbers(task.rows(), labels.as_deref(), FOLDS, run.seed)?,
            Some(groups) => {
                let own: Vec<u32> = (0..task.rows()).map(|row| groups[task.row_id(row)]).collect();
                grouped_fold_numbers(&own, labels.as_deref(), FOLDS, run.seed)?
            }
        };
        // Splits hold positions in the table, the numbers of folds those in the task.
        let ids = |rows: Vec<u32>| -> Vec<u32> {
            rows.into_iter().map(|row| task.row_id(row as usize) as u32).collect()
        };
        let of = |fold: usize| {
            let Split { train, test } = Split::of_fold(&folds, fold as u32);
            Split { train: ids(train), test: ids(test) }
        };
        let all: Vec<Split> = (0..FOLDS).map(of).collect();
        let mut steps = Vec::new();
        if task.rows() >= FEW {
            // One in so many of each class, in the order of the rows.
            let first = Split::of_fold(&folds, 0);
            let mut seen = vec![0_usize; labels.as_ref().map_or(1, |of| most(of) + 1)];
            let class = |row: u32| labels.as_ref().map_or(0, |of| of[row as usize] as usize);
            let thinned = first.train.into_iter().filter(|&row| {
                seen[class(row)] += 1;
                (seen[class(row)] - 1).is_multiple_of(THIN)
            });
            let train = ids(thinned.collect());
            steps.push(Splits::given(vec![Split { train, test: all[0].test.clone() }], 1));
        }
        steps.push(Splits::given(all[..1].to_vec(), 1));
        steps.push(Splits::given(all, FOLDS));
        Ok(Self { tuning, task, steps })
    }

    /// What each of some candidates is worth: higher is better, and who came farther is better.
    fn merits(&self, candidates: &[Vec<(String, String)>], run: &Run<'_>) -> Result<Vec<f64>> {
        let mut merits = vec![f64::NEG_INFINITY; candidates.len()];
        let mut left: Vec<usize> = (0..candidates.len()).collect();
        for (rung, splits) in self.steps.iter().enumerate() {
            run.stop.check()?;
            let missing = (self.steps.len() - 1 - rung) as f64;
            let run = run.child("rung", rung as u64);
            let mut found = Vec::new();
            for &at in &left {
                // The same seed for all: candidates differ in nothing else.
                let value = match self.value(&candidates[at], splits, &run) {
                    Ok(value) => value,
                    Err(Error::Stopped) => return Err(Error::Stopped),
                    Err(_) => None,
                };
                let squeezed = value.map_or(-2.0, |value| value / (1.0 + value.abs()));
                merits[at] = squeezed - 4.0 * missing;
                found.push((at, squeezed));
            }
            // Stable, so that among equals the earlier one goes on.
            found.sort_by(|a, b| b.1.total_cmp(&a.1));
            left = found.iter().map(|(at, _)| *at).take(found.len().div_ceil(2)).collect();
        }
        Ok(merits)
    }

    /// What settings are worth on the folds of a rung; nothing where that cannot be told.
    fn value(
        &self,
        settings: &[(String, String)],
        splits: &Splits,
        run: &Run<'_>,
    ) -> Result<Option<f64>> {
        let Tuning { entrant, by, .. } = *self.tuning;
        let method = make(entrant.name(), &[entrant.settings(), settings].concat())?;
        // Rows weigh in judging as they do in learning.
        let trial = out_of_sample(method.as_ref(), self.task, splits, true, run)?;
        if run.stop.requested() {
            return Err(Error::Stopped);
        }
        let figures = figures(&trial.judged, &[trial.judged.rows()], 1)?;
        Ok(figures.get(&by).map(|report| by.merit(report.value)))
    }
}

/// The largest of some codes.
fn most(codes: &[u32]) -> usize {
    codes.iter().max().map_or(0, |most| *most as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_settings_are_tried_as_are_asked_for() {
        for (candidates, tried) in
            [(2, vec![2]), (8, vec![8]), (9, vec![8, 1]), (20, vec![8, 8, 4]), (32, vec![8; 4])]
        {
            let found: Vec<usize> = generations(candidates, BROOD.min(candidates)).collect();
            assert_eq!(found, tried);
        }
    }
}

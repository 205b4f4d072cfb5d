//! From rows to mixtures: cross-validation of the price, several searches, what is known about them.

use super::condition::Prices;
use super::family::Family;
use super::progress::{BriefSearches, Progress, Steps};
use super::rows::BinnedRows;
use super::search::{Epoch, RuleSearch};
use super::settings::SearchSettings;
use super::state::{MixtureRule, MixtureState, TrainingSet};
use crate::data::Task;
use crate::error::Result;
use crate::num::bits;
use crate::run::{Run, Stop, StopReason};
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use std::f64::consts::LN_2;

/// Prices to choose from, the highest first.
const PRICES: [f64; 4] = [2.4, 1.2, 0.6, 0.3];
/// Folds of the cross-validation that chooses the price.
const FOLDS: usize = 5;
/// Where the number of epochs is not given, all of them together visit about so many cells of the
/// table (half as many for twice the classes) ...
const WORK: usize = 25_000_000;
/// ... where a bin of a number column, which may bound a range, counts as so many cells ...
const BIN: usize = 200;
/// ... and there are at least and at most so many epochs.
const EPOCHS: (usize, usize) = (30, 1000);
/// A search that was stopped before it had a rule still makes a few climbs, of about so much work ...
const LAST_WORK: usize = 50_000_000;
/// ... with at least and at most so many looks at the stop flag, one for each step ...
const LAST_LOOKS: (usize, usize) = (6, 400);
/// ... until so many in a row found none.
const LAST_CLIMBS: usize = 10;
/// A price is clearly worse when it is worse by so many standard errors.
const CLEARLY: f64 = 1.5;

/// Rows to learn from and their outcomes.
pub(super) struct MixtureData<F> {
    pub(super) rows: BinnedRows,
    pub(super) weights: Vec<f64>,
    pub(super) family: F,
    /// The weight that each row has in each fold of the cross-validation.
    folds: Vec<Vec<f64>>,
}

/// What training found out beside the rules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Notes {
    /// The factor on the description length of rules.
    pub(super) price: f64,
    /// The share of the training rows that the default alone answers.
    pub(super) unmatched: f64,
    /// What dropping the tests of each column costs, in bits for each training row.
    pub(super) importance: Vec<f64>,
    /// For each rule, how much of its rows it shares with the nearest rule of other searches.
    pub(super) stability: Vec<f64>,
    /// The search that was kept, or the first of those that were averaged.
    pub(super) curve: Vec<Epoch>,
}

/// Members of the mixtures that were kept, and notes about them.
pub(super) struct Learnt {
    pub(super) mixtures: Vec<Vec<MixtureRule>>,
    pub(super) notes: Notes,
    pub(super) stop: StopReason,
}

/// The price that cross-validation chose.
struct ChosenPrice {
    price: f64,
    /// The sum of the held-out scores, and that of every row in every fold.
    score: f64,
    scores: Vec<f64>,
    /// The rules found without each of the folds.
    sets: Vec<Vec<MixtureRule>>,
}

impl ChosenPrice {
    /// The first price, as long as none was tried.
    fn first(prices: &[f64]) -> Self {
        let (scores, sets) = (Vec::new(), Vec::new());
        Self { price: prices[0], score: f64::NEG_INFINITY, scores, sets }
    }
}

/// What one search found.
#[derive(Serialize, Deserialize)]
struct SearchResult {
    members: Vec<MixtureRule>,
    objective: f64,
    curve: Vec<Epoch>,
    importance: Vec<f64>,
    unmatched: f64,
}

impl<F: Family> MixtureData<F> {
    /// The rows of a task with positive weight, equal ones merged; `family` is given the first row of
    /// each.
    pub(super) fn new(
        task: &Task<'_>,
        weights: &[f64],
        cuts: usize,
        run: &Run<'_>,
        outcome: impl Fn(u32) -> u64,
        family: impl FnOnce(&[u32]) -> F,
    ) -> Self {
        let used: Vec<u32> =
            (0..weights.len() as u32).filter(|&row| weights[row as usize] > 0.0).collect();
        let (rows, merged) = BinnedRows::new(task.features, &used, cuts + 1, outcome);
        let weights: Vec<f64> = used.iter().map(|&row| weights[row as usize]).collect();
        let mut first = vec![u32::MAX; rows.len()];
        let mut total = vec![0.0; rows.len()];
        for (at, &to) in merged.iter().enumerate() {
            total[to as usize] += weights[at];
            first[to as usize] = first[to as usize].min(used[at]);
        }
        let mut order: Vec<usize> = (0..used.len()).collect();
        order.shuffle(&mut run.seed.child("held", 0).rng());
        let mut folds = vec![vec![0.0; rows.len()]; FOLDS];
        for (turn, at) in order.into_iter().enumerate() {
            folds[turn % FOLDS][merged[at] as usize] += weights[at];
        }
        Self { rows, weights: total, family: family(&first), folds }
    }

    /// Learns with the price and the prior that cross-validation prefers; `set_prior` gives the
    /// family one of the `priors`.
    pub(super) fn learn<T: Copy>(
        &mut self,
        priors: &[T],
        set_prior: impl Fn(&mut F, T),
        settings: SearchSettings,
        run: &Run<'_>,
    ) -> Result<Learnt> {
        let settings = self.with_epochs(settings);
        let run = run.task("rules", 0);
        let progress = Progress::new(&run.watch, settings);
        let prices = if settings.price == 0.0 { &PRICES[..] } else { &[settings.price] };
        let mut best = (priors[0], ChosenPrice::first(prices));
        // With one prior and one price there is nothing to choose.
        if priors.len() > 1 || prices.len() > 1 {
            for (at, &prior) in priors.iter().enumerate() {
                set_prior(&mut self.family, prior);
                let run = run.part("prior", at as u64);
                let later = priors.len() - 1 - at;
                let chosen = self.cross_validate(prices, settings, &run, (&progress, later))?;
                if chosen.score > best.1.score {
                    best = (prior, chosen);
                }
                if run.stop.requested() {
                    break;
                }
            }
        }
        let (prior, chosen) = best;
        set_prior(&mut self.family, prior);
        self.search(chosen, settings, &run, &progress)
    }

    /// The same settings, with a number of epochs.
    fn with_epochs(&self, settings: SearchSettings) -> SearchSettings {
        if settings.epochs > 0 {
            return settings;
        }
        let epochs = (WORK / self.effort().max(1)).clamp(EPOCHS.0, EPOCHS.1);
        SearchSettings { epochs, ..settings }
    }

    /// How much work a pass over the table is, in cells.
    fn effort(&self) -> usize {
        let columns = &self.rows.columns;
        let cells = self.rows.len() * columns.len() * self.family.stats_len() / 2;
        let numbers = columns.iter().filter(|binned| binned.cuts.is_some() && binned.bins > 2);
        cells + BIN * numbers.map(|binned| binned.bins).sum::<usize>()
    }

    /// Searches at the chosen price. If the run is to stop already, keeps the best rules of the
    /// cross-validation.
    fn search(
        &self,
        chosen: ChosenPrice,
        settings: SearchSettings,
        run: &Run<'_>,
        progress: &Progress,
    ) -> Result<Learnt> {
        let ChosenPrice { mut price, sets, .. } = chosen;
        let prices = Prices::new(&self.rows, self.weights.iter().sum(), price);
        let found = run.pool.map(settings.searches, |at| {
            let run = run.child("search", at as u64);
            let data = self.training_set(&self.weights, &prices, &run);
            let sound = |found: &mut SearchResult| {
                found.importance.len() == self.rows.columns.len()
                    && self.restore(&mut found.members)
            };
            run.resume_value(sound, || {
                let mut search = RuleSearch::new(&data, settings, &run);
                if run.stop.requested() {
                    search.take_best(&sets);
                } else {
                    search.evolve(&run, &|steps, epochs, members| {
                        progress.after_epoch(at, steps, epochs, members);
                    });
                    progress.after_search(at);
                }
                SearchResult::new(search)
            })
        });
        let mut found: Vec<SearchResult> = found.into_iter().collect::<Result<_>>()?;
        let bare = |found: &SearchResult| found.members.len() == 1;
        if run.stop.requested()
            && found.iter().all(bare)
            && let Some(first) = self.first_rules(settings, run)
        {
            (found[0], price) = first;
        }
        found.sort_by(|a, b| b.objective.total_cmp(&a.objective));
        let stability = self.stability(&found);
        let kept = if settings.average { found.len() } else { 1 };
        found.truncate(kept);
        let mean =
            |of: &dyn Fn(&SearchResult) -> f64| found.iter().map(of).sum::<f64>() / kept as f64;
        let columns = 0..self.rows.columns.len();
        let notes = Notes {
            price,
            unmatched: mean(&|found| found.unmatched),
            importance: columns.map(|at| mean(&|found| found.importance[at])).collect(),
            stability,
            curve: found[0].curve.clone(),
        };
        let requested = run.stop.requested();
        let stop = if requested { StopReason::Interrupted } else { StopReason::Finished };
        let mixtures = found.into_iter().map(|found| found.members).collect();
        Ok(Learnt { mixtures, notes, stop })
    }

    /// Gives rules that were read from a file the rows they apply to; whether they are sound.
    fn restore(&self, members: &mut [MixtureRule]) -> bool {
        let [default, ..] = members else { return false };
        let (width, tests) = (default.params.len(), default.condition.tests.len());
        let sound = |rule: &MixtureRule| {
            rule.condition.is_sound(&self.rows)
                && rule.params.len() == width
                && rule.params.iter().chain([&rule.gating, &rule.price]).all(|v| v.is_finite())
        };
        let (mut stats, mut params) = (vec![0.0; self.family.stats_len()], Vec::new());
        self.family.add_stats(0, 1.0, &mut stats);
        self.family.fit(&stats, &mut params);
        if tests > 0 || width != params.len() || !members.iter().all(sound) {
            return false;
        }
        for rule in members {
            rule.covered = self.rows.covered_by(&rule.condition);
        }
        true
    }

    fn training_set<'a>(
        &'a self,
        weights: &'a [f64],
        prices: &'a Prices,
        run: &Run<'a>,
    ) -> TrainingSet<'a, F> {
        let (stop, steps) = (run.stop, Steps::new(&run.watch));
        TrainingSet { rows: &self.rows, weights, family: &self.family, prices, stop, steps }
    }

    /// What a few climbs find at the lowest price, where the work was stopped before there was a rule,
    /// and that price. They end after so many steps that nobody waits longer than a moment.
    fn first_rules(&self, settings: SearchSettings, run: &Run<'_>) -> Option<(SearchResult, f64)> {
        let price = if settings.price == 0.0 { PRICES[PRICES.len() - 1] } else { settings.price };
        let looks = (LAST_WORK / self.effort().max(1)).clamp(LAST_LOOKS.0, LAST_LOOKS.1);
        let stop = Stop::after(looks as u32);
        let run = Run { stop: &stop, ..run.child("first", 0) };
        let prices = Prices::new(&self.rows, self.weights.iter().sum(), price);
        let data = self.training_set(&self.weights, &prices, &run);
        let mut search = RuleSearch::new(&data, settings, &run);
        search.grow_first(LAST_CLIMBS, &run);
        let found = search.state.members.len() > 1;
        found.then(|| (SearchResult::new(search), price))
    }

    /// The price with the best held-out score, after a brief search in each fold. Prices are tried
    /// from the highest on, until one is clearly worse than the best.
    fn cross_validate(
        &self,
        prices: &[f64],
        settings: SearchSettings,
        run: &Run<'_>,
        (progress, priors_left): (&Progress, usize),
    ) -> Result<ChosenPrice> {
        let weights: Vec<f64> = self.folds.iter().flatten().copied().collect();
        let mut best = ChosenPrice::first(prices);
        for (at, &price) in prices.iter().enumerate() {
            let run = run.part("price", price.to_bits());
            let later = prices.len() - 1 - at + priors_left * prices.len();
            let brief = progress.brief(FOLDS * (later + 1));
            let without = |fold| self.without(fold, price, settings, &run, &brief);
            let found = run.pool.map(FOLDS, without);
            let found: Vec<_> = found.into_iter().collect::<Result<_>>()?;
            let (scores, sets): (Vec<_>, Vec<_>) = found.into_iter().unzip();
            let scores: Vec<f64> = scores.into_iter().flatten().collect();
            let score = scores.iter().zip(&weights).map(|(score, weight)| score * weight).sum();
            if score > best.score {
                best = ChosenPrice { price, score, scores, sets };
            } else if clearly_worse(&best.scores, &scores, &weights) {
                break;
            }
            if run.stop.requested() {
                break;
            }
        }
        Ok(best)
    }

    /// Rules learnt without a fold, and the score of every row under them.
    fn without(
        &self,
        fold: usize,
        price: f64,
        settings: SearchSettings,
        run: &Run<'_>,
        brief: &BriefSearches<'_>,
    ) -> Result<(Vec<f64>, Vec<MixtureRule>)> {
        let all = self.weights.iter().zip(&self.folds[fold]);
        // A row that is held back as a whole leaves nothing but rounding.
        let rest =
            |(all, held): (&f64, &f64)| if all - held > 1e-9 * all { all - held } else { 0.0 };
        let weights: Vec<f64> = all.map(rest).collect();
        let prices = Prices::new(&self.rows, weights.iter().sum(), price);
        let run = run.child("price", fold as u64);
        let data = self.training_set(&weights, &prices, &run);
        let sound = |(scores, members): &mut (Vec<f64>, Vec<MixtureRule>)| {
            scores.len() == self.rows.len() && self.restore(members)
        };
        run.resume_value(sound, || {
            let mut search = RuleSearch::new(&data, settings, &run);
            search.initialise(&run);
            let state = search.state;
            brief.done(data.steps.own(), state.members.len());
            let score = |(row, params): (usize, &[f64])| {
                let density = state.numerator[row] / state.denominator[row];
                self.family.held_out_score(params, density, row)
            };
            let means = state.mean_params();
            let rows = means.chunks_exact(state.members[0].params.len());
            (rows.enumerate().map(score).collect(), state.members)
        })
    }

    /// For each rule of the best search, the share of rows it has in common with the nearest rule
    /// that predicts about the same (Jaccard index), on average over the other searches.
    fn stability(&self, found: &[SearchResult]) -> Vec<f64> {
        let [best, others @ ..] = found else { return Vec::new() };
        if others.is_empty() {
            return Vec::new();
        }
        let overlap = |rule: &MixtureRule, other: &MixtureRule| {
            let shared = f64::from(bits::common(&rule.covered, &other.covered));
            let sum = bits::count(&rule.covered) + bits::count(&other.covered);
            let either = f64::from(sum) - shared;
            if self.family.similar(&rule.params, &other.params) { shared / either } else { 0.0 }
        };
        let nearest = |rule: &MixtureRule, other: &SearchResult| {
            other.members[1..].iter().map(|other| overlap(rule, other)).fold(0.0, f64::max)
        };
        let mean = |rule: &MixtureRule| {
            others.iter().map(|other| nearest(rule, other)).sum::<f64>() / others.len() as f64
        };
        best.members[1..].iter().map(mean).collect()
    }
}

/// Whether the second scores are clearly lower than the first: paired, by their standard error.
fn clearly_worse(first: &[f64], second: &[f64], weights: &[f64]) -> bool {
    let (mut total, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for ((first, second), weight) in first.iter().zip(second).zip(weights) {
        total += weight;
        sum += weight * (first - second);
        squares += weight * (first - second).powi(2);
    }
    sum > CLEARLY * (squares - sum * sum / total).max(0.0).sqrt()
}

impl SearchResult {
    fn new<F: Family>(search: RuleSearch<'_, F>) -> Self {
        let RuleSearch { state, curve, .. } = search;
        let weights = state.data.weights;
        let total: f64 = weights.iter().sum();
        let mut unmatched = vec![true; weights.len()];
        for rule in &state.members[1..] {
            bits::each(&rule.covered, |row| unmatched[row] = false);
        }
        let unmatched = unmatched.iter().zip(weights).filter(|(is, _)| **is).map(|(_, w)| w);
        let unmatched = unmatched.sum::<f64>() / total;
        let columns = 0..state.data.rows.columns.len();
        let importance = columns.map(|column| importance(&state, column) / total / LN_2).collect();
        let objective = state.objective();
        Self { members: state.members, objective, curve, importance, unmatched }
    }
}

/// What the log-likelihood loses when no rule tests a column any more.
fn importance<F: Family>(state: &MixtureState<'_, F>, column: usize) -> f64 {
    let mut other = state.clone();
    for member in &mut other.members {
        if member.condition.test(column).is_some() {
            member.condition.set(column, None);
            member.covered = state.data.rows.covered_by(&member.condition);
        }
    }
    other.recompute();
    state.log_likelihood() - other.log_likelihood()
}

#[cfg(test)]
mod tests;

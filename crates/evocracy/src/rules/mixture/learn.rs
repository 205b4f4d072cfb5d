//! From rows to mixtures: the price of rules, several searches, what is known about them.

use super::condition::{Condition, Prices};
use super::family::Family;
use super::rows::Rows;
use super::search::{Epoch, Search};
use super::settings::SearchSettings;
use super::state::{Ground, Member, State};
use crate::num::bits;
use crate::run::{Run, StopReason};
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use std::f64::consts::LN_2;

/// Prices to choose from, the highest first.
const PRICES: [f64; 4] = [2.4, 1.2, 0.6, 0.3];
/// Parts of the rows that are held back in turns to choose the price.
const FOLDS: usize = 5;
/// Where nobody says how many epochs there are, so many that all of them look at about so many
/// cells of the table (half as many for twice the classes), and the fewest and the most of them.
const WORK: usize = 25_000_000;
/// A bin of a number column, as a bound of ranges, takes as long as so many cells.
const BIN: usize = 200;
const EPOCHS: (usize, usize) = (30, 1000);
/// A price is clearly worse when it is worse by so many standard errors.
const CLEARLY: f64 = 1.5;

/// Rows to learn from and their outcomes.
pub(super) struct Sample<F> {
    pub(super) rows: Rows,
    pub(super) weights: Vec<f64>,
    pub(super) family: F,
    /// The weight that each row has in each part held back.
    pub(super) held: Vec<Vec<f64>>,
}

/// What training found out beside the rules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Notes {
    /// The factor on the description length of rules.
    pub(super) price: f64,
    /// The share of the training rows that the default alone answers.
    pub(super) unmatched: f64,
    /// What forgetting the tests of each column costs, in bits for each training row.
    pub(super) importance: Vec<f64>,
    /// For each rule, how much of its rows it shares with the nearest rule of other searches.
    pub(super) stability: Vec<f64>,
    /// The search that was kept, or the first of those that were averaged.
    pub(super) curve: Vec<Epoch>,
}

/// Members of the mixtures that were kept, and notes about them.
pub(super) struct Learnt {
    pub(super) mixtures: Vec<Vec<Member>>,
    pub(super) notes: Notes,
    pub(super) stop: StopReason,
}

/// What the choice of the price found.
struct Trial {
    price: f64,
    /// The credit for all rows held back, and that for every row.
    score: f64,
    logs: Vec<f64>,
    /// The rules found without each of the parts held back.
    sets: Vec<Vec<Member>>,
}

impl Trial {
    /// Nothing was tried: the first price stands.
    fn none(prices: &[f64]) -> Self {
        let (logs, sets) = (Vec::new(), Vec::new());
        Self { price: prices[0], score: f64::NEG_INFINITY, logs, sets }
    }
}

/// What one search found.
struct Found {
    members: Vec<Member>,
    objective: f64,
    curve: Vec<Epoch>,
    importance: Vec<f64>,
    unmatched: f64,
}

/// The weight of each distinct row in each of the parts held back in turns: row `at` of those used
/// has the weight `weights[at]` and became row `became[at]`.
pub(super) fn held(became: &[u32], weights: &[f64], rows: usize, run: &Run<'_>) -> Vec<Vec<f64>> {
    let mut order: Vec<usize> = (0..became.len()).collect();
    order.shuffle(&mut run.seed.child("held", 0).rng());
    let mut held = vec![vec![0.0; rows]; FOLDS];
    for (turn, at) in order.into_iter().enumerate() {
        held[turn % FOLDS][became[at] as usize] += weights[at];
    }
    held
}

impl<F: Family> Sample<F> {
    /// Learns with that kind of family which does best on rows held back, at the price that does;
    /// `become_one` makes the family one of a kind.
    pub(super) fn learn<T: Copy>(
        &mut self,
        kinds: &[T],
        become_one: impl Fn(&mut F, T),
        settings: SearchSettings,
        run: &Run<'_>,
    ) -> Learnt {
        let settings = self.with_epochs(settings);
        let run = run.task("rules", (settings.searches * settings.epochs) as u64);
        let prices = if settings.price == 0.0 { &PRICES[..] } else { &[settings.price] };
        let mut best = (kinds[0], Trial::none(prices));
        // With one kind at one price there is nothing to choose.
        if kinds.len() > 1 || prices.len() > 1 {
            for &kind in kinds {
                become_one(&mut self.family, kind);
                let trial = self.trial(prices, settings, &run);
                if trial.score > best.1.score {
                    best = (kind, trial);
                }
                if run.stop.requested() {
                    break;
                }
            }
        }
        let (kind, trial) = best;
        become_one(&mut self.family, kind);
        self.search(trial, settings, &run)
    }

    /// The same settings, with a number of epochs.
    fn with_epochs(&self, settings: SearchSettings) -> SearchSettings {
        if settings.epochs > 0 {
            return settings;
        }
        let cells = self.rows.len() * self.rows.axes.len() * self.family.stats_len() / 2;
        let numbers = self.rows.axes.iter().filter(|axis| axis.cuts.is_some() && axis.bins > 2);
        let bins: usize = numbers.map(|axis| axis.bins).sum();
        let epochs = (WORK / (cells + BIN * bins).max(1)).clamp(EPOCHS.0, EPOCHS.1);
        SearchSettings { epochs, ..settings }
    }

    /// Searches at the price that the trial chose; if there is no time for that, keeps what the
    /// trial found.
    fn search(&self, trial: Trial, settings: SearchSettings, run: &Run<'_>) -> Learnt {
        let Trial { price, sets, .. } = trial;
        let weight = self.weights.iter().sum();
        let prices = Prices::new(&self.rows, weight, price);
        let ground = self.ground(&self.weights, &prices);
        let mut found = run.pool.map(settings.searches, |at| {
            let run = run.child("search", at as u64);
            let mut search = Search::new(&ground, settings, &run);
            if run.stop.requested() {
                search.adopt(&sets);
            } else {
                search.evolve(&run);
            }
            Found::new(search)
        });
        found.sort_by(|a, b| b.objective.total_cmp(&a.objective));
        let stability = self.stability(&found);
        let kept = if settings.average { found.len() } else { 1 };
        found.truncate(kept);
        let mean = |of: &dyn Fn(&Found) -> f64| found.iter().map(of).sum::<f64>() / kept as f64;
        let columns = 0..self.rows.axes.len();
        let notes = Notes {
            price,
            unmatched: mean(&|found| found.unmatched),
            importance: columns.map(|at| mean(&|found| found.importance[at])).collect(),
            stability,
            curve: found[0].curve.clone(),
        };
        let requested = run.stop.requested();
        let stop = if requested { StopReason::Interrupted } else { StopReason::Finished };
        Learnt { mixtures: found.into_iter().map(|found| found.members).collect(), notes, stop }
    }

    fn ground<'a>(&'a self, weights: &'a [f64], prices: &'a Prices) -> Ground<'a, F> {
        Ground { rows: &self.rows, weights, family: &self.family, prices }
    }

    /// The price that does best on rows held back; rules are searched for briefly.
    ///
    /// Prices fall until they do clearly worse than the best so far.
    fn trial(&self, prices: &[f64], settings: SearchSettings, run: &Run<'_>) -> Trial {
        let weights: Vec<f64> = self.held.iter().flatten().copied().collect();
        let mut best = Trial::none(prices);
        for &price in prices {
            let found = run.pool.map(self.held.len(), |fold| self.fold(fold, price, settings, run));
            let (logs, sets): (Vec<_>, Vec<_>) = found.into_iter().unzip();
            let logs: Vec<f64> = logs.into_iter().flatten().collect();
            let score = logs.iter().zip(&weights).map(|(log, weight)| log * weight).sum();
            if score > best.score {
                best = Trial { price, score, logs, sets };
            } else if clearly(&best.logs, &logs, &weights) {
                break;
            }
            if run.stop.requested() {
                break;
            }
        }
        best
    }

    /// Rules learnt without the rows held back, and the credit of every row under them.
    fn fold(
        &self,
        fold: usize,
        price: f64,
        settings: SearchSettings,
        run: &Run<'_>,
    ) -> (Vec<f64>, Vec<Member>) {
        let all = self.weights.iter().zip(&self.held[fold]);
        // What is left of a row that is held back as a whole is rounding.
        let rest =
            |(all, held): (&f64, &f64)| if all - held > 1e-9 * all { all - held } else { 0.0 };
        let weights: Vec<f64> = all.map(rest).collect();
        let prices = Prices::new(&self.rows, weights.iter().sum(), price);
        let ground = self.ground(&weights, &prices);
        let run = run.child("price", fold as u64);
        let mut search = Search::new(&ground, settings, &run);
        search.begin(&run);
        let state = search.state;
        let score = |(row, params): (usize, &[f64])| {
            self.family.held_out_score(params, state.numerator[row] / state.denominator[row], row)
        };
        let scores = state.mean_params().chunks_exact(state.members[0].params.len()).enumerate().map(score).collect();
        (scores, state.members)
    }

    /// For each rule of the best search, the share of rows it has in common with the nearest rule
    /// that says about the same, on average over the other searches.
    fn stability(&self, found: &[Found]) -> Vec<f64> {
        let [best, others @ ..] = found else { return Vec::new() };
        if others.is_empty() {
            return Vec::new();
        }
        let overlap = |rule: &Member, other: &Member| {
            let shared = f64::from(bits::common(&rule.hits, &other.hits));
            let either = f64::from(bits::count(&rule.hits) + bits::count(&other.hits)) - shared;
            if self.family.similar(&rule.params, &other.params) { shared / either } else { 0.0 }
        };
        let nearest = |rule: &Member, other: &Found| {
            other.members[1..].iter().map(|other| overlap(rule, other)).fold(0.0, f64::max)
        };
        let mean = |rule: &Member| {
            others.iter().map(|other| nearest(rule, other)).sum::<f64>() / others.len() as f64
        };
        best.members[1..].iter().map(mean).collect()
    }
}

/// Whether the second logs are clearly lower than the first: paired, by their standard error.
fn clearly(first: &[f64], second: &[f64], weights: &[f64]) -> bool {
    let (mut total, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for ((first, second), weight) in first.iter().zip(second).zip(weights) {
        total += weight;
        sum += weight * (first - second);
        squares += weight * (first - second).powi(2);
    }
    sum > CLEARLY * (squares - sum * sum / total).max(0.0).sqrt()
}

impl Found {
    fn new<F: Family>(search: Search<'_, F>) -> Self {
        let Search { state, curve, .. } = search;
        let weights = state.ground.weights;
        let total: f64 = weights.iter().sum();
        let mut bare = vec![true; weights.len()];
        for rule in &state.members[1..] {
            bits::each(&rule.hits, |row| bare[row] = false);
        }
        let unmatched = bare.iter().zip(weights).filter(|(bare, _)| **bare).map(|(_, w)| w);
        let unmatched = unmatched.sum::<f64>() / total;
        let columns = 0..state.ground.rows.axes.len();
        let importance = columns.map(|column| forgotten(&state, column) / total / LN_2).collect();
        let objective = state.objective();
        Self { members: state.members, objective, curve, importance, unmatched }
    }
}

/// What the log-likelihood loses when no rule tests a column any more.
fn forgotten<F: Family>(state: &State<'_, F>, column: usize) -> f64 {
    let mut other = state.clone();
    for member in &mut other.members {
        if member.condition.test(column).is_some() {
            let mut condition: Condition = member.condition.clone();
            condition.set(column, None);
            member.hits = state.ground.rows.hits(&condition);
        }
    }
    other.recompute();
    state.log_likelihood() - other.log_likelihood()
}

#[cfg(test)]
mod tests {
    use super::super::family::Labels;
    use super::*;
    use crate::data::catalogue::{Catalogue, Load};
    use crate::run::{Pool, Stop};

    #[test]
    fn what_was_found_when_time_ran_out_is_kept() {
        let data = Catalogue::embedded().open("car", &Load::default()).unwrap();
        let task = data.task().unwrap();
        let (classes, labels) = task.labels().unwrap();
        let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
        let run = Run::new(1, &stop, &pool);
        let label = |row: u32| labels[row as usize];
        let family = |first: &[u32]| {
            let codes = first.iter().map(|&row| label(row)).collect();
            Labels::new(codes, classes.len(), 0.1)
        };
        let outcome = |row: u32| u64::from(label(row));
        let sample = super::super::sample(&task, &task.weights(), 63, &run, outcome, family);
        let settings = crate::rules::MoeGa::default().epochs(30).settings();
        let trial = sample.trial(&PRICES, settings, &run);
        stop.request();
        let learnt = sample.search(trial, settings, &run);
        assert_eq!(learnt.stop, StopReason::Interrupted);
        assert!(learnt.mixtures[0].len() > 5);
        assert!(learnt.notes.curve[0].error < 0.1, "{:?}", learnt.notes.curve);
    }
}

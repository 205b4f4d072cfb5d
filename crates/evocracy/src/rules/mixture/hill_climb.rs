//! Hill climbing: from a condition to a better one, one test at a time.
//!
//! A new rule that outweighs all others on the rows it covers has a gain in log-likelihood that is a
//! function of sums over those rows: the sufficient statistics of their outcomes and the
//! log-likelihood they have now. One pass over the rows that fail at most one test gives these sums
//! for every bin of every column, all other tests kept; so the best test of every column is known
//! without another look at a row. The column with the greatest gain gets its new test, until none
//! gains.
//!
//! A rule may also leave rows to members of greater gating weight. Rows lie in layers by the sum of
//! the gating weights of the members that apply to them (their denominator); a rule takes the rows
//! of the first layers.

use super::condition::{Allowed, Condition};
use super::family::Family;
use super::rows::BinnedRows;
use super::state::{MixtureState, TrainingSet};
use crate::num::bits;
use std::collections::HashSet;

/// How many layers there are.
pub(super) const LAYERS: usize = 3;
/// The most steps of one climb.
const MAX_STEPS: usize = 200;
/// A smaller gain is rounding.
const MIN_GAIN: f64 = 1e-7;

/// What a climb needs to know of the rows under the members there are.
pub(super) struct HillClimb<'s, 'a, F> {
    pub(super) state: &'s MixtureState<'a, F>,
    /// The layer of every row, and the log-likelihood of its outcome.
    layers: Vec<u8>,
    pub(super) log_likelihoods: Vec<f64>,
    /// For each layer a gating weight that outweighs it and all before it.
    pub(super) outweighing: [f64; LAYERS],
    /// The length of the sums of a set of rows: statistics and log-likelihood for each layer.
    pub(super) stride: usize,
}

/// The condition that a climb has reached.
struct Candidate {
    condition: Condition,
    /// The rows that pass each test.
    passing: Vec<Vec<u64>>,
}

/// Sums over rows, for every bin of every column.
struct Sums {
    bins: Vec<f64>,
    all: Vec<f64>,
}

impl Candidate {
    /// Sets or takes away the test of a column.
    fn change(&mut self, rows: &BinnedRows, column: usize, test: Option<Allowed>) {
        let at = self.condition.tests.partition_point(|(at, _)| *at < column);
        if self.condition.test(column).is_some() {
            self.passing.remove(at);
        }
        if let Some(test) = &test {
            self.passing.insert(at, rows.passing(column, test));
        }
        self.condition.set(column, test);
    }
}

impl<'s, 'a, F: Family> HillClimb<'s, 'a, F> {
    pub(super) fn new(state: &'s MixtureState<'a, F>) -> Self {
        let log_likelihoods = log_likelihoods(&state.numerator, &state.denominator);
        let (layers, outweighing) = layers(&state.denominator);
        let stride = LAYERS * (state.data.family.stats_len() + 1);
        Self { state, layers, log_likelihoods, outweighing, stride }
    }

    pub(super) fn data(&self) -> &'a TrainingSet<'a, F> {
        self.state.data
    }

    /// The local optimum that is reached from a condition; with an anchor, every new test allows the
    /// bin of this row.
    pub(super) fn run(&self, start: Condition, anchor: Option<usize>) -> Condition {
        self.climb_while(start, anchor, |_| true).unwrap_or_default()
    }

    /// The local optimum that is reached from a condition; nothing if the climb comes to a condition
    /// that was `seen` on an earlier one. It would most often end where that one did: not always, as
    /// the two may have different anchors.
    pub(super) fn run_unseen(
        &self,
        start: Condition,
        anchor: Option<usize>,
        seen: &mut HashSet<Condition>,
    ) -> Option<Condition> {
        self.climb_while(start, anchor, |condition| seen.insert(condition.clone()))
    }

    /// Climbs from a condition; nothing if `go_on` refuses one on the way.
    fn climb_while(
        &self,
        start: Condition,
        anchor: Option<usize>,
        mut go_on: impl FnMut(&Condition) -> bool,
    ) -> Option<Condition> {
        let rows = self.data().rows;
        let passing = start.tests.iter().map(|(at, test)| rows.passing(*at, test)).collect();
        let mut candidate = Candidate { condition: start, passing };
        let mut sums = Sums { bins: vec![0.0; rows.bins * self.stride], all: Vec::new() };
        for _ in 0..MAX_STEPS {
            if self.data().stop.requested() {
                break;
            }
            if !go_on(&candidate.condition) {
                return None;
            }
            self.data().steps.count();
            self.sum(&candidate, &mut sums);
            let now = self.score(&sums.all).0 - self.price(&candidate.condition);
            let best = self.best_change(&candidate, &sums, anchor);
            let Some((score, column, test)) = best else { break };
            if score <= now + MIN_GAIN {
                break;
            }
            candidate.change(rows, column, test);
        }
        Some(candidate.condition)
    }

    pub(super) fn price(&self, condition: &Condition) -> f64 {
        self.data().prices.condition(self.data().rows, condition)
    }

    /// The sums over the rows that fail no test, and for each bin over those that fail no test but
    /// perhaps that of its column.
    fn sum(&self, candidate: &Candidate, sums: &mut Sums) {
        let rows = self.data().rows;
        let stride = self.stride;
        sums.bins.fill(0.0);
        sums.all.clear();
        sums.all.resize(stride, 0.0);
        let (covered, near) = near_misses(rows.len(), &candidate.passing);
        bits::each(&covered, |row| {
            self.accumulate(row, &mut sums.all);
            for &bin in rows.off_mode(row) {
                self.accumulate(row, &mut sums.bins[bin as usize * stride..][..stride]);
            }
        });
        // The sums of the mode of a column are those of all rows less those of its other bins.
        for binned in &rows.columns {
            let mut mode = sums.all.clone();
            let bins = &mut sums.bins[binned.start * stride..][..(binned.bins + 1) * stride];
            for bin in bins.chunks_exact(stride) {
                mode.iter_mut().zip(bin).for_each(|(mode, sum)| *mode -= sum);
            }
            bins[binned.mode * stride..][..stride].copy_from_slice(&mode);
        }
        for ((column, _), passing) in candidate.condition.tests.iter().zip(&candidate.passing) {
            let binned = &rows.columns[*column];
            for (at, (near, passing)) in near.iter().zip(passing).enumerate() {
                bits::each_of_word(near & !passing, at, |row| {
                    let bin = binned.start + binned.codes[row] as usize;
                    self.accumulate(row, &mut sums.bins[bin * stride..][..stride]);
                });
            }
        }
    }

    /// Adds a row to the sums of its layer.
    #[inline]
    pub(super) fn accumulate(&self, row: usize, into: &mut [f64]) {
        let width = self.stride / LAYERS;
        let weight = self.data().weights[row];
        let into = &mut into[self.layers[row] as usize * width..][..width];
        self.data().family.add_stats(row, weight, into);
        into[width - 1] += weight * self.log_likelihoods[row];
    }

    /// The gain of a rule on rows with these sums, without its price, and the last layer it takes.
    pub(super) fn score(&self, sums: &[f64]) -> (f64, usize) {
        let width = self.stride / LAYERS;
        let mut total = [0.0; 64];
        let mut long = Vec::new();
        let total = if width <= 64 {
            &mut total[..width]
        } else {
            long.resize(width, 0.0);
            &mut long[..]
        };
        let mut best = (f64::NEG_INFINITY, 0);
        for (layer, sums) in sums.chunks_exact(width).enumerate() {
            let mut any = layer == 0;
            for (total, sum) in total.iter_mut().zip(sums) {
                any |= *sum != 0.0;
                *total += sum;
            }
            if !any {
                continue;
            }
            let score =
                self.data().family.max_log_posterior(&total[..width - 1]) - total[width - 1];
            if score > best.0 {
                best = (score, layer);
            }
        }
        best
    }

    /// The best change of the test of one column: the score of the rule with it, the column, the new
    /// test or none.
    fn best_change(
        &self,
        candidate: &Candidate,
        sums: &Sums,
        anchor: Option<usize>,
    ) -> Option<(f64, usize, Option<Allowed>)> {
        let TrainingSet { rows, prices, .. } = self.data();
        let tests = candidate.condition.tests.len();
        let price = |(at, test): &(usize, Allowed)| prices.test(rows.columns[*at].bins, test);
        let paid: f64 = candidate.condition.tests.iter().map(price).sum();
        let mut best: Option<(f64, usize, Option<Allowed>)> = None;
        for (column, binned) in rows.columns.iter().enumerate() {
            if binned.bins < 2 {
                continue;
            }
            let now = candidate.condition.test(column);
            let paid = paid - now.map_or(0.0, |test| prices.test(binned.bins, test));
            let others = tests - usize::from(now.is_some());
            let bins = &sums.bins[binned.start * self.stride..][..(binned.bins + 1) * self.stride];
            let anchor_bin = anchor.map(|row| binned.codes[row] as usize);
            let anchor_bin = anchor_bin.filter(|bin| *bin < binned.bins);
            if now.is_some() {
                let mut all = vec![0.0; self.stride];
                bins.chunks_exact(self.stride).for_each(|bin| add(&mut all, bin));
                let score = self.score(&all).0 - paid - prices.rule(others);
                if best.as_ref().is_none_or(|best| score > best.0) {
                    best = Some((score, column, None));
                }
            }
            let (score, test) = match binned.cuts {
                None => self.best_set(bins, now, anchor_bin),
                Some(_) if binned.bins == 2 => self.best_side(bins, anchor_bin),
                Some(_) => self.best_range(bins, now, anchor_bin),
            };
            let score = score - paid - prices.rule(others + 1);
            if best.as_ref().is_none_or(|best| score > best.0) {
                best = Some((score, column, Some(test)));
            }
        }
        best
    }
}

/// The rows that pass all tests, and those that fail exactly one.
fn near_misses(rows: usize, passing: &[Vec<u64>]) -> (Vec<u64>, Vec<u64>) {
    let mut covered = bits::full(rows);
    let near = covered.iter_mut().enumerate().map(|(at, covered)| {
        let (mut once, mut twice) = (0, 0);
        for passing in passing {
            let fails = !passing[at];
            twice |= once & fails;
            once |= fails;
        }
        let near = *covered & once & !twice;
        *covered &= !once;
        near
    });
    let near = near.collect();
    (covered, near)
}

/// Adds sums to sums.
#[inline]
pub(super) fn add(into: &mut [f64], from: &[f64]) {
    for (into, from) in into.iter_mut().zip(from) {
        *into += from;
    }
}

/// The log-likelihood of the outcome of every row. Rows are sorted, so that many have the numerator
/// and denominator of the row before them.
fn log_likelihoods(numerator: &[f64], denominator: &[f64]) -> Vec<f64> {
    let mut last = ((1.0, 1.0), 0.0);
    let log = |(numerator, denominator): (&f64, &f64)| {
        if last.0 != (*numerator, *denominator) {
            last = ((*numerator, *denominator), (numerator / denominator).max(1e-300).ln());
        }
        last.1
    };
    numerator.iter().zip(denominator).map(log).collect()
}

/// The layer of each row by its denominator, and for each layer a gating weight that outweighs it:
/// first the rows that the default alone applies to, then those of the others up to their median,
/// then the rest.
fn layers(denominator: &[f64]) -> (Vec<u8>, [f64; LAYERS]) {
    let least = denominator.iter().copied().fold(f64::INFINITY, f64::min);
    let default_only = least * (1.0 + 1e-9);
    let mut more: Vec<f64> =
        denominator.iter().copied().filter(|sum| *sum > default_only).collect();
    let Some(&top) = more.iter().max_by(|a, b| a.total_cmp(b)) else {
        return (vec![0; denominator.len()], [least * 100.0; LAYERS]);
    };
    let first = more.iter().copied().fold(top, f64::min);
    let half = more.len() / 2;
    let median = *more.select_nth_unstable_by(half, f64::total_cmp).1;
    let heavier = more.iter().copied().filter(|sum| *sum > median);
    let next = heavier.min_by(f64::total_cmp).unwrap_or(top * 1e4);
    let layer = |sum: &f64| u8::from(*sum > default_only) + u8::from(*sum > median);
    let between = |low: f64, high: f64| (low * high).sqrt().max(low * 3.0);
    let outweighing = [between(least, first), between(median, next), top * 100.0];
    (denominator.iter().map(layer).collect(), outweighing)
}

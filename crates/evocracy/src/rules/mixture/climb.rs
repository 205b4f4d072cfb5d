//! Climbing: from a condition to a better one, one column at a time.
//!
//! A new rule that outweighs all others on its rows has a gain in likelihood that is a function of
//! sums over those rows: the stats of their outcomes and the log-likelihood they have now. One
//! pass over the rows that fail at most one test gives these sums for every bin of every column,
//! all other tests kept; so the best test of every column is known without another look at a row.
//! The column that gains most gets its new test, until none gains.
//!
//! A rule may also leave rows to stronger members. Rows lie in layers by the weight of the members
//! that apply to them; a rule takes the rows of the first layers.

use super::condition::{Allowed, Condition};
use super::family::Family;
use super::rows::Rows;
use super::state::{Ground, State};
use crate::num::bits;
use std::collections::HashSet;

/// How many layers there are.
pub(super) const LAYERS: usize = 3;
/// Steps at most on one climb.
const CLIMB: usize = 200;
/// A smaller gain is rounding.
const LEAST: f64 = 1e-7;

/// Rows as they are explained now.
pub(super) struct Slope<'s, 'a, F> {
    pub(super) state: &'s State<'a, F>,
    /// The layer of every row, and the log-likelihood of its outcome.
    layers: Vec<u8>,
    pub(super) logs: Vec<f64>,
    /// A weight that outweighs a layer and all before it.
    pub(super) over: [f64; LAYERS],
    pub(super) stride: usize,
}

/// A condition on its way up.
pub(super) struct Place {
    pub(super) condition: Condition,
    /// The rows that each test allows.
    allowed: Vec<Vec<u64>>,
    score: f64,
}

/// Sums over rows, for every bin of every column.
struct Sums {
    bins: Vec<f64>,
    all: Vec<f64>,
}

impl Place {
    /// Sets or takes away the test of a column.
    fn change(&mut self, rows: &Rows, column: usize, test: Option<Allowed>) {
        let at = self.condition.tests.partition_point(|(at, _)| *at < column);
        if self.condition.test(column).is_some() {
            self.allowed.remove(at);
        }
        if let Some(test) = &test {
            self.allowed.insert(at, rows.allowed(column, test));
        }
        self.condition.set(column, test);
    }
}

impl<'s, 'a, F: Family> Slope<'s, 'a, F> {
    pub(super) fn new(state: &'s State<'a, F>) -> Self {
        let logs = logs(&state.numerator, &state.denominator);
        let (layers, over) = layers(&state.denominator);
        let stride = LAYERS * (state.ground.family.stats_len() + 1);
        Self { state, layers, logs, over, stride }
    }

    pub(super) fn ground(&self) -> &'a Ground<'a, F> {
        self.state.ground
    }

    /// Climbs from a condition; with an anchor, every test allows the anchor's bin.
    pub(super) fn climb(&self, start: Condition, anchor: Option<usize>) -> Condition {
        self.ascend(start, anchor, |_| true).unwrap_or_default()
    }

    /// Climbs to where none of the climbs before it has been; nothing if it meets one of them, which
    /// most often went where this one would, though it may have kept another row. `seen` are the
    /// conditions they passed.
    pub(super) fn explore(
        &self,
        start: Condition,
        anchor: Option<usize>,
        seen: &mut HashSet<Condition>,
    ) -> Option<Condition> {
        self.ascend(start, anchor, |passed| seen.insert(passed.clone()))
    }

    /// Climbs from a condition as long as it may go on from where it is.
    fn ascend(
        &self,
        start: Condition,
        anchor: Option<usize>,
        mut may: impl FnMut(&Condition) -> bool,
    ) -> Option<Condition> {
        let rows = self.ground().rows;
        let allowed = start.tests.iter().map(|(at, test)| rows.allowed(*at, test)).collect();
        let mut place = Place { condition: start, allowed, score: f64::NEG_INFINITY };
        let mut sums = Sums { bins: vec![0.0; rows.bins * self.stride], all: Vec::new() };
        for _ in 0..CLIMB {
            if !may(&place.condition) {
                return None;
            }
            self.sum(&place, &mut sums);
            place.score = self.score(&sums.all).0 - self.price(&place.condition);
            let best = self.best(&place, &sums, anchor);
            let Some((score, column, test)) = best else { break };
            if score <= place.score + LEAST {
                break;
            }
            place.change(rows, column, test);
        }
        Some(place.condition)
    }

    pub(super) fn price(&self, condition: &Condition) -> f64 {
        self.ground().prices.condition(self.ground().rows, condition)
    }

    /// The sums over all rows that fail no test, or that of one column alone.
    fn sum(&self, place: &Place, sums: &mut Sums) {
        let rows = self.ground().rows;
        let stride = self.stride;
        sums.bins.fill(0.0);
        sums.all.clear();
        sums.all.resize(stride, 0.0);
        let (hits, near) = near_misses(rows.len(), &place.allowed);
        bits::each(&hits, |row| {
            self.put(row, &mut sums.all);
            for &bin in rows.unusual(row) {
                self.put(row, &mut sums.bins[bin as usize * stride..][..stride]);
            }
        });
        // The usual bin of a column has what its other bins have not.
        for axis in &rows.axes {
            let mut usual = sums.all.clone();
            let bins = &mut sums.bins[axis.start * stride..][..(axis.bins + 1) * stride];
            for bin in bins.chunks_exact(stride) {
                usual.iter_mut().zip(bin).for_each(|(usual, sum)| *usual -= sum);
            }
            bins[axis.usual * stride..][..stride].copy_from_slice(&usual);
        }
        for ((column, _), allowed) in place.condition.tests.iter().zip(&place.allowed) {
            let axis = &rows.axes[*column];
            for (at, (near, allowed)) in near.iter().zip(allowed).enumerate() {
                bits::each_of_word(near & !allowed, at, |row| {
                    let bin = axis.start + axis.codes[row] as usize;
                    self.put(row, &mut sums.bins[bin * stride..][..stride]);
                });
            }
        }
    }

    #[inline]
    pub(super) fn put(&self, row: usize, into: &mut [f64]) {
        let width = self.stride / LAYERS;
        let weight = self.ground().weights[row];
        let into = &mut into[self.layers[row] as usize * width..][..width];
        self.ground().family.add_stats(row, weight, into);
        into[width - 1] += weight * self.logs[row];
    }

    /// The gain of a rule on these rows without its price, and how many layers it takes.
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
            let score = self.ground().family.max_log_posterior(&total[..width - 1]) - total[width - 1];
            if score > best.0 {
                best = (score, layer);
            }
        }
        best
    }

    /// The best new test of any column: the score of the rule with it, the column, the test.
    fn best(
        &self,
        place: &Place,
        sums: &Sums,
        anchor: Option<usize>,
    ) -> Option<(f64, usize, Option<Allowed>)> {
        let Ground { rows, prices, .. } = *self.ground();
        let tests = place.condition.tests.len();
        let paid: f64 =
            place.condition.tests.iter().map(|(at, t)| prices.test(rows.axes[*at].bins, t)).sum();
        let mut best: Option<(f64, usize, Option<Allowed>)> = None;
        for (column, axis) in rows.axes.iter().enumerate() {
            if axis.bins < 2 {
                continue;
            }
            let now = place.condition.test(column);
            let paid = paid - now.map_or(0.0, |test| prices.test(axis.bins, test));
            let others = tests - usize::from(now.is_some());
            let bins = &sums.bins[axis.start * self.stride..][..(axis.bins + 1) * self.stride];
            let held = anchor.map(|row| axis.codes[row] as usize).filter(|bin| *bin < axis.bins);
            if now.is_some() {
                let mut all = vec![0.0; self.stride];
                bins.chunks_exact(self.stride).for_each(|bin| add(&mut all, bin));
                let score = self.score(&all).0 - paid - prices.rule(others);
                if best.as_ref().is_none_or(|best| score > best.0) {
                    best = Some((score, column, None));
                }
            }
            let (score, test) = match axis.cuts {
                None => self.best_set(bins, now, held),
                Some(_) if axis.bins == 2 => self.best_side(bins, held),
                Some(_) => self.best_range(bins, now, held),
            };
            let score = score - paid - prices.rule(others + 1);
            if best.as_ref().is_none_or(|best| score > best.0) {
                best = Some((score, column, Some(test)));
            }
        }
        best
    }
}

/// The rows that are in all sets, and those that are in all but one.
fn near_misses(rows: usize, sets: &[Vec<u64>]) -> (Vec<u64>, Vec<u64>) {
    let mut hits = bits::full(rows);
    let near = hits.iter_mut().enumerate().map(|(at, hit)| {
        let (mut once, mut twice) = (0, 0);
        for set in sets {
            let fails = !set[at];
            twice |= once & fails;
            once |= fails;
        }
        let near = *hit & once & !twice;
        *hit &= !once;
        near
    });
    let near = near.collect();
    (hits, near)
}

/// Adds sums to sums.
#[inline]
pub(super) fn add(into: &mut [f64], from: &[f64]) {
    for (into, from) in into.iter_mut().zip(from) {
        *into += from;
    }
}

/// The logarithm of one sum over the other for every row. Rows are in order, so that many have the
/// sums of the row before them.
fn logs(numerator: &[f64], denominator: &[f64]) -> Vec<f64> {
    let mut last = ((1.0, 1.0), 0.0);
    let log = |(numerator, denominator): (&f64, &f64)| {
        if last.0 != (*numerator, *denominator) {
            last = ((*numerator, *denominator), (numerator / denominator).max(1e-300).ln());
        }
        last.1
    };
    numerator.iter().zip(denominator).map(log).collect()
}

/// The layer of each row by the weight of the members that apply to it: the default alone, the
/// lighter half of the others, the heavier half; and what outweighs each.
fn layers(denominator: &[f64]) -> (Vec<u8>, [f64; LAYERS]) {
    let least = denominator.iter().copied().fold(f64::INFINITY, f64::min);
    let bare = least * (1.0 + 1e-9);
    let mut more: Vec<f64> = denominator.iter().copied().filter(|sum| *sum > bare).collect();
    let Some(&top) = more.iter().max_by(|a, b| a.total_cmp(b)) else {
        let over = [least * 100.0; LAYERS];
        return (vec![0; denominator.len()], over);
    };
    let first = more.iter().copied().fold(top, f64::min);
    let half = more.len() / 2;
    let middle = *more.select_nth_unstable_by(half, f64::total_cmp).1;
    let heavier = more.iter().copied().filter(|sum| *sum > middle);
    let next = heavier.min_by(f64::total_cmp).unwrap_or(top * 1e4);
    let layer = |sum: &f64| u8::from(*sum > bare) + u8::from(*sum > middle);
    let between = |low: f64, high: f64| (low * high).sqrt().max(low * 3.0);
    let over = [between(least, first), between(middle, next), top * 100.0];
    (denominator.iter().map(layer).collect(), over)
}

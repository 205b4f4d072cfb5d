//! The evolution of the members: offspring are climbed before they are judged, and enter by
//! evidence alone.

use super::climb::Slope;
use super::condition::{Allowed, Condition};
use super::family::Family;
use super::rows::Rows;
use super::settings::SearchSettings;
use super::start::Start;
use super::state::{Ground, Member, State};
use crate::num::bits::common;
use crate::run::Run;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::f64::consts::LN_2;

/// A smaller gain is not worth a change.
const LEAST: f64 = 1e-6;
/// When a rule is taken out, the others do not make good for more than this by their parameters.
const LOST: f64 = 20.0;

/// A smaller gain of an epoch is none.
const GAIN: f64 = 1e-2;
/// What the first epochs may lose, on average.
const HEAT: f64 = 2.0;
/// What rarely is made good for by letting rules climb again, and then by taking some together.
const BEHIND: (f64, f64) = (25.0, 8.0);

/// What is known after an epoch.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Epoch {
    /// What is maximised: the log-likelihood with priors and prices.
    pub(super) objective: f64,
    /// The log2-likelihood of a training row.
    pub(super) bits: f64,
    /// The share of wrong calls, or the mean squared error.
    pub(super) error: f64,
    /// Rules beside the default.
    pub(super) rules: usize,
}

/// One search.
pub(super) struct Search<'a, F> {
    pub(super) state: State<'a, F>,
    pub(super) curve: Vec<Epoch>,
    /// Those of the rules before this epoch: no two of them could become one.
    known: Vec<Condition>,
    /// The rows of the rules that were taken out.
    gone: Vec<Vec<u64>>,
    settings: SearchSettings,
    rng: ChaCha8Rng,
}

impl<'a, F: Family> Search<'a, F> {
    pub(super) fn new(ground: &'a Ground<'a, F>, settings: SearchSettings, run: &Run<'_>) -> Self {
        let (curve, known, gone) = (Vec::new(), Vec::new(), Vec::new());
        Self { state: State::new(ground), curve, known, gone, settings, rng: run.seed.rng() }
    }

    /// The first rules: as many as the evidence lets in.
    pub(super) fn begin(&mut self, run: &Run<'_>) {
        self.grow(3 * self.settings.births, run);
        if !run.stop.requested() {
            self.improve();
        }
        self.state.run_em(30, 1e-3);
    }

    /// Takes out some rules and grows others in their place, again and again. It goes on from what is
    /// better, at first also from what is a little worse: simulated annealing. The best is kept.
    pub(super) fn evolve(&mut self, run: &Run<'_>) {
        self.begin(run);
        let mut here = self.state.objective();
        let (mut best, mut most) = (self.state.clone(), here);
        self.note(most);
        let (mut idle, mut done) = (0, 0);
        while done < self.settings.epochs
            && idle < self.settings.patience * best.members.len()
            && !run.stop.requested()
        {
            let before = self.state.clone();
            self.known = before.members.iter().map(|member| member.condition.clone()).collect();
            self.kick();
            let least = here + GAIN - self.slack(done);
            let objective = self.regrow(least, run);
            if objective > least {
                here = objective;
            } else {
                self.state = before;
            }
            idle += 1;
            if here > most + GAIN {
                (idle, best, most) = (0, self.state.clone(), here);
                self.note(most);
            } else {
                self.curve.extend_from_within(self.curve.len() - 1..);
            }
            run.watch.figure("objective", most);
            run.watch.advance(1);
            done += 1;
        }
        run.watch.advance((self.settings.epochs - done) as u64);
        self.state = best;
        self.state.run_em(300, 1e-6);
    }

    /// What may be lost after so many epochs: it is drawn, and falls to nothing on average.
    fn slack(&mut self, done: usize) -> f64 {
        let left = 1.0 - done as f64 / self.settings.epochs as f64;
        -HEAT * left * (1.0 - self.rng.random::<f64>()).ln()
    }

    /// Grows rules in the place of others and improves them all, unless it falls too far behind what
    /// it must reach on the way; says what was reached.
    fn regrow(&mut self, least: f64, run: &Run<'_>) -> f64 {
        self.grow(self.settings.births, run);
        let grown = self.state.objective();
        if grown < least - BEHIND.0 {
            return grown;
        }
        self.tend();
        let tended = self.state.objective();
        if tended < least - BEHIND.1 {
            return tended;
        }
        self.merge();
        self.compact();
        self.state.run_em(10, 1e-2)
    }

    /// Takes the best of several sets of rules, for want of time to search.
    pub(super) fn adopt(&mut self, sets: &[Vec<Member>]) {
        let mut best = self.state.objective();
        for members in sets {
            let mut state = State::with(self.state.ground, members.clone());
            let objective = state.run_em(30, 1e-3);
            if objective > best {
                (self.state, best) = (state, objective);
            }
        }
        self.note(best);
    }

    fn improve(&mut self) {
        self.tend();
        self.merge();
        self.compact();
    }

    fn note(&mut self, objective: f64) {
        let weight: f64 = self.state.ground.weights.iter().sum();
        let bits = self.state.log_likelihood() / weight / LN_2;
        let (error, rules) = (self.state.error(), self.state.members.len() - 1);
        self.curve.push(Epoch { objective, bits, error, rules });
    }

    /// New rules until `births` one after the other did not enter.
    fn grow(&mut self, births: usize, run: &Run<'_>) {
        while self.state.members.len() <= self.settings.rules {
            let Some(member) = self.birth(births, run) else { break };
            self.state.members.push(member);
            self.state.run_em(5, 1e-2);
            self.prune();
        }
    }

    /// Takes out some rules: one at random and those that share most rows with it.
    fn kick(&mut self) {
        let rules = self.state.members.len() - 1;
        if rules == 0 {
            return;
        }
        let count = self.rng.random_range(1..=rules.div_ceil(2).min(5));
        let first = self.rng.random_range(1..=rules);
        let near = self.rng.random::<bool>();
        let mut order: Vec<usize> = (1..=rules).collect();
        order.shuffle(&mut self.rng);
        if near {
            let hits = &self.state.members[first].hits;
            let shared = |at: usize| common(&self.state.members[at].hits, hits);
            order.sort_by_key(|&at| std::cmp::Reverse(shared(at)));
        }
        let mut out: Vec<usize> = order[..count].to_vec();
        out.sort_unstable();
        self.gone.clear();
        for at in out.into_iter().rev() {
            self.gone.push(self.state.members.remove(at).hits);
        }
        self.state.recompute();
        self.state.run_em(3, 1e-2);
    }

    /// A new rule, climbed from where rows are badly explained or from its parents, if the
    /// objective gains from it; `tries` times at most.
    fn birth(&mut self, tries: usize, run: &Run<'_>) -> Option<Member> {
        let Self { state, rng, .. } = self;
        let slope = Slope::new(state);
        let mut starts = Start::new(&slope, rng);
        let mut seen = HashSet::new();
        for _ in 0..tries {
            if run.stop.requested() {
                return None;
            }
            let (start, anchor) = starts.draw();
            let Some(condition) = slope.explore(start, anchor, &mut seen) else { continue };
            let (member, gain) = slope.fit(condition);
            if gain > LEAST {
                return Some(member);
            }
        }
        None
    }

    /// Takes out rules that cost more than they gain.
    fn prune(&mut self) {
        let mut at = 1;
        while at < self.state.members.len() {
            if self.state.loss(at) < LEAST {
                self.state.members.remove(at);
                self.state.recompute();
            } else {
                at += 1;
            }
        }
    }

    /// Lets every rule climb again among what the others have become; one that is not worth its
    /// price goes.
    fn tend(&mut self) {
        let mut order: Vec<usize> = (1..self.state.members.len()).collect();
        order.shuffle(&mut self.rng);
        for at in order {
            if !self.stirred(at) {
                continue;
            }
            let sums = (self.state.numerator.clone(), self.state.denominator.clone());
            let member = self.state.members.remove(at);
            self.state.recompute();
            if let Some(new) = self.better(&member) {
                self.state.members.insert(at, new);
                self.state.run_em(3, 1e-2);
            } else {
                self.state.members.insert(at, member);
                (self.state.numerator, self.state.denominator) = sums;
            }
        }
        self.prune();
    }

    /// What a rule that was taken out becomes by climbing, if that is better.
    fn better(&self, member: &Member) -> Option<Member> {
        let slope = Slope::new(&self.state);
        let condition = slope.climb(member.condition.clone(), None);
        if condition == member.condition {
            return None;
        }
        let (new, gain) = slope.fit(condition);
        (gain > slope.gain(member) + LEAST).then_some(new)
    }

    /// Whether a rule is new or has rows in common with one that came or went.
    fn stirred(&self, at: usize) -> bool {
        let rule = &self.state.members[at];
        let old = |member: &Member| self.known.contains(&member.condition);
        if self.known.is_empty() || !old(rule) {
            return true;
        }
        let near = |hits: &Vec<u64>| common(hits, &rule.hits) > 0;
        self.gone.iter().any(near)
            || self.state.members[1..].iter().any(|member| !old(member) && near(&member.hits))
    }

    /// Lets two rules become one that applies wherever either does, climbed, if that is better.
    fn merge(&mut self) {
        let mut first = 1;
        while first < self.state.members.len() {
            let mut second = first + 1;
            while second < self.state.members.len() {
                if !self.merged(first, second) {
                    second += 1;
                }
            }
            first += 1;
        }
    }

    fn merged(&mut self, first: usize, second: usize) -> bool {
        let (a, b) = (&self.state.members[first], &self.state.members[second]);
        if self.known.contains(&a.condition) && self.known.contains(&b.condition) {
            return false;
        }
        if !self.state.ground.family.similar(&a.params, &b.params) {
            return false;
        }
        let rows = self.state.ground.rows;
        let Some(hull) = hull(rows, &a.condition, &b.condition) else { return false };
        let mut rest = self.state.clone();
        rest.members.remove(second);
        rest.members.remove(first);
        rest.recompute();
        let slope = Slope::new(&rest);
        let (member, gain) = slope.fit(slope.climb(hull, None));
        if gain <= LEAST {
            return false;
        }
        let before = self.state.objective();
        rest.members.insert(first, member);
        rest.recompute();
        if rest.run_em(5, 1e-2) > before + LEAST {
            self.state = rest;
            return true;
        }
        false
    }

    /// Takes out rules whose work others can do, once their parameters have followed.
    fn compact(&mut self) {
        let mut at = 1;
        while at < self.state.members.len() {
            if self.state.loss(at) > LOST {
                at += 1;
                continue;
            }
            let mut rest = self.state.clone();
            rest.members.remove(at);
            rest.recompute();
            if rest.run_em(10, 1e-2) > self.state.objective() + LEAST {
                self.state = rest;
            } else {
                at += 1;
            }
        }
    }
}

/// The least condition that holds wherever one of two does; nothing if that is everywhere.
fn hull(rows: &Rows, a: &Condition, b: &Condition) -> Option<Condition> {
    let mut hull = Condition::default();
    for (column, test) in &a.tests {
        let joined = match (test, b.test(*column)) {
            (Allowed::Set(a), Some(Allowed::Set(b))) => {
                let set: Vec<bool> = a.iter().zip(b).map(|(a, b)| *a || *b).collect();
                (!set.iter().all(|is| *is)).then_some(Allowed::Set(set))
            }
            (Allowed::Range(low, high), Some(Allowed::Range(from, to))) => {
                let (low, high) = (*low.min(from), *high.max(to));
                let all = low == 0 && high as usize == rows.axes[*column].bins - 1;
                (!all).then_some(Allowed::Range(low, high))
            }
            _ => None,
        };
        hull.set(*column, joined);
    }
    (!hull.tests.is_empty()).then_some(hull)
}

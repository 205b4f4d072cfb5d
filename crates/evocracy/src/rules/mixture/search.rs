//! The genetic algorithm over the members: every offspring is improved by hill climbing before it
//! is judged, and enters only if the objective gains.

use super::condition::{Allowed, Condition};
use super::family::Family;
use super::hill_climb::HillClimb;
use super::rows::BinnedRows;
use super::settings::SearchSettings;
use super::start::StartSampler;
use super::state::{MixtureRule, MixtureState, TrainingSet};
use crate::num::bits::common;
use crate::run::Run;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::f64::consts::LN_2;

/// The least gain in the objective for which rules are changed.
const MIN_GAIN: f64 = 1e-6;
/// A rule is not tried as redundant if its removal costs more than this: EM on the others hardly
/// ever wins back as much.
const MAX_LOSS: f64 = 20.0;
/// The least gain in the objective for which an epoch counts as better.
const EPOCH_GAIN: f64 = 1e-2;
/// The temperature of the first epoch: what it may lose on average.
const TEMPERATURE: f64 = 2.0;
/// An epoch is given up if it is this far behind before the refinement of its rules, or before their
/// merging: these steps hardly ever win back as much.
const MAX_BEHIND: (f64, f64) = (25.0, 8.0);

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
pub(super) struct RuleSearch<'a, F> {
    pub(super) state: MixtureState<'a, F>,
    pub(super) curve: Vec<Epoch>,
    /// The conditions of the rules before this epoch. Merging two of them was tried then.
    old: Vec<Condition>,
    /// The rows covered by the rules that were removed in this epoch.
    removed: Vec<Vec<u64>>,
    settings: SearchSettings,
    rng: ChaCha8Rng,
}

impl<'a, F: Family> RuleSearch<'a, F> {
    pub(super) fn new(
        data: &'a TrainingSet<'a, F>,
        settings: SearchSettings,
        run: &Run<'_>,
    ) -> Self {
        let (curve, old, removed) = (Vec::new(), Vec::new(), Vec::new());
        Self { state: MixtureState::new(data), curve, old, removed, settings, rng: run.seed.rng() }
    }

    /// Whether to end with what there is.
    fn stopped(&self) -> bool {
        self.state.data.stop.requested()
    }

    /// The first rules: as many as raise the objective.
    pub(super) fn initialise(&mut self, run: &Run<'_>) {
        self.grow(3 * self.settings.births, run);
        if !run.stop.requested() {
            self.refine_all();
            self.merge_all();
            self.drop_redundant();
        }
        self.state.run_em(30, 1e-3);
    }

    /// Grows some rules and no more.
    pub(super) fn grow_first(&mut self, tries: usize, run: &Run<'_>) {
        self.grow(tries, run);
        let objective = self.state.run_em(30, 1e-3);
        self.record(objective);
    }

    /// Removes some rules and grows others in their place, again and again: simulated annealing, which
    /// goes on from what is better and at first also from what is a little worse. The best is kept.
    ///
    /// After every epoch `told` gets the steps of all epochs so far, how many these are, how many of
    /// the last brought no gain, and the members of the best.
    pub(super) fn evolve(&mut self, run: &Run<'_>, told: &impl Fn(u64, (usize, usize), usize)) {
        self.initialise(run);
        let first = self.state.data.steps.own();
        let mut current = self.state.objective();
        let (mut best, mut best_objective) = (self.state.clone(), current);
        self.record(best_objective);
        let (mut idle, mut done) = (0, 0);
        while done < self.settings.epochs
            && idle < self.settings.patience * best.members.len()
            && !run.stop.requested()
        {
            let before = self.state.clone();
            self.old = before.members.iter().map(|member| member.condition.clone()).collect();
            self.remove_some();
            let required = current + EPOCH_GAIN - self.tolerance(done);
            let objective = self.regrow(required, run);
            if objective > required {
                current = objective;
            } else {
                self.state = before;
            }
            idle += 1;
            if current > best_objective + EPOCH_GAIN {
                (idle, best, best_objective) = (0, self.state.clone(), current);
                self.record(best_objective);
            } else {
                self.curve.extend_from_within(self.curve.len() - 1..);
            }
            run.watch.figure("objective", best_objective);
            done += 1;
            let steps = self.state.data.steps.own() - first;
            told(steps, (done, idle), best.members.len());
        }
        self.state = best;
        self.state.run_em(300, 1e-6);
    }

    /// By how much an epoch may lower the objective: drawn from an exponential distribution, whose
    /// mean, the temperature, falls to 0 with the epochs done.
    fn tolerance(&mut self, done: usize) -> f64 {
        let left = 1.0 - done as f64 / self.settings.epochs as f64;
        -TEMPERATURE * left * (1.0 - self.rng.random::<f64>()).ln()
    }

    /// Grows new rules and improves all, unless it falls too far behind the required objective on
    /// the way; the objective that was reached.
    fn regrow(&mut self, required: f64, run: &Run<'_>) -> f64 {
        self.grow(self.settings.births, run);
        let grown = self.state.objective();
        if grown < required - MAX_BEHIND.0 {
            return grown;
        }
        self.refine_all();
        let refined = self.state.objective();
        if refined < required - MAX_BEHIND.1 {
            return refined;
        }
        self.merge_all();
        self.drop_redundant();
        self.state.run_em(10, 1e-2)
    }

    /// Takes the best of several sets of rules instead of a search.
    pub(super) fn take_best(&mut self, sets: &[Vec<MixtureRule>]) {
        let mut best = self.state.objective();
        for members in sets {
            let mut state = MixtureState::with(self.state.data, members.clone());
            let objective = state.run_em(30, 1e-3);
            if objective > best {
                (self.state, best) = (state, objective);
            }
        }
        self.record(best);
    }

    fn record(&mut self, objective: f64) {
        let weight: f64 = self.state.data.weights.iter().sum();
        let bits = self.state.log_likelihood() / weight / LN_2;
        let (error, rules) = (self.state.error(), self.state.members.len() - 1);
        self.curve.push(Epoch { objective, bits, error, rules });
    }

    /// Adds rules until `births` offspring in a row did not enter.
    fn grow(&mut self, births: usize, run: &Run<'_>) {
        while self.state.members.len() <= self.settings.rules {
            let Some(member) = self.offspring(births, run) else { break };
            self.state.members.push(member);
            self.state.run_em(5, 1e-2);
            self.prune();
        }
    }

    /// Removes some rules: any, or one at random and those that share most rows with it.
    fn remove_some(&mut self) {
        let rules = self.state.members.len() - 1;
        if rules == 0 {
            return;
        }
        let count = self.rng.random_range(1..=rules.div_ceil(2).min(5));
        let first = self.rng.random_range(1..=rules);
        let neighbours = self.rng.random::<bool>();
        let mut order: Vec<usize> = (1..=rules).collect();
        order.shuffle(&mut self.rng);
        if neighbours {
            let covered = &self.state.members[first].covered;
            let shared = |at: usize| common(&self.state.members[at].covered, covered);
            order.sort_by_key(|&at| std::cmp::Reverse(shared(at)));
        }
        let mut chosen: Vec<usize> = order[..count].to_vec();
        chosen.sort_unstable();
        self.removed.clear();
        for at in chosen.into_iter().rev() {
            self.removed.push(self.state.members.remove(at).covered);
        }
        self.state.recompute();
        self.state.run_em(3, 1e-2);
    }

    /// A new rule by which the objective gains, from at most `tries` hill climbs.
    fn offspring(&mut self, tries: usize, run: &Run<'_>) -> Option<MixtureRule> {
        let Self { state, rng, .. } = self;
        let climb = HillClimb::new(state);
        let mut starts = StartSampler::new(&climb, rng);
        let mut seen = HashSet::new();
        for _ in 0..tries {
            if run.stop.requested() {
                return None;
            }
            let (start, anchor) = starts.draw();
            let Some(condition) = climb.run_unseen(start, anchor, &mut seen) else { continue };
            let (member, gain) = climb.fit(condition);
            if gain > MIN_GAIN {
                return Some(member);
            }
        }
        None
    }

    /// Removes rules that cost more than they gain.
    fn prune(&mut self) {
        let mut at = 1;
        while at < self.state.members.len() && !self.stopped() {
            if self.state.loss(at) < MIN_GAIN {
                self.state.members.remove(at);
                self.state.recompute();
            } else {
                at += 1;
            }
        }
    }

    /// Improves every rule by hill climbing beside the others as they are now; then removes those
    /// that are not worth their price.
    fn refine_all(&mut self) {
        let mut order: Vec<usize> = (1..self.state.members.len()).collect();
        order.shuffle(&mut self.rng);
        for at in order {
            if self.stopped() {
                return;
            }
            if !self.affected(at) {
                continue;
            }
            let sums = (self.state.numerator.clone(), self.state.denominator.clone());
            let member = self.state.members.remove(at);
            self.state.recompute();
            if let Some(new) = self.refined(&member) {
                self.state.members.insert(at, new);
                self.state.run_em(3, 1e-2);
            } else {
                self.state.members.insert(at, member);
                (self.state.numerator, self.state.denominator) = sums;
            }
        }
        self.prune();
    }

    /// What a rule that is not among the members becomes by hill climbing, if that is better.
    fn refined(&self, member: &MixtureRule) -> Option<MixtureRule> {
        let climb = HillClimb::new(&self.state);
        let condition = climb.run(member.condition.clone(), None);
        if condition == member.condition {
            return None;
        }
        let (new, gain) = climb.fit(condition);
        (gain > climb.gain(member) + MIN_GAIN).then_some(new)
    }

    /// Whether a rule is new in this epoch or shares rows with one that was added or removed.
    fn affected(&self, at: usize) -> bool {
        let rule = &self.state.members[at];
        let old = |member: &MixtureRule| self.old.contains(&member.condition);
        if self.old.is_empty() || !old(rule) {
            return true;
        }
        let shares = |covered: &Vec<u64>| common(covered, &rule.covered) > 0;
        self.removed.iter().any(shares)
            || self.state.members[1..].iter().any(|member| !old(member) && shares(&member.covered))
    }

    /// Replaces two rules by one that covers the rows of both, improved by hill climbing, where that
    /// is better.
    fn merge_all(&mut self) {
        let mut first = 1;
        while first < self.state.members.len() {
            let mut second = first + 1;
            while second < self.state.members.len() && !self.stopped() {
                if !self.merge(first, second) {
                    second += 1;
                }
            }
            first += 1;
        }
    }

    fn merge(&mut self, first: usize, second: usize) -> bool {
        let (a, b) = (&self.state.members[first], &self.state.members[second]);
        if self.old.contains(&a.condition) && self.old.contains(&b.condition) {
            return false;
        }
        if !self.state.data.family.similar(&a.params, &b.params) {
            return false;
        }
        let rows = self.state.data.rows;
        let Some(both) = generalise(rows, &a.condition, &b.condition) else { return false };
        let mut rest = self.state.clone();
        rest.members.remove(second);
        rest.members.remove(first);
        rest.recompute();
        let climb = HillClimb::new(&rest);
        let (member, gain) = climb.fit(climb.run(both, None));
        if gain <= MIN_GAIN {
            return false;
        }
        let before = self.state.objective();
        rest.members.insert(first, member);
        rest.recompute();
        if rest.run_em(5, 1e-2) > before + MIN_GAIN {
            self.state = rest;
            return true;
        }
        false
    }

    /// Removes rules without which the objective is better, once EM has adapted the others.
    fn drop_redundant(&mut self) {
        let mut at = 1;
        while at < self.state.members.len() && !self.stopped() {
            if self.state.loss(at) > MAX_LOSS {
                at += 1;
                continue;
            }
            let mut rest = self.state.clone();
            rest.members.remove(at);
            rest.recompute();
            if rest.run_em(10, 1e-2) > self.state.objective() + MIN_GAIN {
                self.state = rest;
            } else {
                at += 1;
            }
        }
    }
}

/// The least general condition that holds wherever one of two does; nothing if it has no tests.
fn generalise(rows: &BinnedRows, a: &Condition, b: &Condition) -> Option<Condition> {
    let mut both = Condition::default();
    for (column, test) in &a.tests {
        let joined = match (test, b.test(*column)) {
            (Allowed::Set(a), Some(Allowed::Set(b))) => {
                let set: Vec<bool> = a.iter().zip(b).map(|(a, b)| *a || *b).collect();
                (!set.iter().all(|is| *is)).then_some(Allowed::Set(set))
            }
            (Allowed::Range(low, high), Some(Allowed::Range(from, to))) => {
                let (low, high) = (*low.min(from), *high.max(to));
                let all = low == 0 && high as usize == rows.columns[*column].bins - 1;
                (!all).then_some(Allowed::Range(low, high))
            }
            _ => None,
        };
        both.set(*column, joined);
    }
    (!both.tests.is_empty()).then_some(both)
}

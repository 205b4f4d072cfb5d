//! Breeding in the correct set: two parents, crossover, mutation within the niche, subsumption.
//!
//! Parents and children match the row and predict its class. So an equal rule of the population, if
//! there is one, is in the correct set, and so are most rules that could subsume a child.

use super::learn::{Engine, Example};
use super::macro_classifier::{MacroClassifier, power};
use super::{Crossover, Selection, Subsumption};
use crate::evolve::{Rng, below, chance, unit};
use crate::num::bits::count;
use crate::rules::condition::{contains, cross_two_point, cross_uniform, forget, mutate};

impl Engine<'_> {
    /// Two children of the correct set join the population.
    pub(super) fn breed(&mut self, row: &[u64], label: u32, rng: &mut Rng) {
        for &at in &self.correct {
            self.population.members[at as usize].stamp = self.time;
        }
        let parents = [self.select(rng), self.select(rng)];
        let [mut a, mut b] = std::mem::take(&mut self.parents);
        self.population.masks.get(parents[0], &mut a);
        self.population.masks.get(parents[1], &mut b);
        if parents[0] != parents[1] && chance(self.ucs.crossover, rng) {
            match self.ucs.crossing {
                Crossover::Uniform => cross_uniform(self.layout, &mut a, &mut b, rng),
                Crossover::TwoPoint => cross_two_point(self.layout, &mut a, &mut b, rng),
            }
        }
        if self.ucs.feedback {
            self.feed_back();
        }
        let child = self.child(parents, label);
        for condition in [&mut a, &mut b] {
            self.change(condition, row, rng);
            self.insert(condition, child);
        }
        self.parents = [a, b];
    }

    /// A child before it has met a row: a tenth of its parents' fitness (Butz and Wilson 2001).
    fn child(&self, parents: [usize; 2], label: u32) -> MacroClassifier {
        let [a, b] = parents.map(|at| &self.population.members[at]);
        MacroClassifier {
            class: label,
            numerosity: 1,
            seen: 0,
            weight: 0.0,
            right: 0.0,
            size: f64::midpoint(a.size, b.size),
            stamp: self.time,
            fitness: 0.1 * f64::midpoint(a.fitness, b.fitness),
        }
    }

    fn select(&self, rng: &mut Rng) -> usize {
        match self.ucs.selection {
            Selection::Tournament => self.tournament(rng),
            Selection::Roulette => self.roulette(rng),
        }
    }

    /// The fittest of a random share of the correct set (Butz, Sastry and Goldberg 2003).
    fn tournament(&self, rng: &mut Rng) -> usize {
        let members = &self.population.members;
        let count = self.correct.len();
        // The first of equals wins, so the walk starts at a random place.
        let start = below(count, rng);
        let (mut best, mut top) = (self.correct[start] as usize, -1.0);
        for place in start..start + count {
            let at = self.correct[if place < count { place } else { place - count }] as usize;
            let member = &members[at];
            if member.fitness > top {
                let out = power(1.0 - self.ucs.tournament, f64::from(member.numerosity.min(64)));
                if unit(rng) >= out {
                    (best, top) = (at, member.fitness);
                }
            }
        }
        best
    }

    fn roulette(&self, rng: &mut Rng) -> usize {
        let members = &self.population.members;
        let worth = |at: &u32| {
            let member = &members[*at as usize];
            member.fitness * f64::from(member.numerosity)
        };
        let mut rest = unit(rng) * self.correct.iter().map(worth).sum::<f64>();
        let chosen = self.correct.iter().find(|at| {
            rest -= worth(at);
            rest < 0.0
        });
        chosen.map_or(self.correct[0], |at| *at) as usize
    }

    /// Counts the attributes that the rules of the correct set test, by their fitness.
    fn feed_back(&mut self) {
        let mut condition = std::mem::take(&mut self.condition);
        for &at in &self.correct {
            let member = &self.population.members[at as usize];
            self.population.masks.get(at as usize, &mut condition);
            let worth = member.fitness * f64::from(member.numerosity);
            self.layout.specified(&condition, |attribute| self.guide.count(attribute, worth));
        }
        self.guide.counted();
        self.condition = condition;
    }

    /// Mutation within the niche of the row.
    fn change(&self, condition: &mut [u64], row: &[u64], rng: &mut Rng) {
        let count = self.layout.attributes();
        self.rate.each(self.open, rng, |attribute, rng| {
            let attribute = if self.guide.equal { attribute } else { self.choose(condition, rng) };
            mutate(self.layout, condition, attribute, row, rng);
        });
        if self.limit < count {
            // Above the limit, tests of attributes of low weight are dropped.
            while self.layout.specificity(condition) > self.limit {
                let attribute = self.weakest(condition, rng);
                forget(self.layout, condition, attribute);
            }
        }
    }

    /// With guidance: as likely one of low weight that the condition tests as one drawn by weight.
    fn choose(&self, condition: &[u64], rng: &mut Rng) -> usize {
        if chance(0.5, rng) && condition.iter().any(|word| *word != 0) {
            self.weakest(condition, rng)
        } else {
            self.guide.draw(rng)
        }
    }

    /// Of two random attributes that the condition tests, the one of less weight.
    fn weakest(&self, condition: &[u64], rng: &mut Rng) -> usize {
        let count = self.layout.specificity(condition);
        let (one, other) = (below(count, rng), below(count, rng));
        let (mut at, mut pair) = (0, [0; 2]);
        self.layout.specified(condition, |attribute| {
            if at == one {
                pair[0] = attribute;
            }
            if at == other {
                pair[1] = attribute;
            }
            at += 1;
        });
        let [a, b] = pair;
        if self.guide.weight(a) <= self.guide.weight(b) { a } else { b }
    }

    /// Adds a child, unless a rule of the correct set is the same or subsumes it.
    fn insert(&mut self, condition: &[u64], mut child: MacroClassifier) {
        let subsumes = matches!(self.ucs.subsumption, Subsumption::Ga | Subsumption::Both);
        let masks = &self.population.masks;
        let members = &self.population.members;
        let known = self.correct.iter().map(|&at| at as usize).find(|&at| {
            if subsumes && self.may_subsume(&members[at]) {
                masks.contains(at, condition)
            } else {
                masks.is(at, condition)
            }
        });
        if let Some(at) = known {
            return self.population.add_numerosity(at, 1, self.ucs);
        }
        self.evaluate(condition, &mut child);
        self.correct.push(self.population.members.len() as u32);
        self.population.push(condition, child, self.ucs);
    }

    /// Whether a rule is accurate and experienced enough to subsume others.
    fn may_subsume(&self, member: &MacroClassifier) -> bool {
        member.seen > self.ucs.experience && member.accuracy() > self.ucs.accurate
    }

    /// Correct-set subsumption: the most general rule that may takes over what it contains.
    pub(super) fn subsume_set(&mut self, example: Example<'_>) {
        let (masks, members) = (&self.population.masks, &self.population.members);
        let places = || self.correct.iter().map(|&at| at as usize);
        let able = places().filter(|&at| self.may_subsume(&members[at]));
        let forbids = |at: usize| count(&masks.condition(at));
        let Some(mut general) = able.min_by_key(|&at| forbids(at)) else { return };
        let wide = masks.condition(general);
        let inside = |at: usize| at != general && contains(&wide, &masks.condition(at));
        let mut lost: Vec<usize> = places().filter(|&at| inside(at)).collect();
        if lost.is_empty() {
            return;
        }
        let taken: u32 = lost.iter().map(|&at| members[at].numerosity).sum();
        // From the last on: the rule that moves into a gap is then never one still to be removed.
        lost.sort_unstable();
        for &at in lost.iter().rev() {
            self.population.remove(at);
            if general == self.population.members.len() {
                general = at;
            }
        }
        self.population.add_numerosity(general, taken, self.ucs);
        // The places of others may have changed too.
        self.form_sets(example);
    }
}

//! Learning from one row: the match set, the correct set, covering, credit, breeding, deletion
//! (Bernadó-Mansilla and Garrell-Guiu 2003, section 3; terms as in Butz and Wilson 2001).

use super::exact::Exact;
use super::guide::Guide;
use super::macro_classifier::{MacroClassifier, power};
use super::population::UcsPopulation;
use super::{Subsumption, Ucs};
use crate::evolve::{Rate, Rng, below, chance};
use crate::rules::condition::{Layout, narrow_to};
use crate::run::Seed;
use rand::SeedableRng;

/// A row to learn from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Example<'a> {
    pub(super) row: &'a [u64],
    pub(super) label: u32,
    pub(super) weight: f64,
}

/// A population that learns, with its working memory.
#[derive(Debug)]
pub(super) struct Engine<'a> {
    pub(super) ucs: &'a Ucs,
    pub(super) layout: &'a Layout,
    pub(super) population: UcsPopulation,
    pub(super) guide: Guide,
    /// Evaluates rules on all training rows at once, if they are to be evaluated that way.
    pub(super) exact: Option<Exact>,
    /// How likely an attribute is changed.
    pub(super) rate: Rate,
    /// The most attributes of a rule, and how many rules may test.
    pub(super) limit: usize,
    pub(super) open: usize,
    pub(super) seed: Seed,
    /// How many rows were learnt from.
    pub(super) time: u64,
    matched: Vec<u32>,
    pub(super) correct: Vec<u32>,
    /// The numerosity of the correct set, and the sum of its time stamps.
    size: u64,
    stamps: u64,
    votes: Vec<f64>,
    /// Working memory for conditions.
    pub(super) parents: [Vec<u64>; 2],
    pub(super) condition: Vec<u64>,
}

/// How the population called a row before it learnt from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RowOutcome {
    pub(super) right: bool,
    /// The share of the votes for its class; an equal one where there were none.
    pub(super) share: f64,
    pub(super) covered: bool,
}

impl<'a> Engine<'a> {
    pub(super) fn new(
        ucs: &'a Ucs,
        layout: &'a Layout,
        population: UcsPopulation,
        classes: usize,
        (seed, time): (Seed, u64),
    ) -> Self {
        let words = layout.words();
        Self {
            ucs,
            layout,
            population,
            guide: Guide::equal(layout.attributes()),
            exact: None,
            rate: Rate::new(ucs.mutation),
            limit: layout.attributes(),
            open: layout.attributes(),
            seed,
            time,
            matched: Vec::new(),
            correct: Vec::new(),
            size: 0,
            stamps: 0,
            votes: vec![0.0; classes],
            parents: [vec![0; words], vec![0; words]],
            condition: vec![0; words],
        }
    }

    /// The generator of one step: it depends on nothing but the seed and the time, so a saved
    /// population goes on as if it had not been interrupted.
    fn rng(&self) -> Rng {
        let golden = 0x9e37_79b9_7f4a_7c15_u64;
        Rng::seed_from_u64(self.seed.value() ^ self.time.wrapping_mul(golden))
    }

    /// Learns from one row.
    pub(super) fn step(&mut self, example: Example<'_>) -> RowOutcome {
        let mut rng = self.rng();
        let (right, share) = self.form_sets(example);
        let covered = self.correct.is_empty();
        if covered {
            self.cover(example, &mut rng);
        }
        self.credit(example);
        if matches!(self.ucs.subsumption, Subsumption::Set | Subsumption::Both) {
            self.subsume_set(example);
        }
        if self.due() {
            self.breed(example.row, example.label, &mut rng);
        }
        while self.population.micro > self.ucs.population as u64 {
            self.population.delete(self.ucs, &mut rng);
        }
        self.time += 1;
        RowOutcome { right, share, covered }
    }

    /// Finds the match set and the correct set; whether the former votes for the right class, and
    /// the share of its votes for it.
    pub(super) fn form_sets(&mut self, example: Example<'_>) -> (bool, f64) {
        let label = example.label;
        self.population.masks.matching(example.row, &mut self.matched);
        self.correct.clear();
        self.votes.fill(0.0);
        (self.size, self.stamps) = (0, 0);
        for &at in &self.matched {
            let member = &self.population.members[at as usize];
            self.votes[member.class as usize] += member.vote(self.ucs.youth);
            if member.class == label {
                self.correct.push(at);
                self.size += u64::from(member.numerosity);
                self.stamps += u64::from(member.numerosity) * member.stamp;
            }
        }
        let right = !self.matched.is_empty() && crate::num::argmax(&self.votes) == label as usize;
        let all: f64 = self.votes.iter().sum();
        let own = self.votes[label as usize];
        (right, if all > 0.0 { own / all } else { 1.0 / self.votes.len() as f64 })
    }

    /// Makes a rule that matches the row and predicts its class.
    fn cover(&mut self, example: Example<'_>, rng: &mut Rng) {
        let mut condition = vec![0; self.layout.words()];
        let asked = (0..self.open).filter(|_| !chance(self.ucs.wildcard, rng)).count();
        let asked = if asked > self.limit { 1 + below(self.limit, rng) } else { asked };
        for _ in 0..asked {
            let attribute = self.guide.draw(rng);
            narrow_to(self.layout, &mut condition, attribute, example.row);
        }
        let mut member = MacroClassifier {
            class: example.label,
            numerosity: 1,
            seen: 0,
            weight: 0.0,
            right: 0.0,
            size: 1.0,
            stamp: self.time,
            fitness: self.ucs.initial,
        };
        self.evaluate(&condition, &mut member);
        let at = self.population.members.len() as u32;
        self.population.push(&condition, member, self.ucs);
        self.matched.push(at);
        self.correct.push(at);
        (self.size, self.stamps) = (1, self.time);
    }

    /// Gives a new rule its accuracy on all training rows, if rules are evaluated that way.
    pub(super) fn evaluate(&mut self, condition: &[u64], member: &mut MacroClassifier) {
        if let Some(exact) = &mut self.exact {
            exact.evaluate(condition, member);
            member.fitness = fitness(self.ucs, member);
        }
    }

    /// Updates all rules of the match set.
    fn credit(&mut self, example: Example<'_>) {
        let ucs = self.ucs;
        let members = &mut self.population.members;
        let size = self.size as f64;
        for &at in &self.matched {
            let member = &mut members[at as usize];
            let correct = member.class == example.label;
            if self.exact.is_none() {
                member.seen += 1;
                member.weight += example.weight;
                member.right += if correct { example.weight } else { 0.0 };
                if !ucs.sharing {
                    member.fitness = fitness(ucs, member);
                }
            }
            if correct {
                member.size += ucs.rate * (size - member.size);
            }
        }
        if ucs.sharing {
            self.share(example.label);
        }
        for &at in &self.matched {
            self.population.refresh(at as usize, ucs);
        }
    }

    /// Fitness sharing: the rules of the correct set divide a fitness of 1 by their accuracy; the
    /// others get nothing (Orriols-Puig and Bernadó-Mansilla 2008, equations 4 to 7).
    fn share(&mut self, label: u32) {
        let ucs = self.ucs;
        let members = &mut self.population.members;
        let kappa = |member: &MacroClassifier| {
            let accuracy = member.accuracy();
            if accuracy > ucs.accurate { 1.0 } else { 0.1 * power(accuracy / ucs.accurate, ucs.nu) }
        };
        let each = self.correct.iter().map(|&at| &members[at as usize]);
        let total: f64 = each.map(|member| kappa(member) * f64::from(member.numerosity)).sum();
        for &at in &self.matched {
            let member = &mut members[at as usize];
            let own =
                if member.class == label && total > 0.0 { kappa(member) / total } else { 0.0 };
            member.fitness += ucs.rate * (own - member.fitness);
        }
    }

    /// Whether the correct set has waited long enough for the genetic algorithm, on average.
    fn due(&self) -> bool {
        self.time * self.size > self.stamps + self.ucs.patience * self.size
    }
}

/// Accuracy to the power `nu`, (3) of Bernadó-Mansilla and Garrell-Guiu.
#[inline]
pub(super) fn fitness(ucs: &Ucs, member: &MacroClassifier) -> f64 {
    power(member.accuracy(), ucs.nu)
}

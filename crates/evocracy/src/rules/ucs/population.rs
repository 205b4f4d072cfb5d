//! The population: rules, and which of them is deleted.
//!
//! Invariants: no two rules have the same condition and class; the numerosities add up to `micro`;
//! after every step `micro` is at most the limit.

use super::Ucs;
use super::macro_classifier::MacroClassifier;
use crate::evolve::{Rng, unit};
use crate::num::wide;
use crate::rules::condition::Masks;

/// Rules in order; a deleted one is replaced by the last.
#[derive(Debug, Clone)]
pub(super) struct UcsPopulation {
    pub(super) masks: Masks,
    pub(super) members: Vec<MacroClassifier>,
    /// The sum of all numerosities.
    pub(super) micro: u64,
    /// What deletion needs, in arrays of their own: numerosity times size of the correct sets,
    /// numerosity times fitness, and 1 / fitness of experienced rules, 0 of others.
    niche_sizes: Vec<f64>,
    fitness: Vec<f64>,
    inverse_fitness: Vec<f64>,
    /// The votes of blocks of rules, while one is drawn.
    sums: Vec<f64>,
}

/// The bound of 1 / fitness, which may be 0.
const MAX_INVERSE: f64 = 1e12;

/// How many votes are summed at a time; the drawn rule is looked for in one such block.
const BLOCK: usize = 64;

impl UcsPopulation {
    pub(super) fn new(masks: Masks, members: Vec<MacroClassifier>, ucs: &Ucs) -> Self {
        let count = members.len();
        let micro = members.iter().map(|member| u64::from(member.numerosity)).sum();
        let zeros = || vec![0.0; count];
        let (niche_sizes, fitness, inverse_fitness, sums) = (zeros(), zeros(), zeros(), Vec::new());
        let mut made = Self { masks, members, micro, niche_sizes, fitness, inverse_fitness, sums };
        (0..count).for_each(|at| made.refresh(at, ucs));
        made
    }

    /// Brings what deletion needs up to date with a member.
    #[inline]
    pub(super) fn refresh(&mut self, at: usize, ucs: &Ucs) {
        let member = &self.members[at];
        let numerosity = f64::from(member.numerosity);
        self.niche_sizes[at] = numerosity * member.size;
        self.fitness[at] = numerosity * member.fitness;
        self.inverse_fitness[at] =
            if member.seen > ucs.youth { (1.0 / member.fitness).min(MAX_INVERSE) } else { 0.0 };
    }

    /// Adds a rule that is not there yet.
    pub(super) fn push(&mut self, condition: &[u64], member: MacroClassifier, ucs: &Ucs) {
        self.masks.push(condition);
        self.members.push(member);
        self.micro += u64::from(member.numerosity);
        for list in [&mut self.niche_sizes, &mut self.fitness, &mut self.inverse_fitness] {
            list.push(0.0);
        }
        self.refresh(self.members.len() - 1, ucs);
    }

    /// Adds to the numerosity of a rule.
    pub(super) fn add_numerosity(&mut self, at: usize, count: u32, ucs: &Ucs) {
        self.members[at].numerosity += count;
        self.micro += u64::from(count);
        self.refresh(at, ucs);
    }

    /// Removes a rule altogether.
    pub(super) fn remove(&mut self, at: usize) {
        self.masks.swap_remove(at);
        let member = self.members.swap_remove(at);
        self.micro -= u64::from(member.numerosity);
        for list in [&mut self.niche_sizes, &mut self.fitness, &mut self.inverse_fitness] {
            list.swap_remove(at);
        }
    }

    /// Whether what deletion needs is the same in both.
    #[cfg(test)]
    pub(super) fn agrees(&self, other: &Self) -> bool {
        (self.micro, &self.niche_sizes, &self.fitness, &self.inverse_fitness)
            == (other.micro, &other.niche_sizes, &other.fitness, &other.inverse_fitness)
    }

    /// Deletes one micro-classifier, drawn by its vote: crowded niches first, and the old ones of
    /// a fitness far below the mean before all others (Kovacs 1999; Butz and Wilson 2001).
    pub(super) fn delete(&mut self, ucs: &Ucs, rng: &mut Rng) {
        let at = wide(
            #[inline(always)]
            || self.draw(ucs.delta, unit(rng)),
        );
        if self.members[at].numerosity > 1 {
            self.members[at].numerosity -= 1;
            self.micro -= 1;
            self.refresh(at, ucs);
        } else {
            self.remove(at);
        }
    }

    /// The rule where the votes add up to the share `point` of all.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
    fn draw(&mut self, delta: f64, point: f64) -> usize {
        let Self { niche_sizes, fitness, inverse_fitness, sums, .. } = self;
        let count = niche_sizes.len();
        let (niche, fitness, inverse) =
            (&niche_sizes[..count], &fitness[..count], &inverse_fitness[..count]);
        let mean = blocks(
            count,
            #[inline(always)]
            |at| fitness[at],
            #[inline(always)]
            |_| (),
        ) / self.micro as f64;
        let limit = 1.0 / (delta * mean);
        let vote =
            |at: usize| niche[at] * if inverse[at] > limit { inverse[at] * mean } else { 1.0 };
        sums.clear();
        let total = blocks(
            count,
            vote,
            #[inline(always)]
            |sum| sums.push(sum),
        );
        let mut rest = point * total;
        let mut start = 0;
        for sum in sums.iter() {
            if rest < *sum {
                break;
            }
            rest -= sum;
            start += BLOCK;
        }
        // Rounding may leave a little of the last block.
        for at in start.min(count - 1)..count {
            rest -= vote(at);
            if rest < 0.0 {
                return at;
            }
        }
        count - 1
    }
}

/// The sum of `value(0), ..., value(count - 1)`, block after block; `each` gets the blocks' sums.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
fn blocks(count: usize, value: impl Fn(usize) -> f64, mut each: impl FnMut(f64)) -> f64 {
    const LANES: usize = 8;
    let mut total = 0.0;
    for start in (0..count).step_by(BLOCK) {
        let mut lanes = [0.0; LANES];
        if start + BLOCK <= count {
            for step in 0..BLOCK / LANES {
                for (lane, sum) in lanes.iter_mut().enumerate() {
                    *sum += value(start + step * LANES + lane);
                }
            }
        } else {
            (start..count).for_each(|at| lanes[at % LANES] += value(at));
        }
        let sum: f64 = lanes.iter().sum();
        each(sum);
        total += sum;
    }
    total
}

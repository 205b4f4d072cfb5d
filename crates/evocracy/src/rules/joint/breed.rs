//! Covering, children and deletion.

use super::population::{Expert, JointPopulation, Share, extent};
use crate::evolve::{Rng, below, chance, rng, unit};
use crate::num::bits::{has, insert};
use crate::rules::condition::{Layout, cross_two_point, forget, mutate, narrow_to};

impl JointPopulation {
    /// Adds a rule that matches the row.
    pub(super) fn cover(&mut self, layout: &Layout, row: &[u64]) {
        let mut rng = self.rng("cover");
        let mut condition = vec![0; self.conditions.words()];
        for attribute in 0..layout.attributes() {
            if !chance(self.breeding.wild, &mut rng) {
                narrow_to(layout, &mut condition, attribute, row);
            }
        }
        self.add(layout, &condition, 1.0 / self.breeding.size as f64);
    }

    /// The random numbers of a step depend on its time, not on how the stream is cut into chunks.
    fn rng(&self, step: &str) -> Rng {
        rng(self.seed.child(step, self.time))
    }

    /// Adds a copy of a rule, which is new or there already.
    fn add(&mut self, layout: &Layout, condition: &[u64], first: f64) {
        let same = (0..self.experts.len()).find(|&at| self.conditions.is(at, condition));
        if let Some(at) = same {
            self.experts[at].copies += 1;
            return;
        }
        let (sums, born) = (vec![0.0; self.classes], self.weight());
        let extent = extent(layout, condition);
        self.conditions.push(condition);
        self.experts.push(Expert { copies: 1, sums, born, first, shares: 0.0, extent });
    }

    /// Two parents have two children.
    pub(super) fn breed(&mut self, layout: &Layout, row: &[u64], shares: &[Share]) {
        let mut rng = self.rng("breed");
        let weights: Vec<f64> = if self.breeding.niche {
            shares.iter().map(|(_, share)| *share).collect()
        } else {
            (0..self.experts.len()).map(|at| self.fitness(at)).collect()
        };
        let parent = |rng: &mut Rng| {
            let at = roulette(&weights, rng);
            if self.breeding.niche { shares[at].0 as usize } else { at }
        };
        let (a, b) = (parent(&mut rng), parent(&mut rng));
        let copy = |at: usize| self.fitness(at) / self.experts[at].copies as f64;
        let mut first = [copy(a), copy(b)];
        let (mut one, mut two) = (self.conditions.condition(a), self.conditions.condition(b));
        if chance(self.breeding.crossover, &mut rng) {
            cross_two_point(layout, &mut one, &mut two, &mut rng);
            first = [f64::midpoint(first[0], first[1]); 2];
        }
        for (mut child, first) in [one, two].into_iter().zip(first) {
            self.mutate(layout, &mut child, row, &mut rng);
            self.add(layout, &child, first);
        }
    }

    /// Changes tests so that the child still matches the row. Where parents come from the whole
    /// population and need not match the row, a test may also come to require another value.
    fn mutate(&self, layout: &Layout, child: &mut [u64], row: &[u64], rng: &mut Rng) {
        for attribute in 0..layout.attributes() {
            if !chance(self.breeding.mutation, rng) {
                continue;
            }
            if self.breeding.niche {
                mutate(layout, child, attribute, row, rng);
                continue;
            }
            let span = layout.span(attribute);
            let (forbidden, allowed): (Vec<usize>, Vec<usize>) =
                span.partition(|&literal| has(child, literal));
            let turn = !forbidden.is_empty() && chance(0.5, rng);
            if turn {
                forget(layout, child, attribute);
            }
            let values = if turn { forbidden } else { allowed };
            let mut other = vec![0; row.len()];
            if let Some(&literal) = values.get(below(values.len(), rng)) {
                insert(&mut other, literal);
            }
            mutate(layout, child, attribute, &other, rng);
        }
    }

    /// Deletes copies until there are no more than there may be.
    pub(super) fn shrink(&mut self) {
        let mut excess = self.copies().saturating_sub(self.breeding.size);
        if excess == 0 {
            return;
        }
        let mut rng = self.rng("delete");
        while excess > 0 {
            // Powers of ratios: powers of fitness itself could underflow or overflow.
            let fitness: Vec<f64> = (0..self.experts.len())
                .map(|at| self.fitness(at) / self.experts[at].copies as f64)
                .collect();
            let least = fitness.iter().copied().fold(f64::INFINITY, f64::min).max(1e-300);
            let weights: Vec<f64> = fitness
                .iter()
                .zip(&self.experts)
                .map(|(fitness, expert)| {
                    let ratio = least / fitness.max(least);
                    expert.copies as f64 * ratio.powf(self.breeding.severity)
                })
                .collect();
            let at = roulette(&weights, &mut rng);
            self.experts[at].copies -= 1;
            if self.experts[at].copies == 0 {
                self.experts.swap_remove(at);
                self.conditions.swap_remove(at);
            }
            excess -= 1;
        }
    }
}

/// A place drawn by weight.
fn roulette(weights: &[f64], rng: &mut Rng) -> usize {
    let mut left = unit(rng) * weights.iter().sum::<f64>();
    for (at, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return at;
        }
    }
    weights.len() - 1
}

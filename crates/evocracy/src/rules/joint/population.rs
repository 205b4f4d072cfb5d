//! The rules of the population and how they learn from a row.

use super::{MoeJoint, Parents};
use crate::num::bits::has;
use crate::rules::condition::{Layout, Masks};
use crate::run::Seed;
use serde::{Deserialize, Serialize};

/// What is known of a rule beside its condition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Expert {
    /// `n_j`.
    pub(super) copies: u64,
    /// `sp(j, k)` of equation (14).
    pub(super) sums: Vec<f64>,
    /// The weight of the rows shown before it was made.
    pub(super) born: f64,
    /// The fitness it started with.
    pub(super) first: f64,
    /// The sum of its shares of rows since then.
    pub(super) shares: f64,
    /// The binary logarithm of the number of rows it matches.
    pub(super) extent: f64,
}

/// How the population is bred; the parameters of the learner that are used for each row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Breeding {
    pub(super) size: u64,
    pub(super) every: u64,
    pub(super) crossover: f64,
    pub(super) mutation: f64,
    pub(super) wild: f64,
    pub(super) prior: f64,
    pub(super) trust: f64,
    pub(super) severity: f64,
    pub(super) niche: bool,
}

impl Breeding {
    pub(super) fn new(params: &MoeJoint) -> Self {
        let MoeJoint { every, crossover, mutation, wild, prior, trust, severity, .. } = *params;
        let (size, niche) = (params.size as u64, params.parents == Parents::Niche);
        Self { size, every, crossover, mutation, wild, prior, trust, severity, niche }
    }
}

/// Rules with numerosities, and how far the stream has come.
///
/// Invariants: conditions differ, every rule has a copy, and after a row the copies are at most
/// the size of the population.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct JointPopulation {
    pub(super) breeding: Breeding,
    pub(super) classes: usize,
    pub(super) conditions: Masks,
    pub(super) experts: Vec<Expert>,
    /// The weight of the rows shown, of each class.
    pub(super) seen: Vec<f64>,
    /// The number of rows shown.
    pub(super) time: u64,
    /// When there were children last.
    pub(super) bred: u64,
    pub(super) seed: Seed,
}

/// A rule's place and a number: its share of a row.
pub(super) type Share = (u32, f64);

impl JointPopulation {
    pub(super) fn new(breeding: Breeding, classes: usize, words: usize, seed: Seed) -> Self {
        let (conditions, experts) = (Masks::new(words), Vec::new());
        let (seen, time, bred) = (vec![0.0; classes], 0, 0);
        Self { breeding, classes, conditions, experts, seen, time, bred, seed }
    }

    /// The sum of the numerosities.
    pub(super) fn copies(&self) -> u64 {
        self.experts.iter().map(|expert| expert.copies).sum()
    }

    /// The weight of the rows shown.
    pub(super) fn weight(&self) -> f64 {
        self.seen.iter().sum()
    }

    /// One row of algorithm 1. The class probabilities that were predicted before.
    pub(super) fn learn_row(
        &mut self,
        layout: &Layout,
        row: &[u64],
        class: usize,
        weight: f64,
    ) -> Vec<f64> {
        self.time += 1;
        let mut shares = self.matching(layout, row);
        let before = self.proba(&shares);
        if shares.is_empty() {
            self.cover(layout, row);
            shares = self.matching(layout, row);
        }
        for (at, share) in &mut shares {
            *share *= self.class_probability(*at as usize, class);
        }
        let total: f64 = shares.iter().map(|(_, share)| share).sum();
        self.seen[class] += weight;
        for (at, share) in &mut shares {
            *share /= total;
            let expert = &mut self.experts[*at as usize];
            expert.sums[class] += weight * *share;
            expert.shares += weight * *share;
        }
        if self.time - self.bred >= self.breeding.every {
            self.bred = self.time;
            self.breed(layout, row, &shares);
        }
        self.shrink();
        before
    }

    /// Equation (22), normalised, from the rules that match a row; the shares of the classes seen
    /// so far where none does.
    pub(super) fn proba(&self, matching: &[Share]) -> Vec<f64> {
        let mut sums = self.seen.clone();
        if !matching.is_empty() {
            sums.fill(0.0);
            for (at, share) in matching {
                for (class, sum) in sums.iter_mut().enumerate() {
                    *sum += share * self.class_probability(*at as usize, class);
                }
            }
        }
        let total: f64 = sums.iter().sum();
        let share = |sum: f64| if total > 0.0 { sum / total } else { 1.0 / sums.len() as f64 };
        sums.iter().map(|sum| share(*sum)).collect()
    }

    /// The rules that match a row, with `n_j P(x | j)` relative to the most special one: over a
    /// thousand bits `2^-#` alone would be 0.
    pub(super) fn matching(&self, layout: &Layout, row: &[u64]) -> Vec<Share> {
        let mut shares = self.extents(layout, row);
        let least = shares.iter().map(|share| share.1).fold(f64::INFINITY, f64::min);
        for (at, share) in &mut shares {
            *share = self.experts[*at as usize].copies as f64 * (least - *share).exp2();
        }
        shares
    }

    /// The rules that match a row, with `-log2 P(x | j)`.
    pub(super) fn extents(&self, layout: &Layout, row: &[u64]) -> Vec<Share> {
        let mut found = Vec::new();
        self.conditions.matching(row, &mut found);
        let known = (0..layout.attributes()).map(|attribute| known(layout, attribute, row));
        let missing: Vec<usize> = known.enumerate().filter(|(_, k)| !k).map(|(at, _)| at).collect();
        let extent = |at: u32| {
            let expert = &self.experts[at as usize];
            let mut extent = expert.extent;
            if !missing.is_empty() {
                let condition = self.conditions.condition(at as usize);
                extent -= missing.iter().map(|&a| width(layout, &condition, a)).sum::<f64>();
            }
            (at, extent)
        };
        found.into_iter().map(extent).collect()
    }

    /// `P(c | j)` by equation (15), with the rows that every rule starts with.
    pub(super) fn class_probability(&self, at: usize, class: usize) -> f64 {
        let sums = &self.experts[at].sums;
        let (prior, all) = (self.breeding.prior, sums.iter().sum::<f64>());
        (sums[class] + prior) / (all + self.classes as f64 * prior)
    }

    /// The mean share of a rule of the rows since it was made.
    pub(super) fn mean_share(&self, at: usize) -> f64 {
        let Expert { born, shares, .. } = self.experts[at];
        let rows = self.weight() - born;
        if rows > 0.0 { shares / rows } else { 0.0 }
    }

    /// Equation (21): the mean share of a rule since it was made, all its copies together.
    pub(super) fn fitness(&self, at: usize) -> f64 {
        let Expert { born, first, shares, .. } = self.experts[at];
        let trust = self.breeding.trust;
        (shares + trust * first) / (self.weight() - born + trust)
    }
}

/// Whether the value of an attribute is known in a row.
fn known(layout: &Layout, attribute: usize, row: &[u64]) -> bool {
    let mut span = layout.span(attribute);
    // An attribute without values cannot be missing.
    span.is_empty() || span.any(|literal| has(row, literal))
}

/// The binary logarithm of the number of values that a condition allows an attribute.
fn width(layout: &Layout, condition: &[u64], attribute: usize) -> f64 {
    let allowed = layout.span(attribute).filter(|&literal| !has(condition, literal)).count();
    (allowed.max(1) as f64).log2()
}

/// The binary logarithm of the number of rows that a condition matches.
pub(super) fn extent(layout: &Layout, condition: &[u64]) -> f64 {
    (0..layout.attributes()).map(|attribute| width(layout, condition, attribute)).sum()
}

//! Real vectors that inherit the sizes of their own mutation steps: the genomes of evolution
//! strategies with self-adaptation (Schwefel 1995; Beyer, Schwefel 2002).

use super::numbers::Reals;
use super::{barren, foreign};
use crate::error::Result;
use crate::evolve::vary::{Crossover, Mutation};
use crate::evolve::{Domain, Rng, chance, gauss};
use serde::{Deserialize, Serialize};

/// A real vector with a step size for each place.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Stepped {
    /// The vector.
    pub values: Vec<f64>,
    /// The standard deviation of the next step, by place.
    pub steps: Vec<f64>,
}

impl Clone for Stepped {
    fn clone(&self) -> Self {
        Self { values: self.values.clone(), steps: self.steps.clone() }
    }

    /// Reuses memory, which the derived one would not.
    fn clone_from(&mut self, source: &Self) {
        self.values.clone_from(&source.values);
        self.steps.clone_from(&source.steps);
    }
}

/// Real vectors within bounds, with step sizes that evolve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stepping {
    reals: Reals,
    /// The first step, as a fraction of the width of its bounds.
    start: f64,
}

/// Steps never fall below this fraction of the bounds, so that they can grow again.
const LEAST: f64 = 1e-12;

impl Stepping {
    /// Vectors of `reals` that begin with steps of `start` times the width of their bounds.
    pub fn new(reals: Reals, start: f64) -> Self {
        Self { reals, start }
    }

    fn width(&self, place: usize) -> f64 {
        let (lower, upper) = self.reals.bounds(place);
        upper - lower
    }

    fn step(&self, place: usize, step: f64) -> f64 {
        let width = self.width(place);
        step.max(LEAST * width).min(width)
    }
}

impl Domain for Stepping {
    type Genome = Stepped;

    fn check(&self) -> Result<()> {
        self.reals.check()?;
        if self.start > 0.0 && self.start <= 1.0 {
            return Ok(());
        }
        barren("first steps that are not above 0 and at most 1, as a fraction of the bounds")
    }

    fn sample(&self, rng: &mut Rng) -> Stepped {
        let values = self.reals.sample(rng);
        let steps = (0..values.len()).map(|i| self.step(i, self.start * self.width(i))).collect();
        Stepped { values, steps }
    }

    fn admit(&self, genome: &Stepped) -> Result<()> {
        self.reals.admit(&genome.values)?;
        let own = |(i, step): (usize, &f64)| self.step(i, *step) == *step;
        if genome.steps.len() == genome.values.len() && genome.steps.iter().enumerate().all(own) {
            return Ok(());
        }
        foreign("a vector whose steps are missing or out of range")
    }

    fn distance(&self, a: &Stepped, b: &Stepped) -> f64 {
        self.reals.distance(&a.values, &b.values)
    }

    fn key(&self, genome: &Stepped, out: &mut Vec<u64>) {
        // The steps do not matter for the score, but a key is of the whole genome.
        out.extend(genome.values.iter().chain(&genome.steps).map(|x| x.to_bits()));
    }
}

/// Takes each value from one of the parents and the mean of their steps, the usual
/// recombination of evolution strategies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Discrete;

impl Crossover<Stepping> for Discrete {
    fn cross(
        &self,
        _: &Stepping,
        [a, b]: [&Stepped; 2],
        children: [&mut Stepped; 2],
        rng: &mut Rng,
    ) {
        let [first, second] = children;
        first.clone_from(a);
        second.clone_from(b);
        for i in 0..first.values.len() {
            if chance(0.5, rng) {
                std::mem::swap(&mut first.values[i], &mut second.values[i]);
            }
            let mean = 0.5 * (a.steps[i] + b.steps[i]);
            (first.steps[i], second.steps[i]) = (mean, mean);
        }
    }
}

/// Changes every step by a log-normal factor and then moves every value by its step.
///
/// The factors are exp(t' N + t M) with t' = 1 / sqrt(2 n) and t = 1 / sqrt(2 sqrt(n)), the normal
/// N drawn once for the genome and M for each place (Schwefel 1995; Beyer, Schwefel 2002).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Adapt;

impl Mutation<Stepping> for Adapt {
    fn mutate(&self, domain: &Stepping, genome: &mut Stepped, rng: &mut Rng) {
        let n = genome.values.len() as f64;
        let (common, own) = (1.0 / (2.0 * n).sqrt(), 1.0 / (2.0 * n.sqrt()).sqrt());
        let shared = common * gauss(rng);
        for i in 0..genome.values.len() {
            let step = genome.steps[i] * (shared + own * gauss(rng)).exp();
            genome.steps[i] = domain.step(i, step);
            let moved = genome.values[i] + genome.steps[i] * gauss(rng);
            genome.values[i] = domain.reals.clamp(i, moved);
        }
    }
}

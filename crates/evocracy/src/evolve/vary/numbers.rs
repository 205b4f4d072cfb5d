//! Mutations of integer vectors.

use super::Mutation;
use crate::error::Result;
use crate::evolve::draw::Rate;
use crate::evolve::genome::Integers;
use crate::evolve::{Rng, below, chance};
use crate::param::refuse;

/// Draws every number anew with a probability of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reset(Rate);

impl Reset {
    /// Each number is drawn anew with probability `p`.
    pub fn new(p: f64) -> Self {
        Self(Rate::new(p))
    }
}

impl Mutation<Integers> for Reset {
    fn check(&self, _: &Integers) -> Result<()> {
        self.0.check("reset")
    }

    fn mutate(&self, domain: &Integers, genome: &mut Vec<i32>, rng: &mut Rng) {
        self.0.each(genome.len(), rng, |i, rng| genome[i] = domain.draw(i, rng));
    }
}

/// Moves every number by a small step with a probability of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Creep {
    rate: Rate,
    most: u32,
}

impl Creep {
    /// Each number moves with probability `p`, by 1 to `most` up or down, as far as its bounds.
    pub fn new(p: f64, most: u32) -> Self {
        Self { rate: Rate::new(p), most }
    }
}

impl Mutation<Integers> for Creep {
    fn check(&self, _: &Integers) -> Result<()> {
        if self.most == 0 {
            return Err(refuse("creep", "most", "a whole number from 1".into(), "0".into()));
        }
        self.rate.check("creep")
    }

    fn mutate(&self, domain: &Integers, genome: &mut Vec<i32>, rng: &mut Rng) {
        self.rate.each(genome.len(), rng, |i, rng| {
            let (lower, upper) = domain.bounds(i);
            let step = 1 + below(self.most as usize, rng) as u32;
            genome[i] = if chance(0.5, rng) {
                genome[i].saturating_sub_unsigned(step).max(lower)
            } else {
                genome[i].saturating_add_unsigned(step).min(upper)
            };
        });
    }
}

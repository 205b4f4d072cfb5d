//! Mutations of integer vectors.

use super::Mutation;
use crate::error::{Error, Result};
use crate::evolve::draw::Rate;
use crate::evolve::genome::Integers;
use crate::evolve::{Rng, below};

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
            return Err(Error::Param {
                of: "creep".into(),
                name: "most".into(),
                expected: "a whole number from 1".into(),
                got: "0".into(),
            });
        }
        self.rate.check("creep")
    }

    fn mutate(&self, domain: &Integers, genome: &mut Vec<i32>, rng: &mut Rng) {
        let most = i64::from(self.most);
        self.rate.each(genome.len(), rng, |i, rng| {
            let (lower, upper) = domain.bounds(i);
            let draw = below(2 * self.most as usize, rng) as i64;
            // The steps are -most to -1 and 1 to most.
            let step = if draw < most { draw - most } else { draw - most + 1 };
            let moved = i64::from(genome[i]) + step;
            genome[i] = moved.clamp(i64::from(lower), i64::from(upper)) as i32;
        });
    }
}

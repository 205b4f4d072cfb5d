//! Mutations of bit strings.

use super::Mutation;
use crate::error::Result;
use crate::evolve::draw::Rate;
use crate::evolve::genome::BitString;
use crate::evolve::{Domain, Rng};

/// Turns every bit over with a probability of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BitFlip(Rate);

impl BitFlip {
    /// Each bit turns over with probability `p`.
    pub fn new(p: f64) -> Self {
        Self(Rate::new(p))
    }
}

impl<D: Domain<Genome = BitString>> Mutation<D> for BitFlip {
    fn check(&self, _: &D) -> Result<()> {
        self.0.check("bit flip")
    }

    #[inline]
    fn mutate(&self, _: &D, genome: &mut BitString, rng: &mut Rng) {
        self.0.each(genome.len(), rng, |i, _| genome.flip(i));
    }
}

/// Turns all bits of the string over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Invert;

impl<D: Domain<Genome = BitString>> Mutation<D> for Invert {
    fn mutate(&self, _: &D, genome: &mut BitString, _: &mut Rng) {
        genome.words_mut().iter_mut().for_each(|word| *word = !*word);
        genome.trim();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::genome::Bits;
    use crate::evolve::rng;
    use crate::run::Seed;

    #[test]
    fn the_lecture_s_inversion() -> Result<()> {
        let mut bits = BitString::parse("01101")?;
        Invert.mutate(&Bits::new(5), &mut bits, &mut rng(Seed::new(0)));
        assert_eq!(bits.to_string(), "10010");
        Ok(())
    }
}

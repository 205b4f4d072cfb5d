//! What genomes there are and how they vary.
//!
//! [`Space`] is what the search asks for. Most spaces are a [`Domain`] (which genomes there are)
//! [`Varied`] by a [`Crossover`] and a [`Mutation`]; a type of one's own may implement `Space`
//! directly.

use super::Rng;
use super::vary::{Crossover, Mutation};
use crate::error::Result;
use std::fmt::Debug;

/// The genomes of a search: how they arise, vary and differ.
///
/// Variation writes into genomes that exist, so that the inner loop need not allocate: what a
/// child was before does not matter, and `clone_from` reuses its memory.
pub trait Space: Sync {
    /// A candidate solution, as it is inherited.
    type Genome: Clone + Debug + Send + Sync;

    /// Refuses a space that cannot work, such as one of no genomes.
    fn check(&self) -> Result<()> {
        Ok(())
    }

    /// A random genome.
    fn sample(&self, rng: &mut Rng) -> Result<Self::Genome>;

    /// Writes two children of two parents. They are valid genomes, whatever they were before.
    fn recombine(
        &self,
        parents: [&Self::Genome; 2],
        children: [&mut Self::Genome; 2],
        rng: &mut Rng,
    );

    /// Changes a genome a little. It stays valid.
    fn mutate(&self, genome: &mut Self::Genome, rng: &mut Rng);

    /// Changes a genome where so many generations have brought no improvement; a space may change
    /// it more then.
    #[inline]
    fn mutate_after(&self, genome: &mut Self::Genome, _fruitless: u64, rng: &mut Rng) {
        self.mutate(genome, rng);
    }

    /// Refuses a genome that does not belong here, such as one that was saved elsewhere.
    fn admit(&self, genome: &Self::Genome) -> Result<()>;

    /// How far two genomes are apart, where that is defined. Niching and diversity need it.
    fn distance(&self, _a: &Self::Genome, _b: &Self::Genome) -> Option<f64> {
        None
    }

    /// Writes words that are equal exactly for equal genomes; false where there are none, which is
    /// so for all genomes or for no genome. The cache of evaluations needs them.
    fn key(&self, _genome: &Self::Genome, _out: &mut Vec<u64>) -> bool {
        false
    }

    /// A genome for the eye, as in messages.
    fn words(&self, genome: &Self::Genome) -> String {
        format!("{genome:?}")
    }
}

impl<S: Space + ?Sized> Space for &S {
    type Genome = S::Genome;

    fn check(&self) -> Result<()> {
        (**self).check()
    }

    fn sample(&self, rng: &mut Rng) -> Result<Self::Genome> {
        (**self).sample(rng)
    }

    fn recombine(
        &self,
        parents: [&Self::Genome; 2],
        children: [&mut Self::Genome; 2],
        rng: &mut Rng,
    ) {
        (**self).recombine(parents, children, rng);
    }

    fn mutate(&self, genome: &mut Self::Genome, rng: &mut Rng) {
        (**self).mutate(genome, rng);
    }

    fn mutate_after(&self, genome: &mut Self::Genome, fruitless: u64, rng: &mut Rng) {
        (**self).mutate_after(genome, fruitless, rng);
    }

    fn admit(&self, genome: &Self::Genome) -> Result<()> {
        (**self).admit(genome)
    }

    fn distance(&self, a: &Self::Genome, b: &Self::Genome) -> Option<f64> {
        (**self).distance(a, b)
    }

    fn key(&self, genome: &Self::Genome, out: &mut Vec<u64>) -> bool {
        (**self).key(genome, out)
    }

    fn words(&self, genome: &Self::Genome) -> String {
        (**self).words(genome)
    }
}

/// Which genomes there are, without how they vary.
pub trait Domain: Sync {
    /// A candidate solution.
    type Genome: Clone + Debug + Send + Sync;

    /// Refuses a domain that holds no genomes.
    fn check(&self) -> Result<()>;

    /// A random genome.
    fn sample(&self, rng: &mut Rng) -> Self::Genome;

    /// Writes a random genome over one that exists.
    fn sample_into(&self, genome: &mut Self::Genome, rng: &mut Rng) {
        *genome = self.sample(rng);
    }

    /// Refuses a genome that does not belong here.
    fn admit(&self, genome: &Self::Genome) -> Result<()>;

    /// How far two genomes are apart.
    fn distance(&self, a: &Self::Genome, b: &Self::Genome) -> f64;

    /// Writes words that are equal exactly for equal genomes.
    fn key(&self, genome: &Self::Genome, out: &mut Vec<u64>);

    /// A genome for the eye.
    fn words(&self, genome: &Self::Genome) -> String {
        format!("{genome:?}")
    }

    /// The space of these genomes under a crossover and a mutation.
    fn vary<C: Crossover<Self>, M: Mutation<Self>>(self, cross: C, mutate: M) -> Varied<Self, C, M>
    where
        Self: Sized,
    {
        Varied { domain: self, cross, mutate }
    }
}

/// A domain with the operators that vary its genomes.
#[derive(Debug, Clone, PartialEq)]
pub struct Varied<D, C, M> {
    /// Which genomes there are.
    pub domain: D,
    /// How two of them recombine.
    pub cross: C,
    /// How one of them changes.
    pub mutate: M,
}

impl<D: Domain, C: Crossover<D>, M: Mutation<D>> Space for Varied<D, C, M> {
    type Genome = D::Genome;

    fn check(&self) -> Result<()> {
        self.domain.check()?;
        self.cross.check(&self.domain)?;
        self.mutate.check(&self.domain)
    }

    fn sample(&self, rng: &mut Rng) -> Result<D::Genome> {
        Ok(self.domain.sample(rng))
    }

    #[inline]
    fn recombine(&self, parents: [&D::Genome; 2], children: [&mut D::Genome; 2], rng: &mut Rng) {
        self.cross.cross(&self.domain, parents, children, rng);
    }

    #[inline]
    fn mutate(&self, genome: &mut D::Genome, rng: &mut Rng) {
        self.mutate.mutate(&self.domain, genome, rng);
    }

    fn admit(&self, genome: &D::Genome) -> Result<()> {
        self.domain.admit(genome)
    }

    fn distance(&self, a: &D::Genome, b: &D::Genome) -> Option<f64> {
        Some(self.domain.distance(a, b))
    }

    fn key(&self, genome: &D::Genome, out: &mut Vec<u64>) -> bool {
        self.domain.key(genome, out);
        true
    }

    fn words(&self, genome: &D::Genome) -> String {
        self.domain.words(genome)
    }
}

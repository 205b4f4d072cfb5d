//! Operators that vary genomes, and how they compose.
//!
//! A mutation followed by another is the pair of them. [`Chance`] applies an operator sometimes,
//! [`Either`] one of two. Invariant: what an operator writes belongs to the domain, if what it
//! was given did.

mod bits;
mod compose;
mod mask;
mod numbers;
mod order;
mod reals;

pub use super::genome::{Adapt, Discrete};
pub use bits::{BitFlip, Invert};
pub use compose::{Chance, Copy, Either, Nothing, Replace};
pub use mask::{Genes, Mask};
pub use numbers::{Creep, Reset};
pub use order::{Order, Pmx, Reverse, Swap};
pub use reals::{Gauss, Laplace, Polynomial, Sbx};

use super::Rng;
use super::space::Domain;
use crate::error::Result;

/// Makes two children of two parents.
pub trait Crossover<D: Domain>: Sync {
    /// Refuses parameters that cannot work in this domain.
    fn check(&self, _domain: &D) -> Result<()> {
        Ok(())
    }

    /// Writes both children; what they were before does not matter.
    fn cross(
        &self,
        domain: &D,
        parents: [&D::Genome; 2],
        children: [&mut D::Genome; 2],
        rng: &mut Rng,
    );
}

/// Changes a genome.
pub trait Mutation<D: Domain>: Sync {
    /// Refuses parameters that cannot work in this domain.
    fn check(&self, _domain: &D) -> Result<()> {
        Ok(())
    }

    /// Changes the genome, which stays valid.
    fn mutate(&self, domain: &D, genome: &mut D::Genome, rng: &mut Rng);
}

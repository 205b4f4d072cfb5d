//! Operators that vary genomes, and how they compose.

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

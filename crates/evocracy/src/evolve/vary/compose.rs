//! Operators made of operators, and those that suit every domain.

use super::{Crossover, Mutation};
use crate::error::Result;
use crate::evolve::draw::probability;
use crate::evolve::{Domain, Rng, chance};

/// Applies an operator with probability `p`. Children of a crossover that is not applied are
/// copies of their parents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chance<O> {
    /// The probability.
    pub p: f64,
    /// The operator.
    pub of: O,
}

/// Applies the first operator with probability `p`, else the second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Either<A, B> {
    /// The probability of the first.
    pub p: f64,
    /// The first.
    pub first: A,
    /// The second.
    pub second: B,
}

/// The crossover that copies the parents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Copy;

/// The mutation that changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nothing;

/// The mutation that takes a random genome instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replace;

impl<D: Domain> Crossover<D> for Copy {
    fn cross(&self, _: &D, parents: [&D::Genome; 2], children: [&mut D::Genome; 2], _: &mut Rng) {
        copy(parents, children);
    }
}

pub(super) fn copy<G: Clone>(parents: [&G; 2], children: [&mut G; 2]) {
    children.into_iter().zip(parents).for_each(|(child, parent)| child.clone_from(parent));
}

impl<D: Domain> Mutation<D> for Nothing {
    fn mutate(&self, _: &D, _: &mut D::Genome, _: &mut Rng) {}
}

impl<D: Domain> Mutation<D> for Replace {
    fn mutate(&self, domain: &D, genome: &mut D::Genome, rng: &mut Rng) {
        domain.sample_into(genome, rng);
    }
}

impl<D: Domain, O: Crossover<D>> Crossover<D> for Chance<O> {
    fn check(&self, domain: &D) -> Result<()> {
        probability(self.p, "chance")?;
        self.of.check(domain)
    }

    fn cross(
        &self,
        domain: &D,
        parents: [&D::Genome; 2],
        children: [&mut D::Genome; 2],
        rng: &mut Rng,
    ) {
        if chance(self.p, rng) {
            self.of.cross(domain, parents, children, rng);
        } else {
            copy(parents, children);
        }
    }
}

impl<D: Domain, O: Mutation<D>> Mutation<D> for Chance<O> {
    fn check(&self, domain: &D) -> Result<()> {
        probability(self.p, "chance")?;
        self.of.check(domain)
    }

    fn mutate(&self, domain: &D, genome: &mut D::Genome, rng: &mut Rng) {
        if chance(self.p, rng) {
            self.of.mutate(domain, genome, rng);
        }
    }
}

impl<D: Domain, A: Crossover<D>, B: Crossover<D>> Crossover<D> for Either<A, B> {
    fn check(&self, domain: &D) -> Result<()> {
        probability(self.p, "either")?;
        self.first.check(domain)?;
        self.second.check(domain)
    }

    fn cross(
        &self,
        domain: &D,
        parents: [&D::Genome; 2],
        children: [&mut D::Genome; 2],
        rng: &mut Rng,
    ) {
        if chance(self.p, rng) {
            self.first.cross(domain, parents, children, rng);
        } else {
            self.second.cross(domain, parents, children, rng);
        }
    }
}

impl<D: Domain, A: Mutation<D>, B: Mutation<D>> Mutation<D> for Either<A, B> {
    fn check(&self, domain: &D) -> Result<()> {
        probability(self.p, "either")?;
        self.first.check(domain)?;
        self.second.check(domain)
    }

    fn mutate(&self, domain: &D, genome: &mut D::Genome, rng: &mut Rng) {
        if chance(self.p, rng) {
            self.first.mutate(domain, genome, rng);
        } else {
            self.second.mutate(domain, genome, rng);
        }
    }
}

impl<D: Domain, A: Mutation<D>, B: Mutation<D>> Mutation<D> for (A, B) {
    fn check(&self, domain: &D) -> Result<()> {
        self.0.check(domain)?;
        self.1.check(domain)
    }

    fn mutate(&self, domain: &D, genome: &mut D::Genome, rng: &mut Rng) {
        self.0.mutate(domain, genome, rng);
        self.1.mutate(domain, genome, rng);
    }
}

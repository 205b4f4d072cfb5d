//! Who has children and who survives: what tells one evolutionary algorithm from another.

use super::{Goal, Rng, ScorePoints, Space};
use crate::error::{Error, Result};

/// Scored genomes, by place. Their points are costs: smaller is better.
#[derive(Debug)]
pub struct Members<'a, G> {
    /// The genomes.
    pub genomes: &'a [G],
    /// The costs of each.
    pub costs: &'a [ScorePoints],
}

impl<G> Clone for Members<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for Members<'_, G> {}

impl<'a, G> Members<'a, G> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.costs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.costs.is_empty()
    }

    /// The one point of member `i`; an error where it has none or many.
    #[inline]
    pub fn one(&self, i: usize) -> Result<&'a [f64]> {
        let points = &self.costs[i];
        if points.len() == 1 {
            return Ok(points.flat());
        }
        Err(Error::unsuitable(
            format!("a genome has {} points where the strategy compares one", points.len()),
            "use an archive search for genomes with many points",
        ))
    }
}

/// A generation at the moment of survival.
#[derive(Debug)]
pub struct Generation<'a, S: Space> {
    /// The space of the genomes, for their distance.
    pub space: &'a S,
    /// The population so far; empty when the first one is judged.
    pub parents: Members<'a, S::Genome>,
    /// The newly scored genomes.
    pub children: Members<'a, S::Genome>,
    /// For each child the place of the parent it began from; children `2k` and `2k + 1` share
    /// the two parents at `2k` and `2k + 1`. Empty for the first population.
    pub pairs: &'a [usize],
}

/// A way of choosing parents and survivors.
///
/// The first population is judged like children without parents, so that a strategy sees every
/// population before it selects from it.
pub trait Strategy<S: Space> {
    /// Refuses parameters or goals that the strategy cannot work with.
    fn check(&self, space: &S, goals: &[Goal]) -> Result<()>;

    /// How many genomes the first population has.
    fn size(&self) -> usize;

    /// How many children a generation has.
    fn children(&self) -> usize;

    /// Adds the places of the parents to `out`, which is empty: as many as children, and one
    /// more where that is odd. Neighbours recombine. Nothing changes, so asking again gives the
    /// same children.
    fn select(
        &self,
        space: &S,
        population: Members<'_, S::Genome>,
        rng: &mut Rng,
        out: &mut Vec<usize>,
    ) -> Result<()>;

    /// Says in `next` who lives on. An error leaves the search where it was before the
    /// generation, so nothing of the strategy may have changed by then.
    fn survive(
        &mut self,
        generation: Generation<'_, S>,
        rng: &mut Rng,
        next: &mut Next,
    ) -> Result<()>;

    /// One number that tells how far the search is, smaller is better; "no improvement" watches
    /// it. As it is, the smallest first cost that was ever seen.
    fn figure(&self, _population: Members<'_, S::Genome>) -> Option<f64> {
        None
    }
}

/// Who lives on, as a [`Strategy`] says it.
///
/// Either the whole population is listed with [`Next::keep`], or the old one is patched with
/// [`Next::replace`], [`Next::add`] and [`Next::remove`], which cost no more than the change.
/// The two do not mix: where anything was kept, patches are an error.
#[derive(Debug, Default)]
pub struct Next {
    pub(super) keep: Vec<usize>,
    pub(super) replace: Vec<(usize, usize)>,
    pub(super) add: Vec<usize>,
    pub(super) remove: Vec<usize>,
}

impl Next {
    /// The next member of the new population: a parent, by its place, or a child, by the number
    /// of parents plus its place.
    #[inline]
    pub fn keep(&mut self, member: usize) {
        self.keep.push(member);
    }

    /// The next members of the new population, in order.
    pub fn keep_all(&mut self, members: impl IntoIterator<Item = usize>) {
        self.keep.extend(members);
    }

    /// Child `child` takes the place `slot` of the population.
    pub fn replace(&mut self, slot: usize, child: usize) {
        self.replace.push((slot, child));
    }

    /// Child `child` joins the population at its end. After all replacements, in the order of
    /// the calls.
    pub fn add(&mut self, child: usize) {
        self.add.push(child);
    }

    /// The member at `slot` dies. After all additions, from the largest slot down; the last
    /// member of the population moves into the gap.
    pub fn remove(&mut self, slot: usize) {
        self.remove.push(slot);
    }

    pub(super) fn clear(&mut self) {
        self.keep.clear();
        self.replace.clear();
        self.add.clear();
        self.remove.clear();
    }
}

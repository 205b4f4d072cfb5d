//! Strategies for one objective: a way to select parents, a way to survive, and niches.
//!
//! The canonical genetic algorithm, the elitist and the steady-state one, and evolution
//! strategies, (mu + lambda) and (mu, lambda), are choices here.

mod niche;
mod select;
mod survive;

pub use niche::Sharing;
pub use select::{Scale, Select, selection_probabilities};
pub use survive::Survive;

use super::{Generation, Goal, Members, Next, Rng, Space, Strategy};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// A strategy for one objective.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Single {
    /// Members of the population.
    pub size: usize,
    /// Children of a generation.
    pub children: usize,
    /// How parents are chosen.
    pub select: Select,
    /// How costs become fitness, where a way of selection needs it.
    pub scale: Scale,
    /// Whether near members share their fitness.
    pub share: Option<Sharing>,
    /// Who lives on.
    pub survive: Survive,
}

impl Single {
    /// A genetic algorithm with as many children as members, tournaments of two, and the best
    /// member living on.
    pub fn new(size: usize) -> Self {
        Self {
            size,
            children: size,
            select: Select::Tournament(2),
            scale: Scale::Raw,
            share: None,
            survive: Survive::Generational { elite: 1 },
        }
    }

    /// The evolution strategy (mu + lambda): the best of parents and children live on.
    pub fn plus(mu: usize, lambda: usize) -> Self {
        Self::new(mu).children(lambda).select(Select::Uniform).survive(Survive::Plus)
    }

    /// The evolution strategy (mu, lambda): the best of the children live on.
    pub fn comma(mu: usize, lambda: usize) -> Self {
        Self::new(mu).children(lambda).select(Select::Uniform).survive(Survive::Comma)
    }

    /// Sets the number of children.
    #[must_use]
    pub fn children(mut self, children: usize) -> Self {
        self.children = children;
        self
    }

    /// Sets how parents are chosen.
    #[must_use]
    pub fn select(mut self, select: Select) -> Self {
        self.select = select;
        self
    }

    /// Sets how costs become fitness.
    #[must_use]
    pub fn scale(mut self, scale: Scale) -> Self {
        self.scale = scale;
        self
    }

    /// Lets near members share their fitness.
    #[must_use]
    pub fn share(mut self, sharing: Sharing) -> Self {
        self.share = Some(sharing);
        self
    }

    /// Sets who lives on.
    #[must_use]
    pub fn survive(mut self, survive: Survive) -> Self {
        self.survive = survive;
        self
    }

    /// How many parents the children of a generation have: two for every two.
    fn parents(&self) -> usize {
        self.children.next_multiple_of(2)
    }
}

impl<S: Space> Strategy<S> for Single {
    fn check(&self, _: &S, goals: &[Goal]) -> Result<()> {
        if goals.len() != 1 {
            return Err(Error::unsuitable(
                format!("{} objectives where the strategy takes one", goals.len()),
                "use a strategy for many objectives",
            ));
        }
        self.select.check()?;
        self.survive.check(self)?;
        self.share.map_or(Ok(()), Sharing::check)
    }

    fn size(&self) -> usize {
        self.size
    }

    fn children(&self) -> usize {
        self.children
    }

    fn select(
        &self,
        space: &S,
        population: Members<'_, S::Genome>,
        rng: &mut Rng,
        out: &mut Vec<usize>,
    ) -> Result<()> {
        let (members, count) = (population.len(), self.parents());
        if self.share.is_none() && !self.select.is_proportional() {
            let merit = |i: usize| -population.costs[i].flat()[0];
            self.select.choose(members, count, merit, rng, out);
            return Ok(());
        }
        let mut fitness = self.scale.fitness(&costs(population)?)?;
        if let Some(sharing) = self.share {
            sharing.divide(space, population.genomes, &mut fitness)?;
        }
        self.select.choose(members, count, |i| fitness[i], rng, out);
        Ok(())
    }

    fn survive(
        &mut self,
        generation: Generation<'_, S>,
        _: &mut Rng,
        next: &mut Next,
    ) -> Result<()> {
        let children = costs(generation.children)?;
        if generation.parents.is_empty() {
            next.keep_all(0..children.len());
            return Ok(());
        }
        let parents = costs(generation.parents)?;
        self.survive.decide(self.size, &generation, &parents, &children, next)
    }
}

/// The one cost of each member.
fn costs<G>(members: Members<'_, G>) -> Result<Vec<f64>> {
    (0..members.len()).map(|i| members.one(i).map(|point| point[0])).collect()
}

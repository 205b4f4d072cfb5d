//! The driver of a search: it asks the strategy, varies the genomes, has them scored and keeps
//! the books.

mod cache;
mod evaluate;
mod population;
mod state;

pub use state::{Best, LogEntry, State};

use super::{Goal, Problem, Rng, ScorePoints, Space, Strategy, Until, draw};
use crate::error::{Error, Result};
use crate::run::{Run, Seed, StopReason};
use evaluate::Bench;
use population::{Population, Succession};

/// A search under way.
///
/// [`Evolution::state`] is all that need be saved; [`Evolution::resume`] goes on from there with
/// the same bytes. Any error leaves the population as it was before the generation, and the same
/// children are asked for again.
#[derive(Debug)]
pub struct Evolution<S: Space, T, P = ()> {
    space: S,
    state: State<S::Genome, T, P>,
    brood: Brood<S::Genome, P>,
}

/// The children of the generation under way, and the memory that making them takes. None of it
/// is saved: it follows from the state.
#[derive(Debug)]
struct Brood<G, P> {
    /// The first `born` are the children; the rest is memory for more.
    members: Population<G, P>,
    /// How many children are waiting for their scores.
    born: usize,
    pairs: Vec<usize>,
    succession: Succession,
    bench: Bench<P>,
}

impl<S: Space, T: Strategy<S>, P: Clone + Send + Sync> Evolution<S, T, P> {
    /// A search that begins with random genomes.
    pub fn new(space: S, strategy: T, goals: &[Goal], seed: u64) -> Result<Self> {
        let state = State::new(strategy, goals, Seed::new(seed));
        Self::of(space, state)
    }

    /// Goes on from a saved state, after checking that it belongs to this space.
    pub fn resume(space: S, state: State<S::Genome, T, P>) -> Result<Self> {
        state.check(&space)?;
        Self::of(space, state)
    }

    fn of(space: S, state: State<S::Genome, T, P>) -> Result<Self> {
        space.check()?;
        let (size, children) = (state.strategy.size(), state.strategy.children());
        if state.goals.is_empty() || size == 0 || children == 0 {
            return Err(Error::unsuitable(
                "a search without goals, without a population or without children",
                "give at least one goal, one genome and one child per generation",
            ));
        }
        // Sorting and archives number points by 32 bits.
        if size.saturating_add(children) > u32::MAX as usize {
            return Err(Error::unsuitable(
                format!("{size} genomes and {children} children"),
                "have fewer than 2^32 of both together",
            ));
        }
        state.strategy.check(&space, &state.goals)?;
        Ok(Self { space, state, brood: Brood::new() })
    }

    /// Begins with these genomes and fills the first population with random ones. Without effect
    /// once the first population was scored.
    pub fn start(mut self, genomes: Vec<S::Genome>) -> Result<Self> {
        let size = self.state.strategy.size();
        if genomes.len() > size {
            return Err(Error::unsuitable(
                format!("{} genomes to begin with, for a population of {size}", genomes.len()),
                "give fewer genomes, or make the population larger",
            ));
        }
        genomes.iter().try_for_each(|genome| self.space.admit(genome))?;
        if self.state.turn == 0 {
            self.state.start = genomes;
            self.brood.born = 0;
        }
        Ok(self)
    }

    /// Remembers the scores of up to `entries` genomes; [`Evolution::step`] and
    /// [`Evolution::run`] score none of them again. Scores that are told are not remembered.
    pub fn cache(mut self, entries: usize) -> Result<Self> {
        self.state.remember(entries, &self.space)?;
        Ok(self)
    }

    /// Logs every `n`th generation only; none for 0.
    #[must_use]
    pub fn log_every(mut self, n: u64) -> Self {
        self.state.every = n;
        self
    }

    /// The space of the genomes.
    pub fn space(&self) -> &S {
        &self.space
    }

    /// All there is to save.
    pub fn state(&self) -> &State<S::Genome, T, P> {
        &self.state
    }

    /// The state, at the end of the search.
    pub fn into_state(self) -> State<S::Genome, T, P> {
        self.state
    }

    /// The best genome so far, where there is one objective.
    pub fn best(&self) -> Option<Best<'_, S::Genome>> {
        self.state.best()
    }

    /// The mean distance between two members of the population, where the space knows distances;
    /// 0 for a single one. It looks at all pairs.
    pub fn diversity(&self) -> Option<f64> {
        let genomes = &self.state.population.genomes;
        let (mut sum, mut pairs) = (0.0, 0.0);
        for (i, a) in genomes.iter().enumerate() {
            for b in &genomes[..i] {
                sum += self.space.distance(a, b)?;
                pairs += 1.0;
            }
        }
        if pairs > 0.0 {
            return Some(sum / pairs);
        }
        let only = genomes.first()?;
        self.space.distance(only, only).map(|_| 0.0)
    }

    /// Whether the space knows distances.
    pub(super) fn knows_distances(&self) -> Result<bool> {
        let one = self.space.sample(&mut draw::rng(self.state.seed))?;
        Ok(self.space.distance(&one, &one).is_some())
    }

    /// The genomes to be scored next. Asking again gives the same ones.
    pub fn ask(&mut self) -> Result<&[S::Genome]> {
        if self.brood.born == 0 {
            let seed = self.state.seed.child("breed", self.state.turn);
            let mut rng = draw::rng(seed);
            if self.state.turn == 0 { self.found(&mut rng)? } else { self.breed(&mut rng)? }
        }
        Ok(&self.brood.members.genomes[..self.brood.born])
    }

    /// The first population.
    fn found(&mut self, rng: &mut Rng) -> Result<()> {
        let size = self.state.strategy.size();
        self.brood.members = Population::default();
        for i in 0..size {
            let genome = match self.state.start.get(i) {
                Some(given) => given.clone(),
                None => self.space.sample(rng)?,
            };
            self.brood.members.push(genome, ScorePoints::default(), None);
        }
        self.brood.born = size;
        Ok(())
    }

    /// The children of the present population.
    fn breed(&mut self, rng: &mut Rng) -> Result<()> {
        let Self { space, state, brood, .. } = self;
        let count = state.strategy.children();
        let even = count.next_multiple_of(2);
        let population = &state.population;
        brood.pairs.clear();
        let members = population.members(population.len());
        state.strategy.select(space, members, rng, &mut brood.pairs)?;
        if brood.pairs.len() != even || brood.pairs.iter().any(|i| *i >= population.len()) {
            return Err(Error::unsuitable(
                format!("the strategy chose {} parents, not {even}", brood.pairs.len()),
                "mend the strategy's `select`",
            ));
        }
        while brood.members.len() < even {
            brood.members.push(population.genomes[0].clone(), ScorePoints::default(), None);
        }
        let couples = brood.pairs.chunks_exact(2);
        for (couple, twins) in couples.zip(brood.members.genomes.chunks_exact_mut(2)) {
            let parents = [&population.genomes[couple[0]], &population.genomes[couple[1]]];
            let [first, second] = twins else { continue };
            space.recombine(parents, [&mut *first, &mut *second], rng);
            space.mutate_after(first, state.stale(), rng);
            space.mutate_after(second, state.stale(), rng);
        }
        brood.born = count;
        Ok(())
    }

    /// Takes the scores of the genomes that were asked for, one point each: the values of the
    /// first, of the second, and so on.
    pub fn tell(&mut self, values: &[f64]) -> Result<()> {
        let width = self.state.goals.len();
        if values.len() != self.brood.born * width || self.brood.born == 0 {
            return Err(Error::unsuitable(
                format!("{} values for {} genomes", values.len(), self.brood.born),
                format!("ask for genomes, then tell {width} values for each"),
            ));
        }
        for (i, point) in values.chunks_exact(width).enumerate() {
            let costs = &mut self.brood.members.costs[i];
            costs.reset(width);
            costs.push(point)?;
            self.brood.members.phenotypes[i] = None;
        }
        self.inspect()?;
        self.accept(self.brood.born as u64)
    }

    /// Takes the points of the genomes that were asked for, in order.
    pub fn tell_points(&mut self, points: &[ScorePoints]) -> Result<()> {
        let width = self.state.goals.len();
        let fits = points.iter().all(|points| points.width() == width);
        if points.len() != self.brood.born || self.brood.born == 0 || !fits {
            return Err(Error::unsuitable(
                format!("the points of {} genomes, not {}", points.len(), self.brood.born),
                format!("ask for genomes, then tell points of {width} values for each"),
            ));
        }
        self.brood.members.costs[..points.len()].clone_from_slice(points);
        self.brood.members.phenotypes[..points.len()].fill(None);
        self.inspect()?;
        self.accept(self.brood.born as u64)
    }

    /// One generation: asks, scores and tells.
    pub fn step<Q>(&mut self, problem: &Q, run: &Run<'_>) -> Result<()>
    where
        Q: Problem<S::Genome, Phenotype = P>,
    {
        if problem.goals() != self.state.goals {
            return Err(Error::unsuitable(
                "the goals of the problem are not those of the search",
                "make the search with `problem.goals()`",
            ));
        }
        self.ask()?;
        let made = self.evaluate(problem, run)?;
        self.accept(made)
    }

    /// Generation after generation, until the condition is met or the stop flag of `run` is up.
    /// Goes on from where the search is.
    pub fn run<Q>(&mut self, problem: &Q, until: &Until<'_>, run: &Run<'_>) -> Result<StopReason>
    where
        Q: Problem<S::Genome, Phenotype = P>,
    {
        until.check(self)?;
        while !until.met(self) {
            if run.stop.requested() {
                return if self.state.turn == 0 {
                    Err(Error::Stopped)
                } else {
                    Ok(StopReason::Interrupted)
                };
            }
            match self.step(problem, run) {
                // The generation before is whole.
                Err(Error::Stopped) if self.state.turn > 0 => return Ok(StopReason::Interrupted),
                stepped => stepped?,
            }
            run.watch.advance(1);
            run.watch.figure("best", self.state.best_value());
        }
        Ok(StopReason::Finished)
    }

    /// Lets the strategy decide on the scored children and makes its decision real.
    fn accept(&mut self, made: u64) -> Result<()> {
        let Self { space, state, brood, .. } = self;
        brood.members.costs[..brood.born].iter_mut().for_each(|costs| costs.turn(&state.goals));
        let mut rng = draw::rng(state.seed.child("survive", state.turn));
        let succession = &mut brood.succession;
        succession.next.clear();
        let generation = super::Generation {
            space,
            parents: state.population.members(state.population.len()),
            children: brood.members.members(brood.born),
            pairs: if state.turn == 0 { &[] } else { &brood.pairs },
        };
        state.strategy.survive(generation, &mut rng, &mut succession.next)?;
        succession.check(state.population.len(), brood.born)?;
        state.note_best(brood.members.members(brood.born));
        succession.apply(&mut state.population, &mut brood.members);
        brood.born = 0;
        let figure = state.strategy.figure(state.population.members(state.population.len()));
        state.close(made, figure);
        Ok(())
    }
}

impl<G, P> Brood<G, P> {
    fn new() -> Self {
        Self {
            members: Population::default(),
            born: 0,
            pairs: Vec::new(),
            succession: Succession::default(),
            bench: Bench::default(),
        }
    }
}

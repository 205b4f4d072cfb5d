//! All that a search knows between two generations. Serialising it is the checkpoint.

use super::cache::Cache;
use super::population::Population;
use crate::error::{Error, Result};
use crate::evolve::{Goal, Members, Space};
use crate::run::Seed;
use serde::{Deserialize, Serialize};

/// A search between two generations, with its strategy.
///
/// [`State::to_bytes`] saves it with every bit of its numbers. Another format does as well if it
/// keeps them, infinite ones included; JSON does not.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound(
    serialize = "G: Serialize, T: Serialize, P: Clone + Serialize",
    deserialize = "G: Deserialize<'de>, T: Deserialize<'de>, P: Clone + Deserialize<'de>"
))]
pub struct State<G, T, P> {
    pub(super) seed: Seed,
    pub(super) goals: Vec<Goal>,
    pub(super) strategy: T,
    /// How many populations were judged.
    pub(super) turn: u64,
    pub(super) evaluations: u64,
    pub(super) population: Population<G, P>,
    /// Genomes to begin with, before random ones; none once the search has begun.
    pub(super) start: Vec<G>,
    /// The best genome ever, where there is one objective.
    best: Option<G>,
    /// The smallest first cost ever.
    least: Option<f64>,
    /// The smallest first cost of the first population.
    first: Option<f64>,
    /// The best figure of the strategy so far.
    figure: Option<f64>,
    /// Generations since the figure last improved.
    stale: u64,
    pub(super) every: u64,
    log: Vec<LogEntry>,
    pub(super) cache: Option<Cache<P>>,
}

/// What to do about a state that does not load.
const DAMAGED: &str = "begin the search anew, or take an older copy";

/// The best genome of a search with one objective.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Best<'a, G> {
    /// The genome.
    pub genome: &'a G,
    /// Its score, as the problem gave it.
    pub value: f64,
}

/// One line of the log. The figures are of the first objective, as the problem gives it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LogEntry {
    /// The generation, 0 for the first population.
    pub generation: u64,
    /// Genomes scored so far.
    pub evaluations: u64,
    /// Members of the population.
    pub members: usize,
    /// The best point among the members.
    pub best: f64,
    /// The mean of all their points.
    pub mean: f64,
}

impl<G: Clone, T, P> State<G, T, P> {
    pub(super) fn new(strategy: T, goals: &[Goal], seed: Seed) -> Self {
        Self {
            seed,
            goals: goals.to_vec(),
            strategy,
            turn: 0,
            evaluations: 0,
            population: Population::default(),
            start: Vec::new(),
            best: None,
            least: None,
            first: None,
            figure: None,
            stale: 0,
            every: 1,
            log: Vec::new(),
            cache: None,
        }
    }

    /// The strategy, with what it has learnt.
    pub fn strategy(&self) -> &T {
        &self.strategy
    }

    /// Which way each objective is better.
    pub fn goals(&self) -> &[Goal] {
        &self.goals
    }

    /// Generations of children so far; the first population is generation 0.
    pub fn generation(&self) -> u64 {
        self.turn.saturating_sub(1)
    }

    /// How many genomes were scored. What the cache knew does not count.
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// Generations since the strategy's figure last improved.
    pub fn stale(&self) -> u64 {
        self.stale
    }

    /// The population; its points are costs.
    pub fn members(&self) -> Members<'_, G> {
        self.population.members(self.population.len())
    }

    /// What the members grew into, by place; empty for those whose scores were told.
    pub fn phenotypes(&self) -> &[Option<P>] {
        &self.population.phenotypes
    }

    /// The points of a member as the problem gave them.
    pub fn values(&self, member: usize) -> impl Iterator<Item = f64> + '_ {
        let goals = self.goals.iter().cycle();
        self.population.costs[member].flat().iter().zip(goals).map(|(cost, goal)| goal.turn(*cost))
    }

    /// The log, in order.
    pub fn log(&self) -> &[LogEntry] {
        &self.log
    }

    pub(super) fn best(&self) -> Option<Best<'_, G>> {
        let genome = self.best.as_ref()?;
        Some(Best { genome, value: self.best_value() })
    }

    /// The best first objective ever, as the problem gives it.
    pub(super) fn best_value(&self) -> f64 {
        self.goals[0].turn(self.way().1)
    }

    /// The smallest first cost of the first population, and the smallest ever.
    pub(in crate::evolve) fn way(&self) -> (f64, f64) {
        let known = |cost: Option<f64>| cost.unwrap_or(f64::INFINITY);
        (known(self.first), known(self.least))
    }

    /// Remembers the best of new genomes.
    pub(super) fn note_best(&mut self, children: Members<'_, G>) {
        let mut least = self.way().1;
        for (genome, points) in children.genomes.iter().zip(children.costs) {
            for point in points.flat().chunks_exact(self.goals.len()) {
                if point[0] < least {
                    least = point[0];
                    self.best = (self.goals.len() == 1).then(|| genome.clone());
                }
            }
        }
        self.least = Some(least);
    }

    /// Keeps a cache from now on.
    pub(super) fn remember<S: Space<Genome = G>>(
        &mut self,
        entries: usize,
        space: &S,
    ) -> Result<()> {
        let keyed = space.key(&space.sample(&mut crate::evolve::rng(self.seed))?, &mut Vec::new());
        if entries == 0 || !keyed {
            return Err(Error::unsuitable(
                "a cache without entries, or of genomes without keys",
                "give at least 1 entry, and the space a `key`",
            ));
        }
        self.cache = Some(Cache::new(entries));
        Ok(())
    }

    /// Ends a generation for which `made` genomes were scored, with the strategy's figure.
    pub(super) fn close(&mut self, made: u64, figure: Option<f64>) {
        self.evaluations = self.evaluations.saturating_add(made);
        self.start = Vec::new();
        let figure = figure.unwrap_or(self.way().1);
        self.stale = self.stale.saturating_add(1);
        if self.figure.is_none_or(|best| figure < best) {
            self.figure = Some(figure);
            self.stale = 0;
        }
        self.first = self.first.or(self.least);
        if self.every > 0 && self.turn.is_multiple_of(self.every) {
            self.log.push(self.entry());
        }
        self.turn = self.turn.saturating_add(1);
    }

    fn entry(&self) -> LogEntry {
        let (mut best, mut sum, mut points) = (f64::INFINITY, 0.0, 0.0);
        let members = self.members();
        for member in members.costs {
            for cost in member.flat().iter().step_by(self.goals.len()) {
                best = best.min(*cost);
                sum += cost;
                points += 1.0;
            }
        }
        LogEntry {
            generation: self.turn,
            evaluations: self.evaluations,
            members: members.len(),
            best: self.goals[0].turn(best),
            mean: self.goals[0].turn(sum / points),
        }
    }

    /// The state as bytes, to be saved.
    pub fn to_bytes(&self) -> Result<Vec<u8>>
    where
        Self: Serialize,
    {
        rmp_serde::to_vec_named(self).map_err(|error| {
            Error::unsuitable(
                format!("this search cannot be saved: {error}"),
                "mend how the genomes or the strategy are serialised",
            )
        })
    }

    /// The state that was saved as these bytes. [`Evolution::resume`](super::Evolution::resume)
    /// checks what it says.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self>
    where
        Self: for<'de> Deserialize<'de>,
    {
        rmp_serde::from_slice(bytes).map_err(|error| {
            Error::unsuitable(format!("this is no saved search: {error}"), DAMAGED)
        })
    }

    /// Refuses a state that is damaged or of another space.
    pub(super) fn check<S: Space<Genome = G>>(&self, space: &S) -> Result<()> {
        let people = &self.population;
        let genomes = people.genomes.iter().chain(&self.best).chain(&self.start);
        genomes.into_iter().try_for_each(|genome| space.admit(genome))?;
        let n = people.len();
        let mut whole = people.costs.len() == n && people.phenotypes.len() == n;
        whole &= (self.turn == 0) == (n == 0);
        let known = self.cache.iter().flat_map(Cache::scores);
        whole &=
            people.costs.iter().chain(known).all(|points| points.sound(self.goals.len()).is_ok());
        if whole {
            return Ok(());
        }
        Err(Error::unsuitable(
            "the saved search is damaged: genomes and scores do not match",
            DAMAGED,
        ))
    }
}

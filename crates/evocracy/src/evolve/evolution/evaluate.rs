//! Scoring the children: from the cache where it knows them, else by the problem, in parallel.

use super::{Brood, Evolution};
use crate::error::{Error, Result};
use crate::evolve::{Batch, Problem, Scored, Space, Strategy};
use crate::run::Run;
use std::collections::HashMap;

/// The memory of an evaluation.
#[derive(Debug)]
pub(super) struct Bench<P> {
    /// Which children are to be scored.
    which: Vec<usize>,
    scored: Vec<Scored<P>>,
    /// The keys of the children, where there is a cache.
    keys: Vec<Vec<u64>>,
    /// Where each child's scores come from, where there is a cache.
    sources: Vec<ScoreSource>,
    /// The first child with each key. Never iterated.
    first: HashMap<Vec<u64>, usize>,
}

/// Where the scores of a child come from.
#[derive(Debug, Clone, Copy, PartialEq)]
enum ScoreSource {
    Cache,
    Problem,
    /// An equal child of the same generation.
    Twin(usize),
}

impl<P> Default for Bench<P> {
    fn default() -> Self {
        Self {
            which: Vec::new(),
            scored: Vec::new(),
            keys: Vec::new(),
            sources: Vec::new(),
            first: HashMap::new(),
        }
    }
}

impl<S: Space, T: Strategy<S>, P: Clone + Send + Sync> Evolution<S, T, P> {
    /// Scores the children; gives back how many the problem has seen.
    pub(super) fn evaluate<Q>(&mut self, problem: &Q, run: &Run<'_>) -> Result<u64>
    where
        Q: Problem<S::Genome, Phenotype = P>,
    {
        self.plan();
        let Self { space, state, brood, .. } = self;
        let Brood { members, pairs, bench, .. } = brood;
        let width = state.goals.len();
        bench.scored.resize_with(bench.which.len().max(bench.scored.len()), Scored::default);
        let scored = &mut bench.scored[..bench.which.len()];
        for place in &mut *scored {
            place.points.reset(width);
            (place.phenotype, place.error) = (None, None);
        }
        let batch = Batch {
            genomes: &members.genomes,
            which: &bench.which,
            parents: if state.turn == 0 { &[] } else { pairs },
            phenotypes: &state.population.phenotypes,
            seed: state.seed.child("evaluate", state.turn),
        };
        problem.score_all(&batch, run, scored)?;
        for (i, place) in bench.which.iter().zip(scored) {
            let unsound = || place.points.sound(width).err().map(Box::new);
            if let Some(error) = place.error.take().or_else(unsound) {
                // That the work is to end says nothing of the genome.
                if matches!(*error, Error::Stopped) {
                    return Err(Error::Stopped);
                }
                let genome = space.words(&members.genomes[*i]);
                return Err(failed(state.turn, *i, genome, error));
            }
            std::mem::swap(&mut members.costs[*i], &mut place.points);
            members.phenotypes[*i] = place.phenotype.take();
        }
        let made = bench.which.len() as u64;
        self.share();
        Ok(made)
    }

    /// Lists the children that the problem must score.
    fn plan(&mut self) {
        let Self { space, state, brood, .. } = self;
        let bench = &mut brood.bench;
        bench.which.clear();
        let Some(cache) = &mut state.cache else {
            bench.which.extend(0..brood.born);
            return;
        };
        bench.keys.resize_with(brood.born.max(bench.keys.len()), Vec::new);
        bench.sources.clear();
        bench.first.clear();
        for (i, genome) in brood.members.genomes[..brood.born].iter().enumerate() {
            let key = &mut bench.keys[i];
            key.clear();
            space.key(genome, key);
            bench.sources.push(if cache.knows(key) {
                ScoreSource::Cache
            } else if let Some(twin) = bench.first.get(key) {
                ScoreSource::Twin(*twin)
            } else {
                bench.first.insert(key.clone(), i);
                bench.which.push(i);
                ScoreSource::Problem
            });
        }
    }

    /// Puts the new scores into the cache and the known ones into their places.
    fn share(&mut self) {
        let Self { state, brood, .. } = self;
        let Some(cache) = &mut state.cache else { return };
        let Brood { members, bench, born, .. } = brood;
        for (i, source) in bench.sources[..*born].iter().enumerate() {
            match source {
                ScoreSource::Problem => {}
                ScoreSource::Twin(twin) => {
                    members.costs[i] = members.costs[*twin].clone();
                    members.phenotypes[i] = members.phenotypes[*twin].clone();
                }
                ScoreSource::Cache => {
                    if let Some((points, phenotype)) = cache.get(&bench.keys[i]) {
                        members.costs[i].clone_from(points);
                        members.phenotypes[i].clone_from(phenotype);
                    }
                }
            }
        }
        for i in &bench.which {
            cache.insert(&bench.keys[*i], &members.costs[*i], members.phenotypes[*i].as_ref());
        }
    }

    /// Refuses scores that were told and are undefined or not a number.
    pub(super) fn inspect(&self) -> Result<()> {
        let Brood { members, born, .. } = &self.brood;
        for (i, points) in members.costs[..*born].iter().enumerate() {
            points.sound(self.state.goals.len()).map_err(|error| {
                failed(self.state.turn, i, self.space.words(&members.genomes[i]), Box::new(error))
            })?;
        }
        Ok(())
    }
}

fn failed(generation: u64, i: usize, genome: String, source: Box<Error>) -> Error {
    Error::Evaluation { generation, index: i + 1, genome, source }
}

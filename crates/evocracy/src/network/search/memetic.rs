//! EvoBN with what wins: main lists evolve, and a local search takes each to an optimum.
//!
//! A tabu search gives a first structure. Around it, lists of parent sets are made for every node
//! ([`super::lists`]); main lists recombine by t-cut and merge and mutate by swaps, as printed, but
//! each node takes the best of its parent sets that its place allows, and every child is improved
//! by moving nodes ([`super::orders`]). The best is polished by a tabu search over single arcs,
//! which knows no lists, and all is repeated around what it found as long as the score grows.

use super::lists::{Limits, lists};
use super::orders::Orders;
use super::{Climb, Learnt, above, climb};
use crate::error::{Error, Result};
use crate::evolve::{Evolution, Maximise, Problem, Single, Until};
use crate::network::{Constraints, Scorer};
use crate::run::{Run, StopReason};

/// The settings of the search.
#[derive(Debug, Clone, PartialEq)]
pub struct Evobn {
    /// Members of the population.
    pub size: usize,
    /// After how many generations without a better order a round ends.
    pub stale: u64,
    /// The most rounds of lists, evolution and polish.
    pub rounds: usize,
    /// Candidate parents of a node by their score alone, and as many beside the parents found.
    pub candidates: usize,
    /// Parent sets of one size that grow further.
    pub growing: usize,
    /// The tabu search that begins and that polishes.
    pub climb: Climb,
}

impl Default for Evobn {
    fn default() -> Self {
        Self { size: 12, stale: 10, rounds: 4, candidates: 8, growing: 64, climb: Climb::tabu() }
    }
}

/// Searches for the structure of the best score; after a stop it is the best of the rounds that ended.
pub fn evobn(
    scorer: &Scorer<'_>,
    constraints: &Constraints,
    how: &Evobn,
    run: &Run<'_>,
) -> Result<Learnt> {
    if how.size < 2 || how.candidates == 0 || how.growing == 0 {
        return Err(Error::unsuitable(
            "an evolution of less than two orders, or without candidates",
            "have a size of at least 2, and at least 1 candidate and growing set",
        ));
    }
    let run = &run.task("EvoBN", how.rounds as u64);
    let mut best = climb(scorer, constraints, None, &how.climb, run)?;
    for round in 0..how.rounds {
        if run.stop.requested() {
            break;
        }
        run.watch.figure("score", best.score);
        let child = run.child("round", round as u64);
        let found = match one_round(scorer, constraints, how, &best, &child) {
            // What was found before is usable.
            Err(Error::Stopped) => break,
            found => found?,
        };
        run.watch.advance(1);
        if !above(found.score, best.score) {
            break;
        }
        best = found;
    }
    let ended = run.stop.requested();
    best.stop = if ended { StopReason::Interrupted } else { StopReason::Finished };
    Ok(best)
}

/// Lists around a structure, the evolution of orders, and the polish of the best.
fn one_round(
    scorer: &Scorer<'_>,
    constraints: &Constraints,
    how: &Evobn,
    known: &Learnt,
    run: &Run<'_>,
) -> Result<Learnt> {
    let limits = Limits { candidates: how.candidates, growing: how.growing };
    let lists = lists(scorer, constraints, &known.dag, limits, run)?;
    let space = Orders::new(lists, 2 + known.dag.nodes() / 8);
    let mut first = known.dag.order();
    space.improve(&mut first);
    let problem = Maximise(|order: &Vec<u32>| space.score(order));
    let goals = Problem::<Vec<u32>>::goals(&problem).to_vec();
    let strategy = Single::plus(how.size, how.size);
    let mut search = Evolution::<_, _, ()>::new(&space, strategy, &goals, run.seed.value())?
        .log_every(0)
        .start(vec![first])?;
    search.run(&problem, &Until::Stale(how.stale), run)?;
    let order = search.best().ok_or(Error::Stopped)?.genome.clone();
    let dag = space.dag(&order);
    if !constraints.admit(scorer.data(), &dag) {
        return Ok(known.clone());
    }
    climb(scorer, constraints, Some(&dag), &how.climb, run)
}

//! Samplers that begin with draws from the prior: rejection, and a population whose tolerance falls.

use super::chains::{Chain, look, unmet};
use super::hard::Hard;
use super::prior::Priors;
use super::settings::Sampling;
use super::walk::{Distance, Proposal, Target, Walk};
use crate::error::Result;
use crate::evolve::{Rng, below, rng};
use crate::run::Run;

/// Draws from the prior that are within the tolerance.
pub(super) fn rejection(
    with: &Sampling,
    hard: &dyn Hard,
    priors: &Priors,
    attempts: u64,
    run: &Run<'_>,
) -> Result<Chain> {
    let mut rng = rng(run.seed);
    let run = run.task("samples", with.samples as u64);
    let distance = Distance::Auc { totals: hard.totals() };
    let (mut chain, mut since) = (Chain::begin(priors.len()), 0);
    let mut trial = hard.start()?;
    while chain.distances.len() < with.samples {
        since += 1;
        chain.proposed += 1;
        if run.stop.requested() {
            if chain.counts.is_empty() {
                look(0, &run)?;
            }
            break;
        }
        if since > attempts {
            return Err(unmet(with.epsilon, chain.least, attempts));
        }
        let drawn = priors.draw(&mut rng);
        let wrong = trial.call(&drawn, None, &|_| true)?.unwrap_or_default();
        let found = distance.of(wrong);
        chain.least = chain.least.min(found);
        if found <= with.epsilon {
            chain.push(&drawn, found, wrong.alarms);
            chain.accepted += 1;
            since = 0;
            run.watch.advance(1);
        }
    }
    Ok(chain)
}

/// The share of a population that the next tolerance leaves.
const LEFT: f64 = 0.5;

/// Proposals for every member at each tolerance.
const MOVES: usize = 50;

/// One member of a population.
#[derive(Clone)]
struct Member {
    at: Vec<f64>,
    distance: f64,
    alarms: f64,
}

/// A population of draws from the prior: the tolerance falls to the median distance, those beyond it
/// are replaced by others, and all move by steps that keep the prior within the tolerance; until the
/// tolerance is that asked for.
pub(super) fn sequential(
    with: &Sampling,
    hard: &dyn Hard,
    priors: &Priors,
    attempts: u64,
    run: &Run<'_>,
) -> Result<Chain> {
    let mut rng = rng(run.seed);
    let distance = Distance::Auc { totals: hard.totals() };
    let start = priors.draw(&mut rng);
    let mut walk = Walk::new(hard, priors, (distance, Proposal::Few), start)?;
    let mut members = Vec::with_capacity(with.samples);
    for _ in 0..with.samples {
        look(0, run)?;
        walk.jump(&priors.draw(&mut rng))?;
        members.push(member(&walk));
    }
    let mut chain = Chain::begin(priors.len());
    let mut epsilon = f64::INFINITY;
    while epsilon > with.epsilon {
        let next = lower(&members, epsilon).max(with.epsilon);
        // A tolerance that no longer falls is as low as this population gets.
        if next >= epsilon || chain.proposed > attempts * with.samples as u64 {
            return Err(unmet(with.epsilon, walk.least(), chain.proposed));
        }
        epsilon = next;
        let alive: Vec<usize> =
            (0..members.len()).filter(|&at| members[at].distance <= epsilon).collect();
        for at in 0..members.len() {
            look(0, run)?;
            if members[at].distance > epsilon {
                members[at] = members[alive[below(alive.len(), &mut rng)]].clone();
            }
            shift(&mut walk, &mut members[at], epsilon, &mut chain, &mut rng)?;
        }
        run.watch.figure("epsilon", epsilon);
    }
    for member in &members {
        chain.push(&member.at, member.distance, member.alarms);
    }
    chain.least = walk.least();
    Ok(chain)
}

fn shift(
    walk: &mut Walk<'_>,
    own: &mut Member,
    epsilon: f64,
    chain: &mut Chain,
    rng: &mut Rng,
) -> Result<()> {
    walk.jump(&own.at)?;
    for _ in 0..MOVES {
        chain.accepted += u64::from(walk.step(Target::Tolerance(epsilon), rng)?);
        chain.proposed += 1;
    }
    *own = member(walk);
    Ok(())
}

fn member(walk: &Walk<'_>) -> Member {
    Member { at: walk.at().to_vec(), distance: walk.now(), alarms: walk.wrong().alarms }
}

/// A tolerance below `epsilon`: the distance that the nearer half of a population is within, or where
/// that is none the next lower one; `epsilon` where there is none at all.
fn lower(members: &[Member], epsilon: f64) -> f64 {
    let mut distances: Vec<f64> = members.iter().map(|member| member.distance).collect();
    distances.sort_by(f64::total_cmp);
    let place = (distances.len() as f64 * LEFT) as usize;
    let middle = distances[place.min(distances.len() - 1)];
    if middle < epsilon {
        return middle;
    }
    distances.into_iter().rev().find(|distance| *distance < epsilon).unwrap_or(epsilon)
}

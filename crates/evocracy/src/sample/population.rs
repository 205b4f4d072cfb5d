//! Samplers that begin with draws from the prior: rejection, and a population whose tolerance falls.

use super::chains::{Chain, broken, look, none_drawn, unmet};
use super::hard::Hard;
use super::prior::Priors;
use super::settings::Sampling;
use super::walk::{Distance, Proposal, Target, Walk};
use crate::error::{Error, Result};
use crate::evolve::{Rng, below, rng};
use crate::run::Run;
use serde::{Deserialize, Serialize};

/// Parts that rejection is cut into, each kept when it is finished.
const PARTS: usize = 20;

/// Draws from the prior that are within the tolerance (thesis, 5.2).
pub(super) fn rejection(
    with: &Sampling,
    hard: &dyn Hard,
    priors: &Priors,
    attempts: u64,
    run: &Run<'_>,
) -> Result<Chain> {
    let parts = PARTS.min(with.samples);
    let run = run.task("samples", with.samples as u64);
    let done = run.pool.map(parts, |part| {
        let run = run.child("part", part as u64);
        let count = with.samples * (part + 1) / parts - with.samples * part / parts;
        kept(priors, &run, || draws(with, count, hard, priors, attempts, &run))
    });
    let mut chain = Chain::begin(priors.len());
    for part in done {
        match part {
            // What there is so far.
            Err(Error::Stopped) if !chain.counts.is_empty() => break,
            part => chain.append(part?),
        }
    }
    Ok(chain)
}

/// A chain that was kept, or one that is made now.
fn kept(priors: &Priors, run: &Run<'_>, work: impl FnOnce() -> Result<Chain>) -> Result<Chain> {
    run.resume(|bytes| Chain::read(bytes, priors.len()), |chain| chain.write().map(Some), work)
}

/// So many draws that are within the tolerance.
fn draws(
    with: &Sampling,
    count: usize,
    hard: &dyn Hard,
    priors: &Priors,
    attempts: u64,
    run: &Run<'_>,
) -> Result<Chain> {
    let mut rng = rng(run.seed);
    let distance = Distance::Auc { totals: hard.totals() };
    priors.fit(hard)?;
    // The proposals since the last that was near enough, and the best of them.
    let (mut chain, mut since, mut least) = (Chain::begin(priors.len()), 0, f64::INFINITY);
    let mut trial = hard.start()?;
    while chain.distances.len() < count {
        look(run)?;
        since += 1;
        chain.proposed += 1;
        if since > attempts {
            return Err(match chain.distances.len() {
                0 => none_drawn(with.epsilon, attempts, least, ""),
                found => unmet(format!(
                    "{found} of {count} samples in a row came within the distance {:.4}, then none in {attempts} proposals; the best distance of these is {least:.4}",
                    with.epsilon
                )),
            });
        }
        let drawn = priors.draw(&mut rng);
        let wrong = trial.call(&drawn, None, &|_| true)?.unwrap_or_default();
        let found = distance.of(wrong);
        chain.least = chain.least.min(found);
        least = least.min(found);
        if found <= with.epsilon {
            chain.push(&drawn, found, wrong.alarms);
            chain.accepted += 1;
            (since, least) = (0, f64::INFINITY);
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
#[derive(Clone, Serialize, Deserialize)]
struct Member {
    at: Vec<f64>,
    distance: f64,
    alarms: f64,
}

/// A population within a tolerance, and what it took.
#[derive(Clone, Serialize, Deserialize)]
struct Population {
    members: Vec<Member>,
    epsilon: f64,
    proposed: u64,
    accepted: u64,
    least: f64,
}

/// A population of draws from the prior: the tolerance falls to the median distance, those beyond it
/// are replaced by others, and all move by steps that keep the prior within the tolerance; until the
/// tolerance is that asked for. The population at each tolerance is kept when it is finished.
pub(super) fn sequential(
    with: &Sampling,
    hard: &dyn Hard,
    priors: &Priors,
    attempts: u64,
    run: &Run<'_>,
) -> Result<Chain> {
    let distance = Distance::Auc { totals: hard.totals() };
    let mut walk = None;
    let mut now: Option<Population> = None;
    let mut stage = 0;
    while now.as_ref().is_none_or(|now| now.epsilon > with.epsilon) {
        let run = run.child("stage", stage);
        let next = run.resume(
            |bytes| Population::read(bytes, with.samples, priors.len()),
            |population| rmp_serde::to_vec(population).map(Some).map_err(|_| broken()),
            || {
                let mut rng = rng(run.seed);
                let walk = match &mut walk {
                    Some(walk) => walk,
                    // It jumps to every member, wherever it begins.
                    none => {
                        let (with, start) = ((distance, Proposal::Few), vec![0.0; priors.len()]);
                        none.insert(Walk::new(hard, priors, with, start)?)
                    }
                };
                match &now {
                    None => Population::first(with.samples, walk, priors, &mut rng, &run),
                    Some(now) => now.next((with, attempts), walk, &mut rng, &run),
                }
            },
        )?;
        run.watch.figure("epsilon", next.epsilon);
        now = Some(next);
        stage += 1;
    }
    let now = now.ok_or(Error::Stopped)?;
    let mut chain = Chain::begin(priors.len());
    for member in &now.members {
        chain.push(&member.at, member.distance, member.alarms);
    }
    (chain.proposed, chain.accepted, chain.least) = (now.proposed, now.accepted, now.least);
    Ok(chain)
}

impl Population {
    /// Draws from the prior.
    fn first(
        count: usize,
        walk: &mut Walk<'_>,
        priors: &Priors,
        rng: &mut Rng,
        run: &Run<'_>,
    ) -> Result<Self> {
        let mut members = Vec::with_capacity(count);
        for _ in 0..count {
            look(run)?;
            walk.jump(&priors.draw(rng))?;
            members.push(member(walk));
        }
        let least = members.iter().map(|member| member.distance).fold(f64::INFINITY, f64::min);
        // Any distance is within it; a number that every file can hold.
        Ok(Self { members, epsilon: f64::MAX, proposed: 0, accepted: 0, least })
    }

    /// The population at the next tolerance.
    fn next(
        &self,
        (with, attempts): (&Sampling, u64),
        walk: &mut Walk<'_>,
        rng: &mut Rng,
        run: &Run<'_>,
    ) -> Result<Self> {
        let mut next = self.clone();
        next.epsilon = lower(&self.members, self.epsilon).max(with.epsilon);
        // A tolerance that no longer falls is as low as this population gets.
        if next.epsilon >= self.epsilon || self.proposed > attempts * with.samples as u64 {
            return Err(unmet(format!(
                "the population did not come within the distance {:.4} in {} proposals: it is within {:.4}, and the best distance seen is {:.4}",
                with.epsilon, self.proposed, self.epsilon, self.least
            )));
        }
        let alive: Vec<&Member> =
            self.members.iter().filter(|member| member.distance <= next.epsilon).collect();
        for own in &mut next.members {
            if own.distance > next.epsilon {
                *own = alive[below(alive.len(), rng)].clone();
            }
            walk.jump(&own.at)?;
            for _ in 0..MOVES {
                look(run)?;
                next.accepted += u64::from(walk.step(Target::Tolerance(next.epsilon), rng)?);
                next.least = next.least.min(walk.now());
                next.proposed += 1;
            }
            *own = member(walk);
        }
        Ok(next)
    }

    /// What an earlier run kept.
    fn read(bytes: &[u8], count: usize, parameters: usize) -> Result<Self> {
        let read: Self = rmp_serde::from_slice(bytes).map_err(|_| broken())?;
        let finite = |member: &Member| {
            member.at.len() == parameters && member.at.iter().all(|value| value.is_finite())
        };
        let sound = read.members.len() == count && read.members.iter().all(finite);
        if sound { Ok(read) } else { Err(broken()) }
    }
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

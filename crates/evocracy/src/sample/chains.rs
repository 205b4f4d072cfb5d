//! Many chains side by side, in rounds, so that they can exchange their states, be stopped and
//! continued.
//!
//! A round advances every chain by equal numbers of proposals. Between rounds neighbouring levels
//! exchange their states (replica exchange: C. J. Geyer, "Markov chain Monte Carlo maximum
//! likelihood", Computing Science and Statistics 23 (1991) 156-163): chains of one level alone hardly
//! leave the mode they began in. What a state calls wrongly is known, so that an exchange costs no
//! evaluation. Only chains of one number meet, one of each level: a ladder. The levels of a ladder
//! depend on each other, ladders do not.
//!
//! Some rounds make a segment: a part that is kept on the shelf of the run. So a run that was killed
//! loses at most a segment, and one that is stopped has those that were finished. All draws have seeds
//! of their chain and round, and exchanges one of their round. Equal samples in a row are kept once,
//! with a count.

use super::hard::{Hard, Trials, Wrong};
use super::prior::Priors;
use super::walk::{Distance, Proposal, Target, Walk};
use crate::error::{Error, Result};
use crate::evolve::{Rng, rng, unit};
use crate::run::{Run, Seed};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// How a chain gets to where it samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Approach {
    /// Tolerances that fall in equal steps from `first` to that of the target, each until so many
    /// proposals were `accepted` (thesis, 5.4.4); an error where one is not met in `attempts`
    /// proposals. Until it is, a proposal that is no farther than the chain is accepted: a chain that
    /// must meet the next tolerance in one step stays where it is.
    Schedule {
        /// The first tolerance.
        first: f64,
        /// How many tolerances there are, with the last.
        stages: usize,
        /// How many proposals are accepted at each.
        accepted: usize,
        /// The most proposals at each.
        attempts: u64,
    },
    /// So many proposals under a weight that rises to that of the target.
    Anneal(u64),
}

/// What to sample, and how much of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What each level draws from; several chains of a level draw from the same.
    pub levels: Vec<(Distance, Target)>,
    /// How many chains each level has.
    pub chains: usize,
    /// How parameters move.
    pub proposal: Proposal,
    /// How chains begin.
    pub approach: Approach,
    /// How many samples at the beginning are not kept.
    pub burn: u64,
    /// How many samples of each chain are kept.
    pub keep: usize,
    /// Every so many proposals a sample is kept.
    pub thin: u64,
    /// How many rounds there are; between them neighbouring levels exchange states.
    pub rounds: usize,
    /// How many parts the rounds are kept in.
    pub segments: usize,
}

/// What was kept of one chain.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Chain {
    /// The kept parameters, sample after sample; equal ones in a row once.
    pub values: Vec<f64>,
    /// How often each was kept.
    pub counts: Vec<u32>,
    /// Of all kept samples the distance.
    pub distances: Vec<f64>,
    /// Of all kept samples the weight of the negative rows that are called positive.
    pub alarms: Vec<f64>,
    /// How many proposals were made while sampling.
    pub proposed: u64,
    /// How many of them were accepted.
    pub accepted: u64,
    /// The least distance seen.
    pub least: f64,
    /// Where it ended.
    at: Vec<f64>,
    /// What is called wrongly there: missed rows and false alarms.
    wrong: [f64; 2],
}

impl Chain {
    /// A chain of nothing yet.
    pub(super) fn begin(parameters: usize) -> Self {
        Self { least: f64::INFINITY, at: vec![0.0; parameters], ..Self::default() }
    }

    /// A chain of nothing yet that goes on where this one ended.
    fn rest(&self) -> Self {
        Self { at: self.at.clone(), wrong: self.wrong, ..Self::begin(0) }
    }

    /// Keeps a sample.
    pub(super) fn push(&mut self, at: &[f64], distance: f64, alarms: f64) {
        self.distances.push(distance);
        self.alarms.push(alarms);
        match self.counts.last_mut() {
            Some(count) if self.values.ends_with(at) => *count += 1,
            _ => {
                self.values.extend_from_slice(at);
                self.counts.push(1);
            }
        }
    }

    /// Whether it is what a chain of so many parameters can be.
    fn is_sound(&self, parameters: usize) -> bool {
        let kept: u64 = self.counts.iter().map(|&count| u64::from(count)).sum();
        self.values.len() == self.counts.len() * parameters
            && self.at.len() == parameters
            && self.values.iter().chain(&self.at).chain(&self.wrong).all(|x| x.is_finite())
            && kept == self.distances.len() as u64
            && kept == self.alarms.len() as u64
    }

    /// What an earlier run kept of a chain of so many parameters.
    pub(super) fn read(bytes: &[u8], parameters: usize) -> Result<Self> {
        let chain: Self = rmp_serde::from_slice(bytes).map_err(|_| broken())?;
        if chain.is_sound(parameters) { Ok(chain) } else { Err(broken()) }
    }

    /// The bytes to keep.
    pub(super) fn write(&self) -> Result<Vec<u8>> {
        rmp_serde::to_vec(self).map_err(|_| broken())
    }

    /// Goes on with what another segment kept.
    pub(super) fn append(&mut self, next: Self) {
        let first = next.values.get(..next.at.len()).unwrap_or_default();
        let goes_on = !self.counts.is_empty() && self.values.ends_with(first);
        if let (true, Some(last), Some(more)) =
            (goes_on, self.counts.last_mut(), next.counts.first())
        {
            *last += more;
            self.values.extend(&next.values[first.len()..]);
            self.counts.extend(&next.counts[1..]);
        } else {
            self.values.extend(next.values);
            self.counts.extend(next.counts);
        }
        self.distances.extend(next.distances);
        self.alarms.extend(next.alarms);
        self.proposed += next.proposed;
        self.accepted += next.accepted;
        self.least = self.least.min(next.least);
        (self.at, self.wrong) = (next.at, next.wrong);
    }
}

impl Plan {
    /// Samples all chains: level after level, its chains one after the other. After a stop fewer
    /// samples than planned, but some of every chain, or [`Error::Stopped`].
    pub fn sample(&self, hard: &dyn Hard, priors: &Priors, run: &Run<'_>) -> Result<Vec<Chain>> {
        priors.fit(hard)?;
        let count = self.levels.len() * self.chains;
        let trials = Trials::new(hard);
        let rounds = self.rounds.max(1);
        let segments = self.segments.clamp(1, rounds);
        let run = run.task("chains", (count * rounds) as u64);
        let mut chains: Vec<Chain> = Vec::new();
        for segment in 0..segments {
            let own = rounds * segment / segments..rounds * (segment + 1) / segments;
            let part = run.part("segment", segment as u64);
            let done = part.resume(
                |bytes| read(bytes, count, priors.len()),
                |chains| rmp_serde::to_vec(chains).map(Some).map_err(|_| broken()),
                || self.segment(&trials, priors, own, &chains, &run),
            );
            match done {
                Err(Error::Stopped) if chains.iter().any(|chain| !chain.counts.is_empty()) => {
                    break;
                }
                done if chains.is_empty() => chains = done?,
                done => {
                    chains.iter_mut().zip(done?).for_each(|(chain, next)| chain.append(next));
                }
            }
        }
        Ok(chains)
    }

    /// What some rounds keep of all chains, which go on from where they ended.
    fn segment<'a>(
        &self,
        trials: &Trials<'a>,
        priors: &'a Priors,
        rounds: Range<usize>,
        before: &[Chain],
        run: &Run<'_>,
    ) -> Result<Vec<Chain>> {
        let mut chains: Vec<Chain> = before.iter().map(Chain::rest).collect();
        for round in rounds {
            self.exchange(&mut chains, run.seed.child("exchange", round as u64));
            let done = run.pool.map(self.levels.len() * self.chains, |number| {
                let run = run.child("chain", number as u64).child("round", round as u64);
                let found = self.round(trials, priors, (number, round), chains.get(number), &run);
                run.watch.advance(1);
                found
            });
            let done = done.into_iter().collect::<Result<Vec<_>>>()?;
            if chains.is_empty() {
                chains = done;
            } else {
                chains.iter_mut().zip(done).for_each(|(chain, next)| chain.append(next));
            }
        }
        Ok(chains)
    }

    /// One round of a chain.
    fn round<'a>(
        &self,
        trials: &Trials<'a>,
        priors: &'a Priors,
        (number, round): (usize, usize),
        from: Option<&Chain>,
        run: &Run<'_>,
    ) -> Result<Chain> {
        let mut rng = rng(run.seed);
        let (distance, target) = self.levels[number / self.chains];
        let with = (distance, self.proposal);
        let (trial, begin) = (trials.take()?, |trial, start| Walk::on(trial, priors, with, start));
        let mut walk = if let Some(from) = from {
            begin(trial, from.at.clone())?
        } else {
            let mut walk = begin(trial, priors.draw(&mut rng))?;
            self.approach.go(&mut walk, target, priors, &mut rng, run)?;
            walk
        };
        let all = self.burn + self.keep as u64 * self.thin;
        let until =
            |round: usize| (u128::from(all) * round as u128 / self.rounds.max(1) as u128) as u64;
        let mut chain = Chain::begin(0);
        for step in until(round)..until(round + 1) {
            look(run)?;
            let accepted = walk.step(target, &mut rng)?;
            if step < self.burn {
                continue;
            }
            chain.accepted += u64::from(accepted);
            chain.proposed += 1;
            if (step + 1 - self.burn).is_multiple_of(self.thin) {
                chain.push(walk.at(), walk.now(), walk.wrong().alarms);
            }
        }
        chain.least = walk.least();
        chain.at = walk.at().to_vec();
        chain.wrong = [walk.wrong().missed, walk.wrong().alarms];
        trials.put(walk.into_trial());
        Ok(chain)
    }

    /// Neighbouring levels of every ladder exchange the states `x` and `y` they are at, with the
    /// probability `min(1, exp(e(x) + f(y) - e(y) - f(x)))`, `e` and `f` their energies: the product
    /// of their densities stays stationary. The prior, which all share, falls out.
    fn exchange(&self, chains: &mut [Chain], seed: Seed) {
        let mut rng = rng(seed);
        let neighbours = self.levels.windows(2).enumerate();
        // Pairs that begin with an even level, then the others: a state may go far in either way.
        let (even, odd): (Vec<_>, Vec<_>) = neighbours.partition(|(level, _)| level % 2 == 0);
        for (level, pair) in even.into_iter().chain(odd) {
            for number in 0..self.chains {
                let own = [level, level + 1].map(|level| level * self.chains + number);
                let Ok([one, other]) = chains.get_disjoint_mut(own) else { return };
                let energy = |of: usize, at: &Chain| energy(pair[of], at.wrong);
                let gain = energy(0, one) + energy(1, other) - energy(0, other) - energy(1, one);
                if unit(&mut rng).ln() < gain {
                    std::mem::swap(&mut one.at, &mut other.at);
                    std::mem::swap(&mut one.wrong, &mut other.wrong);
                }
            }
        }
    }
}

/// How improbable a level makes what is called wrongly: minus the log of its density over the prior.
fn energy((distance, target): (Distance, Target), [missed, alarms]: [f64; 2]) -> f64 {
    let distance = distance.of(Wrong { missed, alarms });
    match target {
        Target::Weight(lambda) => lambda * distance,
        Target::Tolerance(epsilon) if distance <= epsilon => 0.0,
        Target::Tolerance(_) => f64::INFINITY,
    }
}

/// What an earlier run kept of all chains.
fn read(bytes: &[u8], count: usize, parameters: usize) -> Result<Vec<Chain>> {
    let chains: Vec<Chain> = rmp_serde::from_slice(bytes).map_err(|_| broken())?;
    let sound = chains.len() == count && chains.iter().all(|chain| chain.is_sound(parameters));
    if sound { Ok(chains) } else { Err(broken()) }
}

impl Approach {
    fn go(
        self,
        walk: &mut Walk<'_>,
        target: Target,
        priors: &Priors,
        rng: &mut Rng,
        run: &Run<'_>,
    ) -> Result<()> {
        match (self, target) {
            (Self::Anneal(steps), Target::Weight(lambda)) => {
                for step in 0..steps {
                    look(run)?;
                    let share = (step + 1) as f64 / steps as f64;
                    walk.step(Target::Weight(lambda * share * share), rng)?;
                }
                Ok(())
            }
            (Self::Schedule { first, stages, accepted, attempts }, Target::Tolerance(last)) => {
                let first = first.max(last);
                let mut tries = 0;
                while walk.now() > first {
                    tries += 1;
                    look(run)?;
                    if tries > attempts {
                        let way = on_the_way(first, last);
                        return Err(none_drawn(first, attempts, walk.least(), &way));
                    }
                    walk.jump(&priors.draw(rng))?;
                }
                let stages = stages.max(2);
                for stage in 0..stages {
                    let share = stage as f64 / (stages - 1) as f64;
                    let epsilon = first + (last - first) * share;
                    reach(walk, (epsilon, last), (accepted, attempts), rng, run)?;
                }
                Ok(())
            }
            // A weight has no tolerances, and a tolerance no weight.
            _ => Ok(()),
        }
    }
}

/// Proposes until so many were accepted at a tolerance, on the way to the last one.
fn reach(
    walk: &mut Walk<'_>,
    (epsilon, last): (f64, f64),
    (accepted, attempts): (usize, u64),
    rng: &mut Rng,
    run: &Run<'_>,
) -> Result<()> {
    let (mut taken, mut tries) = (0, 0);
    while taken < accepted && tries < attempts {
        tries += 1;
        look(run)?;
        let stepped = walk.step(Target::Tolerance(epsilon.max(walk.now())), rng)?;
        taken += usize::from(stepped && walk.now() <= epsilon);
    }
    if walk.now() <= epsilon {
        return Ok(());
    }
    // It never went farther away on this stage; at an earlier one it may have been nearer.
    Err(unmet(format!(
        "a chain did not come within the distance {epsilon:.4} in {tries} proposals{}; it came as near as {:.4}",
        on_the_way(epsilon, last),
        walk.now()
    )))
}

/// What is said where no draws of the prior are near enough.
pub(super) fn none_drawn(epsilon: f64, attempts: u64, least: f64, way: &str) -> Error {
    unmet(format!(
        "no parameters came within the distance {epsilon:.4} in {attempts} proposals{way}; the best distance of these is {least:.4}"
    ))
}

/// What is said where a tolerance is not met.
pub(super) fn unmet(what: String) -> Error {
    Error::unsuitable(
        what,
        "take a larger epsilon, a larger classifier, or the sampler costs, which needs no epsilon",
    )
}

/// The tolerance that was asked for, where another one is on the way to it.
fn on_the_way(epsilon: f64, last: f64) -> String {
    if epsilon > last {
        format!(" on the way to {last:.4}, which was asked for")
    } else {
        String::new()
    }
}

/// Ends work that is to stop.
pub(super) fn look(run: &Run<'_>) -> Result<()> {
    if run.stop.requested() { Err(Error::Stopped) } else { Ok(()) }
}

pub(super) fn broken() -> Error {
    Error::unsuitable("a finished part does not read back", "")
}

//! From options to sampled classifiers of one class against the rest.
//!
//! `costs`: since `p = integral over c of 1[p > c]`, a chain for each of some costs `c` of a false
//! alarm estimates one level of the probability each, and their mean call is the probability. The
//! chain of `c` draws from the prior times `exp(-lambda (c A + (1 - c) M))`, `A` and `M` the weights
//! of the false alarms and of the missed rows. Chains of neighbouring costs exchange their states.
//!
//! The other samplers are those of the thesis, chapter 5: prior draws within a tolerance of the AUC
//! error; a chain that moves within it (Algorithms 6 and 7); and, after P. Del Moral, A. Doucet,
//! A. Jasra, Statistics and Computing 22 (2012) 1009-1020, a population whose tolerance falls.

use super::chains::{Approach, Chain, Plan};
use super::hard::Hard;
use super::mixing::Mixing;
use super::model::SampledPart;
use super::population;
use super::prior::Priors;
use super::settings::{Sampler, Sampling};
use super::walk::{Distance, Proposal, Target};
use crate::error::{Error, Result};
use crate::run::Run;

/// The standard deviation of the steps of the thesis (5.4.3).
const PRINTED_STEP: f64 = 0.05;

/// Tolerances of the schedule, accepted proposals at each (thesis, 5.4.4), and the first one.
const STAGES: usize = 7;
const ACCEPTED: usize = 100;
const FIRST: f64 = 0.5;

/// The most proposals at a tolerance before it counts as out of reach.
const ATTEMPTS: u64 = 200_000;

/// Proposals under a rising weight, in kept samples.
const ANNEALED: u64 = 10;

/// Proposals of all chains in a segment, at least, and the most segments. What a stop or a kill leaves
/// are whole segments: it loses a twentieth of a long run at most.
const ROUND: u64 = 1000;
const ROUNDS: u64 = 20;

/// Proposals of a chain between two exchanges with its neighbours, at most: there is an exchange for
/// every kept sample at least.
const EXCHANGE: u64 = 250;

/// Samples classifiers and puts them together; `cost` says how long a proposal takes, in rows times
/// units.
pub(crate) fn sample(
    with: &Sampling,
    hard: &dyn Hard,
    priors: &Priors,
    cost: usize,
    run: &Run<'_>,
) -> Result<SampledPart> {
    if hard.totals().iter().any(|total| *total <= 0.0) {
        return Err(Error::unsuitable(
            "all rows have one class",
            "give rows of both classes, with weight",
        ));
    }
    match with.sampler {
        Sampler::Rejection => {
            let chain = population::rejection(with, hard, priors, ATTEMPTS, run)?;
            Ok(in_blocks(part(with, &[chain], 1)))
        }
        Sampler::Smc => {
            let chain = population::sequential(with, hard, priors, ATTEMPTS, run)?;
            Ok(part(with, &[chain], 1))
        }
        Sampler::Costs | Sampler::Epsilon | Sampler::Printed => {
            let plan = plan(with, hard, cost);
            let chains = plan.sample(hard, priors, run)?;
            Ok(part(with, &chains, plan.chains))
        }
    }
}

/// The chains of a sampler.
fn plan(with: &Sampling, hard: &dyn Hard, cost: usize) -> Plan {
    let thin = with.thin(cost);
    let auc = Distance::Auc { totals: hard.totals() };
    let mut plan = Plan {
        levels: vec![(auc, Target::Tolerance(with.epsilon))],
        chains: with.chains,
        proposal: Proposal::Few,
        approach: Approach::Schedule {
            first: FIRST,
            stages: STAGES,
            accepted: ACCEPTED,
            attempts: ATTEMPTS,
        },
        burn: 0,
        keep: 0,
        thin,
        rounds: 1,
        segments: 1,
    };
    match with.sampler {
        Sampler::Costs => {
            let level = |c: f64| (Distance::Cost { c }, Target::Weight(with.lambda));
            plan.levels = with.costs().map(level).collect();
            plan.approach = Approach::Anneal(ANNEALED * thin);
        }
        Sampler::Printed => {
            plan.chains = 1;
            plan.proposal = Proposal::All(PRINTED_STEP);
        }
        _ => {}
    }
    let count = plan.levels.len() * plan.chains;
    plan.keep = with.each();
    // Half of a chain under a tolerance is burnt (thesis, 5.4.4).
    plan.burn = match with.sampler {
        Sampler::Costs => (plan.keep as u64 * thin) / 5,
        _ => plan.keep as u64 * thin,
    };
    plan.segments = ((count * plan.keep) as u64 * thin / ROUND).clamp(1, ROUNDS) as usize;
    plan.rounds = plan.segments;
    if plan.levels.len() > 1 {
        let proposals = plan.burn + plan.keep as u64 * thin;
        plan.rounds = plan.rounds.max((proposals / thin.min(EXCHANGE)) as usize);
    }
    plan
}

/// Draws of the prior are independent: they count as several chains, by whose differences the standard
/// error of the mean call is known.
fn in_blocks(mut part: SampledPart) -> SampledPart {
    const BLOCKS: usize = 20;
    let count = part.groups.len();
    for (at, group) in part.groups.iter_mut().enumerate() {
        *group = [0, (at * BLOCKS.min(count) / count) as u32];
    }
    part
}

/// Chains as one committee: all levels count the same, and all samples of a level.
fn part(with: &Sampling, chains: &[Chain], each: usize) -> SampledPart {
    let (base, all) = with.ends();
    let mixing = Mixing::of(chains, each);
    let mut part = SampledPart { base, mixing: Some(mixing), ..SampledPart::default() };
    let levels = chains.len() / each;
    for (level, own) in chains.chunks(each).enumerate() {
        let kept: usize = own.iter().map(|chain| chain.distances.len()).sum();
        let weight = all / (levels * kept) as f64;
        for (number, chain) in own.iter().enumerate() {
            part.weights.extend(chain.counts.iter().map(|&count| f64::from(count) * weight));
            part.groups.extend(chain.counts.iter().map(|_| [level as u32, number as u32]));
            part.values.extend_from_slice(&chain.values);
        }
    }
    part
}

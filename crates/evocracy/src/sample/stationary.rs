//! The stationary distribution of chains over several parameters, by the chi-square test on marginals.
//!
//! A classifier of six parameters reads two of them: one decides which positive rows are missed, the
//! other which negative rows are called positive. The cost of errors is the sum of both, so that under
//! a weight all parameters are independent: each of the two has its prior times a factor for its
//! errors, the four others have their priors, whatever the labels are. Whatever the labels are, too, a
//! tolerance that every classifier keeps leaves the priors of all.

use super::chains::{Approach, Chain, Plan};
use super::hard::{Hard, Trial, Within, Wrong};
use super::prior::{Prior, Priors};
use super::walk::{Distance, Proposal, Target};
use crate::error::Result;
use crate::num::{chi_square_tail, normal_tail};
use crate::run::{Pool, Run, Stop};
use std::f64::consts::PI;

/// Parameters, and the two that are read: for the positive and for the negative rows.
const COUNT: usize = 6;
const READ: [usize; 2] = [1, 4];

/// Ends of the cells that samples are counted in.
const EDGES: [f64; 6] = [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5];

/// Places of the four positive rows, and of the four negative ones.
const PLACES: [f64; 4] = [-1.5, -0.5, 0.5, 1.5];

/// Every test fails by chance with this probability; there are 36 of them, and the seed is fixed.
const CHANCE: f64 = 1e-4;

/// A row is called positive where its parameter is above its place.
struct Two;

impl Hard for Two {
    fn parameters(&self) -> usize {
        COUNT
    }

    fn totals(&self) -> [f64; 2] {
        [4.0, 4.0]
    }

    fn start(&self) -> Result<Box<dyn Trial + '_>> {
        Ok(Box::new(TwoTrial))
    }
}

struct TwoTrial;

impl Trial for TwoTrial {
    fn call(&mut self, at: &[f64], _: Option<&[u32]>, within: Within<'_>) -> Result<Option<Wrong>> {
        let called = READ.map(|read| PLACES.iter().filter(|place| at[read] > **place).count());
        let wrong = Wrong { missed: 4.0 - called[0] as f64, alarms: called[1] as f64 };
        Ok(within(wrong).then_some(wrong))
    }

    fn keep(&mut self) {}
}

/// The probability of less than `x` by a prior. Student's t of three degrees of freedom has a closed
/// form: `1/2 + (u / (1 + u^2) + atan u) / pi` with `u = t / sqrt 3`.
fn below(prior: Prior, x: f64) -> f64 {
    match prior {
        Prior::Normal { mean, sd } => 1.0 - normal_tail((x - mean) / sd),
        Prior::Student { nu, alpha } => {
            assert_eq!(nu, 3.0);
            let u = x * (alpha / nu).sqrt();
            0.5 + (u / (1.0 + u * u) + u.atan()) / PI
        }
        Prior::Uniform { low, high } => ((x - low) / (high - low)).clamp(0.0, 1.0),
        Prior::Flat => unreachable!("an improper prior has no distribution"),
    }
}

/// How probable every cell is: the prior times a factor for how many places lie below the cell.
fn masses(prior: Prior, factor: impl Fn(f64) -> f64) -> Vec<f64> {
    let of = |cell: usize| {
        let low = if cell == 0 { 0.0 } else { below(prior, EDGES[cell - 1]) };
        let high = EDGES.get(cell).map_or(1.0, |edge| below(prior, *edge));
        let called = PLACES.iter().filter(|place| cell > 0 && EDGES[cell - 1] >= **place).count();
        (high - low) * factor(called as f64)
    };
    let masses: Vec<f64> = (0..=EDGES.len()).map(of).collect();
    let total: f64 = masses.iter().sum();
    masses.into_iter().map(|mass| mass / total).collect()
}

/// The tail of the chi-square statistic of a parameter's samples.
fn tail(chains: &[Chain], parameter: usize, expected: &[f64]) -> f64 {
    let mut counts = vec![0.0; expected.len()];
    for chain in chains {
        for (sample, &count) in chain.values.chunks_exact(COUNT).zip(&chain.counts) {
            let cell = EDGES.iter().filter(|edge| sample[parameter] >= **edge).count();
            counts[cell] += f64::from(count);
        }
    }
    let n: f64 = counts.iter().sum();
    if counts.iter().zip(expected).any(|(count, share)| *share == 0.0 && *count > 0.0) {
        return 0.0;
    }
    let possible = counts.iter().zip(expected).filter(|(_, share)| **share > 0.0);
    let square = possible.clone().map(|(c, share)| (c - n * share).powi(2) / (n * share));
    // Cells of fewer than five expected samples would make the test wrong.
    assert!(possible.clone().all(|(_, share)| n * share >= 5.0), "{n} samples, {expected:?}");
    chi_square_tail(square.sum(), possible.count() as f64 - 1.0)
}

/// Two chains of the default proposals. There are 400 of them between two kept samples, so that these
/// are nearly independent: about a third propose to move a given parameter, by steps whose mean square
/// is a fifth of that of its prior.
fn chains(priors: &[Prior; COUNT], level: (Distance, Target), approach: Approach) -> Vec<Chain> {
    moved(priors, level, Proposal::Few, approach)
}

/// As [`chains`], of proposals that move all parameters or few.
fn moved(
    priors: &[Prior; COUNT],
    level: (Distance, Target),
    proposal: Proposal,
    approach: Approach,
) -> Vec<Chain> {
    let levels = vec![level];
    let plan = Plan {
        levels,
        chains: 2,
        proposal,
        approach,
        burn: 5000,
        keep: 1500,
        thin: 400,
        rounds: 1,
        segments: 1,
    };
    let (stop, pool) = (Stop::new(), Pool::new(2).unwrap());
    let priors = Priors::new(*priors).unwrap();
    plan.sample(&Two, &priors, &Run::new(17, &stop, &pool)).unwrap()
}

const NORMAL: Prior = Prior::Normal { mean: 0.5, sd: 2.0 };
const STUDENT: Prior = Prior::Student { nu: 3.0, alpha: 0.25 };
const UNIFORM: Prior = Prior::Uniform { low: -3.0, high: 5.0 };
const MIXED: [Prior; COUNT] = [NORMAL, STUDENT, UNIFORM, NORMAL, UNIFORM, STUDENT];

#[test]
fn parameters_have_the_weighted_density_where_they_are_read_and_the_prior_elsewhere() {
    let (c, lambda) = (0.4, 1.5);
    for priors in [[NORMAL; COUNT], [STUDENT; COUNT], [UNIFORM; COUNT], MIXED] {
        let level = (Distance::Cost { c }, Target::Weight(lambda));
        let found = chains(&priors, level, Approach::Anneal(2000));
        for (parameter, &prior) in priors.iter().enumerate() {
            let expected = match parameter {
                1 => masses(prior, |called| (-lambda * (1.0 - c) * (4.0 - called)).exp()),
                4 => masses(prior, |called| (-lambda * c * called).exp()),
                _ => masses(prior, |_| 1.0),
            };
            let tail = tail(&found, parameter, &expected);
            assert!(tail > CHANCE, "parameter {parameter} of {priors:?}: {tail}");
        }
        // The test sees the difference: what is read does not follow its prior.
        for read in READ {
            assert!(tail(&found, read, &masses(priors[read], |_| 1.0)) < CHANCE);
        }
    }
}

#[test]
fn a_tolerance_that_all_keep_leaves_the_prior() {
    let level = (Distance::Auc { totals: Two.totals() }, Target::Tolerance(1.0));
    let approach = Approach::Schedule { first: 1.0, stages: 2, accepted: 20, attempts: 10_000 };
    let found = chains(&MIXED, level, approach);
    for (parameter, &prior) in MIXED.iter().enumerate() {
        let tail = tail(&found, parameter, &masses(prior, |_| 1.0));
        assert!(tail > CHANCE, "parameter {parameter}: {tail}");
    }
}

/// Of the thesis: Student priors, steps of all parameters, a tolerance that bites. Under it the two
/// that are read depend on each other: the prior of each times the share of the other's prior that
/// keeps the tolerance beside it.
#[test]
fn steps_of_all_parameters_within_a_tolerance_have_its_density() {
    let (distance, epsilon) = (Distance::Auc { totals: Two.totals() }, 0.6);
    let approach = Approach::Schedule { first: 0.9, stages: 3, accepted: 20, attempts: 10_000 };
    let level = (distance, Target::Tolerance(epsilon));
    let found = moved(&[STUDENT; COUNT], level, Proposal::All(1.0), approach);
    // How probable it is by the prior that so many places lie below a parameter.
    let shares: Vec<f64> = (0..=PLACES.len())
        .map(|called| {
            let low = if called == 0 { 0.0 } else { below(STUDENT, PLACES[called - 1]) };
            PLACES.get(called).map_or(1.0, |place| below(STUDENT, *place)) - low
        })
        .collect();
    let inside = |called: [f64; 2]| {
        let wrong = Wrong { missed: 4.0 - called[0], alarms: called[1] };
        f64::from(u8::from(distance.of(wrong) <= epsilon))
    };
    let beside = |of: fn(f64, f64) -> [f64; 2], own: f64| -> f64 {
        shares.iter().enumerate().map(|(other, share)| share * inside(of(own, other as f64))).sum()
    };
    for parameter in 0..COUNT {
        let expected = match parameter {
            1 => masses(STUDENT, |called| beside(|own, other| [own, other], called)),
            4 => masses(STUDENT, |called| beside(|own, other| [other, own], called)),
            _ => masses(STUDENT, |_| 1.0),
        };
        assert_eq!(READ.contains(&parameter), expected.contains(&0.0));
        let tail = tail(&found, parameter, &expected);
        assert!(tail > CHANCE, "parameter {parameter}: {tail}");
    }
}

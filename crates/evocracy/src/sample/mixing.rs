//! How well the chains of a sampler have mixed, in figures.

use super::chains::Chain;
use crate::classify::MixingFigures;
use crate::measure::{autocorrelation, effective_size, split_r_hat};
use serde::{Deserialize, Serialize};

/// How well chains have mixed: figures of the worst level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Mixing {
    /// How many levels were sampled, and how many chains each.
    pub levels: usize,
    /// How many chains each level has.
    pub chains: usize,
    /// The share of proposals that were accepted.
    pub acceptance: f64,
    /// The least effective sample size of a level; `None` where chains are too short to tell.
    pub effective: Option<f64>,
    /// How many chains did not move: all of their several samples are one.
    #[serde(default)]
    pub stuck: usize,
    /// The greatest split R-hat of a level; `None` where chains are too short to tell.
    pub r_hat: Option<f64>,
    /// The least distance seen.
    pub least: f64,
    /// What was chosen by cross-validation, in words and figures.
    #[serde(default)]
    pub chosen: Vec<(String, f64)>,
    /// The greatest autocorrelation of successive samples of a chain; `None` where chains are too
    /// short to tell.
    #[serde(default)]
    pub autocorrelation: Option<f64>,
}

impl Mixing {
    /// The figures of some chains, level after level.
    pub(super) fn of(chains: &[Chain], each: usize) -> Self {
        let (mut effective, mut r_hat, mut lag) = (None, None, None);
        for level in chains.chunks(each) {
            let distinct = level.iter().map(distinct).sum::<usize>() as f64;
            for trace in traces(level) {
                let trace: Vec<&[f64]> = trace.iter().map(Vec::as_slice).collect();
                // Samples that are the same are one, wherever they stand in the chain.
                let found = effective_size(&trace).map(|size| size.min(distinct));
                effective = pick(effective, found, f64::min);
                // An infinite R-hat has no place in a file.
                let long = trace.iter().all(|chain| chain.len() >= MixingFigures::LEAST);
                let found = split_r_hat(&trace).filter(|_| long).map(|found| found.min(1e9));
                r_hat = pick(r_hat, found, f64::max);
                let own = trace.iter().filter(|_| long).map(|chain| autocorrelation(chain, 1));
                lag = pick(lag, own.reduce(f64::max), f64::max);
            }
        }
        let still = |chain: &&Chain| chain.counts.len() == 1 && chain.counts[0] > 1;
        let sum = |of: fn(&Chain) -> u64| chains.iter().map(of).sum::<u64>() as f64;
        Self {
            levels: chains.len() / each.max(1),
            chains: each,
            acceptance: sum(|chain| chain.accepted) / sum(|chain| chain.proposed).max(1.0),
            effective,
            stuck: chains.iter().filter(still).count(),
            r_hat,
            least: chains.iter().map(|chain| chain.least).fold(f64::INFINITY, f64::min),
            chosen: Vec::new(),
            autocorrelation: lag,
        }
    }

    /// The same as a diagnostic.
    pub(super) fn figures(&self) -> MixingFigures {
        let Self { levels, chains, acceptance, effective, stuck, r_hat, autocorrelation, .. } =
            *self;
        MixingFigures { levels, chains, acceptance, effective, r_hat, stuck, autocorrelation }
    }
}

/// How many of a chain's samples differ.
fn distinct(chain: &Chain) -> usize {
    let each = chain.values.len() / chain.counts.len().max(1);
    let mut samples: Vec<&[f64]> = chain.values.chunks_exact(each.max(1)).collect();
    samples.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    samples.dedup();
    samples.len()
}

/// What is followed of the chains of a level: distances and false alarms; where neither varies, as on
/// rows that every sample calls rightly, the squared length of the parameters.
fn traces(level: &[Chain]) -> Vec<Vec<Vec<f64>>> {
    let of = |trace: fn(&Chain) -> Vec<f64>| level.iter().map(trace).collect::<Vec<_>>();
    let calls = [of(|chain| chain.distances.clone()), of(|chain| chain.alarms.clone())];
    let first = |trace: &Vec<Vec<f64>>| trace.iter().flatten().next().copied();
    let varies = |trace: &Vec<Vec<f64>>| trace.iter().flatten().any(|x| Some(*x) != first(trace));
    if calls.iter().any(varies) {
        return calls.into_iter().filter(varies).collect();
    }
    vec![of(|chain| {
        let each = chain.values.len() / chain.counts.len().max(1);
        let samples = chain.values.chunks_exact(each.max(1)).zip(&chain.counts);
        let length = |sample: &[f64]| sample.iter().map(|x| x * x).sum::<f64>();
        samples.flat_map(|(sample, &count)| vec![length(sample); count as usize]).collect()
    })]
}

/// The one of two figures that `worse` says, if there are two.
fn pick(a: Option<f64>, b: Option<f64>, worse: fn(f64, f64) -> f64) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(worse(a, b)),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(samples: impl Iterator<Item = (f64, f64)>) -> Chain {
        let mut chain = Chain::begin(1);
        samples.for_each(|(at, distance)| chain.push(&[at], distance, distance));
        chain
    }

    #[test]
    fn a_chain_that_does_not_move_is_worth_one_sample_and_told() {
        let still = chain((0..50).map(|_| (2.0, 1.0)));
        let found = Mixing::of(std::slice::from_ref(&still), 1);
        assert_eq!((found.effective, found.stuck), (Some(1.0), 1));
        let moving = |from: u32| {
            chain((0..50).map(move |at| {
                let x = f64::from((at + from) * 7919 % 101);
                (x, x)
            }))
        };
        let found = Mixing::of(&[moving(0), moving(3)], 2);
        assert!(found.effective.expect("long enough") > 20.0 && found.stuck == 0, "{found:?}");
        // An order that hardly repeats itself: each sample says little of the next.
        assert!(found.autocorrelation.expect("long enough") < 0.3, "{found:?}");
        let slow = chain((0..50).map(|at| (f64::from(at / 10), f64::from(at / 10))));
        let found_slow = Mixing::of(&[moving(0), slow], 2);
        assert!(found_slow.autocorrelation.expect("long enough") > 0.8, "{found_slow:?}");
        let found = Mixing::of(&[moving(0), still], 2);
        assert_eq!(found.stuck, 1);
        // Too short to tell.
        let short = Mixing::of(&[chain((0..19).map(|at| (f64::from(at), f64::from(at))))], 1);
        assert_eq!((short.r_hat, short.autocorrelation), (None, None));
        // Rows that all samples call rightly say nothing; the parameters do.
        let right = chain((0..50_u32).map(|at| (f64::from(at * 7919 % 101), 0.0)));
        assert!(Mixing::of(&[right], 1).effective.expect("long enough") > 10.0);
    }

    #[test]
    fn copies_of_one_sample_are_one_wherever_they_stand() {
        let copies = chain((0..60_u32).map(|at| (f64::from(at % 3), f64::from(at % 3))));
        assert_eq!(Mixing::of(&[copies], 1).effective, Some(3.0));
    }
}

//! The rounds of AdaBoost, for any expert that learns from weighted rows.
//!
//! Y. Freund, R. E. Schapire, "A decision-theoretic generalization of on-line learning and an
//! application to boosting", JCSS 55 (1997) 119-139: a member with error `e` has
//! `beta = e / (1 - e)`, the weights of the rows it calls rightly are multiplied by `beta`, and
//! its vote is `log 1 / beta`. J. Zhu, H. Zou, S. Rosset, T. Hastie, "Multi-class AdaBoost",
//! Statistics and Its Interface 2 (2009) 349-360, equation (c) of algorithm 2: among `K` classes
//! chance is right once in `K`, and the vote is `log 1 / beta + log (K - 1)`. Both are the same
//! for two classes.
//!
//! Invariants: the weights keep their sum, and with [`Form::M1`] (or two classes) the weighted
//! training error is at most the product of `2 sqrt(e (1 - e))` over the rounds, which is itself
//! at most `exp(-2 sum (1/2 - e)^2)`.

use super::Form;
use crate::classify::{Ended, Round, Weighting};
use crate::error::{Error, Result};
use crate::num::argmax;
use crate::run::{Run, Seed, StopReason};
use rand::RngExt;

/// How often a sample of a single class is drawn anew.
const TRIES: u64 = 100;

/// A member without error would have an infinite vote: errors below this count as this.
pub(super) const LEAST_ERROR: f64 = 1e-10;

/// A learner whose models need to be only a little better than chance.
pub(super) trait WeakLearner {
    /// What a fit yields.
    type Expert;

    /// Learns from rows with these weights (0 leaves a row out) and writes the class that it
    /// calls every row.
    fn learn(&mut self, weights: &[f64], called: &mut [u32], seed: Seed) -> Result<Self::Expert>;
}

/// Members, their votes and their history.
#[derive(Debug)]
pub(super) struct Boosted<M> {
    pub(super) members: Vec<M>,
    pub(super) votes: Vec<f64>,
    pub(super) rounds: Vec<Round>,
    /// The margin of every training row.
    pub(super) margins: Vec<f64>,
    pub(super) ended: Ended,
}

impl<M> Boosted<M> {
    pub(super) fn stop(&self) -> StopReason {
        match self.ended {
            Ended::Stopped => StopReason::Interrupted,
            _ => StopReason::Finished,
        }
    }
}

/// How to boost.
#[derive(Debug, Clone, Copy)]
pub(super) struct Boost {
    pub(super) rounds: usize,
    pub(super) by: Weighting,
    pub(super) form: Form,
    pub(super) classes: usize,
}

impl Boost {
    /// Boosts `weak` on rows with these classes and weights.
    ///
    /// Where not even the first member is better than chance it is kept as the only one.
    pub(super) fn run<W: WeakLearner>(
        self,
        weak: &mut W,
        truth: &[u32],
        given: &[f64],
        run: &Run<'_>,
    ) -> Result<Boosted<W::Expert>> {
        let (mut weights, mut called) = (given.to_vec(), vec![0; truth.len()]);
        let mut totals = VoteTotals::new(truth, given, self.classes);
        let mut boosted = Boosted {
            members: Vec::new(),
            votes: Vec::new(),
            rounds: Vec::new(),
            margins: Vec::new(),
            ended: Ended::Rounds,
        };
        for round in 0..self.rounds {
            let seed = run.seed.child("round", round as u64);
            let member = match self.learn(weak, truth, &weights, &mut called, seed, run)? {
                Some(member) => member,
                None if round == 0 => return Err(Error::Stopped),
                None => {
                    boosted.ended = Ended::Stopped;
                    break;
                }
            };
            let error = error(truth, &called, &weights);
            let useless = error >= self.chance();
            if useless {
                boosted.ended = Ended::Chance;
                if round > 0 {
                    break;
                }
            }
            let vote = if useless { 1.0 } else { self.vote(error) };
            totals.bound *= 2.0 * (error * (1.0 - error)).sqrt();
            let bound = (self.is_bounded() && !useless).then_some(totals.bound);
            let sums = totals.add(&called, vote);
            boosted.members.push(member);
            boosted.votes.push(vote);
            boosted.rounds.push(sums.round(error, vote, bound));
            run.watch.advance(1);
            if useless {
                break;
            }
            if error <= LEAST_ERROR {
                boosted.ended = Ended::Perfect;
                break;
            }
            reweigh(&mut weights, truth, &called, (-vote).exp(), error);
        }
        boosted.margins = totals.margins();
        Ok(boosted)
    }

    /// One member; `None` where the run was stopped first.
    fn learn<W: WeakLearner>(
        self,
        weak: &mut W,
        truth: &[u32],
        weights: &[f64],
        called: &mut [u32],
        seed: Seed,
        run: &Run<'_>,
    ) -> Result<Option<W::Expert>> {
        if run.stop.requested() {
            return Ok(None);
        }
        let seed_of_member = seed.child("member", 0);
        let learnt = match self.by {
            Weighting::Reweighting => weak.learn(weights, called, seed_of_member),
            Weighting::Resampling => {
                let drawn = resample_classes(weights, truth, seed.child("sample", 0));
                weak.learn(&drawn, called, seed_of_member)
            }
        };
        match learnt {
            Err(Error::Stopped) => Ok(None),
            learnt => Ok(Some(learnt?)),
        }
    }

    /// The error from which on a member is no better than chance.
    fn chance(self) -> f64 {
        match self.form {
            Form::Samme => 1.0 - 1.0 / self.classes as f64,
            Form::M1 => 0.5,
        }
    }

    fn is_bounded(self) -> bool {
        self.classes == 2 || self.form == Form::M1
    }

    fn vote(self, error: f64) -> f64 {
        let error = error.max(LEAST_ERROR);
        let more = match self.form {
            Form::Samme => (self.classes as f64 - 1.0).ln(),
            Form::M1 => 0.0,
        };
        // log 1 / beta
        ((1.0 - error) / error).ln() + more
    }
}

/// The weighted share of the rows that are called wrongly.
fn error(truth: &[u32], called: &[u32], weights: &[f64]) -> f64 {
    let rows = truth.iter().zip(called).zip(weights);
    let (mut wrong, mut all) = (0.0, 0.0);
    for ((truth, called), weight) in rows {
        wrong += weight * f64::from(u8::from(truth != called));
        all += weight;
    }
    wrong / all
}

/// Multiplies the weights of the rows that were called rightly by `beta`, and all so that they
/// sum to what they did; `error` is the share of the weight that was called wrongly.
fn reweigh(weights: &mut [f64], truth: &[u32], called: &[u32], beta: f64, error: f64) {
    let scale = 1.0 / (error + (1.0 - error) * beta);
    for ((weight, truth), called) in weights.iter_mut().zip(truth).zip(called) {
        let factor = if truth == called { beta * scale } else { scale };
        // A weight may become tiny, but not 0: rows of weight 0 are left out.
        *weight = if *weight > 0.0 { (*weight * factor).max(1e-100) } else { 0.0 };
    }
}

/// As [`resample`], with more than one class: nothing can be learnt from a sample of a single one.
/// It is drawn anew, and after [`TRIES`] such samples the heaviest row of another class is added.
fn resample_classes(weights: &[f64], truth: &[u32], seed: Seed) -> Vec<f64> {
    let only = |drawn: &[f64]| {
        let mut shown = drawn.iter().zip(truth).filter(|(times, _)| **times > 0.0);
        let first = shown.next().map(|(_, class)| *class);
        first.filter(|first| shown.all(|(_, class)| class == first))
    };
    let mut drawn = resample(weights, seed);
    for again in 0..TRIES {
        if only(&drawn).is_none() {
            return drawn;
        }
        drawn = resample(weights, seed.child("again", again));
    }
    if let Some(class) = only(&drawn) {
        let others = (0..truth.len()).filter(|&row| truth[row] != class && weights[row] > 0.0);
        if let Some(row) = others.max_by(|&a, &b| weights[a].total_cmp(&weights[b])) {
            drawn[row] = 1.0;
        }
    }
    drawn
}

/// How often each row is drawn when as many as have weight are drawn in proportion to it.
pub(super) fn resample(weights: &[f64], seed: Seed) -> Vec<f64> {
    let mut rng = seed.rng();
    let mut up_to = 0.0;
    let ends: Vec<f64> = weights
        .iter()
        .map(|weight| {
            up_to += weight;
            up_to
        })
        .collect();
    let mut drawn = vec![0.0; weights.len()];
    for _ in 0..weights.iter().filter(|weight| **weight > 0.0).count() {
        let place = rng.random::<f64>() * up_to;
        // The first row whose end lies beyond the place has weight: its end exceeds the one before.
        let row = ends.partition_point(|&end| end <= place).min(weights.len() - 1);
        drawn[row] += 1.0;
    }
    drawn
}

/// The votes so far.
struct VoteTotals<'a> {
    truth: &'a [u32],
    given: &'a [f64],
    classes: usize,
    /// The votes for each class, row after row.
    votes: Vec<f64>,
    all: f64,
    /// The product of `2 sqrt(e (1 - e))` so far.
    bound: f64,
}

impl<'a> VoteTotals<'a> {
    fn new(truth: &'a [u32], given: &'a [f64], classes: usize) -> Self {
        let votes = vec![0.0; truth.len() * classes];
        Self { truth, given, classes, votes, all: 0.0, bound: 1.0 }
    }

    /// Counts the votes of one more member and sums the margins.
    fn add(&mut self, called: &[u32], vote: f64) -> MarginSums {
        self.all += vote;
        let mut sums = MarginSums { all: self.all, least: f64::INFINITY, ..MarginSums::default() };
        let rows = called.iter().zip(self.truth).zip(self.given);
        if self.classes == 2 {
            // The same as below without branches, which processors would often predict wrongly.
            for (((&called, &truth), &weight), [a, b]) in rows.zip(self.votes.as_chunks_mut().0) {
                *a += vote * f64::from(1 - called);
                *b += vote * f64::from(called);
                let right = 1.0 - 2.0 * f64::from(truth);
                sums.row((*a - *b) * right, u32::from(*b > *a) != truth, weight);
            }
            return sums;
        }
        let votes = self.votes.chunks_exact_mut(self.classes);
        for (((&called, &truth), &weight), votes) in rows.zip(votes) {
            votes[called as usize] += vote;
            let wrong = argmax(votes) != truth as usize;
            sums.row(margin(votes, truth as usize), wrong, weight);
        }
        sums
    }

    fn margins(&self) -> Vec<f64> {
        let rows = self.votes.chunks_exact(self.classes).zip(self.truth);
        rows.map(|(votes, &truth)| margin(votes, truth as usize) / self.all).collect()
    }
}

/// Sums over the training rows.
#[derive(Debug, Clone, Copy, Default)]
struct MarginSums {
    /// The sum of the votes and of the weights.
    all: f64,
    weight: f64,
    /// The weight of the rows that are called wrongly.
    wrong: f64,
    least: f64,
    sum: f64,
}

impl MarginSums {
    #[inline]
    fn row(&mut self, margin: f64, wrong: bool, weight: f64) {
        self.weight += weight;
        self.wrong += weight * f64::from(u8::from(wrong));
        self.sum += weight * margin;
        let counts = weight > 0.0 && margin < self.least;
        self.least = if counts { margin } else { self.least };
    }

    fn round(self, error: f64, vote: f64, bound: Option<f64>) -> Round {
        Round {
            error,
            vote,
            bound,
            training_error: self.wrong / self.weight,
            least_margin: self.least / self.all,
            mean_margin: self.sum / (self.weight * self.all),
        }
    }
}

/// The votes for the true class less those for the best other one.
fn margin(votes: &[f64], truth: usize) -> f64 {
    let others = votes.iter().enumerate().filter(|(class, _)| *class != truth);
    votes[truth] - others.map(|(_, &vote)| vote).fold(f64::NEG_INFINITY, f64::max)
}

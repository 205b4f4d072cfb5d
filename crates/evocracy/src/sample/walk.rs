//! One chain: proposals, and what is accepted.
//!
//! Two targets. Under a tolerance the chain draws from the prior where the distance is at most
//! epsilon: Algorithms 6 and 7 of the thesis, acceptance by the ratio of the priors (5.3), since
//! proposals are symmetric. Under a weight the density is the prior times `exp(-lambda distance)`
//! (a Gibbs posterior).
//!
//! Both are one test: the number that decides on acceptance is drawn first, so that it is known how
//! large the distance may be before a row is looked at. A proposal that its prior rejects costs no
//! evaluation, and one that is too far is given up at the first rows that show it. The chain is that
//! of the usual order, draw by draw.

use super::hard::{Hard, Trial, Wrong};
use super::prior::{Prior, Priors, normal};
use crate::error::{Error, Result};
use crate::evolve::{Rng, below, unit};

/// How far the calls of a classifier are from the truth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Distance {
    /// The AUC error `1 - T (1 - F)` (5.9): what the rectangle below and to the right of the one
    /// operating point leaves.
    Auc {
        /// The weight of the positive and of the negative rows.
        totals: [f64; 2],
    },
    /// The cost of the rows called wrongly: `c` for a negative one, `1 - c` for a positive one. The
    /// least is reached by calling those positive whose probability is above `c`.
    Cost {
        /// The cost of a false alarm.
        c: f64,
    },
}

impl Distance {
    /// The distance of what is wrong.
    pub fn of(&self, wrong: Wrong) -> f64 {
        match *self {
            Self::Auc { totals: [positive, negative] } => {
                1.0 - (1.0 - wrong.missed / positive) * (1.0 - wrong.alarms / negative)
            }
            Self::Cost { c } => (1.0 - c) * wrong.missed + c * wrong.alarms,
        }
    }
}

/// What a chain draws from, beside the prior.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Target {
    /// Parameters whose distance is at most this.
    Tolerance(f64),
    /// All, weighted by `exp(-lambda distance)`.
    Weight(f64),
}

/// How parameters are moved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Proposal {
    /// All of them, by Gaussian steps of this standard deviation (thesis, 5.4.3).
    All(f64),
    /// Some of them, by steps whose size is that of the prior times a power of 1/2 from 0 to 6, drawn
    /// anew each time. Half of the proposals move one to three parameters by Gaussian steps. The others
    /// move a run of neighbours, whose length is a power of 2, autoregressively where the prior is
    /// Gaussian: `m + sqrt(1 - b^2) (x - m) + b (draw - m)` keeps the prior, so that the distance alone
    /// decides, however many move (S. L. Cotter, G. O. Roberts, A. M. Stuart, D. White, Statistical
    /// Science 28 (2013) 424-446).
    Few,
}

/// A chain: where it is, and how it goes on.
pub struct Walk<'a> {
    trial: Box<dyn Trial + 'a>,
    priors: &'a Priors,
    distance: Distance,
    proposal: Proposal,
    at: Vec<f64>,
    next: Vec<f64>,
    moved: Vec<u32>,
    wrong: Wrong,
    now: f64,
    least: f64,
}

impl<'a> Walk<'a> {
    /// A chain that begins with given parameters.
    pub fn new(
        hard: &'a dyn Hard,
        priors: &'a Priors,
        with: (Distance, Proposal),
        start: Vec<f64>,
    ) -> Result<Self> {
        priors.fit(hard)?;
        if start.len() != priors.len() {
            return Err(Error::unsuitable(
                format!("a chain of {} parameters cannot begin with {}", priors.len(), start.len()),
                "begin with a number for each parameter",
            ));
        }
        Self::on(hard.start()?, priors, with, start)
    }

    /// A chain that begins with given parameters, a number for each prior, on a state of a classifier
    /// of as many.
    pub(super) fn on(
        mut trial: Box<dyn Trial + 'a>,
        priors: &'a Priors,
        (distance, proposal): (Distance, Proposal),
        start: Vec<f64>,
    ) -> Result<Self> {
        let wrong = trial.call(&start, None, &|_| true)?.unwrap_or_default();
        trial.keep();
        let (next, now) = (start.clone(), distance.of(wrong));
        let moved = Vec::with_capacity(MOST);
        let least = now;
        Ok(Self { trial, priors, distance, proposal, at: start, next, moved, wrong, now, least })
    }

    /// The state of the classifier, for another chain.
    pub(super) fn into_trial(self) -> Box<dyn Trial + 'a> {
        self.trial
    }

    /// The parameters it is at.
    pub fn at(&self) -> &[f64] {
        &self.at
    }

    /// What they call wrongly.
    pub fn wrong(&self) -> Wrong {
        self.wrong
    }

    /// Their distance.
    pub fn now(&self) -> f64 {
        self.now
    }

    /// The least distance seen.
    pub fn least(&self) -> f64 {
        self.least
    }

    /// Goes to other parameters, whatever their distance.
    pub fn jump(&mut self, to: &[f64]) -> Result<()> {
        self.at.copy_from_slice(to);
        self.next.copy_from_slice(to);
        let wrong = self.trial.call(to, None, &|_| true)?.unwrap_or_default();
        self.trial.keep();
        self.note(wrong);
        Ok(())
    }

    /// One proposal; whether it was accepted.
    pub fn step(&mut self, target: Target, rng: &mut Rng) -> Result<bool> {
        let ratio = self.propose(rng);
        let moved = match self.proposal {
            Proposal::All(_) => None,
            Proposal::Few => Some(&self.moved[..]),
        };
        let spare = ratio - unit(rng).ln();
        let most = match target {
            Target::Tolerance(_) if spare < 0.0 => f64::NEG_INFINITY,
            Target::Tolerance(epsilon) => epsilon,
            Target::Weight(lambda) => self.now + spare / lambda,
        };
        // No distance is negative: the prior alone has decided.
        let found = if most < 0.0 {
            None
        } else {
            let distance = self.distance;
            self.trial.call(&self.next, moved, &|wrong| distance.of(wrong) <= most)?
        };
        let Some(wrong) = found else {
            self.take_back();
            return Ok(false);
        };
        self.trial.keep();
        self.take_over();
        self.note(wrong);
        Ok(true)
    }

    fn note(&mut self, wrong: Wrong) {
        self.wrong = wrong;
        self.now = self.distance.of(wrong);
        self.least = self.least.min(self.now);
    }

    /// Proposes parameters; the log of how much more probable the prior makes them and the way back.
    fn propose(&mut self, rng: &mut Rng) -> f64 {
        match self.proposal {
            Proposal::All(sd) => {
                for (next, at) in self.next.iter_mut().zip(&self.at) {
                    *next = at + sd * normal(rng);
                }
                self.priors.log_ratio(&self.at, &self.next, None)
            }
            Proposal::Few if unit(rng) < RUNS => self.propose_run(rng),
            Proposal::Few => {
                self.moved.clear();
                for _ in 0..=below(MOST, rng) {
                    let parameter = below(self.at.len(), rng);
                    // Chosen twice it is moved once.
                    if self.moved.contains(&(parameter as u32)) {
                        continue;
                    }
                    let scale = self.priors.of(parameter).scale();
                    self.next[parameter] = self.at[parameter] + scale * part(rng) * normal(rng);
                    self.moved.push(parameter as u32);
                }
                self.priors.log_ratio(&self.at, &self.next, Some(&self.moved))
            }
        }
    }

    fn propose_run(&mut self, rng: &mut Rng) -> f64 {
        let count = self.at.len();
        let length = 1 << below(count.ilog2() as usize + 1, rng);
        let (from, part) = (below(count, rng), part(rng));
        let back = (1.0 - part * part).sqrt();
        let mut ratio = 0.0;
        self.moved.clear();
        // Behind the last parameter comes the first: all are moved equally often.
        for parameter in (from..from + length).map(|at| at % count) {
            let at = self.at[parameter];
            let prior = self.priors.of(parameter);
            let next = if let Prior::Normal { mean, sd } = prior {
                mean + back * (at - mean) + part * sd * normal(rng)
            } else {
                let next = at + part * prior.scale() * normal(rng);
                ratio += prior.log_ratio(at, next);
                next
            };
            self.next[parameter] = next;
            self.moved.push(parameter as u32);
        }
        ratio
    }

    fn take_back(&mut self) {
        if self.proposal == Proposal::Few {
            for &at in &self.moved {
                self.next[at as usize] = self.at[at as usize];
            }
        }
    }

    fn take_over(&mut self) {
        match self.proposal {
            Proposal::All(_) => std::mem::swap(&mut self.at, &mut self.next),
            Proposal::Few => {
                for &at in &self.moved {
                    self.at[at as usize] = self.next[at as usize];
                }
            }
        }
    }
}

/// The most parameters that move together.
const MOST: usize = 3;

/// How many scales steps have.
const SCALES: usize = 7;

/// The share of proposals that move runs of parameters.
const RUNS: f64 = 0.5;

/// The size of a step as a share of that of the prior.
fn part(rng: &mut Rng) -> f64 {
    f64::from(1_u32 << below(SCALES, rng)).recip()
}

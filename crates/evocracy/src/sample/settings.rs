//! How classifiers are sampled: the options that all kinds of classifiers share.

use crate::error::{Error, Result};

crate::choices! {
    /// How parameters are sampled.
    pub enum Sampler {
        /// a chain for each cost of a false alarm: together they estimate the probability
        Costs = "costs",
        /// chains within a tolerance of the AUC error, proper priors, small steps
        Epsilon = "epsilon",
        /// a population whose tolerance falls step by step
        Smc = "smc",
        /// draws from the prior that are within the tolerance
        Rejection = "rejection",
        /// one chain as the thesis has it: Student priors, flat biases, all parameters move
        Printed = "printed",
    }
}

/// How to sample.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampling {
    /// How parameters are sampled.
    pub sampler: Sampler,
    /// How many samples are kept of all chains together.
    pub samples: usize,
    /// How many chains run side by side (of `costs`: for each cost).
    pub chains: usize,
    /// How many proposals are made for each kept sample; 0: by the size of the table.
    pub steps: usize,
    /// The greatest AUC error (not of `costs`).
    pub epsilon: f64,
    /// What a row called wrongly weighs (`costs`); 0: by cross-validation.
    pub lambda: f64,
    /// The standard deviation of the prior of what a unit of a network adds up, and of its bias; 0: by
    /// cross-validation (`costs`), or 8.
    pub width: f64,
    /// How many costs there are chains for (`costs`).
    pub levels: usize,
    /// How many folds the cross-validation has.
    pub folds: usize,
}

impl Default for Sampling {
    fn default() -> Self {
        Self {
            sampler: Sampler::Costs,
            samples: 1900,
            chains: 4,
            steps: 0,
            epsilon: 0.3,
            lambda: 0.0,
            width: 0.0,
            levels: 19,
            folds: 5,
        }
    }
}

impl Sampling {
    /// The least and the most proposals for a kept sample that follow from the size of a table.
    const STEPS: [f64; 2] = [50.0, 1000.0];

    /// Rows times units that are computed for a kept sample where nothing else is asked for.
    const WORK: f64 = 4_000_000.0;

    /// How many proposals are made for each kept sample, where one costs so much.
    pub(super) fn thin(&self, cost: usize) -> u64 {
        match self.steps {
            0 => (Self::WORK / cost.max(1) as f64).clamp(Self::STEPS[0], Self::STEPS[1]) as u64,
            steps => steps as u64,
        }
    }

    /// How many chains there are: of `costs` for each cost.
    pub(super) fn count(&self) -> usize {
        match self.sampler {
            Sampler::Costs => self.levels * self.chains,
            Sampler::Epsilon => self.chains,
            Sampler::Smc | Sampler::Rejection | Sampler::Printed => 1,
        }
    }

    /// How many samples are kept of each chain, as many of every one.
    pub(super) fn each(&self) -> usize {
        self.samples.div_ceil(self.count().max(1)).max(1)
    }

    /// How many samples are kept of all chains together: those asked for, rounded up.
    pub(super) fn kept(&self) -> usize {
        self.each() * self.count()
    }

    /// An error where there are fewer samples than chains: each gives one at least.
    pub(super) fn check(&self) -> Result<()> {
        let count = self.count();
        if self.samples >= count {
            return Ok(());
        }
        let chains = match self.sampler {
            Sampler::Costs => {
                format!("{count} chains ({} costs with {} each)", self.levels, self.chains)
            }
            _ => format!("{count} chains"),
        };
        Err(Error::unsuitable(
            format!(
                "{} samples are fewer than the {chains}, which give one at least",
                self.samples
            ),
            format!("ask for {count} or more samples, or for fewer chains"),
        ))
    }

    /// The costs that `costs` has chains for, evenly between 0 and 1.
    pub(super) fn costs(&self) -> impl Iterator<Item = f64> {
        let levels = self.levels;
        (1..=levels).map(move |level| level as f64 / (levels + 1) as f64)
    }

    /// What the answer is where no chain says yes, and what all of them add together. The costs
    /// below the first and above the last are half of the way to 0 and to 1: no probability is
    /// certain.
    pub(super) fn ends(&self) -> (f64, f64) {
        if self.sampler != Sampler::Costs {
            return (0.0, 1.0);
        }
        let base = 0.25 / (self.levels + 1) as f64;
        (base, 1.0 - 2.0 * base)
    }
}

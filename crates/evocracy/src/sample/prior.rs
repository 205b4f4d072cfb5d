//! Priors of parameters: a density for each, all independent.

use super::hard::Hard;
use crate::error::{Error, Result};
use crate::evolve::{Rng, unit};
use rand_distr::{Distribution, StandardNormal, StudentT};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The prior of one parameter.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prior {
    /// A Gaussian.
    Normal {
        /// Its mean.
        mean: f64,
        /// Its standard deviation.
        sd: f64,
    },
    /// Student's t about 0, density in proportion to `(1 + alpha x^2 / nu)^(-(nu + 1) / 2)` (thesis,
    /// 5.4.2).
    Student {
        /// The degrees of freedom.
        nu: f64,
        /// The precision.
        alpha: f64,
    },
    /// The same density everywhere between two bounds.
    Uniform {
        /// The lower bound.
        low: f64,
        /// The upper bound.
        high: f64,
    },
    /// The same density everywhere: improper, and a chain may drift away for ever. It starts
    /// between -1 and 1. As the thesis has it for biases.
    Flat,
}

impl Prior {
    /// The farthest from 0 that means and bounds may be, and scales from 1.
    const FAR: f64 = 1e30;

    /// The least degrees of freedom: with half of them, one draw in 10^25 is beyond what a
    /// model may hold, with a hundredth every third.
    const FREEDOM: f64 = 0.5;

    /// Whether its figures make a density whose draws a model can hold.
    pub fn check(&self) -> Result<()> {
        let near = |x: f64| x.abs() <= Self::FAR;
        let scale = |x: f64| (Self::FAR.recip()..=Self::FAR).contains(&x);
        let sound = match *self {
            Self::Normal { mean, sd } => near(mean) && scale(sd),
            Self::Student { nu, alpha } => nu >= Self::FREEDOM && near(nu) && scale(alpha),
            Self::Uniform { low, high } => scale(high - low) && near(low) && near(high),
            Self::Flat => true,
        };
        if sound {
            return Ok(());
        }
        Err(Error::unsuitable(
            format!("{self:?} is no prior to draw from"),
            "give means and bounds within 1e30 of 0, scales from 1e-30 to 1e30, degrees of freedom of at least 0.5 and an upper bound above the lower one",
        ))
    }

    /// How far it reaches, in the unit of its parameter: what steps are measured by.
    pub fn scale(&self) -> f64 {
        match *self {
            Self::Normal { sd, .. } => sd,
            Self::Student { alpha, .. } => alpha.sqrt().recip(),
            Self::Uniform { low, high } => (high - low) / 12.0_f64.sqrt(),
            Self::Flat => 1.0,
        }
    }

    /// A draw.
    pub fn draw(&self, rng: &mut Rng) -> f64 {
        match *self {
            Self::Normal { mean, sd } => mean + sd * normal(rng),
            // Degrees of freedom were checked; a refusal would be a draw of 0.
            Self::Student { nu, alpha } => {
                StudentT::new(nu).map_or(0.0, |t| t.sample(rng) / alpha.sqrt())
            }
            Self::Uniform { low, high } => low + (high - low) * unit(rng),
            Self::Flat => 2.0 * unit(rng) - 1.0,
        }
    }

    /// The log of the density at `to` less that at `from`, of one parameter.
    pub(super) fn log_ratio(&self, from: f64, to: f64) -> f64 {
        match *self {
            Self::Normal { mean, sd } => {
                ((from - mean).powi(2) - (to - mean).powi(2)) / (2.0 * sd * sd)
            }
            Self::Student { nu, alpha } => {
                let tail = |x: f64| 1.0 + alpha * x * x / nu;
                f64::midpoint(nu, 1.0) * (tail(from) / tail(to)).ln()
            }
            Self::Uniform { low, high } => {
                if (low..=high).contains(&to) {
                    0.0
                } else {
                    f64::NEG_INFINITY
                }
            }
            Self::Flat => 0.0,
        }
    }

    /// The same of many parameters. Logarithms are slow: that of a quotient of two products is taken
    /// at once.
    fn log_ratios(&self, from: &[f64], to: &[f64]) -> f64 {
        const TOGETHER: usize = 64;
        const LANES: usize = 8;
        let singly = |from: &[f64], to: &[f64]| -> f64 {
            from.iter().zip(to).map(|(&from, &to)| self.log_ratio(from, to)).sum()
        };
        let Self::Student { nu, alpha } = *self else { return singly(from, to) };
        let factor = alpha / nu;
        let mut sum = 0.0;
        for (from, to) in from.chunks(TOGETHER).zip(to.chunks(TOGETHER)) {
            let (mut above, mut below) = ([1.0; LANES], [1.0; LANES]);
            let ((a, a_rest), (b, b_rest)) = (from.as_chunks::<LANES>(), to.as_chunks::<LANES>());
            for (a, b) in a.iter().zip(b) {
                for i in 0..LANES {
                    above[i] *= 1.0 + factor * a[i] * a[i];
                    below[i] *= 1.0 + factor * b[i] * b[i];
                }
            }
            let product = |lanes: [f64; LANES], rest: &[f64]| {
                let rest = rest.iter().map(|x| 1.0 + factor * x * x).product::<f64>();
                lanes.iter().product::<f64>() * rest
            };
            let ratio = (product(above, a_rest) / product(below, b_rest)).ln();
            // Far out the products overflow.
            let power = f64::midpoint(nu, 1.0);
            sum += if ratio.is_finite() { power * ratio } else { singly(from, to) };
        }
        sum
    }
}

/// A draw from the standard normal distribution.
#[inline]
pub(super) fn normal(rng: &mut Rng) -> f64 {
    StandardNormal.sample(rng)
}

/// The priors of all parameters, in runs of equal ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Priors {
    runs: Vec<(Range<usize>, Prior)>,
    /// The run of each parameter.
    run_of: Vec<u32>,
}

impl Priors {
    /// A prior for each parameter; an error where one is none.
    pub fn new(priors: impl IntoIterator<Item = Prior>) -> Result<Self> {
        let (mut runs, mut run_of): (Vec<(Range<usize>, Prior)>, Vec<u32>) = Default::default();
        for (at, prior) in priors.into_iter().enumerate() {
            prior.check()?;
            match runs.last_mut() {
                Some((run, same)) if *same == prior => run.end = at + 1,
                _ => runs.push((at..at + 1, prior)),
            }
            run_of.push(runs.len() as u32 - 1);
        }
        Ok(Self { runs, run_of })
    }

    /// How many parameters there are.
    pub fn len(&self) -> usize {
        self.run_of.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.run_of.is_empty()
    }

    /// An error where a classifier has another number of parameters, or none.
    pub(super) fn fit(&self, hard: &dyn Hard) -> Result<()> {
        let (priors, parameters) = (self.len(), hard.parameters());
        if priors == parameters && parameters > 0 {
            return Ok(());
        }
        Err(Error::unsuitable(
            format!("{priors} priors do not fit a classifier of {parameters} parameters"),
            "give a prior for every parameter, of which there is one at least",
        ))
    }

    /// The prior of a parameter.
    pub fn of(&self, parameter: usize) -> Prior {
        self.runs[self.run_of[parameter] as usize].1
    }

    /// A draw of all parameters.
    pub fn draw(&self, rng: &mut Rng) -> Vec<f64> {
        (0..self.len()).map(|parameter| self.of(parameter).draw(rng)).collect()
    }

    /// The log of the density at `to` less that at `from`, which differ in the `moved` parameters,
    /// or anywhere.
    pub(super) fn log_ratio(&self, from: &[f64], to: &[f64], moved: Option<&[u32]>) -> f64 {
        if let Some(moved) = moved {
            let one =
                |&at: &u32| self.of(at as usize).log_ratio(from[at as usize], to[at as usize]);
            return moved.iter().map(one).sum();
        }
        let each = self.runs.iter();
        each.map(|(run, prior)| prior.log_ratios(&from[run.clone()], &to[run.clone()])).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::rng;
    use crate::run::Seed;

    #[test]
    fn ratios_of_all_are_the_sum_of_those_of_each() {
        let kinds = [
            Prior::Normal { mean: 0.5, sd: 2.0 },
            Prior::Student { nu: 3.0, alpha: 0.05 },
            Prior::Uniform { low: -9.0, high: 9.0 },
            Prior::Flat,
        ];
        let priors = Priors::new((0..60).map(|at| kinds[at / 15])).unwrap();
        let mut rng = rng(Seed::new(1));
        let (from, to) = (priors.draw(&mut rng), priors.draw(&mut rng));
        let all: Vec<u32> = (0..60).collect();
        let (whole, sum) =
            (priors.log_ratio(&from, &to, None), priors.log_ratio(&from, &to, Some(&all)));
        assert!((whole - sum).abs() < 1e-9, "{whole} {sum}");
        assert!((whole + priors.log_ratio(&to, &from, None)).abs() < 1e-9);
        let student = Priors::new([Prior::Student { nu: 3.0, alpha: 0.05 }; 70]).unwrap();
        let far = student.log_ratio(&[1e90; 70], &[1e80; 70], None);
        assert!((far / (70.0 * 2.0 * 20.0 * 10.0_f64.ln()) - 1.0).abs() < 1e-6, "{far}");
    }

    #[test]
    fn draws_have_the_spread_of_their_prior_and_bad_figures_are_refused() {
        let mut rng = rng(Seed::new(2));
        for prior in [
            Prior::Normal { mean: 0.0, sd: 2.0 },
            Prior::Student { nu: 30.0, alpha: 0.25 },
            Prior::Uniform { low: -2.0, high: 4.0 },
        ] {
            let draws: Vec<f64> = (0..40_000).map(|_| prior.draw(&mut rng)).collect();
            let mean = draws.iter().sum::<f64>() / 40_000.0;
            let square = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 40_000.0;
            assert!((square.sqrt() / prior.scale() - 1.0).abs() < 0.05, "{prior:?} {square}");
        }
        assert!(Priors::new([Prior::Normal { mean: 0.0, sd: 0.0 }]).is_err());
        assert!(Priors::new([Prior::Uniform { low: 1.0, high: 1.0 }]).is_err());
        assert!(Priors::new([Prior::Student { nu: f64::NAN, alpha: 1.0 }]).is_err());
        // Draws of these overflow, or a chain could not take a step.
        for far in [
            Prior::Student { nu: 1e-3, alpha: 1.0 },
            Prior::Student { nu: 3.0, alpha: 1e-300 },
            Prior::Normal { mean: 0.0, sd: 1e300 },
            Prior::Normal { mean: 1e200, sd: 1.0 },
            Prior::Normal { mean: 0.0, sd: 1e-300 },
            Prior::Uniform { low: -1e308, high: 1e308 },
        ] {
            assert!(far.check().is_err(), "{far:?}");
        }
    }
}

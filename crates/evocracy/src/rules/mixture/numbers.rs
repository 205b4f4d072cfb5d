//! The mixture for numbers: every rule has a normal distribution, and the prediction is the mean of
//! the mixture of those that apply.

use super::family::Normal;
use super::learn::MixtureData;
use super::model::Mixtures;
use super::settings::mixture_params;
use crate::classify::{
    Diagnostics, Explanation, Fitted, Learner, Link, Predicts, Regressor, Rulebook, Saved,
};
use crate::data::{Input, Schema, Task, View};
use crate::error::{Error, Result};
use crate::param::{Params, refuse};
use crate::run::Run;
use serde::{Deserialize, Serialize};

mixture_params! {
    /// A mixture of rules that evolve, for numbers: if tests hold, then this mean and deviation.
    pub struct MoeRegression as "moe-regression" {} {
        /// how many rows with the share `spread` of the variance of all are added to what a rule has
        /// seen
        alpha: f64 = 3.0, 1e-6..=1e6;
        /// see alpha; 0 lets rows held back in turns choose it
        spread: f64 = 0.0, 0.0..=1.0;
    }
}

/// Shares of the variance to choose from: the smaller one suits functions that a few rules follow
/// closely.
const SPREADS: [f64; 2] = [0.25, 0.1];
/// With less, rounding could make the variance of a rule 0.
const LEAST_SPREAD: f64 = 1e-9;
/// Standardised numbers are clamped to this: the square of a larger one would take all digits of a
/// sum of squares.
const FARTHEST: f64 = 1e6;

/// The largest mean and standard deviation: their squares can be added.
const LARGEST: f64 = 1e150;

/// Rules with a mean and a standard deviation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MoeRegressionModel {
    mixtures: Mixtures,
}

impl Learner for MoeRegression {
    type Model = MoeRegressionModel;
    const PREDICTS: Predicts = Predicts::Number;
    const INPUT: Input = Input::Mixed;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<MoeRegressionModel>> {
        let numbers = task.numbers()?;
        let weights = task.weights();
        let Standardisation { center, scale } = Standardisation::new(&numbers, &weights)?;
        let number = |row: u32| numbers[row as usize];
        let mut data = MixtureData::new(
            task,
            &weights,
            self.cuts,
            run,
            |row| number(row).to_bits(),
            |first| {
                let value =
                    |&row: &u32| ((number(row) - center) / scale).clamp(-FARTHEST, FARTHEST);
                let values = first.iter().map(value).collect();
                Normal { values, alpha: self.alpha, spread: self.spread }
            },
        );
        if self.spread > 0.0 && self.spread < LEAST_SPREAD {
            let what = format!("0 or at least {LEAST_SPREAD:e}");
            return Err(refuse(Self::NAME, "spread", what, format!("{:e}", self.spread)));
        }
        let spreads = if self.spread == 0.0 { &SPREADS[..] } else { &[self.spread] };
        let set_spread = |family: &mut Normal, spread| family.spread = spread;
        let learnt = data.learn(spreads, set_spread, self.settings(), run)?;
        let stop = learnt.stop;
        let mut mixtures = Mixtures::new(learnt, &data.rows, &data.weights);
        for expert in mixtures.experts_mut() {
            expert.params =
                vec![center + scale * expert.params[0], scale * expert.params[1].sqrt()];
        }
        Ok(Fitted { model: MoeRegressionModel { mixtures }, stop })
    }
}

/// How numbers are standardised, so that the prior means the same in any unit of measurement.
struct Standardisation {
    center: f64,
    scale: f64,
}

impl Standardisation {
    /// By the winsorised mean and standard deviation: numbers beyond the 5 % and 95 % quantiles count
    /// as these, so that a few outliers do not decide the scale. Where all others are equal, by the
    /// plain ones.
    fn new(numbers: &[f64], weights: &[f64]) -> Result<Self> {
        let pairs = numbers.iter().copied().zip(weights.iter().copied());
        let mut pairs: Vec<(f64, f64)> = pairs.filter(|(_, weight)| *weight > 0.0).collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let total: f64 = pairs.iter().map(|(_, weight)| weight).sum();
        let mut unit = Self { center: 0.0, scale: 0.0 };
        for share in [0.05, 0.0] {
            let (low, high) = (
                quantile(share * total, pairs.iter()),
                quantile(share * total, pairs.iter().rev()),
            );
            let mean = |of: &dyn Fn(f64) -> f64| {
                pairs.iter().map(|(y, weight)| weight * of(y.clamp(low, high))).sum::<f64>() / total
            };
            let center = mean(&|y| y);
            unit = Self { center, scale: mean(&|y| (y - center).powi(2)).sqrt() };
            if unit.scale > 0.0 {
                break;
            }
        }
        if unit.scale.is_nan() || unit.scale.max(unit.center.abs()) * FARTHEST > LARGEST {
            let what = "the numbers to predict are too large to be squared";
            return Err(Error::unsuitable(what, "divide them by a power of ten"));
        }
        if unit.scale == 0.0 {
            unit.scale = 1.0;
        }
        Ok(unit)
    }
}

/// A weighted quantile: the first of the sorted numbers at which their weights sum to more than
/// `weight`.
fn quantile<'a>(weight: f64, mut pairs: impl Iterator<Item = &'a (f64, f64)>) -> f64 {
    let mut left = weight;
    let found = pairs.find(|(_, weight)| {
        left -= weight;
        left < 0.0
    });
    found.map_or(0.0, |(y, _)| *y)
}

impl Regressor for MoeRegressionModel {
    fn predict_into(
        &self,
        rows: View<'_>,
        mean: &mut [f64],
        mut variance: Option<&mut [f64]>,
    ) -> Result<()> {
        let cells = self.mixtures.cells(rows)?;
        if mean.len() != rows.rows() || variance.as_ref().is_some_and(|v| v.len() != rows.rows()) {
            return Err(Error::unsuitable("a prediction needs one place for each row", ""));
        }
        let mut applying = Vec::new();
        let mut parts: Vec<(f64, f64, f64)> = Vec::new();
        for (row, mean) in mean.iter_mut().enumerate() {
            parts.clear();
            self.mixtures.each(&cells, rows.row_id(row), &mut applying, |mixture, at, share| {
                parts.push((share, mixture[at].params[0], mixture[at].params[1]));
            });
            *mean = parts.iter().map(|(share, mean, _)| share * mean).sum();
            if let Some(variance) = &mut variance {
                let spread =
                    |(share, m, sd): &(f64, f64, f64)| share * (sd * sd + (m - *mean).powi(2));
                variance[row] = parts.iter().map(spread).sum();
            }
        }
        Ok(())
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        let (base, parts) = self.mixtures.explain(rows, row, |expert| &expert.params[..1])?;
        Ok(Explanation { base, parts, link: Link::Identity })
    }
}

/// Whether these can be the mean and the standard deviation of a rule.
fn sound(params: &[f64]) -> bool {
    params.len() == 2 && params.iter().all(|value| value.abs() <= LARGEST) && params[1] > 0.0
}

impl Saved for MoeRegressionModel {
    const VERSION: u32 = 1;

    fn check(&self, inputs: &Schema) -> Result<()> {
        self.mixtures.check(inputs, sound)
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        self.mixtures.size()
    }

    fn diagnostics(&self, inputs: &Schema) -> Diagnostics {
        self.mixtures.diagnostics(inputs)
    }

    fn rules(&self, _inputs: &Schema) -> Option<Rulebook> {
        Some(self.mixtures.rules())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forged_rules_whose_squares_overflow_are_refused() {
        assert!(sound(&[0.0, 1.0]) && sound(&[-LARGEST, LARGEST]));
        for params in [&[1e160, 1.0][..], &[0.0, 1e200], &[0.0, 0.0], &[f64::NAN, 1.0], &[0.0], &[]]
        {
            assert!(!sound(params), "{params:?}");
        }
    }

    #[test]
    fn numbers_whose_squares_overflow_are_refused() {
        let weights = [1.0; 4];
        assert!(Standardisation::new(&[1e140, -1e140, 0.0, 1.0], &weights).is_ok());
        for large in [1e148, 1e160, 1e300] {
            assert!(Standardisation::new(&[large; 4], &weights).is_err(), "{large:e}");
            assert!(Standardisation::new(&[large, 0.0, 0.0, 1.0], &weights).is_err(), "{large:e}");
        }
    }
}

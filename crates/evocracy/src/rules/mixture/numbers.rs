//! The mixture for numbers: every rule says a normal distribution. The prediction is the mean of
//! the mixture of those that apply.

use super::family::Normal;
use super::model::Mixtures;
use super::{Settings, sample};
use crate::classify::{
    Diagnostics, Explanation, Fitted, Learner, Link, Predicts, Regressor, Rulebook, Saved,
};
use crate::data::{Input, Schema, Task, View};
use crate::error::{Error, Result};
use crate::param::{Params, refuse};
use crate::run::Run;
use serde::{Deserialize, Serialize};

crate::params! {
    /// A mixture of rules that evolve, for numbers: if tests hold, then this mean and deviation.
    pub struct MoeRegression as "moe-regression" {
        /// the price of a rule, as a factor on the length of its description; 0 lets rows held back
        /// in turns choose it
        price: f64 = 0.0, 0.0..=1000.0;
        /// how many rows with the share `spread` of the variance of all are added to what a rule has
        /// seen
        alpha: f64 = 3.0, 1e-6..=1e6;
        /// see alpha; 0 lets rows held back in turns choose it
        spread: f64 = 0.0, 0.0..=1.0;
        /// how often a search takes some rules out and lets others grow; 0: as often as suits the
        /// size of the table
        epochs: usize = 0, 0..=1_000_000;
        /// a search ends after so many epochs in a row for each of its rules without a gain
        patience: usize = 15, 1..=1_000_000;
        /// growth ends when so many offspring in a row are not worth their price
        births: usize = 10, 1..=1_000_000;
        /// the most rules, beside the default
        rules: usize = 200, 1..=10_000;
        /// the most cuts of a number column
        cuts: usize = 63, 1..=10_000;
        /// how many searches to make from different seeds
        searches: usize = 1, 1..=1000;
        /// whether to average all searches; else the one with the best evidence is kept
        average: bool = false, ..;
    }
}

/// Shares of the variance to choose from: functions that a few rules follow closely, and others.
const SPREADS: [f64; 2] = [0.25, 0.1];
/// With less, the variance of a rule could be lost in rounding.
const LEAST_SPREAD: f64 = 1e-9;
/// A number farther than this from the mean, in deviations, counts as that far: else sums of squares
/// would lose the others in rounding.
const FARTHEST: f64 = 1e6;

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
        let Unit { center, scale } = Unit::new(&numbers, &weights)?;
        let number = |row: u32| numbers[row as usize];
        let mut sample = sample(
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
        let become_one = |family: &mut Normal, spread| family.spread = spread;
        let learnt = sample.learn_among(spreads, become_one, &self.settings().plan(), run);
        let stop = learnt.stop;
        let mut mixtures = Mixtures::new(learnt, &sample.rows, &sample.weights);
        for expert in mixtures.experts_mut() {
            expert.says = vec![center + scale * expert.says[0], scale * expert.says[1].sqrt()];
        }
        Ok(Fitted { model: MoeRegressionModel { mixtures }, stop })
    }
}

/// Where numbers lie and how far apart, so that the prior means the same for any unit.
struct Unit {
    center: f64,
    scale: f64,
}

impl Unit {
    /// The mean and the deviation. Numbers beyond the middle nine tenths count as its ends, so that
    /// a few that are far off do not hide how the others differ; unless all others are equal.
    fn new(numbers: &[f64], weights: &[f64]) -> Result<Self> {
        let pairs = numbers.iter().copied().zip(weights.iter().copied());
        let mut pairs: Vec<(f64, f64)> = pairs.filter(|(_, weight)| *weight > 0.0).collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let total: f64 = pairs.iter().map(|(_, weight)| weight).sum();
        let mut unit = Self { center: 0.0, scale: 0.0 };
        for share in [0.05, 0.0] {
            let (low, high) =
                (beyond(share * total, pairs.iter()), beyond(share * total, pairs.iter().rev()));
            let mean = |of: &dyn Fn(f64) -> f64| {
                pairs.iter().map(|(y, weight)| weight * of(y.clamp(low, high))).sum::<f64>() / total
            };
            let center = mean(&|y| y);
            unit = Self { center, scale: mean(&|y| (y - center).powi(2)).sqrt() };
            if unit.scale > 0.0 {
                break;
            }
        }
        if !unit.scale.is_finite() {
            let what = "the numbers to predict are too large to be squared";
            return Err(Error::unsuitable(what, "divide them by a power of ten"));
        }
        if unit.scale == 0.0 {
            unit.scale = 1.0;
        }
        Ok(unit)
    }
}

/// The first number that is not among the first of this weight.
fn beyond<'a>(weight: f64, mut pairs: impl Iterator<Item = &'a (f64, f64)>) -> f64 {
    let mut left = weight;
    let found = pairs.find(|(_, weight)| {
        left -= weight;
        left < 0.0
    });
    found.map_or(0.0, |(y, _)| *y)
}

impl MoeRegression {
    fn settings(&self) -> Settings {
        let Self { price, epochs, patience, births, rules, cuts, searches, average, .. } = *self;
        Settings { price, epochs, patience, births, rules, cuts, searches, average }
    }
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
                parts.push((share, mixture[at].says[0], mixture[at].says[1]));
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
        let (base, parts) = self.mixtures.explain(rows, row, |expert| &expert.says[..1])?;
        Ok(Explanation { base, parts, link: Link::Identity })
    }
}

impl Saved for MoeRegressionModel {
    const VERSION: u32 = 1;

    fn check(&self, inputs: &Schema) -> Result<()> {
        self.mixtures.check(inputs, |says| {
            says.len() == 2 && says.iter().all(|says| says.is_finite()) && says[1] > 0.0
        })
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        self.mixtures.size()
    }

    fn diagnostics(&self, inputs: &Schema) -> Diagnostics {
        self.mixtures.diagnostics(inputs)
    }

    fn rules(&self) -> Option<Rulebook> {
        Some(self.mixtures.rules())
    }
}

//! The objective: rows, classes and penalties.

use super::Logistic;
use crate::data::DenseRows;
use std::borrow::Cow;

/// The least penalty, as a share of the weight of all rows.
const FLOOR: f64 = 1e-9;

/// Rows, classes and penalties.
///
/// Coefficients are one vector: for each block (the second of two classes, or every one of
/// more) a coefficient for each input and then the intercept.
#[derive(Debug)]
pub(super) struct Problem<'a> {
    pub(super) columns: Vec<Cow<'a, [f64]>>,
    pub(super) rows: usize,
    pub(super) labels: Vec<u32>,
    pub(super) weights: Vec<f64>,
    /// Whether all rows weigh the same.
    pub(super) equal_weights: bool,
    pub(super) total: f64,
    pub(super) classes: usize,
    pub(super) l1: f64,
    pub(super) l2: f64,
    /// The share of each class in the weight.
    shares: Vec<f64>,
    /// The penalty on the square of the intercept of a class without weight, which would
    /// otherwise fall without bound.
    floor: f64,
    /// The penalty on the square of their sum, 0 for two classes. The loss does not change when
    /// all intercepts move together; this makes them sum to 0.
    pub(super) sum_penalty: f64,
}

/// A vector of coefficients with the objective and its gradient there.
#[derive(Debug, Clone, Default)]
pub(super) struct Iterate {
    pub(super) theta: Vec<f64>,
    /// The objective with all penalties.
    pub(super) value: f64,
    /// The gradient of all but the penalty on absolute values.
    pub(super) gradient: Vec<f64>,
    /// The probability of each block's class in every row, block after block.
    pub(super) proba: Vec<f64>,
}

impl<'a> Problem<'a> {
    pub(super) fn new(
        inputs: DenseRows<'a>,
        labels: &[u32],
        weights: Vec<f64>,
        classes: usize,
        with: &Logistic,
    ) -> Self {
        let total: f64 = weights.iter().sum();
        let floor = FLOOR * total;
        let (penalty, mix) =
            if with.penalty < floor { (floor, 0.0) } else { (with.penalty, with.mix) };
        let sum_penalty = if classes == 2 { 0.0 } else { total / (classes * classes) as f64 };
        Self {
            columns: inputs.columns,
            rows: inputs.rows,
            labels: labels.to_vec(),
            equal_weights: weights.iter().all(|w| *w == weights[0]),
            total,
            classes,
            shares: shares(labels, &weights, classes),
            weights,
            l1: penalty * mix,
            l2: penalty * (1.0 - mix),
            floor,
            sum_penalty,
        }
    }

    /// Every `step`-th row, with penalties for that share of the weight.
    pub(super) fn sample(&self, step: usize) -> Problem<'static> {
        let pick = |column: &Cow<'_, [f64]>| {
            Cow::Owned(column.iter().copied().step_by(step).collect::<Vec<f64>>())
        };
        let weights: Vec<f64> = self.weights.iter().copied().step_by(step).collect();
        let total: f64 = weights.iter().sum();
        let share = total / self.total;
        let labels: Vec<u32> = self.labels.iter().copied().step_by(step).collect();
        Problem {
            columns: self.columns.iter().map(pick).collect(),
            rows: weights.len(),
            shares: shares(&labels, &weights, self.classes),
            labels,
            equal_weights: self.equal_weights,
            weights,
            total,
            classes: self.classes,
            l1: self.l1 * share,
            l2: self.l2 * share,
            floor: self.floor * share,
            sum_penalty: self.sum_penalty * share,
        }
    }

    /// How many vectors of coefficients there are.
    pub(super) fn blocks(&self) -> usize {
        if self.classes == 2 { 1 } else { self.classes }
    }

    /// How long such a vector is, with its intercept.
    pub(super) fn width(&self) -> usize {
        self.columns.len() + 1
    }

    /// How many coefficients there are in all.
    pub(super) fn len(&self) -> usize {
        self.blocks() * self.width()
    }

    /// Where the intercepts are.
    pub(super) fn intercepts(&self) -> impl Iterator<Item = usize> {
        let width = self.width();
        (1..=self.blocks()).map(move |block| block * width - 1)
    }

    /// Whether a coefficient is an intercept.
    pub(super) fn is_intercept(&self, at: usize) -> bool {
        at % self.width() == self.columns.len()
    }

    /// The penalty on the square of a coefficient.
    pub(super) fn l2_at(&self, at: usize) -> f64 {
        if !self.is_intercept(at) {
            return self.l2;
        }
        let empty = |share: &f64| *share <= 0.0;
        let empty = match self.classes {
            2 => self.shares.iter().any(empty),
            _ => empty(&self.shares[at / self.width()]),
        };
        if empty { self.floor } else { 0.0 }
    }

    /// The penalty on the absolute value of a coefficient.
    pub(super) fn l1_at(&self, at: usize) -> f64 {
        if self.is_intercept(at) { 0.0 } else { self.l1 }
    }

    /// No coefficients, and intercepts that give the shares of the classes.
    pub(super) fn start(&self) -> Vec<f64> {
        let logs: Vec<f64> = self.shares.iter().map(|share| share.max(1e-8).ln()).collect();
        let mean = logs.iter().sum::<f64>() / logs.len() as f64;
        let mut theta = vec![0.0; self.len()];
        for block in 0..self.blocks() {
            let intercept = if self.classes == 2 { logs[1] - logs[0] } else { logs[block] - mean };
            theta[(block + 1) * self.width() - 1] = intercept;
        }
        theta
    }

    /// The objective at some coefficients.
    pub(super) fn at(&self, theta: Vec<f64>) -> Iterate {
        let mut iterate = Iterate { theta, ..Iterate::default() };
        self.evaluate(&mut iterate);
        iterate
    }

    /// The largest violation of the conditions of optimality.
    pub(super) fn violation(&self, iterate: &Iterate) -> f64 {
        let of = |at: usize| {
            let (value, gradient, l1) = (iterate.theta[at], iterate.gradient[at], self.l1_at(at));
            if value == 0.0 {
                (gradient.abs() - l1).max(0.0)
            } else {
                (gradient + l1 * value.signum()).abs()
            }
        };
        (0..self.len()).map(of).fold(0.0, f64::max)
    }
}

/// The share of each class in the weight of some rows.
fn shares(labels: &[u32], weights: &[f64], classes: usize) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    let mut shares = vec![0.0; classes];
    for (label, weight) in labels.iter().zip(weights) {
        shares[*label as usize] += weight / total;
    }
    shares
}

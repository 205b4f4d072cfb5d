//! The objective and its slope, in one pass over the rows.

use super::super::dense::Inputs;
use super::Logistic;
use crate::num::{add_scaled, dot, exp, wide};
use std::borrow::Cow;

/// How many rows are worked on together: their inputs stay near the processor.
const BLOCK: usize = 256;

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
    even: bool,
    pub(super) total: f64,
    pub(super) classes: usize,
    pub(super) l1: f64,
    pub(super) l2: f64,
    /// The share of each class in the weight.
    shares: Vec<f64>,
    /// The penalty on the square of the intercept of a class without weight, which would else
    /// fall for ever.
    floor: f64,
    /// The penalty on the square of their sum, 0 for two classes. The loss does not change when
    /// all intercepts move together; this holds them where they sum to 0.
    pub(super) hold: f64,
}

/// A vector of coefficients and what the objective is like there.
#[derive(Debug, Clone, Default)]
pub(super) struct Point {
    pub(super) theta: Vec<f64>,
    /// The objective with all penalties.
    pub(super) value: f64,
    /// The derivatives of all but the penalty on absolute values.
    pub(super) slope: Vec<f64>,
    /// The probability of each block's class in every row, block after block.
    pub(super) proba: Vec<f64>,
}

impl<'a> Problem<'a> {
    pub(super) fn new(
        inputs: Inputs<'a>,
        labels: &[u32],
        weights: Vec<f64>,
        classes: usize,
        with: &Logistic,
    ) -> Self {
        let total: f64 = weights.iter().sum();
        let floor = FLOOR * total;
        let (penalty, mix) =
            if with.penalty < floor { (floor, 0.0) } else { (with.penalty, with.mix) };
        let hold = if classes == 2 { 0.0 } else { total / (classes * classes) as f64 };
        Self {
            columns: inputs.columns,
            rows: inputs.rows,
            labels: labels.to_vec(),
            even: weights.iter().all(|w| *w == weights[0]),
            total,
            classes,
            shares: shares(labels, &weights, classes),
            weights,
            l1: penalty * mix,
            l2: penalty * (1.0 - mix),
            floor,
            hold,
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
            even: self.even,
            weights,
            total,
            classes: self.classes,
            l1: self.l1 * share,
            l2: self.l2 * share,
            floor: self.floor * share,
            hold: self.hold * share,
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
    pub(super) fn square(&self, at: usize) -> f64 {
        if !self.is_intercept(at) {
            return self.l2;
        }
        let bare = |share: &f64| *share <= 0.0;
        let bare = match self.classes {
            2 => self.shares.iter().any(bare),
            _ => bare(&self.shares[at / self.width()]),
        };
        if bare { self.floor } else { 0.0 }
    }

    /// The penalty on the absolute value of a coefficient.
    pub(super) fn absolute(&self, at: usize) -> f64 {
        if self.is_intercept(at) { 0.0 } else { self.l1 }
    }

    /// No coefficients, and intercepts that give the shares of the classes.
    pub(super) fn start(&self) -> Point {
        let logs: Vec<f64> = self.shares.iter().map(|share| share.max(1e-8).ln()).collect();
        let mean = logs.iter().sum::<f64>() / logs.len() as f64;
        let mut theta = vec![0.0; self.len()];
        for block in 0..self.blocks() {
            let intercept = if self.classes == 2 { logs[1] - logs[0] } else { logs[block] - mean };
            theta[(block + 1) * self.width() - 1] = intercept;
        }
        self.at(theta)
    }

    /// The objective at some coefficients.
    pub(super) fn at(&self, theta: Vec<f64>) -> Point {
        let mut point = Point { theta, ..Point::default() };
        self.look(&mut point);
        point
    }

    /// Works out what the objective is like at the coefficients of the point.
    pub(super) fn look(&self, point: &mut Point) {
        point.slope.clear();
        point.slope.resize(self.len(), 0.0);
        point.proba.resize(self.blocks() * self.rows, 0.0);
        let mut scratch = Scratch::new(self.blocks());
        point.value = 0.0;
        wide(|| {
            for start in (0..self.rows).step_by(BLOCK) {
                let rows = start..self.rows.min(start + BLOCK);
                self.scores(&point.theta, rows.clone(), &mut scratch);
                point.value += self.link(rows.clone(), &mut scratch);
                self.slopes(rows, &scratch, point);
            }
        });
        let sum: f64 = self.intercepts().map(|at| point.theta[at]).sum();
        point.value += 0.5 * self.hold * sum * sum;
        self.intercepts().for_each(|at| point.slope[at] += self.hold * sum);
        for at in 0..self.len() {
            let (value, square) = (point.theta[at], self.square(at));
            point.slope[at] += square * value;
            point.value += 0.5 * square * value * value + self.absolute(at) * value.abs();
        }
    }

    /// The largest violation of the conditions of optimality.
    pub(super) fn violation(&self, point: &Point) -> f64 {
        let of = |at: usize| {
            let (value, slope, l1) = (point.theta[at], point.slope[at], self.absolute(at));
            if value == 0.0 {
                (slope.abs() - l1).max(0.0)
            } else {
                (slope + l1 * value.signum()).abs()
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

/// What is needed for a block of rows.
struct Scratch {
    /// Scores, then probabilities, block after block.
    scores: Vec<f64>,
    /// Weight times probability less truth.
    apart: Vec<f64>,
    /// Of each row: the part of the loss that is not a logarithm, and what that is of.
    plain: [f64; BLOCK],
    inner: [f64; BLOCK],
}

impl Scratch {
    fn new(blocks: usize) -> Self {
        let (scores, apart) = (vec![0.0; blocks * BLOCK], vec![0.0; blocks * BLOCK]);
        Self { scores, apart, plain: [0.0; BLOCK], inner: [0.0; BLOCK] }
    }
}

#[allow(clippy::inline_always, reason = "they are compiled for the processor of their caller")]
impl Problem<'_> {
    #[inline(always)]
    fn scores(&self, theta: &[f64], rows: std::ops::Range<usize>, scratch: &mut Scratch) {
        for (block, theta) in theta.chunks_exact(self.width()).enumerate() {
            let scores = &mut scratch.scores[block * BLOCK..][..rows.len()];
            scores.fill(theta[self.columns.len()]);
            for (column, factor) in self.columns.iter().zip(theta) {
                add_scaled(scores, *factor, &column[rows.clone()]);
            }
        }
    }

    /// Makes probabilities and residuals of scores; the loss of the rows.
    #[inline(always)]
    fn link(&self, rows: std::ops::Range<usize>, scratch: &mut Scratch) -> f64 {
        let labels = &self.labels[rows.clone()];
        let weights = &self.weights[rows.clone()];
        if self.classes == 2 {
            self.link_two(labels, weights, scratch);
        } else {
            self.link_many(labels, weights, scratch);
        }
        let (plain, inner) = (&scratch.plain[..rows.len()], &scratch.inner[..rows.len()]);
        let logs = if self.even {
            weights[0] * log_of_product(inner)
        } else {
            weights.iter().zip(inner).map(|(w, inner)| w * inner.ln()).sum()
        };
        dot(weights, plain) + logs
    }

    #[inline(always)]
    fn link_two(&self, labels: &[u32], weights: &[f64], scratch: &mut Scratch) {
        let Scratch { scores, apart, plain, inner } = scratch;
        for i in 0..labels.len() {
            let (score, truth) = (scores[i], f64::from(labels[i]));
            // ln(1 + e^s) = max(s, 0) + ln(1 + e^-|s|): nothing overflows.
            let small = exp(-score.abs());
            inner[i] = 1.0 + small;
            plain[i] = score.max(0.0) - truth * score;
            let share = 1.0 / inner[i];
            let proba = if score >= 0.0 { share } else { small * share };
            scores[i] = proba;
            apart[i] = weights[i] * (proba - truth);
        }
    }

    #[inline(always)]
    fn link_many(&self, labels: &[u32], weights: &[f64], scratch: &mut Scratch) {
        let Scratch { scores, apart, plain, inner } = scratch;
        let count = labels.len();
        let mut top = [f64::NEG_INFINITY; BLOCK];
        for scores in scores.chunks_exact(BLOCK) {
            top.iter_mut().zip(scores).for_each(|(top, score)| *top = top.max(*score));
        }
        for i in 0..count {
            plain[i] = top[i] - scores[labels[i] as usize * BLOCK + i];
            inner[i] = 0.0;
        }
        for scores in scores.chunks_exact_mut(BLOCK) {
            for i in 0..count {
                scores[i] = exp(scores[i] - top[i]);
                inner[i] += scores[i];
            }
        }
        for (scores, apart) in scores.chunks_exact_mut(BLOCK).zip(apart.chunks_exact_mut(BLOCK)) {
            for i in 0..count {
                scores[i] /= inner[i];
                apart[i] = weights[i] * scores[i];
            }
        }
        for i in 0..count {
            apart[labels[i] as usize * BLOCK + i] -= weights[i];
        }
    }

    #[inline(always)]
    fn slopes(&self, rows: std::ops::Range<usize>, scratch: &Scratch, point: &mut Point) {
        for (block, slope) in point.slope.chunks_exact_mut(self.width()).enumerate() {
            let part = block * BLOCK..block * BLOCK + rows.len();
            let apart = &scratch.apart[part.clone()];
            for (slope, column) in slope.iter_mut().zip(&self.columns) {
                *slope += dot(&column[rows.clone()], apart);
            }
            slope[self.columns.len()] += apart.iter().sum::<f64>();
            point.proba[block * self.rows..][rows.clone()].copy_from_slice(&scratch.scores[part]);
        }
    }
}

/// The sum of the logarithms of numbers from 1 to a few, at most a block of them: logarithms are
/// dear, and the product of 32 such numbers does not overflow.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
fn log_of_product(values: &[f64]) -> f64 {
    let mut lanes = [1.0; 8];
    let (whole, rest) = values.as_chunks::<8>();
    for values in whole {
        for lane in 0..8 {
            lanes[lane] *= values[lane];
        }
    }
    lanes.iter_mut().zip(rest).for_each(|(lane, value)| *lane *= value);
    lanes.iter().map(|lane| lane.ln()).sum()
}

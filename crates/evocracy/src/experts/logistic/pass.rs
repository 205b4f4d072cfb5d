//! The objective and its gradient, in one pass over the rows.

use super::problem::{Iterate, Problem};
use crate::num::{add_four, add_scaled, dot, exp, wide};

/// How many rows are worked on together: their inputs stay in the cache.
const BLOCK: usize = 256;

impl Problem<'_> {
    /// Computes the objective, its gradient and the probabilities at the coefficients of the iterate.
    pub(super) fn evaluate(&self, iterate: &mut Iterate) {
        iterate.gradient.clear();
        iterate.gradient.resize(self.len(), 0.0);
        iterate.proba.resize(self.blocks() * self.rows, 0.0);
        let mut scratch = Scratch::new(self.blocks());
        iterate.value = 0.0;
        wide(
            #[inline(always)]
            || {
                for start in (0..self.rows).step_by(BLOCK) {
                    let rows = start..self.rows.min(start + BLOCK);
                    self.scores(&iterate.theta, rows.clone(), &mut scratch);
                    iterate.value += self.link(rows.clone(), &mut scratch);
                    self.add_gradient(rows, &scratch, iterate);
                }
            },
        );
        let sum: f64 = self.intercepts().map(|at| iterate.theta[at]).sum();
        iterate.value += 0.5 * self.sum_penalty * sum * sum;
        self.intercepts().for_each(|at| iterate.gradient[at] += self.sum_penalty * sum);
        for at in 0..self.len() {
            let (value, l2) = (iterate.theta[at], self.l2_at(at));
            iterate.gradient[at] += l2 * value;
            iterate.value += 0.5 * l2 * value * value + self.l1_at(at) * value.abs();
        }
    }
}

/// What is needed for a block of rows.
struct Scratch {
    /// Scores, then probabilities, block after block.
    scores: Vec<f64>,
    /// The weighted residuals: weight times probability less truth.
    residuals: Vec<f64>,
    /// The loss of a row is `outside_log + ln(inside_log)`.
    outside_log: [f64; BLOCK],
    inside_log: [f64; BLOCK],
}

impl Scratch {
    fn new(blocks: usize) -> Self {
        let (scores, residuals) = (vec![0.0; blocks * BLOCK], vec![0.0; blocks * BLOCK]);
        Self { scores, residuals, outside_log: [0.0; BLOCK], inside_log: [0.0; BLOCK] }
    }
}

#[allow(clippy::inline_always, reason = "they are compiled for the processor of their caller")]
impl Problem<'_> {
    #[inline(always)]
    fn scores(&self, theta: &[f64], rows: std::ops::Range<usize>, scratch: &mut Scratch) {
        for (block, theta) in theta.chunks_exact(self.width()).enumerate() {
            let scores = &mut scratch.scores[block * BLOCK..][..rows.len()];
            scores.fill(theta[self.columns.len()]);
            let (fours, rest) = self.columns.as_chunks::<4>();
            for (columns, factors) in fours.iter().zip(theta.as_chunks::<4>().0) {
                let [a, b, c, d] = columns;
                let parts =
                    [&a[rows.clone()], &b[rows.clone()], &c[rows.clone()], &d[rows.clone()]];
                add_four(scores, *factors, parts);
            }
            for (column, factor) in rest.iter().zip(&theta[4 * fours.len()..]) {
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
            scratch.two_classes(labels, weights);
        } else {
            scratch.many_classes(labels, weights);
        }
        let (outside_log, inside_log) =
            (&scratch.outside_log[..rows.len()], &scratch.inside_log[..rows.len()]);
        let logs = if self.equal_weights {
            weights[0] * log_of_product(inside_log)
        } else {
            weights.iter().zip(inside_log).map(|(w, inside_log)| w * inside_log.ln()).sum()
        };
        dot(weights, outside_log) + logs
    }

    #[inline(always)]
    fn add_gradient(&self, rows: std::ops::Range<usize>, scratch: &Scratch, iterate: &mut Iterate) {
        for (block, gradient) in iterate.gradient.chunks_exact_mut(self.width()).enumerate() {
            let part = block * BLOCK..block * BLOCK + rows.len();
            let residuals = &scratch.residuals[part.clone()];
            for (gradient, column) in gradient.iter_mut().zip(&self.columns) {
                *gradient += dot(&column[rows.clone()], residuals);
            }
            gradient[self.columns.len()] += residuals.iter().sum::<f64>();
            iterate.proba[block * self.rows..][rows.clone()].copy_from_slice(&scratch.scores[part]);
        }
    }
}

#[allow(clippy::inline_always, reason = "they are compiled for the processor of their caller")]
impl Scratch {
    /// Probabilities and residuals of two classes.
    #[inline(always)]
    fn two_classes(&mut self, labels: &[u32], weights: &[f64]) {
        // Slices of one length: the loop is free of checks.
        let count = labels.len();
        let (scores, residuals) = (&mut self.scores[..count], &mut self.residuals[..count]);
        let (outside_log, inside_log) =
            (&mut self.outside_log[..count], &mut self.inside_log[..count]);
        let weights = &weights[..count];
        for i in 0..count {
            let (score, truth) = (scores[i], if labels[i] == 1 { 1.0 } else { 0.0 });
            // ln(1 + e^s) = max(s, 0) + ln(1 + e^-|s|): nothing overflows.
            let small = exp(-score.abs());
            inside_log[i] = 1.0 + small;
            outside_log[i] = score.max(0.0) - truth * score;
            let share = 1.0 / inside_log[i];
            let proba = if score >= 0.0 { share } else { small * share };
            scores[i] = proba;
            residuals[i] = weights[i] * (proba - truth);
        }
    }

    /// The same of more classes.
    #[inline(always)]
    fn many_classes(&mut self, labels: &[u32], weights: &[f64]) {
        let Self { scores, residuals, outside_log, inside_log } = self;
        let count = labels.len();
        let mut top = [f64::NEG_INFINITY; BLOCK];
        for scores in scores.chunks_exact(BLOCK) {
            top.iter_mut().zip(scores).for_each(|(top, score)| *top = top.max(*score));
        }
        for i in 0..count {
            outside_log[i] = top[i] - scores[labels[i] as usize * BLOCK + i];
            inside_log[i] = 0.0;
        }
        for scores in scores.chunks_exact_mut(BLOCK) {
            for ((score, top), inside_log) in
                scores.iter_mut().zip(&top).zip(&mut inside_log[..count])
            {
                *score = exp(*score - top);
                *inside_log += *score;
            }
        }
        for (scores, residuals) in
            scores.chunks_exact_mut(BLOCK).zip(residuals.chunks_exact_mut(BLOCK))
        {
            let each = scores.iter_mut().zip(residuals).zip(&inside_log[..count]).zip(weights);
            for (((score, residuals), inside_log), weight) in each {
                *score /= inside_log;
                *residuals = weight * *score;
            }
        }
        for i in 0..count {
            residuals[labels[i] as usize * BLOCK + i] -= weights[i];
        }
    }
}

/// The sum of the logarithms of at most a block of numbers that are small and at least 1: logarithms
/// are slow, and the product of 32 such numbers does not overflow.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
fn log_of_product(values: &[f64]) -> f64 {
    let mut lanes = [1.0; 8];
    let (whole, rest) = values.as_chunks::<8>();
    for values in whole {
        lanes = std::array::from_fn(
            #[inline(always)]
            |i| lanes[i] * values[i],
        );
    }
    lanes.iter_mut().zip(rest).for_each(|(lane, value)| *lane *= value);
    lanes.iter().map(|lane| lane.ln()).sum()
}

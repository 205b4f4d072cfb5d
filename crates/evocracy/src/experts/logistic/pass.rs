//! The objective and its slope, in one pass over the rows.

use super::problem::{Point, Problem};
use crate::num::{add_four, add_scaled, dot, exp, wide};

/// How many rows are worked on together: their inputs stay near the processor.
const BLOCK: usize = 256;

impl Problem<'_> {
    /// Works out what the objective is like at the coefficients of the point.
    pub(super) fn look(&self, point: &mut Point) {
        point.slope.clear();
        point.slope.resize(self.len(), 0.0);
        point.proba.resize(self.blocks() * self.rows, 0.0);
        let mut scratch = Scratch::new(self.blocks());
        point.value = 0.0;
        wide(
            #[inline(always)]
            || {
                for start in (0..self.rows).step_by(BLOCK) {
                    let rows = start..self.rows.min(start + BLOCK);
                    self.scores(&point.theta, rows.clone(), &mut scratch);
                    point.value += self.link(rows.clone(), &mut scratch);
                    self.slopes(rows, &scratch, point);
                }
            },
        );
        let sum: f64 = self.intercepts().map(|at| point.theta[at]).sum();
        point.value += 0.5 * self.hold * sum * sum;
        self.intercepts().for_each(|at| point.slope[at] += self.hold * sum);
        for at in 0..self.len() {
            let (value, square) = (point.theta[at], self.square(at));
            point.slope[at] += square * value;
            point.value += 0.5 * square * value * value + self.absolute(at) * value.abs();
        }
    }
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
            scratch.two(labels, weights);
        } else {
            scratch.many(labels, weights);
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

#[allow(clippy::inline_always, reason = "they are compiled for the processor of their caller")]
impl Scratch {
    /// Probabilities and residuals of two classes.
    #[inline(always)]
    fn two(&mut self, labels: &[u32], weights: &[f64]) {
        // Slices of one length: the loop is free of checks.
        let count = labels.len();
        let (scores, apart) = (&mut self.scores[..count], &mut self.apart[..count]);
        let (plain, inner) = (&mut self.plain[..count], &mut self.inner[..count]);
        let weights = &weights[..count];
        for i in 0..count {
            let (score, truth) = (scores[i], if labels[i] == 1 { 1.0 } else { 0.0 });
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

    /// The same of more classes.
    #[inline(always)]
    fn many(&mut self, labels: &[u32], weights: &[f64]) {
        let Self { scores, apart, plain, inner } = self;
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
            for ((score, top), inner) in scores.iter_mut().zip(&top).zip(&mut inner[..count]) {
                *score = exp(*score - top);
                *inner += *score;
            }
        }
        for (scores, apart) in scores.chunks_exact_mut(BLOCK).zip(apart.chunks_exact_mut(BLOCK)) {
            let each = scores.iter_mut().zip(apart).zip(&inner[..count]).zip(weights);
            for (((score, apart), inner), weight) in each {
                *score /= inner;
                *apart = weight * *score;
            }
        }
        for i in 0..count {
            apart[labels[i] as usize * BLOCK + i] -= weights[i];
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
        lanes = std::array::from_fn(
            #[inline(always)]
            |i| lanes[i] * values[i],
        );
    }
    lanes.iter_mut().zip(rest).for_each(|(lane, value)| *lane *= value);
    lanes.iter().map(|lane| lane.ln()).sum()
}

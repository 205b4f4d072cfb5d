//! The conditional likelihood of classes given terms, maximised.
//!
//! The score of class `c` is `b_c + sum_i (w_i T_i(c) + d_i(e_i, c))` with the terms `T` of
//! [`super::terms`]; probabilities are the softmax of the scores. Penalties are half of `ridge`
//! times the squares of `d`, half of [`PULL`] times the squares of what parts each `w` from their
//! mean, and half of [`SMALL`] times the squares of `w`.
//! Minimised by L-BFGS with a backtracking line search.

use super::law::Factors;
use super::rows::Rows;
use super::terms::Term;
use crate::classify::softmax_in_place;
use crate::data::MISSING;
use crate::num::{
    add_scaled, dot,
    lbfgs::{Lbfgs, PAIRS},
};
use crate::run::Stop;

/// How strongly the weights of terms are drawn together.
const PULL: f64 = 3.0;

/// How strongly they are drawn to 0, so that experts without any error have finite ones.
const SMALL: f64 = 0.1;

/// How much of its objective a step must gain to be worth another.
const ENOUGH: f64 = 1e-7;

/// After so many rows the stop is looked at: with many classes and experts a pass takes seconds.
const LOOK: usize = 64;

/// What is fitted.
pub(super) struct Descent<'a> {
    pub rows: &'a Rows,
    /// A term for each expert, in their order.
    pub terms: &'a [Term],
    /// Whether terms have weights; else they are left out.
    pub weighted: bool,
    /// The penalty of numbers of their own for each state and class; `None` where there are none.
    pub ridge: Option<f64>,
}

impl Descent<'_> {
    /// How many numbers a descent of so many parameters needs at a time: where it is and where it
    /// looks, with gradients, direction and memory of steps.
    pub fn numbers(parameters: usize) -> usize {
        parameters.saturating_mul(2 * PAIRS + 5)
    }

    fn weights_at(&self) -> usize {
        self.rows.classes
    }

    /// Where the numbers of each expert begin; at the end, how many parameters there are.
    fn deltas_at(&self) -> Vec<usize> {
        let weights = if self.weighted { self.terms.len() } else { 0 };
        let mut at = vec![self.weights_at() + weights];
        if self.ridge.is_some() {
            for states in &self.rows.states {
                at.push(at[at.len() - 1] + states * self.rows.classes);
            }
        }
        at
    }

    /// The parameters before anything is learnt.
    pub fn start(&self) -> Vec<f64> {
        let at = self.deltas_at();
        let mut start = vec![0.0; at[at.len() - 1]];
        start[..self.rows.classes].copy_from_slice(&self.rows.log_prior());
        if self.weighted {
            // As if all experts said the same.
            start[self.weights_at()..at[0]].fill(1.0 / self.terms.len() as f64);
        }
        start
    }

    /// The objective and its gradient; `None` after a stop.
    fn objective(
        &self,
        x: &[f64],
        gradient: &mut [f64],
        (at, stop): (&[usize], &Stop),
    ) -> Option<f64> {
        let (rows, k) = (self.rows, self.rows.classes);
        gradient.fill(0.0);
        let mut loss = self.penalty(x, gradient, at);
        let mut scores = vec![0.0; k];
        for row in 0..rows.len() {
            if row % LOOK == 0 && stop.requested() {
                return None;
            }
            let (class, weight, said) =
                (rows.labels[row] as usize, rows.weights[row], rows.row(row));
            self.scores(x, at, row, &mut scores);
            softmax_in_place(&mut scores);
            loss -= weight * scores[class].max(1e-300).ln();
            scores[class] -= 1.0;
            for score in &mut scores {
                *score *= weight;
            }
            add_scaled(&mut gradient[..k], 1.0, &scores);
            if self.weighted {
                for (term, slope) in self.terms.iter().zip(&mut gradient[k..]) {
                    if let Some((logs, own)) = term.of_row(row, class, k) {
                        *slope += small_dot(logs, &scores) + scores[class] * (own - logs[class]);
                    }
                }
            }
            if self.ridge.is_some() {
                for (&state, at) in said.iter().zip(at) {
                    if state != MISSING {
                        let at = at + state as usize * k;
                        add_scaled(&mut gradient[at..at + k], 1.0, &scores);
                    }
                }
            }
        }
        Some(loss)
    }

    fn penalty(&self, x: &[f64], gradient: &mut [f64], at: &[usize]) -> f64 {
        let mut loss = 0.0;
        if self.weighted {
            let weights = self.weights_at()..at[0];
            let mean = x[weights.clone()].iter().sum::<f64>() / weights.len() as f64;
            for at in weights {
                let off = x[at] - mean;
                loss += 0.5 * (PULL * off * off + SMALL * x[at] * x[at]);
                // What the mean adds to the slopes sums to 0.
                gradient[at] += PULL * off + SMALL * x[at];
            }
        }
        if let Some(ridge) = self.ridge {
            for at in at[0]..x.len() {
                loss += 0.5 * ridge * x[at] * x[at];
                gradient[at] += ridge * x[at];
            }
        }
        loss
    }

    /// The scores of a training row, each term without the row itself.
    fn scores(&self, x: &[f64], at: &[usize], row: usize, scores: &mut [f64]) {
        let (rows, k) = (self.rows, self.rows.classes);
        let class = rows.labels[row] as usize;
        scores.copy_from_slice(&x[..k]);
        if self.weighted {
            for (term, &weight) in self.terms.iter().zip(&x[k..]) {
                if let Some((logs, own)) = term.of_row(row, class, k) {
                    add_scaled(scores, weight, logs);
                    scores[class] += weight * (own - logs[class]);
                }
            }
        }
        if self.ridge.is_some() {
            for (&state, at) in rows.row(row).iter().zip(at) {
                if state != MISSING {
                    let at = at + state as usize * k;
                    add_scaled(scores, 1.0, &x[at..at + k]);
                }
            }
        }
    }

    /// Descends from `x` for at most so many steps and returns the objective, which is not known where
    /// a stop left no time to look at it: then it is infinite.
    pub fn descend(&self, x: &mut Vec<f64>, steps: usize, stop: &Stop) -> f64 {
        let at = self.deltas_at();
        let mut gradient = vec![0.0; x.len()];
        let look = (&at[..], stop);
        let Some(mut loss) = self.objective(x, &mut gradient, look) else { return f64::INFINITY };
        let mut history = Lbfgs::default();
        let mut next_gradient = gradient.clone();
        for _ in 0..steps {
            let scale = 1.0 / dot(&gradient, &gradient).sqrt().max(1e-12);
            let direction = history.direction(&gradient, scale);
            let slope = dot(&gradient, &direction);
            if slope > -1e-12 {
                break;
            }
            let mut part = 1.0;
            let found = loop {
                let next: Vec<f64> = x.iter().zip(&direction).map(|(x, d)| x + part * d).collect();
                let Some(there) = self.objective(&next, &mut next_gradient, look) else {
                    break None;
                };
                if there <= loss + 1e-4 * part * slope {
                    break Some((next, there));
                }
                part *= 0.5;
                if part < 1e-10 {
                    break None;
                }
            };
            let Some((next, there)) = found else { break };
            history.push([x, &gradient], [&next, &next_gradient]);
            let gained = loss - there;
            *x = next;
            std::mem::swap(&mut gradient, &mut next_gradient);
            loss = there;
            if gained < ENOUGH * loss.abs().max(1.0) {
                break;
            }
        }
        loss
    }

    /// The weights of the terms among the parameters.
    pub fn weights<'x>(&self, x: &'x [f64]) -> &'x [f64] {
        &x[self.weights_at()..self.deltas_at()[0]]
    }

    /// The sum that parameters mean.
    pub fn factors(&self, x: &[f64]) -> Factors {
        let at = self.deltas_at();
        let weight = |expert: usize| {
            if self.weighted { x[self.weights_at() + expert] } else { 0.0 }
        };
        let factors = self.terms.iter().enumerate().map(|(expert, term)| {
            let deltas = self.ridge.map(|_| &x[at[expert]..at[expert + 1]]);
            term.factor(weight(expert), deltas)
        });
        Factors {
            base: x[..self.rows.classes].to_vec(),
            states: self.rows.states.clone(),
            each: factors.collect(),
        }
    }

    /// For every row the scores, row after row.
    pub fn all_scores(&self, x: &[f64]) -> Vec<f64> {
        let (k, at) = (self.rows.classes, self.deltas_at());
        let mut all = vec![0.0; self.rows.len() * k];
        for (row, scores) in all.chunks_exact_mut(k).enumerate() {
            self.scores(x, &at, row, scores);
        }
        all
    }
}

fn small_dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

//! Several ways at once: the logarithms of their probabilities are added, each with a weight of 0 or
//! more, and made probabilities again (a logarithmic opinion pool).
//!
//! The weights maximise the likelihood of rows that were held out from the ways (stacking; Wolpert
//! 1992), less half of [`PULL`] times the squares of what parts them from equal weights of sum one.
//! They need not sum to 1 themselves: a smaller sum makes bold ways more careful. That objective is
//! concave, and is climbed by Newton's method with the weights below 0 held at 0 (Bertsekas 1982).
//! Sums of logarithms keep the parts of which the ways explain themselves.

use super::law::{Each, Law};
use super::rows::{Experts, Rows};
use crate::classify::{Link, softmax_in_place};
use crate::error::{Error, Result};
use crate::num::{add_scaled, symmetric::Cholesky};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How strongly weights are drawn to equal ones.
const PULL: f64 = 10.0;

/// Ways of less weight are left out.
const LEAST: f64 = 0.01;

/// Steps of Newton's method.
const STEPS: usize = 50;

/// The most that a file may hold.
const MOST: f64 = 1e6;

/// Probabilities are taken for at least this before their logarithm, where weights are learnt and where
/// they are used: only what is no number above 0 at all is raised, so that explanations, which add
/// logarithms as they are, say the same.
const TINY: f64 = f64::MIN_POSITIVE;

/// Ways with their weights.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Blend {
    weights: Vec<f64>,
    laws: Vec<Law>,
}

impl Blend {
    pub fn new(weights: Vec<f64>, laws: Vec<Law>) -> Self {
        Self { weights, laws }
    }

    /// What is blended.
    pub fn laws(&self) -> impl Iterator<Item = (f64, &Law)> {
        self.weights.iter().copied().zip(&self.laws)
    }

    /// Writes the sums of which the softmax are the probabilities.
    pub fn scores(&self, experts: &Experts, row: &[u32], out: &mut [f64]) -> Result<()> {
        let mut proba = vec![0.0; out.len()];
        out.fill(0.0);
        for (weight, law) in self.laws() {
            law.proba(experts, row, &mut proba)?;
            let logs = proba.iter().map(|p| weight * p.max(TINY).ln());
            out.iter_mut().zip(logs).for_each(|(out, log)| *out += log);
        }
        Ok(())
    }

    /// The parts of all ways; those about the same experts are one.
    pub fn parts(&self, experts: &Experts, row: &[u32], each: Each<'_>) -> Result<Vec<f64>> {
        let mut sums: BTreeMap<Vec<u32>, Vec<f64>> = BTreeMap::new();
        let mut base = Vec::new();
        for (weight, law) in self.laws() {
            let own = law.parts(experts, row, &mut |about, adds| {
                let sum = sums.entry(about.to_vec()).or_insert_with(|| vec![0.0; adds.len()]);
                add_scaled(sum, weight, adds);
            })?;
            base.resize(own.len(), 0.0);
            add_scaled(&mut base, weight, &own);
        }
        for (about, adds) in &sums {
            each(about, adds);
        }
        Ok(base)
    }

    pub fn check(&self, states: &[usize], classes: usize) -> Result<()> {
        let sound = !self.laws.is_empty()
            && self.laws.len() == self.weights.len()
            && self.weights.iter().all(|weight| (0.0..=MOST).contains(weight))
            && self.laws.iter().all(|law| !matches!(law, Law::Blend(_)))
            && self.laws.iter().all(|law| law.link() == Link::Softmax);
        if !sound {
            return Err(Error::model_file("its blend of ways is broken"));
        }
        self.laws.iter().try_for_each(|law| law.check(states, classes))
    }
}

/// What ways say of rows that they did not learn from: for each way the probabilities, row after
/// row.
pub(super) struct HeldOut<'a> {
    pub rows: &'a Rows,
    logs: Vec<Vec<f64>>,
}

impl<'a> HeldOut<'a> {
    pub fn new<'p>(rows: &'a Rows, ways: impl Iterator<Item = &'p [f64]>) -> Self {
        let logs = |proba: &[f64]| proba.iter().map(|p| p.max(TINY).ln()).collect();
        Self { rows, logs: ways.map(logs).collect() }
    }

    /// The weights of the greatest likelihood of some of the rows, small ones made 0.
    pub fn weights(&self, some: &[usize]) -> Vec<f64> {
        let count = self.logs.len();
        let mut weights = vec![1.0 / count as f64; count];
        let mut here = self.objective(&weights, some);
        for _ in 0..STEPS {
            let Some(direction) = self.newton(&weights, some) else { break };
            let mut part = 1.0;
            let found = loop {
                let next: Vec<f64> =
                    weights.iter().zip(&direction).map(|(w, d)| (w + part * d).max(0.0)).collect();
                let there = self.objective(&next, some);
                if there > here {
                    break Some((next, there));
                }
                part *= 0.5;
                if part < 1e-6 {
                    break None;
                }
            };
            let Some((next, there)) = found else { break };
            let gained = there - here;
            (weights, here) = (next, there);
            if gained < 1e-9 * here.abs().max(1.0) {
                break;
            }
        }
        for weight in &mut weights {
            if *weight < LEAST {
                *weight = 0.0;
            }
        }
        weights
    }

    /// The probabilities of the classes of a row.
    fn proba(&self, weights: &[f64], row: usize, out: &mut [f64]) {
        let k = out.len();
        out.fill(0.0);
        for (logs, &weight) in self.logs.iter().zip(weights) {
            add_scaled(out, weight, &logs[row * k..(row + 1) * k]);
        }
        softmax_in_place(out);
    }

    pub(super) fn objective(&self, weights: &[f64], some: &[usize]) -> f64 {
        let mut proba = vec![0.0; self.rows.classes];
        let equal = 1.0 / weights.len() as f64;
        let mut sum = -0.5 * PULL * weights.iter().map(|w| (w - equal).powi(2)).sum::<f64>();
        for &row in some {
            self.proba(weights, row, &mut proba);
            let own = proba[self.rows.labels[row] as usize];
            sum += self.rows.weights[row] * own.max(f64::MIN_POSITIVE).ln();
        }
        sum
    }

    /// The step of Newton's method among the weights that are above 0 or want to be.
    fn newton(&self, weights: &[f64], some: &[usize]) -> Option<Vec<f64>> {
        let (count, k) = (weights.len(), self.rows.classes);
        let equal = 1.0 / count as f64;
        let mut slope: Vec<f64> = weights.iter().map(|w| -PULL * (w - equal)).collect();
        let mut bend = vec![0.0; count * count];
        let (mut proba, mut mean) = (vec![0.0; k], vec![0.0; count]);
        for &row in some {
            self.proba(weights, row, &mut proba);
            let (class, heavy) = (self.rows.labels[row] as usize, self.rows.weights[row]);
            let logs = |way: usize| &self.logs[way][row * k..(row + 1) * k];
            for (way, mean) in mean.iter_mut().enumerate() {
                *mean = logs(way).iter().zip(&proba).map(|(log, p)| log * p).sum();
                slope[way] += heavy * (logs(way)[class] - *mean);
            }
            for a in 0..count {
                for b in 0..=a {
                    let both: f64 =
                        (0..k).map(|class| proba[class] * logs(a)[class] * logs(b)[class]).sum();
                    bend[a * count + b] += heavy * (both - mean[a] * mean[b]);
                }
            }
        }
        let free: Vec<usize> =
            (0..count).filter(|&way| weights[way] > 0.0 || slope[way] > 0.0).collect();
        let entry = |a: usize, b: usize| {
            bend[a.max(b) * count + a.min(b)] + if a == b { PULL } else { 0.0 }
        };
        let matrix: Vec<f64> =
            free.iter().flat_map(|&a| free.iter().map(move |&b| entry(a, b))).collect();
        let mut step: Vec<f64> = free.iter().map(|&way| slope[way]).collect();
        Cholesky::new(&matrix, free.len())?.solve(&mut step);
        let mut direction = vec![0.0; count];
        free.iter().zip(step).for_each(|(&way, step)| direction[way] = step);
        Some(direction)
    }
}

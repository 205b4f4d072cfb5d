//! Several classes under one likelihood, the softmax (2.80).
//!
//! With the logits of the other classes held fixed, the problem of one class is logistic with an
//! offset, so the sums are learnt by block coordinate ascent, one class after the other. After every
//! round the weights of all classes go to their joint mode for the precisions found, by Newton's
//! method with step halving; the log posterior is concave. Rounds end when the precisions converge
//! or the joint evidence no longer rises, and the best round counts.
//!
//! The covariance and the evidence of each class are those of its own weights, the others held
//! fixed: its own block of the joint problem.

use super::classification::ClassSample;
use super::design::{Design, multiply, scale};
use super::evidence::log_evidence;
use super::fast::{Solution, unsolved};
use super::irls::add_columns;
use super::tuning::{SoftmaxTuning, Tuning};
use crate::classify::softmax_in_place;
use crate::error::{Error, Result};
use crate::num::{add_scaled, cholesky, dot};
use crate::run::{Stop, Ticker, reserve};

/// Learns the classes by block coordinate ascent. `one` learns a class from its targets, offsets
/// and the bases to start with.
pub(super) fn learn(
    sample: &ClassSample<'_>,
    design: &Design,
    mut found: Vec<Solution>,
    one: impl Fn(&[f64], Option<&[f64]>, &[(usize, f64)]) -> Result<Solution>,
    stop: &Stop,
) -> Result<Vec<Solution>> {
    let n = sample.labels.len();
    let (mut evidence, mut logits) = match joint_mode(sample, design, &mut found, stop) {
        // The sums of each class against the rest, as they were found.
        Err(Error::Stopped) => return Ok(found),
        mode => mode?,
    };
    let (mut best, mut idle) = (found.clone(), 0);
    for _ in 0..SoftmaxTuning::ROUNDS {
        let before = found.clone();
        for class in 0..sample.classes {
            if stop.requested() {
                return Ok(best);
            }
            let offsets: Vec<f64> =
                (0..n).map(|row| -log_sum_of_others(&logits, class, row)).collect();
            let start = found[class].start();
            let solution = one(&sample.targets(class), Some(&offsets), &start)?;
            logits[class].fill(0.0);
            add_columns(&mut logits[class], &design.columns(&solution.bases), &solution.weights);
            found[class] = solution;
        }
        let next;
        (next, logits) = match joint_mode(sample, design, &mut found, stop) {
            Err(Error::Stopped) => return Ok(best),
            mode => mode?,
        };
        idle += 1;
        if next > evidence {
            if next > evidence + Tuning::GAIN {
                idle = 0;
            }
            evidence = next;
            best.clone_from(&found);
        }
        if idle == SoftmaxTuning::PATIENCE || has_converged(&before, &found) || stop.requested() {
            break;
        }
    }
    Ok(best)
}

/// Whether bases and precisions are the same.
fn has_converged(before: &[Solution], after: &[Solution]) -> bool {
    before.iter().zip(after).all(|(before, after)| {
        let mut pairs = before.alphas.iter().zip(&after.alphas);
        before.bases == after.bases && pairs.all(|(a, b)| (a / b).ln().abs() < Tuning::CHANGE)
    })
}

/// The log-sum-exp of the logits of the other classes.
fn log_sum_of_others(logits: &[Vec<f64>], class: usize, row: usize) -> f64 {
    let rest = || logits.iter().enumerate().filter(|(at, _)| *at != class).map(|(_, s)| s[row]);
    let top = rest().fold(f64::NEG_INFINITY, f64::max);
    top + rest().map(|value| (value - top).exp()).sum::<f64>().ln()
}

/// The log-probability of a class, and of all others together.
fn logs(logits: &[Vec<f64>], class: usize, row: usize) -> (f64, f64) {
    let log_odds = logits[class][row] - log_sum_of_others(logits, class, row);
    let tail = (-log_odds.abs()).exp().ln_1p();
    (log_odds.min(0.0) - tail, (-log_odds).min(0.0) - tail)
}

/// The probability of each class, row by row.
fn probabilities(logits: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut proba = logits.to_vec();
    for row in 0..logits.first().map_or(0, Vec::len) {
        let mut each: Vec<f64> = logits.iter().map(|logits| logits[row]).collect();
        softmax_in_place(&mut each);
        proba.iter_mut().zip(each).for_each(|(proba, p)| proba[row] = p);
    }
    proba
}

/// Brings the weights of all classes to their joint mode, with the covariance and evidence of each.
/// Returns the joint log evidence and the logits of each class. A stop leaves all as it was.
fn joint_mode(
    sample: &ClassSample<'_>,
    design: &Design,
    found: &mut [Solution],
    stop: &Stop,
) -> Result<(f64, Vec<Vec<f64>>)> {
    stop.check()?;
    let weights: usize = found.iter().map(|solution| solution.bases.len()).sum();
    // The Hessian and its factor.
    let what = format!("the joint mode of {weights} weights of {} classes", found.len());
    reserve(sample.memory, &what, &[2, weights, weights])?;
    // The columns of all classes, and copies of the logits.
    let cells = weights.saturating_add(4 * found.len());
    reserve(sample.memory, &what, &[sample.labels.len(), cells])?;
    let mut joint = JointProblem::new(sample, design, found);
    let mut log_posterior = joint.log_posterior(&joint.weights);
    for _ in 0..Tuning::NEWTON_STEPS {
        joint.differentiate(stop)?;
        let decrement = dot(&joint.gradient, &joint.step);
        if decrement.is_nan() || decrement < SoftmaxTuning::NEWTON_DECREMENT {
            break;
        }
        let Some(next) = joint.line_search(log_posterior, stop)? else { break };
        log_posterior = next;
    }
    joint.differentiate(stop)?;
    joint.write_back(found)?;
    let (logits, likelihood) = joint.likelihood(&joint.weights);
    let evidence = log_evidence(likelihood, &joint.alphas, &joint.weights, &joint.factor);
    if evidence.is_finite() { Ok((evidence, logits)) } else { Err(unsolved()) }
}

/// The weights of all classes, one class after the other.
struct JointProblem<'a> {
    sample: &'a ClassSample<'a>,
    /// Where the weights of each class begin, and where the last end.
    starts: Vec<usize>,
    columns: Vec<Vec<f64>>,
    alphas: Vec<f64>,
    weights: Vec<f64>,
    /// The lower half of the negative Hessian, its Cholesky factor, the gradient and Newton's step.
    hessian: Vec<f64>,
    factor: Vec<f64>,
    gradient: Vec<f64>,
    step: Vec<f64>,
}

impl<'a> JointProblem<'a> {
    fn new(sample: &'a ClassSample<'a>, design: &Design, found: &[Solution]) -> Self {
        let mut starts = vec![0];
        starts.extend(found.iter().scan(0, |end, solution| {
            *end += solution.bases.len();
            Some(*end)
        }));
        let k = found.iter().map(|solution| solution.bases.len()).sum::<usize>();
        Self {
            sample,
            starts,
            columns: found.iter().map(|solution| design.columns(&solution.bases)).collect(),
            alphas: found.iter().flat_map(|solution| solution.alphas.iter().copied()).collect(),
            weights: found.iter().flat_map(|solution| solution.weights.iter().copied()).collect(),
            hessian: vec![0.0; k * k],
            factor: vec![0.0; k * k],
            gradient: vec![0.0; k],
            step: vec![0.0; k],
        }
    }

    /// The weights of a class.
    fn range(&self, class: usize) -> std::ops::Range<usize> {
        self.starts[class]..self.starts[class + 1]
    }

    fn rows(&self) -> usize {
        self.sample.labels.len()
    }

    /// The logits of each class and the log-likelihood.
    fn likelihood(&self, weights: &[f64]) -> (Vec<Vec<f64>>, f64) {
        let mut logits = vec![vec![0.0; self.rows()]; self.columns.len()];
        for (class, logits) in logits.iter_mut().enumerate() {
            add_columns(logits, &self.columns[class], &weights[self.range(class)]);
        }
        let log = |row: usize| {
            let label = self.sample.labels[row] as usize;
            self.sample.training.weight(row) * logs(&logits, label, row).0
        };
        let total = (0..self.rows()).map(log).sum();
        (logits, total)
    }

    /// The log posterior, up to a constant.
    fn log_posterior(&self, weights: &[f64]) -> f64 {
        let prior: f64 = self.alphas.iter().zip(weights).map(|(a, w)| a * w * w).sum();
        self.likelihood(weights).1 - 0.5 * prior
    }

    /// Gradient, Hessian and step. The block of two classes is `Phi_a' B Phi_b` with
    /// `B = p_a (1 - p_a)` for one and the same and `-p_a p_b` for two.
    fn differentiate(&mut self, stop: &Stop) -> Result<()> {
        let (n, k, classes) = (self.rows(), self.weights.len(), self.columns.len());
        let logits = self.likelihood(&self.weights).0;
        let proba = probabilities(&logits);
        let weight = |row: usize| self.sample.training.weight(row);
        self.hessian.fill(0.0);
        for b in 0..classes {
            let mut scaled = vec![0.0; self.columns[b].len()];
            for a in b..classes {
                stop.check()?;
                let other = |row: usize| if a == b { 1.0 - proba[b][row] } else { -proba[b][row] };
                let rows: Vec<f64> = (0..n).map(|i| weight(i) * proba[a][i] * other(i)).collect();
                scale(&self.columns[b], &rows, &mut scaled);
                let (from, to) = (self.range(a), self.range(b));
                let mut block = vec![0.0; from.len() * to.len()];
                if !block.is_empty() {
                    multiply(&self.columns[a], n, &scaled, &mut block);
                }
                for (column, cells) in to.zip(block.chunks_exact(from.len().max(1))) {
                    self.hessian[column * k + from.start..column * k + from.end]
                        .copy_from_slice(cells);
                }
            }
            let residuals: Vec<f64> = (self.sample.targets(b).iter().zip(&proba[b]).enumerate())
                .map(|(row, (t, p))| weight(row) * (t - p))
                .collect();
            for (at, column) in self.range(b).zip(self.columns[b].chunks_exact(n.max(1))) {
                self.gradient[at] = dot(column, &residuals) - self.alphas[at] * self.weights[at];
                self.hessian[at * k + at] += self.alphas[at];
            }
        }
        if !cholesky::factor_with_jitter_until(&self.hessian, k, &mut self.factor, stop)? {
            return Err(unsolved());
        }
        self.step.copy_from_slice(&self.gradient);
        cholesky::solve(&self.factor, k, &mut self.step);
        Ok(())
    }

    /// Takes the step, halved until the log posterior rises; `None` where it does not.
    fn line_search(&mut self, log_posterior: f64, stop: &Stop) -> Result<Option<f64>> {
        let mut step_size = 1.0;
        let mut ticker = Ticker::new(stop);
        for _ in 0..Tuning::STEP_HALVINGS {
            // An exponential for each row and class, a product for each row and weight.
            let cells = self.rows() * (10 * self.columns.len() + self.weights.len());
            ticker.tick(cells)?;
            let mut tried = self.weights.clone();
            add_scaled(&mut tried, step_size, &self.step);
            let found = self.log_posterior(&tried);
            if found > log_posterior {
                self.weights = tried;
                return Ok(Some(found));
            }
            step_size *= 0.5;
        }
        Ok(None)
    }

    /// Writes the weights of each class, and their covariance and evidence by its own block.
    fn write_back(&self, found: &mut [Solution]) -> Result<()> {
        let k = self.weights.len();
        let logits = self.likelihood(&self.weights).0;
        for (class, solution) in found.iter_mut().enumerate() {
            let range = self.range(class);
            let own = range.len();
            let mut block = vec![0.0; own * own];
            for (cells, column) in block.chunks_exact_mut(own.max(1)).zip(range.clone()) {
                cells.copy_from_slice(&self.hessian[column * k + range.start..][..own]);
            }
            let mut factor = vec![0.0; own * own];
            if !cholesky::factor_with_jitter(&block, own, &mut factor) {
                return Err(unsolved());
            }
            solution.weights = self.weights[range].to_vec();
            solution.covariance = vec![0.0; own * own];
            cholesky::inverse(&factor, own, &mut solution.covariance);
            let log = |row: usize| {
                let (is, is_not) = logs(&logits, class, row);
                let own = self.sample.labels[row] as usize == class;
                self.sample.training.weight(row) * if own { is } else { is_not }
            };
            let likelihood: f64 = (0..self.rows()).map(log).sum();
            solution.evidence =
                log_evidence(likelihood, &solution.alphas, &solution.weights, &factor);
        }
        Ok(())
    }
}

//! Newton steps with a penalty on absolute values, for many coefficients: one class at a time,
//! coordinate descent on the rows themselves (Friedman, Hastie, Tibshirani 2010, sections 3 and
//! 4), with a line search so that the objective never rises.

use super::lasso::{predicted_change, soft_threshold};
use super::problem::{Iterate, Problem};
use super::solve::{Progress, line_search};
use crate::num::{add_scaled, wide};

/// The most sweeps of coordinate descent for one step.
const SWEEPS: usize = 1_000;

pub(super) fn sparse(
    problem: &Problem<'_>,
    mut iterate: Iterate,
    progress: &mut Progress<'_>,
) -> Iterate {
    let mut next = Iterate::default();
    let (mut block, mut idle) = (0, 0);
    while idle < problem.blocks() && !progress.ends(problem, &iterate) {
        let step = wide(
            #[inline(always)]
            || descend(problem, &iterate, block),
        );
        let predicted = predicted_change(problem, &iterate, &step);
        let moved = line_search(problem, &mut iterate, &mut next, &step, predicted);
        idle = if moved { 0 } else { idle + 1 };
        block = (block + 1) % problem.blocks();
    }
    iterate
}

/// The quadratic model in the coefficients of one block.
struct Quadratic<'a> {
    problem: &'a Problem<'a>,
    /// The second derivative of each row's loss by its score.
    row_curvatures: Vec<f64>,
    /// The change of each row's score, times its second derivative.
    score_changes: Vec<f64>,
    /// Where the block starts.
    first: usize,
    step: Vec<f64>,
}

/// The step of one block's coefficients, 0 for all others.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
fn descend(problem: &Problem<'_>, iterate: &Iterate, block: usize) -> Vec<f64> {
    let proba = &iterate.proba[block * problem.rows..(block + 1) * problem.rows];
    let row_curvatures: Vec<f64> =
        problem.weights.iter().zip(proba).map(|(w, p)| w * p * (1.0 - p)).collect();
    let (score_changes, step) = (vec![0.0; problem.rows], vec![0.0; problem.len()]);
    let mut model =
        Quadratic { problem, row_curvatures, score_changes, first: block * problem.width(), step };
    let diagonal: Vec<f64> = (0..problem.width()).map(|j| model.curvature(j)).collect();
    let tolerance = 1e-3 * problem.violation(iterate);
    let (mut all, mut sweeps) = (true, 0);
    while sweeps < SWEEPS {
        let mut most = 0.0_f64;
        for (j, &curvature) in diagonal.iter().enumerate() {
            let at = model.first + j;
            if curvature > 0.0 && (all || iterate.theta[at] + model.step[at] != 0.0) {
                most = most.max(model.improve(iterate, j, curvature));
            }
        }
        sweeps += 1;
        let settled = most <= tolerance;
        if settled && all {
            break;
        }
        all = settled;
    }
    model.step
}

#[allow(clippy::inline_always, reason = "they are compiled for the processor of their caller")]
impl Quadratic<'_> {
    /// The second derivative in coefficient `j` of the block.
    #[inline(always)]
    fn curvature(&self, j: usize) -> f64 {
        let squares = match self.problem.columns.get(j) {
            Some(column) => column.iter().zip(&self.row_curvatures).map(|(x, c)| x * x * c).sum(),
            None => self.row_curvatures.iter().sum::<f64>(),
        };
        squares + self.l2_at(j)
    }

    /// The second derivative of the penalties.
    #[inline(always)]
    fn l2_at(&self, j: usize) -> f64 {
        let at = self.first + j;
        let sum_penalty =
            if self.problem.is_intercept(at) { self.problem.sum_penalty } else { 0.0 };
        self.problem.l2_at(at) + sum_penalty
    }

    /// Moves one coefficient to its best value; how much that changes its derivative.
    #[inline(always)]
    fn improve(&mut self, iterate: &Iterate, j: usize, curvature: f64) -> f64 {
        let (problem, at) = (self.problem, self.first + j);
        let gradient_change = match problem.columns.get(j) {
            Some(column) => crate::num::dot(column, &self.score_changes),
            None => self.score_changes.iter().sum::<f64>(),
        };
        let gradient = iterate.gradient[at] + gradient_change + self.l2_at(j) * self.step[at];
        let value = iterate.theta[at] + self.step[at];
        let best = soft_threshold(value - gradient / curvature, problem.l1_at(at) / curvature);
        let change = best - value;
        if change != 0.0 {
            self.step[at] += change;
            match problem.columns.get(j) {
                Some(column) => {
                    for ((sum, x), c) in
                        self.score_changes.iter_mut().zip(&**column).zip(&self.row_curvatures)
                    {
                        *sum += change * x * c;
                    }
                }
                None => add_scaled(&mut self.score_changes, change, &self.row_curvatures),
            }
        }
        change.abs() * curvature
    }
}

//! Newton steps with a penalty on absolute values, for few coefficients: the quadratic model of
//! the objective is minimised by coordinate descent on its matrix (Friedman, Hastie, Tibshirani
//! 2010; Lee, Sun, Saunders 2014, "Proximal Newton-Type Methods").

use super::problem::{Iterate, Problem};
use super::solve::{Progress, line_search};
use crate::num::{add_scaled, wide};

/// The most sweeps of coordinate descent for one step.
const SWEEPS: usize = 10_000;

pub(super) fn lasso(
    problem: &Problem<'_>,
    mut iterate: Iterate,
    progress: &mut Progress<'_>,
) -> Iterate {
    let mut next = Iterate::default();
    while !progress.ends(problem, &iterate) {
        let matrix = problem.hessian(&iterate);
        let step = wide(
            #[inline(always)]
            || descend(problem, &iterate, &matrix),
        );
        let predicted = predicted_change(problem, &iterate, &step);
        if !line_search(problem, &mut iterate, &mut next, &step, predicted) {
            break;
        }
    }
    iterate
}

/// The change of the objective that a step promises: by the gradient, and by the absolute values in
/// full. A part of the step gains at least that share of it.
pub(super) fn predicted_change(problem: &Problem<'_>, iterate: &Iterate, step: &[f64]) -> f64 {
    let of = |at: usize| {
        let (value, step) = (iterate.theta[at], step[at]);
        iterate.gradient[at] * step + problem.l1_at(at) * ((value + step).abs() - value.abs())
    };
    (0..step.len()).map(of).sum()
}

/// Soft thresholding: the value nearest to 0 that is at most `by` from `value`.
pub(super) fn soft_threshold(value: f64, by: f64) -> f64 {
    value.signum() * (value.abs() - by).max(0.0)
}

/// The step to the minimum of the quadratic model. Coordinates that are not 0 are swept until
/// they no longer change, then all of them once, until that changes nothing.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
fn descend(problem: &Problem<'_>, iterate: &Iterate, matrix: &[f64]) -> Vec<f64> {
    let size = problem.len();
    let matrix = full_matrix(matrix, size);
    let mut step = vec![0.0; size];
    let mut gradient = iterate.gradient.clone();
    let tolerance = 1e-3 * problem.violation(iterate);
    let (mut all, mut sweeps) = (true, 0);
    while sweeps < SWEEPS {
        let mut most = 0.0_f64;
        for at in 0..size {
            let (value, curvature) = (iterate.theta[at] + step[at], matrix[at * size + at]);
            if (!all && value == 0.0) || curvature <= 0.0 {
                continue;
            }
            let best =
                soft_threshold(value - gradient[at] / curvature, problem.l1_at(at) / curvature);
            let change = best - value;
            if change != 0.0 {
                step[at] += change;
                add_scaled(&mut gradient, change, &matrix[at * size..(at + 1) * size]);
                most = most.max(change.abs() * curvature);
            }
        }
        sweeps += 1;
        let settled = most <= tolerance;
        if settled && all {
            break;
        }
        all = settled;
    }
    step
}

/// The whole matrix of a lower half.
fn full_matrix(matrix: &[f64], size: usize) -> Vec<f64> {
    let at = |i: usize, j: usize| matrix[i.min(j) * size + i.max(j)];
    (0..size * size).map(|cell| at(cell % size, cell / size)).collect()
}

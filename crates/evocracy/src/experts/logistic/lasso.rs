//! Newton steps with a penalty on absolute values, for few coefficients: the quadratic model of
//! the objective is minimised by coordinate descent on its matrix (Friedman, Hastie, Tibshirani
//! 2010; Lee, Sun, Saunders 2014, "Proximal Newton-Type Methods").

use super::problem::{Point, Problem};
use super::solve::{Path, walk};
use crate::num::{add_scaled, wide};

/// The most sweeps of coordinate descent for one step.
const SWEEPS: usize = 10_000;

pub(super) fn lasso(problem: &Problem<'_>, mut point: Point, path: &mut Path<'_>) -> Point {
    let mut next = Point::default();
    while !path.ends(problem, &point) {
        let matrix = problem.curvature(&point);
        let step = wide(
            #[inline(always)]
            || descend(problem, &point, &matrix),
        );
        let falls = falls(problem, &point, &step);
        if !walk(problem, &mut point, &mut next, &step, falls) {
            break;
        }
    }
    point
}

/// The rate at which the objective falls along a step, with the change of the absolute values in
/// full: no more than what a part of the step gains in that share.
pub(super) fn falls(problem: &Problem<'_>, point: &Point, step: &[f64]) -> f64 {
    let of = |at: usize| {
        let (value, step) = (point.theta[at], step[at]);
        point.slope[at] * step + problem.absolute(at) * ((value + step).abs() - value.abs())
    };
    (0..step.len()).map(of).sum()
}

/// The value nearest to 0 that is at most `by` from `value`.
pub(super) fn shrunk(value: f64, by: f64) -> f64 {
    value.signum() * (value.abs() - by).max(0.0)
}

/// The step to the minimum of the quadratic model. Coordinates that are not 0 are swept until
/// they rest, then all of them once, until that changes nothing.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
fn descend(problem: &Problem<'_>, point: &Point, matrix: &[f64]) -> Vec<f64> {
    let size = problem.len();
    let matrix = mirrored(matrix, size);
    let mut step = vec![0.0; size];
    let mut slope = point.slope.clone();
    let rest = 1e-3 * problem.violation(point);
    let (mut all, mut sweeps) = (true, 0);
    while sweeps < SWEEPS {
        let mut most = 0.0_f64;
        for at in 0..size {
            let (value, curve) = (point.theta[at] + step[at], matrix[at * size + at]);
            if (!all && value == 0.0) || curve <= 0.0 {
                continue;
            }
            let best = shrunk(value - slope[at] / curve, problem.absolute(at) / curve);
            let change = best - value;
            if change != 0.0 {
                step[at] += change;
                add_scaled(&mut slope, change, &matrix[at * size..(at + 1) * size]);
                most = most.max(change.abs() * curve);
            }
        }
        sweeps += 1;
        let rests = most <= rest;
        if rests && all {
            break;
        }
        all = rests;
    }
    step
}

/// The whole matrix of a lower half.
fn mirrored(matrix: &[f64], size: usize) -> Vec<f64> {
    let at = |i: usize, j: usize| matrix[i.min(j) * size + i.max(j)];
    (0..size * size).map(|cell| at(cell % size, cell / size)).collect()
}

//! Newton steps with a penalty on absolute values, for many coefficients: one class at a time,
//! coordinate descent on the rows themselves (Friedman, Hastie, Tibshirani 2010, sections 3 and
//! 4), with a line search so that the objective never rises.

use super::lasso::{falls, shrunk};
use super::problem::{Point, Problem};
use super::solve::{Path, walk};
use crate::num::{add_scaled, wide};

/// The most sweeps of coordinate descent for one step.
const SWEEPS: usize = 1_000;

pub(super) fn sparse(problem: &Problem<'_>, mut point: Point, path: &mut Path<'_>) -> Point {
    let mut next = Point::default();
    let (mut block, mut idle) = (0, 0);
    while idle < problem.blocks() && !path.ends(problem, &point) {
        let step = wide(
            #[inline(always)]
            || descend(problem, &point, block),
        );
        let falls = falls(problem, &point, &step);
        let moved = walk(problem, &mut point, &mut next, &step, falls);
        idle = if moved { 0 } else { idle + 1 };
        block = (block + 1) % problem.blocks();
    }
    point
}

/// The quadratic model in the coefficients of one block.
struct Quadratic<'a> {
    problem: &'a Problem<'a>,
    /// The curvature of each row's loss along its score.
    curves: Vec<f64>,
    /// How far each row's score has moved, times its curvature.
    pulls: Vec<f64>,
    /// Where the block starts.
    first: usize,
    step: Vec<f64>,
}

/// The step of one block's coefficients, 0 for all others.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
fn descend(problem: &Problem<'_>, point: &Point, block: usize) -> Vec<f64> {
    let proba = &point.proba[block * problem.rows..(block + 1) * problem.rows];
    let curves: Vec<f64> =
        problem.weights.iter().zip(proba).map(|(w, p)| w * p * (1.0 - p)).collect();
    let (pulls, step) = (vec![0.0; problem.rows], vec![0.0; problem.len()]);
    let mut model = Quadratic { problem, curves, pulls, first: block * problem.width(), step };
    let diagonal: Vec<f64> = (0..problem.width()).map(|j| model.curve(j)).collect();
    let rest = 1e-3 * problem.violation(point);
    let (mut all, mut sweeps) = (true, 0);
    while sweeps < SWEEPS {
        let mut most = 0.0_f64;
        for (j, &curve) in diagonal.iter().enumerate() {
            let at = model.first + j;
            if curve > 0.0 && (all || point.theta[at] + model.step[at] != 0.0) {
                most = most.max(model.improve(point, j, curve));
            }
        }
        sweeps += 1;
        let rests = most <= rest;
        if rests && all {
            break;
        }
        all = rests;
    }
    model.step
}

#[allow(clippy::inline_always, reason = "they are compiled for the processor of their caller")]
impl Quadratic<'_> {
    /// The second derivative in coefficient `j` of the block.
    #[inline(always)]
    fn curve(&self, j: usize) -> f64 {
        let squares = match self.problem.columns.get(j) {
            Some(column) => column.iter().zip(&self.curves).map(|(x, c)| x * x * c).sum(),
            None => self.curves.iter().sum::<f64>(),
        };
        squares + self.square(j)
    }

    /// The second derivative of the penalties.
    #[inline(always)]
    fn square(&self, j: usize) -> f64 {
        let at = self.first + j;
        let hold = if self.problem.is_intercept(at) { self.problem.hold } else { 0.0 };
        self.problem.square(at) + hold
    }

    /// Moves one coefficient to its best place; how much that changes its slope.
    #[inline(always)]
    fn improve(&mut self, point: &Point, j: usize, curve: f64) -> f64 {
        let (problem, at) = (self.problem, self.first + j);
        let pull = match problem.columns.get(j) {
            Some(column) => crate::num::dot(column, &self.pulls),
            None => self.pulls.iter().sum::<f64>(),
        };
        let slope = point.slope[at] + pull + self.square(j) * self.step[at];
        let value = point.theta[at] + self.step[at];
        let best = shrunk(value - slope / curve, problem.absolute(at) / curve);
        let change = best - value;
        if change != 0.0 {
            self.step[at] += change;
            match problem.columns.get(j) {
                Some(column) => {
                    for ((pull, x), c) in self.pulls.iter_mut().zip(&**column).zip(&self.curves) {
                        *pull += change * x * c;
                    }
                }
                None => add_scaled(&mut self.pulls, change, &self.curves),
            }
        }
        change.abs() * curve
    }
}

//! Which solver, from where, and how long.

use super::problem::{Point, Problem};
use super::{Logistic, lasso, memory, newton, sparse};
use crate::run::{Run, StopReason};

/// How many rows for each coefficient a sample has.
const SAMPLE: usize = 30;

/// The coefficients that were found.
#[derive(Debug)]
pub(super) struct Solved {
    pub(super) theta: Vec<f64>,
    pub(super) stop: StopReason,
    /// The objective after each step.
    #[cfg_attr(not(test), allow(dead_code, reason = "tests see that it never rises"))]
    pub(super) values: Vec<f64>,
}

/// The way of a solver: how far it has come, how far it may go.
pub(super) struct Path<'a> {
    tolerance: f64,
    rounds: usize,
    run: &'a Run<'a>,
    stopped: bool,
    values: Vec<f64>,
}

impl Path<'_> {
    /// Whether the point is good enough, or the solver must end; counts a round.
    pub(super) fn ends(&mut self, problem: &Problem<'_>, point: &Point) -> bool {
        self.stopped = self.stopped || self.run.stop.requested();
        self.values.push(point.value);
        self.run.watch.advance(1);
        self.run.watch.figure("objective", point.value);
        let spent = self.values.len() > self.rounds;
        self.stopped || spent || self.is_good(problem, point)
    }

    /// Whether the conditions of optimality hold.
    pub(super) fn is_good(&self, problem: &Problem<'_>, point: &Point) -> bool {
        problem.violation(point) <= self.tolerance * problem.total
    }
}

/// Goes along a step that lowers the objective at the rate `falls`, or a part of it; `false`
/// where no part lowers it. `next` is scratch.
pub(super) fn walk(
    problem: &Problem<'_>,
    point: &mut Point,
    next: &mut Point,
    step: &[f64],
    falls: f64,
) -> bool {
    let mut part = 1.0;
    // What is not a number must not pass.
    while falls < 0.0 && part > 1e-10 {
        next.theta.clear();
        next.theta.extend(point.theta.iter().zip(step).map(|(at, step)| at + part * step));
        problem.look(next);
        // Near the end the gain is below the rounding of the objective: the slope tells.
        let level = next.value <= point.value + 1e-14 * point.value.abs()
            && problem.violation(next) < problem.violation(point);
        if next.value <= point.value + 1e-4 * part * falls || level {
            std::mem::swap(point, next);
            return true;
        }
        part *= 0.5;
    }
    false
}

/// Few coefficients are better served by steps with the whole matrix. A product of matrices
/// runs about four times as fast as a pass over the rows, and a solver with the matrix takes
/// about 7 steps where one without takes about 60.
fn is_small(problem: &Problem<'_>) -> bool {
    let (size, width, blocks) =
        (problem.len() as f64, problem.width() as f64, problem.blocks() as f64);
    let pairs = if blocks > 1.0 { blocks * (blocks - 1.0) / 2.0 } else { 1.0 };
    let rows = problem.rows as f64;
    let matrix = 7.0 * (rows * width * width * pairs / 4.0 + size.powi(3) / 12.0);
    problem.len() <= 1500 && matrix <= 60.0 * rows * width * blocks * 4.0
}

/// Solves the problem.
pub(super) fn solve(problem: &Problem<'_>, with: &Logistic, run: &Run<'_>) -> Solved {
    go(problem, with, run, is_small(problem))
}

/// As [`solve`], with the solvers for many coefficients.
#[cfg(test)]
pub(super) fn solve_large(problem: &Problem<'_>, with: &Logistic, run: &Run<'_>) -> Solved {
    go(problem, with, run, false)
}

fn go(problem: &Problem<'_>, with: &Logistic, run: &Run<'_>, small: bool) -> Solved {
    let (tolerance, rounds) = (with.tolerance, with.rounds);
    let mut path = Path { tolerance, rounds, run, stopped: false, values: Vec::new() };
    let start = if small { sampled(problem, run) } else { problem.at(problem.start()) };
    let point = if problem.l1 > 0.0 {
        if small {
            lasso::lasso(problem, start, &mut path)
        } else {
            sparse::sparse(problem, start, &mut path)
        }
    } else if small {
        newton::newton(problem, start, &mut path)
    } else {
        memory::memory(problem, start, &mut path)
    };
    let stop = if path.stopped && !path.is_good(problem, &point) {
        StopReason::Interrupted
    } else {
        StopReason::Finished
    };
    Solved { theta: point.theta, stop, values: path.values }
}

/// A start: the solution for a few of the rows, where there are many. It costs little and saves
/// the first steps with all of them.
fn sampled(problem: &Problem<'_>, run: &Run<'_>) -> Point {
    let step = problem.rows / (SAMPLE * problem.len()).max(1000);
    if step < 4 {
        return problem.at(problem.start());
    }
    let sample = problem.sample(step);
    if sample.total <= 0.0 {
        return problem.at(problem.start());
    }
    let mut path = Path { tolerance: 1e-3, rounds: 20, run, stopped: false, values: Vec::new() };
    let first = sample.at(problem.start());
    let found = if problem.l1 > 0.0 {
        lasso::lasso(&sample, first, &mut path)
    } else {
        newton::newton(&sample, first, &mut path)
    };
    problem.at(found.theta)
}

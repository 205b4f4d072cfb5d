//! Which solver, from which start, and when it ends.

use super::problem::{Iterate, Problem};
use super::{Logistic, lasso, lbfgs, newton, sparse};
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

/// How far a solver has come, and when it ends.
pub(super) struct Progress<'a> {
    tolerance: f64,
    rounds: usize,
    run: &'a Run<'a>,
    stopped: bool,
    values: Vec<f64>,
}

impl Progress<'_> {
    /// Whether the solver has converged or must end; counts a round.
    pub(super) fn ends(&mut self, problem: &Problem<'_>, iterate: &Iterate) -> bool {
        self.stopped = self.stopped || self.run.stop.requested();
        self.values.push(iterate.value);
        self.run.watch.advance(1);
        self.run.watch.figure("objective", iterate.value);
        let spent = self.values.len() > self.rounds;
        self.stopped || spent || self.has_converged(problem, iterate)
    }

    /// Whether the conditions of optimality hold.
    pub(super) fn has_converged(&self, problem: &Problem<'_>, iterate: &Iterate) -> bool {
        problem.violation(iterate) <= self.tolerance * problem.total
    }
}

/// A backtracking line search (Armijo's rule): takes the step, or as often half of it as it takes to
/// lower the objective; `predicted` is the change that the gradient promises. `false` where no part
/// of the step lowers the objective. `next` is scratch.
pub(super) fn line_search(
    problem: &Problem<'_>,
    iterate: &mut Iterate,
    next: &mut Iterate,
    step: &[f64],
    predicted: f64,
) -> bool {
    let mut part = 1.0;
    // What is not a number must not pass.
    while predicted < 0.0 && part > 1e-10 {
        next.theta.clear();
        next.theta.extend(iterate.theta.iter().zip(step).map(|(at, step)| at + part * step));
        problem.evaluate(next);
        // Near the end the gain is below the rounding of the objective: the gradient decides.
        let flat = next.value <= iterate.value + 1e-14 * iterate.value.abs()
            && problem.violation(next) < problem.violation(iterate);
        if next.value <= iterate.value + 1e-4 * part * predicted || flat {
            std::mem::swap(iterate, next);
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
    run_solver(problem, with, run, is_small(problem))
}

/// As [`solve`], with the solvers for many coefficients.
#[cfg(test)]
pub(super) fn solve_large(problem: &Problem<'_>, with: &Logistic, run: &Run<'_>) -> Solved {
    run_solver(problem, with, run, false)
}

fn run_solver(problem: &Problem<'_>, with: &Logistic, run: &Run<'_>, small: bool) -> Solved {
    let (tolerance, rounds) = (with.tolerance, with.rounds);
    let mut progress = Progress { tolerance, rounds, run, stopped: false, values: Vec::new() };
    let start = if small { warm_start(problem, run) } else { problem.at(problem.start()) };
    let iterate = if problem.l1 > 0.0 {
        if small {
            lasso::lasso(problem, start, &mut progress)
        } else {
            sparse::sparse(problem, start, &mut progress)
        }
    } else if small {
        newton::newton(problem, start, &mut progress)
    } else {
        lbfgs::lbfgs(problem, start, &mut progress)
    };
    let stop = if progress.stopped && !progress.has_converged(problem, &iterate) {
        StopReason::Interrupted
    } else {
        StopReason::Finished
    };
    Solved { theta: iterate.theta, stop, values: progress.values }
}

/// A warm start: the solution for a few of the rows, where there are many. It costs little and saves
/// the first steps with all of them.
fn warm_start(problem: &Problem<'_>, run: &Run<'_>) -> Iterate {
    let step = problem.rows / (SAMPLE * problem.len()).max(1000);
    if step < 4 {
        return problem.at(problem.start());
    }
    let sample = problem.sample(step);
    if sample.total <= 0.0 {
        return problem.at(problem.start());
    }
    let mut progress =
        Progress { tolerance: 1e-3, rounds: 20, run, stopped: false, values: Vec::new() };
    let first = sample.at(problem.start());
    let found = if problem.l1 > 0.0 {
        lasso::lasso(&sample, first, &mut progress)
    } else {
        newton::newton(&sample, first, &mut progress)
    };
    problem.at(found.theta)
}

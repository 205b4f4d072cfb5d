//! Newton's method with Cholesky: few steps, each with a system of all coefficients.

use super::problem::{Iterate, Problem};
use super::solve::{Progress, line_search};
use crate::num::dot;
use crate::num::symmetric::Cholesky;

/// A factored Hessian is used again as long as each step shrinks the gradient to this share or less.
const KEEP: f64 = 0.3;

pub(super) fn newton(
    problem: &Problem<'_>,
    mut iterate: Iterate,
    progress: &mut Progress<'_>,
) -> Iterate {
    let mut factored: Option<Cholesky> = None;
    let mut before = f64::INFINITY;
    let mut next = Iterate::default();
    while !progress.ends(problem, &iterate) {
        let violation = problem.violation(&iterate);
        if violation > KEEP * before {
            factored = None;
        }
        before = violation;
        let fresh = factored.is_none();
        let Some(matrix) = factored.take().or_else(|| factor(problem, &iterate)) else { break };
        let mut step: Vec<f64> = iterate.gradient.iter().map(|gradient| -gradient).collect();
        matrix.solve(&mut step);
        let predicted = dot(&iterate.gradient, &step);
        if line_search(problem, &mut iterate, &mut next, &step, predicted) {
            factored = Some(matrix);
        } else if fresh {
            break;
        }
    }
    iterate
}

/// The factored Hessian; where rounding has made it indefinite, with a little added to its diagonal.
fn factor(problem: &Problem<'_>, iterate: &Iterate) -> Option<Cholesky> {
    let size = problem.len();
    let mut matrix = problem.hessian(iterate);
    let most = (0..size).map(|at| matrix[at * size + at]).fold(0.0, f64::max);
    for power in [0, -14, -12, -10, -8, -6] {
        if power < 0 {
            (0..size).for_each(|at| matrix[at * size + at] += most * 10_f64.powi(power));
        }
        if let Some(found) = Cholesky::new(&matrix, size) {
            return Some(found);
        }
    }
    None
}

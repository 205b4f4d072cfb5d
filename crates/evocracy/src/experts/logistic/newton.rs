//! Newton's method with Cholesky: few steps, each with a system of all coefficients.

use super::problem::{Point, Problem};
use super::solve::{Path, walk};
use crate::num::dot;
use crate::num::symmetric::Cholesky;

/// A matrix is used again as long as its steps take away at least this much of the slope.
const KEEP: f64 = 0.3;

pub(super) fn newton(problem: &Problem<'_>, mut point: Point, path: &mut Path<'_>) -> Point {
    let mut known: Option<Cholesky> = None;
    let mut before = f64::INFINITY;
    let mut next = Point::default();
    while !path.ends(problem, &point) {
        let violation = problem.violation(&point);
        if violation > KEEP * before {
            known = None;
        }
        before = violation;
        let fresh = known.is_none();
        let Some(matrix) = known.take().or_else(|| factor(problem, &point)) else { break };
        let mut step: Vec<f64> = point.slope.iter().map(|slope| -slope).collect();
        matrix.solve(&mut step);
        let falls = dot(&point.slope, &step);
        if walk(problem, &mut point, &mut next, &step, falls) {
            known = Some(matrix);
        } else if fresh {
            break;
        }
    }
    point
}

/// The curvature, ready to solve with; where rounding has made it indefinite, a little more of it.
fn factor(problem: &Problem<'_>, point: &Point) -> Option<Cholesky> {
    let size = problem.len();
    let mut matrix = problem.curvature(point);
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

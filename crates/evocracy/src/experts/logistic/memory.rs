//! Limited-memory BFGS, for many coefficients.

use super::problem::{Point, Problem};
use super::solve::{Path, walk};
use crate::num::memory::Memory;
use crate::num::{dot, wide};

pub(super) fn memory(problem: &Problem<'_>, mut point: Point, path: &mut Path<'_>) -> Point {
    let mut steps = Memory::default();
    let mut next = Point::default();
    // Standardised inputs have about this curvature.
    let scale = 4.0 / problem.total;
    while !path.ends(problem, &point) {
        let step = wide(
            #[inline(always)]
            || steps.direction(&point.slope, scale),
        );
        let falls = dot(&point.slope, &step);
        // `next` is the point before, once the step is taken.
        if walk(problem, &mut point, &mut next, &step, falls) {
            steps.remember([&next.theta, &next.slope], [&point.theta, &point.slope]);
        } else if steps.is_empty() {
            break;
        } else {
            steps.clear();
        }
    }
    point
}

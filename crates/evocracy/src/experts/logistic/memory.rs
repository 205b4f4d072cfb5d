//! Limited-memory BFGS (Nocedal 1980; Nocedal, Wright, "Numerical Optimization", algorithm 7.5):
//! the curvature is told from the last steps, for many coefficients.

use super::problem::{Point, Problem};
use super::solve::{Path, walk};
use crate::num::{add_scaled, dot, wide};
use std::collections::VecDeque;

/// How many steps are remembered.
const STEPS: usize = 10;

/// A step and how the slope changed along it.
struct Step {
    moved: Vec<f64>,
    turned: Vec<f64>,
    /// One over the product of the two.
    rho: f64,
}

pub(super) fn memory(problem: &Problem<'_>, mut point: Point, path: &mut Path<'_>) -> Point {
    let mut steps: VecDeque<Step> = VecDeque::new();
    let mut next = Point::default();
    while !path.ends(problem, &point) {
        let step = wide(
            #[inline(always)]
            || direction(problem, &point.slope, &steps),
        );
        let falls = dot(&point.slope, &step);
        // `next` is the point before, once the step is taken.
        if walk(problem, &mut point, &mut next, &step, falls) {
            remember(&mut steps, &point, &next);
        } else if steps.is_empty() {
            break;
        } else {
            steps.clear();
        }
    }
    point
}

/// The two loops over the steps, the last one first and then back.
fn direction(problem: &Problem<'_>, slope: &[f64], steps: &VecDeque<Step>) -> Vec<f64> {
    let mut way: Vec<f64> = slope.iter().map(|slope| -slope).collect();
    let mut parts = Vec::with_capacity(steps.len());
    for step in steps.iter().rev() {
        let part = step.rho * dot(&step.moved, &way);
        add_scaled(&mut way, -part, &step.turned);
        parts.push(part);
    }
    // Without a step: standardised inputs have about this curvature.
    let scale = steps
        .back()
        .map_or(4.0 / problem.total, |last| 1.0 / (last.rho * dot(&last.turned, &last.turned)));
    for way in &mut way {
        *way *= scale;
    }
    for (step, part) in steps.iter().zip(parts.iter().rev()) {
        let back = step.rho * dot(&step.turned, &way);
        add_scaled(&mut way, part - back, &step.moved);
    }
    way
}

fn remember(steps: &mut VecDeque<Step>, point: &Point, before: &Point) {
    let less = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>();
    let moved = less(&point.theta, &before.theta);
    let turned = less(&point.slope, &before.slope);
    let product = dot(&moved, &turned);
    // The objective is convex: only rounding makes this 0.
    if product > 1e-300 {
        if steps.len() == STEPS {
            steps.pop_front();
        }
        steps.push_back(Step { moved, turned, rho: 1.0 / product });
    }
}

//! Limited-memory BFGS (L-BFGS), for many coefficients.

use super::problem::{Iterate, Problem};
use super::solve::{Progress, line_search};
use crate::num::lbfgs::Lbfgs;
use crate::num::{dot, wide};

pub(super) fn lbfgs(
    problem: &Problem<'_>,
    mut iterate: Iterate,
    progress: &mut Progress<'_>,
) -> Iterate {
    let mut history = Lbfgs::default();
    let mut next = Iterate::default();
    // The second derivatives for standardised inputs are about the inverse of this.
    let scale = 4.0 / problem.total;
    while !progress.ends(problem, &iterate) {
        let step = wide(
            #[inline(always)]
            || history.direction(&iterate.gradient, scale),
        );
        let predicted = dot(&iterate.gradient, &step);
        // Once the step is taken, `next` is the iterate before it.
        if line_search(problem, &mut iterate, &mut next, &step, predicted) {
            history.push([&next.theta, &next.gradient], [&iterate.theta, &iterate.gradient]);
        } else if history.is_empty() {
            break;
        } else {
            history.clear();
        }
    }
    iterate
}

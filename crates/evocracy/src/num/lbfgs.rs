//! Limited-memory BFGS (Nocedal 1980; Nocedal, Wright, "Numerical Optimization", algorithm 7.4): the
//! Hessian of a function is estimated from the last steps and the changes of its gradient.

use super::{add_scaled, dot};
use std::collections::VecDeque;

/// How many pairs are kept.
pub(crate) const PAIRS: usize = 10;

/// The last steps of a descent with the changes of the gradient.
#[derive(Debug, Default)]
pub(crate) struct Lbfgs(VecDeque<Pair>);

/// A step and the change of the gradient along it.
#[derive(Debug)]
struct Pair {
    step: Vec<f64>,
    change: Vec<f64>,
    /// One over the product of the two.
    rho: f64,
}

impl Lbfgs {
    /// Whether there are no pairs.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Drops all pairs.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The search direction where the function has this gradient: the two-loop recursion. Without
    /// pairs it is the negative gradient times `scale`.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
    pub(crate) fn direction(&self, gradient: &[f64], scale: f64) -> Vec<f64> {
        let mut direction: Vec<f64> = gradient.iter().map(|derivative| -derivative).collect();
        let mut alphas = Vec::with_capacity(self.0.len());
        for pair in self.0.iter().rev() {
            let alpha = pair.rho * dot(&pair.step, &direction);
            add_scaled(&mut direction, -alpha, &pair.change);
            alphas.push(alpha);
        }
        let scale =
            self.0.back().map_or(scale, |last| 1.0 / (last.rho * dot(&last.change, &last.change)));
        for value in &mut direction {
            *value *= scale;
        }
        for (pair, alpha) in self.0.iter().zip(alphas.iter().rev()) {
            let beta = pair.rho * dot(&pair.change, &direction);
            add_scaled(&mut direction, alpha - beta, &pair.step);
        }
        direction
    }

    /// Keeps the pair of a step from one place to another, given both with their gradients. A step
    /// along which the function does not curve upwards is left out.
    pub(crate) fn push(&mut self, from: [&[f64]; 2], to: [&[f64]; 2]) {
        let less = |at: usize| to[at].iter().zip(from[at]).map(|(a, b)| a - b).collect::<Vec<_>>();
        let (step, change) = (less(0), less(1));
        let product = dot(&step, &change);
        if product > 1e-300 {
            if self.0.len() == PAIRS {
                self.0.pop_front();
            }
            self.0.push_back(Pair { step, change, rho: 1.0 / product });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On a quadratic function of `n` variables as many exact steps lead to the minimum.
    #[test]
    fn a_quadratic_is_minimised_in_as_many_steps_as_it_has_variables() {
        let diagonal = [1.0, 10.0, 0.1, 3.0];
        let gradient = |x: &[f64]| x.iter().zip(&diagonal).map(|(x, d)| d * x).collect::<Vec<_>>();
        let (mut history, mut x) = (Lbfgs::default(), vec![1.0, -2.0, 3.0, 0.5]);
        for _ in 0..4 {
            let here = gradient(&x);
            let direction = history.direction(&here, 1.0);
            let part = -dot(&here, &direction) / dot(&gradient(&direction), &direction);
            let next: Vec<f64> = x.iter().zip(&direction).map(|(x, d)| x + part * d).collect();
            history.push([&x, &here], [&next, &gradient(&next)]);
            x = next;
        }
        assert!(x.iter().all(|x| x.abs() < 1e-12), "{x:?}");
    }
}

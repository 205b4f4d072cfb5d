//! The memory of limited-memory BFGS (Nocedal 1980; Nocedal, Wright, "Numerical Optimization",
//! algorithm 7.4): the curvature of a function is told from the last steps.

use super::{add_scaled, dot};
use std::collections::VecDeque;

/// How many steps are remembered.
const STEPS: usize = 10;

/// The last steps of a descent.
#[derive(Debug, Default)]
pub(crate) struct Memory(VecDeque<Step>);

/// A step and how the slope changed along it.
#[derive(Debug)]
struct Step {
    moved: Vec<f64>,
    turned: Vec<f64>,
    /// One over the product of the two.
    rho: f64,
}

impl Memory {
    /// Whether nothing is remembered.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Forgets all steps.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The step to take where the function has this slope: two loops over the steps, the last one
    /// first and then back. Without a step it is downhill, the slope times `scale`.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
    pub(crate) fn direction(&self, slope: &[f64], scale: f64) -> Vec<f64> {
        let mut way: Vec<f64> = slope.iter().map(|slope| -slope).collect();
        let mut parts = Vec::with_capacity(self.0.len());
        for step in self.0.iter().rev() {
            let part = step.rho * dot(&step.moved, &way);
            add_scaled(&mut way, -part, &step.turned);
            parts.push(part);
        }
        let scale =
            self.0.back().map_or(scale, |last| 1.0 / (last.rho * dot(&last.turned, &last.turned)));
        for way in &mut way {
            *way *= scale;
        }
        for (step, part) in self.0.iter().zip(parts.iter().rev()) {
            let back = step.rho * dot(&step.turned, &way);
            add_scaled(&mut way, part - back, &step.moved);
        }
        way
    }

    /// Remembers a step from one place to another, given both with their slopes. A step along
    /// which the function does not curve upwards says nothing that could be used.
    pub(crate) fn remember(&mut self, from: [&[f64]; 2], to: [&[f64]; 2]) {
        let less = |at: usize| to[at].iter().zip(from[at]).map(|(a, b)| a - b).collect::<Vec<_>>();
        let (moved, turned) = (less(0), less(1));
        let product = dot(&moved, &turned);
        if product > 1e-300 {
            if self.0.len() == STEPS {
                self.0.pop_front();
            }
            self.0.push_back(Step { moved, turned, rho: 1.0 / product });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On a parabola in `n` dimensions as many exact steps lead to the bottom.
    #[test]
    fn a_parabola_is_descended_in_as_many_steps_as_it_has_dimensions() {
        let curves = [1.0, 10.0, 0.1, 3.0];
        let slope = |x: &[f64]| x.iter().zip(&curves).map(|(x, c)| c * x).collect::<Vec<_>>();
        let (mut memory, mut x) = (Memory::default(), vec![1.0, -2.0, 3.0, 0.5]);
        for _ in 0..4 {
            let here = slope(&x);
            let way = memory.direction(&here, 1.0);
            let part = -dot(&here, &way) / dot(&slope(&way), &way);
            let next: Vec<f64> = x.iter().zip(&way).map(|(x, way)| x + part * way).collect();
            memory.remember([&x, &here], [&next, &slope(&next)]);
            x = next;
        }
        assert!(x.iter().all(|x| x.abs() < 1e-12), "{x:?}");
    }
}

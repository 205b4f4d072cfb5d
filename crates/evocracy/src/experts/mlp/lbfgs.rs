//! All rows at once with limited-memory BFGS (L-BFGS).

use super::pass::Pass;
use super::rows::{BLOCK, TrainingRows};
use super::train::{EarlyStopping, Training};
use crate::num::lbfgs::Lbfgs;
use crate::num::{dot, wide};
use crate::run::StopReason;

/// Weights, the objective there and its gradient.
#[derive(Debug, Clone)]
pub(super) struct Iterate {
    pub(super) weights: Vec<f64>,
    pub(super) value: f64,
    pub(super) gradient: Vec<f64>,
}

/// The objective: the mean loss of the rows with the penalty.
pub(super) struct Objective<'a> {
    training: Training<'a>,
    rows: &'a TrainingRows<f64>,
    pass: Pass<'a, f64>,
}

impl<'a> Objective<'a> {
    pub(super) fn new(training: Training<'a>, rows: &'a TrainingRows<f64>) -> Self {
        let pass = Pass::new(training.shape, training.with.activation, BLOCK);
        Self { training, rows, pass }
    }

    /// Computes value and gradient at the weights of an iterate.
    pub(super) fn evaluate(&mut self, iterate: &mut Iterate) {
        iterate.gradient.fill(0.0);
        iterate.value = 0.0;
        for block in self.rows.blocks() {
            iterate.value += self.pass.gradient(&iterate.weights, block, &mut iterate.gradient);
        }
        let (total, penalty) = (self.rows.total(), self.training.penalty);
        iterate.value /= total;
        iterate.gradient.iter_mut().for_each(|gradient| *gradient /= total);
        for layer in &self.training.shape.layers {
            let weights = &iterate.weights[layer.weights.clone()];
            let gradient = &mut iterate.gradient[layer.weights.clone()];
            iterate.value += 0.5 * penalty * dot(weights, weights);
            gradient
                .iter_mut()
                .zip(weights)
                .for_each(|(gradient, weight)| *gradient += penalty * weight);
        }
    }

    /// A backtracking line search (Armijo's rule): takes the step, or as often half of it as it takes
    /// to lower the objective; `false` where no part does. `next` is scratch, and then the iterate
    /// before.
    fn line_search(&mut self, iterate: &mut Iterate, next: &mut Iterate, step: &[f64]) -> bool {
        let predicted = dot(&iterate.gradient, step);
        let mut part = 1.0;
        while predicted < 0.0 && part > 1e-10 {
            let each = next.weights.iter_mut().zip(&iterate.weights).zip(step);
            each.for_each(|((next, at), step)| *next = at + part * step);
            self.evaluate(next);
            if next.value <= iterate.value + 1e-4 * part * predicted {
                std::mem::swap(iterate, next);
                return true;
            }
            part *= 0.5;
        }
        false
    }
}

/// Minimises the objective until the gradient is about 0, or the loss of rows held out no longer falls.
pub(super) fn lbfgs(
    training: Training<'_>,
    [learnt, held]: &[TrainingRows<f64>; 2],
    weights: Vec<f64>,
) -> (Vec<f64>, StopReason) {
    let Training { with, shape, run, .. } = training;
    let mut objective = Objective::new(training, learnt);
    let mut pass = Pass::new(shape, with.activation, BLOCK);
    let mut stopping = EarlyStopping::new(with, held.len() > 0, &weights);
    let gradient = vec![0.0; weights.len()];
    let mut iterate = Iterate { weights, value: 0.0, gradient };
    objective.evaluate(&mut iterate);
    let (mut next, mut history) = (iterate.clone(), Lbfgs::default());
    for _ in 0..with.epochs {
        let steepest =
            iterate.gradient.iter().fold(0.0, |most: f64, gradient| most.max(gradient.abs()));
        if steepest <= with.tolerance {
            break;
        }
        if run.stop.requested() {
            stopping.stop = StopReason::Interrupted;
            break;
        }
        let scale = 1.0 / dot(&iterate.gradient, &iterate.gradient).sqrt();
        let step = wide(
            #[inline(always)]
            || history.direction(&iterate.gradient, scale),
        );
        if objective.line_search(&mut iterate, &mut next, &step) {
            history.push([&next.weights, &next.gradient], [&iterate.weights, &iterate.gradient]);
        } else if history.is_empty() {
            break;
        } else {
            history.clear();
        }
        run.watch.advance(1);
        run.watch.figure("objective", iterate.value);
        if held.len() > 0
            && !stopping.continues(held.loss(&mut pass, &iterate.weights), &iterate.weights)
        {
            break;
        }
    }
    stopping.best(iterate.weights)
}

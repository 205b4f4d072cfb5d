//! All rows at once with limited-memory BFGS.

use super::pass::Pass;
use super::rows::{BLOCK, Rows};
use super::train::{Judge, Training};
use crate::num::memory::Memory;
use crate::num::{dot, wide};
use crate::run::StopReason;

/// Weights, the objective there and its slope.
#[derive(Debug, Clone)]
pub(super) struct Point {
    pub(super) weights: Vec<f64>,
    pub(super) value: f64,
    pub(super) slope: Vec<f64>,
}

/// The objective: the mean loss of the rows with the penalty.
pub(super) struct Surface<'a> {
    training: Training<'a>,
    rows: &'a Rows<f64>,
    pass: Pass<'a, f64>,
}

impl<'a> Surface<'a> {
    pub(super) fn new(training: Training<'a>, rows: &'a Rows<f64>) -> Self {
        let pass = Pass::new(training.shape, training.with.activation, BLOCK);
        Self { training, rows, pass }
    }

    /// Works out value and slope at the weights of a point.
    pub(super) fn look(&mut self, point: &mut Point) {
        point.slope.fill(0.0);
        point.value = 0.0;
        for block in self.rows.blocks() {
            point.value += self.pass.slope(&point.weights, block, &mut point.slope);
        }
        let (total, penalty) = (self.rows.total(), self.training.penalty);
        point.value /= total;
        point.slope.iter_mut().for_each(|slope| *slope /= total);
        for layer in &self.training.shape.layers {
            let weights = &point.weights[layer.weights.clone()];
            let slope = &mut point.slope[layer.weights.clone()];
            point.value += 0.5 * penalty * dot(weights, weights);
            slope.iter_mut().zip(weights).for_each(|(slope, weight)| *slope += penalty * weight);
        }
    }

    /// Goes along a step or, where that does not lower the objective enough, a part of it;
    /// `false` where no part does (Armijo's rule). `next` is scratch, and then the point before.
    fn walk(&mut self, point: &mut Point, next: &mut Point, step: &[f64]) -> bool {
        let falls = dot(&point.slope, step);
        let mut part = 1.0;
        while falls < 0.0 && part > 1e-10 {
            let each = next.weights.iter_mut().zip(&point.weights).zip(step);
            each.for_each(|((next, at), step)| *next = at + part * step);
            self.look(next);
            if next.value <= point.value + 1e-4 * part * falls {
                std::mem::swap(point, next);
                return true;
            }
            part *= 0.5;
        }
        false
    }
}

/// Descends until the slope is flat, or the loss of rows held out no longer falls.
pub(super) fn descend(
    training: Training<'_>,
    [learnt, held]: &[Rows<f64>; 2],
    weights: Vec<f64>,
) -> (Vec<f64>, StopReason) {
    let Training { with, shape, run, .. } = training;
    let mut surface = Surface::new(training, learnt);
    let mut pass = Pass::new(shape, with.activation, BLOCK);
    let mut judge = Judge::new(with, held.len() > 0, &weights);
    let slope = vec![0.0; weights.len()];
    let mut point = Point { weights, value: 0.0, slope };
    surface.look(&mut point);
    let (mut next, mut steps) = (point.clone(), Memory::default());
    for _ in 0..with.epochs {
        let steepest = point.slope.iter().fold(0.0, |most: f64, slope| most.max(slope.abs()));
        if steepest <= with.tolerance {
            break;
        }
        if run.stop.requested() {
            judge.stop = StopReason::Interrupted;
            break;
        }
        let scale = 1.0 / dot(&point.slope, &point.slope).sqrt();
        let step = wide(
            #[inline(always)]
            || steps.direction(&point.slope, scale),
        );
        if surface.walk(&mut point, &mut next, &step) {
            steps.remember([&next.weights, &next.slope], [&point.weights, &point.slope]);
        } else if steps.is_empty() {
            break;
        } else {
            steps.clear();
        }
        run.watch.advance(1);
        run.watch.figure("objective", point.value);
        if held.len() > 0 && !judge.goes_on(held.loss(&mut pass, &point.weights), &point.weights) {
            break;
        }
    }
    judge.best(point.weights)
}

//! When training ends, and what is kept of it.

use super::Mlp;
use super::shape::Shape;
use crate::run::{Run, StopReason};

/// What both solvers are given.
#[derive(Clone, Copy)]
pub(super) struct Training<'a> {
    pub(super) with: &'a Mlp,
    pub(super) shape: &'a Shape,
    pub(super) run: &'a Run<'a>,
    /// The penalty on half the square of a weight, for a mean loss.
    pub(super) penalty: f64,
}

/// Early stopping: follows the loss from epoch to epoch and keeps the best weights.
#[derive(Debug)]
pub(super) struct EarlyStopping<R> {
    best: f64,
    tolerance: f64,
    patience: usize,
    waited: usize,
    /// The best weights so far where the loss is that of rows held out.
    kept: Option<Vec<R>>,
    pub(super) stop: StopReason,
}

impl<R: Copy> EarlyStopping<R> {
    /// Keeps the best of the weights, beginning with these, if rows are held out.
    pub(super) fn new(with: &Mlp, held: bool, weights: &[R]) -> Self {
        Self {
            best: f64::INFINITY,
            tolerance: with.tolerance,
            patience: with.patience,
            waited: 0,
            kept: held.then(|| weights.to_vec()),
            stop: StopReason::Finished,
        }
    }

    /// Whether to go on after a round that ended with this loss: it has fallen by more than the
    /// tolerance within the last rounds.
    pub(super) fn continues(&mut self, loss: f64, weights: &[R]) -> bool {
        self.waited = if loss < self.best - self.tolerance { 0 } else { self.waited + 1 };
        if loss < self.best {
            self.best = loss;
            if let Some(kept) = &mut self.kept {
                kept.copy_from_slice(weights);
            }
        }
        self.waited < self.patience
    }

    /// The weights to keep, given the last ones.
    pub(super) fn best(self, last: Vec<R>) -> (Vec<R>, StopReason) {
        (self.kept.unwrap_or(last), self.stop)
    }
}

//! The learning curve of a model that learns row by row: how well it called each row before it
//! learnt from it (test, then train).

use crate::classify::Diagnostics;
use crate::measure::FLOOR;
use crate::num::argmax;
use serde::{Deserialize, Serialize};

/// Error and likelihood of the rows of an epoch, and the rules at its end.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Epoch {
    /// The share of the rows that were called wrongly before they were learnt.
    error: f64,
    /// Their mean log2-likelihood.
    log2: f64,
    /// How many different rules there were at its end.
    rules: u64,
}

impl Epoch {
    /// Whether a file may hold it.
    pub(super) fn is_sound(&self) -> bool {
        (0.0..=1.0 + 1e-9).contains(&self.error) && (-1e3..=1e-9).contains(&self.log2)
    }

    /// The learning curve.
    pub(super) fn diagnostics(epochs: &[Self]) -> Diagnostics {
        Diagnostics {
            error_by_epoch: Some(epochs.iter().map(|epoch| epoch.error).collect()),
            log2_by_epoch: Some(epochs.iter().map(|epoch| epoch.log2).collect()),
            rules_by_epoch: Some(epochs.iter().map(|epoch| epoch.rules).collect()),
            ..Diagnostics::default()
        }
    }
}

/// The rows of an epoch so far.
#[derive(Debug, Default)]
pub(super) struct EpochTally {
    rows: f64,
    wrong: f64,
    log2: f64,
}

impl EpochTally {
    /// Counts a row by the class probabilities predicted before it was learnt, up to a factor.
    pub(super) fn add(&mut self, predicted: &[f64], class: usize, weight: f64) {
        let share = predicted[class] / predicted.iter().sum::<f64>();
        self.rows += weight;
        self.wrong += if argmax(predicted) == class { 0.0 } else { weight };
        self.log2 += weight * share.max(FLOOR).log2();
    }

    /// The epoch, with the rules at its end.
    pub(super) fn end(&self, rules: usize) -> Epoch {
        let (error, log2) = (self.wrong / self.rows, self.log2 / self.rows);
        Epoch { error, log2, rules: rules as u64 }
    }
}

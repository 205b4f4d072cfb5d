//! What a hard classifier is: parameters in, a class for every row out.
//!
//! A sampler asks one question of a classifier, many times: what is called wrongly with these
//! parameters? [`Hard`] is a classifier on some labelled rows; a [`Trial`] is its state in one
//! chain, which knows the parameters that were kept last and may answer faster where few moved.

use crate::error::Result;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The weight of the rows that are called wrongly.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Wrong {
    /// Positive rows that are called negative.
    pub missed: f64,
    /// Negative rows that are called positive.
    pub alarms: f64,
}

/// A bound on what may be wrong: once it does not hold, no further wrong row makes it hold again.
pub type Within<'a> = &'a dyn Fn(Wrong) -> bool;

/// A hard classifier on labelled rows.
pub trait Hard: Sync {
    /// How many parameters it has.
    fn parameters(&self) -> usize;

    /// The weight of the positive and of the negative rows.
    fn totals(&self) -> [f64; 2];

    /// A state for one chain.
    fn start(&self) -> Result<Box<dyn Trial + '_>>;
}

/// A hard classifier in one chain.
pub trait Trial: Send {
    /// What is called wrongly with these parameters; `None` where that is not `within` its bound,
    /// which may be known before all rows were looked at.
    ///
    /// `moved` are the parameters that differ from those kept last, in any order and possibly
    /// repeated; `None` where they may all differ.
    fn call(
        &mut self,
        parameters: &[f64],
        moved: Option<&[u32]>,
        within: Within<'_>,
    ) -> Result<Option<Wrong>>;

    /// Keeps the parameters of the last call, which was within its bound.
    fn keep(&mut self);
}

/// States of a classifier that no chain uses at the moment: to begin with one may be dear, as is a
/// table for a program. Which one a chain gets makes no difference.
pub(super) struct Trials<'a> {
    hard: &'a dyn Hard,
    idle: Mutex<Vec<Box<dyn Trial + 'a>>>,
}

impl<'a> Trials<'a> {
    pub(super) fn new(hard: &'a dyn Hard) -> Self {
        Self { hard, idle: Mutex::default() }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Box<dyn Trial + 'a>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn take(&self) -> Result<Box<dyn Trial + 'a>> {
        let idle = self.idle().pop();
        idle.map_or_else(|| self.hard.start(), Ok)
    }

    pub(super) fn put(&self, trial: Box<dyn Trial + 'a>) {
        self.idle().push(trial);
    }
}

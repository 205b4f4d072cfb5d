//! Asking work to end early, and the reason it ended.

use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that anyone may raise and long work looks at often.
#[derive(Debug, Default)]
pub struct Stop(AtomicBool);

impl Stop {
    /// A flag that is down.
    pub const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Asks the work to end with the best it has.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work should end.
    pub fn requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Why a fit ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// All that was asked for was done.
    Finished,
    /// The stop flag was raised; the result is the best so far.
    Interrupted,
}

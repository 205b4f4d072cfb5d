//! Asking work to end early, and the reason it ended.

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// A flag that anyone may raise and long work looks at often.
#[derive(Debug, Default)]
pub struct Stop {
    raised: AtomicBool,
    /// How many looks are left, for a flag that counts them.
    left: AtomicI64,
    counts: bool,
}

impl Stop {
    /// A flag that is down.
    pub const fn new() -> Self {
        Self { raised: AtomicBool::new(false), left: AtomicI64::new(0), counts: false }
    }

    /// A flag that is raised when it is looked at after so many looks: a moment inside of the work
    /// that does not depend on the machine, where the work has one thread.
    pub const fn after(looks: u32) -> Self {
        Self { left: AtomicI64::new(looks as i64), counts: true, ..Self::new() }
    }

    /// Asks the work to end with the best it has.
    pub fn request(&self) {
        self.raised.store(true, Ordering::Relaxed);
    }

    /// Whether the work should end.
    pub fn requested(&self) -> bool {
        if self.counts && self.left.fetch_sub(1, Ordering::Relaxed) <= 0 {
            self.request();
        }
        self.raised.load(Ordering::Relaxed)
    }

    /// [`Error::Stopped`] where the work should end, for work that then has nothing usable.
    pub fn check(&self) -> Result<()> {
        if self.requested() { Err(Error::Stopped) } else { Ok(()) }
    }

    /// How often a flag that counts found itself raised.
    pub fn looks_after(&self) -> u64 {
        (-self.left.load(Ordering::Relaxed)).max(0) as u64
    }
}

/// Looks at a flag now and then, in loops whose single steps are too short for a look of their own
/// and whose length the data or a parameter chooses.
#[derive(Debug)]
pub struct Ticker<'a> {
    stop: &'a Stop,
    left: usize,
}

impl<'a> Ticker<'a> {
    /// Simple operations from look to look: some tens of milliseconds of arithmetic.
    const OPERATIONS: usize = 20_000_000;

    /// Looks at this flag.
    pub const fn new(stop: &'a Stop) -> Self {
        Self { stop, left: Self::OPERATIONS }
    }

    /// Counts about so many operations, and looks at the flag where enough came together:
    /// [`Error::Stopped`] where the work should end.
    #[inline]
    pub fn tick(&mut self, operations: usize) -> Result<()> {
        if operations < self.left {
            self.left -= operations;
            return Ok(());
        }
        self.left = Self::OPERATIONS;
        self.stop.check()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_that_counts_is_raised_after_its_looks() {
        let stop = Stop::after(3);
        assert_eq!([(); 5].map(|()| stop.requested()), [false, false, false, true, true]);
        assert_eq!(stop.looks_after(), 2);
        let plain = Stop::new();
        assert!((0..9).all(|_| plain.check().is_ok()));
        plain.request();
        assert!(plain.check().is_err() && plain.looks_after() == 0);
    }

    #[test]
    fn a_ticker_looks_when_enough_operations_came_together() {
        let stop = Stop::after(1);
        let (mut ticker, most) = (Ticker::new(&stop), Ticker::OPERATIONS);
        assert!(ticker.tick(most - 1).is_ok() && ticker.tick(1).is_ok());
        assert!(ticker.tick(most - 1).is_ok() && stop.looks_after() == 0);
        assert!(ticker.tick(usize::MAX).is_err());
    }
}

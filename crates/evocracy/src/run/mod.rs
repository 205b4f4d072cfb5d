//! What a piece of work is given beside its data: a seed, a stop flag, a place to report
//! progress and a thread pool.
//!
//! Invariants: the same seed gives the same result for any number of threads, because child
//! seeds belong to tasks and never to threads; nothing here reads the clock or prints.

mod pool;
mod seed;
mod stop;
mod watch;

pub use pool::Pool;
pub use seed::Seed;
pub use stop::{Stop, StopReason};
pub use watch::{Snapshot, Watch};

/// The surroundings of one piece of work.
#[derive(Clone)]
pub struct Run<'a> {
    /// Where all randomness of this work comes from.
    pub seed: Seed,
    /// Set from outside when the work should end early.
    pub stop: &'a Stop,
    /// Where progress is reported.
    pub watch: Watch,
    /// Where parallel work runs.
    pub pool: &'a Pool,
}

impl<'a> Run<'a> {
    /// Work with the given seed that nobody watches.
    pub fn new(seed: u64, stop: &'a Stop, pool: &'a Pool) -> Self {
        Self { seed: Seed::new(seed), stop, watch: Watch::new("run"), pool }
    }

    /// The surroundings of part number `index` of this work, with a seed of its own.
    #[must_use]
    pub fn child(&self, name: &str, index: u64) -> Self {
        Self { seed: self.seed.child(name, index), ..self.clone() }
    }

    /// The same surroundings, reporting to a new task `name` of `total` steps below this one.
    #[must_use]
    pub fn task(&self, name: &str, total: u64) -> Self {
        Self { watch: self.watch.task(name, total), ..self.clone() }
    }
}

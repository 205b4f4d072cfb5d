//! How far the learning of a mixture is. What takes time are the steps of hill climbs; how many there
//! will be is told from those that were, anew after every fold of the cross-validation and after every
//! epoch of a search.

use super::settings::SearchSettings;
use crate::run::Watch;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// What a search costs before its first epoch, in brief searches of a fold: it has all rows.
const START: f64 = 1.25;
/// What an epoch costs, in brief searches, as long as there was none.
const EPOCH: f64 = 0.35;
/// How many more epochs a search has than those that may still pass without a gain.
const GAINS: f64 = 1.3;

/// Counts the steps of hill climbs: those of one search, and those of the task as a whole.
pub(super) struct Steps {
    watch: Watch,
    own: AtomicU64,
}

impl Steps {
    pub(super) fn new(watch: &Watch) -> Self {
        Self { watch: watch.clone(), own: AtomicU64::new(0) }
    }

    /// Counts a step.
    pub(super) fn count(&self) {
        self.own.fetch_add(1, Ordering::Relaxed);
        self.watch.advance(1);
    }

    /// The steps of this search so far.
    pub(super) fn own(&self) -> u64 {
        self.own.load(Ordering::Relaxed)
    }
}

/// What is expected of the steps to come.
pub(super) struct Progress {
    watch: Watch,
    settings: SearchSettings,
    /// The steps left of every search.
    searches: Mutex<Vec<f64>>,
}

/// The brief searches of one price.
pub(super) struct BriefSearches<'p> {
    progress: &'p Progress,
    found: Mutex<Brief>,
}

/// Brief searches that are done at one price, and those to come.
#[derive(Debug, Clone, Copy, Default)]
struct Brief {
    /// How many are done.
    done: f64,
    /// The steps of all of them, and their rules with the default.
    steps: f64,
    members: f64,
    /// How many may follow, at this price and lower ones and with other priors.
    left: f64,
}

impl BriefSearches<'_> {
    /// After one that took so many steps and found so many members.
    pub(super) fn done(&self, steps: u64, members: usize) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.done += 1.0;
        found.left = (found.left - 1.0).max(0.0);
        found.steps += steps as f64;
        found.members += members as f64;
        self.progress.after_brief(*found);
    }
}

impl Progress {
    pub(super) fn new(watch: &Watch, settings: SearchSettings) -> Self {
        let searches = Mutex::new(vec![0.0; settings.searches]);
        Self { watch: watch.clone(), settings, searches }
    }

    /// The brief searches of a price, with those that may follow at lower ones: so many in all.
    pub(super) fn brief(&self, searches: usize) -> BriefSearches<'_> {
        let found = Brief { left: searches as f64, ..Brief::default() };
        BriefSearches { progress: self, found: Mutex::new(found) }
    }

    fn after_brief(&self, brief: Brief) {
        let Brief { done, steps, members, left } = brief;
        let each = steps / done;
        let epochs = self.epochs_left(0, 0, members / done);
        let search = each * (START + EPOCH * epochs);
        self.watch.expect((each * left + self.settings.searches as f64 * search) as u64);
        let mut searches = self.searches.lock().unwrap_or_else(PoisonError::into_inner);
        searches.fill(search);
    }

    /// After an epoch of a search, which took so many `steps` in all epochs `done`, the last `idle` of
    /// them without a gain.
    pub(super) fn after_epoch(
        &self,
        search: usize,
        steps: u64,
        (done, idle): (usize, usize),
        members: usize,
    ) {
        let each = steps as f64 / done as f64;
        let mut searches = self.searches.lock().unwrap_or_else(PoisonError::into_inner);
        searches[search] = each * self.epochs_left(done, idle, members as f64);
        self.watch.expect(searches.iter().sum::<f64>() as u64);
    }

    /// After a search.
    pub(super) fn after_search(&self, search: usize) {
        let mut searches = self.searches.lock().unwrap_or_else(PoisonError::into_inner);
        searches[search] = 0.0;
        self.watch.expect(searches.iter().sum::<f64>() as u64);
    }

    /// How many epochs are left: at most those that are allowed, and about as many as may pass without
    /// a gain.
    fn epochs_left(&self, done: usize, idle: usize, members: f64) -> f64 {
        let patience = self.settings.patience as f64 * members - idle as f64;
        let allowed = self.settings.epochs.saturating_sub(done) as f64;
        (GAINS * patience.max(0.0)).min(allowed)
    }
}

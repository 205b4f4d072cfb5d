//! When a search ends. Conditions combine, and each knows how far it is, as a fraction.

use super::{Evolution, Space, Strategy};
use crate::error::{Error, Result};
use crate::run::Stop;
use std::fmt;

/// A condition that ends a search.
#[derive(Clone)]
pub enum Until<'a> {
    /// The best score is at least this good. For one objective.
    Reached(f64),
    /// So many generations of children have been.
    Generations(u64),
    /// At least so many genomes have been scored. A generation is never cut in two.
    Evaluations(u64),
    /// The figure that the strategy watches has not improved for so many generations.
    Stale(u64),
    /// The mean distance between two members is at most this.
    Diversity(f64),
    /// So many seconds have passed on the caller's clock.
    Time {
        /// The seconds.
        limit: f64,
        /// The seconds that have passed. The library itself never looks at a clock.
        clock: &'a (dyn Fn() -> f64 + Sync),
    },
    /// The flag is up.
    Flag(&'a Stop),
    /// One of these is met. Never, where there are none.
    Any(Vec<Until<'a>>),
    /// All of these are met. At once, where there are none.
    All(Vec<Until<'a>>),
}

impl<'a> Until<'a> {
    /// This or the other.
    #[must_use]
    pub fn or(self, other: Until<'a>) -> Self {
        match self {
            Self::Any(mut all) => {
                all.push(other);
                Self::Any(all)
            }
            one => Self::Any(vec![one, other]),
        }
    }

    /// This and the other.
    #[must_use]
    pub fn and(self, other: Until<'a>) -> Self {
        match self {
            Self::All(mut all) => {
                all.push(other);
                Self::All(all)
            }
            one => Self::All(vec![one, other]),
        }
    }

    /// Whether the search should end. Never before the first population was scored.
    pub fn met<S, T, P>(&self, search: &Evolution<S, T, P>) -> bool
    where
        S: Space,
        T: Strategy<S>,
        P: Clone + Send + Sync,
    {
        !search.state().members().is_empty() && self.progress(search) >= 1.0
    }

    /// How far the search is towards this end: 1 when it is met, less before. A score counts
    /// from the best of the first population, a diversity as the level over what it is.
    pub fn progress<S, T, P>(&self, search: &Evolution<S, T, P>) -> f64
    where
        S: Space,
        T: Strategy<S>,
        P: Clone + Send + Sync,
    {
        let state = search.state();
        match self {
            Self::Reached(score) => {
                let (first, least) = state.way();
                let wanted = state.goals()[0].turn(*score);
                part(first - least, first - wanted, least <= wanted)
            }
            Self::Generations(n) => count(state.generation(), *n),
            Self::Evaluations(n) => count(state.evaluations(), *n),
            Self::Stale(n) => count(state.stale(), *n),
            Self::Diversity(level) => {
                search.diversity().map_or(0.0, |now| part(*level, now, now <= *level))
            }
            Self::Time { limit, clock } => {
                let now = clock();
                part(now, *limit, now >= *limit)
            }
            Self::Flag(flag) => f64::from(u8::from(flag.requested())),
            Self::Any(all) => all.iter().map(|one| one.progress(search)).fold(0.0, f64::max),
            Self::All(all) => all.iter().map(|one| one.progress(search)).fold(1.0, f64::min),
        }
    }

    /// Refuses a condition that this search can never meet.
    pub(super) fn check<S, T, P>(&self, search: &Evolution<S, T, P>) -> Result<()>
    where
        S: Space,
        T: Strategy<S>,
        P: Clone + Send + Sync,
    {
        let wrong = match self {
            Self::Reached(_) if search.state().goals().len() != 1 => {
                "one score cannot be reached where there are many objectives"
            }
            Self::Reached(level) | Self::Diversity(level) | Self::Time { limit: level, .. }
                if level.is_nan() =>
            {
                "a search cannot end at what is not a number"
            }
            Self::Diversity(_) if !search.knows_distances()? => {
                "no diversity can be reached in a space without distances"
            }
            Self::Any(all) | Self::All(all) => {
                return all.iter().try_for_each(|one| one.check(search));
            }
            _ => return Ok(()),
        };
        Err(Error::unsuitable(wrong, "end the search by another condition"))
    }
}

/// The fraction of a way, 1 exactly where it is done.
fn part(done: f64, whole: f64, met: bool) -> f64 {
    let fraction = done / whole;
    match (met, fraction.is_nan()) {
        (true, _) => 1.0,
        (false, true) => 0.0,
        (false, false) => fraction.clamp(0.0, 1.0 - f64::EPSILON),
    }
}

fn count(done: u64, whole: u64) -> f64 {
    part(done as f64, whole as f64, done >= whole)
}

impl fmt::Debug for Until<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reached(score) => write!(f, "Reached({score})"),
            Self::Generations(n) => write!(f, "Generations({n})"),
            Self::Evaluations(n) => write!(f, "Evaluations({n})"),
            Self::Stale(n) => write!(f, "Stale({n})"),
            Self::Diversity(level) => write!(f, "Diversity({level})"),
            Self::Time { limit, .. } => write!(f, "Time({limit})"),
            Self::Flag(_) => f.write_str("Flag"),
            Self::Any(all) => f.debug_tuple("Any").field(all).finish(),
            Self::All(all) => f.debug_tuple("All").field(all).finish(),
        }
    }
}

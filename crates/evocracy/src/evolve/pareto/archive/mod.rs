//! An unbounded set of points none of which dominates another, each with a payload.
//!
//! J. E. Fieldsend, R. M. Everson, S. Singh, "Using Unconstrained Elite Archives for
//! Multiobjective Optimization", 2003: a bounded archive can lose points that nothing dominates,
//! and then the front it holds shrinks and wavers. This one loses none. How it looks points up
//! is told in `tree`.
//!
//! Invariants: no point dominates another; members are walked in the order in which they came;
//! the same insertions give the same members whatever was saved and loaded in between.

mod index;
mod saved;

use super::points::{PointSet, check, objectives};
use crate::error::{Error, Result};
use crate::evolve::Goal;
use index::Index;

/// What happens to a point that equals a member in all objectives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Duplicates {
    /// The member stays, the new one is turned away.
    #[default]
    KeepFirst,
    /// The new one takes the member's place, at the end of the order.
    KeepLast,
    /// Both stay.
    KeepAll,
}

/// What became of a point that was offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// A member dominates it.
    Dominated,
    /// It equals a member and was turned away.
    Duplicate,
    /// It is a member now, and so many were taken out for it.
    Kept {
        /// Members it dominates, or the equal one it took the place of.
        removed: usize,
    },
}

impl Outcome {
    /// Whether the point is a member now.
    pub fn kept(self) -> bool {
        matches!(self, Self::Kept { .. })
    }
}

/// A member.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ArchiveEntry<'a, T> {
    /// The less the better, in every objective.
    pub costs: &'a [f64],
    /// What came with the point.
    pub payload: &'a T,
}

/// No older twin.
const NONE: u32 = u32::MAX;

/// The set, with one payload for each point.
#[derive(Debug, Clone)]
pub struct Archive<T> {
    goals: Vec<Goal>,
    duplicates: Duplicates,
    index: Index,
    /// By slot, in the order of insertion; slots of removed members are empty until there are
    /// more of them than of members.
    costs: Vec<f64>,
    slots: Vec<Slot<T>>,
    len: usize,
    removed: Vec<u32>,
}

#[derive(Debug, Clone)]
struct Slot<T> {
    payload: Option<T>,
    /// The slot of an older equal member: the index knows only the newest.
    twin: u32,
}

impl<T> Archive<T> {
    /// An empty archive of points with 1 to 6 objectives.
    pub fn new(goals: &[Goal]) -> Result<Self> {
        Self::with_duplicates(goals, Duplicates::default())
    }

    /// An empty archive with a rule for equal points.
    pub fn with_duplicates(goals: &[Goal], duplicates: Duplicates) -> Result<Self> {
        Ok(Self {
            goals: goals.to_vec(),
            duplicates,
            index: Index::new(goals.len())?,
            costs: Vec::new(),
            slots: Vec::new(),
            len: 0,
            removed: Vec::new(),
        })
    }

    /// Offers a point. It becomes a member unless a member dominates it or, depending on the
    /// rule for duplicates, equals it. Members that it dominates are taken out.
    pub fn insert(&mut self, objectives: &[f64], payload: T) -> Result<Outcome> {
        let mut costs = [0.0; index::MOST];
        let costs = self.to_costs(objectives, &mut costs)?;
        self.offer(costs, payload, drop)
    }

    /// As [`Archive::insert`], and hands over the payloads of those that were taken out, in the
    /// order in which they came; equal ones together, the newest first.
    pub fn exchange(
        &mut self,
        objectives: &[f64],
        payload: T,
        taken: impl FnMut(T),
    ) -> Result<Outcome> {
        let mut costs = [0.0; index::MOST];
        let costs = self.to_costs(objectives, &mut costs)?;
        self.offer(costs, payload, taken)
    }

    fn offer(&mut self, costs: &[f64], payload: T, taken: impl FnMut(T)) -> Result<Outcome> {
        let slot = self.slots.len() as u32;
        if slot == NONE {
            return Err(Error::unsuitable("the archive is full", "keep fewer than 2^32 points"));
        }
        let mut twin = NONE;
        if let Some(cover) = self.index.cover(costs) {
            if self.row(cover) != costs {
                return Ok(Outcome::Dominated);
            }
            match self.duplicates {
                Duplicates::KeepFirst => return Ok(Outcome::Duplicate),
                Duplicates::KeepLast => {}
                Duplicates::KeepAll => twin = cover,
            }
        }
        self.removed.clear();
        // This takes out an equal one as well, whose place the new one takes.
        self.index.take_covered(costs, &mut self.removed);
        // The index has an order of its own, which saving does not keep.
        self.removed.sort_unstable();
        let removed = if twin == NONE { self.forget(taken) } else { 0 };
        self.index.insert(costs, slot);
        self.costs.extend_from_slice(costs);
        self.slots.push(Slot { payload: Some(payload), twin });
        self.len += 1;
        if self.slots.len() > 2 * self.len + 64 {
            self.compact();
        }
        Ok(Outcome::Kept { removed })
    }

    /// Whether [`Archive::insert`] would keep a point with these objectives.
    pub fn would_keep(&self, objectives: &[f64]) -> Result<bool> {
        let mut costs = [0.0; index::MOST];
        let costs = self.to_costs(objectives, &mut costs)?;
        Ok(match self.index.cover(costs) {
            None => true,
            Some(cover) => self.row(cover) == costs && self.duplicates != Duplicates::KeepFirst,
        })
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// What every objective is for.
    pub fn goals(&self) -> &[Goal] {
        &self.goals
    }

    /// The rule for equal points.
    pub fn duplicates(&self) -> Duplicates {
        self.duplicates
    }

    /// The members in the order in which they came.
    pub fn iter(&self) -> impl Iterator<Item = ArchiveEntry<'_, T>> {
        self.costs.chunks_exact(self.goals.len()).zip(&self.slots).filter_map(|(costs, slot)| {
            slot.payload.as_ref().map(|payload| ArchiveEntry { costs, payload })
        })
    }

    /// The points of the members, in the order in which they came.
    pub fn points(&self) -> Result<PointSet> {
        let mut points = PointSet::new(&self.goals)?;
        self.iter().for_each(|entry| points.push_costs(entry.costs));
        Ok(points)
    }

    /// The objectives of a member as they were given.
    pub fn objectives(&self, entry: &ArchiveEntry<'_, T>) -> Vec<f64> {
        objectives(&self.goals, entry.costs)
    }

    fn to_costs<'a>(&self, objectives: &[f64], room: &'a mut [f64]) -> Result<&'a [f64]> {
        check(objectives, &self.goals)?;
        let costs = &mut room[..objectives.len()];
        for ((place, goal), &x) in costs.iter_mut().zip(&self.goals).zip(objectives) {
            *place = goal.turn(x);
        }
        Ok(costs)
    }

    fn row(&self, slot: u32) -> &[f64] {
        let m = self.goals.len();
        &self.costs[slot as usize * m..(slot as usize + 1) * m]
    }

    /// Empties the slots of those the index gave up, and of their twins.
    fn forget(&mut self, mut taken: impl FnMut(T)) -> usize {
        let before = self.len;
        for &newest in &self.removed {
            let mut at = newest;
            while at != NONE {
                let slot = &mut self.slots[at as usize];
                slot.payload.take().into_iter().for_each(&mut taken);
                at = std::mem::replace(&mut slot.twin, NONE);
                self.len -= 1;
            }
        }
        before - self.len
    }

    /// Closes the gaps that removed members left.
    fn compact(&mut self) {
        let m = self.goals.len();
        let mut names = vec![NONE; self.slots.len()];
        let mut next = 0;
        for (slot, name) in names.iter_mut().enumerate() {
            if self.slots[slot].payload.is_some() {
                *name = next as u32;
                self.costs.copy_within(slot * m..(slot + 1) * m, next * m);
                next += 1;
            }
        }
        self.costs.truncate(next * m);
        self.slots.retain(|slot| slot.payload.is_some());
        for slot in &mut self.slots {
            if slot.twin != NONE {
                slot.twin = names[slot.twin as usize];
            }
        }
        self.index.rename(&names);
    }
}

#[cfg(test)]
mod tests;

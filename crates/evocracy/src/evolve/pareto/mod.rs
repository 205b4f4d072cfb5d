//! Several objectives at once: what dominates what, sets that nothing dominates, how good such a
//! set is and which of its points to take.
//!
//! A point `a` dominates `b` where it is no worse in every objective and better in at least one
//! (V. Pareto; K. Deb, "Multi-Objective Optimization Using Evolutionary Algorithms", 2001,
//! section 2.4). Objectives enter through [`PointSet`] or [`Archive`], which turn every one of them
//! into a cost, the less the better, and refuse NaN. Everything behind that door works on costs
//! and cannot meet a NaN.
//!
//! | question | answer |
//! |---|---|
//! | which points does nothing dominate | [`Archive`], one by one; [`Sorter`], all at once |
//! | how crowded is it around a point | [`Crowding`] |
//! | how good is a set | [`hypervolume`], [`generational_distance`], [`igd_plus`], [`spread`], [`Attainment`] |
//! | which point should I take | [`decide`] |
//! | what if objectives are uncertain | [`uncertain`] |

mod archive;
mod attainment;
mod crowding;
pub mod decide;
mod hypervolume;
mod indicators;
mod points;
mod sort;
mod tree;
pub mod uncertain;

pub use archive::{Archive, ArchiveEntry, Duplicates, Outcome};
pub use attainment::Attainment;
pub use crowding::Crowding;
pub use hypervolume::hypervolume;
pub use indicators::{generational_distance, igd_plus, spread};
pub use points::{PointSet, Relation};
pub use sort::Sorter;

#[cfg(test)]
mod testing;

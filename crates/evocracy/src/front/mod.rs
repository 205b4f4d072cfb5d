//! Fronts: many models with a promise each, to choose from, in one file.
//!
//! A [`FrontModel`] holds [`FrontPoints`]: for every point the member that answers, the threshold
//! it calls by, its objectives on training rows and on rows that it was not fitted to, and its
//! complexity. One point is the chosen one; it answers until another is taken
//! ([`Model::at_point`](crate::model::Model::at_point)).

mod evolved;
mod machines;
mod members;
mod misses;
mod model;
mod options;
mod path;
mod pick;
mod points;
mod rates;
mod several;
mod soft;
mod thesis;
mod unseen;

pub use evolved::{Begin, EvoLogistic, EvoRvm};
pub use members::{EvoRules, EvoTree};
pub use model::FrontModel;
pub use options::Admission;
pub use pick::PickBy;
pub use points::{FrontPoint, FrontPoints, Objective, Promise, TrainingFigures};
pub use thesis::{Candidate, Complexity, Scheme, archive_candidates};

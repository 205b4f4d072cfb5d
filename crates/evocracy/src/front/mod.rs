//! Fronts: many models with a promise each, to choose from, in one file.
//!
//! A [`FrontModel`] holds [`FrontPoints`]: for every point the member that answers, the threshold
//! it calls by, its objectives on training rows and on rows that it was not fitted to, and its
//! complexity. One point is the chosen one; it answers until another is taken
//! ([`Model::at_point`](crate::model::Model::at_point)).

mod model;
mod points;

pub use model::FrontModel;
pub use points::{FrontPoint, FrontPoints, Objective, Promise};

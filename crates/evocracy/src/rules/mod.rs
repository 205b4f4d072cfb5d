//! Committees of rules: if conditions hold, then a class.

#[allow(dead_code, unused_imports, reason = "its other users come with the next commits")]
pub(crate) mod condition;
pub mod exhaustive;
pub mod joint;

pub use exhaustive::{MoeBatch, MoeBatchModel, MoeOnline, MoeOnlineModel};
pub use joint::{MoeJoint, MoeJointModel};

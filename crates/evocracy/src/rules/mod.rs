//! Committees of rules: if conditions hold, then a class.

pub(crate) mod condition;
pub mod exhaustive;
pub mod joint;
pub mod mixture;
pub(crate) mod relief;
pub mod ucs;

pub use exhaustive::{MoeBatch, MoeBatchModel, MoeOnline, MoeOnlineModel};
pub use joint::{MoeJoint, MoeJointModel};
pub use mixture::{MoeGa, MoeGaModel, MoeRegression, MoeRegressionModel};
pub use ucs::{Ucs, UcsModel};

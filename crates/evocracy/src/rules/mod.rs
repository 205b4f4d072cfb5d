//! Rule committees: rules of the form "if these tests hold, the classes have these probabilities",
//! whose votes are combined.

pub(crate) mod condition;
mod epoch;
mod exhaustive;
mod joint;
mod mixture;
mod moe_ga;
pub(crate) mod relief;
pub mod ucs;

pub use exhaustive::{MoeBatch, MoeBatchModel, MoeOnline, MoeOnlineModel};
pub use joint::{MoeJoint, MoeJointModel};
pub use mixture::{MixtureModel, MoeRegression, MoeRegressionModel};
pub use moe_ga::{Likelihood, MoeGa, MoeGaModel};
pub use ucs::{Ucs, UcsModel};

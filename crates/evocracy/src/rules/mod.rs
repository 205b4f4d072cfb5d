//! Rule committees: rules of the form "if these tests hold, the classes have these probabilities",
//! whose votes are combined.

mod mixture;
mod moe_ga;

pub use mixture::{MixtureModel, MoeRegression, MoeRegressionModel};
pub use moe_ga::{Likelihood, MoeGa, MoeGaModel};

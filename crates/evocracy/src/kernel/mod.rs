//! Relevance vector machines: sparse sums of kernels whose number the evidence decides.
//!
//! A weight has a Gaussian prior of its own precision alpha; the evidence of the data (the
//! likelihood with the weights integrated out) is raised by the precisions, and most of them go to
//! infinity, which takes their bases out of the model. The equations are those of the thesis (A. R.
//! J. Clark, 2.3 and 3.2) but for its misprints: (3.8) has `B^-1`, (3.9) starts with `Phi`, (2.79)
//! has the working targets, (3.3) has the square of the weight, (2.80) has the softmax.
//!
//! | file | job |
//! |---|---|
//! | `bases`, `design` | the functions that are summed; their values at the training rows |
//! | `evidence` | the log evidence of all variants, the complexity of a model |
//! | `irls` | the most probable weights for given precisions |
//! | `gauss`, `smooth` | the Gaussian problem among a few bases, action by action; a prior for it |
//! | `fast`, `classic` | the search for the precisions |
//! | `machine` | a sum of bases that can be saved: values, variances, contributions |
//! | `plan`, `ground` | what all methods are told of their bases; the rows they learn from |
//! | `given` | bases of one's own |
//! | `width`, `scales` | the width of the kernel and the scales of the inputs, where nobody knows them |
//! | `classify`, `softmax`, `regress` | the methods |
//! | `class_model`, `number_model` | what they learn |
//! | `territory` | where the training rows are |

mod bases;
mod class_model;
pub mod classic;
mod classify;
mod design;
mod evidence;
pub mod fast;
mod gauss;
mod given;
mod ground;
pub mod irls;
mod machine;
mod number_model;
mod plan;
mod regress;
mod scales;
mod smooth;
mod softmax;
mod sums;
mod territory;
#[cfg(test)]
mod tests;
mod width;

pub use bases::{Base, Kernel};
pub use class_model::RvmModel;
pub use classify::{Multi, Rvm, RvmClassic};
pub use design::{Design, Dictionary, Keep};
pub use evidence::{complexity, log_evidence};
pub use machine::Machine;
pub use number_model::RvmRegressionModel;
pub use regress::RvmRegression;
pub use scales::Scales;
pub use sums::SparseSums;
pub use width::{Choose, Width};

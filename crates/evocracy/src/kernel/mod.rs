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
//! | `width` | the width of the kernel, where nobody knows it |
//! | `classify`, `regress` | the methods |

mod bases;
pub mod classic;
mod classify;
mod design;
mod evidence;
pub mod fast;
mod gauss;
pub mod irls;
mod machine;
mod regress;
mod smooth;
#[cfg(test)]
mod tests;
mod width;

pub use bases::{Base, Kernel};
pub use classify::{Multi, Rvm, RvmClassic, RvmModel};
pub use design::{Design, Dictionary, Keep};
pub use evidence::{complexity, log_evidence};
pub use machine::Machine;
pub use regress::{RvmRegression, RvmRegressionModel};
pub use width::{Choose, Width};

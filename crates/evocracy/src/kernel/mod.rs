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
//! | `irls` | the posterior mode of the weights for given precisions |
//! | `gaussian`, `smoothness` | the Gaussian problem among a few bases, action by action; its smoothness prior |
//! | `fast`, `classic` | the search for the precisions |
//! | `ard`, `few` | the same for many more columns than rows; a ridge fit of a few columns |
//! | `sparse_sum` | a sum of bases that can be saved: values, variances, contributions |
//! | `likeness` | in which inputs a row is near a centre, in words |
//! | `options`, `training` | the options of all methods; the training rows |
//! | `custom` | bases that the caller brings |
//! | `width`, `scales` | the width of the kernel and the scales of the inputs, where they are not given |
//! | `inputs` | which of many inputs count |
//! | `all_rows` | what was found on some rows, fitted to all |
//! | `classification`, `softmax`, `regression` | the methods |
//! | `classification_model`, `regression_model` | what they learn |
//! | `soft`, `low_rank` | sparse sums that imitate a dense reference; its features |
//! | `cover` | how far a row is from the training rows |
//! | `tuning` | the constants of the search |

mod all_rows;
pub mod ard;
mod bases;
pub mod classic;
mod classification;
mod classification_model;
mod cover;
mod custom;
mod design;
mod evidence;
pub mod fast;
pub mod few;
mod gaussian;
mod inputs;
pub mod irls;
mod likeness;
mod low_rank;
mod options;
mod regression;
mod regression_model;
mod scales;
mod smoothness;
pub(crate) mod soft;
mod softmax;
mod sparse_sum;
mod sparse_sums;
#[cfg(test)]
mod tests;
mod training;
mod tuning;
mod width;

pub use bases::{Basis, Kernel};
pub use classification::{Multi, Rvm, RvmClassic};
pub use classification_model::RvmModel;
pub(crate) use design::reserve;
pub use design::{Design, Dictionary, Keep};
pub use evidence::{complexity, log_evidence};
pub use inputs::Inputs;
pub use regression::RvmRegression;
pub use regression_model::RvmRegressionModel;
pub use scales::Scales;
pub use sparse_sum::SparseSum;
pub use sparse_sums::SparseSums;
pub(crate) use training::stratified_sample;
pub(crate) use width::WidthBounds;
pub use width::{Choose, Width};

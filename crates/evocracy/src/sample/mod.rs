//! Sampled hard classifiers: probabilities out of classifiers that say yes or no and nothing else.
//!
//! A. R. J. Clark's thesis, chapter 5: the parameters of a hard classifier are sampled by approximate
//! Bayesian computation, with the area under its ROC curve as the summary statistic, and the mean of
//! the calls of all samples is a probability (5.15). The default sampler is another, `costs`: a chain
//! for each cost of a false alarm. See `sampled`.
//!
//! | file | job |
//! |---|---|
//! | `hard` | what a hard classifier is |
//! | `rows`, `units`, `quick` | the built-in ones: networks, linear, threshold rules |
//! | `external` | programs |
//! | `prior` | priors of parameters |
//! | `walk` | one chain: proposals and acceptance |
//! | `chains` | many chains that exchange states, stopped and continued |
//! | `population` | rejection, sequential sampling |
//! | `settings`, `sampled` | from options to samples |
//! | `tune` | weight and prior width by cross-validation |
//! | `mixing` | diagnostics |
//! | `model` | samples as a committee |
//! | `abc` | the method `abc-mlp` |
//!
//! Invariants: a chain depends on its seed, the classifier's calls, priors and options, and on
//! nothing else: any classifier with the same calls gives the same chain.

mod abc;
mod chains;
mod external;
mod hard;
mod mixing;
mod model;
mod population;
mod prior;
mod quick;
mod rows;
mod sampled;
mod settings;
#[cfg(test)]
mod stationary;
#[cfg(test)]
mod tests;
mod tune;
mod units;
mod walk;

pub use abc::AbcMlp;
pub use chains::{Approach, Chain, Plan};
pub use external::{Program, Session};
pub use hard::{Hard, Trial, Within, Wrong};
pub use mixing::Mixing;
pub use model::{Caller, ChainModel, SampledPart};
pub use prior::{Prior, Priors};
pub use rows::LabelledRows;
pub use settings::{Sampler, Sampling};
pub use units::{HardUnits, Unit, Units, tanh};
pub use walk::{Distance, Proposal, Target, Walk};

pub(crate) use abc::{Kind, learn};

//! Evolution: a search by selection, recombination and mutation over genomes of any kind.
//!
//! Four parts are put together. A [`Space`] says what a genome is and how it varies, a
//! [`Problem`] scores genomes, a [`Strategy`] says who has children and who survives, and an
//! [`Evolution`] drives them: by [`Evolution::run`], or step by step with [`Evolution::ask`] and
//! [`Evolution::tell`].
//!
//! Invariants: scores are kept as costs, so that smaller is better everywhere inside, and none
//! of them is NaN; every generation draws from a generator of its own, which depends on the seed
//! and the number of the generation alone, so a search that was saved and continued gives the
//! same bytes as one that was not; evaluation is seeded by place, so any number of threads gives
//! the same bytes. Nothing here knows of data tables.

mod draw;
mod evolution;
mod genome;
pub mod multi;
pub mod pareto;
mod problem;
pub mod problems;
mod single;
mod space;
mod strategy;
mod undefined;
mod until;
pub mod vary;

pub(crate) use draw::shuffle;
pub use draw::{Rate, Rng, below, chance, gauss, laplace, rng, unit};
pub use evolution::{Best, Evolution, LogEntry, State};
pub use genome::{
    Attribute, BitString, Bits, Code, Hypotheses, Integers, Permutation, Permutations, Reals,
    Stepped, Stepping,
};
pub use problem::{Batch, Goal, Maximise, Minimise, Problem, ScorePoints, Scored};
pub use single::{Scale, Select, Sharing, Single, Survive, selection_probabilities};
pub use space::{Domain, Space, Varied};
pub use strategy::{Generation, Members, Next, Strategy};
pub use undefined::{Penalty, Reject, Repair};
pub use until::Until;

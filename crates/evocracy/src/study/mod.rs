//! Many fits: methods compared on the same folds, saved models compared on the same rows.
//!
//! [`compare`] trains every [`Entrant`] on the folds of every [`Ground`] and puts what that is worth
//! side by side in a [`CompareReport`]: figures with intervals and ranks, the corrected resampled t
//! test between methods within a set (Nadeau, Bengio 2003), Wilcoxon's test and those of Friedman
//! and Nemenyi over several sets (Demsar 2006). Probabilities that were made elsewhere on the same
//! folds are judged in the same table ([`Ground::outside`]). [`Paired`] compares saved models on
//! rows that all of them are asked about.
//!
//! Invariants: a fold's seed depends on the run's seed and the number of the fold alone, so a
//! method's figures do not depend on what it is compared with, and are those of
//! [`out_of_sample`](crate::judge::out_of_sample); parameters are tuned on training rows of the
//! fold only. The clock is the caller's ([`Asked::clock`]): no time is in the report.

mod entrant;
mod figures;
mod ground;
mod metric;
mod over_sets;
mod paired;
mod report;
mod space;
mod trials;
mod tune;
mod within;

pub use entrant::{Entrant, fitting};
pub use figures::MetricReport;
pub use ground::{Assigned, Ground};
pub use metric::Metric;
pub use over_sets::{OverSets, SignedRanks};
pub use paired::{ModelFigures, Paired, PairedModels};
pub use report::{
    Asked, CompareReport, Compared, Failure, MethodReport, Outcome, SetReport, compare,
};
pub use trials::Spent;
pub use within::{Difference, PairReport};

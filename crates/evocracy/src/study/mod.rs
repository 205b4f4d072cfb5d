//! Many fits: methods compared on the same folds, saved models compared on the same rows.
//!
//! [`compare`] trains every [`Entrant`] on the folds of every [`Folded`] and puts what that is worth
//! side by side in a [`CompareReport`]: figures with intervals and ranks, the corrected resampled t
//! test between methods within a set (Nadeau, Bengio 2003), Wilcoxon's test and those of Friedman
//! and Nemenyi over several sets (Demsar 2006). Probabilities that were made elsewhere on the same
//! folds are judged in the same table ([`Folded::outside`]). [`Paired`] compares saved models on
//! rows that all of them are asked about.
//!
//! Invariants: a fold's seed depends on the run's seed and the number of the fold alone, so a
//! method's figures do not depend on what it is compared with, and are those of
//! [`out_of_sample`](crate::judge::out_of_sample); parameters are tuned on training rows of the
//! fold only. The clock is the caller's ([`Asked::clock`]): no time is in the report.
//!
//! ```
//! use evocracy::data::catalogue::{Catalogue, Load};
//! use evocracy::run::{Pool, Run, Seed, Stop};
//! use evocracy::study::{Asked, Entrant, Folded, Metric, compare};
//!
//! let data = Catalogue::embedded().open("iris", &Load::default())?;
//! let folded = Folded::new(data, 5, 1, Seed::new(1))?;
//! let entrants = [Entrant::new("stump", &[])?, Entrant::new("naive-bayes", &[])?];
//! let (stop, pool) = (Stop::new(), Pool::new(2)?);
//! let run = Run::new(1, &stop, &pool);
//! let found = compare(&[folded], &entrants, &Asked::default(), &run)?;
//! let bayes = &found.report.sets[0].methods[1];
//! assert_eq!(bayes.figures[&Metric::Auc].rank, Some(1.0));
//! # Ok::<(), evocracy::error::Error>(())
//! ```

mod entrant;
mod figures;
mod folded;
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
pub use folded::{Assigned, Folded};
pub use metric::Metric;
pub use over_sets::{OverSets, SignedRanks};
pub use paired::{ModelFigures, Paired, PairedModels};
pub use report::{
    Asked, CompareReport, Compared, Failure, MethodReport, Outcome, SetReport, compare,
};
pub use trials::Spent;
pub use within::{Difference, PairReport};

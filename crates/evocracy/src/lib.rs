//! Evolved committees of experts for classification, with the whole trade-off in view.
//!
//! Start with a [`data::Dataset`], choose a [`method`], train it, judge it with [`measure`]:
//!
//! ```
//! use evocracy::data::catalogue::Catalogue;
//! use evocracy::method;
//! use evocracy::run::{Pool, Run, Stop};
//!
//! let data = Catalogue::embedded().open("wdbc", &Default::default())?;
//! let (stop, pool) = (Stop::new(), Pool::new(1)?);
//! let run = Run::new(1, &stop, &pool);
//! let fitted = method::make("tree", &[])?.train(&data.task()?, &run)?;
//! let proba = fitted.model.proba(data.features())?;
//! assert_eq!(proba.rows(), 569);
//! # Ok::<(), evocracy::error::Error>(())
//! ```

pub mod classify;
pub mod committee;
pub mod data;
pub mod error;
pub mod evolve;
pub mod experts;
pub mod front;
pub mod judge;
pub mod kernel;
pub mod measure;
pub mod method;
pub mod model;
pub mod network;
pub mod num;
pub mod param;
pub mod rules;
pub mod run;
pub mod sample;
pub mod select;
pub mod study;

/// The code in the architecture page compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/ARCHITECTURE.md")]
struct ArchitecturePage;

/// The code in the page on committees compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/committees.md")]
struct CommitteesPage;

/// The code in the page on UCS compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/rules-ucs.md")]
struct UcsPage;

/// The code in the page on results compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/results.md")]
struct ResultsPage;

/// The code in the page on judging compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/judging.md")]
struct JudgingPage;

/// The code in the page on evolution compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/evolution.md")]
struct EvolutionPage;

/// The code in the page on networks compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/networks.md")]
struct NetworksPage;

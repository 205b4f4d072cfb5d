//! Tables and figures of the papers, measured anew beside what was printed.
//!
//! An [`Experiment`] has a name, runs on a [`Run`] and yields [`Row`]s and, where there is
//! something to see, [`Picture`]s. `quick` is a small version for tests; the full one ends within
//! minutes on two cores.

mod abc;
mod alarm;
mod combine;
mod fronts;
mod genes;
mod homogeneous;
mod lecture;
mod picture;
mod row;
mod rules;
mod rvm;
mod rvm_regression;
mod sets;
#[cfg(test)]
mod testing;

pub use picture::Picture;
pub use row::{Compare, Row};

use evocracy::error::{Error, Result};
use evocracy::run::Run;
use serde::Serialize;

/// Something that was claimed and can be measured.
#[derive(Debug, Clone, Copy)]
pub struct Experiment {
    /// The name on the command line.
    pub name: &'static str,
    /// What is claimed and where, in a line.
    pub about: &'static str,
    run: fn(&Run<'_>, bool) -> Result<Findings>,
}

/// What an experiment yields.
struct Findings {
    rows: Vec<Row>,
    pictures: Vec<Picture>,
}

impl From<Vec<Row>> for Findings {
    fn from(rows: Vec<Row>) -> Self {
        Self { rows, pictures: Vec::new() }
    }
}

/// What an experiment measured.
#[derive(Debug, Clone, Serialize)]
pub struct Measured {
    /// The experiment.
    pub experiment: &'static str,
    /// The seed it ran with.
    pub seed: u64,
    /// Whether it was the small version, whose figures are rougher.
    pub quick: bool,
    /// The figures.
    pub rows: Vec<Row>,
    /// The pictures.
    pub pictures: Vec<Picture>,
}

/// All experiments.
pub const EXPERIMENTS: &[Experiment] = &[
    homogeneous::EXPERIMENT,
    lecture::EXPERIMENT,
    rules::em::EXPERIMENT,
    rules::xor6::EXPERIMENT,
    rules::mux3::EXPERIMENT,
    rules::uci::EXPERIMENT,
    rules::multiplexer::EXPERIMENT,
    rules::regression::EXPERIMENT,
    rvm::EXPERIMENT,
    fronts::FRONTS,
    fronts::SCHEMES,
    fronts::NSGA2,
    fronts::DEFAULTS,
    rvm_regression::EXPERIMENT,
    combine::MF,
    combine::IMAGE,
    combine::DIGITS,
    combine::COPIES,
    combine::DEFAULTS,
    abc::RIPLEY,
    abc::WAVEFORM,
    alarm::EXPERIMENT,
    genes::LEUKEMIA,
    genes::COLON,
    genes::BREAST,
    genes::SYNTHETIC,
];

/// The experiment `name`.
pub fn find(name: &str) -> Result<&'static Experiment> {
    EXPERIMENTS.iter().find(|experiment| experiment.name == name).ok_or_else(|| {
        Error::unknown("experiment", name, None, EXPERIMENTS.iter().map(|known| known.name))
    })
}

/// What a reader of the rows of an experiment must know, such as settings that were chosen after a look
/// at reported figures.
const NOTES: &[(&str, &str)] = &[
    ("fronts", fronts::NOTE),
    ("fronts-defaults", fronts::DEFAULTS_NOTE),
    ("genes-leukemia", genes::NOTE),
    ("genes-colon", genes::NOTE),
    ("genes-breast", genes::BREAST_NOTE),
    ("genes-synthetic", genes::SYNTHETIC_NOTE),
];

impl Experiment {
    /// What must be known about its rows; mostly nothing.
    pub fn note(&self) -> &'static str {
        NOTES.iter().find(|(name, _)| *name == self.name).map_or("", |(_, note)| note)
    }

    /// Measures.
    pub fn measure(&self, run: &Run<'_>, quick: bool) -> Result<Measured> {
        let Findings { rows, pictures } = (self.run)(run, quick)?;
        Ok(Measured { experiment: self.name, seed: run.seed.value(), quick, rows, pictures })
    }
}

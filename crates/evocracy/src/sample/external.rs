//! Hard classifiers outside of this program.
//!
//! The library starts no process and reads no clock: a shell implements [`Program`], whose sessions
//! answer for some rows. See `evocracy-external` for one that speaks JSON lines.

use super::hard::{Hard, Trial, Within, Wrong};
use super::prior::Prior;
use crate::data::View;
use crate::error::{Error, Result};
use std::fmt::Debug;

/// A hard classifier outside of this program.
pub trait Program: Debug + Send + Sync {
    /// Begins to answer for some rows.
    fn open(&self, rows: View<'_>) -> Result<Box<dyn Session>>;
}

/// A program that answers for some rows.
pub trait Session: Send {
    /// The prior of every parameter, as far as the program says; as many as it has parameters.
    fn priors(&self) -> &[Option<Prior>];

    /// Whether each row is called positive with these parameters.
    fn labels(&mut self, parameters: &[f64]) -> Result<&[bool]>;

    /// An error where it does not take so many parameters.
    fn fits(&self, parameters: usize) -> Result<()> {
        let takes = self.priors().len();
        if takes == parameters {
            return Ok(());
        }
        Err(Error::unsuitable(
            format!("the program takes {takes} parameters, and the model has {parameters}"),
            "give the program that the model was sampled from",
        ))
    }
}

/// A program as a hard classifier on labelled rows.
pub(crate) struct HardProgram<'a> {
    pub(crate) program: &'a dyn Program,
    pub(crate) rows: View<'a>,
    pub(crate) parameters: usize,
    pub(crate) positive: Vec<bool>,
    pub(crate) weights: Vec<f64>,
}

impl Hard for HardProgram<'_> {
    fn parameters(&self) -> usize {
        self.parameters
    }

    fn totals(&self) -> [f64; 2] {
        let of = |class: bool| {
            let own = self.positive.iter().zip(&self.weights).filter(|(is, _)| **is == class);
            own.map(|(_, weight)| weight).sum()
        };
        [of(true), of(false)]
    }

    fn start(&self) -> Result<Box<dyn Trial + '_>> {
        let session = self.program.open(self.rows)?;
        session.fits(self.parameters)?;
        Ok(Box::new(ProgramTrial { of: self, session }))
    }
}

struct ProgramTrial<'a> {
    of: &'a HardProgram<'a>,
    session: Box<dyn Session>,
}

impl Trial for ProgramTrial<'_> {
    fn call(
        &mut self,
        parameters: &[f64],
        _: Option<&[u32]>,
        within: Within<'_>,
    ) -> Result<Option<Wrong>> {
        let labels = self.session.labels(parameters)?;
        let mut wrong = Wrong::default();
        for ((&yes, &positive), weight) in
            labels.iter().zip(&self.of.positive).zip(&self.of.weights)
        {
            match (yes, positive) {
                (true, false) => wrong.alarms += weight,
                (false, true) => wrong.missed += weight,
                _ => {}
            }
        }
        Ok(within(wrong).then_some(wrong))
    }

    fn keep(&mut self) {}
}

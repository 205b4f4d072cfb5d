//! A process that answers for one table, and is started again where it ends.

use super::{Command, LONGEST, LONGEST_ROW, Process, lock};
use crate::line;
use evocracy::error::{Error, Result};
use evocracy::sample::{Prior, Session};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A process that answers for one table.
pub(super) struct Talk {
    of: Command,
    process: Option<Process>,
    table: Arc<str>,
    rows: usize,
    priors: Vec<Option<Prior>>,
    line: String,
    labels: Vec<bool>,
}

impl Talk {
    /// Begins to ask about a table of so many rows, a process where there is one already.
    pub(super) fn new(of: Command, process: Option<Process>, table: Arc<str>, rows: usize) -> Self {
        let (priors, line, labels) = Default::default();
        Self { of, process, table, rows, priors, line, labels }
    }

    /// Hands the table to the process, which is started where there is none. One that fails is ended.
    pub(super) fn tell_table(&mut self) -> Result<()> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.of.start()?,
        };
        self.priors = match process.table.take() {
            Some((known, priors)) if known == self.table => priors,
            _ => {
                let answer = process.ask(&self.table, LONGEST, &self.of)?;
                let priors = line::ready(&answer, self.rows)?;
                process.says_no_more(&self.of)?;
                priors
            }
        };
        process.table = Some((Arc::clone(&self.table), self.priors.clone()));
        self.process = Some(process);
        Ok(())
    }

    /// Asks for the labels of the parameters in `line`. A process that fails is ended.
    fn ask(&mut self) -> Result<String> {
        if self.process.is_none() {
            self.tell_table()?;
        }
        let mut process = self.process.take().ok_or(Error::Stopped)?;
        let longest = LONGEST_ROW * (self.rows + LONGEST_ROW);
        let answer = process.ask(&self.line, longest, &self.of)?;
        self.process = Some(process);
        Ok(answer)
    }

    /// Takes the labels of the parameters in `line`; the question is asked twice at most.
    fn take_labels(&mut self) -> Result<()> {
        let answer = match self.ask() {
            Ok(answer) => answer,
            Err(error) => {
                self.of.start_again(error)?;
                self.ask()?
            }
        };
        line::labels(&answer, self.rows, &mut self.labels)?;
        self.process.as_mut().map_or(Ok(()), |process| process.says_no_more(&self.of))
    }
}

impl Session for Talk {
    fn priors(&self) -> &[Option<Prior>] {
        &self.priors
    }

    fn labels(&mut self, parameters: &[f64]) -> Result<&[bool]> {
        self.of.has_not_failed()?;
        line::parameters(parameters, &mut self.line);
        if let Err(error) = self.take_labels() {
            self.process = None;
            return Err(self.of.fail(error));
        }
        self.of.shared.answers.fetch_add(1, Ordering::Relaxed);
        Ok(&self.labels)
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            lock(&self.of.shared.idle).push(process);
        }
    }
}

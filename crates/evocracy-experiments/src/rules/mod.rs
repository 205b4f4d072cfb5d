//! N. U. Edakunni, G. Brown, T. Kovacs, "Online, GA based mixture of experts: a probabilistic model
//! of UCS" (GECCO 2011): its figures and tables, measured anew.

pub(crate) mod em;
pub(crate) mod multiplexer;
pub(crate) mod mux3;
pub(crate) mod regression;
pub(crate) mod uci;
pub(crate) mod xor6;

use evocracy::classify::Fitted;
use evocracy::data::Task;
use evocracy::error::{Error, Result};
use evocracy::judge::Judged;
use evocracy::method::make;
use evocracy::model::Model;
use evocracy::run::{Run, StopReason};

/// A method with its settings.
#[derive(Debug, Clone, Copy)]
struct Entrant {
    method: &'static str,
    settings: &'static [(&'static str, &'static str)],
}

impl Entrant {
    /// Trains it, with further settings.
    fn train(&self, more: &[(&str, String)], task: &Task<'_>, run: &Run<'_>) -> Result<Model> {
        let own = self.settings.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        let more = more.iter().map(|(name, value)| ((*name).into(), value.clone()));
        let settings: Vec<(String, String)> = own.chain(more).collect();
        let Fitted { model, stop } = make(self.method, &settings)?.train(task, run)?;
        // What was cut short is no figure of the method.
        if stop == StopReason::Interrupted { Err(Error::Stopped) } else { Ok(model) }
    }
}

/// The share of rows that a model calls otherwise.
fn error(model: &Model, task: &Task<'_>) -> Result<f64> {
    Ok(Judged::task(model, task, false)?.confusion()?.error())
}

/// How many rules a model has.
fn rules(model: &Model) -> f64 {
    model.rules().map_or(0.0, |(book, _)| book.rules.len() as f64)
}

//! One file for each verb.

pub(crate) mod combine;
pub(crate) mod compare;
mod completions;
mod contours;
pub(crate) mod costs;
mod data;
mod demo;
mod evaluate;
mod explain;
mod fit;
pub(crate) mod front;
mod methods;
mod paired;
pub(crate) mod pick;
mod predict;
mod reproduce;
mod roc;
mod rules;
pub(crate) mod select;
pub(crate) mod show;
pub(crate) mod soften;

use crate::args::Verb;
use crate::shell::{Outcome, Shell};
use crate::{inputs, outputs};
use anyhow::Result;

/// Does what was asked.
pub fn run(shell: &Shell, verb: Verb) -> Result<Outcome> {
    outputs::check(&shell.catalogue, &verb)?;
    for name in inputs::data(&verb) {
        shell.tell_of_shadows(name)?;
    }
    match verb {
        Verb::Demo(args) => demo::run(shell, &args),
        Verb::Fit(args) => fit::run(shell, &args),
        Verb::Front(args) => front::run(shell, &args),
        Verb::Pick(args) => pick::run(shell, &args),
        Verb::Soften(args) => soften::run(shell, &args),
        Verb::Select(args) => select::run(shell, &args),
        Verb::Predict(args) => predict::run(shell, &args),
        Verb::Evaluate(args) => evaluate::run(shell, &args),
        Verb::Explain(args) => explain::run(shell, &args),
        Verb::Show(args) => show::run(shell, &args),
        Verb::Rules(args) => rules::run(shell, &args),
        Verb::Compare(args) => compare::run(shell, &args),
        Verb::Combine(args) => combine::run(shell, &args),
        Verb::Roc(args) => roc::run(shell, &args),
        Verb::Reproduce(args) => reproduce::run(shell, &args),
        Verb::Data(args) => data::run(shell, &args),
        Verb::Methods(args) => methods::run(shell, &args),
        Verb::Completions(args) => completions::run(shell, &args),
    }
}

//! Combiners of labels: a committee of classifiers that are there already, of which nothing is known
//! but what they said of some rows.
//!
//! The columns are experts, their levels are what they say. A combiner learns from rows of which
//! the truth is known; it is a learner like any other, and with members it is a committee whose
//! members are trained on one part of the rows and the combiner on the other.
//!
//! C. De Stefano, F. Fontanella, A. Marcelli, A. Scotto di Freca, "Learning Bayesian networks by
//! evolution for classifier combination" (2009). Every way gives the classes sums of parts ([`law`]), which explain the
//! output. Nothing here looks at rows other than those it is given: choices between ways and
//! penalties are made on folds of the training rows.

mod committee;
mod conditional;
mod counted;
mod descent;
mod grouping;
mod law;
mod loglinear;
mod model;
mod network;
mod report;
mod rows;
mod sources;
mod terms;
#[cfg(test)]
mod tests;
mod ways;

pub use model::LabelsModel;

use super::{Assembly, CommitteeModel, Ensemble};
use crate::classify::{Fitted, Learner};
use crate::data::{Input, Schema, Task};
use crate::error::{Error, Result};
use crate::method::Members;
use crate::run::{Run, StopReason};
use network::{Names, Structure};
use report::Judging;
use rows::Rows;
use ways::{Trials, Way};

/// What all combiners of labels can be told.
#[derive(Clone, Copy)]
struct Settings {
    smoothing: f64,
    folds: usize,
    share: f64,
}

/// A combiner of labels, as a learner and as a committee.
macro_rules! combiner {
    ($(
        $(#[doc = $about:literal])+
        $name:ident = $text:literal $({ $(#[doc = $doc:literal])+ $flag:ident })?, $way:expr;
    )+) => { $(
        crate::params! {
            $(#[doc = $about])+
            pub struct $name as $text {
                /// how many rows of each label are added to the counts of every class
                smoothing: f64 = 1.0, 1e-3..=1e3;
                /// how many folds of the training rows tell what each expert adds; 0 for not to ask
                folds: usize = 5, 0..=20;
                /// the share of the rows that members are trained on, the rest being for the combiner
                share: f64 = 0.5, 0.05..=0.95;
                $( $(#[doc = $doc])+ $flag: bool = false, ..; )?
            }
        }

        impl $name {
            fn settings(&self) -> Settings {
                Settings { smoothing: self.smoothing, folds: self.folds, share: self.share }
            }
        }

        impl Learner for $name {
            type Model = LabelsModel;
            const INPUT: Input = Input::Levels;

            fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<LabelsModel>> {
                let way: fn(&Self) -> Option<Way> = $way;
                fit(way(self), self.settings(), task, run)
            }
        }

        impl Ensemble for $name {
            const MEMBERS: Members = Members { least: 0, most: 1000, default: "", own: "" };

            fn assemble(&self, assembly: &Assembly<'_>) -> Result<Fitted<CommitteeModel>> {
                committee::assemble(self, self.settings().share, assembly)
            }
        }
    )+ };
}

combiner! {
    /// EvoBN: labels of experts combined by an evolved Bayesian network.
    EvoBn = "evobn", |_| Some(Way::Network(Structure::Evolved));
    /// Labels of experts combined by the way that does best on held-out training rows.
    LabelsAuto = "labels-auto", |_| None;
    /// Labels of experts combined by a network whose arcs are chosen for the class.
    LabelsConditional = "labels-conditional", |_| Some(Way::Conditional);
    /// Labels of experts combined by a Bayesian network that K2 finds.
    LabelsK2 = "labels-k2" {
        /// draw the order of the nodes at random, instead of the class first and then the experts by
        /// how much they say of it
        random
    }, |params| Some(Way::Network(Structure::K2 { random: params.random }));
    /// Labels of experts combined by a Bayesian network that hill climbing finds.
    LabelsHc = "labels-hc", |_| Some(Way::Network(Structure::Climb));
    /// Labels of experts combined by a tree-augmented naive Bayes network.
    LabelsTan = "labels-tan", |_| Some(Way::Network(Structure::Tan));
    /// Labels of experts combined as if independent given the class (naive Bayes).
    LabelsNaive = "labels-naive", |_| Some(Way::Naive);
    /// Labels of experts combined by weights on their log-likelihoods, with shrunk corrections.
    LabelsLoglinear = "labels-loglinear", |_| Some(Way::Loglinear);
    /// Labels of experts combined, with groups found that copy one source.
    LabelsHidden = "labels-hidden", |_| Some(Way::Hidden);
    /// Labels of experts combined by Dawid and Skene's EM, which does not look at the truth.
    LabelsDs = "labels-ds", |_| Some(Way::DawidSkene);
    /// Labels of experts combined by one vote each (plurality).
    LabelsVote = "labels-vote", |_| Some(Way::Vote);
    /// Labels of experts combined by votes weighted by accuracy.
    LabelsWeighted = "labels-weighted", |_| Some(Way::Weighted);
    /// Labels of experts combined by a logistic regression on them (stacking).
    LabelsStack = "labels-stack", |_| Some(Way::Stack);
}

/// Folds on which ways are compared where none are asked for.
const FOLDS: usize = 5;

/// Fits a way, or the best of all where none is given.
fn fit(
    way: Option<Way>,
    settings: Settings,
    task: &Task<'_>,
    run: &Run<'_>,
) -> Result<Fitted<LabelsModel>> {
    if run.stop.requested() {
        return Err(Error::Stopped);
    }
    let (classes, _) = task.labels()?;
    let inputs = Schema { fields: task.features.fields().cloned().collect() };
    let (experts, rows) = Rows::new(task)?;
    let names = Names { experts: &experts, inputs: &inputs, classes, target: task.target_name() };
    let count = match (way, settings.folds) {
        (None, 0) => FOLDS,
        (_, folds) => folds,
    };
    let ways = way.map_or(Way::CHOICES.to_vec(), |way| vec![way]);
    let trials = Trials::new(&names, &rows, count, &run.child("trials", 0))?;
    let mut tried = match &trials {
        Some(trials) => trials.of(&ways, &names, settings.smoothing, run)?,
        None => Vec::new(),
    };
    let stopped = run.stop.requested();
    if stopped && way.is_some() {
        return Err(Error::Stopped);
    }
    if stopped {
        // What is chosen is fitted once more, for which searches have no time left.
        tried.retain(|trial| trial.way.is_counted());
    }
    let best = trials.as_ref().and_then(|trials| report::best(trials, &tried));
    // Where there are too few rows to compare, or no time was left for it, the simplest one.
    let chosen = way.or(best.map(|trial| trial.way)).unwrap_or(ways[0]);
    let law = chosen.fit(&names, &rows, settings.smoothing, &run.child("combiner", 0))?;
    if run.stop.requested() && !chosen.is_counted() {
        // A search that was cut short is not the one that was tried on held-out rows.
        tried.clear();
    }
    let trial = trials.as_ref().and_then(|trials| report::best(trials, &tried));
    let compared = match &trials {
        Some(trials) => report::compared(trials, &tried),
        None => Vec::new(),
    };
    let judging = trials.as_ref().zip(trial).map(|(trials, trial)| Judging { trials, trial });
    let report = report::of(&names, &rows, (chosen, &law), compared, judging.as_ref(), run)?;
    let model = LabelsModel { classes: classes.clone(), experts, law, report };
    let stop = if run.stop.requested() { StopReason::Interrupted } else { StopReason::Finished };
    Ok(Fitted { model, stop })
}

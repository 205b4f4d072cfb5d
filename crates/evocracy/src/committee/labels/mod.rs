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

mod blend;
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
mod settle;
mod sources;
mod terms;
#[cfg(test)]
mod tests;
mod trials;
mod ways;

pub use model::LabelsModel;

use super::{Assembly, CommitteeModel, Ensemble};
use crate::classify::{Fitted, Learner};
use crate::data::{Encoder, Encoding, Input, Schema, Task};
use crate::error::{Error, Result};
use crate::method::Members;
use crate::run::{Run, StopReason};
use law::Law;
use network::{Names, Structure};
use report::Judging;
use rows::Rows;
use settle::Settle;
use trials::{Trial, Trials};
use ways::{Way, affordable};

/// What all combiners of labels can be told.
#[derive(Clone, Copy)]
struct Settings {
    smoothing: f64,
    folds: usize,
    share: f64,
    /// Resampled tables that tell how sure arcs are.
    resampled: usize,
}

/// A combiner of labels, as a learner and as a committee.
macro_rules! combiner {
    ($(
        $(#[doc = $about:literal])+
        $name:ident = $text:literal $({ $(#[doc = $doc:literal])+ $flag:ident })? $([$confidence:ident])?, $way:expr;
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
                $(
                    /// in how many resampled tables the network is searched for again, which tells how sure
                    /// each arc is; 0 for not to ask
                    $confidence: usize = 0, 0..=1000;
                )?
            }
        }

        impl $name {
            fn settings(&self) -> Settings {
                let asked: &[usize] = &[$(self.$confidence)?];
                let resampled = asked.first().copied().unwrap_or(0);
                let Self { smoothing, folds, share, .. } = *self;
                Settings { smoothing, folds, share, resampled }
            }
        }

        impl Learner for $name {
            type Model = LabelsModel;
            // Numbers are cut inside, so that held-out rows do not decide where.
            const INPUT: Input = Input::Mixed;

            fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<LabelsModel>> {
                let wanted: fn(&Self) -> Wanted = $way;
                fit(wanted(self), self.settings(), task, run)
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
    EvoBn = "evobn" [confidence], |_| Wanted::One(Way::Network(Structure::Evolved));
    /// Labels of experts combined by the ways that do best on held-out training rows.
    LabelsAuto = "labels-auto" {
        /// take the one best way, also where a blend of several does better
        single
    }, |params| Wanted::Best { blend: !params.single };
    /// Labels of experts combined by a network whose arcs are chosen for the class.
    LabelsConditional = "labels-conditional", |_| Wanted::One(Way::Conditional);
    /// Labels of experts combined by a Bayesian network that K2 finds.
    LabelsK2 = "labels-k2" {
        /// draw the order of the nodes at random, instead of the class first and then the experts by
        /// how much they say of it
        random
    } [confidence], |params| Wanted::One(Way::Network(Structure::K2 { random: params.random }));
    /// Labels of experts combined by a Bayesian network that hill climbing (tabu search) finds.
    LabelsHc = "labels-hc" [confidence], |_| Wanted::One(Way::Network(Structure::Climb));
    /// Labels of experts combined by a tree-augmented naive Bayes network.
    LabelsTan = "labels-tan" [confidence], |_| Wanted::One(Way::Network(Structure::Tan));
    /// Labels of experts combined as if independent given the class (naive Bayes).
    LabelsNaive = "labels-naive", |_| Wanted::One(Way::Naive);
    /// Labels of experts combined by weights on their log-likelihoods, with shrunk corrections.
    LabelsLoglinear = "labels-loglinear", |_| Wanted::One(Way::Loglinear);
    /// Labels of experts combined, with groups found that copy one source.
    LabelsHidden = "labels-hidden", |_| Wanted::One(Way::Hidden);
    /// Labels of experts combined by Dawid and Skene's EM, which does not look at the truth.
    LabelsDs = "labels-ds", |_| Wanted::One(Way::DawidSkene);
    /// Labels of experts combined by one vote each (plurality).
    LabelsVote = "labels-vote", |_| Wanted::One(Way::Vote);
    /// Labels of experts combined by votes weighted by accuracy.
    LabelsWeighted = "labels-weighted", |_| Wanted::One(Way::Weighted);
    /// Labels of experts combined by a logistic regression on them (stacking).
    LabelsStack = "labels-stack", |_| Wanted::One(Way::Stack);
}

/// Folds on which ways are compared where none are asked for.
const FOLDS: usize = 5;

/// What to fit: a way, or what is best of all.
#[derive(Clone, Copy)]
enum Wanted {
    One(Way),
    /// The best way or a blend of several; without blends the best way.
    Best {
        blend: bool,
    },
}

/// Fits what is wanted.
fn fit(
    wanted: Wanted,
    settings: Settings,
    task: &Task<'_>,
    run: &Run<'_>,
) -> Result<Fitted<LabelsModel>> {
    if run.stop.requested() {
        return Err(Error::Stopped);
    }
    let (classes, _) = task.labels()?;
    let encoder = Encoder::fit(Encoding::Auto, Input::Levels, task)?;
    let encoded = encoder.encode(task.features)?;
    // Codes are half a number each, and are held once more by the folds.
    let (count, columns) = (task.features.rows(), encoded.view().columns());
    run.reserve("to combine labels", &[count, columns])?;
    let (experts, rows) = Rows::new(&task.with_features(encoded.view()))?;
    let inputs = Schema { fields: encoded.view().fields().cloned().collect() };
    let names = Names { experts: &experts, inputs: &inputs, classes, target: task.target_name() };
    let (ways, blend, count) = match wanted {
        Wanted::One(way) => (vec![way], false, settings.folds),
        Wanted::Best { blend } => {
            let count = if settings.folds == 0 { FOLDS } else { settings.folds };
            (Way::CHOICES.to_vec(), blend, count)
        }
    };
    let (ways, mut left_out) = affordable(&ways, &rows, (count, blend), run);
    if ways.is_empty() {
        return Err(left_out.swap_remove(0).1);
    }
    let trials = Trials::new(task, count, &run.child("trials", 0))?;
    let mut tried = Vec::new();
    if let Some(trials) = &trials {
        let (done, failed) = trials.of(&ways, &names, settings.smoothing, run);
        tried = done;
        left_out.extend(failed);
    }
    if let Wanted::One(_) = wanted {
        if let Some((_, error)) = left_out.pop() {
            return Err(error);
        }
        if run.stop.requested() {
            return Err(Error::Stopped);
        }
    }
    blended_too(trials.as_ref().filter(|_| blend), &mut tried, run)?;
    let settle = Settle { names: &names, rows: &rows, smoothing: settings.smoothing, run };
    let settled = settle.on(&ways, trials.as_ref(), &mut tried, left_out)?;
    let compared = match &trials {
        Some(trials) => report::compared(trials, &tried),
        None => Vec::new(),
    };
    let own = tried.iter().find(|trial| trial.way == settled.way);
    let judging = trials.as_ref().zip(own).map(|(trials, trial)| Judging { trials, trial });
    let mut report = report::of(&names, &rows, &settled, compared, judging.as_ref(), run)?;
    if let (Way::Network(structure), Law::Network(law)) = (settled.way, &settled.law) {
        let run = run.child("confidence", 0);
        report.confidence = network::confidence(law, &rows, structure, settings.resampled, &run)?;
    }
    let model =
        LabelsModel { classes: classes.clone(), encoder, experts, law: settled.law, report };
    let stop = if run.stop.requested() { StopReason::Interrupted } else { StopReason::Finished };
    Ok(Fitted { model, stop })
}

/// Adds the blend of what was tried, where one is wanted. After a stop only that is kept which is one
/// pass over the rows: what is chosen is fitted once more, for which searches have no time left.
fn blended_too(trials: Option<&Trials>, tried: &mut Vec<Trial>, run: &Run<'_>) -> Result<()> {
    if !run.stop.requested() {
        match trials.map(|trials| trials.blend(tried, run.stop)).transpose() {
            Err(Error::Stopped) => {}
            blend => tried.extend(blend?.flatten()),
        }
    }
    if run.stop.requested() {
        tried.retain(|trial| trial.way.is_counted());
    }
    Ok(())
}

//! What learners and classifiers are.
//!
//! A learner is a struct of parameters; fitting it returns a separate model, so that there is
//! no half-fitted object. Reference: `docs/ARCHITECTURE.md`, "the central types".

mod decision;
mod diagnostics;
mod explanation;
mod proba;
mod rulebook;
mod saved;
mod thresholds;

pub use decision::{Call, ChosenOn, Criterion, Decision};
pub use diagnostics::{
    BlendedWay, ColumnShare, ComparedWay, CopiedExpert, CurvePoint, Diagnostics, Ended,
    ExpertReport, Importances, LabelReport, LearningWindow, LeftOutWay, Margins, MemberError,
    MixingFigures, OutOfBagFigures, RelevanceVector, Round, RuleCurve, SearchEpoch, TreeImportance,
    VectorBase, Weighting,
};
pub(crate) use explanation::softmax_in_place;
pub use explanation::{Explanation, Link, Part};
pub use proba::Proba;
pub use rulebook::{Counted, Decides, Missing, Rule, Rulebook, Standing, Support, Test};
pub(crate) use rulebook::{demand, short};
pub use saved::Saved;
pub use thresholds::Thresholds;

use crate::data::{Classes, Conformed, Input, Schema, Task, View};
use crate::error::{Error, Result};
use crate::param::Params;
use crate::run::{Run, StopReason};
use serde::Serialize;

/// A fitted model and why the fit ended.
#[derive(Debug, Clone)]
pub struct Fitted<M> {
    /// The model.
    pub model: M,
    /// Why the fit ended.
    pub stop: StopReason,
}

/// What a learner's models predict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Predicts {
    /// One of some classes: the model is a [`Classifier`].
    Class,
    /// A number: the model is a [`Regressor`].
    Number,
}

/// A set of parameters that can be fitted to a task.
pub trait Learner: Params {
    /// What fitting yields.
    type Model;

    /// What its models predict; the role in `model/core.rs` says the same.
    const PREDICTS: Predicts = Predicts::Class;

    /// What the learner eats.
    const INPUT: Input;

    /// Whether the learner heeds the weights of rows.
    const TAKES_WEIGHTS: bool = true;

    /// Whether fitting states figures for new rows, measured on folds of its training rows. The
    /// encoding sees all of these before they are parted, so that such a learner refuses one that
    /// reads their labels.
    const PROMISES: bool = false;

    /// Learns from the task. Parameters are in their ranges and the task can be learnt from:
    /// [`Method::train`](crate::method::Method::train) has checked both.
    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<Self::Model>>;
}

/// A model that gives every class a probability.
pub trait Classifier: Send + Sync {
    /// The classes, in the order of the probabilities.
    fn classes(&self) -> &Classes;

    /// Writes the probabilities of the rows in view; each row sums to 1.
    fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()>;

    /// Why row `row` gets its probabilities.
    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation>;
}

/// A model that predicts a number.
pub trait Regressor: Send + Sync {
    /// Writes the prediction of every row in view and, where the caller wants it, the variance of
    /// what may come true: that of the noise and that of the model.
    fn predict_into(
        &self,
        rows: View<'_>,
        mean: &mut [f64],
        variance: Option<&mut [f64]>,
    ) -> Result<()>;

    /// Why row `row` gets its prediction: base and parts hold one number each.
    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation>;
}

/// A model that learns row by row: any cutting of a stream into chunks gives the same model.
pub trait Online: Sized {
    /// A model that has seen nothing.
    fn start(schema: &Schema, classes: &Classes) -> Self;

    /// Learns from more rows: the class and weight of each row in view.
    fn learn(&mut self, rows: View<'_>, labels: &[u32], weights: &[f64]) -> Result<()>;
}

/// The rows of a stream with the columns it started with, found by name; an error where they are not
/// there, or where a row has no class or weight that can be learnt from.
pub(crate) fn lessons<'a>(
    inputs: &Schema,
    classes: &Classes,
    rows: View<'a>,
    labels: &[u32],
    weights: &[f64],
) -> Result<Conformed<'a>> {
    check_lessons(classes, rows, labels, weights)?;
    inputs.conform(rows)
}

/// Refuses rows that have no class or weight that can be learnt from.
pub(crate) fn check_lessons(
    classes: &Classes,
    rows: View<'_>,
    labels: &[u32],
    weights: &[f64],
) -> Result<()> {
    if let Some(label) = labels.iter().find(|&&label| label as usize >= classes.len()) {
        return Err(Error::unsuitable(
            format!("a row has the class number {label} of {} classes", classes.len()),
            "name all classes when the stream starts",
        ));
    }
    if labels.len() != rows.rows() || weights.len() != rows.rows() {
        return Err(Error::unsuitable("every row needs a class and a weight", ""));
    }
    if let Some(weight) = weights.iter().find(|weight| !(0.0..f64::INFINITY).contains(*weight)) {
        let problem = format!("a row has the weight {weight}");
        return Err(Error::unsuitable(problem, "weights are finite and not below 0"));
    }
    Ok(())
}

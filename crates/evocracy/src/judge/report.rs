//! A report: what was trained on what, how good it is on rows it did not see, and what to worry
//! about, as one serialisable value. The shells only word or draw it; `docs/report.schema.json`
//! is its schema.

use super::calls::{Baseline, Calls};
use super::judged::{Figures, Judged, Said};
use super::operating::{Capped, operating_points};
use super::protocol::Protocol;
use super::remark::Remark;
use crate::classify::{Decision, Diagnostics};
use crate::data::{Classes, Dataset};
use crate::error::Result;
use crate::model::Model;
use crate::run::StopReason;
use serde::Serialize;
use std::collections::BTreeMap;

/// The version of the shape of a report.
pub const VERSION: u32 = 1;

/// What a fit or an evaluation found.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The version of this shape.
    pub report: u32,
    /// The method, with its members.
    pub method: String,
    /// Its parameters as text.
    pub params: BTreeMap<String, String>,
    /// The name of the data set.
    pub dataset: String,
    /// The data that was learnt from; unknown to an evaluation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Data>,
    /// The seed.
    pub seed: u64,
    /// The column to predict.
    pub target: String,
    /// The classes, unless the target is a number.
    pub classes: Option<Vec<String>>,
    /// The positive one.
    pub positive: Option<String>,
    /// How the judged rows were chosen.
    pub protocol: Protocol,
    /// The same in words.
    pub test_rows_are: String,
    /// Figures on the training rows.
    pub train: Option<Figures>,
    /// Figures on rows that were not learnt from.
    pub test: Option<Figures>,
    /// What always saying the same gives on the judged rows.
    pub baseline: Option<Baseline>,
    /// What the calls are worth, of classes.
    pub calls: Option<Calls>,
    /// Points of the ROC curve of the judged rows, for two classes; how many rows they tell of is
    /// by the prior and the costs that the decision was chosen for, else by the judged rows.
    pub operating_points: Vec<Capped>,
    /// What was learnt.
    pub model: Learnt,
    /// What to worry about.
    pub remarks: Vec<Remark>,
    /// How the work ended.
    pub stop: StopReason,
}

/// A data set in figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Data {
    /// A digest of its content.
    pub fingerprint: String,
    /// How many rows it has.
    pub rows: usize,
    /// How many columns to learn from.
    pub columns: usize,
    /// The column to predict.
    pub target: String,
    /// Whether rows have weights of their own.
    pub weighted: bool,
}

/// A model in figures.
#[derive(Debug, Clone, Serialize)]
pub struct Learnt {
    /// How many rows it was trained on.
    pub rows: usize,
    /// How large it is, in its own terms.
    pub size: BTreeMap<&'static str, u64>,
    /// How it calls rows.
    pub decision: Decision,
    /// What training found out beside.
    pub diagnostics: Diagnostics,
}

impl Data {
    /// The figures of a data set.
    pub fn new(data: &Dataset) -> Self {
        Self {
            fingerprint: data.fingerprint(),
            rows: data.table().rows(),
            columns: data.features().columns(),
            target: data.target_name().to_owned(),
            weighted: data.weighted(),
        }
    }
}

impl Report {
    /// A report of a model that was judged under a protocol. `train` and `test` are what it said of
    /// its training rows and of others.
    pub fn new(
        model: &Model,
        dataset: &str,
        protocol: Protocol,
        train: Option<&Judged>,
        test: Option<&Judged>,
    ) -> Result<Self> {
        let about = model.about();
        // Judged rows may be of classes that the model does not know.
        let judged_classes = test.and_then(|test| test.classes()).map(|said| &said.classes);
        let classes = judged_classes.or(model.classes().ok());
        let figures = |judged: Option<&Judged>| judged.map(Judged::figures).transpose();
        let test_figures = figures(test)?;
        let (baseline, calls) = beside(test, test_figures.as_ref(), model.decision())?;
        let points = test.map(|test| operating_points(test, model.decision())).transpose()?;
        Ok(Self {
            report: VERSION,
            method: about.method.clone(),
            params: about.params.iter().cloned().collect(),
            dataset: dataset.to_owned(),
            data: None,
            seed: about.seed,
            target: about.target.clone(),
            classes: classes.map(|classes| classes.names().to_vec()),
            positive: classes.map(positive_name),
            test_rows_are: protocol.words(model.is_classifier()),
            protocol,
            train: figures(train)?,
            test: test_figures,
            baseline,
            calls,
            operating_points: points.unwrap_or_default(),
            model: Learnt {
                rows: about.rows,
                size: model.core().size().into_iter().collect(),
                decision: model.decision().clone(),
                diagnostics: model.diagnostics(),
            },
            remarks: test.map(|test| test.remarks.clone()).unwrap_or_default(),
            stop: StopReason::Finished,
        })
    }
}

/// What stands beside the figures: saying always the same, and the calls class by class.
fn beside(
    test: Option<&Judged>,
    figures: Option<&Figures>,
    decision: &Decision,
) -> Result<(Option<Baseline>, Option<Calls>)> {
    let Some(test) = test else { return Ok((None, None)) };
    match (&test.said, figures.and_then(Figures::classes)) {
        (Said::Classes(said), Some(judged)) => Ok((
            Some(Baseline::of_classes(&judged.confusion, &said.classes)),
            Some(Calls::new(&judged.confusion, &said.classes, decision)?),
        )),
        (Said::Numbers { truth, .. }, _) => {
            // Numbers so far apart that their squares overflow have none.
            Ok((Baseline::of_numbers(truth, test.weights.as_deref()).ok(), None))
        }
        _ => Ok((None, None)),
    }
}

fn positive_name(classes: &Classes) -> String {
    classes.names()[classes.positive()].clone()
}

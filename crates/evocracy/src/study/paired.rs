//! Saved models compared on the same rows.

use super::within::adjust;
use crate::classify::Decision;
use crate::error::{Error, Result};
use crate::judge::{Capped, Figures, Judged, Remark, SaidClasses, operating_points};
use crate::measure::significance::McNemar;
use crate::measure::{Areas, Comparison, LEVEL};
use crate::model::Model;
use serde::Serialize;
use std::collections::BTreeMap;

/// The version of the shape.
const VERSION: u32 = 1;

/// Models on the rows of one table.
#[derive(Debug, Clone, Serialize)]
pub struct Paired {
    /// The version of this shape.
    pub paired: u32,
    /// What the rows are of.
    pub dataset: String,
    /// The column to predict.
    pub target: String,
    /// The classes, unless the target is a number.
    pub classes: Option<Vec<String>>,
    /// The positive one.
    pub positive: Option<String>,
    /// How many rows were judged.
    pub rows: usize,
    /// The confidence of all intervals.
    pub level: f64,
    /// Each model.
    pub models: Vec<ModelFigures>,
    /// Each pair of them; none for numbers.
    pub pairs: Vec<PairedModels>,
}

/// A model with its figures.
#[derive(Debug, Clone, Serialize)]
pub struct ModelFigures {
    /// What it is called here.
    pub name: String,
    /// The method that made it.
    pub method: String,
    /// Its parameters as text.
    pub params: BTreeMap<String, String>,
    /// How many rows it was trained on.
    pub trained_on: usize,
    /// How large it is, in its own terms.
    pub size: BTreeMap<&'static str, u64>,
    /// How it calls rows.
    pub decision: Decision,
    /// What it is worth on these rows.
    pub figures: Figures,
    /// Of two classes, the best points at some false positive rates.
    pub operating_points: Vec<Capped>,
    /// What was noticed while it judged them.
    pub remarks: Vec<Remark>,
}

/// Two models on the same rows.
#[derive(Debug, Clone, Serialize)]
pub struct PairedModels {
    /// The first model.
    pub first: String,
    /// The second.
    pub second: String,
    /// `DeLong`'s test of the areas of two classes, the first less the second; nothing where there
    /// are no areas.
    pub auc: Option<Comparison>,
    /// Its p-value after Holm, for all pairs.
    pub auc_p_adjusted: Option<f64>,
    /// `McNemar`'s test of the calls.
    pub calls: McNemar,
    /// Its p-value after Holm, for all pairs.
    pub calls_p_adjusted: Option<f64>,
}

impl Paired {
    /// Puts models side by side that were asked about the same rows in the same order.
    pub fn new(dataset: &str, models: &[(String, &Model, &Judged)]) -> Result<Self> {
        let Some((name, first, judged)) = models.first() else {
            return Err(Error::unsuitable("there is no model to compare", "name two"));
        };
        // Rows may be of a class that no model knows: it counts as one more.
        let classes = judged.classes().map(|said| &said.classes);
        for (other, model, said) in &models[1..] {
            alike((name, first, judged), (other, model, said))?;
        }
        let figures = |(name, model, judged): &(String, &Model, &Judged)| {
            let about = model.about();
            Ok(ModelFigures {
                name: name.clone(),
                method: about.method.clone(),
                params: about.params.iter().cloned().collect(),
                trained_on: about.rows,
                size: model.core().size().into_iter().collect(),
                decision: model.decision().clone(),
                figures: judged.figures()?,
                operating_points: operating_points(judged, model.decision())?,
                remarks: judged.remarks.clone(),
            })
        };
        Ok(Self {
            paired: VERSION,
            dataset: dataset.to_owned(),
            target: first.about().target.clone(),
            classes: classes.map(|classes| classes.names().to_vec()),
            positive: classes.map(|classes| classes.names()[classes.positive()].clone()),
            rows: judged.rows(),
            level: LEVEL,
            models: models.iter().map(figures).collect::<Result<_>>()?,
            pairs: pairs(models)?,
        })
    }
}

/// Refuses models that do not predict the same, or were asked about other rows.
fn alike(
    (name, first, judged): (&str, &Model, &Judged),
    (other, model, said): (&str, &Model, &Judged),
) -> Result<()> {
    let names = |model: &Model| model.classes().ok().map(|classes| classes.names().to_vec());
    let target = |model: &Model| model.about().target.clone();
    let what = if target(first) != target(model) {
        format!("{name} predicts `{}` and {other} `{}`", target(first), target(model))
    } else if names(first) != names(model) {
        format!("{name} and {other} do not know the same classes of `{}`", target(first))
    } else if truth(judged) != truth(said) {
        format!("{name} and {other} were not asked about the same rows")
    } else {
        return Ok(());
    };
    Err(Error::unsuitable(what, "compare models of the same target on the same rows"))
}

/// The true classes of the rows; none for numbers.
fn truth(judged: &Judged) -> (usize, Option<&[u32]>) {
    (judged.rows(), judged.classes().map(|said| said.labels.as_slice()))
}

fn pairs(models: &[(String, &Model, &Judged)]) -> Result<Vec<PairedModels>> {
    let said: Option<Vec<&SaidClasses>> =
        models.iter().map(|(_, _, judged)| judged.classes()).collect();
    let Some(said) = said else { return Ok(Vec::new()) };
    let areas = areas(models)?;
    let mut pairs = Vec::new();
    for i in 0..models.len() {
        for j in i + 1..models.len() {
            let auc = areas.as_ref().map(|areas| areas.compare(i, j, LEVEL)).transpose()?;
            pairs.push(PairedModels {
                first: models[i].0.clone(),
                second: models[j].0.clone(),
                auc,
                auc_p_adjusted: None,
                calls: McNemar::new(&said[i].labels, &said[i].calls, &said[j].calls)?,
                calls_p_adjusted: None,
            });
        }
    }
    adjust(
        pairs
            .iter_mut()
            .map(|pair| (pair.auc.and_then(|auc| auc.p_value), &mut pair.auc_p_adjusted)),
    )?;
    adjust(pairs.iter_mut().map(|pair| (Some(pair.calls.p_value), &mut pair.calls_p_adjusted)))?;
    Ok(pairs)
}

/// The areas of all models; none of more than two classes, or where all rows are of one.
fn areas(models: &[(String, &Model, &Judged)]) -> Result<Option<Areas>> {
    // All of the same class, whichever a model counts as positive.
    let first = models.first().and_then(|(_, _, judged)| judged.classes());
    let Some(positive) = first.map(|said| said.classes.positive()) else { return Ok(None) };
    let mut truth: Vec<bool> = Vec::new();
    let mut scores: Vec<Vec<f64>> = Vec::new();
    for (_, _, judged) in models {
        let Some(said) = judged.classes().filter(|said| said.classes.len() == 2) else {
            return Ok(None);
        };
        truth = said.labels.iter().map(|&label| label as usize == positive).collect();
        scores.push(said.proba.chunks_exact(2).map(|proba| proba[positive]).collect());
    }
    if !truth.contains(&true) || !truth.contains(&false) {
        return Ok(None);
    }
    let scores: Vec<&[f64]> = scores.iter().map(Vec::as_slice).collect();
    Ok(Some(Areas::new(&truth, &scores, None)?))
}

//! Judging a model on rows whose target is known.

use crate::args::Picture;
use crate::draw::{Canvas, Curve, Scored};
use crate::input::Input;
use crate::words;
use anyhow::Result;
use evocracy::classify::Proba;
use evocracy::data::{Cells, Classes, Field, MISSING, Schema, Task, View};
use evocracy::error::Error;
use evocracy::measure::{Delong, Judgement, LEVEL, Regression, Roc};
use evocracy::model::Model;
use evocracy::run::Run;
use evocracy_report::Mark;
use serde_json::{Value, json};

/// How well a model did.
pub enum Judged {
    /// On classes.
    Classes(Box<JudgedClasses>),
    /// On numbers.
    Numbers(Regression),
}

impl Judged {
    /// Judges the model on the rows of a task.
    pub fn task(model: &Model, task: &Task<'_>, weighted: bool) -> Result<Self> {
        let weights = weighted.then(|| task.weights());
        if model.is_classifier() {
            let proba = model.proba(task.features)?.values().to_vec();
            let (_, labels) = task.labels()?;
            let judged = JudgedClasses::new(model.classes()?.clone(), labels, proba, weights)?;
            return Ok(Self::Classes(Box::new(judged)));
        }
        let predicted = model.predict(task.features)?;
        Ok(Self::Numbers(Regression::new(&task.numbers()?, &predicted, weights.as_deref())?))
    }

    /// Judges the model on a file or data set that holds the target column.
    pub fn input(model: &Model, input: &mut Input, run: &Run<'_>) -> Result<Self> {
        let target = target_field(model)?;
        let task = run.task("rows", 0);
        let (mut labels, mut truth, mut values) = (Vec::new(), Vec::new(), Vec::new());
        let mut proba = Proba::new();
        input.for_each(|rows| {
            if model.is_classifier() {
                read_labels(&target, rows, &mut labels)?;
                model.proba_into(rows, &mut proba)?;
                values.extend_from_slice(proba.values());
            } else {
                read_numbers(&target, rows, &mut truth)?;
                values.extend(model.predict(rows)?);
            }
            task.watch.advance(rows.rows() as u64);
            if run.stop.requested() { Err(Error::Stopped.into()) } else { Ok(true) }
        })?;
        if model.is_classifier() {
            let judged = JudgedClasses::new(model.classes()?.clone(), labels, values, None)?;
            return Ok(Self::Classes(Box::new(judged)));
        }
        Ok(Self::Numbers(Regression::new(&truth, &values, None)?))
    }

    /// How many rows were judged.
    pub fn rows(&self) -> usize {
        match self {
            Self::Classes(judged) => judged.judgement.rows,
            Self::Numbers(regression) => regression.rows,
        }
    }

    /// The figures for programs.
    pub fn json(&self) -> Value {
        match self {
            Self::Classes(judged) => json!(judged.judgement),
            Self::Numbers(regression) => json!(regression),
        }
    }

    /// The figures in words.
    pub fn words(&self) -> String {
        match self {
            Self::Classes(judged) => words::judgement(&judged.judgement, &judged.classes),
            Self::Numbers(regression) => words::regression(regression),
        }
    }

    /// One sentence for comparison, as on the training rows.
    pub fn in_short(&self) -> String {
        match self {
            Self::Classes(judged) => {
                format!("accuracy is {:.1} %", 100.0 * judged.judgement.accuracy)
            }
            Self::Numbers(regression) => {
                format!("root mean square error is {:.4}", regression.rmse)
            }
        }
    }

    /// The confusion matrix of classes.
    pub fn table(&self) -> String {
        match self {
            Self::Classes(judged) => words::confusion(&judged.judgement, &judged.classes),
            Self::Numbers(_) => String::new(),
        }
    }

    /// The scores of classes, see [`JudgedClasses::scored`].
    fn scored(&self, name: &str) -> Vec<Scored> {
        match self {
            Self::Classes(judged) => judged.scored(name),
            Self::Numbers(_) => Vec::new(),
        }
    }

    /// The ROC curves of classes.
    pub fn curves(&self, name: &str) -> Vec<Curve> {
        self.scored(name).into_iter().filter_map(curve).collect()
    }

    /// Draws a picture of the judged rows.
    pub fn draw(&self, canvas: &Canvas<'_>, picture: Picture, name: &str) -> Result<()> {
        match (picture, self) {
            (Picture::Confusion, Self::Classes(judged)) => {
                canvas.confusion(judged.classes.names(), &judged.judgement.confusion)
            }
            (Picture::Roc, _) => canvas.roc(&self.curves(name)),
            _ => canvas.scored(picture, &self.scored(name)),
        }
    }
}

/// The ROC curve of scores; none where all rows are of one class.
fn curve(scored: Scored) -> Option<Curve> {
    let (truth, weights) = (&scored.truth, scored.weights.as_deref());
    let roc = Roc::new(truth, &scored.scores, weights).ok()?;
    let delong = Delong::new(truth, &scored.scores, weights);
    let interval = delong.and_then(|delong| delong.interval(LEVEL)).ok();
    let (name, mark) = (scored.name, scored.called);
    Some(Curve { name, roc, interval, mark, iso: None, band: None, hull: false })
}

/// What a model said of rows, beside their true classes.
pub struct JudgedClasses {
    judgement: Judgement,
    classes: Classes,
    labels: Vec<u32>,
    proba: Vec<f64>,
    weights: Option<Vec<f64>>,
}

impl JudgedClasses {
    fn new(
        classes: Classes,
        labels: Vec<u32>,
        proba: Vec<f64>,
        weights: Option<Vec<f64>>,
    ) -> Result<Self> {
        let (k, positive) = (classes.len(), classes.positive());
        let judgement = Judgement::new(&labels, &proba, k, positive, weights.as_deref())?;
        Ok(Self { judgement, classes, labels, proba, weights })
    }

    /// The scores of the rows: of the positive class where there are two, else of each class
    /// against the rest. A class that the rows do not show, or that all have, has none.
    fn scored(&self, name: &str) -> Vec<Scored> {
        let classes = &self.classes;
        let k = classes.len();
        let of = |class: usize, name: String| {
            let truth: Vec<bool> = self.labels.iter().map(|&l| l as usize == class).collect();
            let scores = self.proba.iter().skip(class).step_by(k).copied().collect();
            let (weights, called) = (self.weights.clone(), self.called(class, k));
            let both = truth.contains(&true) && truth.contains(&false);
            both.then_some(Scored { name, truth, scores, weights, called })
        };
        if k == 2 {
            return of(classes.positive(), name.to_owned()).into_iter().collect();
        }
        let named = |(class, label): (usize, &String)| of(class, format!("{name}: {label}"));
        classes.names().iter().enumerate().filter_map(named).collect()
    }

    /// Where the calls of the model lie on the plane: the most probable class is called, which
    /// of two classes is the one above one half.
    fn called(&self, class: usize, classes: usize) -> Option<Mark> {
        let confusion = &self.judgement.confusion;
        let (fpr, tpr) = (confusion.fpr(class)?, confusion.tpr(class)?);
        (classes == 2).then(|| Mark { fpr, tpr, label: "called above 0.5".to_owned() })
    }
}

/// The target as a column to be read: a number, or one of the classes the model knows.
pub fn target_field(model: &Model) -> Result<Field> {
    let name = model.about().target.clone();
    if !model.is_classifier() {
        return Ok(Field::number(name));
    }
    Ok(Field::nominal(name, model.classes()?.names().iter().cloned()))
}

fn read_numbers(target: &Field, rows: View<'_>, numbers: &mut Vec<f64>) -> Result<()> {
    let schema = Schema { fields: vec![target.clone()] };
    let conformed = schema.conform(rows)?;
    let view = conformed.view();
    if let Cells::Number(values) = view.cells(0) {
        numbers.extend(view.pick(values));
    }
    Ok(())
}

fn read_labels(target: &Field, rows: View<'_>, labels: &mut Vec<u32>) -> Result<()> {
    let schema = Schema { fields: vec![target.clone()] };
    let conformed = schema.conform(rows)?;
    let view = conformed.view();
    let before = labels.len();
    if let Cells::Nominal(codes) = view.cells(0) {
        labels.extend(view.pick(codes));
    }
    if labels[before..].contains(&MISSING) {
        let what =
            format!("the column `{}` holds classes that the model does not know", target.name);
        let help = format!("it knows {}", target.levels().join(", "));
        return Err(Error::unsuitable(what, help).into());
    }
    Ok(())
}

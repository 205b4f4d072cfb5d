//! Judging a model on rows whose classes are known.

use crate::input::Input;
use anyhow::Result;
use evocracy::classify::Proba;
use evocracy::data::{Cells, Classes, Field, MISSING, Schema, View};
use evocracy::error::Error;
use evocracy::measure::{Delong, Interval, Judgement, LEVEL, Roc};
use evocracy::model::Model;
use evocracy::run::Run;
use evocracy_report::{Mark, NamedCurve, Options, roc_svg};
use std::path::Path;

/// What a model said of rows, beside their true classes.
pub struct Judged {
    pub judgement: Judgement,
    labels: Vec<u32>,
    proba: Vec<f64>,
    weights: Option<Vec<f64>>,
}

impl Judged {
    /// Judges the model on rows in memory.
    pub fn rows(
        model: &Model,
        rows: View<'_>,
        labels: Vec<u32>,
        weights: Option<Vec<f64>>,
    ) -> Result<Self> {
        let proba = model.proba(rows)?.values().to_vec();
        Self::new(model.classes()?, labels, proba, weights)
    }

    /// Judges the model on a file or data set that holds the target column.
    pub fn input(model: &Model, input: &mut Input, run: &Run<'_>) -> Result<Self> {
        let classes = model.classes()?;
        let (mut labels, mut values) = (Vec::new(), Vec::new());
        let mut proba = Proba::new();
        let target = target_field(model)?;
        let task = run.task("rows", 0);
        input.for_each(|rows| {
            read_labels(&target, rows, &mut labels)?;
            model.proba_into(rows, &mut proba)?;
            values.extend_from_slice(proba.values());
            task.watch.advance(rows.rows() as u64);
            if run.stop.requested() { Err(Error::Stopped.into()) } else { Ok(true) }
        })?;
        Self::new(classes, labels, values, None)
    }

    fn new(
        classes: &Classes,
        labels: Vec<u32>,
        proba: Vec<f64>,
        weights: Option<Vec<f64>>,
    ) -> Result<Self> {
        let (k, positive) = (classes.len(), classes.positive());
        let judgement = Judgement::new(&labels, &proba, k, positive, weights.as_deref())?;
        Ok(Self { judgement, labels, proba, weights })
    }

    /// The ROC curves of the rows: of the positive class where there are two, else of each
    /// class against the rest. A class that the rows do not show has no curve.
    pub fn curves(&self, name: &str, classes: &Classes) -> Vec<Curve> {
        let k = classes.len();
        let curve = |class: usize, name: String| {
            let truth: Vec<bool> = self.labels.iter().map(|&l| l as usize == class).collect();
            let scores: Vec<f64> = self.proba.iter().skip(class).step_by(k).copied().collect();
            let roc = Roc::new(&truth, &scores, self.weights.as_deref()).ok()?;
            let interval = Delong::new(&truth, &scores, self.weights.as_deref())
                .and_then(|delong| delong.interval(LEVEL));
            Some(Curve { name, roc, interval: interval.ok(), called: self.called(class, k) })
        };
        if k == 2 {
            return curve(classes.positive(), name.to_owned()).into_iter().collect();
        }
        let named = |(class, label): (usize, &String)| curve(class, format!("{name}: {label}"));
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

/// A curve to be drawn.
pub struct Curve {
    name: String,
    roc: Roc,
    interval: Option<Interval>,
    /// Where the calls of the model lie.
    called: Option<Mark>,
}

impl Curve {
    fn drawn(&self) -> NamedCurve<'_> {
        let mut drawn = NamedCurve::new(&self.name, &self.roc);
        drawn.interval = self.interval;
        drawn.mark.clone_from(&self.called);
        drawn
    }
}

/// The target as a column to be read: its levels are the classes the model knows.
pub fn target_field(model: &Model) -> Result<Field> {
    Ok(Field::nominal(model.about().target.clone(), model.classes()?.names().iter().cloned()))
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

/// Writes the ROC picture.
pub fn plot(path: &Path, title: &str, subtitle: &str, curves: &[Curve]) -> Result<()> {
    let options =
        Options { title: title.to_owned(), subtitle: subtitle.to_owned(), ..Options::default() };
    let curves: Vec<NamedCurve<'_>> = curves.iter().map(Curve::drawn).collect();
    std::fs::write(path, roc_svg(&curves, &options)).map_err(|e| Error::io("write", path, e).into())
}

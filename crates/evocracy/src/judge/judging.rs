//! The rows of a table that is read piece by piece, judged as they come.

use super::judged::{Judged, Place, Said, SaidClasses};
use super::remark::{Noticed, Remark};
use crate::classify::Proba;
use crate::data::{Cells, Classes, Column, Field, MISSING, Schema, View, by_value_then_text};
use crate::error::{Error, Result, listed};
use crate::model::{Model, Recognised, Truth};
use crate::run::reserve;
use std::collections::HashSet;

/// More classes than this that a model does not know are no classes of the same target.
const MOST_UNKNOWN: usize = 100;

/// The rows of a table that is read piece by piece, judged as they come.
///
/// A class that the model does not know is never predicted; its rows count as wrong, but where a
/// class of the model stands for all others. A table of which no class is known is refused in the
/// end.
#[derive(Debug, Clone)]
pub struct Judging<'a> {
    model: &'a Model,
    /// The target, with the classes that were met beside those that the model knows.
    target: Schema,
    known: usize,
    proba: Proba,
    judged: Judged,
    recognised: Recognised,
    /// The most bytes that what is kept of the rows may take.
    memory: u64,
}

impl<'a> Judging<'a> {
    /// Judges a model.
    pub fn new(model: &'a Model) -> Self {
        let said = match model.classes() {
            Ok(classes) => Said::Classes(SaidClasses {
                classes: classes.clone(),
                labels: Vec::new(),
                proba: Vec::new(),
                calls: Vec::new(),
            }),
            Err(_) => Said::default(),
        };
        let judged = Judged { said, ..Judged::default() };
        let target = target_field(model);
        let known = target.levels().len();
        let (target, recognised) = (Schema { fields: vec![target] }, Recognised::default());
        let (proba, memory) = (Proba::new(), u64::MAX);
        Self { model, target, known, proba, judged, recognised, memory }
    }

    /// The same, with an error as soon as what is kept of the rows would take more bytes than these.
    #[must_use]
    pub fn within(self, memory: u64) -> Self {
        Self { memory, ..self }
    }

    /// Refuses to go on with so many rows in all: their probabilities are kept, and beside them the
    /// memory they had when they were fewer.
    fn reserve(&self, rows: usize) -> Result<()> {
        let width = self.target.fields[0].levels().len().max(1);
        let what = format!("judging {rows} rows of {width} classes");
        reserve(self.memory, &what, &[2, rows, width])
    }

    /// Judges more rows; they hold the target column.
    pub fn add(&mut self, rows: View<'_>) -> Result<()> {
        if self.model.is_classifier() {
            self.meet(rows)?;
        }
        self.reserve(self.judged.places.len() + rows.rows())?;
        let truth = self.target.conform(rows)?;
        let truth = truth.view();
        match (&mut self.judged.said, truth.cells(0)) {
            (Said::Classes(said), Cells::Nominal(codes)) => {
                let mut codes = truth.pick(codes);
                if let Some(rest) = said.classes.rest() {
                    fill_rest(&mut codes, rest as u32, rows, &self.target.fields[0].name);
                }
                if codes.contains(&MISSING) {
                    return Err(no_class(&self.target.fields[0]));
                }
                self.model.proba_into(rows, &mut self.proba)?;
                if let Some(seen) = self.model.seen() {
                    let truth = Truth::Codes(&codes, self.model.classes()?);
                    seen.look_for(self.model.schema(), rows, truth, &mut self.recognised);
                }
                said.labels.extend(codes);
                said.proba.extend_from_slice(self.proba.values());
                said.calls.extend(self.model.calls(self.proba.values())?);
            }
            (Said::Numbers { truth: known, predicted }, Cells::Number(values)) => {
                let values = truth.pick(values);
                predicted.extend(self.model.predict(rows)?);
                if let Some(seen) = self.model.seen() {
                    let truth = Truth::Numbers(&values);
                    seen.look_for(self.model.schema(), rows, truth, &mut self.recognised);
                }
                known.extend(values);
            }
            _ => return Err(Error::unsuitable("the target is of another kind", "")),
        }
        let from = self.judged.places.len() as u32;
        let place = |row: u32| Place { row: from + row, fold: 0, repeat: 0 };
        self.judged.places.extend((0..rows.rows() as u32).map(place));
        Ok(())
    }

    /// Takes up the classes of rows that neither the model knows nor rows before them showed.
    fn meet(&mut self, rows: View<'_>) -> Result<()> {
        if self.model.classes()?.rest().is_some() {
            return Ok(());
        }
        let field = &mut self.target.fields[0];
        let Some(at) = rows.fields().position(|other| other.name == field.name) else {
            return Ok(());
        };
        let mut names = field.levels().to_vec();
        if rows.field(at).levels() == names {
            return Ok(());
        }
        let before = names.len();
        let known: HashSet<&str> = field.levels().iter().map(String::as_str).collect();
        let mut take = |name: &str| {
            if !known.contains(name) {
                names.push(name.to_owned());
            }
        };
        match rows.gather(at) {
            Column::Nominal(codes) => {
                let levels = rows.field(at).levels();
                let mut shown = vec![false; levels.len()];
                codes
                    .iter()
                    .filter(|code| **code != MISSING)
                    .for_each(|&c| shown[c as usize] = true);
                let shown = levels.iter().zip(shown).filter(|(_, shown)| *shown);
                shown.for_each(|(level, _)| take(level));
            }
            Column::Number(mut values) => {
                values.retain(|value| !value.is_nan());
                values.sort_by(f64::total_cmp);
                values.dedup();
                values.truncate(self.known + MOST_UNKNOWN + 1);
                for value in values {
                    take(&value.to_string());
                }
            }
        }
        if names.len() > self.known + MOST_UNKNOWN {
            let what = format!(
                "the column `{}` holds over {MOST_UNKNOWN} classes that the model does not know, such as `{}`",
                field.name, names[self.known]
            );
            return Err(Error::unsuitable(what, it_knows(&names[..self.known])));
        }
        if names.len() > before {
            *field = Field::nominal(field.name.clone(), names);
        }
        Ok(())
    }

    /// What was judged; an error where no row has a class that the model knows.
    pub fn finish(self) -> Result<Judged> {
        let Self { model, target, known, mut judged, recognised, .. } = self;
        if model.seen().is_some_and(|seen| seen.tells(model.about().rows)) {
            judged.remarks.extend(recognised_rows(&recognised));
        }
        let Said::Classes(said) = &mut judged.said else { return Ok(judged) };
        let names = &in_order(target.fields[0].levels(), known, &mut said.labels);
        if names.len() == known {
            return Ok(judged);
        }
        if said.labels.iter().all(|&label| label as usize >= known) {
            let first = said.labels.first().map_or(known, |&label| label as usize);
            let what = format!(
                "the column `{}` holds no class that the model knows: `{}` is none of the classes",
                target.fields[0].name, names[first]
            );
            return Err(Error::unsuitable(what, it_knows(&names[..known])));
        }
        for (label, class) in names.iter().enumerate().skip(known) {
            let rows = said.labels.iter().filter(|&&other| other as usize == label).count();
            let class = class.clone();
            judged.remarks.push(Noticed::UnknownClass { class, rows }.into());
        }
        let positive = said.classes.names()[said.classes.positive()].clone();
        said.classes = Classes::new(names.clone())?.with_positive(&positive)?;
        let widened = said.proba.chunks_exact(known).flat_map(|row| {
            let none = std::iter::repeat_n(&0.0, names.len() - known);
            row.iter().chain(none).copied()
        });
        said.proba = widened.collect();
        Ok(judged)
    }
}

/// The levels with those that the model does not know in canonical order, so that it does not matter
/// which row came first; the labels follow them.
fn in_order(levels: &[String], known: usize, labels: &mut [u32]) -> Vec<String> {
    let mut order: Vec<usize> = (known..levels.len()).collect();
    order.sort_by(|&a, &b| by_value_then_text(&levels[a], &levels[b]));
    let mut new: Vec<u32> = (0..levels.len() as u32).collect();
    for (place, &old) in order.iter().enumerate() {
        new[old] = (known + place) as u32;
    }
    for label in labels {
        *label = new[*label as usize];
    }
    let order = (0..known).chain(order);
    order.map(|level| levels[level].clone()).collect()
}

/// The remark on rows that the model was trained on, if there are some.
pub(super) fn recognised_rows(found: &Recognised) -> Option<Remark> {
    let (repeated, judged, estimated) = (found.estimate(), found.rows, !found.is_exact());
    (repeated > 0).then(|| Noticed::RepeatedRows { repeated, judged, estimated }.into())
}

/// The target of a model as a column to be read: a number, or one of the classes it knows.
pub fn target_field(model: &Model) -> Field {
    let name = model.about().target.clone();
    match model.classes() {
        Ok(classes) => Field::nominal(name, classes.names().iter().cloned()),
        Err(_) => Field::number(name),
    }
}

/// Labels that have no class of their own are of the class `rest`.
pub(super) fn fill_rest(codes: &mut [u32], rest: u32, rows: View<'_>, target: &str) {
    let Some(at) = rows.fields().position(|field| field.name == target) else { return };
    for (row, code) in codes.iter_mut().enumerate() {
        if *code == MISSING && rows.show(row, at).is_some() {
            *code = rest;
        }
    }
}

fn it_knows(classes: &[String]) -> String {
    format!("it knows {}", listed(classes))
}

fn no_class(target: &Field) -> Error {
    Error::unsuitable(
        format!("the column `{}` has no class in a row that is to be judged", target.name),
        "fill it in or leave out the row",
    )
}

//! Learning from a stream, row by row: any cutting of it into chunks gives the same model, and
//! memory is bounded by the population.
//!
//! Numbers need cuts before a rule can test them. A stream that has any waits for its first
//! rows, cuts the numbers by them and learns from them then; until that many have come it answers by
//! the classes it has seen. Columns are found by name; a level that was not announced is missing.

use super::learn::Example;
use super::model::UcsModel;
use super::{Ucs, curve::LearningCurve, guide::Guide};
use crate::classify::{Online, lessons};
use crate::data::{Cells, Classes, Column, Kind, MISSING, Schema, Table, View};
use crate::error::Result;
use crate::param::Params;
use crate::rules::condition::{Layout, LiteralRows, Masks};
use crate::run::Seed;
use serde::{Deserialize, Serialize};

/// How many rows a stream with numbers waits for.
pub(super) const WAIT: usize = 1000;

/// The rows of a window of a stream's learning curve.
const WINDOW: u64 = 1000;

/// The first rows of a stream, column after column; levels by their code, missing ones NaN.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Waiting {
    pub(super) columns: Vec<Vec<f64>>,
    pub(super) labels: Vec<u32>,
    pub(super) weights: Vec<f64>,
}

impl Online for UcsModel {
    fn start(schema: &Schema, classes: &Classes) -> Self {
        let numbers = schema.fields.iter().any(|field| field.kind == Kind::Number);
        let waiting = Waiting {
            columns: vec![Vec::new(); schema.len()],
            labels: Vec::new(),
            weights: Vec::new(),
        };
        let layout = Layout::of_schema(schema);
        Self {
            classes: classes.clone(),
            inputs: schema.clone(),
            settings: Vec::new(),
            limit: layout.attributes(),
            guide: Guide::equal(layout.attributes()),
            masks: Masks::new(layout.words()),
            layout,
            members: Vec::new(),
            seed: Seed::new(0),
            time: 0,
            counts: vec![0.0; classes.len()],
            curve: LearningCurve::new(WINDOW),
            unmatched: 0.0,
            doubt: 0.5,
            waiting: numbers.then(|| Box::new(waiting)),
        }
    }

    fn learn(&mut self, rows: View<'_>, labels: &[u32], weights: &[f64]) -> Result<()> {
        let conformed = lessons(&self.inputs, &self.classes, rows, labels, weights)?;
        let rows = conformed.view();
        let ucs = Ucs::with(&self.settings)?;
        let mut from = 0;
        if self.waiting.is_some() {
            from = self.keep(rows, labels, weights);
            let full = self.waiting.as_ref().is_some_and(|waiting| waiting.labels.len() >= WAIT);
            if full {
                self.cut(&ucs)?;
            }
        }
        let ids: Vec<u32> = (from..labels.len()).map(|row| rows.row_id(row) as u32).collect();
        let sets = LiteralRows::new(&self.layout, rows.with_rows(&ids));
        self.learn_rows(&ucs, &sets, &labels[from..], &weights[from..]);
        Ok(())
    }
}

impl UcsModel {
    /// Makes an empty model ready to learn with these parameters.
    pub(super) fn begin(&mut self, ucs: &Ucs, layout: Layout, seed: Seed) {
        let values = ucs.values().into_iter();
        self.settings = values.map(|(name, value)| (name.to_owned(), value)).collect();
        self.masks = Masks::new(layout.words());
        self.guide = Guide::equal(layout.attributes());
        self.limit = layout.attributes();
        (self.layout, self.seed, self.waiting) = (layout, seed, None);
    }

    /// A stream that learns with these parameters and this seed; [`Online::start`] takes the
    /// defaults and the seed 0.
    pub fn stream(ucs: &Ucs, schema: &Schema, classes: &Classes, seed: Seed) -> Self {
        let mut model = Self::start(schema, classes);
        let waiting = model.waiting.take();
        model.begin(ucs, Layout::of_schema(schema), seed);
        model.waiting = waiting;
        model
    }

    /// Counts the classes of rows.
    pub(super) fn count(&mut self, labels: &[u32], weights: &[f64]) {
        for (&label, &weight) in labels.iter().zip(weights) {
            self.counts[label as usize] += weight;
        }
    }

    /// Factors that give all classes the same weight; 0 for a class without rows.
    pub(super) fn class_weights(&self) -> Vec<f64> {
        (0..self.counts.len() as u32).map(|class| balance_factor(&self.counts, class)).collect()
    }

    /// Learns from rows in their order. Rows without weight do not count.
    fn learn_rows(&mut self, ucs: &Ucs, rows: &LiteralRows, labels: &[u32], weights: &[f64]) {
        let mut curve = self.curve.clone();
        let mut counts = std::mem::take(&mut self.counts);
        self.with_engine(ucs, |engine| {
            let each = rows.each().zip(labels).zip(weights).filter(|(_, weight)| **weight > 0.0);
            for ((row, &label), &weight) in each {
                counts[label as usize] += weight;
                // A stream knows the class counts only up to here.
                let factor = if ucs.balance { balance_factor(&counts, label) } else { 1.0 };
                let outcome = engine.step(Example { row, label, weight: weight * factor });
                curve.add(outcome, engine.time, engine.population.members.len());
            }
        });
        (self.curve, self.counts) = (curve, counts);
        self.doubt = 1.0 / (self.time as f64 + 2.0);
    }

    /// Keeps rows until there are enough; how many were kept or had no weight.
    fn keep(&mut self, rows: View<'_>, labels: &[u32], weights: &[f64]) -> usize {
        let Some(waiting) = &mut self.waiting else { return 0 };
        for row in 0..labels.len() {
            if waiting.labels.len() >= WAIT {
                return row;
            }
            if weights[row] <= 0.0 {
                continue;
            }
            for (column, kept) in waiting.columns.iter_mut().enumerate() {
                let id = rows.row_id(row);
                kept.push(match rows.cells(column) {
                    Cells::Number(values) => values[id],
                    Cells::Nominal(codes) if codes[id] == MISSING => f64::NAN,
                    Cells::Nominal(codes) => f64::from(codes[id]),
                });
            }
            waiting.labels.push(labels[row]);
            waiting.weights.push(weights[row]);
        }
        labels.len()
    }

    /// Cuts the numbers by the rows that were kept, and learns from these.
    fn cut(&mut self, ucs: &Ucs) -> Result<()> {
        let Some(waiting) = self.waiting.take() else { return Ok(()) };
        let Waiting { columns, labels, weights } = *waiting;
        let column = |(values, field): (Vec<f64>, &crate::data::Field)| match field.kind {
            Kind::Number => Column::Number(values),
            Kind::Nominal(_) => {
                let code = |value: f64| if value.is_nan() { MISSING } else { value as u32 };
                Column::Nominal(values.into_iter().map(code).collect())
            }
        };
        let columns = columns.into_iter().zip(&self.inputs.fields).map(column).collect();
        let table = Table::new(self.inputs.clone(), columns)?;
        let layout = Layout::of_view(table.view(), &weights, ucs.bins)?;
        let rows = LiteralRows::new(&layout, table.view());
        self.guide = Guide::equal(layout.attributes());
        self.masks = Masks::new(layout.words());
        self.layout = layout;
        self.learn_rows(ucs, &rows, &labels, &weights);
        Ok(())
    }
}

/// The factor that gives a class the weight of the mean class; 0 where it has no rows.
fn balance_factor(counts: &[f64], class: u32) -> f64 {
    let total: f64 = counts.iter().sum();
    let present = counts.iter().filter(|count| **count > 0.0).count() as f64;
    let own = counts[class as usize];
    if own > 0.0 { total / (present * own) } else { 0.0 }
}

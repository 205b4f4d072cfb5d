//! A trained model: raw columns in, probabilities out, saved and loaded as one file.
//!
//! `Model` = what it was trained on (schema) + how columns become inputs (encoder) + what was
//! learnt (core). Committees hold models, so the type is recursive and lives in one crate.

mod core;
mod file;
mod frame;
mod msgpack;
mod seen;
mod standing;
mod unpack;

pub use core::Core;
pub use file::MAX_BYTES;
pub use frame::{Chunk, MAX_NESTING, read as read_frame, write as write_frame};
pub use seen::{Recognised, SeenRows, Truth};

use crate::classify::{Decision, Diagnostics, Explanation, Proba, Rulebook, Standing, Thresholds};
use crate::data::read::Reading;
use crate::data::{Classes, Encoder, Schema, Task, View};
use crate::error::{Error, Result};
use crate::experts::TreeOutline;
use crate::front::FrontModel;
use crate::run::{Run, Stop};
use crate::sample::{ChainModel, Program};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;

/// Where a model comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The method's name.
    pub method: String,
    /// Its parameters as text.
    pub params: Vec<(String, String)>,
    /// The seed it was trained with.
    pub seed: u64,
    /// How many rows it was trained on.
    pub rows: usize,
    /// The column it predicts.
    pub target: String,
    /// The version of the library that trained it.
    pub version: String,
}

/// A trained model.
#[derive(Debug, Clone)]
pub struct Model {
    about: About,
    schema: Schema,
    encoder: Encoder,
    core: Core,
    decision: Decision,
    thresholds: Option<Thresholds>,
    seen: Option<SeenRows>,
    /// Of each rule, if it is made of rules.
    standing: Option<Vec<Standing>>,
    reading: Option<Reading>,
    /// What rows of each class weighed more in training than they count, where classes were balanced.
    class_weights: Option<Vec<f64>>,
}

impl Model {
    /// Puts a model together from what was learnt on the columns of `features`.
    pub(crate) fn new(about: About, features: View<'_>, encoder: Encoder, core: Core) -> Self {
        let schema = Schema { fields: features.fields().cloned().collect() };
        let decision = match &core {
            Core::Front(front) => front.decision(),
            _ => Decision::default(),
        };
        Self {
            about,
            schema,
            encoder,
            core,
            decision,
            thresholds: None,
            seen: None,
            standing: None,
            reading: None,
            class_weights: None,
        }
    }

    /// Where it comes from.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// The columns it needs.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// What was learnt.
    pub fn core(&self) -> &Core {
        &self.core
    }

    /// The front it is, if it is one.
    pub fn front(&self) -> Option<&FrontModel> {
        match &self.core {
            Core::Front(front) => Some(front),
            _ => None,
        }
    }

    /// The sampled classifiers it is, if it is made of some.
    pub fn chain(&self) -> Option<&ChainModel> {
        match &self.core {
            Core::Chain(chain) => Some(chain),
            _ => None,
        }
    }

    /// The same model around other sampled classifiers.
    pub(crate) fn with_chain(mut self, chain: ChainModel) -> Self {
        self.core = Core::Chain(chain);
        self
    }

    /// The same model with the program that makes its calls; an error where it needs none. A model
    /// file never holds a program: it is given anew.
    pub fn with_program(self, program: Arc<dyn Program>) -> Result<Self> {
        match self.chain() {
            Some(chain) if chain.lacks_program() => {
                let chain = chain.clone().with_program(program);
                Ok(self.with_chain(chain))
            }
            _ => Err(Error::unsuitable(
                "this model was not sampled from an external program",
                "use it without one",
            )),
        }
    }

    /// An error where it was sampled from an external program and has none: it cannot answer.
    pub fn has_program(&self) -> Result<()> {
        self.chain().map_or(Ok(()), ChainModel::has_program)
    }

    /// The standard error of the probability of the positive class of each row, by how chains of
    /// sampled classifiers differ; `None` where that is not known.
    pub fn standard_errors(&self, rows: View<'_>, run: &Run<'_>) -> Result<Option<Vec<f64>>> {
        match self.chain() {
            Some(chain) if chain.parts().len() == 1 => {
                self.encoded(rows, |rows| chain.standard_errors(0, rows, run))
            }
            _ => Ok(None),
        }
    }

    /// What is found with rows as the core gets them.
    pub(crate) fn encoded<T>(
        &self,
        rows: View<'_>,
        work: impl FnOnce(View<'_>) -> Result<T>,
    ) -> Result<T> {
        let conformed = self.schema.conform(rows)?;
        work(self.encoder.encode(conformed.view())?.view())
    }

    /// The same front, answered by another of its points; an error for any other model.
    pub fn at_point(mut self, point: usize) -> Result<Self> {
        match self.core {
            Core::Front(front) => {
                let front = front.at(point)?;
                self.decision = front.decision();
                self.thresholds = None;
                self.core = Core::Front(front);
                Ok(self)
            }
            _ => Err(no_front()),
        }
    }

    /// The true and the false positive rate of every point of a front on rows of which it is known
    /// whether they are positive; an error for any other model.
    pub fn point_rates(&self, rows: View<'_>, positive: &[bool]) -> Result<Vec<[f64; 2]>> {
        let Core::Front(front) = &self.core else { return Err(no_front()) };
        let conformed = self.schema.conform(rows)?;
        let encoded = self.encoder.encode(conformed.view())?;
        front.rates_on(encoded.view(), positive)
    }

    /// The chosen point of a front as a model of its own, without the other members; any other
    /// model as it is.
    #[must_use]
    pub fn only_chosen(mut self) -> Self {
        if let Core::Front(front) = &self.core {
            self.core = Core::Front(front.only());
        }
        self
    }

    /// How it calls rows.
    pub fn decision(&self) -> &Decision {
        &self.decision
    }

    /// The same model with another way to call rows; an error where that does not fit its classes.
    pub fn with_decision(mut self, decision: Decision) -> Result<Self> {
        decision.check(self.classes()?)?;
        self.decision = decision;
        Ok(self)
    }

    /// What thresholds do on training rows, by models that were not trained on them, where a
    /// decision was chosen by that.
    pub fn thresholds(&self) -> Option<&Thresholds> {
        self.thresholds.as_ref()
    }

    /// The same model, with what its decision was chosen by.
    #[must_use]
    pub(crate) fn with_thresholds(mut self, thresholds: Thresholds) -> Self {
        self.thresholds = Some(thresholds);
        self
    }

    /// The rows it was trained on, as far as it knows them.
    pub fn seen(&self) -> Option<&SeenRows> {
        self.seen.as_ref()
    }

    /// The same model, which recognises the rows of the task that it was trained on.
    #[must_use]
    pub fn having_seen(mut self, task: &Task<'_>) -> Self {
        self.seen = Some(SeenRows::of(&self.schema, task));
        self
    }

    /// How the table it was trained on was read, where that is not as usual.
    pub fn reading(&self) -> Option<&Reading> {
        self.reading.as_ref()
    }

    /// The same model, which knows how the table it was trained on was read.
    #[must_use]
    pub fn with_reading(mut self, reading: &Reading) -> Self {
        self.reading = Some(reading.clone()).filter(|reading| !reading.is_usual());
        self
    }

    /// How much more than it counts a row of each class weighed in training, where classes were
    /// balanced: the probabilities are those of rows of which each class is an equal share.
    pub fn class_weights(&self) -> Option<&[f64]> {
        self.class_weights.as_deref()
    }

    /// The same model, which knows how its classes were balanced in training.
    #[must_use]
    pub(crate) fn balanced_by(mut self, class_weights: Vec<f64>) -> Self {
        self.class_weights = Some(class_weights);
        self
    }

    /// The class that a row of these probabilities is called, as its decision says.
    pub fn call(&self, proba: &[f64]) -> Result<usize> {
        Ok(self.calling().of(proba, self.classes()?.positive()))
    }

    /// The calls of rows of probabilities, one after the other, as its decision says.
    pub fn calls(&self, proba: &[f64]) -> Result<Vec<u32>> {
        Ok(self.calling().calls(proba, self.classes()?))
    }

    /// Its decision on its own probabilities. What is expected to cost least follows from how
    /// frequent the classes are, so what balancing did to that is taken back.
    fn calling(&self) -> Cow<'_, Decision> {
        match &self.class_weights {
            Some(weights) => Cow::Owned(self.decision.clone().of_balanced(weights)),
            None => Cow::Borrowed(&self.decision),
        }
    }

    /// What training found out about it beside its predictions: out-of-bag errors, importances
    /// and the like; empty where there is nothing.
    pub fn diagnostics(&self) -> Diagnostics {
        self.core.diagnostics(&self.encoder.output(&self.schema))
    }

    /// What the encoder makes of the columns, which is what the core gets.
    pub fn inputs(&self) -> Schema {
        self.encoder.output(&self.schema)
    }

    /// The first levels of the tree it is, if it is one: no more than `most` nodes.
    pub fn tree(&self, most: usize) -> Option<TreeOutline> {
        match &self.core {
            Core::Tree(tree) => Some(tree.outline(&self.inputs(), most)),
            Core::Stump(stump) => Some(stump.outline(&self.inputs(), most)),
            _ => None,
        }
    }

    /// Its rules and the columns they speak of, if it is made of rules.
    pub fn rules(&self) -> Option<(Rulebook, Schema)> {
        let inputs = self.encoder.output(&self.schema);
        let mut book = self.core.rules(&inputs)?;
        for (rule, standing) in book.rules.iter_mut().zip(self.standing.iter().flatten()) {
            rule.standing = Some(standing.clone());
        }
        Some((book, inputs))
    }

    /// The same model; if it is made of rules, it knows how many rows of the task that it was
    /// trained on each rule applies to and decides.
    pub fn having_counted(mut self, task: &Task<'_>, run: &Run<'_>) -> Result<Self> {
        if let Some((book, inputs)) = self.rules() {
            let encoded = self.encoder.encode(task.features)?;
            let leaves = match &self.core {
                Core::Tree(tree) => Some(tree.leaf_rules(&inputs)),
                _ => None,
            };
            self.standing = standing::count(&book, leaves, encoded.view(), task, run)?;
        }
        Ok(self)
    }

    /// The classes it knows; an error for a model that predicts a number.
    pub fn classes(&self) -> Result<&Classes> {
        self.core.classifier().map(crate::classify::Classifier::classes).ok_or_else(not_classifier)
    }

    /// The class probabilities of the rows in view.
    ///
    /// Columns are found by name: their order does not matter and further columns are ignored.
    /// A missing column is an error. A level that training did not show counts as missing.
    pub fn proba(&self, rows: View<'_>) -> Result<Proba> {
        let mut out = Proba::new();
        self.proba_into(rows, &mut out)?;
        Ok(out)
    }

    /// As [`Model::proba`], into a buffer that can be used again.
    pub fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        let classifier = self.core.classifier().ok_or_else(not_classifier)?;
        let conformed = self.schema.conform(rows)?;
        let encoded = self.encoder.encode(conformed.view())?;
        classifier.proba_into(encoded.view(), out)?;
        let usable = |p: &f64| (0.0..=1.0 + 1e-9).contains(p);
        refuse_unusable((0..out.rows()).find(|&row| !out.row(row).iter().all(usable)))
    }

    /// How many rows to ask it about at a time, so that a stop is seen soon: fewer where a row may
    /// be compared with all rows it was trained on, and where the model is large.
    pub fn rows_at_a_time(&self) -> usize {
        const OPERATIONS: usize = 100_000_000;
        (OPERATIONS / self.operations_of_a_row().max(1)).clamp(1, 8192)
    }

    /// About how many operations a row takes at most: its members together, where it has some.
    fn operations_of_a_row(&self) -> usize {
        match self.core.members() {
            [] => self
                .about
                .rows
                .saturating_mul(self.schema.len())
                .max(self.core.operations_of_a_row()),
            members => members.iter().map(Self::cost_of_a_row).fold(0, usize::saturating_add),
        }
    }

    /// About how many operations a row takes.
    pub(crate) fn cost_of_a_row(&self) -> usize {
        /// A model that keeps no rows has fewer parts than this to compare a row with.
        const PARTS: usize = 1000;
        match self.core {
            Core::Knn(_) | Core::Committee(_) => self.operations_of_a_row(),
            _ => {
                let rows = self.about.rows.min(PARTS);
                rows.saturating_mul(self.schema.len()).max(self.core.operations_of_a_row())
            }
        }
    }

    /// As [`Model::proba`], some rows at a time: [`Error::Stopped`] soon after the flag is raised.
    pub(crate) fn proba_until(&self, rows: View<'_>, stop: &Stop) -> Result<Proba> {
        let (part, classes) = (self.rows_at_a_time(), self.classes()?.len());
        if rows.rows() <= part {
            stop.check()?;
            return self.proba(rows);
        }
        let (mut all, mut out) = (Proba::new(), Proba::new());
        all.reset(rows.rows(), classes);
        for start in (0..rows.rows()).step_by(part) {
            stop.check()?;
            let end = (start + part).min(rows.rows());
            let ids: Vec<u32> = (start..end).map(|row| rows.row_id(row) as u32).collect();
            self.proba_into(rows.with_rows(&ids), &mut out)?;
            all.rows_mut(start..end).copy_from_slice(out.values());
        }
        Ok(all)
    }

    /// Whether it predicts a class; else it predicts a number.
    pub fn is_classifier(&self) -> bool {
        self.core.classifier().is_some()
    }

    /// The predicted number of every row in view; an error for a model that predicts a class.
    /// Columns are found by name, as in [`Model::proba`].
    pub fn predict(&self, rows: View<'_>) -> Result<Vec<f64>> {
        let mut mean = vec![0.0; rows.rows()];
        self.predict_into(rows, &mut mean, None)?;
        Ok(mean)
    }

    /// As [`Model::predict`], into buffers of one entry for each row, with the variance of each
    /// prediction where it is asked for.
    pub fn predict_into(
        &self,
        rows: View<'_>,
        mean: &mut [f64],
        mut variance: Option<&mut [f64]>,
    ) -> Result<()> {
        let regressor = self.core.regressor().ok_or_else(not_regressor)?;
        let conformed = self.schema.conform(rows)?;
        let encoded = self.encoder.encode(conformed.view())?;
        regressor.predict_into(encoded.view(), mean, variance.as_deref_mut())?;
        refuse_unusable(mean.iter().position(|mean| !mean.is_finite()))?;
        let usable = |variance: &f64| variance.is_finite() && *variance >= 0.0;
        refuse_unusable(variance.and_then(|of| of.iter().position(|value| !usable(value))))
    }

    /// Why row `row` of the view gets its prediction, in terms of the raw columns: the
    /// columns of the explanation are those of [`Model::schema`].
    pub fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        if row >= rows.rows() {
            return Err(Error::unsuitable(
                format!("there is no row {row}: the table has {} rows", rows.rows()),
                "rows are counted from 0",
            ));
        }
        let id = [rows.row_id(row) as u32];
        let conformed = self.schema.conform(rows.with_rows(&id))?;
        let encoded = self.encoder.encode(conformed.view())?;
        let mut explanation = match (self.core.classifier(), self.core.regressor()) {
            (Some(classifier), _) => classifier.explain(encoded.view(), 0)?,
            (None, Some(regressor)) => regressor.explain(encoded.view(), 0)?,
            (None, None) => return Err(not_classifier()),
        };
        for part in &mut explanation.parts {
            let Some(input) = part.column else { continue };
            part.column = Some(self.encoder.source(input));
            // An input that was made from a column is nothing that a person has seen.
            if let Some(words) = self.encoder.words(input, conformed.view(), 0) {
                part.because = words;
            }
        }
        Ok(explanation)
    }
}

/// Never a number out that is none: `row` is the first whose prediction cannot be used.
fn refuse_unusable(row: Option<usize>) -> Result<()> {
    let Some(row) = row else { return Ok(()) };
    Err(Error::unsuitable(
        format!("the model has no usable prediction for row {row}: its arithmetic overflows there"),
        "look for extreme numbers in this row and in the training rows",
    ))
}

fn not_classifier() -> Error {
    Error::unsuitable("this model predicts a number, not a class", "use a classifier")
}

fn not_regressor() -> Error {
    Error::unsuitable("this model predicts a class, not a number", "use a regression method")
}
fn no_front() -> Error {
    Error::unsuitable("this model is no front: it has no points to choose from", "use it as it is")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::catalogue::{Catalogue, Load};
    use crate::experts::TreeModel;
    use crate::method::make;
    use crate::run::Pool;

    /// A tree whose leaves of some probability hold no number, which no check of a file has seen.
    fn forged(model: &Model, share: f64) -> Model {
        let Core::Tree(tree) = &model.core else { panic!("not a tree") };
        let mut bytes = rmp_serde::to_vec(tree).expect("a tree can be written");
        let (old, new) = (share.to_be_bytes(), f64::NAN.to_be_bytes());
        for at in 0..bytes.len() - 8 {
            if bytes[at..at + 8] == old {
                bytes[at..at + 8].copy_from_slice(&new);
            }
        }
        let tree: TreeModel = rmp_serde::from_slice(&bytes).expect("it has its shape");
        Model { core: Core::Tree(tree), ..model.clone() }
    }

    #[test]
    fn no_probability_that_is_no_number_gets_out() -> Result<()> {
        let data = Catalogue::embedded().open("pima", &Load::default())?;
        let (stop, pool) = (Stop::new(), Pool::new(1)?);
        let model = make("tree", &[])?.train(&data.task()?, &Run::new(1, &stop, &pool))?.model;
        let said = model.proba(data.features())?;
        let share = said.row(7)[0];
        let first = (0..said.rows()).find(|&row| said.row(row).contains(&share));
        let forged = forged(&model, share);
        let error = forged.proba(data.features()).expect_err("no number").to_string();
        let wanted =
            format!("no usable prediction for row {}", first.expect("row 7 at the latest"));
        assert!(error.contains(&wanted), "{error}");
        assert!(forged.proba_until(data.features(), &stop).is_err());
        Ok(())
    }

    #[test]
    fn rows_at_a_time_follow_from_what_a_row_takes() -> Result<()> {
        let data = Catalogue::embedded().open("iris", &Load::default())?;
        let (stop, pool) = (Stop::new(), Pool::new(1)?);
        let run = Run::new(1, &stop, &pool);
        let fitted = |name: &str, settings: &[(&str, &str)]| -> Result<Model> {
            let settings: Vec<_> =
                settings.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
            Ok(make(name, &settings)?.train(&data.task()?, &run)?.model)
        };
        assert_eq!(fitted("tree", &[])?.rows_at_a_time(), 8192);
        // More trees are more work, however few rows they were learnt from.
        let cells = 150 * 4;
        let few = fitted("forest", &[("trees", "2")])?.operations_of_a_row();
        let many = fitted("forest", &[("trees", "300")])?.operations_of_a_row();
        assert!(few == cells && many > 4 * cells, "{few} {many}");
        Ok(())
    }
}

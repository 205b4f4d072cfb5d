//! What a file may hold, and what a model tells of itself.

use super::Ucs;
use super::macro_classifier::MacroClassifier;
use super::model::UcsModel;
use super::online::WAIT;
use crate::classify::{Rulebook, Saved};
use crate::data::{Field, Kind, Schema};
use crate::error::{Error, Result};
use crate::param::Params;
use serde_json::{Map, Value, json};

impl UcsModel {
    /// The parameters it learns with; [`Saved::check`] has refused others.
    pub(super) fn parameters(&self) -> Ucs {
        Ucs::with(&self.settings).unwrap_or_default()
    }

    fn sound(&self, inputs: &Schema) -> bool {
        let finite = |value: f64| value.is_finite() && value >= 0.0;
        let member = |member: &MacroClassifier| {
            (member.class as usize) < self.classes.len()
                && member.numerosity > 0
                && member.stamp <= self.time
                && finite(member.weight)
                && (0.0..=member.weight).contains(&member.right)
                && finite(member.size)
                && finite(member.fitness)
        };
        Ucs::with(&self.settings).is_ok_and(|ucs| self.numerosity() <= ucs.population as u64)
            && self.inputs.is_like(inputs)
            && self.layout.fits(inputs)
            && self.masks.words() == self.layout.words()
            && self.masks.even()
            && self.masks.len() == self.members.len()
            && (0..self.masks.len()).all(|at| self.layout.is_condition(&self.masks.condition(at)))
            && self.members.iter().all(member)
            && (1..=self.layout.attributes()).contains(&self.limit)
            && self.guide.sound(self.layout.attributes())
            && self.counts.len() == self.classes.len()
            && self.counts.iter().all(|count| finite(*count))
            && self.curve.sound()
            && (0.0..=1.0).contains(&self.unmatched)
            && (0.0..=1.0).contains(&self.doubt)
            && self.waiting_is_sound()
    }

    fn waiting_is_sound(&self) -> bool {
        let Some(waiting) = &self.waiting else { return true };
        let rows = waiting.labels.len();
        let column = |(values, field): (&Vec<f64>, &Field)| {
            let levels = field.levels().len() as f64;
            let code = |value: &f64| value.is_nan() || (0.0..levels).contains(value);
            let value = |value: &f64| value.is_nan() || value.is_finite();
            values.len() == rows
                && match field.kind {
                    Kind::Number => values.iter().all(value),
                    Kind::Nominal(_) => values.iter().all(code),
                }
        };
        rows < WAIT
            && self.members.is_empty()
            && waiting.columns.len() == self.inputs.len()
            && waiting.columns.iter().zip(&self.inputs.fields).all(column)
            && waiting.labels.iter().all(|&label| (label as usize) < self.classes.len())
            && waiting.weights.len() == rows
            && waiting.weights.iter().all(|weight| weight.is_finite() && *weight > 0.0)
    }
}

impl Saved for UcsModel {
    const VERSION: u32 = 1;

    fn check(&self, inputs: &Schema) -> Result<()> {
        self.classes.check()?;
        if self.sound(inputs) {
            Ok(())
        } else {
            Err(Error::model_file("its population of rules is inconsistent"))
        }
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        let specificity = |at: usize| self.layout.specificity(&self.masks.condition(at)) as u64;
        let conditions = (0..self.members.len()).map(specificity).sum();
        vec![("rules", self.members.len() as u64), ("conditions", conditions)]
    }

    fn diagnostics(&self, inputs: &Schema) -> Map<String, Value> {
        let mut attributes: Vec<(&str, f64)> = inputs.names().zip(self.importance()).collect();
        attributes.sort_by(|a, b| b.1.total_cmp(&a.1));
        let attribute = |(name, share): (&str, f64)| json!({ "column": name, "share": share });
        let attributes: Vec<Value> = attributes.into_iter().map(attribute).collect();
        let mut map = Map::new();
        map.insert("iterations".into(), json!(self.time));
        map.insert("numerosity".into(), json!(self.numerosity()));
        map.insert("unmatched".into(), json!(self.unmatched));
        map.insert("importance".into(), json!(attributes));
        map.insert("doubt".into(), json!(self.doubt));
        map.insert("curve".into(), json!(self.curve.points));
        map
    }

    fn rules(&self) -> Option<Rulebook> {
        Some(self.rulebook())
    }
}

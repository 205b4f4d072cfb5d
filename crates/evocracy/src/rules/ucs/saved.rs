//! What a file may hold, and what a model tells of itself.

use super::Ucs;
use super::macro_classifier::MacroClassifier;
use super::model::UcsModel;
use super::online::WAIT;
use crate::classify::{
    ColumnShare, Diagnostics, Importances, LearningWindow, RuleCurve, Rulebook, Saved,
};
use crate::data::{Field, Kind, Schema};
use crate::error::{Error, Result};
use crate::param::Params;

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

    fn diagnostics(&self, inputs: &Schema) -> Diagnostics {
        let attributes = inputs.names().zip(self.importance());
        let mut attributes: Vec<ColumnShare> = attributes
            .map(|(name, share)| ColumnShare { column: name.to_owned(), share })
            .collect();
        attributes.sort_by(|a, b| b.share.total_cmp(&a.share));
        let windows = self.curve.points.iter().map(|&point| {
            let super::curve::CurveWindow { rows, error, covered, log2, rules } = point;
            LearningWindow { rows, error, covered, log2, rules }
        });
        Diagnostics {
            iterations: Some(self.time),
            numerosity: Some(self.numerosity()),
            unmatched: Some(self.unmatched),
            importance: Some(Importances::Shares(attributes)),
            doubt: Some(self.doubt),
            curve: Some(RuleCurve::Windows(windows.collect())),
            ..Diagnostics::default()
        }
    }

    fn rules(&self, _inputs: &Schema) -> Option<Rulebook> {
        Some(self.rulebook())
    }
}

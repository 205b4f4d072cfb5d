//! A committee that was trained: models and the rule that combines them.

use super::combiner::{Combiner, Of};
use super::explain::Said;
use super::{Combine, diagnostics};
use crate::classify::{Classifier, Diagnostics, Explanation, Proba, Saved};
use crate::data::{Classes, Schema, View};
use crate::error::Result;
use crate::model::Model;
use serde::{Deserialize, Serialize};

/// How many rows go through all members at a time: their outputs stay in the cache, and memory
/// does not grow with members times rows.
const CHUNK: usize = 1024;

/// Models and how their outputs are combined.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CommitteeModel {
    classes: Classes,
    combine: Combine,
    /// Chunks of their own in a model file.
    #[serde(skip)]
    members: Vec<Model>,
    #[serde(default, rename = "notes", serialize_with = "diagnostics::sorted")]
    diagnostics: Box<Diagnostics>,
}

impl CommitteeModel {
    /// Puts members together; refuses those that the rule cannot combine.
    pub(crate) fn new(
        classes: Classes,
        members: Vec<Model>,
        combine: Combine,
        diagnostics: Diagnostics,
    ) -> Result<Self> {
        let diagnostics = Box::new(diagnostics);
        let mut committee = Self { classes, combine, members: Vec::new(), diagnostics };
        committee.adopt(members)?;
        Ok(committee)
    }

    /// The models.
    pub fn members(&self) -> &[Model] {
        &self.members
    }

    /// The rule.
    pub fn combine(&self) -> &Combine {
        &self.combine
    }

    /// Takes in the members of a model file.
    pub(crate) fn adopt(&mut self, members: Vec<Model>) -> Result<()> {
        let widths: Result<Vec<usize>> =
            members.iter().map(|member| Ok(member.classes()?.len())).collect();
        self.combine.check(&widths?, self.classes.len())?;
        self.members = members;
        Ok(())
    }

    /// The members that are asked about rows, and what combines their outputs: the rule, or in a
    /// stack the last member.
    fn parts(&self) -> (&[Model], Combiner<'_>) {
        match (&self.combine, self.members.split_last()) {
            (Combine::Stack, Some((combiner, asked))) => {
                (asked, Combiner::Model(combiner, Of::Outputs))
            }
            (Combine::Labels, Some((combiner, asked))) => {
                (asked, Combiner::Model(combiner, Of::Labels))
            }
            (rule, _) => (&self.members, Combiner::Rule(rule)),
        }
    }
}

/// Asks every member about the rows.
fn ask(members: &[Model], rows: View<'_>, outputs: &mut Vec<Proba>) -> Result<()> {
    outputs.resize_with(members.len(), Proba::new);
    members.iter().zip(outputs).try_for_each(|(member, output)| member.proba_into(rows, output))
}

impl Classifier for CommitteeModel {
    fn classes(&self) -> &Classes {
        &self.classes
    }

    fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        out.reset(rows.rows(), self.classes.len());
        let (members, combiner) = self.parts();
        let mut outputs = Vec::new();
        for start in (0..rows.rows()).step_by(CHUNK) {
            let end = (start + CHUNK).min(rows.rows());
            let ids: Vec<u32> = (start..end).map(|row| rows.row_id(row) as u32).collect();
            ask(members, rows.with_rows(&ids), &mut outputs)?;
            combiner.proba_into(members, &outputs, start, out)?;
        }
        Ok(())
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        let (members, combiner) = self.parts();
        let mut outputs = Vec::new();
        let alone = [rows.row_id(row) as u32];
        let rows = rows.with_rows(&alone);
        ask(members, rows, &mut outputs)?;
        combiner.explain(Said { members, outputs: &outputs, rows }, self.classes.len())
    }
}

impl Saved for CommitteeModel {
    const VERSION: u32 = 1;

    fn check(&self, _inputs: &Schema) -> Result<()> {
        // Members are checked when they are taken in; they find their columns by name.
        self.classes.check()
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        let mut size: Vec<(&'static str, u64)> = vec![("members", self.members.len() as u64)];
        for (what, n) in self.members.iter().flat_map(|member| member.core().size()) {
            match size[1..].iter_mut().find(|(known, _)| *known == what) {
                Some((_, sum)) => *sum += n,
                // The depth of several trees together means nothing, and members of members
                // are not members.
                None if ["depth", "members"].contains(&what) => {}
                None => size.push((what, n)),
            }
        }
        size
    }

    fn diagnostics(&self, _inputs: &Schema) -> Diagnostics {
        (*self.diagnostics).clone()
    }
}

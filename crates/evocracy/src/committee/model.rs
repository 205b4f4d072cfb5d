//! A committee that was trained: models and the rule that combines them.

use super::Combine;
use super::notes;
use crate::classify::{Classifier, Diagnostics, Explanation, Part, Proba, Saved};
use crate::data::{Classes, Column, Field, Schema, Table, View};
use crate::error::Result;
use crate::model::Model;
use serde::{Deserialize, Serialize};

/// How many rows go through all members at a time: their answers stay in the cache, and memory
/// does not grow with members times rows.
const CHUNK: usize = 1024;

/// Models and how they are combined.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CommitteeModel {
    classes: Classes,
    combine: Combine,
    /// Chunks of their own in a model file.
    #[serde(skip)]
    members: Vec<Model>,
    #[serde(default, serialize_with = "notes::sorted")]
    notes: Box<Diagnostics>,
}

impl CommitteeModel {
    /// Puts members together; refuses those that the rule cannot combine.
    pub(crate) fn new(
        classes: Classes,
        members: Vec<Model>,
        combine: Combine,
        notes: Diagnostics,
    ) -> Result<Self> {
        let mut committee = Self { classes, combine, members: Vec::new(), notes: Box::new(notes) };
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

    /// What every member says of the rows; the combiner of a stack has not been asked.
    fn said(&self, rows: View<'_>, said: &mut Vec<Proba>) -> Result<()> {
        let asked = match self.combine {
            Combine::Stack => &self.members[..self.members.len() - 1],
            _ => &self.members[..],
        };
        said.resize_with(asked.len(), Proba::new);
        for (member, said) in asked.iter().zip(said) {
            member.proba_into(rows, said)?;
        }
        Ok(())
    }

    /// Writes the probabilities of the rows at `at` and on.
    fn combined(&self, said: &[Proba], at: usize, out: &mut Proba) -> Result<()> {
        let (k, rows) = (self.classes.len(), said.first().map_or(0, Proba::rows));
        if let (Combine::Stack, Some(combiner)) = (&self.combine, self.members.last()) {
            let table = answers(&self.members[..said.len()], said)?;
            let proba = combiner.proba(table.view())?;
            for row in 0..rows {
                out.row_mut(at + row).copy_from_slice(proba.row(row));
            }
            return Ok(());
        }
        let (base, link) = (self.combine.base(k), self.combine.link());
        let mut parts = vec![0.0; said.len() * k];
        for row in 0..rows {
            let answers: Vec<&[f64]> = said.iter().map(|proba| proba.row(row)).collect();
            parts.fill(0.0);
            self.combine.parts(&answers, k, &mut parts);
            let sums = out.row_mut(at + row);
            sums.copy_from_slice(&base);
            for part in parts.chunks_exact(k) {
                sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
            }
            link.apply(sums);
        }
        Ok(())
    }
}

impl Classifier for CommitteeModel {
    fn classes(&self) -> &Classes {
        &self.classes
    }

    fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        out.reset(rows.rows(), self.classes.len());
        let mut said = Vec::new();
        for start in (0..rows.rows()).step_by(CHUNK) {
            let end = (start + CHUNK).min(rows.rows());
            let ids: Vec<u32> = (start..end).map(|row| rows.row_id(row) as u32).collect();
            self.said(rows.with_rows(&ids), &mut said)?;
            self.combined(&said, start, out)?;
        }
        Ok(())
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        let k = self.classes.len();
        let id = [rows.row_id(row) as u32];
        let mut said = Vec::new();
        self.said(rows.with_rows(&id), &mut said)?;
        if let (Combine::Stack, Some(combiner)) = (&self.combine, self.members.last()) {
            let table = answers(&self.members[..said.len()], &said)?;
            let mut explanation = combiner.explain(table.view(), 0)?;
            // Its columns are answers of members, not columns of the table.
            explanation.parts.iter_mut().for_each(|part| part.column = None);
            return Ok(explanation);
        }
        let answers: Vec<&[f64]> = said.iter().map(|proba| proba.row(0)).collect();
        let mut adds = vec![0.0; said.len() * k];
        self.combine.parts(&answers, k, &mut adds);
        let part = |(at, adds): (usize, &[f64])| {
            let because = called(at, &self.members[at], &said[at])?;
            Ok(Part { column: None, because, adds: adds.to_vec() })
        };
        let parts = adds.chunks_exact(k).enumerate().map(part).collect::<Result<_>>()?;
        Ok(Explanation { base: self.combine.base(k), parts, link: self.combine.link() })
    }
}

/// What a member says of the only row, in words.
fn called(at: usize, member: &Model, said: &Proba) -> Result<String> {
    let best = said.best(0);
    let class = &member.classes()?.names()[best];
    let method = &member.about().method;
    Ok(format!("member {} ({method}) says {class} with {:.3}", at + 1, said.row(0)[best]))
}

/// A table of what members say: a column for each member and class. Of two classes one column
/// says it all.
pub(super) fn answers(members: &[Model], said: &[Proba]) -> Result<Table> {
    let (mut fields, mut columns) = (Vec::new(), Vec::new());
    for (at, (member, said)) in members.iter().zip(said).enumerate() {
        let names = member.classes()?.names();
        let skipped = usize::from(names.len() == 2);
        for (class, name) in names.iter().enumerate().skip(skipped) {
            fields.push(Field::number(format!("{} {}: {name}", at + 1, member.about().method)));
            columns.push(Column::Number(said.class(class)));
        }
    }
    Table::new(Schema { fields }, columns)
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
        (*self.notes).clone()
    }
}

//! The step from the probabilities of the members to those of the committee.

use super::Combine;
use super::explain::{self, Said};
use crate::classify::{Explanation, Proba};
use crate::data::{Column, Field, Schema, Table};
use crate::error::Result;
use crate::model::Model;

/// What combines the outputs of the members: the probabilities that each of them gives some rows.
pub(super) enum Combiner<'a> {
    /// A rule.
    Rule(&'a Combine),
    /// A model that was trained on such outputs, as a table.
    Model(&'a Model, Of),
}

/// What a model in the place of a rule has learnt from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Of {
    Outputs,
    Labels,
}

impl Combiner<'_> {
    /// Writes the probabilities of the rows from `at` on.
    pub fn proba_into(
        &self,
        members: &[Model],
        outputs: &[Proba],
        at: usize,
        out: &mut Proba,
    ) -> Result<()> {
        match self {
            Self::Rule(rule) => by_rule(rule, outputs, at, out),
            Self::Model(model, of) => {
                let table = match of {
                    Of::Outputs => output_table(members, outputs)?,
                    Of::Labels => label_table(members, outputs)?,
                };
                let proba = model.proba(table.view())?;
                out.rows_mut(at..at + proba.rows()).copy_from_slice(proba.values());
            }
        }
        Ok(())
    }

    /// Explains the only row that the members were asked about.
    pub fn explain(&self, said: Said<'_>, k: usize) -> Result<Explanation> {
        match self {
            Self::Rule(rule) => explain::by_rule(rule, said, k),
            Self::Model(model, Of::Outputs) => explain::by_outputs(model, said, k),
            Self::Model(model, Of::Labels) => explain::by_labels(model, said),
        }
    }
}

fn by_rule(rule: &Combine, outputs: &[Proba], at: usize, out: &mut Proba) {
    let (k, rows) = (out.classes(), outputs.first().map_or(0, Proba::rows));
    let link = rule.link();
    let mut parts = vec![0.0; outputs.len() * k];
    for row in 0..rows {
        let of_row: Vec<&[f64]> = outputs.iter().map(|proba| proba.row(row)).collect();
        parts.fill(0.0);
        let sums = out.row_mut(at + row);
        sums.fill(0.0);
        rule.parts(&of_row, sums, &mut parts);
        for part in parts.chunks_exact(k) {
            sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
        link.apply(sums);
    }
}

/// The output of a member for the only row, in words.
pub(super) fn in_words(at: usize, member: &Model, output: &Proba) -> Result<String> {
    let best = output.best(0);
    let class = &member.classes()?.names()[best];
    let method = &member.about().method;
    Ok(format!("member {} ({method}) says {class} with {:.3}", at + 1, output.row(0)[best]))
}

/// The outputs of members as columns: one for each member and class; the second class alone where
/// there are two.
pub(super) fn output_table(members: &[Model], outputs: &[Proba]) -> Result<Table> {
    let (mut fields, mut columns) = (Vec::new(), Vec::new());
    for (at, (member, output)) in members.iter().zip(outputs).enumerate() {
        let names = member.classes()?.names();
        let skipped = usize::from(names.len() == 2);
        for (class, name) in names.iter().enumerate().skip(skipped) {
            fields.push(Field::number(format!("{} {}: {name}", at + 1, member.about().method)));
            columns.push(Column::Number(output.class(class)));
        }
    }
    Table::new(Schema { fields }, columns)
}

/// What members call rows, as columns of labels: one for each member.
pub(super) fn label_table(members: &[Model], outputs: &[Proba]) -> Result<Table> {
    let (mut fields, mut columns) = (Vec::new(), Vec::new());
    for (at, (member, output)) in members.iter().zip(outputs).enumerate() {
        let classes = member.classes()?;
        let name = format!("{} {}", at + 1, member.about().method);
        fields.push(Field::nominal(name, classes.names().to_vec()));
        columns.push(Column::Nominal(member.calls(output.values())?));
    }
    Table::new(Schema { fields }, columns)
}

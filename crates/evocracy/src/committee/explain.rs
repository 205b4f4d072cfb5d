//! What the members of a committee add, shared out among columns: see [`super::columns`].

use super::Combine;
use super::columns::{Made, Shares, share};
use super::combiner::{in_words, label_table, output_table};
use crate::classify::{Explanation, Part, Proba};
use crate::data::{Column, Table, View};
use crate::error::Result;
use crate::model::Model;

/// The members with what they said of the only row in view.
#[derive(Clone, Copy)]
pub(super) struct Said<'a> {
    pub members: &'a [Model],
    pub outputs: &'a [Proba],
    pub rows: View<'a>,
}

impl<'a> Said<'a> {
    /// Why a member says what it says: its explanation, what its probabilities consist of, and
    /// where the columns of its evidence stand in the rows.
    fn why(&self, at: usize, shares: &Shares<'_>) -> Result<Why> {
        let member = &self.members[at];
        let explanation = member.explain(self.rows, 0)?;
        let made = Made::of(&explanation, self.outputs[at].row(0));
        let name = |column: usize| &member.schema().fields[column].name;
        let place = |part: &Part| part.column.and_then(|column| shares.place(name(column)));
        let places = explanation.parts.iter().map(place).collect();
        Ok(Why { explanation, made, places })
    }

    fn finish(&self, shares: Shares<'a>, link: crate::classify::Link) -> Result<Explanation> {
        let words = |at: usize| in_words(at, &self.members[at], &self.outputs[at]);
        let (base, parts) = shares.parts(words)?;
        Ok(Explanation { base, parts, link })
    }
}

struct Why {
    explanation: Explanation,
    made: Made,
    /// Of each piece of evidence; `None` where it is no column.
    places: Vec<Option<usize>>,
}

/// The parts of a rule.
pub(super) fn by_rule(rule: &Combine, said: Said<'_>, k: usize) -> Result<Explanation> {
    let outputs: Vec<&[f64]> = said.outputs.iter().map(|proba| proba.row(0)).collect();
    let (mut base, mut adds) = (vec![0.0; k], vec![0.0; outputs.len() * k]);
    rule.parts(&outputs, &mut base, &mut adds);
    let mut all = Shares::new(said.rows, base);
    let mut got = Vec::new();
    for (at, own) in adds.chunks_exact(k).enumerate() {
        // Of a member that was not asked there is nothing to explain.
        if own.iter().all(|add| *add == 0.0) {
            continue;
        }
        let why = said.why(at, &all)?;
        for (class, &amount) in own.iter().enumerate() {
            let Some(scale) = rule.scale((at, class), amount, &outputs) else {
                all.base[class] += amount;
                continue;
            };
            all.base[class] += share(amount, scale, &why.explanation, &why.made, &mut got);
            for (&place, &amount) in why.places.iter().zip(&got) {
                all.add((at, place), class, amount);
            }
        }
    }
    said.finish(all, rule.link())
}

/// A model that weighs an output which hardly varied in training says more than this where the output
/// is what it is before any evidence: differences of such parts are rounding.
const FAR: f64 = 1e4;

/// The parts of a model of outputs: what it says differently than at the outputs that members have
/// before any evidence.
pub(super) fn by_outputs(model: &Model, said: Said<'_>, k: usize) -> Result<Explanation> {
    let mut all = Shares::new(said.rows, vec![0.0; k]);
    let why: Vec<Why> =
        (0..said.members.len()).map(|at| said.why(at, &all)).collect::<Result<_>>()?;
    let before = |why: &Why| {
        let mut proba = Proba::new();
        proba.reset(1, why.made.base.len());
        proba.row_mut(0).copy_from_slice(&why.made.base);
        proba
    };
    let before: Vec<Proba> = why.iter().map(before).collect();
    let ask = |outputs: &[Proba]| -> Result<ByOutput> {
        let table = output_table(said.members, outputs)?;
        Ok(ByOutput::of(model, &table, &model.explain(table.view(), 0)?))
    };
    let (here, there) = (ask(said.outputs)?, ask(&before)?);
    all.base.copy_from_slice(&there.rest);
    for ((at, voice), (to, from)) in
        output_voices(said.members)?.into_iter().zip(here.parts.iter().zip(&there.parts))
    {
        if to.iter().zip(from).any(|(to, from)| (to - from).abs() > FAR) {
            to.iter().enumerate().for_each(|(class, &to)| all.add((at, None), class, to));
            continue;
        }
        all.base.iter_mut().zip(from).for_each(|(base, from)| *base += from);
        let Why { made, places, .. } = &why[at];
        let (moved, size) = made.moved(voice);
        for class in 0..k {
            let mut left = to[class] - from[class];
            let slope = if moved == 0.0 {
                0.0
            } else {
                left / (moved.signum() * moved.abs().max(size / 2.0))
            };
            for ((_, adds), &place) in made.pieces.iter().zip(places) {
                all.add((at, place), class, slope * adds[voice]);
                left -= slope * adds[voice];
            }
            // Rounding is no part.
            if left.abs() < 1e-12 {
                all.base[class] += left;
            } else {
                all.add((at, None), class, left);
            }
        }
    }
    let adds: Vec<f64> = here.rest.iter().zip(&there.rest).map(|(to, from)| to - from).collect();
    let mut explanation = said.finish(all, here.link)?;
    if adds.iter().any(|add| *add != 0.0) {
        let because = format!("what {} finds in no output alone", model.about().method);
        explanation.parts.push(Part { column: None, because, adds });
    }
    Ok(explanation)
}

/// The member and its class of each column that [`output_table`] makes.
fn output_voices(members: &[Model]) -> Result<Vec<(usize, usize)>> {
    let mut voices = Vec::new();
    for (at, member) in members.iter().enumerate() {
        let classes = member.classes()?.len();
        voices.extend((usize::from(classes == 2)..classes).map(|class| (at, class)));
    }
    Ok(voices)
}

/// An explanation in terms of the columns of a table.
struct ByOutput {
    parts: Vec<Vec<f64>>,
    /// The base, and evidence that is no column.
    rest: Vec<f64>,
    link: crate::classify::Link,
}

impl ByOutput {
    fn of(model: &Model, table: &Table, explanation: &Explanation) -> Self {
        let fields = &table.schema().fields;
        let mut by = Self {
            parts: vec![vec![0.0; explanation.base.len()]; fields.len()],
            rest: explanation.base.clone(),
            link: explanation.link,
        };
        for part in &explanation.parts {
            let to = match place(model, table, part) {
                Some(at) => &mut by.parts[at],
                None => &mut by.rest,
            };
            to.iter_mut().zip(&part.adds).for_each(|(sum, add)| *sum += add);
        }
        by
    }
}

/// Where the column that a part of the model is about stands in the table.
fn place(model: &Model, table: &Table, part: &Part) -> Option<usize> {
    let name = &model.schema().fields.get(part.column?)?.name;
    table.schema().fields.iter().position(|field| field.name == *name)
}

/// The parts of a model of labels: that of a label is shared among what the probability consists of
/// with which the member gives it.
pub(super) fn by_labels(model: &Model, said: Said<'_>) -> Result<Explanation> {
    let table = label_table(said.members, said.outputs)?;
    let Explanation { base, parts, link } = model.explain(table.view(), 0)?;
    let mut all = Shares::new(said.rows, base);
    let mut together = Vec::new();
    for part in parts {
        let label = place(model, &table, &part).and_then(|at| match &table.columns()[at] {
            Column::Nominal(codes) => Some((at, codes[0] as usize)),
            Column::Number(_) => None,
        });
        let Some((at, label)) = label else {
            together.push(Part { column: None, ..part });
            continue;
        };
        let why = said.why(at, &all)?;
        let Some(&p) = why.made.proba.get(label) else {
            together.push(Part { column: None, ..part });
            continue;
        };
        // A decision may call what is hardly probable.
        let all_of_it = p.max(why.made.moved(label).1 / 2.0);
        for (class, &amount) in part.adds.iter().enumerate() {
            let slope = if all_of_it > 0.0 { amount / all_of_it } else { 0.0 };
            let mut left = amount;
            for ((_, adds), &place) in why.made.pieces.iter().zip(&why.places) {
                all.add((at, place), class, slope * adds[label]);
                left -= slope * adds[label];
            }
            all.base[class] += left;
        }
    }
    let mut explanation = said.finish(all, link)?;
    explanation.parts.extend(together);
    Ok(explanation)
}

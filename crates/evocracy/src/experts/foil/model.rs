//! A fitted rule list: probabilities, explanations, what a file may hold.

use super::cover::Covered;
use super::search::Condition;
use crate::classify::{
    Classifier, Decides, Explanation, Link, Missing, Part, Proba, Rule, Rulebook, Saved, Support,
};
use crate::data::{Cells, Classes, Schema, View};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// Rules in order, and the default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FoilModel {
    classes: Classes,
    /// How many columns there are.
    columns: usize,
    rules: Vec<FoilRule>,
    /// The probabilities of all training rows together.
    prior: Vec<f64>,
    /// The probabilities where no rule applies.
    default: Vec<f64>,
    /// The weight of the training rows that no rule applied to.
    #[serde(default)]
    rest: f64,
}

/// If all conditions hold, these are the probabilities.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct FoilRule {
    conditions: Vec<Condition>,
    /// The class it was learnt for.
    class: u32,
    proba: Vec<f64>,
    /// The weight of the training rows that came to it and that it applied to.
    #[serde(default)]
    support: f64,
}

impl FoilRule {
    /// The rule as a person reads it.
    fn shown(&self) -> Rule {
        let tests = self.conditions.iter().map(Condition::test).collect();
        Rule::new(tests, self.proba.clone(), 1.0, self.support)
    }
}

impl FoilModel {
    pub(super) fn new(classes: &Classes, columns: usize, covered: Covered, smoothing: f64) -> Self {
        let shares = |counts: &[f64]| -> Vec<f64> {
            let total = counts.iter().sum::<f64>() + smoothing * counts.len() as f64;
            counts.iter().map(|count| (count + smoothing) / total).collect()
        };
        let rules = covered.rules.into_iter().map(|found| FoilRule {
            proba: shares(&found.counts),
            support: found.counts.iter().sum(),
            conditions: found.conditions,
            class: found.class,
        });
        let prior = shares(&covered.all);
        // Where every row has a rule, rows without one are like all.
        let empty = covered.rest.iter().sum::<f64>() <= 0.0;
        let default = if empty { prior.clone() } else { shares(&covered.rest) };
        let (rules, rest) = (rules.collect(), covered.rest.iter().sum());
        Self { classes: classes.clone(), columns, rules, prior, default, rest }
    }

    /// The rules as lines; `inputs` are the columns they were learnt from.
    pub fn describe(&self, inputs: &Schema) -> String {
        let names = self.classes.names();
        let mut text = String::new();
        for rule in &self.rules {
            let class = rule.class as usize;
            let (words, share) = (rule.shown().words(inputs), rule.proba[class]);
            let _ = writeln!(text, "if {words}: {} {share:.3}", names[class]);
        }
        let best = crate::num::argmax(&self.default);
        let _ = writeln!(text, "else: {} {:.3}", names[best], self.default[best]);
        text
    }

    /// The cells of all columns, if they are those of the training data.
    fn cells<'a>(&self, rows: View<'a>) -> Result<Vec<Cells<'a>>> {
        if rows.columns() != self.columns {
            return Err(Error::unsuitable("the columns are not those of the training data", ""));
        }
        Ok((0..rows.columns()).map(|column| rows.cells(column)).collect())
    }

    /// The first rule that applies to a row of the table.
    fn rule(&self, cells: &[Cells<'_>], id: usize) -> Option<usize> {
        self.rules.iter().position(|rule| rule.conditions.iter().all(|c| c.holds(cells, id)))
    }
}

impl Classifier for FoilModel {
    fn classes(&self) -> &Classes {
        &self.classes
    }

    fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        let cells = self.cells(rows)?;
        out.reset(rows.rows(), self.classes.len());
        for row in 0..rows.rows() {
            let rule = self.rule(&cells, rows.row_id(row));
            let proba = rule.map_or(&self.default, |rule| &self.rules[rule].proba);
            out.row_mut(row).copy_from_slice(proba);
        }
        Ok(())
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        let cells = self.cells(rows)?;
        let (because, column, proba) = match self.rule(&cells, rows.row_id(row)) {
            None => ("no rule applies".to_owned(), None, &self.default),
            Some(at) => {
                let FoilRule { conditions, proba, .. } = &self.rules[at];
                let fields = Schema { fields: rows.fields().cloned().collect() };
                let words = self.rules[at].shown().words(&fields);
                let because = format!("rule {} of {}: {words}", at + 1, self.rules.len());
                let first = conditions[0].column;
                let one = conditions.iter().all(|c| c.column == first);
                (because, one.then_some(first), proba)
            }
        };
        let adds = proba.iter().zip(&self.prior).map(|(p, prior)| p - prior).collect();
        let parts = vec![Part { column, because, adds }];
        Ok(Explanation { base: self.prior.clone(), parts, link: Link::Identity })
    }
}

impl Saved for FoilModel {
    const VERSION: u32 = 1;

    fn check(&self, inputs: &Schema) -> Result<()> {
        self.classes.check()?;
        let proba = |proba: &Vec<f64>| {
            proba.len() == self.classes.len()
                && proba.iter().all(|p| (0.0..=1.0).contains(p))
                && (proba.iter().sum::<f64>() - 1.0).abs() <= 1e-9
        };
        let condition = |c: &Condition| inputs.fields.get(c.column).is_some_and(|f| c.fits(f));
        let rule = |rule: &FoilRule| {
            !rule.conditions.is_empty()
                && rule.conditions.iter().all(condition)
                && (rule.class as usize) < self.classes.len()
                && proba(&rule.proba)
        };
        let sound = self.columns == inputs.len()
            && proba(&self.prior)
            && proba(&self.default)
            && self.rules.iter().all(rule);
        if sound { Ok(()) } else { Err(Error::model_file("its rules are inconsistent")) }
    }

    fn rules(&self, _inputs: &Schema) -> Option<Rulebook> {
        let mut rules: Vec<Rule> = self.rules.iter().map(FoilRule::shown).collect();
        rules.push(Rule::new(Vec::new(), self.default.clone(), 1.0, self.rest));
        let reading = "the first rule that applies to a row decides, and the rows it is said to \
                       apply to are those that no rule before it took; a missing value passes no test"
            .to_owned();
        Some(Rulebook {
            reading,
            support: Support::Applies,
            missing: Missing::Fails,
            decides: Decides::First,
            unlisted: 0,
            rules,
        })
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        let conditions = self.rules.iter().map(|rule| rule.conditions.len() as u64).sum();
        vec![("rules", self.rules.len() as u64), ("conditions", conditions)]
    }
}

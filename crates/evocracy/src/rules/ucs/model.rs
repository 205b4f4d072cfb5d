//! A population as a classifier: probabilities, explanations, rules and attributes.

use super::curve::LearningCurve;
use super::guide::Guide;
use super::macro_classifier::MacroClassifier;
use super::online::Waiting;
use crate::classify::{
    Classifier, Decides, Explanation, Link, Missing, Part, Proba, Rule, Rulebook, Support,
};
use crate::data::{Classes, Schema, View};
use crate::error::{Error, Result};
use crate::rules::condition::{Layout, LiteralRows, Masks};
use crate::run::Seed;
use serde::{Deserialize, Serialize};

/// A population of rules, ready to predict and to learn on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UcsModel {
    pub(super) classes: Classes,
    /// The columns it was started with.
    pub(super) inputs: Schema,
    /// The parameters it learns with, as text; those not named have their defaults.
    pub(super) settings: Vec<(String, String)>,
    pub(super) layout: Layout,
    pub(super) masks: Masks,
    pub(super) members: Vec<MacroClassifier>,
    pub(super) limit: usize,
    pub(super) guide: Guide,
    pub(super) seed: Seed,
    /// How many rows were learnt from.
    pub(super) time: u64,
    /// The weight of the rows of each class.
    pub(super) counts: Vec<f64>,
    pub(super) curve: LearningCurve,
    /// The share of the training rows that the default rule answers.
    pub(super) unmatched: f64,
    /// The share of every answer that is left to the default rule.
    pub(super) doubt: f64,
    /// The first rows of a stream whose numbers are not cut yet.
    pub(super) waiting: Option<Box<Waiting>>,
}

/// How many rows are made ready at a time.
const BATCH: usize = 4096;

impl UcsModel {
    /// How many rules there are, equal ones counted once.
    pub fn rule_count(&self) -> usize {
        self.members.len()
    }

    /// The sum of the numerosities: never above the population limit.
    pub fn numerosity(&self) -> u64 {
        self.members.iter().map(|member| u64::from(member.numerosity)).sum()
    }

    /// How many rows it has learnt from.
    pub fn time(&self) -> u64 {
        self.time
    }

    /// The default rule: the shares of the classes, one row of each added.
    pub(super) fn prior(&self) -> Vec<f64> {
        let mut counts: Vec<f64> = self.counts.iter().map(|count| count + 1.0).collect();
        if let Some(waiting) = &self.waiting {
            for (&label, weight) in waiting.labels.iter().zip(&waiting.weights) {
                counts[label as usize] += weight;
            }
        }
        let total: f64 = counts.iter().sum();
        counts.iter().map(|count| count / total).collect()
    }

    /// The votes of all members, in their order.
    pub(super) fn votes(&self) -> Vec<f64> {
        let youth = self.parameters().youth;
        self.members.iter().map(|member| member.vote(youth)).collect()
    }

    /// How much each attribute takes part: the share of all votes whose rules test it.
    pub fn importance(&self) -> Vec<f64> {
        let all: Vec<u32> = (0..self.members.len() as u32).collect();
        self.attribute_shares(&all, &self.votes())
    }

    /// How much each attribute takes part in the answer for a row: attribute tracking.
    pub fn tracking(&self, rows: View<'_>, row: usize) -> Result<Vec<f64>> {
        let matched = self.matching(rows, row)?;
        Ok(self.attribute_shares(&matched, &self.votes()))
    }

    fn attribute_shares(&self, rules: &[u32], votes: &[f64]) -> Vec<f64> {
        let mut shares = vec![0.0; self.layout.attributes()];
        let total: f64 = rules.iter().map(|&at| votes[at as usize]).sum();
        for &at in rules {
            let condition = self.masks.condition(at as usize);
            let share = if total > 0.0 { votes[at as usize] / total } else { 0.0 };
            self.layout.specified(&condition, |attribute| shares[attribute] += share);
        }
        shares
    }

    /// The rules that match a row.
    fn matching(&self, rows: View<'_>, row: usize) -> Result<Vec<u32>> {
        self.check_columns(rows)?;
        let id = [rows.row_id(row) as u32];
        let sets = LiteralRows::new(&self.layout, rows.with_rows(&id));
        let mut matched = Vec::new();
        self.masks.matching(sets.row(0), &mut matched);
        Ok(matched)
    }

    fn check_columns(&self, rows: View<'_>) -> Result<()> {
        if rows.columns() == self.layout.attributes() {
            return Ok(());
        }
        Err(Error::unsuitable("the columns are not those of the training data", ""))
    }

    /// The rules as a person reads them, those that vote most first, the default rule last.
    pub(super) fn rulebook(&self) -> Rulebook {
        let votes = self.votes();
        let classes = self.classes.len();
        let mut rules: Vec<Rule> = Vec::with_capacity(self.members.len() + 1);
        for (at, member) in self.members.iter().enumerate() {
            let own = (member.right + 1.0) / (member.weight + classes as f64);
            let mut says = vec![(1.0 - own) / (classes - 1) as f64; classes];
            says[member.class as usize] = own;
            let tests = self.layout.tests(&self.masks.condition(at));
            let numerosity = u64::from(member.numerosity);
            rules.push(Rule { numerosity, ..Rule::new(tests, says, votes[at], member.weight) });
        }
        rules.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        let all = self.counts.iter().sum();
        rules.push(Rule::new(Vec::new(), self.prior(), self.doubt, all));
        let reading = "every rule that applies votes for its most probable class with its weight; \
                       the votes' shares are the probabilities, but for the weight of the last \
                       rule, which answers alone where no other applies; a missing value passes every test";
        Rulebook {
            reading: reading.to_owned(),
            support: Support::Applies,
            missing: Missing::Passes,
            decides: Decides::MostWeight,
            unlisted: 0,
            rules,
        }
    }
}

impl Classifier for UcsModel {
    fn classes(&self) -> &Classes {
        &self.classes
    }

    fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        self.check_columns(rows)?;
        out.reset(rows.rows(), self.classes.len());
        let (votes, prior) = (self.votes(), self.prior());
        let ids: Vec<u32> = (0..rows.rows()).map(|row| rows.row_id(row) as u32).collect();
        let mut matched = Vec::new();
        for (batch, ids) in ids.chunks(BATCH).enumerate() {
            let sets = LiteralRows::new(&self.layout, rows.with_rows(ids));
            for (row, set) in sets.each().enumerate() {
                let sums = out.row_mut(batch * BATCH + row);
                self.masks.matching(set, &mut matched);
                for &at in &matched {
                    sums[self.members[at as usize].class as usize] += votes[at as usize];
                }
                let total: f64 = sums.iter().sum();
                if total > 0.0 {
                    for (sum, prior) in sums.iter_mut().zip(&prior) {
                        *sum = (1.0 - self.doubt) * *sum / total + self.doubt * prior;
                    }
                } else {
                    sums.copy_from_slice(&prior);
                }
            }
        }
        Ok(())
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        let mut matched = self.matching(rows, row)?;
        let votes = self.votes();
        let classes = self.classes.len();
        let total: f64 = matched.iter().map(|&at| votes[at as usize]).sum();
        if total <= 0.0 {
            return Ok(Explanation { base: self.prior(), parts: Vec::new(), link: Link::Identity });
        }
        matched.sort_by(|&a, &b| votes[b as usize].total_cmp(&votes[a as usize]));
        let schema = Schema { fields: rows.fields().cloned().collect() };
        let part = |&at: &u32| {
            let at = at as usize;
            let member = &self.members[at];
            let tests = self.layout.tests(&self.masks.condition(at));
            let column = match &tests[..] {
                [test] => Some(test.column()),
                _ => None,
            };
            let words: Vec<String> = tests.iter().map(|test| test.words(&schema)).collect();
            let words = if words.is_empty() { "always".to_owned() } else { words.join(" and ") };
            let (right, seen) = (member.right, member.weight);
            let because = format!("{words}: right in {right:.0} of {seen:.0} rows");
            let mut adds = vec![0.0; classes];
            adds[member.class as usize] = (1.0 - self.doubt) * votes[at] / total;
            Part { column, because, adds }
        };
        let parts = matched.iter().map(part).collect();
        let base = self.prior().iter().map(|prior| self.doubt * prior).collect();
        Ok(Explanation { base, parts, link: Link::Identity })
    }
}

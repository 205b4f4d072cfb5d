//! The population as a model: how it predicts and learns on, what a file may hold.

use super::MoeJoint;
use super::population::{Breeding, JointPopulation, extent};
use crate::classify::{
    Classifier, Decides, Diagnostics, Explanation, Link, Missing, Online, Part, Proba, Rule,
    Rulebook, Saved, Support, lessons,
};
use crate::data::{Cells, Classes, Schema, View};
use crate::error::{Error, Result};
use crate::rules::condition::{Layout, LiteralRows};
use crate::rules::epoch::{Epoch, EpochTally};
use crate::run::Seed;
use serde::{Deserialize, Serialize};

/// How many rules an explanation tells one by one.
const TOLD: usize = 20;

/// A population of rules, as `moe-joint` learns it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MoeJointModel {
    classes: Classes,
    /// The columns it was started with.
    inputs: Schema,
    layout: Layout,
    population: JointPopulation,
    curve: Vec<Epoch>,
}

impl MoeJointModel {
    pub(super) fn new(
        params: &MoeJoint,
        (inputs, layout): (Schema, Layout),
        classes: &Classes,
        seed: Seed,
    ) -> Self {
        let breeding = Breeding::new(params);
        let population = JointPopulation::new(breeding, classes.len(), layout.words(), seed);
        Self { classes: classes.clone(), inputs, layout, population, curve: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.population.experts.is_empty()
    }

    /// Rows as sets of literals.
    pub(super) fn rows(&self, rows: View<'_>) -> Result<LiteralRows> {
        if rows.columns() != self.layout.attributes() {
            return Err(Error::unsuitable("the columns are not those of the training data", ""));
        }
        Ok(LiteralRows::new(&self.layout, rows))
    }

    /// Learns from a row; the class probabilities that were predicted before.
    pub(super) fn learn_row(&mut self, row: &[u64], label: u32, weight: f64) -> Vec<f64> {
        self.population.learn_row(&self.layout, row, label as usize, weight)
    }

    pub(super) fn end_epoch(&mut self, tally: &EpochTally) {
        self.curve.push(tally.end(self.macro_count()));
    }

    /// How many different rules there are.
    pub fn macro_count(&self) -> usize {
        self.population.experts.len()
    }

    /// The sum of their numerosities.
    pub fn numerosity(&self) -> u64 {
        self.population.copies()
    }

    /// The share of the rows that no rule matches.
    pub fn unmatched(&self, rows: View<'_>) -> Result<f64> {
        let rows = self.rows(rows)?;
        let mut found = Vec::new();
        let mut count = 0;
        for row in rows.each() {
            self.population.conditions.matching(row, &mut found);
            count += usize::from(found.is_empty());
        }
        Ok(count as f64 / rows.len().max(1) as f64)
    }

    fn class_probabilities(&self, at: usize) -> Vec<f64> {
        (0..self.classes.len()).map(|class| self.population.class_probability(at, class)).collect()
    }

    fn rule(&self, at: usize) -> Rule {
        let expert = &self.population.experts[at];
        let tests = self.layout.tests(&self.population.conditions.condition(at));
        let weight = expert.copies as f64 / self.population.copies() as f64;
        let support = self.population.mean_share(at) * self.rows_shown();
        let rule = Rule::new(tests, self.class_probabilities(at), weight, support);
        Rule { numerosity: expert.copies, ..rule }
    }

    /// The weight of the rows that it was shown, each counted once.
    fn rows_shown(&self) -> f64 {
        self.population.weight() / self.curve.len().max(1) as f64
    }

    /// Rules with the most copies first, then those that answer for the most rows.
    fn order(&self) -> Vec<usize> {
        let experts = &self.population.experts;
        let mut order: Vec<usize> = (0..experts.len()).collect();
        order.sort_by(|&a, &b| {
            let key = |at: usize| (experts[at].copies, experts[at].shares);
            let ((copies_a, shares_a), (copies_b, shares_b)) = (key(a), key(b));
            copies_b.cmp(&copies_a).then(shares_b.total_cmp(&shares_a)).then(a.cmp(&b))
        });
        order
    }
}

impl Online for MoeJointModel {
    /// Nominal columns as they are; numbers must be bits (`--encode bits`).
    fn start(schema: &Schema, classes: &Classes) -> Self {
        let inputs = (schema.clone(), Layout::of_bits(schema));
        Self::new(&MoeJoint::default(), inputs, classes, Seed::new(1))
    }

    fn learn(&mut self, rows: View<'_>, labels: &[u32], weights: &[f64]) -> Result<()> {
        let conformed = lessons(&self.inputs, &self.classes, rows, labels, weights)?;
        if self.layout == Layout::of_bits(&self.inputs) {
            check_bits(conformed.view())?;
        }
        let rows = self.rows(conformed.view())?;
        for ((row, &label), &weight) in rows.each().zip(labels).zip(weights) {
            if weight > 0.0 {
                self.learn_row(row, label, weight);
            }
        }
        Ok(())
    }
}

/// Refuses numbers that are no bits: a stream is not cut into intervals.
fn check_bits(rows: View<'_>) -> Result<()> {
    for column in 0..rows.columns() {
        let Cells::Number(values) = rows.cells(column) else { continue };
        let bit = |value: f64| value == 0.0 || value == 1.0 || value.is_nan();
        if (0..rows.rows()).any(|row| !bit(values[rows.row_id(row)])) {
            return Err(Error::unsuitable(
                format!("the column `{}` does not hold bits", rows.field(column).name),
                "encode the rows of the stream with `bits`",
            ));
        }
    }
    Ok(())
}

impl Classifier for MoeJointModel {
    fn classes(&self) -> &Classes {
        &self.classes
    }

    fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        let rows = self.rows(rows)?;
        out.reset(rows.len(), self.classes.len());
        for (at, row) in rows.each().enumerate() {
            let matching = self.population.matching(&self.layout, row);
            out.row_mut(at).copy_from_slice(&self.population.proba(&matching));
        }
        Ok(())
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        let sets = self.rows(rows)?;
        let mut matching = self.population.matching(&self.layout, sets.row(row));
        let proba = self.population.proba(&matching);
        if matching.is_empty() {
            let because = "no rule applies: the shares of the classes".to_owned();
            let parts = vec![Part { column: None, because, adds: vec![0.0; proba.len()] }];
            return Ok(Explanation { base: proba, parts, link: Link::Identity });
        }
        let total: f64 = matching.iter().map(|(_, share)| share).sum();
        matching.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let inputs = Schema { fields: rows.fields().cloned().collect() };
        let mut rest = proba.clone();
        let mut parts = Vec::new();
        for (at, share) in matching.iter().take(TOLD) {
            let rule = self.rule(*at as usize);
            let adds: Vec<f64> = rule.says.iter().map(|p| share / total * p).collect();
            rest.iter_mut().zip(&adds).for_each(|(rest, add)| *rest -= add);
            parts.push(Part { column: None, because: rule.words(&inputs), adds });
        }
        if matching.len() > TOLD {
            let because = format!("{} other rules", matching.len() - TOLD);
            parts.push(Part { column: None, because, adds: rest });
        }
        Ok(Explanation { base: vec![0.0; proba.len()], parts, link: Link::Identity })
    }
}

impl Saved for MoeJointModel {
    const VERSION: u32 = 1;

    fn check(&self, inputs: &Schema) -> Result<()> {
        self.classes.check()?;
        let JointPopulation { conditions, experts, seen, time, bred, breeding, .. } =
            &self.population;
        let k = self.classes.len();
        let weight = |w: &f64| w.is_finite() && *w >= 0.0;
        let words = self.layout.words();
        let expert = |(at, expert): (usize, &super::population::Expert)| {
            let condition = conditions.condition(at);
            expert.copies > 0
                && expert.sums.len() == k
                && expert.sums.iter().all(weight)
                && [expert.born, expert.first, expert.shares].iter().all(weight)
                && expert.born <= self.population.weight() * (1.0 + 1e-9)
                && self.layout.is_condition(&condition)
                && (expert.extent - extent(&self.layout, &condition)).abs() < 1e-9
        };
        let rates = [breeding.crossover, breeding.mutation, breeding.wild];
        let sound = self.layout.fits(inputs)
            && self.inputs.is_like(inputs)
            && self.population.classes == k
            && seen.len() == k
            && seen.iter().all(weight)
            && bred <= time
            && breeding.size >= 2
            && breeding.every >= 1
            && rates.iter().all(|rate| (0.0..=1.0).contains(rate))
            && [breeding.prior, breeding.trust].iter().all(|w| weight(w) && *w > 0.0)
            && weight(&breeding.severity)
            && conditions.words() == words
            && conditions.even()
            && conditions.len() == experts.len()
            && experts.len() as u64 <= breeding.size
            && experts.iter().try_fold(0_u64, |sum, e| sum.checked_add(e.copies)).is_some()
            && experts.iter().enumerate().all(expert)
            && self.curve.iter().all(Epoch::is_sound);
        if sound { Ok(()) } else { Err(Error::model_file("its population is inconsistent")) }
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        vec![("rules", self.macro_count() as u64), ("copies", self.numerosity())]
    }

    fn diagnostics(&self, _inputs: &Schema) -> Diagnostics {
        Epoch::diagnostics(&self.curve)
    }

    fn rules(&self, _inputs: &Schema) -> Option<Rulebook> {
        Some(Rulebook {
            reading: "all rules that apply are averaged, each with its weight divided by the \
                      number of rows there could be that it applies to; a missing value passes every test"
                .to_owned(),
            support: Support::Answers,
            missing: Missing::Passes,
            decides: Decides::None,
            unlisted: 0,
            rules: self.order().into_iter().map(|at| self.rule(at)).collect(),
        })
    }
}

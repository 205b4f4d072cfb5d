//! A fitted mixture of all rules: the density of every possible row of bits.

use super::cube::{ANY, digits, rules};
use super::mixture::{Mixture, add_logs};
use super::rows::{Grouped, codes, completions};
use super::show::{ShownRule, explain, rulebook};
use crate::classify::{
    Classifier, Diagnostics, Explanation, Proba, Rulebook, Saved, Support, softmax_in_place,
};
use crate::data::{Classes, Schema, View};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// A mixture of all rules, as `moe-batch` fits it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MoeBatchModel {
    classes: Classes,
    bits: usize,
    /// The logarithm of `P(x, c)`, equation (12), for every row of bits as a binary number, class
    /// after class. There are fewer rows than rules, and nothing of the rules is lost.
    joint: Vec<Vec<f64>>,
    /// The heaviest rules, to be read.
    rules: Vec<ShownRule>,
    /// How many rules have 95 % of the weight at the start, equation (11).
    start: u64,
    curve: Vec<Pass>,
}

/// What a pass found.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Pass {
    /// The log-likelihood of the parameters before the pass, with the logarithm of the prior.
    pub(super) likelihood: f64,
    /// How many rules have 95 % of the weight after it.
    pub(super) useful: u64,
}

impl MoeBatchModel {
    pub(super) fn new(
        classes: &Classes,
        bits: usize,
        mixture: Mixture<'_>,
        rows: &[Grouped],
        start: usize,
        curve: Vec<Pass>,
        most: usize,
    ) -> Self {
        let weights = mixture.rule_weights();
        let heavier =
            |a: &u32, b: &u32| weights[*b as usize].total_cmp(&weights[*a as usize]).then(a.cmp(b));
        let useful = curve.last().map_or(0, |pass| pass.useful as usize).min(most);
        let mut order: Vec<u32> = (0..weights.len() as u32).collect();
        if useful < order.len() {
            order.select_nth_unstable_by(useful, heavier);
            order.truncate(useful);
        }
        order.sort_unstable_by(heavier);
        let show = |&rule: &u32| {
            let support = rows.iter().map(|rows| rows.matched(rule, bits)).sum();
            ShownRule::new(rule, &mixture.rule(rule), support)
        };
        let rules = order.iter().map(show).collect();
        let (classes, start) = (classes.clone(), start as u64);
        Self { classes, bits, joint: mixture.joint(), rules, start, curve }
    }

    /// The log-likelihood, with the logarithm of the prior, at each pass; it never falls.
    pub fn likelihoods(&self) -> impl Iterator<Item = f64> {
        self.curve.iter().map(|pass| pass.likelihood)
    }

    /// How many of the heaviest rules have 95 % of the weight, before the first pass and after
    /// each one: equation (11).
    pub fn useful(&self) -> impl Iterator<Item = u64> {
        std::iter::once(self.start).chain(self.curve.iter().map(|pass| pass.useful))
    }

    /// Whether the log-likelihood rose at every pass, but for rounding.
    pub fn monotone(&self) -> bool {
        let rose = |pair: &[Pass]| {
            pair[1].likelihood >= pair[0].likelihood - 1e-9 * pair[0].likelihood.abs()
        };
        self.curve.windows(2).all(rose)
    }

    /// The logarithm of `P(x, c)` of a row for each class; missing bits are summed over.
    fn logs(&self, code: u32) -> Vec<f64> {
        let rows = if digits(code, self.bits).any(|digit| digit == ANY) {
            completions(code, self.bits)
        } else {
            vec![digits(code, self.bits).fold(0, |row, digit| 2 * row + digit as usize)]
        };
        let of_class = |logs: &Vec<f64>| {
            rows.iter().fold(f64::NEG_INFINITY, |sum, &row| add_logs(sum, logs[row]))
        };
        self.joint.iter().map(of_class).collect()
    }

    fn codes(&self, rows: View<'_>) -> Result<Vec<u32>> {
        if rows.columns() == self.bits { codes(rows) } else { Err(wrong_columns()) }
    }
}

pub(super) fn wrong_columns() -> Error {
    Error::unsuitable("the columns are not those of the training data", "")
}

impl Classifier for MoeBatchModel {
    fn classes(&self) -> &Classes {
        &self.classes
    }

    fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        let codes = self.codes(rows)?;
        out.reset(rows.rows(), self.classes.len());
        for (row, &code) in codes.iter().enumerate() {
            let proba = out.row_mut(row);
            proba.copy_from_slice(&self.logs(code));
            softmax_in_place(proba);
        }
        Ok(())
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        let code = self.codes(rows)?[row];
        let mut proba = self.logs(code);
        let log_row = proba.iter().fold(f64::NEG_INFINITY, |sum, log| add_logs(sum, *log));
        softmax_in_place(&mut proba);
        Ok(explain(&self.rules, rows, code, log_row, &proba))
    }
}

impl Saved for MoeBatchModel {
    const VERSION: u32 = 1;

    fn check(&self, inputs: &Schema) -> Result<()> {
        self.classes.check()?;
        let k = self.classes.len();
        // A row must have some density; a class alone may have none.
        let known = |row: usize| self.joint.iter().any(|logs| logs[row].is_finite());
        let small = |logs: &Vec<f64>| logs.iter().all(|log| *log <= 1e-6);
        let sound = self.bits == inputs.len()
            && self.bits <= 20
            && self.joint.len() == k
            && self.joint.iter().all(|logs| logs.len() == 1 << self.bits && small(logs))
            && (0..1 << self.bits).all(known)
            && self.start <= rules(self.bits) as u64
            && self.rules.iter().all(|rule| rule.is_sound(self.bits, k))
            && self.curve.iter().all(|pass| pass.likelihood.is_finite());
        if sound { Ok(()) } else { Err(Error::model_file("its mixture of rules is inconsistent")) }
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        let useful = self.curve.last().map_or(self.start, |pass| pass.useful);
        vec![("rules", rules(self.bits) as u64), ("useful rules", useful)]
    }

    fn diagnostics(&self, _inputs: &Schema) -> Diagnostics {
        Diagnostics {
            log_likelihood: Some(self.likelihoods().collect()),
            useful_rules: Some(self.useful().collect()),
            monotone: Some(self.monotone()),
            ..Diagnostics::default()
        }
    }

    fn rules(&self, _inputs: &Schema) -> Option<Rulebook> {
        Some(rulebook(&self.rules, self.bits, Support::Applies))
    }
}

//! A mixture of all rules that learns one row at a time, equations (13) to (19).
//!
//! The statistics `sp(j, k)` of (14) are all there is: (19) makes `P(Z = j)` their sum over the
//! classes, divided by the rows seen. Read literally, the first row would set every rule that it
//! does not match to 0 for ever, and every other rule to its class. So the statistics begin with
//! `start` rows, spread equally over all rules and classes.

use super::batch::wrong_columns;
use super::cube::rules;
use super::mixture::heaviest;
use super::rows::{codes, matching};
use super::show::{ShownRule, explain, rulebook};
use super::{MOST_BYTES, MoeOnline, USEFUL, check_memory};
use crate::classify::{
    Classifier, Diagnostics, Explanation, Online, Proba, Rulebook, Saved, Support, lessons,
};
use crate::data::{Classes, Schema, View};
use crate::error::{Error, Result};
use crate::rules::epoch::{Epoch, EpochTally};
use serde::{Deserialize, Serialize};

/// How many of the heaviest rules are shown.
const SHOWN: usize = 100;

/// A mixture of all rules, as `moe-online` learns it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MoeOnlineModel {
    classes: Classes,
    /// The columns it was started with.
    inputs: Schema,
    bits: usize,
    start: f64,
    prior: f64,
    /// The weight of the rows seen, of each class.
    seen: Vec<f64>,
    /// `sp(j, k)` of equation (14), the classes of a rule side by side; empty before the first row.
    sums: Vec<f64>,
    curve: Vec<Epoch>,
}

impl MoeOnlineModel {
    pub(super) fn with(self, start: f64, prior: f64) -> Self {
        Self { start, prior, ..self }
    }

    /// Makes room for all rules.
    pub(super) fn prepare(&mut self) -> Result<()> {
        if self.sums.is_empty() {
            let k = self.classes.len();
            // A number takes nine bytes in a file, and a file has at most half of this.
            let bytes = 18.0 * 3_f64.powf(self.bits as f64) * k as f64;
            check_memory(self.bits, bytes, MOST_BYTES)?;
            let count = rules(self.bits) * k;
            self.sums = vec![self.start / count as f64; count];
        }
        Ok(())
    }

    /// The weight of the rows it has learnt from.
    pub fn seen(&self) -> f64 {
        self.seen.iter().sum()
    }

    pub(super) fn end_epoch(&mut self, tally: &EpochTally) {
        self.curve.push(tally.end(rules(self.bits)));
    }

    /// Learns from a row; the class probabilities that were predicted before, up to a factor.
    pub(super) fn learn_row(&mut self, code: u32, label: u32, weight: f64) -> Vec<f64> {
        let (k, label) = (self.classes.len(), label as usize);
        let mut rules = Vec::new();
        matching(code, self.bits, &mut rules);
        let mut joint = vec![0.0; k];
        for (rule, density) in &mut rules {
            let of_rule = self.parameters(*rule);
            joint.iter_mut().zip(of_rule).for_each(|(sum, p)| *sum += *density * p);
            // From here on the numerator of (13).
            *density *= self.parameter(*rule, label);
        }
        for (rule, share) in rules {
            self.sums[rule as usize * k + label] += weight * share / joint[label];
        }
        self.seen[label] += weight;
        joint
    }

    /// `P(Z = j) P(C = k | Z = j)` times the rows seen, for every class.
    fn parameters(&self, rule: u32) -> impl Iterator<Item = f64> {
        (0..self.classes.len()).map(move |class| self.parameter(rule, class))
    }

    /// Equations (15), with the prior, and (16).
    #[inline]
    fn parameter(&self, rule: u32, class: usize) -> f64 {
        let k = self.classes.len();
        let sums = &self.sums[rule as usize * k..(rule as usize + 1) * k];
        if self.prior == 0.0 {
            return sums[class];
        }
        let all: f64 = sums.iter().sum();
        all * (sums[class] + self.prior) / (all + k as f64 * self.prior)
    }

    /// `P(x, c)` of a row, equation (12); missing bits are summed over.
    fn joint(&self, code: u32, out: &mut [f64]) {
        let total = self.seen() + self.start;
        let mut rules = Vec::new();
        matching(code, self.bits, &mut rules);
        out.fill(0.0);
        for (rule, density) in rules {
            for (sum, p) in out.iter_mut().zip(self.parameters(rule)) {
                *sum += density * p / total;
            }
        }
    }

    /// The codes of rows, which need no more room than the rules have.
    fn codes(&self, rows: View<'_>) -> Result<Vec<u32>> {
        if rows.columns() != self.bits {
            return Err(wrong_columns());
        }
        if self.sums.is_empty() {
            return Err(Error::unsuitable("the model has seen no rows", "let it learn first"));
        }
        codes(rows)
    }

    /// `P(Z)` of every rule.
    fn rule_weights(&self) -> Vec<f64> {
        let total = self.seen() + self.start;
        self.sums.chunks_exact(self.classes.len()).map(|s| s.iter().sum::<f64>() / total).collect()
    }

    /// The heaviest of the useful rules. It does not know which rows it has seen, so the support of
    /// a rule is the weight of the rows it answers for.
    fn shown(&self, only: impl Fn(u32) -> bool) -> Vec<ShownRule> {
        let weights = self.rule_weights();
        let mut order: Vec<u32> = (0..weights.len() as u32).filter(|rule| only(*rule)).collect();
        order.sort_unstable_by(|a, b| {
            weights[*b as usize].total_cmp(&weights[*a as usize]).then(a.cmp(b))
        });
        let useful = heaviest(weights.clone(), USEFUL).min(SHOWN);
        let total = self.seen() + self.start;
        let rows = self.seen() / self.curve.len().max(1) as f64;
        let show = |&rule: &u32| {
            let parameters: Vec<f64> = self.parameters(rule).map(|p| p / total).collect();
            ShownRule::new(rule, &parameters, weights[rule as usize] * rows)
        };
        order.iter().take(useful).map(show).collect()
    }
}

impl Online for MoeOnlineModel {
    fn start(schema: &Schema, classes: &Classes) -> Self {
        let MoeOnline { start, prior, .. } = MoeOnline::default();
        let (classes, seen) = (classes.clone(), vec![0.0; classes.len()]);
        let (bits, sums, curve) = (schema.len(), Vec::new(), Vec::new());
        Self { classes, inputs: schema.clone(), bits, start, prior, seen, sums, curve }
    }

    fn learn(&mut self, rows: View<'_>, labels: &[u32], weights: &[f64]) -> Result<()> {
        let conformed = lessons(&self.inputs, &self.classes, rows, labels, weights)?;
        self.prepare()?;
        let codes = self.codes(conformed.view())?;
        for ((&code, &label), &weight) in codes.iter().zip(labels).zip(weights) {
            if weight > 0.0 {
                self.learn_row(code, label, weight);
            }
        }
        Ok(())
    }
}

impl Classifier for MoeOnlineModel {
    fn classes(&self) -> &Classes {
        &self.classes
    }

    fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        let codes = self.codes(rows)?;
        out.reset(rows.rows(), self.classes.len());
        for (row, &code) in codes.iter().enumerate() {
            let proba = out.row_mut(row);
            self.joint(code, proba);
            let total: f64 = proba.iter().sum();
            for p in proba {
                *p /= total;
            }
        }
        Ok(())
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        let code = self.codes(rows)?[row];
        let mut proba = vec![0.0; self.classes.len()];
        self.joint(code, &mut proba);
        let total: f64 = proba.iter().sum();
        for p in &mut proba {
            *p /= total;
        }
        let row = code;
        let matches = |rule: u32| super::rows::density(rule, row, self.bits) > 0.0;
        Ok(explain(&self.shown(matches), rows, row, total.ln(), &proba))
    }
}

impl Saved for MoeOnlineModel {
    const VERSION: u32 = 1;

    fn check(&self, inputs: &Schema) -> Result<()> {
        self.classes.check()?;
        let k = self.classes.len();
        let weight = |w: &f64| w.is_finite() && *w >= 0.0;
        let sound = self.bits == inputs.len()
            && self.inputs.is_like(inputs)
            && self.bits <= 20
            && self.seen.len() == k
            && self.seen.iter().all(weight)
            && (self.sums.is_empty() || self.sums.len() == rules(self.bits) * k)
            && self.sums.iter().all(|sum| weight(sum) && *sum > 0.0)
            && weight(&self.start)
            && self.start > 0.0
            && weight(&self.prior)
            && self.curve.iter().all(Epoch::is_sound);
        if sound { Ok(()) } else { Err(Error::model_file("its mixture of rules is inconsistent")) }
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        let useful = heaviest(self.rule_weights(), USEFUL);
        let count = self.sums.len() / self.classes.len();
        vec![("rules", count as u64), ("useful rules", useful as u64)]
    }

    fn diagnostics(&self, _inputs: &Schema) -> Diagnostics {
        Epoch::diagnostics(&self.curve)
    }

    fn rules(&self, _inputs: &Schema) -> Option<Rulebook> {
        Some(rulebook(&self.shown(|_| true), self.bits, Support::Answers))
    }
}

#[cfg(test)]
impl MoeOnlineModel {
    /// The posterior weights of all rules for a row and class, by equation (13).
    pub(super) fn posterior(&self, code: u32, class: usize) -> f64 {
        let mut rules = Vec::new();
        matching(code, self.bits, &mut rules);
        let mut joint = vec![0.0; self.classes.len()];
        self.joint(code, &mut joint);
        let total = self.seen() + self.start;
        let share = |(rule, density): &(u32, f64)| density * self.parameter(*rule, class) / total;
        rules.iter().map(share).sum::<f64>() / joint[class]
    }
}

//! A mixture as it is saved: rules on values instead of bins.

use super::condition::Allowed;
use super::learn::{Learnt, Notes};
use super::rows::{BinnedColumn, BinnedRows};
use super::search::Epoch;
use super::state::MixtureRule;
use crate::classify::{
    Decides, Diagnostics, Importances, Missing, Part, Rule, RuleCurve, Rulebook, SearchEpoch,
    Support, Test,
};
use crate::data::{Cells, Kind, MISSING, Schema, View};
use crate::error::{Error, Result};
use crate::num::bits;
use serde::{Deserialize, Serialize};

/// Mixtures that are averaged, mostly one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Mixtures {
    columns: usize,
    sets: Vec<Vec<Expert>>,
    notes: Notes,
}

/// A rule; without tests it is the default, the first of every mixture. Its weight is the gating
/// weight, its support the weight of the training rows that it applies to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Expert {
    tests: Vec<(usize, AllowedValues)>,
    /// Of its distribution: class probabilities, or mean and standard deviation.
    #[serde(rename = "says")]
    pub(super) params: Vec<f64>,
    weight: f64,
    support: f64,
}

/// The values that a test allows; a missing one is always allowed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum AllowedValues {
    /// Some of the levels.
    Levels(Vec<bool>),
    /// From the first number to the second.
    Between(Option<f64>, Option<f64>),
}

impl AllowedValues {
    fn new(binned: &BinnedColumn, allowed: &Allowed) -> Self {
        match (allowed, &binned.cuts) {
            (Allowed::Set(set), _) => Self::Levels(set.clone()),
            (Allowed::Range(low, high), cuts) => {
                let cuts = cuts.as_deref().unwrap_or_default();
                // A bin reaches from above one cut up to the next, which belongs to it.
                let above = (*low > 0).then(|| cuts[*low as usize - 1].next_up());
                Self::Between(above, cuts.get(*high as usize).copied())
            }
        }
    }

    #[inline]
    fn allow(&self, cells: Cells<'_>, id: usize) -> bool {
        match (self, cells) {
            (Self::Levels(set), Cells::Nominal(codes)) => {
                codes[id] == MISSING || set.get(codes[id] as usize).is_some_and(|is| *is)
            }
            (Self::Between(low, high), Cells::Number(values)) => {
                let value = values[id];
                // A comparison with a missing number is false.
                !low.is_some_and(|low| value < low) && !high.is_some_and(|high| value > high)
            }
            _ => false,
        }
    }

    fn test(&self, column: usize) -> Test {
        match self {
            Self::Levels(set) => {
                let levels = set.iter().enumerate().filter(|(_, is)| **is);
                Test::Among { column, levels: levels.map(|(code, _)| code as u32).collect() }
            }
            Self::Between(low, high) => Test::Between { column, low: *low, high: *high },
        }
    }

    fn fits(&self, kind: &Kind) -> bool {
        match (self, kind) {
            (Self::Levels(set), Kind::Nominal(levels)) => set.len() == levels.len(),
            (Self::Between(low, high), Kind::Number) => {
                low.iter().chain(high).all(|bound| bound.is_finite())
            }
            _ => false,
        }
    }
}

impl Expert {
    fn new(member: &MixtureRule, rows: &BinnedRows, weights: &[f64]) -> Self {
        let MixtureRule { condition, covered, gating, params, .. } = member;
        let tests = condition
            .tests
            .iter()
            .map(|(at, test)| (*at, AllowedValues::new(&rows.columns[*at], test)));
        let mut support = 0.0;
        bits::each(covered, |row| support += weights[row]);
        Self { tests: tests.collect(), params: params.clone(), weight: *gating, support }
    }

    #[inline]
    fn applies(&self, cells: &[Cells<'_>], id: usize) -> bool {
        self.tests.iter().all(|(column, values)| values.allow(cells[*column], id))
    }

    fn rule(&self) -> Rule {
        let tests = self.tests.iter().map(|(column, values)| values.test(*column)).collect();
        Rule::new(tests, self.params.clone(), self.weight, self.support)
    }
}

impl Mixtures {
    /// What was learnt; `weights` are those of the rows as they were given.
    pub(super) fn new(learnt: Learnt, rows: &BinnedRows, weights: &[f64]) -> Self {
        let experts = |members: &Vec<MixtureRule>| {
            members.iter().map(|member| Expert::new(member, rows, weights)).collect()
        };
        let sets = learnt.mixtures.iter().map(experts).collect();
        Self { columns: rows.columns.len(), sets, notes: learnt.notes }
    }

    /// All rules, to be changed.
    pub(super) fn experts_mut(&mut self) -> impl Iterator<Item = &mut Expert> {
        self.sets.iter_mut().flatten()
    }

    /// The cells of all columns, if they are those of the training data.
    pub(super) fn cells<'a>(&self, rows: View<'a>) -> Result<Vec<Cells<'a>>> {
        if rows.columns() != self.columns {
            return Err(Error::unsuitable("the columns are not those of the training data", ""));
        }
        Ok((0..rows.columns()).map(|column| rows.cells(column)).collect())
    }

    /// Calls `visit` with every rule that applies to a row, its mixture and its normalised weight.
    #[inline]
    pub(super) fn each(
        &self,
        cells: &[Cells<'_>],
        id: usize,
        applying: &mut Vec<usize>,
        mut visit: impl FnMut(&[Expert], usize, f64),
    ) {
        for mixture in &self.sets {
            applying.clear();
            applying.extend((0..mixture.len()).filter(|&at| mixture[at].applies(cells, id)));
            let total: f64 = applying.iter().map(|&at| mixture[at].weight).sum();
            let total = total * self.sets.len() as f64;
            for &at in applying.iter() {
                visit(mixture, at, mixture[at].weight / total);
            }
        }
    }

    /// Why a row gets its prediction: the mean of the defaults, and what every rule that applies
    /// adds; `of` picks the parameters of a rule whose mean is the prediction.
    pub(super) fn explain(
        &self,
        rows: View<'_>,
        row: usize,
        of: impl Fn(&Expert) -> &[f64],
    ) -> Result<(Vec<f64>, Vec<Part>)> {
        let cells = self.cells(rows)?;
        let fields = Schema { fields: rows.fields().cloned().collect() };
        let count = self.sets.len() as f64;
        let mut base = vec![0.0; of(&self.sets[0][0]).len()];
        for mixture in &self.sets {
            base.iter_mut().zip(of(&mixture[0])).for_each(|(base, value)| *base += value / count);
        }
        let mut parts = Vec::new();
        self.each(&cells, rows.row_id(row), &mut Vec::new(), |mixture, at, share| {
            if at == 0 {
                return;
            }
            let pairs = of(&mixture[at]).iter().zip(of(&mixture[0]));
            let column = match &mixture[at].tests[..] {
                [one] => Some(one.0),
                _ => None,
            };
            parts.push(Part {
                column,
                because: mixture[at].rule().words(&fields),
                adds: pairs.map(|(value, default)| share * (value - default)).collect(),
            });
        });
        Ok((base, parts))
    }

    /// Every rule. Weights mean something within their mixture alone: those of several mixtures
    /// become shares of all there is.
    fn weighed(&self) -> impl Iterator<Item = Rule> {
        let count = self.sets.len();
        self.sets.iter().flat_map(move |set| {
            let total: f64 = set.iter().map(|expert| expert.weight).sum();
            let scale = if count == 1 { 1.0 } else { 1.0 / (total * count as f64) };
            set.iter().map(move |expert| {
                let rule = expert.rule();
                Rule { weight: rule.weight * scale, ..rule }
            })
        })
    }

    /// The rules, the heaviest first and the default last. Equal rules of several mixtures are one,
    /// with their weights together.
    pub(super) fn rules(&self) -> Rulebook {
        let mut rules: Vec<Rule> = Vec::new();
        for rule in self.weighed() {
            match rules.iter_mut().find(|known| known.tests == rule.tests) {
                None => rules.push(rule),
                Some(known) => {
                    let (old, all) = (known.numerosity as f64, known.numerosity as f64 + 1.0);
                    let mean = |old_mean: f64, new: f64| (old_mean * old + new) / all;
                    let pairs = known.says.iter_mut().zip(&rule.says);
                    pairs.for_each(|(known, new)| *known = mean(*known, *new));
                    known.weight += rule.weight;
                    known.numerosity += 1;
                }
            }
        }
        rules.sort_by(|a, b| {
            let order = b.weight.total_cmp(&a.weight).then(b.support.total_cmp(&a.support));
            a.tests.is_empty().cmp(&b.tests.is_empty()).then(order)
        });
        let mut reading =
            "every rule that applies to a row has a say in proportion to its weight; \
                           a missing value passes every test"
                .to_owned();
        if self.sets.len() > 1 {
            reading += &format!("; {} sets of rules are averaged", self.sets.len());
        }
        // Of several sets each shares out its own weights.
        let decides = if self.sets.len() > 1 { Decides::None } else { Decides::MostWeight };
        let (support, missing) = (Support::Applies, Missing::Passes);
        Rulebook { reading, support, missing, decides, unlisted: 0, rules }
    }

    /// Refuses what a damaged file could hold; `sound` checks the parameters of a rule.
    pub(super) fn check(&self, inputs: &Schema, sound: impl Fn(&[f64]) -> bool) -> Result<()> {
        let test = |(column, values): &(usize, AllowedValues)| {
            inputs.fields.get(*column).is_some_and(|field| values.fits(&field.kind))
        };
        let expert = |(at, expert): (usize, &Expert)| {
            (at > 0 || expert.tests.is_empty())
                && expert.tests.iter().all(test)
                && expert.weight.is_finite()
                && expert.weight > 0.0
                && expert.support >= 0.0
                && sound(&expert.params)
        };
        let mixture =
            |mixture: &Vec<Expert>| !mixture.is_empty() && mixture.iter().enumerate().all(expert);
        let whole = self.columns == inputs.len()
            && self.notes.importance.len() == self.columns
            && !self.sets.is_empty()
            && self.sets.iter().all(mixture);
        if whole { Ok(()) } else { Err(Error::model_file("its rules are inconsistent")) }
    }

    /// Rules, the default included, and their tests, as [`Mixtures::rules`] shows them.
    pub(super) fn size(&self) -> Vec<(&'static str, u64)> {
        let Rulebook { rules, .. } = self.rules();
        let tests: usize = rules.iter().map(|rule| rule.tests.len()).sum();
        vec![("rules", rules.len() as u64), ("conditions", tests as u64)]
    }

    pub(super) fn diagnostics(&self, inputs: &Schema) -> Diagnostics {
        let Notes { price, unmatched, importance, stability, curve } = &self.notes;
        let names = inputs.fields.iter().map(|field| field.name.clone());
        let epochs = curve.iter().map(|&epoch| {
            let Epoch { objective, bits, error, rules } = epoch;
            SearchEpoch { objective, bits, error, rules }
        });
        Diagnostics {
            price: Some(*price),
            unmatched: Some(*unmatched),
            importance: Some(Importances::Bits(names.zip(importance.iter().copied()).collect())),
            stability: (!stability.is_empty()).then(|| stability.clone()),
            curve: Some(RuleCurve::Epochs(epochs.collect())),
            ..Diagnostics::default()
        }
    }
}

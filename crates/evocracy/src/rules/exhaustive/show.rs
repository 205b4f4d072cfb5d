//! Rules and explanations for people.

use super::cube::{ANY, digits};
use super::rows::density;
use crate::classify::{Decides, Explanation, Link, Missing, Part, Rule, Rulebook, Support, Test};
use crate::data::View;
use serde::{Deserialize, Serialize};

/// A rule to be read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct ShownRule {
    /// Its digits as a number in base 3.
    pub(super) code: u32,
    /// `P(Z)`.
    pub(super) weight: f64,
    /// `P(C | Z)`.
    #[serde(rename = "says")]
    class_probabilities: Vec<f64>,
    /// The weight of the training rows it matches, or of those it answers for.
    pub(super) support: f64,
}

impl ShownRule {
    /// A rule by `P(Z) P(C | Z)`.
    pub(super) fn new(code: u32, weights: &[f64], support: f64) -> Self {
        let weight: f64 = weights.iter().sum();
        let class_probabilities = weights.iter().map(|w| w / weight).collect();
        Self { code, weight, class_probabilities, support }
    }

    /// Whether it can be a rule over so many bits and classes.
    pub(super) fn is_sound(&self, bits: usize, classes: usize) -> bool {
        (self.code as usize) < super::cube::rules(bits)
            && (0.0..=1.0 + 1e-9).contains(&self.weight)
            && self.class_probabilities.len() == classes
            && self.class_probabilities.iter().all(|p| (0.0..=1.0 + 1e-9).contains(p))
            && self.support.is_finite()
            && self.support >= 0.0
    }

    fn tests(&self, bits: usize) -> Vec<Test> {
        let cared = digits(self.code, bits).enumerate().filter(|(_, digit)| *digit != ANY);
        let test = |(column, digit)| {
            let value = Some(f64::from(digit));
            Test::Between { column, low: value, high: value }
        };
        cared.map(test).collect()
    }

    fn words(&self, rows: View<'_>) -> String {
        let cared = digits(self.code, rows.columns()).enumerate().filter(|(_, d)| *d != ANY);
        let words: Vec<String> =
            cared.map(|(column, digit)| format!("{} = {digit}", rows.field(column).name)).collect();
        if words.is_empty() { "always".to_owned() } else { words.join(" and ") }
    }
}

/// The rules in order of their weight.
pub(super) fn rulebook(rules: &[ShownRule], bits: usize, support: Support) -> Rulebook {
    let rule = |shown: &ShownRule| {
        let says = shown.class_probabilities.clone();
        Rule::new(shown.tests(bits), says, shown.weight, shown.support)
    };
    Rulebook {
        reading: format!(
            "all rules that apply are averaged, each with its weight halved for every bit that \
             it does not test; these are the heaviest of 3^{bits}; a missing value passes every test"
        ),
        support,
        missing: Missing::Passes,
        decides: Decides::None,
        unlisted: 0,
        rules: rules.iter().map(rule).collect(),
    }
}

/// What the rules add to the probabilities of a row: those that are shown, and all others.
/// `log_row` is the logarithm of the row's density under all of them.
pub(super) fn explain(
    rules: &[ShownRule],
    rows: View<'_>,
    code: u32,
    log_row: f64,
    proba: &[f64],
) -> Explanation {
    let mut rest = proba.to_vec();
    let mut parts = Vec::new();
    for rule in rules {
        let density = density(rule.code, code, rows.columns());
        // Never more than there is, whatever rounding does.
        let share = (rule.weight.ln() + density.ln() - log_row).exp().min(1.0);
        if share <= 0.0 {
            continue;
        }
        let adds: Vec<f64> = rule.class_probabilities.iter().map(|p| share * p).collect();
        rest.iter_mut().zip(&adds).for_each(|(rest, add)| *rest -= add);
        parts.push(Part { column: None, because: rule.words(rows), adds });
    }
    let because = if parts.is_empty() { "all rules" } else { "all other rules" }.to_owned();
    parts.push(Part { column: None, because, adds: rest });
    Explanation { base: vec![0.0; proba.len()], parts, link: Link::Identity }
}

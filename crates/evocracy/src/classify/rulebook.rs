//! Rules as a person reads them: what a model made of rules shows of itself, whatever its inside.
//!
//! A rule is a list of tests that must all hold, what it then says, and what stands behind it. The
//! names of columns and levels come from the columns the model was learnt on.

use crate::data::Schema;
use crate::num::argmax;
use serde::Serialize;

/// The rules of a model, in the order in which they should be read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rulebook {
    /// How the rules are put together, in words that follow a colon.
    pub reading: String,
    /// What the support of a rule counts.
    pub support: Support,
    /// The rules.
    pub rules: Vec<Rule>,
}

/// If all tests hold, then this.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rule {
    /// What must hold; without tests the rule applies to every row.
    pub tests: Vec<Test>,
    /// The probability of each class; for numbers the mean and the standard deviation.
    pub says: Vec<f64>,
    /// How much it counts where it applies.
    pub weight: f64,
    /// How many equal rules it stands for.
    pub numerosity: u64,
    /// The weight of the training rows it applies to or answers for, as [`Support`] says.
    pub support: f64,
}

/// What the support of a rule counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Support {
    /// The training rows that pass its tests.
    Applies,
    /// Its share of the training rows that pass its tests: rules divide a row among them.
    Answers,
}

/// A test of one column.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Test {
    /// The level is one of these.
    Among {
        /// The column.
        column: usize,
        /// The codes of the levels, in order.
        levels: Vec<u32>,
    },
    /// The number lies in an interval, bounds included.
    Between {
        /// The column.
        column: usize,
        /// The lower bound; none: any.
        low: Option<f64>,
        /// The upper bound; none: any.
        high: Option<f64>,
    },
}

impl Rule {
    /// The class it says is most probable.
    pub fn best(&self) -> usize {
        argmax(&self.says)
    }

    /// What must hold, in words: `odor is foul or musty and gill-size is narrow`.
    pub fn words(&self, inputs: &Schema) -> String {
        if self.tests.is_empty() {
            return "always".to_owned();
        }
        let tests: Vec<String> = self.tests.iter().map(|test| test.words(inputs)).collect();
        tests.join(" and ")
    }
}

impl Test {
    /// The column it looks at.
    pub fn column(&self) -> usize {
        match self {
            Self::Among { column, .. } | Self::Between { column, .. } => *column,
        }
    }

    /// The test in words.
    pub fn words(&self, inputs: &Schema) -> String {
        let Some(field) = inputs.fields.get(self.column()) else { return String::new() };
        let name = &field.name;
        match self {
            Self::Among { levels, .. } => {
                let level = |code: &u32| field.levels().get(*code as usize).cloned();
                let levels: Vec<String> = levels.iter().filter_map(level).collect();
                format!("{name} is {}", levels.join(" or "))
            }
            Self::Between { low, high, .. } => match (low.map(short), high.map(short)) {
                (Some(low), Some(high)) if low == high => format!("{name} is {low}"),
                (Some(low), Some(high)) => format!("{name} is {low} to {high}"),
                (Some(low), None) => format!("{name} is at least {low}"),
                (None, Some(high)) => format!("{name} is at most {high}"),
                (None, None) => format!("{name} is known or missing"),
            },
        }
    }
}

/// A threshold to ten digits, which tells it from any value a person would write: half way
/// between two decimal numbers is rarely a short binary one.
pub(crate) fn short(threshold: f64) -> String {
    let rounded: f64 = format!("{threshold:.9e}").parse().unwrap_or(threshold);
    let plain = rounded == 0.0 || (1e-5..1e15).contains(&rounded.abs());
    if plain { rounded.to_string() } else { format!("{rounded:e}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Field;

    #[test]
    fn rules_read_as_sentences() {
        let inputs = Schema {
            fields: vec![Field::nominal("odor", ["foul", "musty", "none"]), Field::number("age")],
        };
        let tests = vec![
            Test::Among { column: 0, levels: vec![0, 1] },
            Test::Between { column: 1, low: Some(0.1 + 0.2), high: None },
        ];
        let rule = Rule { tests, says: vec![1.0, 0.0], weight: 1.0, numerosity: 1, support: 3.0 };
        assert_eq!(rule.words(&inputs), "odor is foul or musty and age is at least 0.3");
        let always = Rule { tests: Vec::new(), ..rule };
        assert_eq!(always.words(&inputs), "always");
    }
}

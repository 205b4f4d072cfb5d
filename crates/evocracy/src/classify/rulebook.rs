//! Rules as a person reads them: what a model made of rules shows of itself, whatever its inside.
//!
//! A rule is a list of tests that must all hold, what it then says, and what stands behind it. The
//! names of columns and levels come from the columns the model was learnt on.

use crate::data::{Cells, MISSING, Schema};
use crate::num::argmax;
use serde::{Deserialize, Serialize};

/// The rules of a model, in the order in which they should be read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rulebook {
    /// How the rules are put together, in words that follow a colon.
    pub reading: String,
    /// What the support of a rule counts.
    pub support: Support,
    /// What a missing value does to a test.
    pub missing: Missing,
    /// Which of the rules that apply to a row decides on it.
    pub decides: Decides,
    /// How many rules of less weight there are beside these; equal ones are counted each.
    pub unlisted: u64,
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
    /// What the training rows it applies to are like, where they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standing: Option<Standing>,
}

/// What a missing value does to a test of its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Missing {
    /// It passes.
    Passes,
    /// It fails.
    Fails,
    /// It goes where the model sends it, which no test tells.
    IsSent,
}

/// Which of the rules that apply to a row decides on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decides {
    /// The first one.
    First,
    /// The one that has more than half of the weight of all that apply, if there is one.
    MostWeight,
    /// None by itself: weights depend on more than the rule.
    None,
    /// None by itself: all that apply vote, and their weights are shares of all votes.
    Votes,
}

/// What training rows a rule stands on, counted as rows whatever they weigh.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// The rows that pass its tests.
    pub applies: Counted,
    /// The rows it decides on; none where no rule decides by itself.
    pub decides: Option<Counted>,
}

/// Training rows, and what their target is.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Counted {
    /// How many they are.
    pub rows: u64,
    /// How many of each class; empty for numbers.
    pub classes: Vec<u64>,
    /// The mean of the numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
}

impl Counted {
    fn is_sound(&self, classes: usize) -> bool {
        let sum = self.classes.iter().try_fold(0_u64, |sum, count| sum.checked_add(*count));
        self.classes.len() == classes
            && (classes == 0 || sum == Some(self.rows))
            && self.mean.is_none_or(f64::is_finite)
    }
}

impl Standing {
    /// Whether a file may hold it: counts of so many classes, none for numbers.
    pub(crate) fn is_sound(&self, classes: usize) -> bool {
        let less =
            |decides: &Counted| decides.is_sound(classes) && decides.rows <= self.applies.rows;
        self.applies.is_sound(classes) && self.decides.as_ref().is_none_or(less)
    }
}

/// What the support of a rule counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Support {
    /// The training rows that pass its tests.
    Applies,
    /// Its share of the training rows that pass its tests: rules divide a row among them.
    Answers,
    /// The share that it gives of all votes on training rows, as its trees drew or weighed them.
    Votes,
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
    /// The value is there, whatever it is.
    Known {
        /// The column.
        column: usize,
    },
    /// There is no value.
    Missing {
        /// The column.
        column: usize,
    },
}

impl Rule {
    /// The class it says is most probable.
    pub fn best(&self) -> usize {
        argmax(&self.says)
    }

    /// A rule that stands for itself; `support` as the rulebook says.
    pub fn new(tests: Vec<Test>, says: Vec<f64>, weight: f64, support: f64) -> Self {
        Self { tests: merged(tests), says, weight, numerosity: 1, support, standing: None }
    }

    /// Whether it applies to a row of the table whose cells these are.
    pub fn applies(&self, cells: &[Cells<'_>], id: usize, missing: Missing) -> bool {
        self.tests.iter().all(|test| match cells.get(test.column()) {
            Some(cells) => test.holds(*cells, id).unwrap_or(missing == Missing::Passes),
            None => false,
        })
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
            Self::Among { column, .. }
            | Self::Between { column, .. }
            | Self::Known { column }
            | Self::Missing { column } => *column,
        }
    }

    /// Whether it asks only if there is a value.
    pub(crate) fn is_of_presence(&self) -> bool {
        matches!(self, Self::Known { .. } | Self::Missing { .. })
    }

    /// Whether a row of the table passes it; nothing where a value is asked for that is missing.
    fn holds(&self, cells: Cells<'_>, id: usize) -> Option<bool> {
        let is_missing = match cells {
            Cells::Nominal(codes) => codes[id] == MISSING,
            Cells::Number(values) => values[id].is_nan(),
        };
        match (self, cells) {
            (Self::Known { .. }, _) => Some(!is_missing),
            (Self::Missing { .. }, _) => Some(is_missing),
            (Self::Among { levels, .. }, Cells::Nominal(codes)) => {
                (codes[id] != MISSING).then(|| levels.contains(&codes[id]))
            }
            (Self::Between { low, high, .. }, Cells::Number(values)) => {
                let value = values[id];
                let within =
                    low.is_none_or(|low| value >= low) && high.is_none_or(|high| value <= high);
                (!value.is_nan()).then_some(within)
            }
            _ => Some(false),
        }
    }

    /// The test in words, with the signs that trees use.
    pub fn words(&self, inputs: &Schema) -> String {
        let Some(field) = inputs.fields.get(self.column()) else { return String::new() };
        let name = &field.name;
        match self {
            Self::Known { .. } => format!("{name} is known"),
            Self::Missing { .. } => format!("{name} is missing"),
            Self::Among { levels, .. } => {
                let level = |code: &u32| field.levels().get(*code as usize).cloned();
                let levels: Vec<String> = levels.iter().filter_map(level).collect();
                format!("{name} is {}", levels.join(" or "))
            }
            Self::Between { low: Some(low), high: Some(high), .. } if low == high => {
                format!("{name} is {}", short(*low))
            }
            Self::Between { low, high, .. } => {
                let low = low.map(|low| match cut_below(low) {
                    Some(cut) => (short(cut), "<", ">"),
                    None => (short(low), "<=", ">="),
                });
                match (low, high.map(short)) {
                    (Some((low, sign, _)), Some(high)) => format!("{low} {sign} {name} <= {high}"),
                    (Some((low, _, sign)), None) => format!("{name} {sign} {low}"),
                    (None, Some(high)) => format!("{name} <= {high}"),
                    (None, None) => format!("{name} is known or missing"),
                }
            }
        }
    }

    /// What both demand of the same column, if one test can say it. A test that comes later sees only
    /// the rows that passed the earlier one: where it finds values missing, these had passed.
    fn and(&self, other: &Self) -> Option<Self> {
        let tighter = |a: Option<f64>, b: Option<f64>, pick: fn(f64, f64) -> f64| match (a, b) {
            (Some(a), Some(b)) => Some(pick(a, b)),
            (a, b) => a.or(b),
        };
        match (self, other) {
            (
                &Self::Between { column, low, high },
                &Self::Between { column: same, low: from, high: to },
            ) if column == same => Some(Self::Between {
                column,
                low: tighter(low, from, f64::max),
                high: tighter(high, to, f64::min),
            }),
            (Self::Among { column, levels }, Self::Among { column: same, levels: others })
                if column == same =>
            {
                let levels = levels.iter().filter(|level| others.contains(level));
                Some(Self::Among { column: *column, levels: levels.copied().collect() })
            }
            (Self::Known { column }, Self::Known { column: same }) if column == same => {
                Some(other.clone())
            }
            (earlier, Self::Missing { column }) if earlier.column() == *column => {
                Some(other.clone())
            }
            _ => None,
        }
    }
}

/// The same demands with one test for each column, in the order in which the columns come.
fn merged(tests: Vec<Test>) -> Vec<Test> {
    let mut kept: Vec<Test> = Vec::with_capacity(tests.len());
    for test in tests {
        demand(&mut kept, test);
    }
    kept
}

/// Adds a test to tests of which each column has one of a kind, and keeps it so.
pub(crate) fn demand(kept: &mut Vec<Test>, test: Test) {
    let both = kept.iter().enumerate().find_map(|(at, known)| Some((at, known.and(&test)?)));
    match both {
        Some((at, both)) => kept[at] = both,
        None => kept.push(test),
    }
}

/// The cut that an included bound lies right above, where that is the shorter number: a bound of
/// the next number after 137.5 means more than 137.5.
fn cut_below(low: f64) -> Option<f64> {
    let cut = low.next_down();
    (rounded(cut) == cut && rounded(low) != low).then_some(cut)
}

fn rounded(threshold: f64) -> f64 {
    format!("{threshold:.9e}").parse().unwrap_or(threshold)
}

/// A threshold to ten digits, which tells it from any value a person would write: half way
/// between two decimal numbers is rarely a short binary one.
pub(crate) fn short(threshold: f64) -> String {
    let rounded = rounded(threshold);
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
            Test::Between { column: 1, low: Some(0.1 + 0.7), high: None },
        ];
        let rule = Rule::new(tests, vec![1.0, 0.0], 1.0, 3.0);
        assert_eq!(rule.words(&inputs), "odor is foul or musty and age >= 0.8");
        let missing = Rule::new(
            vec![Test::Known { column: 1 }, Test::Missing { column: 0 }],
            vec![1.0, 0.0],
            1.0,
            3.0,
        );
        assert_eq!(missing.words(&inputs), "age is known and odor is missing");
        let always = Rule { tests: Vec::new(), ..rule };
        assert_eq!(always.words(&inputs), "always");
        let words = |low: Option<f64>, high: Option<f64>| {
            Test::Between { column: 1, low, high }.words(&inputs)
        };
        // A row of 137.5 does not pass a bound right above it, and the words say so.
        assert_eq!(words(Some(137.5_f64.next_up()), None), "age > 137.5");
        assert_eq!(words(Some(137.5_f64.next_up()), Some(150.0)), "137.5 < age <= 150");
        assert_eq!(words(Some(137.5), Some(150.0)), "137.5 <= age <= 150");
        assert_eq!(words(Some(1.0), Some(1.0)), "age is 1");
    }

    #[test]
    fn a_rule_has_one_test_of_a_column() {
        let number = |low, high| Test::Between { column: 1, low, high };
        let among = |levels: &[u32]| Test::Among { column: 0, levels: levels.to_vec() };
        let tests = vec![
            number(Some(10.5), None),
            among(&[0, 1]),
            number(Some(13.5), None),
            number(None, Some(20.0)),
            among(&[1, 2]),
        ];
        let rule = Rule::new(tests, vec![1.0, 0.0], 1.0, 3.0);
        assert_eq!(rule.tests, [number(Some(13.5), Some(20.0)), among(&[1])]);
    }

    #[test]
    fn missing_values_pass_or_fail() {
        let cells = [Cells::Nominal(&[1, MISSING]), Cells::Number(&[12.0, 12.0])];
        let tests = vec![
            Test::Among { column: 0, levels: vec![1] },
            Test::Between { column: 1, low: Some(12.0), high: None },
        ];
        let rule = Rule::new(tests, vec![1.0, 0.0], 1.0, 3.0);
        assert!(rule.applies(&cells, 0, Missing::Fails));
        assert!(rule.applies(&cells, 1, Missing::Passes));
        assert!(!rule.applies(&cells, 1, Missing::Fails));
    }

    #[test]
    fn that_a_value_is_there_is_a_test_of_its_own() {
        let cells = [Cells::Nominal(&[1, MISSING]), Cells::Number(&[f64::NAN, 12.0])];
        let rule = |tests: Vec<Test>| Rule::new(tests, vec![1.0, 0.0], 1.0, 3.0);
        for missing in [Missing::Passes, Missing::Fails, Missing::IsSent] {
            let applies = |test: &Test, row| rule(vec![test.clone()]).applies(&cells, row, missing);
            for (column, row) in [(0, 1), (1, 0)] {
                let (known, none) = (Test::Known { column }, Test::Missing { column });
                assert!(applies(&none, row) && !applies(&known, row));
                assert!(!applies(&none, 1 - row) && applies(&known, 1 - row));
            }
        }
        // Missing values that were sent along with small ones, then parted from them.
        let small = Test::Between { column: 1, low: None, high: Some(5.0) };
        let (known, none) = (Test::Known { column: 1 }, Test::Missing { column: 1 });
        assert_eq!(rule(vec![small.clone(), none.clone()]).tests, [none]);
        assert_eq!(rule(vec![small.clone(), known.clone(), known.clone()]).tests, [small, known]);
    }
}

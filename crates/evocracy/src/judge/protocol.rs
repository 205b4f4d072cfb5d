//! Protocols: which rows a method learns from and which it is judged on.

use crate::data::{Dataset, Split, fold_numbers, grouped_fold_numbers, grouped_holdout, holdout};
use crate::error::{Error, Result};
use crate::run::Seed;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// How the rows to judge on are chosen. Parts are stratified where there are classes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Protocol {
    /// A published training and test part.
    Published {
        /// Its number, counted from 0.
        part: usize,
    },
    /// A share of the rows is held out.
    Holdout {
        /// The share.
        share: f64,
        /// The column that names groups of rows which stay together.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        groups: Option<String>,
    },
    /// Cross-validation: every row is judged once in each repeat.
    Folds {
        /// How many parts.
        folds: usize,
        /// How often, each time with other parts.
        repeats: usize,
        /// The column that names groups of rows which stay together.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        groups: Option<String>,
    },
    /// Every row is judged by a model of all others.
    LeaveOneOut,
    /// All rows are learnt from; another table is judged on.
    Table {
        /// What it is called.
        name: String,
    },
}

/// The training and test rows of every fold of a protocol.
#[derive(Debug, Clone)]
pub struct Splits {
    list: List,
    /// How many belong to one repeat.
    per_repeat: usize,
}

#[derive(Debug, Clone)]
enum List {
    Given(Vec<Split>),
    /// The fold of every row in each repeat. Splits are made one at a time: all of them would take
    /// the rows times the folds.
    Folds(Vec<Vec<u32>>),
    LeaveOneOut(u32),
}

impl Protocol {
    /// The share of rows to judge on where nothing else is said or published.
    pub const SHARE: f64 = 0.25;

    /// How often a cross-validation may be repeated.
    pub const MOST_REPEATS: usize = 1000;

    /// The first published part, or a stratified quarter where there is none.
    pub fn usual(data: &Dataset) -> Self {
        if data.published.is_empty() {
            Self::Holdout { share: Self::SHARE, groups: None }
        } else {
            Self::Published { part: 0 }
        }
    }

    /// The splits of a data set under this protocol; none where another table is judged on.
    pub fn splits(&self, data: &Dataset, seed: Seed) -> Result<Splits> {
        let (rows, codes) = (data.table().rows(), data.codes());
        let groups =
            |column: &Option<String>| column.as_ref().map(|column| data.groups(column)).transpose();
        match self {
            Self::Published { part } => {
                let split = data.published.get(*part).cloned().ok_or_else(|| {
                    let what = format!(
                        "`{}` has {} published parts, none with the number {part}",
                        data.name,
                        data.published.len()
                    );
                    Error::unsuitable(what, "hold out a share of the rows instead")
                })?;
                Ok(Splits::given(vec![split], 1))
            }
            Self::Holdout { share, groups: column } => {
                let split = match groups(column)? {
                    None => holdout(rows, codes, *share, seed)?,
                    Some(groups) => grouped_holdout(&groups, codes, *share, seed)?,
                };
                Ok(Splits::given(vec![split], 1))
            }
            Self::Folds { folds, repeats, groups: column } => {
                if !(1..=Self::MOST_REPEATS).contains(repeats) {
                    return Err(Error::Param {
                        of: "protocol".to_owned(),
                        name: "repeats".to_owned(),
                        expected: format!("a whole number from 1 to {}", Self::MOST_REPEATS),
                        got: repeats.to_string(),
                    });
                }
                let groups = groups(column)?;
                let repeat = |at: usize| {
                    let seed = seed.child("repeat", at as u64);
                    match &groups {
                        None => fold_numbers(rows, codes, *folds, seed),
                        Some(groups) => grouped_fold_numbers(groups, codes, *folds, seed),
                    }
                };
                let list = List::Folds((0..*repeats).map(repeat).collect::<Result<_>>()?);
                Ok(Splits { list, per_repeat: *folds })
            }
            Self::LeaveOneOut => {
                Ok(Splits { list: List::LeaveOneOut(rows as u32), per_repeat: rows })
            }
            Self::Table { .. } => Ok(Splits::given(Vec::new(), 1)),
        }
    }

    /// Which rows are judged, in words; parts are stratified where there are `classes`.
    pub fn words(&self, classes: bool) -> String {
        let together = |groups: &Option<String>| {
            groups.as_ref().map_or(String::new(), |column| format!(", each `{column}` kept whole"))
        };
        match self {
            Self::Published { part: 0 } => "the published test part".to_owned(),
            Self::Published { part } => format!("the published test part {}", part + 1),
            Self::Holdout { share, groups: None } => {
                let how = if classes { "stratified" } else { "random" };
                format!("a {how} sample, a share of {share}")
            }
            Self::Holdout { share, groups } => {
                format!("a sample, a share of about {share}{}", together(groups))
            }
            Self::Folds { folds, repeats: 1, groups } => {
                format!("cross-validation of {folds} folds{}", together(groups))
            }
            Self::Folds { folds, repeats, groups } => {
                format!("{repeats} cross-validations of {folds} folds{}", together(groups))
            }
            Self::LeaveOneOut => "each row left out in turn".to_owned(),
            Self::Table { name } => format!("the rows of {name}"),
        }
    }
}

impl Splits {
    /// Splits that were made elsewhere, `per_repeat` of them for each repeat.
    pub fn given(list: Vec<Split>, per_repeat: usize) -> Self {
        Self { list: List::Given(list), per_repeat: per_repeat.max(1) }
    }

    /// Stratified folds of rows, as many as rows at most.
    pub fn folds(rows: usize, codes: Option<&[u32]>, k: usize, seed: Seed) -> Result<Self> {
        let k = k.min(rows);
        Ok(Self { list: List::Folds(vec![fold_numbers(rows, codes, k, seed)?]), per_repeat: k })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match &self.list {
            List::Given(list) => list.len(),
            List::Folds(repeats) => repeats.len() * self.per_repeat,
            List::LeaveOneOut(rows) => *rows as usize,
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rows of split `at`.
    pub fn get(&self, at: usize) -> Cow<'_, Split> {
        match &self.list {
            List::Given(list) => Cow::Borrowed(&list[at]),
            List::Folds(repeats) => {
                let (fold, repeat) = self.place(at);
                Cow::Owned(Split::of_fold(&repeats[repeat as usize], fold))
            }
            List::LeaveOneOut(rows) => {
                let out = at as u32;
                let train = (0..*rows).filter(|&row| row != out).collect();
                Cow::Owned(Split { train, test: vec![out] })
            }
        }
    }

    /// The only split, if there is one only.
    pub fn only(&self) -> Option<&Split> {
        match &self.list {
            List::Given(list) if list.len() == 1 => list.first(),
            _ => None,
        }
    }

    /// The number of the fold within its repeat, and that of the repeat.
    pub fn place(&self, at: usize) -> (u32, u32) {
        ((at % self.per_repeat) as u32, (at / self.per_repeat) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::catalogue::{Catalogue, Load};

    #[test]
    fn every_protocol_judges_on_rows_it_does_not_learn_from() -> Result<()> {
        let open = |name| Catalogue::embedded().open(name, &Load::default());
        let (car, pima) = (open("car")?, open("pima")?);
        assert_eq!(Protocol::usual(&pima), Protocol::Published { part: 0 });
        let grouped = Some("safety".to_owned());
        for (data, protocol, count, judged) in [
            (&pima, Protocol::usual(&pima), 1, 332),
            (&car, Protocol::Holdout { share: 0.25, groups: None }, 1, 432),
            (&car, Protocol::Folds { folds: 3, repeats: 2, groups: None }, 6, 2 * 1728),
            (&car, Protocol::Folds { folds: 3, repeats: 1, groups: grouped.clone() }, 3, 1728),
            (&car, Protocol::Holdout { share: 0.3, groups: grouped }, 1, 576),
            (&car, Protocol::LeaveOneOut, 1728, 1728),
            (&car, Protocol::Table { name: "t.csv".to_owned() }, 0, 0),
        ] {
            let splits = protocol.splits(data, Seed::new(1))?;
            assert_eq!(splits.len(), count, "{protocol:?}");
            let mut tested = 0;
            for at in 0..splits.len() {
                let split = splits.get(at);
                assert!(split.test.iter().all(|row| split.train.binary_search(row).is_err()));
                tested += split.test.len();
            }
            assert_eq!(tested, judged, "{protocol:?}");
        }
        let twice = Protocol::Folds { folds: 3, repeats: 2, groups: None };
        assert_eq!(twice.splits(&car, Seed::new(1))?.place(4), (1, 1));
        assert!(Protocol::Published { part: 0 }.splits(&car, Seed::new(1)).is_err());
        Ok(())
    }
}

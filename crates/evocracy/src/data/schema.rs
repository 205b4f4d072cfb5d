//! What the columns of a table are called and hold.

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// What a column holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Numbers.
    Number,
    /// One of these levels; the codes of the column are positions in this list.
    Nominal(Vec<String>),
}

/// One column: its name and what it holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// The name in the header.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
    /// A longer description, such as a gene's, where the source has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

impl Field {
    /// A column of numbers.
    pub fn number(name: impl Into<String>) -> Self {
        Self { name: name.into(), kind: Kind::Number, label: None }
    }

    /// A column with the given levels.
    pub fn nominal<S: Into<String>>(
        name: impl Into<String>,
        levels: impl IntoIterator<Item = S>,
    ) -> Self {
        let levels = levels.into_iter().map(Into::into).collect();
        Self { name: name.into(), kind: Kind::Nominal(levels), label: None }
    }

    /// The levels of a nominal column; empty for numbers.
    pub fn levels(&self) -> &[String] {
        match &self.kind {
            Kind::Number => &[],
            Kind::Nominal(levels) => levels,
        }
    }
}

/// The columns of a table, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Schema {
    /// The columns.
    pub fields: Vec<Field>,
}

impl Schema {
    /// How many columns there are.
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Whether the columns have the same names and kinds, whatever their descriptions.
    pub fn is_like(&self, other: &Self) -> bool {
        let same = |(a, b): (&Field, &Field)| (&a.name, &a.kind) == (&b.name, &b.kind);
        self.len() == other.len() && self.fields.iter().zip(&other.fields).all(same)
    }

    /// The names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|f| f.name.as_str())
    }

    /// The position of the column `name`; the error names the nearest one.
    pub fn find(&self, name: &str, source: &str) -> Result<usize> {
        self.fields
            .iter()
            .position(|f| f.name == name)
            .ok_or_else(|| Error::unknown("column", name, Some(source.to_owned()), self.names()))
    }
}

/// The classes of a task: their names in order and which one counts as positive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Classes {
    names: Vec<String>,
    positive: usize,
    /// Whether the first of two stands for whatever is not the second.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    rest: bool,
}

impl Classes {
    /// Classes with the last one positive (`No` before `Yes`, `0` before `1`).
    pub fn new(names: Vec<String>) -> Result<Self> {
        if names.len() < 2 {
            return Err(Error::unsuitable(
                format!("a task needs at least two classes, not {}", names.len()),
                "add rows of another class",
            ));
        }
        let positive = names.len() - 1;
        Ok(Self { names, positive, rest: false })
    }

    /// Two classes: `name`, which is positive, and whatever is not `name`.
    pub fn one_against_rest(name: &str) -> Self {
        Self { names: vec![format!("not {name}"), name.to_owned()], positive: 1, rest: true }
    }

    /// The class of every label that has no class of its own, if there is one.
    pub fn rest(&self) -> Option<usize> {
        self.rest.then_some(0)
    }

    /// The same classes with `name` as the positive one.
    pub fn with_positive(mut self, name: &str) -> Result<Self> {
        self.positive = self.code(name).ok_or_else(|| {
            Error::unknown("class", name, None, self.names.iter().map(String::as_str))
        })?;
        Ok(self)
    }

    /// How many there are: at least two.
    #[allow(clippy::len_without_is_empty, reason = "there are always at least two classes")]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Their names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The position of the class `name`.
    pub fn code(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|n| n == name)
    }

    /// The class that true and false positives are counted for.
    pub fn positive(&self) -> usize {
        self.positive
    }

    /// Whether there are at least two classes and the positive one exists (after loading).
    pub fn check(&self) -> Result<()> {
        let one_rest = self.names.len() == 2 && self.positive == 1;
        if self.names.len() < 2 || self.positive >= self.names.len() || self.rest && !one_rest {
            return Err(Error::model_file("its classes are inconsistent"));
        }
        Ok(())
    }
}

//! Which literals every attribute has.

use crate::classify::Test;
use crate::data::{Cells, Kind, MISSING, Schema, View};
use crate::error::{Error, Result};
use crate::num::bits::{self, has};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The values of one attribute.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum AttributeValues {
    /// Levels, by their number.
    Levels(u32),
    /// Intervals between ascending cuts; each is closed above.
    Cuts(Vec<f64>),
}

impl AttributeValues {
    fn count(&self) -> usize {
        match self {
            Self::Levels(count) => *count as usize,
            Self::Cuts(cuts) => cuts.len() + 1,
        }
    }
}

/// The attributes of a table and where their literals stand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<AttributeValues>", into = "Vec<AttributeValues>")]
pub(crate) struct Layout {
    values: Vec<AttributeValues>,
    /// The first literal of each attribute, and the number of all.
    starts: Vec<u32>,
    /// The attribute of each literal.
    of: Vec<u32>,
}

/// The most literals: a file must not ask for all memory there is.
const MOST: usize = 1 << 24;

impl TryFrom<Vec<AttributeValues>> for Layout {
    type Error = Error;

    fn try_from(values: Vec<AttributeValues>) -> Result<Self> {
        let count = values.iter().fold(0, |sum: usize, v| sum.saturating_add(v.count()));
        if count > MOST {
            return Err(Error::unsuitable(
                format!("rules would have to tell {count} levels and intervals apart"),
                format!("leave out columns with a level for nearly every row; {MOST} is the most"),
            ));
        }
        Ok(Self::new(values))
    }
}

impl From<Layout> for Vec<AttributeValues> {
    fn from(layout: Layout) -> Self {
        layout.values
    }
}

impl Layout {
    fn new(values: Vec<AttributeValues>) -> Self {
        let mut starts = vec![0];
        let mut of = Vec::new();
        for (attribute, values) in values.iter().enumerate() {
            of.extend(std::iter::repeat_n(attribute as u32, values.count()));
            starts.push(of.len() as u32);
        }
        Self { values, starts, of }
    }

    /// A string of `count` bits.
    #[cfg(test)]
    pub(crate) fn bits(count: usize) -> Self {
        Self::new(vec![AttributeValues::Levels(2); count])
    }

    /// The columns in view; a number is cut into at most `bins` intervals of about as many of its
    /// known values each. Only rows of positive weight are looked at.
    pub(crate) fn of_view(rows: View<'_>, weights: &[f64], bins: usize) -> Result<Self> {
        let of_column = |column: usize| match rows.cells(column) {
            Cells::Nominal(_) => AttributeValues::Levels(rows.field(column).levels().len() as u32),
            Cells::Number(values) => {
                let known = rows.pick(values);
                let known = known.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
                AttributeValues::Cuts(cuts(known.map(|(value, _)| *value).collect(), bins))
            }
        };
        (0..rows.columns()).map(of_column).collect::<Vec<_>>().try_into()
    }

    /// Columns of which no row is known yet: numbers are bits, 0 or 1.
    pub(crate) fn of_bits(inputs: &Schema) -> Self {
        let values = |field: &crate::data::Field| match &field.kind {
            Kind::Nominal(levels) => AttributeValues::Levels(levels.len() as u32),
            Kind::Number => AttributeValues::Cuts(vec![0.5]),
        };
        Self::new(inputs.fields.iter().map(values).collect())
    }

    /// The columns of a schema, their numbers not cut.
    pub(crate) fn of_schema(schema: &Schema) -> Self {
        let values = |field: &crate::data::Field| match &field.kind {
            Kind::Number => AttributeValues::Cuts(Vec::new()),
            Kind::Nominal(levels) => AttributeValues::Levels(levels.len() as u32),
        };
        Self::new(schema.fields.iter().map(values).collect())
    }

    /// The same attributes; a number that is not kept is one interval, which no rule can test.
    pub(crate) fn keeping(&self, kept: impl Fn(usize) -> bool) -> Self {
        let values = self.values.iter().enumerate().map(|(attribute, values)| match values {
            AttributeValues::Cuts(_) if !kept(attribute) => AttributeValues::Cuts(Vec::new()),
            values => values.clone(),
        });
        Self::new(values.collect())
    }

    /// How many attributes there are.
    pub(crate) fn attributes(&self) -> usize {
        self.values.len()
    }

    /// How many literals there are.
    pub(crate) fn literals(&self) -> usize {
        self.of.len()
    }

    /// How many words a set of literals has.
    pub(crate) fn words(&self) -> usize {
        self.literals().div_ceil(64).max(1)
    }

    /// The literals of an attribute.
    #[inline]
    pub(crate) fn span(&self, attribute: usize) -> Range<usize> {
        self.starts[attribute] as usize..self.starts[attribute + 1] as usize
    }

    /// The attribute of a literal.
    #[inline]
    pub(crate) fn attribute(&self, literal: usize) -> usize {
        self.of[literal] as usize
    }

    /// Whether an attribute's values are intervals in order.
    pub(crate) fn ordered(&self, attribute: usize) -> bool {
        matches!(self.values[attribute], AttributeValues::Cuts(_))
    }

    /// The literal that an attribute has in a row of the table, if its value is known.
    #[inline]
    pub(crate) fn literal(&self, attribute: usize, cells: Cells<'_>, id: usize) -> Option<usize> {
        let start = self.starts[attribute] as usize;
        match (&self.values[attribute], cells) {
            (AttributeValues::Levels(count), Cells::Nominal(codes)) => {
                (codes[id] != MISSING && codes[id] < *count).then(|| start + codes[id] as usize)
            }
            (AttributeValues::Cuts(cuts), Cells::Number(values)) => {
                let value = values[id];
                (!value.is_nan()).then(|| start + cuts.partition_point(|cut| value > *cut))
            }
            _ => None,
        }
    }

    /// Calls `visit` with every attribute that a condition tests, in order.
    #[inline]
    pub(crate) fn specified(&self, condition: &[u64], mut visit: impl FnMut(usize)) {
        let mut last = usize::MAX;
        bits::each(condition, |literal| {
            let attribute = self.attribute(literal);
            if attribute != last {
                visit(attribute);
                last = attribute;
            }
        });
    }

    /// How many attributes a condition tests.
    pub(crate) fn specificity(&self, condition: &[u64]) -> usize {
        let mut count = 0;
        self.specified(condition, |_| count += 1);
        count
    }

    /// A condition as the tests a person reads.
    pub(crate) fn tests(&self, condition: &[u64]) -> Vec<Test> {
        let mut tests = Vec::new();
        self.specified(condition, |column| {
            let span = self.span(column);
            let start = span.start;
            let allowed = span.filter(|&literal| !has(condition, literal)).map(|l| l - start);
            let allowed: Vec<usize> = allowed.collect();
            tests.push(match &self.values[column] {
                AttributeValues::Levels(_) => {
                    Test::Among { column, levels: allowed.iter().map(|&l| l as u32).collect() }
                }
                AttributeValues::Cuts(cuts) => {
                    let (first, last) = (allowed.first(), allowed.last());
                    // An interval is open below: what lies just above the cut is its first number.
                    let low = first.and_then(|&l| l.checked_sub(1)).map(|l| cuts[l].next_up());
                    Test::Between { column, low, high: last.and_then(|&l| cuts.get(l)).copied() }
                }
            });
        });
        tests
    }

    /// Whether it fits the columns (after loading).
    pub(crate) fn fits(&self, inputs: &Schema) -> bool {
        let fit = |(values, field): (&AttributeValues, &crate::data::Field)| match (
            values,
            &field.kind,
        ) {
            (AttributeValues::Levels(count), Kind::Nominal(levels)) => {
                *count as usize == levels.len()
            }
            (AttributeValues::Cuts(cuts), Kind::Number) => {
                cuts.iter().all(|cut| cut.is_finite()) && cuts.is_sorted_by(|a, b| a < b)
            }
            _ => false,
        };
        self.values.len() == inputs.len() && self.values.iter().zip(&inputs.fields).all(fit)
    }

    /// Whether a set of literals is a condition: it has its words, forbids no literal that is not
    /// there, leaves every attribute a value, and numbers an interval.
    pub(crate) fn is_condition(&self, condition: &[u64]) -> bool {
        let past = (0..condition.len() * 64).skip(self.literals());
        condition.len() == self.words()
            && past.into_iter().all(|literal| !has(condition, literal))
            && (0..self.attributes()).all(|attribute| {
                let span = self.span(attribute);
                let allowed = span.clone().filter(|&l| !has(condition, l)).count();
                let first = span.clone().find(|&l| !has(condition, l)).unwrap_or(0);
                let run = (first..first + allowed).all(|l| !has(condition, l));
                (allowed > 0 || span.is_empty()) && (run || !self.ordered(attribute))
            })
    }
}

/// Cuts half way between values, so that at most `bins` intervals hold about as many values each.
fn cuts(mut values: Vec<f64>, bins: usize) -> Vec<f64> {
    values.retain(|value| !value.is_nan());
    values.sort_unstable_by(f64::total_cmp);
    let mut different = values.clone();
    different.dedup();
    let middle = |below: f64, above: f64| {
        let middle = f64::midpoint(below, above);
        if middle < above { middle } else { below }
    };
    if different.len() <= bins {
        return different.windows(2).map(|pair| middle(pair[0], pair[1])).collect();
    }
    let mut cuts: Vec<f64> = Vec::new();
    for bin in 1..bins {
        let above = values[bin * values.len() / bins];
        let at = different.partition_point(|value| *value < above);
        if at > 0 {
            let cut = middle(different[at - 1], above);
            if cuts.last().is_none_or(|last| cut > *last) {
                cuts.push(cut);
            }
        }
    }
    cuts
}

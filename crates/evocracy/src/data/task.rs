//! What is to be learnt: features, a target and, where given, weights.

use super::{Cells, Classes, Field, Kind, Schema, View};
use crate::error::{Error, Remedy, Result};

/// The least and the greatest mean weight of rows that weights may be counts at.
const LEAST_COUNT: f64 = 0.1;
const MOST_COUNT: f64 = 1e5;

/// What is to be predicted.
#[derive(Debug, Clone, Copy)]
pub enum Target<'a> {
    /// One of these classes.
    Class {
        /// The code of every row of the table.
        codes: &'a [u32],
        /// The classes.
        classes: &'a Classes,
    },
    /// A number for every row of the table.
    Number(&'a [f64]),
}

/// A view of features with the target and weights of the same rows.
#[derive(Debug, Clone, Copy)]
pub struct Task<'a> {
    /// The columns to learn from.
    pub features: View<'a>,
    target: Target<'a>,
    target_name: &'a str,
    weights: Option<&'a [f64]>,
    /// Positions of the task's rows in target and weights; they part from those of `features`
    /// once the features have been encoded into a table of their own.
    rows: Option<&'a [u32]>,
}

impl<'a> Task<'a> {
    /// A task on the rows of `features`; target and weights hold an entry for every row of the
    /// table behind the view.
    pub fn new(
        features: View<'a>,
        target_name: &'a str,
        target: Target<'a>,
        weights: Option<&'a [f64]>,
    ) -> Result<Self> {
        let rows = features.table().rows();
        let entries = match target {
            Target::Class { codes, .. } => codes.len(),
            Target::Number(values) => values.len(),
        };
        if entries != rows || weights.is_some_and(|w| w.len() != rows) {
            return Err(Error::unsuitable(
                format!("target and weights must have {rows} entries, one for each row"),
                "",
            ));
        }
        if let Some(bad) = weights.and_then(|w| w.iter().find(|w| !w.is_finite() || **w < 0.0)) {
            return Err(Error::unsuitable(
                format!("a row has the weight {bad}"),
                "weights must be finite and not negative",
            ));
        }
        Ok(Self { features, target, target_name, weights, rows: features.row_ids() })
    }

    /// The same task on other rows of the table.
    #[must_use]
    pub fn with_rows(self, rows: &'a [u32]) -> Self {
        Self { features: self.features.with_rows(rows), rows: Some(rows), ..self }
    }

    /// The same task with other weights, one for each entry of its target.
    pub fn with_weights<'b>(self, weights: &'b [f64]) -> Result<Task<'b>>
    where
        'a: 'b,
    {
        if weights.len() != self.entries() {
            let what = format!("{} weights for {} rows", weights.len(), self.entries());
            return Err(Error::unsuitable(what, "give one for each row of the table"));
        }
        Ok(Task { weights: Some(weights), ..self })
    }

    /// How many rows the table behind it has.
    pub fn entries(&self) -> usize {
        match self.target {
            Target::Class { codes, .. } => codes.len(),
            Target::Number(values) => values.len(),
        }
    }

    /// The same task with its features encoded: row `i` of the new view is row `i` of this task.
    #[must_use]
    pub fn with_features(self, features: View<'a>) -> Self {
        debug_assert_eq!(features.rows(), self.features.rows());
        Self { features, ..self }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.features.rows()
    }

    /// The position in the table of row `row` of the task.
    pub fn row_id(&self, row: usize) -> usize {
        self.rows.map_or(row, |rows| rows[row] as usize)
    }

    /// The name of the target column.
    pub fn target_name(&self) -> &'a str {
        self.target_name
    }

    /// The target.
    pub fn target(&self) -> Target<'a> {
        self.target
    }

    /// The classes and the class of every row of the task, in order.
    pub fn labels(&self) -> Result<(&'a Classes, Vec<u32>)> {
        match self.target {
            Target::Class { codes, classes } => {
                Ok((classes, (0..self.rows()).map(|i| codes[self.row_id(i)]).collect()))
            }
            Target::Number(_) => Err(Error::unsuitable(
                format!(
                    "the target `{}` is a number, and this method predicts classes",
                    self.target_name
                ),
                Remedy::MethodForNumbers,
            )),
        }
    }

    /// The numeric target of every row of the task, in order.
    pub fn numbers(&self) -> Result<Vec<f64>> {
        match self.target {
            Target::Number(values) => {
                Ok((0..self.rows()).map(|i| values[self.row_id(i)]).collect())
            }
            Target::Class { .. } => Err(Error::unsuitable(
                format!(
                    "the target `{}` is a class, and this method predicts numbers",
                    self.target_name
                ),
                Remedy::OtherTarget,
            )),
        }
    }

    /// The weight of every row of the task, in order; all 1 where none were given.
    pub fn weights(&self) -> Vec<f64> {
        match self.weights {
            None => vec![1.0; self.rows()],
            Some(weights) => (0..self.rows()).map(|i| weights[self.row_id(i)]).collect(),
        }
    }

    /// The weights of the table scaled to a mean of 1 over the rows of the task that have some,
    /// where they can be no counts: where that mean is below [`LEAST_COUNT`] or above
    /// [`MOST_COUNT`]. Else `None`: a row of weight 2 is as good as two rows.
    ///
    /// Only the ratios of such weights can be meant. Taken as counts, weights that sum to 1 would
    /// be a table of a single row, of which every prior and every limit on rows leaves nothing.
    pub(crate) fn scaled_weights(&self) -> Option<Vec<f64>> {
        let weights = self.weights?;
        let own = (0..self.rows()).map(|row| weights[self.row_id(row)]);
        let own = own.filter(|weight| *weight > 0.0);
        let (count, total) = own.fold((0.0, 0.0), |(n, sum), weight| (n + 1.0, sum + weight));
        let mean: f64 = total / count;
        let is_count = (LEAST_COUNT..=MOST_COUNT).contains(&mean) || !mean.is_finite();
        (!is_count).then(|| weights.iter().map(|weight| weight / mean).collect())
    }

    /// The columns to learn from, the nominal ones with those levels alone that a row of the
    /// task with weight has.
    pub fn shown(&self) -> Schema {
        let weights = self.weights();
        let fields = (0..self.features.columns()).map(|column| {
            let field = self.features.field(column);
            let Cells::Nominal(codes) = self.features.cells(column) else {
                return field.clone();
            };
            let codes = self.features.pick(codes);
            let mut shown = vec![false; field.levels().len()];
            for (&code, _) in codes.iter().zip(&weights).filter(|(_, weight)| **weight > 0.0) {
                // A missing level has a code that is no position.
                if let Some(shown) = shown.get_mut(code as usize) {
                    *shown = true;
                }
            }
            let levels = field.levels().iter().zip(shown).filter(|(_, shown)| *shown);
            let kind = Kind::Nominal(levels.map(|(level, _)| level.clone()).collect());
            Field { kind, ..field.clone() }
        });
        Schema { fields: fields.collect() }
    }

    /// Refuses a task that nothing can be learnt from.
    pub fn check(&self) -> Result<()> {
        if self.rows() == 0 {
            return Err(Error::unsuitable(
                "there are no rows to learn from",
                "give a table with rows",
            ));
        }
        if self.weights.is_some() {
            total_weight(&self.weights())?;
        }
        if let Target::Number(_) = self.target {
            let bad = self.numbers()?.into_iter().zip(self.weights());
            if let Some((bad, _)) = bad.into_iter().find(|(y, w)| *w > 0.0 && !y.is_finite()) {
                return Err(Error::unsuitable(
                    format!("the target `{}` of a row is {bad}", self.target_name),
                    "leave out the rows whose target is not a number",
                ));
            }
        }
        if let Target::Class { classes, .. } = self.target {
            let (_, labels) = self.labels()?;
            if labels.iter().all(|&c| c == labels[0]) {
                return Err(Error::unsuitable(
                    format!(
                        "all training rows have the class `{}`",
                        classes.names()[labels[0] as usize]
                    ),
                    "training rows must show at least two classes",
                ));
            }
        }
        Ok(())
    }
}

/// The sum of weights; an error where it is so small or so large that products of several weights
/// leave the range of an f64.
pub(crate) fn total_weight(weights: &[f64]) -> Result<f64> {
    let total: f64 = weights.iter().sum();
    if total <= 0.0 {
        return Err(Error::unsuitable("all rows have the weight 0", "give some rows weight"));
    }
    if (1e-60..=1e60).contains(&total) {
        return Ok(total);
    }
    Err(Error::unsuitable(
        format!("the weights of the rows sum to {total:e}"),
        "scale the weights, best so that they are 1 on average",
    ))
}

//! Encoders: how raw columns become the inputs of a learner. They are fitted on training rows
//! only and saved with the model.
//!
//! The dense encoding standardises numbers (mean 0, standard deviation 1 over the training
//! rows), puts the mean in place of a missing number and adds an indicator column where
//! training rows had missing values. A nominal column of two levels becomes one column, of more
//! levels one column each; a missing or unseen level is 0 in all of them. At most
//! [`MOST_LEVELS`] levels, the most frequent ones, get a column.

use super::{Cells, Column, Field, Kind, MISSING, Schema, Table, Task, View};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// How many levels of a nominal column get an input of their own.
pub const MOST_LEVELS: usize = 256;

/// What a learner eats; the encoder that is fitted before it follows from this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// Columns as they are: numbers, nominal codes, missing values.
    Mixed,
    /// Numbers only: standardised, one-hot, imputed with an indicator.
    Dense,
}

/// How raw columns become inputs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoder {
    /// The columns as they are.
    Mixed,
    /// Numbers only; one recipe for each input.
    Dense(Vec<Recipe>),
}

/// How one input of a dense encoding is made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    column: u32,
    make: Make,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Make {
    /// (value - mean) / scale, 0 where it is missing.
    Standard { mean: f64, scale: f64 },
    /// 1 where the column has this level.
    Level(u32),
    /// 1 where the value is missing.
    Missing,
}

/// Encoded columns: the raw view itself or a table of inputs.
#[derive(Debug)]
pub enum Encoded<'a> {
    /// The raw columns.
    Raw(View<'a>),
    /// Inputs made from them.
    Made(Table),
}

impl Encoded<'_> {
    /// The inputs, row by row those of the raw view.
    pub fn view(&self) -> View<'_> {
        match self {
            Self::Raw(view) => *view,
            Self::Made(table) => table.view(),
        }
    }
}

impl Encoder {
    /// The encoder for `input`, fitted to the rows of the task.
    pub fn fit(input: Input, task: &Task<'_>) -> Self {
        if input == Input::Mixed {
            return Self::Mixed;
        }
        let weights = task.weights();
        let mut recipes = Vec::new();
        for column in 0..task.features.columns() {
            let makes = match task.features.gather(column) {
                Column::Number(values) => number_recipes(&values, &weights),
                Column::Nominal(codes) => {
                    level_recipes(&codes, &weights, task.features.field(column).levels().len())
                }
            };
            recipes.extend(makes.into_iter().map(|make| Recipe { column: column as u32, make }));
        }
        Self::Dense(recipes)
    }

    /// The inputs of the rows in view, whose columns are those the encoder was fitted to.
    pub fn encode<'a>(&self, rows: View<'a>) -> Result<Encoded<'a>> {
        let Self::Dense(recipes) = self else { return Ok(Encoded::Raw(rows)) };
        let raw = Schema { fields: rows.fields().cloned().collect() };
        let columns = recipes.iter().map(|recipe| Column::Number(recipe.inputs(rows))).collect();
        Ok(Encoded::Made(Table::new(self.output(&raw), columns)?))
    }

    /// The raw column that input `input` was made from.
    pub fn source(&self, input: usize) -> usize {
        match self {
            Self::Mixed => input,
            Self::Dense(recipes) => recipes[input].column as usize,
        }
    }

    /// What input `input` of a row is made from, in words: `glu = 148`, `odor is f`; `None` where
    /// the column is the input.
    pub fn words(&self, input: usize, rows: View<'_>, row: usize) -> Option<String> {
        let Self::Dense(recipes) = self else { return None };
        let Recipe { column, make } = &recipes[input];
        let column = *column as usize;
        let (field, value) = (rows.field(column), rows.show(row, column));
        let name = &field.name;
        Some(match (make, value) {
            (Make::Standard { .. }, Some(value)) => format!("{name} = {value}"),
            (Make::Missing, Some(_)) => format!("{name} is known"),
            (_, None) => format!("{name} is missing"),
            (Make::Level(level), Some(value)) => {
                let level = &field.levels()[*level as usize];
                let is = if value == *level { "is" } else { "is not" };
                format!("{name} {is} {level}")
            }
        })
    }

    /// Names and kinds of the inputs.
    pub fn output(&self, raw: &Schema) -> Schema {
        match self {
            Self::Mixed => raw.clone(),
            Self::Dense(recipes) => {
                Schema { fields: recipes.iter().map(|recipe| recipe.field(raw)).collect() }
            }
        }
    }

    /// Refuses recipes that do not fit the schema (after loading).
    pub fn check(&self, raw: &Schema) -> Result<()> {
        let Self::Dense(recipes) = self else { return Ok(()) };
        let fits = |recipe: &Recipe| {
            let Some(field) = raw.fields.get(recipe.column as usize) else { return false };
            match (&recipe.make, &field.kind) {
                (Make::Standard { mean, scale }, Kind::Number) => {
                    mean.is_finite() && scale.is_finite() && *scale > 0.0
                }
                (Make::Level(level), Kind::Nominal(levels)) => (*level as usize) < levels.len(),
                (Make::Missing, _) => true,
                _ => false,
            }
        };
        if recipes.iter().all(fits) {
            Ok(())
        } else {
            Err(Error::model_file("its encoder does not fit its columns"))
        }
    }
}

impl Recipe {
    fn field(&self, raw: &Schema) -> Field {
        let field = &raw.fields[self.column as usize];
        Field::number(match &self.make {
            Make::Standard { .. } => field.name.clone(),
            Make::Level(level) => format!("{}={}", field.name, field.levels()[*level as usize]),
            Make::Missing => format!("{} is missing", field.name),
        })
    }

    fn inputs(&self, rows: View<'_>) -> Vec<f64> {
        let ids = (0..rows.rows()).map(|row| rows.row_id(row));
        match (rows.cells(self.column as usize), &self.make) {
            (Cells::Number(values), Make::Standard { mean, scale }) => ids
                .map(
                    |id| {
                        if values[id].is_nan() { 0.0 } else { squash((values[id] - mean) / scale) }
                    },
                )
                .collect(),
            (Cells::Number(values), _) => ids.map(|id| flag(values[id].is_nan())).collect(),
            (Cells::Nominal(codes), Make::Level(level)) => {
                ids.map(|id| flag(codes[id] == *level)).collect()
            }
            (Cells::Nominal(codes), _) => ids.map(|id| flag(codes[id] == MISSING)).collect(),
        }
    }
}

fn flag(yes: bool) -> f64 {
    f64::from(u8::from(yes))
}

/// A value so far from the training rows that its distance overflows is kept at the limit.
fn squash(value: f64) -> f64 {
    value.clamp(-f64::MAX, f64::MAX)
}

fn number_recipes(values: &[f64], weights: &[f64]) -> Vec<Make> {
    let counted = || values.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
    let (mut missing, mut most) = (false, 0.0_f64);
    for (&value, _) in counted() {
        missing |= value.is_nan();
        // The larger one of the two; a value that is missing is never it.
        most = most.max(value.abs());
    }
    // Squares of numbers in between neither overflow nor vanish.
    let unit = if most == 0.0 || (1e-100..=1e100).contains(&most) { 1.0 } else { most };
    let (mut total, mut mean, mut squares) = (0.0, 0.0, 0.0);
    // West's update of mean and sum of squares: stable for values far from 0.
    for (&value, &weight) in counted().filter(|(value, _)| !value.is_nan()) {
        let value = value / unit;
        total += weight;
        let step = value - mean;
        mean += step * weight / total;
        squares += weight * step * (value - mean);
    }
    let spread = if total > 0.0 { (squares / total).sqrt() } else { 0.0 };
    // A constant column (up to rounding) keeps its scale: it becomes 0 in training.
    let constant = !spread.is_finite() || spread * unit == 0.0 || spread <= 1e-12 * mean.abs();
    let scale = if constant { 1.0 } else { spread * unit };
    let mut makes = vec![Make::Standard { mean: mean * unit, scale }];
    if missing {
        makes.push(Make::Missing);
    }
    makes
}

fn level_recipes(codes: &[u32], weights: &[f64], levels: usize) -> Vec<Make> {
    let mut counts = vec![0_usize; levels];
    let mut missing = false;
    for (&code, _) in codes.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
        match counts.get_mut(code as usize) {
            Some(count) => *count += 1,
            None => missing = true,
        }
    }
    let mut shown: Vec<usize> = (0..levels).filter(|&level| counts[level] > 0).collect();
    shown.sort_by_key(|&level| (usize::MAX - counts[level], level));
    shown.truncate(MOST_LEVELS);
    shown.sort_unstable();
    if shown.len() == 2 {
        shown.remove(0);
    }
    let mut makes: Vec<Make> = shown.into_iter().map(|level| Make::Level(level as u32)).collect();
    if missing {
        makes.push(Make::Missing);
    }
    makes
}

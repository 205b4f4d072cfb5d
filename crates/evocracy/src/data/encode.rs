//! Encoders: how raw columns become the inputs of a learner. They are fitted on training rows
//! only and saved with the model.
//!
//! The dense encoding standardises numbers (mean 0, standard deviation 1 over the training
//! rows), puts the mean in place of a missing number and adds an indicator column where
//! training rows had missing values. A nominal column of two levels becomes one column, of more
//! levels one column each; a missing or unseen level is 0 in all of them. At most
//! [`MOST_LEVELS`] levels, those of the most rows by weight, get a column. Rows of weight 0 are
//! left out.

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
        if !self.fits(&raw) {
            return Err(Error::unsuitable("the columns are not those of the training data", ""));
        }
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
        if self.fits(raw) {
            Ok(())
        } else {
            Err(Error::model_file("its encoder does not fit its columns"))
        }
    }

    /// Whether every input can be made of these columns. Without any input the rows would be
    /// lost: a table counts them in its columns.
    fn fits(&self, raw: &Schema) -> bool {
        match self {
            Self::Mixed => true,
            Self::Dense(recipes) => {
                !recipes.is_empty() && recipes.iter().all(|recipe| recipe.fits(raw))
            }
        }
    }
}

impl Recipe {
    fn fits(&self, raw: &Schema) -> bool {
        let Some(field) = raw.fields.get(self.column as usize) else { return false };
        match (&self.make, &field.kind) {
            (Make::Standard { mean, scale }, Kind::Number) => {
                mean.is_finite() && scale.is_finite() && *scale > 0.0
            }
            (Make::Level(level), Kind::Nominal(levels)) => (*level as usize) < levels.len(),
            (Make::Missing, _) => true,
            _ => false,
        }
    }

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
            (Cells::Number(values), Make::Standard { mean, scale }) => {
                ids.map(|id| standard(values[id], *mean, *scale)).collect()
            }
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

/// The distance of a value from the mean in units of the scale; 0 where it is missing.
fn standard(value: f64, mean: f64, scale: f64) -> f64 {
    if value.is_nan() {
        return 0.0;
    }
    let step = value - mean;
    // The difference of huge numbers may overflow where the difference of their shares does not.
    bounded(if step.is_finite() { step / scale } else { value / scale - mean / scale })
}

/// A value too far away for a number is kept at the limit.
fn bounded(value: f64) -> f64 {
    value.clamp(-f64::MAX, f64::MAX)
}

/// Rows of weight 0 count for nothing here: neither their values nor that they are missing.
fn number_recipes(values: &[f64], weights: &[f64]) -> Vec<Make> {
    let counted = || values.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
    let known = || counted().filter(|(value, _)| !value.is_nan());
    let (mean, spread) = moments(known);
    // A constant column (up to rounding) keeps its scale: it becomes 0 in training.
    let constant = !spread.is_finite() || spread <= 1e-12 * mean.abs();
    let scale = if constant || spread == 0.0 { 1.0 } else { spread };
    let mut makes = vec![Make::Standard { mean, scale }];
    if counted().any(|(value, _)| value.is_nan()) {
        makes.push(Make::Missing);
    }
    makes
}

/// Weighted mean and standard deviation; 0 and 0 of nothing.
fn moments<'a, I>(known: impl Fn() -> I) -> (f64, f64)
where
    I: Iterator<Item = (&'a f64, &'a f64)>,
{
    // The squares of very large and very small numbers are beyond an f64: those are measured
    // against the largest.
    let largest = known().fold(0.0, |most: f64, (value, _)| most.max(value.abs()));
    let unit = if largest == 0.0 || (1e-100..1e100).contains(&largest) { 1.0 } else { largest };
    let (mut total, mut mean, mut squares) = (0.0, 0.0, 0.0);
    // West's update of mean and sum of squares: stable for values far from 0.
    for (value, weight) in known() {
        total += weight;
        let step = value / unit - mean;
        // The share is exactly 1 for the first value: its mean must be the value itself.
        mean += step * (weight / total);
        squares += weight * step * (value / unit - mean);
    }
    let spread = if total > 0.0 { (squares / total).sqrt() } else { 0.0 };
    (bounded(mean * unit), bounded(spread * unit))
}

/// As for numbers, rows of weight 0 count for nothing.
fn level_recipes(codes: &[u32], weights: &[f64], levels: usize) -> Vec<Make> {
    let mut seen = vec![0.0; levels];
    let mut missing = false;
    for (&code, &weight) in codes.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
        match seen.get_mut(code as usize) {
            Some(seen) => *seen += weight,
            None => missing = true,
        }
    }
    let mut shown: Vec<usize> = (0..levels).filter(|&level| seen[level] > 0.0).collect();
    // The sort is stable: among equals the earlier level goes first.
    shown.sort_by(|&a, &b| seen[b].total_cmp(&seen[a]));
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

//! The dense encoding: standardised numbers, a column for each level, missing values filled in and
//! flagged.
//!
//! Numbers get mean 0 and standard deviation 1 over the training rows; a missing number becomes
//! the mean. A nominal column of two levels becomes one column, of more levels one column each; a
//! missing or unseen level is 0 in all of them. At most [`MOST_LEVELS`] levels, those of the most
//! rows by weight, get a column. An indicator column is added where training rows had missing
//! values. Rows of weight 0 are left out.

use super::recipe::{Make, Recipe, bounded};
use crate::data::{Column, Task};

/// How many levels of a nominal column get an input of their own.
pub const MOST_LEVELS: usize = 256;

/// The recipes of a task's columns.
pub(super) fn recipes(task: &Task<'_>) -> Vec<Recipe> {
    let weights = task.weights();
    let mut recipes = Vec::new();
    for column in 0..task.features.columns() {
        let makes = match task.features.gather(column) {
            Column::Number(values) => number_recipes(&values, &weights),
            Column::Nominal(codes) => {
                level_recipes(&codes, &weights, task.features.field(column).levels().len())
            }
        };
        recipes.extend(makes.into_iter().map(|make| Recipe::new(column, make)));
    }
    recipes
}

/// Rows of weight 0 count for nothing here: neither their values nor that they are missing.
fn number_recipes(values: &[f64], weights: &[f64]) -> Vec<Make> {
    let mut missing = false;
    let mut known = Vec::with_capacity(values.len());
    for (&value, &weight) in values.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
        if value.is_nan() {
            missing = true;
        } else {
            known.push((value, weight));
        }
    }
    let (mean, spread) = moments(known);
    // A constant column (up to rounding) keeps its scale: it becomes 0 in training.
    let constant = !spread.is_finite() || spread <= 1e-12 * mean.abs();
    let scale = if constant || spread == 0.0 { 1.0 } else { spread };
    let mut makes = vec![Make::Standard { mean, scale }];
    if missing {
        makes.push(Make::Missing);
    }
    makes
}

/// Weighted mean and standard deviation; 0 and 0 of nothing.
fn moments(mut known: Vec<(f64, f64)>) -> (f64, f64) {
    // The squares of very large and very small numbers are beyond an f64: those are measured
    // against the largest.
    let largest = known.iter().fold(0.0, |most: f64, (value, _)| most.max(value.abs()));
    let unit = if largest == 0.0 || (1e-100..1e100).contains(&largest) { 1.0 } else { largest };
    if unit != 1.0 {
        for (value, _) in &mut known {
            *value /= unit;
        }
    }
    let Some(&(start, _)) = known.first() else { return (0.0, 0.0) };
    let total = sum(&known, |_, weight| weight);
    // Measured from the first value, so that the mean of equal values is that value.
    let mean = start + sum(&known, |value, weight| weight * (value - start)) / total;
    // The second pass takes out what rounding left in the mean (Chan, Golub, LeVeque 1983).
    let squares = sum(&known, |value, weight| weight * (value - mean) * (value - mean));
    let rest = sum(&known, |value, weight| weight * (value - mean));
    let spread = ((squares - rest * rest / total).max(0.0) / total).sqrt();
    (bounded(mean * unit), bounded(spread * unit))
}

/// The sum over values and weights, in four strands that do not wait for each other.
fn sum(known: &[(f64, f64)], part: impl Fn(f64, f64) -> f64) -> f64 {
    let (fours, rest) = known.as_chunks::<4>();
    let mut strands = [0.0; 4];
    for four in fours {
        for (strand, &(value, weight)) in strands.iter_mut().zip(four) {
            *strand += part(value, weight);
        }
    }
    let rest: f64 = rest.iter().map(|&(value, weight)| part(value, weight)).sum();
    strands.iter().sum::<f64>() + rest
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

//! Bits: levels in binary code, numbers as thermometers. What rule systems over binary strings
//! read, and the encoding of the rule paper (car 12 bits, kr-vs-kp 37, mushroom 53).

use super::recipe::{Make, Recipe};
use crate::data::{Column, MISSING, Task};

/// The recipes of a task's columns; a constant column has none.
pub(super) fn recipes(task: &Task<'_>, bins: usize) -> Vec<Recipe> {
    let weights = task.weights();
    let mut recipes = Vec::new();
    for column in 0..task.features.columns() {
        let makes = match task.features.gather(column) {
            Column::Number(values) => thermometer(&values, &weights, bins),
            Column::Nominal(codes) => {
                binary(&codes, &weights, task.features.field(column).levels().len())
            }
        };
        recipes.extend(makes.into_iter().map(|make| Recipe::new(column, make)));
    }
    recipes
}

/// The levels that training rows show, numbered in their order, in ceil(log2 k) bits, the highest
/// first. A level that they do not show is missing.
fn binary(codes: &[u32], weights: &[f64], levels: usize) -> Vec<Make> {
    let mut seen = vec![false; levels];
    for (&code, _) in codes.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
        if code != MISSING {
            seen[code as usize] = true;
        }
    }
    let shown: Vec<usize> = (0..levels).filter(|&level| seen[level]).collect();
    let bits = usize::BITS - shown.len().saturating_sub(1).leading_zeros();
    (0..bits)
        .map(|bit| {
            let mut table = vec![u8::MAX; levels];
            for (number, &level) in shown.iter().enumerate() {
                table[level] = (number >> (bits - 1 - bit) & 1) as u8;
            }
            Make::Bit { bit: bit + 1, table }
        })
        .collect()
}

/// A bit for each cut between `bins` bins of nearly the same number of training rows: 1 above
/// it. Equal values stay together, so a column with few different values has fewer bits.
fn thermometer(values: &[f64], weights: &[f64], bins: usize) -> Vec<Make> {
    let known =
        values.iter().zip(weights).filter(|(value, weight)| !value.is_nan() && **weight > 0.0);
    let mut sorted: Vec<f64> = known.map(|(value, _)| *value).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let mut cuts: Vec<f64> = Vec::new();
    for bin in 1..bins {
        let at = bin * sorted.len() / bins;
        let Some((below, above)) = around(&sorted, at) else { continue };
        let cut = between(below, above);
        if cuts.last().is_none_or(|&last| cut > last) {
            cuts.push(cut);
        }
    }
    cuts.into_iter().map(Make::Above).collect()
}

/// The different values next to each other that part position `at` from what is before it.
fn around(sorted: &[f64], at: usize) -> Option<(f64, f64)> {
    let above = *sorted.get(at)?;
    let below = sorted[..at].iter().rev().find(|&&value| value < above);
    match below {
        Some(&below) => Some((below, above)),
        // The cut would lie below all values: take the next change above instead.
        None => sorted[at..].iter().find(|&&value| value > above).map(|&next| (above, next)),
    }
}

/// The middle of two numbers, which is below the upper one. People will read it, so it is written
/// with as few digits as do not move it by more than a millionth of their distance.
pub(super) fn between(below: f64, above: f64) -> f64 {
    let middle = f64::midpoint(below, above);
    let rounded = |digits: usize| format!("{middle:.digits$}").parse::<f64>().ok();
    let inside = |cut: &f64| (cut - middle).abs() <= 1e-6 * (above - below);
    let middle = (0..17).find_map(|digits| rounded(digits).filter(inside)).unwrap_or(middle);
    if middle < above { middle } else { below }
}

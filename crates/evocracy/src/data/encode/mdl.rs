//! Discretisation by minimum description length (Fayyad and Irani 1993): a number is cut in two
//! where the class entropy falls most, and again on both sides, as long as the cut pays for
//! itself.

use super::bits::between;
use super::recipe::{Make, Recipe};
use crate::data::{Column, Kind, Task};
use crate::error::Result;

/// The recipes of a task's columns: numbers cut into intervals, levels as they are. A number
/// without any cut says nothing of the classes: it is one interval if `keep` says so, else it is
/// left out.
pub(super) fn recipes(task: &Task<'_>, keep: bool) -> Result<Vec<Recipe>> {
    let (classes, labels) = task.labels()?;
    let weights = task.weights();
    let mut recipes = Vec::new();
    for column in 0..task.features.columns() {
        if matches!(task.features.field(column).kind, Kind::Nominal(_)) {
            recipes.push(Recipe::new(column, Make::Copy));
        } else if let Column::Number(values) = task.features.gather(column) {
            let known = |row: &usize| !values[*row].is_nan() && weights[*row] > 0.0;
            let mut rows: Vec<(f64, u32)> =
                (0..values.len()).filter(known).map(|row| (values[row], labels[row])).collect();
            rows.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let cuts = cuts(&rows, classes.len());
            if keep || !cuts.is_empty() {
                recipes.push(Recipe::new(column, Make::Cut(cuts)));
            }
        }
    }
    Ok(recipes)
}

/// The cuts of sorted values with their classes, in order.
fn cuts(rows: &[(f64, u32)], classes: usize) -> Vec<f64> {
    let mut cuts = Vec::new();
    let mut left = vec![rows];
    while let Some(rows) = left.pop() {
        if let Some(at) = best_cut(rows, classes) {
            cuts.push(between(rows[at - 1].0, rows[at].0));
            left.extend([&rows[..at], &rows[at..]]);
        }
    }
    cuts.sort_unstable_by(f64::total_cmp);
    cuts
}

/// The first position above the best cut, if the cut pays for itself.
fn best_cut(rows: &[(f64, u32)], classes: usize) -> Option<usize> {
    let mut below = vec![0.0; classes];
    let mut above = vec![0.0; classes];
    for &(_, class) in rows {
        above[class as usize] += 1.0;
    }
    let whole = above.clone();
    let n = rows.len() as f64;
    let mut best: Option<(f64, usize, Vec<f64>)> = None;
    for at in 1..rows.len() {
        let class = rows[at - 1].1 as usize;
        below[class] += 1.0;
        above[class] -= 1.0;
        if rows[at - 1].0 == rows[at].0 {
            continue;
        }
        let left = at as f64;
        let after = (left * entropy(&below) + (n - left) * entropy(&above)) / n;
        if best.as_ref().is_none_or(|(least, ..)| after < *least) {
            best = Some((after, at, below.clone()));
        }
    }
    let (after, at, below) = best?;
    let above: Vec<f64> = whole.iter().zip(&below).map(|(all, below)| all - below).collect();
    // The criterion of the paper: gain > log2(N - 1) / N + delta / N.
    let present = |counts: &[f64]| counts.iter().filter(|&&count| count > 0.0).count() as f64;
    let (k, k1, k2) = (present(&whole), present(&below), present(&above));
    let delta =
        three_to_the(k) - (k * entropy(&whole) - k1 * entropy(&below) - k2 * entropy(&above));
    let gain = entropy(&whole) - after;
    (gain > ((n - 1.0).log2() + delta) / n).then_some(at)
}

/// log2(3^k - 2), without overflow for many classes.
fn three_to_the(k: f64) -> f64 {
    if k < 100.0 { (3.0_f64.powf(k) - 2.0).log2() } else { k * 3.0_f64.log2() }
}

/// The entropy of class counts in bits.
fn entropy(counts: &[f64]) -> f64 {
    let total: f64 = counts.iter().sum();
    let part =
        |&count: &f64| if count > 0.0 { -(count / total) * (count / total).log2() } else { 0.0 };
    counts.iter().map(part).sum()
}

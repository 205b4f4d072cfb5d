//! The rows that machines are learnt from.

use super::bases::Points;
use super::width::pick;
use crate::data::{Column, Task, View};
use crate::error::{Error, Result};
use crate::run::Seed;
use rand::seq::SliceRandom;

/// Rows that a sample has of every class at least, if there are so many.
const LEAST: usize = 5;

/// Rows to learn from.
#[derive(Debug, Clone)]
pub(super) struct Ground {
    /// Their inputs, one after the other.
    values: Vec<f64>,
    pub(super) rows: usize,
    pub(super) weights: Option<Vec<f64>>,
    /// By which samples are drawn.
    seed: Seed,
}

impl Ground {
    /// The rows of a task that count; and which those are.
    pub(super) fn new(task: &Task<'_>, seed: Seed) -> Result<(Self, Vec<u32>)> {
        let (rows, weights) = counted(task)?;
        let values = gather(task.features, &rows)?;
        Ok((Self { values, rows: rows.len(), weights, seed }, rows))
    }

    pub(super) fn points(&self) -> Points<'_> {
        Points { rows: self.rows, values: &self.values }
    }

    /// Some of the rows.
    pub(super) fn part(&self, rows: &[u32]) -> Self {
        let points = self.points();
        Self {
            values: (0..points.inputs()).flat_map(|j| pick(rows, points.column(j))).collect(),
            rows: rows.len(),
            weights: self.weights.as_ref().map(|weights| pick(rows, weights)),
            seed: self.seed,
        }
    }

    /// The rows with each input times its scale; as they are where there are none.
    pub(super) fn scaled(&self, scales: &[f64]) -> Self {
        let mut scaled = self.clone();
        scale(&mut scaled.values, scales);
        scaled
    }

    /// A sample of the rows for some purpose.
    pub(super) fn draw(&self, labels: Option<&[u32]>, most: usize, purpose: &str) -> Vec<u32> {
        draw(self.rows, labels, most, self.seed.child(purpose, 0))
    }

    /// How often a row counts.
    pub(super) fn weight(&self, row: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[row])
    }
}

/// About `most` of the rows, drawn by chance, in ascending order: of every class its share, and a
/// few rows at least. Every so-many-th row would do for rows in no order, but where classes
/// take turns it may show one of them only.
pub(super) fn draw(rows: usize, labels: Option<&[u32]>, most: usize, seed: Seed) -> Vec<u32> {
    if rows <= most {
        return (0..rows as u32).collect();
    }
    let class = |row: usize| labels.map_or(0, |labels| labels[row] as usize);
    let mut groups = vec![Vec::new(); (0..rows).map(class).max().map_or(0, |top| top + 1)];
    (0..rows).for_each(|row| groups[class(row)].push(row as u32));
    let (mut drawn, mut seen, mut rng) = (Vec::new(), 0, seed.rng());
    for mut group in groups {
        let before = seen * most / rows;
        seen += group.len();
        let share = (seen * most / rows - before).max(LEAST.min(group.len()));
        drawn.extend_from_slice(group.partial_shuffle(&mut rng, share).0);
    }
    drawn.sort_unstable();
    drawn
}

/// Multiplies each input by its scale, where there are scales.
fn scale(values: &mut [f64], scales: &[f64]) {
    let rows = values.len().checked_div(scales.len()).unwrap_or(0).max(1);
    for (column, scale) in values.chunks_exact_mut(rows).zip(scales) {
        for value in column {
            *value *= scale;
        }
    }
}

/// The columns of a view as points, if there are as many as a model was fitted to, each times its
/// scale.
pub(super) fn points_of(rows: View<'_>, inputs: usize, scales: &[f64]) -> Result<Vec<f64>> {
    if rows.columns() != inputs {
        return Err(Error::unsuitable("the columns are not those of the training data", ""));
    }
    let all: Vec<u32> = (0..rows.rows() as u32).collect();
    let mut values = gather(rows, &all)?;
    scale(&mut values, scales);
    Ok(values)
}

/// Some rows of the columns in view, one column after the other; an error where one is not made of
/// numbers.
fn gather(view: View<'_>, rows: &[u32]) -> Result<Vec<f64>> {
    let mut points = Vec::with_capacity(rows.len() * view.columns());
    for column in 0..view.columns() {
        let Column::Number(values) = view.gather(column) else {
            return Err(unfit(view, column));
        };
        let values = pick(rows, &values);
        if values.iter().any(|value| value.is_nan()) {
            return Err(unfit(view, column));
        }
        points.extend(values.iter().map(|value| value.clamp(-1e60, 1e60)));
    }
    Ok(points)
}

fn unfit(view: View<'_>, column: usize) -> Error {
    Error::unsuitable(
        format!("column `{}` does not hold numbers only", view.field(column).name),
        "encode the columns as numbers without gaps",
    )
}

/// The rows that count, and their weights where they are not all 1.
fn counted(task: &Task<'_>) -> Result<(Vec<u32>, Option<Vec<f64>>)> {
    let weights = task.weights();
    let total: f64 = weights.iter().sum();
    if !(1e-60..=1e60).contains(&total) {
        return Err(Error::unsuitable(
            format!("the weights of the rows sum to {total}"),
            "scale the weights, best so that they are 1 on average",
        ));
    }
    let rows: Vec<u32> = (0..weights.len() as u32).filter(|&r| weights[r as usize] > 0.0).collect();
    let weights = pick(&rows, &weights);
    let uneven = weights.iter().any(|weight| *weight != 1.0);
    Ok((rows, uneven.then_some(weights)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_shows_every_class_in_its_share_whatever_the_order() {
        // Three classes that take turns, and one that is rare.
        let mut labels: Vec<u32> = (0..900).map(|row| row % 3).collect();
        labels.extend([3, 3, 3]);
        for seed in 0..20 {
            let rows = draw(labels.len(), Some(&labels), 300, Seed::new(seed));
            let count = |class| rows.iter().filter(|&&row| labels[row as usize] == class).count();
            assert!((0..3).all(|class| count(class).abs_diff(100) <= 1), "{rows:?}");
            assert_eq!(count(3), 3);
            assert!(rows.windows(2).all(|pair| pair[0] < pair[1]));
        }
        assert_eq!(draw(7, None, 10, Seed::new(1)), (0..7).collect::<Vec<u32>>());
        assert_eq!(draw(1000, None, 10, Seed::new(1)).len(), 10);
    }
}

//! The training rows, and stratified samples of them.

use super::tuning::{NumericLimits, Tuning};
use crate::data::{DenseRows, Task, View, pick};
use crate::error::Result;
use crate::run::Seed;
use rand::seq::SliceRandom;

/// The training rows.
#[derive(Debug, Clone)]
pub(super) struct TrainingRows {
    points: DenseRows<'static>,
    /// Their weights where they are not all 1.
    pub(super) weights: Option<Vec<f64>>,
    /// The seed of all samples.
    pub(super) seed: Seed,
}

impl TrainingRows {
    /// The rows of a task with a weight above 0, and their positions.
    pub(super) fn new(task: &Task<'_>, seed: Seed) -> Result<(Self, Vec<u32>)> {
        let weights = task.weights();
        let rows: Vec<u32> =
            (0..weights.len() as u32).filter(|&row| weights[row as usize] > 0.0).collect();
        let weights = pick(&rows, &weights);
        let weights = weights.iter().any(|weight| *weight != 1.0).then_some(weights);
        let ids: Vec<u32> =
            rows.iter().map(|&row| task.features.row_id(row as usize) as u32).collect();
        let points =
            DenseRows::new(task.features.with_rows(&ids), NumericLimits::DATA)?.into_owned();
        Ok((Self { points, weights, seed }, rows))
    }

    pub(super) fn points(&self) -> &DenseRows<'static> {
        &self.points
    }

    /// Some of the rows.
    pub(super) fn subset(&self, rows: &[u32]) -> Self {
        Self {
            points: self.points.subset(rows),
            weights: self.weights.as_ref().map(|weights| pick(rows, weights)),
            seed: self.seed,
        }
    }

    /// The rows with some of the inputs.
    pub(super) fn with_inputs(&self, inputs: &[usize]) -> Self {
        let points = self.points.with_columns(inputs);
        Self { points, weights: self.weights.clone(), seed: self.seed }
    }

    /// The rows with each input times its scale; as they are where there are none.
    pub(super) fn scaled(&self, scales: &[f64]) -> Self {
        let mut scaled = self.clone();
        scaled.points.scale(scales);
        scaled
    }

    /// A sample of the rows for some purpose.
    pub(super) fn sample(&self, labels: Option<&[u32]>, most: usize, purpose: &str) -> Vec<u32> {
        stratified_sample(self.points.rows, labels, most, self.seed.child(purpose, 0))
    }

    /// The weight of a row.
    pub(super) fn weight(&self, row: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[row])
    }
}

/// A stratified random sample of about `most` rows, in ascending order: of every class its share,
/// and a few rows at least. Every n-th row would not do: where classes alternate it may show one of
/// them only.
pub(crate) fn stratified_sample(
    rows: usize,
    labels: Option<&[u32]>,
    most: usize,
    seed: Seed,
) -> Vec<u32> {
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
        let share = (seen * most / rows - before).max(Tuning::CLASS_ROWS.min(group.len()));
        drawn.extend_from_slice(group.partial_shuffle(&mut rng, share).0);
    }
    drawn.sort_unstable();
    drawn
}

/// The rows of a view for a model of so many inputs, each times its scale.
pub(super) fn scaled_rows<'a>(
    rows: View<'a>,
    inputs: usize,
    scales: &[f64],
) -> Result<DenseRows<'a>> {
    let mut points = DenseRows::of_model(rows, inputs, NumericLimits::DATA)?;
    points.scale(scales);
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_stratified_whatever_the_order_of_rows() {
        // Three classes that alternate, and one that is rare.
        let mut labels: Vec<u32> = (0..900).map(|row| row % 3).collect();
        labels.extend([3, 3, 3]);
        for seed in 0..20 {
            let rows = stratified_sample(labels.len(), Some(&labels), 300, Seed::new(seed));
            let count = |class| rows.iter().filter(|&&row| labels[row as usize] == class).count();
            assert!((0..3).all(|class| count(class).abs_diff(100) <= 1), "{rows:?}");
            assert_eq!(count(3), 3);
            assert!(rows.windows(2).all(|pair| pair[0] < pair[1]));
        }
        assert_eq!(stratified_sample(7, None, 10, Seed::new(1)), (0..7).collect::<Vec<u32>>());
        assert_eq!(stratified_sample(1000, None, 10, Seed::new(1)).len(), 10);
    }
}

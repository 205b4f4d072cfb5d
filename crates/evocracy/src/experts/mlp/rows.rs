//! The rows that count, those to learn from apart from those held out.

use super::pass::{Pass, RowBlock};
use crate::data::DenseRows;
use crate::num::matrix::Real;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::borrow::Cow;

/// How many rows are worked on together where all of them are.
pub(super) const BLOCK: usize = 256;

/// Rows one after the other, with their classes and weights.
#[derive(Debug, Default)]
pub(super) struct TrainingRows<R> {
    pub(super) inputs: Vec<R>,
    pub(super) labels: Vec<u32>,
    /// Weights whose mean is 1 over all rows that count.
    pub(super) weights: Vec<R>,
    pub(super) width: usize,
}

impl<R: Real> TrainingRows<R> {
    /// The rows with weight, in order: those to learn from and those held out, a share of them
    /// drawn at random. At least one row is left to learn from.
    pub(super) fn split(
        inputs: &DenseRows<'_>,
        labels: &[u32],
        weights: &[f64],
        share: f64,
        rng: &mut ChaCha8Rng,
    ) -> [Self; 2] {
        let mut kept: Vec<usize> = (0..inputs.rows).filter(|&row| weights[row] > 0.0).collect();
        let mean = weights.iter().sum::<f64>() / kept.len() as f64;
        let held = (share * kept.len() as f64) as usize;
        let held = held.min(kept.len().saturating_sub(1));
        if held > 0 {
            kept.shuffle(rng);
            kept[held..].sort_unstable();
        }
        let (held, learnt) = kept.split_at(held);
        [learnt, held].map(|rows| {
            let width = inputs.columns.len();
            let mut cells = Vec::with_capacity(rows.len() * width);
            for &row in rows {
                let cell = |column: &Cow<'_, [f64]>| R::of(column[row].clamp(-R::MOST, R::MOST));
                cells.extend(inputs.columns.iter().map(cell));
            }
            let labels = rows.iter().map(|&row| labels[row]).collect();
            let weights = rows.iter().map(|&row| R::of(weights[row] / mean)).collect();
            Self { inputs: cells, labels, weights, width }
        })
    }

    pub(super) fn len(&self) -> usize {
        self.labels.len()
    }

    /// The weight of all rows.
    pub(super) fn total(&self) -> f64 {
        self.weights.iter().map(|weight| weight.get()).sum()
    }

    /// The rows in blocks.
    pub(super) fn blocks(&self) -> impl Iterator<Item = RowBlock<'_, R>> {
        (0..self.len()).step_by(BLOCK).map(move |start| {
            let rows = start..self.len().min(start + BLOCK);
            RowBlock {
                inputs: &self.inputs[rows.start * self.width..rows.end * self.width],
                labels: &self.labels[rows.clone()],
                weights: &self.weights[rows],
            }
        })
    }

    /// The mean loss of the rows; `pass` has room for a block.
    pub(super) fn loss(&self, pass: &mut Pass<'_, R>, weights: &[R]) -> f64 {
        self.blocks().map(|block| pass.loss(weights, block)).sum::<f64>() / self.total()
    }

    /// Replaces the rows by some of another's.
    pub(super) fn fill(&mut self, from: &Self, rows: &[u32]) {
        self.inputs.clear();
        self.labels.clear();
        self.weights.clear();
        self.width = from.width;
        for &row in rows {
            let row = row as usize;
            let cells = row * from.width..(row + 1) * from.width;
            self.inputs.extend_from_slice(&from.inputs[cells]);
            self.labels.push(from.labels[row]);
            self.weights.push(from.weights[row]);
        }
    }

    /// All rows as one block.
    pub(super) fn block(&self) -> RowBlock<'_, R> {
        RowBlock { inputs: &self.inputs, labels: &self.labels, weights: &self.weights }
    }
}

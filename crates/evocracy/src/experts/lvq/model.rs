//! A fitted codebook: probabilities, explanations, what a file may hold.

use super::codebook::{Codebook, Near};
use crate::classify::{Classifier, Explanation, Link, Part, Proba, Saved, softmax_in_place};
use crate::data::{Classes, DenseRows, Schema, View};
use crate::error::{Error, Result};
use crate::num::wide;
use serde::{Deserialize, Serialize};

/// Inputs and vectors are kept within this, so that no distance is infinite.
pub(super) const LIMIT: f64 = 1e100;

/// How far below the nearest class one without vectors is: its probability is 0.
const NEVER: f64 = -1000.0;

/// The vectors, and the factor that makes probabilities of their distances.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LvqModel {
    classes: Classes,
    book: Codebook,
    scale: f64,
}

impl LvqModel {
    pub(super) fn new(classes: &Classes, book: Codebook, scale: f64) -> Self {
        Self { classes: classes.clone(), book, scale }
    }

    /// The vectors with their classes, class after class.
    pub fn vectors(&self) -> impl Iterator<Item = (u32, Vec<f64>)> {
        let vector = |at| (0..self.book.inputs).map(|j| self.book.cell(at, j)).collect();
        (0..self.book.len()).map(move |at| (self.book.labels[at], vector(at)))
    }

    /// The vector that represents each class, and what the class has before any input: the nearest
    /// one of its own or, without such, the nearest one of all.
    fn representatives(&self, row: &[f64], squares: &mut [f64], out: &mut [(usize, f64)]) {
        wide(
            #[inline(always)]
            || self.book.squares(row, squares),
        );
        let mut nearest = Near { at: 0, square: f64::INFINITY };
        out.fill((usize::MAX, NEVER));
        for (at, (&square, &label)) in squares.iter().zip(&self.book.labels).enumerate() {
            let representative = &mut out[label as usize];
            if representative.0 == usize::MAX || square < squares[representative.0] {
                *representative = (at, 0.0);
            }
            if square < nearest.square {
                nearest = Near { at, square };
            }
        }
        for representative in out.iter_mut().filter(|representative| representative.0 == usize::MAX)
        {
            representative.0 = nearest.at;
        }
    }

    /// What an input adds to the class that a vector represents.
    fn adds(&self, at: usize, input: usize, value: f64) -> f64 {
        let difference = value - self.book.cell(at, input);
        -self.scale * (difference * difference)
    }
}

impl Classifier for LvqModel {
    fn classes(&self) -> &Classes {
        &self.classes
    }

    /// Sums run over the inputs in order, as an explanation does: both give the same bits.
    fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        let inputs = DenseRows::of_model(rows, self.book.inputs, LIMIT)?;
        out.reset(inputs.rows, self.classes.len());
        let mut squares = vec![0.0; self.book.len()];
        let mut representatives = vec![(0, 0.0); self.classes.len()];
        let mut values = vec![0.0; self.book.inputs];
        for row in 0..inputs.rows {
            let columns = values.iter_mut().zip(&inputs.columns);
            columns.for_each(|(value, column)| *value = column[row]);
            self.representatives(&values, &mut squares, &mut representatives);
            let sums = out.row_mut(row);
            for (sum, &(at, base)) in sums.iter_mut().zip(&representatives) {
                *sum = base;
                for (input, value) in values.iter().enumerate() {
                    *sum += self.adds(at, input, *value);
                }
            }
            softmax_in_place(sums);
        }
        Ok(())
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        let values = DenseRows::of_model(rows, self.book.inputs, LIMIT)?.row(row);
        let mut representatives = vec![(0, 0.0); self.classes.len()];
        self.representatives(&values, &mut vec![0.0; self.book.len()], &mut representatives);
        let part = |(column, value): (usize, &f64)| Part {
            column: Some(column),
            because: format!("{} = {value}", rows.field(column).name),
            adds: representatives.iter().map(|&(at, _)| self.adds(at, column, *value)).collect(),
        };
        let parts = values.iter().enumerate().map(part).collect();
        let base = representatives.iter().map(|&(_, base)| base).collect();
        Ok(Explanation { base, parts, link: Link::Softmax })
    }
}

impl Saved for LvqModel {
    const VERSION: u32 = 1;

    fn check(&self, inputs: &Schema) -> Result<()> {
        self.classes.check()?;
        let Codebook { inputs: count, labels, cells } = &self.book;
        let sound = DenseRows::fits(inputs, *count)
            && !labels.is_empty()
            && labels.is_sorted()
            && labels.iter().all(|&label| (label as usize) < self.classes.len())
            && count.checked_mul(labels.len()) == Some(cells.len())
            && cells.iter().all(|cell| cell.abs() <= LIMIT)
            && (0.0..=1e50).contains(&self.scale);
        if sound { Ok(()) } else { Err(Error::model_file("its codebook is inconsistent")) }
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        vec![("vectors", self.book.len() as u64), ("inputs", self.book.inputs as u64)]
    }
}

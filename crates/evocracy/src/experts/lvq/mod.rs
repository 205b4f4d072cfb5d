//! Learning vector quantization (Kohonen 1986, 1990): a few vectors for each class; a row has the
//! class of the nearest one.
//!
//! The vectors start at training rows of their class, drawn at random, and move as `rules` has it
//! while the rows are shown, `epochs` times, in a new order each time. A class with fewer rows
//! than vectors has a vector for each of its rows.
//!
//! A rule that moves vectors knows no weights. Rows of weight 0 are left out; where the others differ
//! in weight, as many rows as there are are drawn by weight, with replacement, and those are shown.
//!
//! Probabilities: with `d_c` the squared distance to the nearest vector of class `c`, `p_c` is in
//! proportion to `exp(-scale d_c)`. The scale is the most likely one for the training rows
//! (see `scale`). A class without rows has probability 0.
//!
//! | file | job |
//! |---|---|
//! | `codebook` | the vectors and which of them are near |
//! | `rules` | how they move |
//! | `scale` | from distances to probabilities |
//! | `model` | what is predicted, explained and saved |

mod codebook;
mod model;
mod rules;
mod scale;
#[cfg(test)]
mod tests;

pub use model::LvqModel;

use crate::classify::{Fitted, Learner};
use crate::data::{DenseRows, Input, Task};
use crate::error::{Error, Result};
use crate::num::wide;
use crate::run::{Run, StopReason, Ticker};
use codebook::Codebook;
use model::LIMIT;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rules::Trainer;

crate::choices! {
    /// How vectors move.
    pub enum LvqKind {
        /// the nearest vector
        Lvq1 = "lvq1",
        /// the nearest vector, each with a rate of its own
        Olvq1 = "olvq1",
        /// the two nearest in a window between classes
        Lvq21 = "lvq2.1",
        /// as LVQ2.1, and within a class
        Lvq3 = "lvq3",
        /// the nearest of the class and of the others, by a cost that falls
        Glvq = "glvq",
    }
}

crate::params! {
    /// Learning vector quantization: a row has the class of the nearest of a few vectors.
    pub struct Lvq as "lvq" {
        /// the rule that moves the vectors
        kind: LvqKind = LvqKind::Olvq1, LvqKind::CHOICES;
        /// how many vectors each class has
        codes: usize = 5, 1..=100_000;
        /// how far a vector moves at the start, as a share of the way; it falls to 0 in a line (olvq1: by the vector)
        rate: f64 = 0.3, 1e-9..=1.0;
        /// how often all rows are shown
        epochs: usize = 50, 0..=1_000_000;
        /// how wide the window between two vectors is (lvq2.1, lvq3)
        window: f64 = 0.3, 0.0..=1.0;
        /// the share of the rate within a class (lvq3)
        epsilon: f64 = 0.2, 0.0..=1.0;
    }
}

/// Rows one after the other with their classes.
struct LabelledRows {
    cells: Vec<f64>,
    labels: Vec<u32>,
    width: usize,
}

impl LabelledRows {
    fn row(&self, row: u32) -> &[f64] {
        &self.cells[row as usize * self.width..(row as usize + 1) * self.width]
    }
}

impl Learner for Lvq {
    type Model = LvqModel;
    const INPUT: Input = Input::Dense;
    const TAKES_WEIGHTS: bool = false;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<LvqModel>> {
        let (classes, labels) = task.labels()?;
        let weights = task.weights();
        let inputs = DenseRows::new(task.features, LIMIT)?;
        let run = run.task("lvq", self.epochs as u64);
        let kept: Vec<usize> = (0..inputs.rows).filter(|&row| weights[row] > 0.0).collect();
        let mut cells = Vec::with_capacity(kept.len() * inputs.columns.len());
        for &row in &kept {
            cells.extend(inputs.columns.iter().map(|column| column[row]));
        }
        let labels = kept.iter().map(|&row| labels[row]).collect();
        let rows = LabelledRows { cells, labels, width: inputs.columns.len() };
        let weights: Vec<f64> = kept.iter().map(|&row| weights[row]).collect();
        let mut rng = run.seed.child("lvq", 0).rng();
        let shown = shown(&weights, &mut rng);
        let book = self.start(&rows, &shown, classes.len(), &mut rng);
        let (book, stop) = self.train(book, &rows, shown, &run, &mut rng);
        if !book.cells.iter().all(|cell| cell.abs() <= LIMIT) {
            return Err(Error::unsuitable(
                "the vectors diverge",
                "lower the rate, or use another kind",
            ));
        }
        let scale = scale::scale(&book, &rows, &weights, classes.len(), run.stop);
        // The scale may be that of some rows.
        let stop = if run.stop.requested() { StopReason::Interrupted } else { stop };
        Ok(Fitted { model: LvqModel::new(classes, book, scale), stop })
    }
}

impl Lvq {
    /// Rows of each class as its first vectors.
    fn start(
        &self,
        rows: &LabelledRows,
        shown: &[u32],
        classes: usize,
        rng: &mut ChaCha8Rng,
    ) -> Codebook {
        let mut drawn = shown.to_vec();
        drawn.sort_unstable();
        drawn.dedup();
        // A class that was not drawn has its vectors all the same.
        let all: Vec<u32> = (0..rows.labels.len() as u32).collect();
        let mut chosen: Vec<u32> = Vec::new();
        for class in 0..classes as u32 {
            let of = |from: &[u32]| -> Vec<u32> {
                from.iter().copied().filter(|&row| rows.labels[row as usize] == class).collect()
            };
            let mut own = of(&drawn);
            if own.is_empty() {
                own = of(&all);
            }
            own.shuffle(rng);
            own.truncate(self.codes);
            own.sort_unstable();
            chosen.extend(own);
        }
        let labels = chosen.iter().map(|&row| rows.labels[row as usize]).collect();
        Codebook::new(rows.width, labels, |at| rows.row(chosen[at]).to_vec())
    }

    fn train(
        &self,
        book: Codebook,
        rows: &LabelledRows,
        mut shown: Vec<u32>,
        run: &Run<'_>,
        rng: &mut ChaCha8Rng,
    ) -> (Codebook, StopReason) {
        let mut trainer = Trainer::new(self, book);
        let steps = (self.epochs * shown.len()) as f64;
        let of_a_row = trainer.book.len() * (rows.width + 2);
        let mut ticker = Ticker::new(run.stop);
        for epoch in 0..self.epochs {
            if run.stop.requested() {
                return (trainer.book, StopReason::Interrupted);
            }
            shown.shuffle(rng);
            let done = epoch * shown.len();
            let whole = wide(
                #[inline(always)]
                || -> Result<()> {
                    for (step, &row) in shown.iter().enumerate() {
                        ticker.tick(of_a_row)?;
                        let left = 1.0 - (done + step) as f64 / steps;
                        let label = rows.labels[row as usize];
                        trainer.show(rows.row(row), label, left, epoch + 1);
                    }
                    Ok(())
                },
            );
            if whole.is_err() {
                return (trainer.book, StopReason::Interrupted);
            }
            run.watch.advance(1);
        }
        (trainer.book, StopReason::Finished)
    }
}

/// The rows to show: each one once where all weigh the same, else as many drawn by weight.
fn shown(weights: &[f64], rng: &mut ChaCha8Rng) -> Vec<u32> {
    let count = weights.len();
    if weights.iter().all(|weight| *weight == weights[0]) {
        return (0..count as u32).collect();
    }
    let mut sums = Vec::with_capacity(count);
    let mut total = 0.0;
    for weight in weights {
        total += weight;
        sums.push(total);
    }
    let draw = |_| {
        let at = rng.random::<f64>() * total;
        sums.partition_point(|sum| *sum <= at).min(count - 1) as u32
    };
    (0..count).map(draw).collect()
}

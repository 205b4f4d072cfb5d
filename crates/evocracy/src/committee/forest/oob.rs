//! What the trees say of rows that were not in their samples (L. Breiman, "Random forests",
//! Machine Learning 45 (2001) 5-32): an honest estimate of the error without rows held back, and
//! the importance of a column as what is lost when its values are shuffled (section 10 there).

use crate::classify::Proba;
use crate::committee::grove::{BLOCK, Block, Grove, Says, Tree, add};
use crate::data::Task;
use crate::error::Result;
use crate::measure::{brier, log2_likelihood};
use crate::num::argmax;
use crate::run::Run;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

/// The rows in the sample of a tree: a bit for each.
#[derive(Debug, Clone, Default)]
pub(super) struct Bag(Vec<u64>);

impl Bag {
    pub(super) fn new(rows: usize) -> Self {
        Self(vec![0; rows.div_ceil(64)])
    }

    pub(super) fn put(&mut self, row: usize) {
        self.0[row / 64] |= 1 << (row % 64);
    }

    pub(super) fn holds(&self, row: usize) -> bool {
        self.0[row / 64] >> (row % 64) & 1 == 1
    }
}

/// How well rows are called by the trees that did not see them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct OutOfBagFigures {
    /// How many rows with weight at least one tree did not see.
    pub rows: usize,
    /// The share of them that is called wrongly.
    pub error: f64,
    /// The mean log2-likelihood of the truth.
    pub log2_likelihood: f64,
    /// The Brier score.
    pub brier: f64,
}

impl OutOfBagFigures {
    /// Judges probabilities of rows, `classes` for each, by members that did not see them.
    pub(in crate::committee) fn new(
        labels: &[u32],
        proba: &[f64],
        classes: usize,
        weights: &[f64],
    ) -> Result<Self> {
        let calls = proba.chunks_exact(classes).map(argmax);
        let wrong = calls.zip(labels).zip(weights).filter(|((call, l), _)| *call != **l as usize);
        let wrong: f64 = wrong.map(|(_, weight)| weight).sum();
        Ok(Self {
            rows: labels.len(),
            error: wrong / weights.iter().sum::<f64>(),
            log2_likelihood: log2_likelihood(labels, proba, classes, Some(weights))?,
            brier: brier(labels, proba, classes, Some(weights))?,
        })
    }
}

/// Out-of-bag probabilities of the training rows.
#[derive(Debug, Clone, PartialEq)]
pub struct OutOfBag {
    /// The probabilities of every row; all 0 where every tree saw the row.
    pub proba: Proba,
    /// How many trees did not see each row.
    pub trees: Vec<u32>,
    /// How good the probabilities are; `None` where every tree saw every row.
    pub figures: Option<OutOfBagFigures>,
}

/// The training rows and the samples of the trees.
pub(super) struct Rows<'a> {
    pub(super) task: &'a Task<'a>,
    pub(super) labels: &'a [u32],
    pub(super) weights: &'a [f64],
    pub(super) bags: &'a [Bag],
}

impl Rows<'_> {
    /// What the trees say of the rows they did not see.
    pub(super) fn judge(&self, grove: &Grove, run: &Run<'_>) -> Result<OutOfBag> {
        let features = self.task.features;
        let (cells, classes) = (grove.cells(features)?, grove.classes.len());
        let rows = self.labels.len();
        let blocks = run.pool.map(rows.div_ceil(BLOCK), |number| {
            let start = number * BLOCK;
            let count = BLOCK.min(rows - start);
            let mut block = Block::new(&cells);
            block.load(&(start..start + count).map(|row| features.row_id(row)));
            let (mut sums, mut trees) = (vec![0.0; count * classes], vec![0_u32; count]);
            let (mut leaves, mut unseen) = ([0; BLOCK], Vec::with_capacity(BLOCK));
            for (tree, bag) in grove.trees().iter().zip(self.bags) {
                unseen.clear();
                unseen.extend((0..count as u32).filter(|&row| !bag.holds(start + row as usize)));
                block.walk(tree, &unseen, &mut leaves);
                for row in unseen.iter().map(|&row| row as usize) {
                    let sums = &mut sums[row * classes..(row + 1) * classes];
                    add(tree, &leaves[row..=row], 1.0, classes, sums);
                    trees[row] += 1;
                }
            }
            (sums, trees)
        });
        let mut out = OutOfBag { proba: Proba::new(), trees: Vec::new(), figures: None };
        out.proba.reset(rows, classes);
        for (number, (sums, trees)) in blocks.into_iter().enumerate() {
            for (i, (sums, &trees)) in sums.chunks_exact(classes).zip(&trees).enumerate() {
                let proba = out.proba.row_mut(number * BLOCK + i);
                let all = f64::from(trees.max(1));
                proba.iter_mut().zip(sums).for_each(|(p, sum)| *p = (sum / all).min(1.0));
            }
            out.trees.extend(trees);
        }
        out.figures = self.figures(&out)?;
        Ok(out)
    }

    fn figures(&self, out: &OutOfBag) -> Result<Option<OutOfBagFigures>> {
        let counts = |row: &usize| out.trees[*row] > 0 && self.weights[*row] > 0.0;
        let rows: Vec<usize> = (0..self.labels.len()).filter(counts).collect();
        if rows.is_empty() {
            return Ok(None);
        }
        let labels: Vec<u32> = rows.iter().map(|&row| self.labels[row]).collect();
        let weights: Vec<f64> = rows.iter().map(|&row| self.weights[row]).collect();
        let proba: Vec<f64> = rows.iter().flat_map(|&row| out.proba.row(row)).copied().collect();
        let classes = out.proba.classes();
        OutOfBagFigures::new(&labels, &proba, classes, &weights).map(Some)
    }

    /// How much accuracy the trees lose on average, each on the rows it did not see, when the
    /// values of a column are shuffled among those rows; `None` when the run was stopped.
    pub(super) fn permute(&self, grove: &Grove, run: &Run<'_>) -> Result<Option<Vec<f64>>> {
        let cells = grove.cells(self.task.features)?;
        let losses = run.pool.map(self.bags.len(), |number| {
            let seed = run.seed.child("permute", number as u64);
            let mut trial = Trial::new(self, grove, number, Block::new(&cells));
            (0..cells.len())
                .map(|column| {
                    let go_on = !run.stop.requested();
                    go_on.then(|| trial.loss(column, seed.child("column", column as u64)))
                })
                .collect::<Option<Vec<f64>>>()
        });
        let mut mean = vec![0.0; cells.len()];
        for tree in losses {
            let Some(tree) = tree else { return Ok(None) };
            let count = self.bags.len() as f64;
            mean.iter_mut().zip(tree).for_each(|(mean, loss)| *mean += loss / count);
        }
        Ok(Some(mean))
    }
}

/// A tree tried with shuffled columns on the rows it did not see.
struct Trial<'a> {
    rows: &'a Rows<'a>,
    tree: &'a Tree,
    classes: usize,
    block: Block<'a>,
    unseen: Vec<u32>,
    weight: f64,
    /// The weight of the rows that are called rightly as they are.
    right: f64,
}

impl<'a> Trial<'a> {
    fn new(rows: &'a Rows<'a>, grove: &'a Grove, number: usize, block: Block<'a>) -> Self {
        let out =
            |&row: &u32| !rows.bags[number].holds(row as usize) && rows.weights[row as usize] > 0.0;
        let unseen: Vec<u32> = (0..rows.labels.len() as u32).filter(out).collect();
        let weight = unseen.iter().map(|&row| rows.weights[row as usize]).sum();
        let (tree, classes) = (&grove.trees()[number], grove.classes.len());
        let mut trial = Self { rows, tree, classes, block, unseen, weight, right: 0.0 };
        trial.right = trial.right(None);
        trial
    }

    /// The share of accuracy that is lost.
    fn loss(&mut self, column: usize, seed: crate::run::Seed) -> f64 {
        if self.weight == 0.0 || !self.tree.asks(column) {
            return 0.0;
        }
        let mut others = self.unseen.clone();
        others.shuffle(&mut seed.rng());
        (self.right - self.right(Some((column, &others)))) / self.weight
    }

    /// The weight of the rows that are called rightly, with the values of one column taken from
    /// other rows.
    fn right(&mut self, shuffled: Option<(usize, &[u32])>) -> f64 {
        let features = self.rows.task.features;
        let everyone: [u32; BLOCK] = std::array::from_fn(|i| i as u32);
        let (mut leaves, mut right) = ([0; BLOCK], 0.0);
        for start in (0..self.unseen.len()).step_by(BLOCK) {
            let rows = &self.unseen[start..self.unseen.len().min(start + BLOCK)];
            self.block.load(&rows.iter().map(|&row| features.row_id(row as usize)));
            if let Some((column, others)) = shuffled {
                let others = others[start..].iter().take(rows.len());
                self.block.load_column(column, others.map(|&row| features.row_id(row as usize)));
            }
            self.block.walk(self.tree, &everyone[..rows.len()], &mut leaves);
            for (&row, &leaf) in rows.iter().zip(&leaves) {
                let called = match self.tree.says(leaf as usize, self.classes) {
                    Says::Class(class) => class,
                    Says::Shares(shares) => argmax(shares),
                };
                if called as u32 == self.rows.labels[row as usize] {
                    right += self.rows.weights[row as usize];
                }
            }
        }
        right
    }
}

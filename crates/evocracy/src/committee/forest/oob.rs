//! Out-of-bag estimates, from the outputs of trees for rows that were not in their samples (L.
//! Breiman, "Random forests", Machine Learning 45 (2001) 5-32): an honest estimate of the error
//! without rows held back, and the importance of a column as what is lost when its values are
//! shuffled (section 10 there).

use crate::classify::{CurvePoint, OutOfBagFigures, Proba};
use crate::committee::flat_trees::{BATCH, Columns, FlatTrees, LeafOutput, PackedTree, Walk};
use crate::committee::learning_curve;
use crate::data::{Cells, Task};
use crate::error::Result;
use crate::num::argmax;
use crate::run::{Run, Seed};
use rand::seq::SliceRandom;

/// The rows in the sample of a tree: a bit for each.
#[derive(Debug, Clone, Default)]
pub(super) struct InBag(Vec<u64>);

impl InBag {
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

/// Out-of-bag probabilities of the training rows.
#[derive(Debug, Clone, PartialEq)]
pub struct OutOfBag {
    /// The probabilities of every row; all 0 where every tree saw the row.
    pub proba: Proba,
    /// How many trees did not see each row.
    pub trees: Vec<u32>,
    /// How good the probabilities are; `None` where every tree saw every row.
    pub figures: Option<OutOfBagFigures>,
    /// How the error falls from tree to tree.
    pub curve: Vec<CurvePoint>,
}

/// The training rows and the samples of the trees.
pub(super) struct OutOfBagRows<'a> {
    pub(super) task: &'a Task<'a>,
    pub(super) labels: &'a [u32],
    pub(super) weights: &'a [f64],
    pub(super) in_bags: &'a [InBag],
}

impl OutOfBagRows<'_> {
    /// The mean output of the trees for the rows they did not see; an error where the run stops.
    pub(super) fn judge(&self, flat: &FlatTrees, run: &Run<'_>) -> Result<OutOfBag> {
        let features = self.task.features;
        let (cells, classes) = (flat.cells(features)?, flat.classes.len());
        let rows = self.labels.len();
        let sizes = learning_curve::sizes(flat.trees().len());
        let batches = run.pool.map(rows.div_ceil(BATCH), |number| {
            let start = number * BATCH;
            let count = BATCH.min(rows - start);
            let (mut sums, mut trees) = (vec![0.0; count * classes], vec![0_u32; count]);
            let (labels, weights) = (&self.labels[start..], &self.weights[start..]);
            let mut errors = Vec::with_capacity(sizes.len());
            let mut walk = Walk::default();
            for (number, (tree, in_bag)) in flat.trees().iter().zip(self.in_bags).enumerate() {
                run.stop.check()?;
                let unseen = (0..count).filter(|&place| !in_bag.holds(start + place));
                walk.fill(unseen.map(|place| (features.row_id(start + place), place)));
                walk.down(tree, &cells, |leaf, reached| {
                    tree.output(leaf, classes).add(1.0, reached, classes, &mut sums);
                    for row in reached {
                        trees[row.place()] += 1;
                    }
                });
                if sizes[errors.len()] == number + 1 {
                    errors.push(learning_curve::wrong_and_total(&sums, &trees, labels, weights));
                }
            }
            Ok((sums, trees, errors))
        });
        let (proba, curve) = (Proba::new(), Vec::new());
        let mut out = OutOfBag { proba, trees: Vec::new(), figures: None, curve };
        out.proba.reset(rows, classes);
        let mut errors = vec![[0.0; 2]; sizes.len()];
        for (number, batch) in batches.into_iter().enumerate() {
            let (sums, trees, own) = batch?;
            for (sum, own) in errors.iter_mut().zip(own) {
                *sum = [sum[0] + own[0], sum[1] + own[1]];
            }
            for (i, (sums, &trees)) in sums.chunks_exact(classes).zip(&trees).enumerate() {
                let proba = out.proba.row_mut(number * BATCH + i);
                let all = f64::from(trees.max(1));
                proba.iter_mut().zip(sums).for_each(|(p, sum)| *p = (sum / all).min(1.0));
            }
            out.trees.extend(trees);
        }
        out.figures = OutOfBagFigures::new(&out.proba, &out.trees, self.labels, self.weights)?;
        out.curve = learning_curve::points(&sizes, &errors);
        Ok(out)
    }

    /// How much accuracy the trees lose on average, each on the rows it did not see, when the
    /// values of a column are shuffled among those rows; `None` when the run was stopped.
    pub(super) fn permute(&self, flat: &FlatTrees, run: &Run<'_>) -> Result<Option<Vec<f64>>> {
        let cells = flat.cells(self.task.features)?;
        let losses = run.pool.map(self.in_bags.len(), |number| {
            let seed = run.seed.child("permute", number as u64);
            let mut trial = PermutationTrial::new(self, flat, number, &cells);
            let columns = (0..cells.len()).map(|column| {
                let go_on = !run.stop.requested();
                go_on.then(|| trial.loss(column, seed.child("column", column as u64)))
            });
            columns.collect::<Option<Vec<f64>>>()
        });
        let mut mean = vec![0.0; cells.len()];
        for tree in losses {
            let Some(tree) = tree else { return Ok(None) };
            let count = self.in_bags.len() as f64;
            mean.iter_mut().zip(tree).for_each(|(mean, loss)| *mean += loss / count);
        }
        Ok(Some(mean))
    }
}

/// A tree tried with shuffled columns on the rows it did not see.
struct PermutationTrial<'a> {
    rows: &'a OutOfBagRows<'a>,
    tree: &'a PackedTree,
    classes: usize,
    cells: Vec<(Cells<'a>, u32)>,
    unseen: Vec<u32>,
    walk: Walk,
    weight: f64,
    /// The weight of the rows that are called rightly as they are.
    right: f64,
}

impl<'a> PermutationTrial<'a> {
    fn new(
        rows: &'a OutOfBagRows<'a>,
        flat: &'a FlatTrees,
        number: usize,
        cells: &Columns<'a>,
    ) -> Self {
        let out = |&row: &u32| {
            !rows.in_bags[number].holds(row as usize) && rows.weights[row as usize] > 0.0
        };
        let unseen: Vec<u32> = (0..rows.labels.len() as u32).filter(out).collect();
        let weight = unseen.iter().map(|&row| rows.weights[row as usize]).sum();
        let mut walk = Walk::default();
        let id = |&row: &u32| rows.task.features.row_id(row as usize);
        walk.fill(unseen.iter().map(|row| (id(row), *row as usize)));
        let (tree, classes, cells) = (&flat.trees()[number], flat.classes.len(), cells.to_vec());
        let mut trial = Self { rows, tree, classes, cells, unseen, walk, weight, right: 0.0 };
        trial.right = right(&mut trial.walk, tree, classes, rows, &trial.cells);
        trial
    }

    /// The share of accuracy that is lost when a column is shuffled.
    fn loss(&mut self, column: usize, seed: Seed) -> f64 {
        if self.weight == 0.0 || !self.tree.asks(column) {
            return 0.0;
        }
        let mut others = self.unseen.clone();
        others.shuffle(&mut seed.rng());
        let features = self.rows.task.features;
        let id = |row: u32| features.row_id(row as usize);
        let pairs = || self.unseen.iter().zip(&others).map(|(&to, &from)| (id(to), id(from)));
        let mut cells = self.cells.clone();
        let (numbers, codes);
        cells[column].0 = match cells[column].0 {
            Cells::Number(values) => {
                numbers = moved(values, pairs());
                Cells::Number(&numbers)
            }
            Cells::Nominal(levels) => {
                codes = moved(levels, pairs());
                Cells::Nominal(&codes)
            }
        };
        let after = right(&mut self.walk, self.tree, self.classes, self.rows, &cells);
        (self.right - after) / self.weight
    }
}

/// A copy in which places have the value of other places.
fn moved<T: Copy>(values: &[T], pairs: impl Iterator<Item = (usize, usize)>) -> Vec<T> {
    let mut moved = values.to_vec();
    pairs.for_each(|(to, from)| moved[to] = values[from]);
    moved
}

/// The weight of the rows that a tree calls rightly.
fn right(
    walk: &mut Walk,
    tree: &PackedTree,
    classes: usize,
    rows: &OutOfBagRows<'_>,
    cells: &Columns<'_>,
) -> f64 {
    let mut right = 0.0;
    walk.down(tree, cells, |leaf, reached| {
        let called = match tree.output(leaf, classes) {
            LeafOutput::Class(class) => class as u32,
            LeafOutput::Shares(shares) => argmax(shares) as u32,
        };
        let places = reached.iter().map(|row| row.place());
        for row in places.filter(|&row| rows.labels[row] == called) {
            right += rows.weights[row];
        }
    });
    right
}

//! Many trees as one model: packed, saved as one flat chunk, asked in batches.
//!
//! The output is the mean of the outputs of the leaves, weighted by the votes of the trees. An
//! explanation follows the paths (A. Saabas 2014; the same for a single tree in `experts::tree`):
//! each split moves the mean of the leaves below it, what it moves belongs to its column, and the
//! sum over all paths is exact.

mod arrays;
mod narrow;
mod rules;
mod tree;
mod walk;

pub(crate) use arrays::SavedTrees;
pub(crate) use tree::{LeafOutput, Leaves, PackedTree};
use walk::path;
pub(crate) use walk::{BATCH, BatchRow, Columns, Walk};

use crate::classify::{Explanation, Link, Part, Proba};
use crate::data::{Cells, Classes, Schema, View};
use crate::error::{Error, Result};
use crate::experts::tree::model::{cells_of, fits};
use serde::{Deserialize, Serialize};

/// Trees and their votes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct FlatTrees {
    pub(crate) classes: Classes,
    /// The levels of every column in training; none for numbers.
    columns: Vec<Option<u32>>,
    trees: SavedTrees,
    /// The weight of each tree's vote; empty where all weigh the same.
    votes: Vec<f64>,
}

impl FlatTrees {
    pub(crate) fn new(
        classes: &Classes,
        columns: Vec<Option<u32>>,
        trees: Vec<PackedTree>,
        votes: Vec<f64>,
    ) -> Self {
        Self { classes: classes.clone(), columns, trees: SavedTrees(trees), votes }
    }

    pub(crate) fn trees(&self) -> &[PackedTree] {
        &self.trees.0
    }

    pub(crate) fn vote(&self, tree: usize) -> f64 {
        self.votes.get(tree).copied().unwrap_or(1.0)
    }

    pub(crate) fn all_votes(&self) -> f64 {
        if self.votes.is_empty() { self.trees().len() as f64 } else { self.votes.iter().sum() }
    }

    /// The cells of all columns with the levels of the nominal ones.
    pub(crate) fn cells<'a>(&self, rows: View<'a>) -> Result<Vec<(Cells<'a>, u32)>> {
        cells_of(rows, self.columns.iter().copied())
    }

    pub(crate) fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        let cells = self.cells(rows)?;
        let classes = self.classes.len();
        out.reset(rows.rows(), classes);
        let mut walk = Walk::default();
        let all = self.all_votes();
        for start in (0..rows.rows()).step_by(BATCH) {
            let count = BATCH.min(rows.rows() - start);
            walk.fill((0..count).map(|place| (rows.row_id(start + place), place)));
            let sums = out.rows_mut(start..start + count);
            for (number, tree) in self.trees().iter().enumerate() {
                let vote = self.vote(number);
                walk.down(tree, &cells, |leaf, reached| {
                    tree.output(leaf, classes).add(vote, reached, classes, sums);
                });
            }
            for sum in sums.iter_mut() {
                // Rounding may lead beyond 1.
                *sum = (*sum / all).min(1.0);
            }
        }
        Ok(())
    }

    pub(crate) fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        let cells = self.cells(rows)?;
        let classes = self.classes.len();
        let mut base = vec![0.0; classes];
        let mut moved = vec![0.0; self.columns.len() * classes];
        let all = self.all_votes();
        for (number, tree) in self.trees().iter().enumerate() {
            let vote = self.vote(number) / all;
            let means = tree.means(classes);
            base.iter_mut().zip(&means).for_each(|(sum, mean)| *sum += vote * mean);
            path(tree, &cells, rows.row_id(row), |column, from, to| {
                for class in 0..classes {
                    let step = means[to * classes + class] - means[from * classes + class];
                    moved[column * classes + class] += vote * step;
                }
            });
        }
        let parts = moved.chunks_exact(classes).enumerate();
        let parts = parts.filter(|(_, adds)| adds.iter().any(|&add| add != 0.0));
        let part = |(column, adds): (usize, &[f64])| {
            let name = &rows.field(column).name;
            let because = match rows.show(row, column) {
                Some(value) => format!("{name} = {value}"),
                None => format!("{name} is missing"),
            };
            Part { column: Some(column), because, adds: adds.to_vec() }
        };
        Ok(Explanation { base, parts: parts.map(part).collect(), link: Link::Identity })
    }

    /// Refuses what a damaged or forged file could hold.
    pub(crate) fn check(&self, inputs: &Schema) -> Result<()> {
        self.classes.check()?;
        let votes = self.votes.is_empty() || self.votes.len() == self.trees().len();
        let sound = fits(inputs, self.columns.iter().copied())
            && votes
            && !self.trees().is_empty()
            && self.votes.iter().all(|vote| vote.is_finite() && *vote > 0.0)
            && self.trees().iter().all(|tree| tree.check(inputs, self.classes.len()));
        if sound { Ok(()) } else { Err(Error::model_file("its trees are inconsistent")) }
    }

    pub(crate) fn size(&self) -> Vec<(&'static str, u64)> {
        let sum =
            |of: fn(&PackedTree) -> usize| self.trees().iter().map(|tree| of(tree) as u64).sum();
        vec![
            ("trees", self.trees().len() as u64),
            ("leaves", sum(PackedTree::leaves)),
            ("nodes", sum(PackedTree::len)),
        ]
    }
}

impl LeafOutput<'_> {
    /// Adds it, times the weight of a vote, to the sums of some rows of a batch.
    pub(crate) fn add(self, vote: f64, rows: &[BatchRow], classes: usize, sums: &mut [f64]) {
        let places = rows.iter().map(|row| row.place());
        match self {
            LeafOutput::Class(class) => {
                places.for_each(|place| sums[place * classes + class] += vote);
            }
            LeafOutput::Shares(shares) => places.for_each(|place| {
                let sums = &mut sums[place * classes..(place + 1) * classes];
                sums.iter_mut().zip(shares).for_each(|(sum, share)| *sum += vote * share);
            }),
        }
    }
}

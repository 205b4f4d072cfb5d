//! k nearest neighbours (Fix, Hodges 1951; Cover, Hart 1967): a row is called like the training
//! rows around it.
//!
//! Distances are Euclidean, between inputs that are standardised numbers and 0/1 levels. Among
//! equal distances the training row with the lower number is the nearer one. The neighbours
//! vote with their weights, and [`smoothing`](Knn::smoothing) rows with the shares of all
//! training rows vote with them:
//!
//! `p_c = (smoothing * share_c + sum of the votes for c) / (smoothing + sum of all votes)`
//!
//! A vote is the weight of the training row; with `votes` by distance it is further multiplied by
//! the inverse distance, relative to the mean of the k inverse distances (so that k votes are
//! still k votes beside the smoothing). Where neighbours are at distance 0, only those vote.
//!
//! | file | job |
//! |---|---|
//! | `kd_tree` | the training rows in tiles, ordered by a k-d tree |
//! | `search` | the nearest ones of a row |
//! | `model` | what is predicted, explained and saved |

mod kd_tree;
mod model;
mod search;
#[cfg(test)]
mod tests;

pub use model::KnnModel;

use crate::classify::{Fitted, Learner};
use crate::data::{DenseRows, Input, Task};
use crate::error::{Error, Result};
use crate::run::{Run, StopReason};
use kd_tree::KdTree;

crate::choices! {
    /// How much the vote of a neighbour counts.
    pub enum Votes {
        /// every neighbour the same
        Equal = "equal",
        /// the inverse of its distance
        Distance = "distance",
    }
}

crate::params! {
    /// k nearest neighbours: a row is called like the training rows around it.
    pub struct Knn as "knn" {
        /// how many neighbours vote
        k: usize = 5, 1..=1_000_000;
        /// how much a neighbour counts
        votes: Votes = Votes::Equal, Votes::CHOICES;
        /// how many rows like all training rows vote with the neighbours, so that they are less sure
        smoothing: f64 = 1.0, 0.0..=1e6;
    }
}

impl Learner for Knn {
    type Model = KnnModel;
    const INPUT: Input = Input::Dense;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<KnnModel>> {
        if run.stop.requested() {
            return Err(Error::Stopped);
        }
        let (classes, labels) = task.labels()?;
        let weights = task.weights();
        let inputs = DenseRows::new(task.features, DenseRows::LIMIT)?;
        let kept: Vec<u32> =
            (0..task.rows() as u32).filter(|&row| weights[row as usize] > 0.0).collect();
        let mut points = Vec::new();
        for &row in &kept {
            points.extend(inputs.columns.iter().map(|column| column[row as usize]));
        }
        let ids: Vec<u32> = kept.iter().map(|&row| task.row_id(row as usize) as u32).collect();
        let (points, order) = KdTree::new(&points, inputs.columns.len(), &ids);
        let kept = |at: &u32| kept[*at as usize] as usize;
        let labels = order.iter().map(|at| labels[kept(at)]).collect();
        let weights = order.iter().map(|at| weights[kept(at)]).collect();
        let model = KnnModel::new(self, classes, points, labels, weights);
        Ok(Fitted { model, stop: StopReason::Finished })
    }
}

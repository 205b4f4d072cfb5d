//! k nearest neighbours (Fix, Hodges 1951; Cover, Hart 1967): a row is called like the training
//! rows around it.
//!
//! Distances are Euclidean, between inputs that are standardised numbers and 0/1 levels. Equal
//! distances count alike: where more rows are as far as the k-th than there are places left, each
//! of them has the same part of a vote, so that all together have k votes. The neighbours vote with
//! their weights, and [`smoothing`](Knn::smoothing) rows with the shares of all
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
//! | `merge` | rows of the same class at the same place made one point |
//! | `kd_tree` | the training rows in tiles, ordered by a k-d tree |
//! | `search` | the nearest ones of a row |
//! | `model` | what is predicted, explained and saved |

mod kd_tree;
mod merge;
mod model;
mod search;
#[cfg(test)]
mod tests;

pub use model::KnnModel;

use crate::classify::{Fitted, Learner};
use crate::data::{DenseRows, Input, Task, pick};
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
        let axes = inputs.columns.len();
        let kept: Vec<u32> =
            (0..task.rows() as u32).filter(|&row| weights[row as usize] > 0.0).collect();
        let mut points = Vec::with_capacity(kept.len() * axes);
        for &row in &kept {
            // Both zeros are one place.
            points.extend(inputs.columns.iter().map(|column| column[row as usize] + 0.0));
        }
        let of = |at: u32| kept[at as usize] as usize;
        let merged = merge::merge(&mut points, axes, |at| (labels[of(at)], weights[of(at)]));
        drop(inputs);
        run.stop.check()?;
        let ids: Vec<u32> = merged.first.iter().map(|&at| task.row_id(of(at)) as u32).collect();
        let (mut points, order) = KdTree::new(&points, axes, &ids);
        let many = merged.counts.iter().any(|&count| count > 1);
        points.counts = if many { pick(&order, &merged.counts) } else { Vec::new() };
        let labels = order.iter().map(|&at| labels[of(merged.first[at as usize])]).collect();
        let weights = pick(&order, &merged.weights);
        let model = KnnModel::new(self, classes, points, labels, weights);
        Ok(Fitted { model, stop: StopReason::Finished })
    }
}

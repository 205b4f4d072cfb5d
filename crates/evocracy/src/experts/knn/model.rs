//! Fitted neighbours: votes, explanations, what a file may hold.

use super::kd_tree::KdTree;
use super::search::{Neighbour, NeighbourSearch};
use super::{Knn, Votes};
use crate::classify::{Classifier, Explanation, Link, Part, Proba, Saved};
use crate::data::{Classes, DenseRows, Schema, View};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// The training rows and how they vote.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KnnModel {
    classes: Classes,
    k: usize,
    votes: Votes,
    smoothing: f64,
    /// The share of each class in the weight of all training rows.
    shares: Vec<f64>,
    pub(super) points: KdTree,
    /// The class of each point: rows of several classes at one place are several points.
    labels: Vec<u32>,
    /// The weight of all rows of each point.
    weights: Vec<f64>,
}

impl KnnModel {
    pub(super) fn new(
        knn: &Knn,
        classes: &Classes,
        points: KdTree,
        labels: Vec<u32>,
        weights: Vec<f64>,
    ) -> Self {
        let total: f64 = weights.iter().sum();
        let mut shares = vec![0.0; classes.len()];
        for (label, weight) in labels.iter().zip(&weights) {
            shares[*label as usize] += weight / total;
        }
        let (classes, Knn { k, votes, smoothing }) = (classes.clone(), knn.clone());
        Self { classes, k, votes, smoothing, shares, points, labels, weights }
    }

    /// The vote of each neighbour.
    fn votes(&self, found: &[Neighbour], out: &mut Vec<f64>) {
        out.clear();
        let weight = |n: &Neighbour| self.weights[n.at as usize] * n.share;
        let nearest = found.first().map_or(0.0, |n| n.square);
        if self.votes == Votes::Equal || !nearest.is_finite() {
            out.extend(found.iter().map(weight));
            return;
        }
        // Relative to the nearest one, so that nothing overflows.
        let inverse = |n: &Neighbour| {
            if n.square == nearest { 1.0 } else { (nearest / n.square).sqrt() }
        };
        let places = |n: &Neighbour| n.rows as f64 * n.share;
        let sum: f64 = found.iter().map(|n| inverse(n) * places(n)).sum();
        let mean = sum / found.iter().map(places).sum::<f64>();
        out.extend(found.iter().map(|n| weight(n) * inverse(n) / mean));
    }

    /// What all votes are divided by; votes of no weight at all leave the class to the shares.
    fn total(&self, votes: &[f64]) -> (f64, f64) {
        let total: f64 = votes.iter().sum();
        if total + self.smoothing > 0.0 {
            (self.smoothing, total + self.smoothing)
        } else {
            (1.0, 1.0)
        }
    }

    /// The probabilities of the classes, given the neighbours.
    fn count(&self, found: &[Neighbour], votes: &mut Vec<f64>, out: &mut [f64]) {
        self.votes(found, votes);
        let (smoothing, total) = self.total(votes);
        for (p, share) in out.iter_mut().zip(&self.shares) {
            *p = smoothing * share;
        }
        for (n, vote) in found.iter().zip(votes) {
            out[self.labels[n.at as usize] as usize] += *vote;
        }
        for p in out {
            *p /= total;
        }
    }
}

impl Classifier for KnnModel {
    fn classes(&self) -> &Classes {
        &self.classes
    }

    fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        let inputs = DenseRows::of_model(rows, self.points.axes, DenseRows::LIMIT)?;
        out.reset(rows.rows(), self.classes.len());
        let mut search = NeighbourSearch::new(&self.points, self.k);
        let (mut queries, mut votes) = (Vec::new(), Vec::new());
        for start in (0..rows.rows()).step_by(NeighbourSearch::BLOCK) {
            let end = rows.rows().min(start + NeighbourSearch::BLOCK);
            inputs.rows_into(start, end, &mut queries);
            search.each(&queries, end - start, |i, found| {
                self.count(found, &mut votes, out.row_mut(start + i));
            });
        }
        Ok(())
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        let query = DenseRows::of_model(rows, self.points.axes, DenseRows::LIMIT)?.row(row);
        let mut explanation =
            Explanation { base: Vec::new(), parts: Vec::new(), link: Link::Identity };
        NeighbourSearch::new(&self.points, self.k).each(&query, 1, |_, found| {
            let mut votes = Vec::new();
            self.votes(found, &mut votes);
            let (smoothing, total) = self.total(&votes);
            explanation.base = self.shares.iter().map(|s| smoothing * s / total).collect();
            for (n, vote) in found.iter().zip(votes) {
                let label = self.labels[n.at as usize] as usize;
                let mut adds = vec![0.0; self.classes.len()];
                adds[label] = vote / total;
                let because = words(n, &self.classes.names()[label]);
                explanation.parts.push(Part { column: None, because, adds });
            }
        });
        Ok(explanation)
    }
}

/// What a neighbour is.
fn words(n: &Neighbour, class: &str) -> String {
    let (id, distance) = (n.id, n.square.sqrt());
    let mut words = match n.rows {
        1 => format!("training row {id} is `{class}`, at distance {distance:.4}"),
        rows => format!(
            "{rows} training rows, the first of them {id}, are `{class}`, at distance {distance:.4}"
        ),
    };
    if n.share < 1.0 {
        words += &format!(", as far as others: each counts {:.4}", n.share);
    }
    words
}

impl Saved for KnnModel {
    /// 2: a point may stand for several rows.
    const VERSION: u32 = 2;

    fn check(&self, inputs: &Schema) -> Result<()> {
        self.classes.check()?;
        let classes = self.classes.len();
        let amount = |v: &f64| (0.0..=1e60).contains(v);
        let sound = DenseRows::fits(inputs, self.points.axes)
            && self.k >= 1
            && amount(&self.smoothing)
            && self.shares.len() == classes
            && self.shares.iter().all(amount)
            && (self.shares.iter().sum::<f64>() - 1.0).abs() <= 1e-9
            && self.points.check()
            && self.labels.len() == self.points.len()
            && self.labels.iter().all(|&label| (label as usize) < classes)
            && self.weights.len() == self.points.len()
            && self.weights.iter().all(|w| amount(w) && *w > 0.0);
        if sound { Ok(()) } else { Err(Error::model_file("its neighbours are inconsistent")) }
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        vec![("points", self.points.len() as u64), ("inputs", self.points.axes as u64)]
    }
}

//! Members of rising size, with what they said of the training rows and of rows they were not fitted
//! to: what the points of a front follow from.

use super::points::{FrontPoint, FrontPoints, Objective, Promise, TrainingFigures};
use super::rates::{ScoredRows, corners, expected_rates};
use crate::data::{Classes, pick};
use crate::error::Result;
use crate::evolve::Goal;
use crate::evolve::pareto::Archive;
use crate::measure::{LEVEL, wilson};
use crate::num::argmax;

/// Probabilities of rows by models that were not fitted to them.
#[derive(Debug, Clone)]
pub(super) struct Unseen {
    /// The rows, as positions among the training rows.
    pub(super) rows: Vec<u32>,
    /// Member by member, row after row, a number for each class.
    pub(super) proba: Vec<Vec<f64>>,
    /// Where the models that were not fitted to a row are not the members themselves but those of a
    /// fold: member by member the rank of each row, see [`ranks`].
    pub(super) ranks: Option<Vec<Vec<f64>>>,
}

/// Where each of some scores stands among others, as a share of these. A model of a fold and the
/// member it stands for may differ in how certain they are; where both call the same share of their
/// training rows positive, they do the same.
///
/// The `k`-th of the sorted others stands at `k - 1/2`, ties in their middle, a score between two of
/// them in proportion: a threshold half-way between two has the share of those below it.
pub(super) fn ranks(of: &[f64], among: &[f64]) -> Vec<f64> {
    let mut sorted = among.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    let rank = |score: &f64| {
        let below = sorted.partition_point(|other| other < score);
        let up_to = sorted.partition_point(|other| other <= score);
        let place = if up_to > below {
            f64::midpoint(below as f64, up_to as f64)
        } else if below == 0 {
            0.25
        } else if below == n {
            n as f64 - 0.25
        } else {
            let (low, high) = (sorted[below - 1], sorted[below]);
            below as f64 - 0.5 + (score - low) / (high - low)
        };
        place / n as f64
    };
    of.iter().map(rank).collect()
}

/// Whether rows that a search left over are enough to judge its members on: a good number of every
/// class that it has seen.
pub(super) fn enough(left: &[u32], labels: &[u32]) -> bool {
    let classes = labels.iter().max().map_or(0, |most| *most as usize + 1);
    let (mut own, mut seen) = (vec![0; classes], vec![false; classes]);
    for &label in labels {
        seen[label as usize] = true;
    }
    for &row in left {
        own[labels[row as usize] as usize] += 1;
    }
    let each = own.iter().zip(&seen).all(|(own, seen)| !seen || *own >= EACH_LEFT);
    left.len() >= LEFT_OVER && each
}

/// The least rows left over that are judged instead of folds, of all classes and of each.
const LEFT_OVER: usize = 1000;
const EACH_LEFT: usize = 50;

/// Members of rising size.
pub(super) struct Chain {
    pub(super) sizes: Vec<f64>,
    /// The rows that members are compared on, as positions among the training rows.
    pub(super) rows: Vec<u32>,
    /// Member by member their probabilities, row after row.
    pub(super) proba: Vec<Vec<f64>>,
    /// How probable it is that each of them is positive, where that is known better than by its
    /// label: rates are then those to be expected.
    pub(super) expected: Option<Vec<f64>>,
    pub(super) unseen: Option<Unseen>,
    /// The default member.
    pub(super) chosen: usize,
    pub(super) labels: Vec<u32>,
    pub(super) weights: Vec<f64>,
}

impl Chain {
    /// The points of the front, and the place of the default one.
    pub(super) fn points(
        &self,
        classes: &Classes,
        complexity_is: &str,
    ) -> Result<(FrontPoints, usize)> {
        let (mut points, chosen) = if classes.len() == 2 {
            self.rates(classes.positive(), complexity_is)?
        } else {
            self.errors(classes.len(), complexity_is)?
        };
        let searched = self.rows.len();
        points.searched_on((searched < self.labels.len()).then_some(searched as u64));
        Ok((points, chosen))
    }

    /// The points of two classes: all thresholds of all members that nothing dominates, and the
    /// default member called at even odds.
    fn rates(&self, positive: usize, complexity_is: &str) -> Result<(FrontPoints, usize)> {
        let truth: Vec<bool> = self.labels.iter().map(|&l| l as usize == positive).collect();
        let share = |row: &u32| f64::from(u8::from(truth[*row as usize]));
        let expected =
            self.expected.clone().unwrap_or_else(|| self.rows.iter().map(share).collect());
        let weights = pick(&self.rows, &self.weights);
        let of = |proba: &Vec<f64>| -> Vec<f64> {
            proba.iter().skip(positive).step_by(2).copied().collect()
        };
        let goals = [Goal::Maximise, Goal::Minimise, Goal::Minimise];
        let mut archive: Archive<(usize, f64)> = Archive::new(&goals)?;
        for (member, (&size, proba)) in self.sizes.iter().zip(&self.proba).enumerate() {
            for (threshold, [tpr, fpr]) in corners(&expected, &of(proba), &weights) {
                archive.insert(&[tpr, fpr, size], (member, threshold))?;
            }
        }
        let held: Option<Vec<ScoredRows>> = self.unseen.as_ref().map(|unseen| {
            let truth = pick(&unseen.rows, &truth);
            let weights = pick(&unseen.rows, &self.weights);
            let scored = |scores: &[f64]| ScoredRows::new(&truth, scores, &weights);
            match &unseen.ranks {
                None => unseen.proba.iter().map(|proba| scored(&of(proba))).collect(),
                Some(ranks) => ranks.iter().map(|ranks| scored(ranks)).collect(),
            }
        });
        let ranked = self.unseen.as_ref().is_some_and(|unseen| unseen.ranks.is_some());
        let point = |member: usize, threshold: f64, training: [f64; 2]| -> Result<FrontPoint> {
            // The rank from which on a member calls rows positive.
            let rank = || {
                let lower = of(&self.proba[member]).into_iter().filter(|p| *p < threshold);
                lower.count() as f64 / self.rows.len() as f64
            };
            let promised = match &held {
                None => Vec::new(),
                Some(held) => held[member].promises(if ranked { rank() } else { threshold })?,
            };
            let (complexity, training) = (self.sizes[member], training.to_vec());
            Ok(FrontPoint { member, threshold: Some(threshold), complexity, training, promised })
        };
        let mut listed = Vec::new();
        for entry in archive.iter() {
            let (values, (member, threshold)) = (archive.objectives(&entry), *entry.payload);
            listed.push(point(member, threshold, [values[0], values[1]])?);
        }
        let even = expected_rates(&expected, &of(&self.proba[self.chosen]), &weights, 0.5);
        let default = point(self.chosen, 0.5, even)?;
        // Points stand by size, then by how many rows they call positive.
        let key = |point: &FrontPoint| (point.complexity, -point.threshold.unwrap_or(0.0));
        listed.sort_by(|a, b| key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal));
        let place = listed.partition_point(|point| key(point) < key(&default));
        listed.insert(place, default);
        let mut points = FrontPoints::of_rates(complexity_is, LEVEL);
        let figures = match self.expected {
            Some(_) => TrainingFigures::Expected,
            None => TrainingFigures::Counted,
        };
        points.measured(figures, Some(self.share(&truth)));
        if let Some(first) = held.as_ref().and_then(|held| held.first()) {
            points.judged_on(first.effective());
        }
        listed.iter().try_for_each(|point| points.push(point))?;
        Ok((points, place))
    }

    /// The share of the training rows that are positive, by weight.
    fn share(&self, truth: &[bool]) -> f64 {
        let positives = truth.iter().zip(&self.weights).filter(|(positive, _)| **positive);
        positives.map(|(_, weight)| weight).sum::<f64>() / self.weights.iter().sum::<f64>()
    }

    /// The points of several classes: the error of each member that is not beaten.
    fn errors(&self, classes: usize, complexity_is: &str) -> Result<(FrontPoints, usize)> {
        let objective = Objective { name: "error".to_owned(), higher_is_better: false };
        let mut points = FrontPoints::new(vec![objective], complexity_is, LEVEL);
        let (mut least, mut place) = (f64::INFINITY, 0);
        for (member, (&complexity, proba)) in self.sizes.iter().zip(&self.proba).enumerate() {
            let (error, _) = self.error(&self.rows, proba, classes);
            if member == self.chosen {
                place = points.len();
            } else if error >= least {
                continue;
            }
            least = least.min(error);
            let mut promised = Vec::new();
            if let Some(unseen) = &self.unseen {
                let (value, rows) = self.error(&unseen.rows, &unseen.proba[member], classes);
                let interval = wilson(value * rows, rows, LEVEL)?;
                promised.push(Promise { value, interval });
                points.judged_on([rows]);
            }
            let (threshold, training) = (None, vec![error]);
            points.push(&FrontPoint { member, threshold, complexity, training, promised })?;
        }
        Ok((points, place))
    }

    /// The error on some rows, and how many rows of equal weight would be as telling.
    fn error(&self, rows: &[u32], proba: &[f64], classes: usize) -> (f64, f64) {
        let (mut wrong, mut weight, mut squares) = (0.0, 0.0, 0.0);
        for (&row, proba) in rows.iter().zip(proba.chunks_exact(classes)) {
            let w = self.weights[row as usize];
            let right = argmax(proba) == self.labels[row as usize] as usize;
            wrong += if right { 0.0 } else { w };
            weight += w;
            squares += w * w;
        }
        (wrong / weight, weight * weight / squares)
    }
}

/// The rows below `count` that are not among some sorted ones.
pub(super) fn left_over(rows: &[u32], count: usize) -> Vec<u32> {
    (0..count as u32).filter(|row| rows.binary_search(row).is_err()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_places_among_others() {
        let among = [1.0, 2.0, 2.0, 4.0];
        let found = ranks(&[0.0, 1.0, 1.5, 2.0, 2.5, 3.5, 4.0, 9.0], &among);
        let wanted = [0.25, 0.5, 1.0, 2.0, 2.75, 3.25, 3.5, 3.75];
        for (found, wanted) in found.iter().zip(wanted) {
            assert!((found - wanted / 4.0).abs() < 1e-12, "{found} {wanted}");
        }
    }

    #[test]
    fn rows_left_over_must_show_every_class() {
        let labels: Vec<u32> = (0..2000).map(|row| u32::from(row < 60)).collect();
        let left = |from: u32| -> Vec<u32> { (from..2000).collect() };
        assert!(enough(&left(5), &labels));
        assert!(!enough(&left(30), &labels));
        assert!(!enough(&left(1500), &labels));
    }
}

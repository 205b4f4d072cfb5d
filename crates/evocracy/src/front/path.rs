//! A path of models, of rising size, with what they said of the training rows and of rows they were
//! not fitted to: what the points of a front follow from.
//!
//! Operating points of two classes join the front by the rates that a reference expects on the
//! training rows (the default), by the rates that are counted there, or unless another is likely to
//! dominate them on resampled rows (thesis, 3.9). The default point is always there.

use super::options::Admission;
use super::points::{FrontPoint, FrontPoints, Promise, TrainingFigures};
use super::rates::{Rates, ScoredRows, corners, expected_rates};
use super::unseen::Unseen;
use crate::data::{Classes, pick};
use crate::error::Result;
use crate::evolve::pareto::uncertain::{Pairing, UncertainArchive};
use crate::evolve::pareto::{Archive, PointSet};
use crate::evolve::{Goal, below, rng};
use crate::measure::LEVEL;
use crate::run::{Seed, Stop};

/// True positive rate, false positive rate, complexity.
const GOALS: [Goal; 3] = [Goal::Maximise, Goal::Minimise, Goal::Minimise];

/// Bootstrap replicates of the rates, and the probability of dominance above which a point is
/// turned away.
const REPLICATES: u64 = 20;
const LIKELY: f64 = 0.75;

/// An operating point: the member, its threshold, and the rates it is compared by.
type Operating = (usize, f64, Rates);

/// Models of rising size.
pub(super) struct ModelPath {
    pub(super) sizes: Vec<f64>,
    /// The rows that members are compared on, as positions among the training rows.
    pub(super) rows: Vec<u32>,
    /// Member by member their probabilities, row after row.
    pub(super) proba: Vec<Vec<f64>>,
    /// How probable it is that each of them is positive, where that is known better than by its
    /// label: rates are then those to be expected.
    pub(super) expected: Option<Vec<f64>>,
    /// How operating points join the front; the seed draws rows.
    pub(super) admission: (Admission, Seed),
    pub(super) unseen: Option<Unseen>,
    /// The default member.
    pub(super) chosen: usize,
    pub(super) labels: Vec<u32>,
    pub(super) weights: Vec<f64>,
}

/// Two classes as rates need them.
struct TwoClasses {
    positive: usize,
    truth: Vec<bool>,
    /// How probable it is that each compared row is positive.
    expected: Vec<f64>,
    weights: Vec<f64>,
}

impl TwoClasses {
    /// The probabilities of the positive class.
    fn scores(&self, proba: &[f64]) -> Vec<f64> {
        proba.iter().skip(self.positive).step_by(2).copied().collect()
    }
}

impl ModelPath {
    /// The points of the front, and the place of the default one.
    pub(super) fn points(
        &self,
        classes: &Classes,
        complexity_is: &str,
        stop: &Stop,
    ) -> Result<(FrontPoints, usize)> {
        let (mut points, chosen) = if classes.len() == 2 {
            self.rates(classes.positive(), complexity_is, stop)?
        } else {
            self.errors(classes, complexity_is)?
        };
        let searched = self.rows.len();
        points.searched_on((searched < self.labels.len()).then_some(searched as u64));
        Ok((points, chosen))
    }

    fn two_classes(&self, positive: usize) -> TwoClasses {
        let truth: Vec<bool> = self.labels.iter().map(|&l| l as usize == positive).collect();
        let counted = || pick(&self.rows, &truth).into_iter().map(|t| f64::from(u8::from(t)));
        let expected = match (&self.expected, self.admission.0) {
            (Some(expected), Admission::Expected) => expected.clone(),
            _ => counted().collect(),
        };
        TwoClasses { positive, expected, weights: pick(&self.rows, &self.weights), truth }
    }

    /// The points of two classes: all thresholds of all members that nothing dominates, and the
    /// default member called at even odds.
    fn rates(
        &self,
        positive: usize,
        complexity_is: &str,
        stop: &Stop,
    ) -> Result<(FrontPoints, usize)> {
        let two = self.two_classes(positive);
        let held = self.held(&two);
        let ranked = self.unseen.as_ref().is_some_and(|unseen| unseen.ranks.is_some());
        let point = |(member, threshold, training): Operating| -> Result<FrontPoint> {
            // The rank from which on a member calls rows positive.
            let rank = || {
                let scores = two.scores(&self.proba[member]).into_iter();
                scores.filter(|p| *p < threshold).count() as f64 / self.rows.len() as f64
            };
            let promised = match (&held, self.certain(member, positive, threshold)) {
                (None, _) => Vec::new(),
                (Some(_), Some(rate)) => vec![Promise::certain(rate, LEVEL); 2],
                (Some(held), None) => {
                    held[member].promises(if ranked { rank() } else { threshold })?
                }
            };
            let (complexity, training) = (self.sizes[member], training.to_vec());
            let threshold = Some(threshold);
            Ok(FrontPoint {
                member,
                threshold,
                weights: Vec::new(),
                complexity,
                training,
                promised,
            })
        };
        let operating = match self.admission.0 {
            Admission::Likely => self.likely(&two, stop)?,
            _ => self.undominated(&two)?,
        };
        let mut listed = operating.into_iter().map(point).collect::<Result<Vec<_>>>()?;
        let scores = two.scores(&self.proba[self.chosen]);
        let even = expected_rates(&two.expected, &scores, &two.weights, 0.5);
        let default = point((self.chosen, 0.5, even))?;
        // Points stand by size, then by how many rows they call positive.
        let key = |point: &FrontPoint| (point.complexity, -point.threshold.unwrap_or(0.0));
        listed.sort_by(|a, b| key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal));
        let place = listed.partition_point(|point| key(point) < key(&default));
        listed.insert(place, default);
        let mut points = FrontPoints::of_rates(complexity_is, LEVEL);
        let figures = match (&self.expected, self.admission.0) {
            (Some(_), Admission::Expected) => TrainingFigures::Expected,
            _ => TrainingFigures::Counted,
        };
        points.measured(figures, Some(self.share(&two.truth)));
        if let Some(first) = held.as_ref().and_then(|held| held.first()) {
            points.judged_on(first.effective());
        }
        listed.iter().try_for_each(|point| points.push(point))?;
        Ok((points, place))
    }

    /// Both rates, where they are the same on any rows: of a threshold that no probability reaches
    /// or that all do, and of a member that says the same of every row: one without terms, or a tree
    /// of one leaf.
    fn certain(&self, member: usize, positive: usize, threshold: f64) -> Option<f64> {
        let says = if threshold.is_infinite() || threshold <= 0.0 {
            None
        } else {
            let first = *self.proba[member].get(positive)?;
            let mut all = self.proba[member].iter().skip(positive).step_by(2);
            if self.sizes[member] > 1.0 || all.any(|p| p.to_bits() != first.to_bits()) {
                return None;
            }
            Some(first)
        };
        let calls = says.map_or(threshold <= 0.0, |p| p >= threshold);
        Some(f64::from(u8::from(calls)))
    }

    /// Of each member the rows that were not fitted to, scored.
    fn held(&self, two: &TwoClasses) -> Option<Vec<ScoredRows>> {
        let unseen = self.unseen.as_ref()?;
        let truth = pick(&unseen.rows, &two.truth);
        let weights = pick(&unseen.rows, &self.weights);
        let scored =
            |scores: &[f64]| ScoredRows::new(&truth, scores, &weights).telling(unseen.telling());
        Some(match &unseen.ranks {
            None => unseen.proba.iter().map(|proba| scored(&two.scores(proba))).collect(),
            Some(ranks) => ranks.iter().map(|ranks| scored(ranks)).collect(),
        })
    }

    /// The operating points that no other dominates.
    fn undominated(&self, two: &TwoClasses) -> Result<Vec<Operating>> {
        let mut archive: Archive<(usize, f64)> = Archive::new(&GOALS)?;
        for (member, (&size, proba)) in self.sizes.iter().zip(&self.proba).enumerate() {
            let found = corners(&two.expected, &two.scores(proba), &two.weights);
            for (threshold, [tpr, fpr]) in found {
                archive.insert(&[tpr, fpr, size], (member, threshold))?;
            }
        }
        let operating = archive.iter().map(|entry| {
            let (values, (member, threshold)) = (archive.objectives(&entry), *entry.payload);
            (member, threshold, [values[0], values[1]])
        });
        Ok(operating.collect())
    }

    /// The operating points that no other is likely to dominate on resampled rows; after a stop those
    /// of the members that were looked at.
    fn likely(&self, two: &TwoClasses, stop: &Stop) -> Result<Vec<Operating>> {
        let truth = pick(&self.rows, &two.truth);
        let drawn: Vec<Vec<f64>> = (0..REPLICATES)
            .map(|number| {
                let seed = self.admission.1.child("replicate", number);
                resampled_weights(&truth, &two.weights, seed)
            })
            .collect();
        let mut archive: UncertainArchive<Operating> =
            UncertainArchive::new(&GOALS, LIKELY, Pairing::Paired)?;
        for (member, (&size, proba)) in self.sizes.iter().zip(&self.proba).enumerate() {
            if stop.requested() {
                break;
            }
            let scores = two.scores(proba);
            let replicates: Vec<ScoredRows> =
                drawn.iter().map(|weights| ScoredRows::new(&truth, &scores, weights)).collect();
            for (threshold, rates) in corners(&two.expected, &scores, &two.weights) {
                let mut draws = PointSet::new(&GOALS)?;
                for rows in &replicates {
                    let [tpr, fpr] = rows.at(threshold);
                    draws.push(&[tpr, fpr, size])?;
                }
                archive.insert(draws, (member, threshold, rates))?;
            }
        }
        Ok(archive.iter().map(|kept| kept.payload).collect())
    }

    /// The share of the training rows that are positive, by weight.
    fn share(&self, truth: &[bool]) -> f64 {
        let positives = truth.iter().zip(&self.weights).filter(|(positive, _)| **positive);
        positives.map(|(_, weight)| weight).sum::<f64>() / self.weights.iter().sum::<f64>()
    }
}

/// What each row weighs after as many rows of each class as there are were drawn with replacement.
fn resampled_weights(truth: &[bool], weights: &[f64], seed: Seed) -> Vec<f64> {
    let mut rng = rng(seed);
    let mut drawn = vec![0.0; truth.len()];
    for class in [true, false] {
        let rows: Vec<usize> = (0..truth.len()).filter(|&row| truth[row] == class).collect();
        for _ in 0..rows.len() {
            let row = rows[below(rows.len(), &mut rng)];
            drawn[row] += weights[row];
        }
    }
    drawn
}

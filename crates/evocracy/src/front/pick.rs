//! Choosing a point of a front, and what a whole front attains.
//!
//! Figures are those promised on rows that the members were not fitted to; where a front makes no
//! promise, those of the training rows. The best of many measured figures was lucky as well as
//! good: a choice by costs takes the least complex point whose cost is within one standard error
//! of the least (the rule of L. Breiman, J. Friedman, R. Olshen, C. Stone, "Classification and
//! Regression Trees", 1984, section 3.4.3).

use super::points::FrontPoints;
use crate::error::{Error, Result};
use crate::evolve::Goal;
use crate::evolve::pareto::PointSet;
use crate::evolve::pareto::decide::knee_by_gain;
use crate::measure::{Conditions, Rates, attained_area, unbeaten};
use crate::num::normal_quantile;

/// What a point is chosen by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PickBy {
    /// The least expected cost.
    LeastCost(Conditions),
    /// The most positives found with a false positive rate of at most this.
    MaxFpr(f64),
    /// The fewest false alarms with a true positive rate of at least this.
    MinTpr(f64),
    /// The fewest errors.
    FewestErrors,
    /// The fewest errors at the complexity beyond which more of it gains little: where the
    /// normalised gain of performance falls most (Y. Jin and others, 2006; thesis, 3.9).
    Knee,
}

impl FrontPoints {
    /// The point that is best by a criterion, of at most so much complexity.
    pub fn pick(&self, by: PickBy, most: Option<f64>) -> Result<usize> {
        let allowed: Vec<usize> = (0..self.len())
            .filter(|&at| most.is_none_or(|most| self.complexity(at) <= most))
            .collect();
        if allowed.is_empty() {
            let least = (0..self.len()).map(|at| self.complexity(at)).fold(f64::INFINITY, f64::min);
            return Err(Error::unsuitable(
                format!("no point has so few {}", self.complexity_is()),
                format!("the least complex point has {least}"),
            ));
        }
        match by {
            PickBy::LeastCost(conditions) => {
                Ok(self.cheapest(&allowed, &self.costs_of(conditions)?))
            }
            PickBy::FewestErrors => {
                // The least, not the least complex near it: that is what is said of it.
                let exact = self.errors()?.into_iter().map(|(error, _)| (error, 0.0));
                Ok(self.cheapest(&allowed, &exact.collect::<Vec<_>>()))
            }
            PickBy::Knee => self.knee(&allowed),
            PickBy::MaxFpr(cap) => {
                self.within(&allowed, cap, |rates| rates.0 <= cap, |rates| (-rates.1, rates.0))
            }
            PickBy::MinTpr(floor) => {
                self.within(&allowed, floor, |rates| rates.1 >= floor, |rates| (rates.0, -rates.1))
            }
        }
    }

    /// False and true positive rates of a point, promised or of the training rows.
    fn rates(&self, at: usize) -> Result<Rates> {
        let [tpr, fpr] = self.needed_rates()?;
        Ok((self.figure(at, fpr), self.figure(at, tpr)))
    }

    /// The places of both rates among the objectives; an error where a front has none.
    fn needed_rates(&self) -> Result<[usize; 2]> {
        self.rate_places().ok_or_else(|| {
            Error::unsuitable(
                "the points of this front have no true and false positive rates",
                "choose by the fewest errors, by the complexity or by the knee",
            )
        })
    }

    /// The standard error of a promised figure; 0 where it was not promised.
    fn deviation(&self, at: usize, objective: usize) -> f64 {
        let point = self.get(at);
        point.promised.get(objective).map_or(0.0, |promise| {
            let interval = promise.interval;
            let sides = 2.0 * normal_quantile(f64::midpoint(1.0, interval.level));
            (interval.high - interval.low) / sides
        })
    }

    /// Of each point its cost and the standard error of that.
    fn costs_of(&self, conditions: Conditions) -> Result<Vec<(f64, f64)>> {
        let [tpr, fpr] = self.needed_rates()?;
        let missing = conditions.prior * conditions.false_negative;
        let alarms = (1.0 - conditions.prior) * conditions.false_positive;
        let cost = |at: usize| {
            let (f, t) = self.rates(at)?;
            let (df, dt) = (self.deviation(at, fpr), self.deviation(at, tpr));
            Ok((conditions.cost(f, t), (missing * dt).hypot(alarms * df)))
        };
        (0..self.len()).map(cost).collect()
    }

    /// Of each point its rate of errors and the standard error of that.
    fn errors(&self) -> Result<Vec<(f64, f64)>> {
        if let Some(error) = self.objectives().iter().position(|o| o.name == "error") {
            let of = |at| (self.figure(at, error), self.deviation(at, error));
            return Ok((0..self.len()).map(of).collect());
        }
        let Some(prior) = self.prior() else {
            return Err(Error::unsuitable(
                "the front does not say how common positives are",
                "choose by costs and a prior",
            ));
        };
        self.costs_of(Conditions::new(1.0, 1.0, prior)?)
    }

    /// The least complex point within a standard error of the least cost; at its complexity the
    /// cheapest.
    fn cheapest(&self, allowed: &[usize], costs: &[(f64, f64)]) -> usize {
        let by_cost = |&a: &usize, &b: &usize| costs[a].0.total_cmp(&costs[b].0);
        let by_size = |&a: &usize, &b: &usize| self.complexity(a).total_cmp(&self.complexity(b));
        let best = allowed.iter().copied().min_by(by_cost).unwrap_or(0);
        let enough = costs[best].0 + costs[best].1;
        let near = allowed.iter().copied().filter(|&at| costs[at].0 <= enough);
        near.min_by(|a, b| by_size(a, b).then(by_cost(a, b))).unwrap_or(best)
    }

    /// The best of the points that keep to a limit; the least complex of equals.
    fn within(
        &self,
        allowed: &[usize],
        limit: f64,
        keeps: impl Fn(Rates) -> bool,
        order: impl Fn(Rates) -> (f64, f64),
    ) -> Result<usize> {
        let mut best: Option<(usize, (f64, f64))> = None;
        for &at in allowed {
            let rates = self.rates(at)?;
            let figure = order(rates);
            let better = best.is_none_or(|(top, known)| {
                (figure, self.complexity(at)) < (known, self.complexity(top))
            });
            if keeps(rates) && better {
                best = Some((at, figure));
            }
        }
        best.map(|(at, _)| at).ok_or_else(|| {
            Error::unsuitable(
                format!("no point keeps to the limit {limit}"),
                "rates are between 0 and 1; allow more false alarms, or ask for fewer finds",
            )
        })
    }

    /// The fewest errors at the complexity after which the normalised gain falls most.
    fn knee(&self, allowed: &[usize]) -> Result<usize> {
        let errors = self.errors()?;
        let mut best: Vec<usize> = Vec::new();
        let mut sorted = allowed.to_vec();
        sorted.sort_by(|&a, &b| {
            self.complexity(a)
                .total_cmp(&self.complexity(b))
                .then(errors[a].0.total_cmp(&errors[b].0))
        });
        for at in sorted {
            // Complexity that gains nothing is no bend.
            if best.last().is_none_or(|&last| errors[at].0 < errors[last].0) {
                best.push(at);
            }
        }
        let goals = [Goal::Minimise, Goal::Minimise];
        let rows = best.iter().map(|&at| [errors[at].0, self.complexity(at)]);
        Ok(best[knee_by_gain(&PointSet::from_rows(&goals, rows)?)?])
    }

    /// The points that no other beats in the ROC plane on the training rows, whatever their
    /// complexity up to a limit: the front, flattened (thesis, 3.6).
    pub fn flattened(&self, most: f64) -> Result<Vec<usize>> {
        let [tpr, fpr] = self.needed_rates()?;
        let training = |at: usize| (self.training(at, fpr), self.training(at, tpr));
        let allowed: Vec<usize> =
            (0..self.len()).filter(|&at| self.complexity(at) <= most).collect();
        let rates: Vec<Rates> = allowed.iter().map(|&at| training(at)).collect();
        let kept = unbeaten(&rates)?;
        let place = |rates: &Rates| allowed.iter().copied().find(|&at| training(at) == *rates);
        Ok(kept.iter().filter_map(place).collect())
    }

    /// The area that the points of at most some complexity attain on the training rows.
    pub fn training_area(&self, most: f64) -> Result<f64> {
        let [tpr, fpr] = self.needed_rates()?;
        let flat = self.flattened(most)?.into_iter();
        let rates = flat.map(|at| (self.training(at, fpr), self.training(at, tpr)));
        attained_area(&rates.collect::<Vec<_>>())
    }

    /// The area that the same points attain on other rows, of which the true and the false positive
    /// rate of every point are given: those rows have no part in which points count.
    pub fn attained_area(&self, rates: &[[f64; 2]], most: f64) -> Result<f64> {
        if rates.len() != self.len() {
            let what = format!("rates of {} points for a front of {}", rates.len(), self.len());
            return Err(Error::unsuitable(what, "give the rates of every point"));
        }
        let flat = self.flattened(most)?.into_iter().map(|at| (rates[at][1], rates[at][0]));
        attained_area(&flat.collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::super::points::{FrontPoint, Promise, TrainingFigures};
    use super::*;
    use crate::measure::Interval;

    fn front(points: impl IntoIterator<Item = (f64, [f64; 2], Vec<Promise>)>) -> FrontPoints {
        let mut front = FrontPoints::of_rates("vectors", 0.95);
        front.measured(TrainingFigures::Counted, Some(0.5));
        for (at, (complexity, training, promised)) in points.into_iter().enumerate() {
            let (threshold, training) = (Some(0.5), training.to_vec());
            let weights = Vec::new();
            let point =
                FrontPoint { member: at, threshold, weights, complexity, training, promised };
            front.push(&point).unwrap();
        }
        front
    }

    /// Complexity, true and false positive rate. Half of the rows are positive, so that the errors
    /// are 0.5, 0.3, 0.25, 0.2, 0.15 and 0.125.
    fn six() -> FrontPoints {
        let points = [
            (0.0, [0.0, 0.0]),
            (1.0, [0.6, 0.2]),
            (3.0, [0.8, 0.3]),
            (3.0, [0.7, 0.1]),
            (6.0, [0.9, 0.2]),
            (10.0, [0.95, 0.2]),
        ];
        front(points.map(|(complexity, rates)| (complexity, rates, Vec::new())))
    }

    #[test]
    fn every_criterion_takes_its_point_with_and_without_a_budget() -> Result<()> {
        let points = six();
        let costs = |alarm, miss, prior| Conditions::new(alarm, miss, prior).map(PickBy::LeastCost);
        for (by, most, expected) in [
            (PickBy::FewestErrors, None, 5),
            (PickBy::FewestErrors, Some(6.0), 4),
            (PickBy::FewestErrors, Some(3.0), 3),
            (PickBy::FewestErrors, Some(2.9), 1),
            (PickBy::FewestErrors, Some(0.0), 0),
            (costs(1.0, 1.0, 0.5)?, None, 5),
            // 0.5, 0.7, 0.85, 0.4, 0.55 and 0.525.
            (costs(5.0, 1.0, 0.5)?, None, 3),
            (costs(5.0, 1.0, 0.5)?, Some(1.0), 0),
            // 2.5, 1.1, 0.65, 0.8, 0.35 and 0.225.
            (costs(1.0, 5.0, 0.5)?, None, 5),
            (costs(1.0, 5.0, 0.5)?, Some(3.0), 2),
            // 0.1, 0.22, 0.29, 0.12, 0.19 and 0.185.
            (costs(1.0, 1.0, 0.1)?, None, 0),
            (PickBy::MaxFpr(0.1), None, 3),
            (PickBy::MaxFpr(0.2), None, 5),
            (PickBy::MaxFpr(0.2), Some(6.0), 4),
            (PickBy::MaxFpr(0.05), None, 0),
            (PickBy::MinTpr(0.8), None, 5),
            (PickBy::MinTpr(0.8), Some(6.0), 4),
            (PickBy::MinTpr(0.8), Some(3.0), 2),
            // A vector gains 0.2 of the errors, two more 0.1, three more 0.05, four more 0.025.
            (PickBy::Knee, None, 1),
            (PickBy::Knee, Some(6.0), 1),
        ] {
            assert_eq!(points.pick(by, most)?, expected, "{by:?} {most:?}");
        }
        assert!(points.pick(PickBy::MinTpr(0.96), None).is_err());
        assert!(points.pick(PickBy::MinTpr(0.9), Some(3.0)).is_err());
        let error = points.pick(PickBy::Knee, Some(-1.0)).unwrap_err();
        assert!(error.to_string().contains("no point has so few vectors"), "{error}");
        Ok(())
    }

    /// Costs 0.2 and 0.19, the second one known to 0.025: the smaller point will do.
    #[test]
    fn costs_that_differ_by_noise_leave_the_choice_to_the_complexity() -> Result<()> {
        let promise = |value: f64, sd: f64| {
            let half = sd * normal_quantile(0.975);
            Promise {
                value,
                interval: Interval { low: value - half, high: value + half, level: 0.95 },
            }
        };
        let points = front([
            (1.0, [0.5, 0.5], vec![promise(0.8, 0.0), promise(0.2, 0.0)]),
            (5.0, [0.5, 0.5], vec![promise(0.82, 0.05), promise(0.2, 0.0)]),
        ]);
        assert_eq!(points.pick(PickBy::LeastCost(Conditions::new(1.0, 1.0, 0.5)?), None)?, 0);
        assert_eq!(points.pick(PickBy::FewestErrors, None)?, 1);
        Ok(())
    }

    #[test]
    fn areas_are_those_counted_by_hand() -> Result<()> {
        let points = six();
        // Unbeaten in training: (0, 0), (0.1, 0.7) and (0.2, 0.95).
        assert_eq!(points.flattened(f64::INFINITY)?, [0, 3, 5]);
        let area = points.training_area(f64::INFINITY)?;
        assert!((area - (0.1 * 0.7 + 0.8 * 0.95)).abs() < 1e-12, "{area}");
        let area = points.training_area(3.0)?;
        assert!((area - (0.2 * 0.7 + 0.7 * 0.8)).abs() < 1e-12, "{area}");
        // A perfect point does not count where training does not show it.
        let other = [[0.0, 0.0], [1.0, 0.0], [0.0, 0.0], [0.6, 0.2], [0.0, 0.0], [0.9, 0.4]];
        let area = points.attained_area(&other, f64::INFINITY)?;
        assert!((area - (0.2 * 0.6 + 0.6 * 0.9)).abs() < 1e-12, "{area}");
        assert!(points.attained_area(&other[1..], f64::INFINITY).is_err());
        Ok(())
    }
}

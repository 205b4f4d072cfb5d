//! What errors cost: in all, on average, and under other class shares than those seen.
//!
//! Equations (2.39) to (2.41) are those of A. R. J. Clark, "Multi-Objective ROC learning for
//! classification", thesis, University of Exeter, 2011, section 2.2; the lines of equal cost
//! are due to F. Provost, T. Fawcett, "Analysis and visualization of classifier performance",
//! KDD 1997.

use super::Confusion;
use crate::error::{Error, Result};
use crate::num::argmax;
use serde::{Deserialize, Serialize};

/// What it costs to call a row of one class another; right calls may cost, too, and a negative
/// cost is a gain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Vec<f64>>", into = "Vec<Vec<f64>>")]
pub struct CostMatrix {
    classes: usize,
    /// Row-major: true class, then called class.
    cells: Vec<f64>,
}

impl CostMatrix {
    /// From rows of costs, one row for each true class, one cell for each called class.
    pub fn new(rows: &[Vec<f64>]) -> Result<Self> {
        let classes = rows.len();
        let square = rows.iter().all(|row| row.len() == classes);
        if classes == 0 || !square || rows.iter().flatten().any(|cost| !cost.is_finite()) {
            return Err(Error::unsuitable(
                "these are no costs",
                "give one row per true class, each with one finite cost per called class",
            ));
        }
        Ok(Self { classes, cells: rows.concat() })
    }

    /// Two classes of which `positive` (0 or 1) is the positive one; right calls are free.
    pub fn of_two(false_positive: f64, false_negative: f64, positive: usize) -> Result<Self> {
        let (first, second) = match positive {
            0 => (false_negative, false_positive),
            _ => (false_positive, false_negative),
        };
        Self::new(&[vec![0.0, first], vec![second, 0.0]])
    }

    /// The costs of every true class divided by a number of its own.
    #[must_use]
    pub(crate) fn divided(mut self, by: &[f64]) -> Self {
        for (row, by) in self.cells.chunks_mut(self.classes).zip(by) {
            for cost in row {
                *cost /= by;
            }
        }
        self
    }

    /// How many classes there are.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// The call of least expected cost for a row of these class probabilities, the first one
    /// among equals.
    pub fn cheapest(&self, proba: &[f64]) -> usize {
        let costs: Vec<f64> =
            (0..self.classes).map(|called| -self.expected(proba, called)).collect();
        argmax(&costs)
    }

    /// What it costs to call rows of these class probabilities, or shares, `called`.
    pub fn expected(&self, proba: &[f64], called: usize) -> f64 {
        proba.iter().enumerate().map(|(truth, p)| p * self.of(truth, called)).sum()
    }

    /// The cost of calling a row of class `truth` `called`.
    fn of(&self, truth: usize, called: usize) -> f64 {
        self.cells[truth * self.classes + called]
    }
}

impl TryFrom<Vec<Vec<f64>>> for CostMatrix {
    type Error = Error;

    fn try_from(rows: Vec<Vec<f64>>) -> Result<Self> {
        Self::new(&rows)
    }
}

impl From<CostMatrix> for Vec<Vec<f64>> {
    fn from(costs: CostMatrix) -> Self {
        costs.cells.chunks(costs.classes).map(<[f64]>::to_vec).collect()
    }
}

impl Confusion {
    /// What all calls cost together.
    pub fn total_cost(&self, costs: &CostMatrix) -> Result<f64> {
        fits(self, costs.classes)?;
        Ok((0..self.classes()).map(|truth| self.cost_of(truth, costs)).sum())
    }

    /// What a call costs on average, at the class shares that were seen.
    pub fn mean_cost(&self, costs: &CostMatrix) -> Result<f64> {
        Ok(self.total_cost(costs)? / self.total())
    }

    /// The sum over the true classes of what a row of the class costs on average: for two classes
    /// with free right calls (2.39), `F c_FP + (1 - T) c_FN`. `None` where a class has no rows.
    pub fn rate_cost(&self, costs: &CostMatrix) -> Result<Option<f64>> {
        self.expected_cost(costs, &vec![1.0; self.classes()])
    }

    /// What a call costs on average where the classes have other shares than here: the mean of
    /// the classes' average costs, weighted by `priors`. For two classes with free right calls
    /// (2.40), `p(1) (1 - T) c_FN + p(0) F c_FP`.
    ///
    /// `None` where a class of a share above 0 has no rows: what its rows cost is then not known.
    pub fn expected_cost(&self, costs: &CostMatrix, priors: &[f64]) -> Result<Option<f64>> {
        fits(self, costs.classes)?;
        fits(self, priors.len())?;
        if priors.iter().any(|p| !(p.is_finite() && *p >= 0.0)) {
            return Err(Error::unsuitable(
                "the class shares are not all numbers of at least 0",
                "give a share for every class",
            ));
        }
        let mut sum = 0.0;
        for (truth, prior) in priors.iter().enumerate().filter(|(_, prior)| **prior > 0.0) {
            let rows: f64 = self.row(truth).iter().sum();
            if rows <= 0.0 {
                return Ok(None);
            }
            sum += prior * self.cost_of(truth, costs) / rows;
        }
        Ok(Some(sum))
    }

    fn cost_of(&self, truth: usize, costs: &CostMatrix) -> f64 {
        let cells = self.row(truth).into_iter().enumerate();
        cells.map(|(called, weight)| weight * costs.of(truth, called)).sum()
    }
}

fn fits(confusion: &Confusion, classes: usize) -> Result<()> {
    if confusion.classes() == classes {
        return Ok(());
    }
    Err(Error::unsuitable(
        format!("costs or shares of {classes} classes for {} classes", confusion.classes()),
        "give one for every class",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Conditions;

    #[test]
    fn rates_and_shares_cost_as_the_thesis_says() {
        // T = 3/4, F = 1/6.
        let truth = [1, 1, 1, 1, 0, 0, 0, 0, 0, 0];
        let called = [1, 1, 1, 0, 1, 0, 0, 0, 0, 0];
        let c = Confusion::new(&truth, &called, 2, None).unwrap();
        let costs = CostMatrix::of_two(2.0, 5.0, 1).unwrap();
        assert_eq!(c.total_cost(&costs).unwrap(), 7.0);
        assert!((c.mean_cost(&costs).unwrap() - 0.7).abs() < 1e-15);
        let rate = c.rate_cost(&costs).unwrap().unwrap();
        assert!((rate - (2.0 / 6.0 + 5.0 / 4.0)).abs() < 1e-15);
        let expected = c.expected_cost(&costs, &[0.9, 0.1]).unwrap().unwrap();
        let conditions = Conditions::new(2.0, 5.0, 0.1).unwrap();
        assert!((expected - conditions.cost(1.0 / 6.0, 0.75)).abs() < 1e-15);
        // The other class as the positive one costs the same.
        let turned: Vec<u32> = truth.iter().map(|t| 1 - t).collect();
        let back: Vec<u32> = called.iter().map(|t| 1 - t).collect();
        let turned = Confusion::new(&turned, &back, 2, None).unwrap();
        let costs = CostMatrix::of_two(2.0, 5.0, 0).unwrap();
        assert_eq!(turned.total_cost(&costs).unwrap(), 7.0);
    }

    #[test]
    fn points_on_an_iso_performance_line_cost_the_same() {
        let at = Conditions::new(3.0, 4.0, 0.2).unwrap();
        let slope = at.slope().unwrap();
        assert!((slope - 0.8 * 3.0 / (0.2 * 4.0)).abs() < 1e-15);
        assert!((at.cost(0.1, 0.3) - at.cost(0.2, 0.3 + 0.1 * slope)).abs() < 1e-15);
        assert_eq!(Conditions::new(1.0, 0.0, 0.5).unwrap().slope(), None);
        assert_eq!(Conditions::new(1.0, 1.0, 0.0).unwrap().slope(), None);
        assert_eq!(Conditions::new(0.0, 1.0, 0.5).unwrap().slope(), Some(0.0));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let c = Confusion::new(&[0, 0], &[0, 1], 2, None).unwrap();
        let costs = CostMatrix::of_two(1.0, 1.0, 1).unwrap();
        assert_eq!(c.rate_cost(&costs).unwrap(), None);
        assert_eq!(c.expected_cost(&costs, &[1.0, 0.0]).unwrap(), Some(0.5));
        assert!(c.expected_cost(&costs, &[1.0]).is_err());
        assert!(c.expected_cost(&costs, &[1.0, -1.0]).is_err());
        assert!(c.total_cost(&CostMatrix::new(&[vec![0.0]]).unwrap()).is_err());
        assert!(CostMatrix::new(&[]).is_err() && CostMatrix::new(&[vec![f64::NAN]]).is_err());
        assert!(Conditions::new(0.0, 0.0, 0.5).is_err());
        assert!(Conditions::new(-1.0, 1.0, 0.5).is_err());
        assert!(Conditions::new(1.0, 1.0, f64::NAN).is_err());
    }
}

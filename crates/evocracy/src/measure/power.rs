//! How many rows it takes to show that an area is above chance, or that two areas differ.
//!
//! N. A. Obuchowski, D. K. McClish, "Sample size determination for diagnostic accuracy studies
//! involving binormal ROC curve indices", Statistics in Medicine 16 (1997) 1529-1542: a
//! two-sided test of level `a` has the power
//! `Phi((|difference| - z_a/2 sd_0) / sd_A)`, with the standard deviations of the estimated
//! difference under the hypothesis and under the alternative.

use super::interval::deviations;
use crate::error::{Error, Result};
use crate::num::normal_tail;
use serde::Serialize;

/// The formula of the variance of an area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum AreaVariance {
    /// Of binormal scores, the larger one in use (N. A. Obuchowski, Academic Radiology 1
    /// (1994); as in R's pROC): `0.0099 e^(-a^2/2) (5 a^2 + 8 + (a^2 + 8) / k) / m`, with
    /// `a = 1.414 z(A)` and `k` negatives for each of `m` positives.
    Obuchowski,
    /// Of exponential scores (J. A. Hanley, B. J. McNeil, Radiology 143 (1982) 29-36):
    /// `(A (1 - A) + (m - 1) (Q1 - A^2) + (n - 1) (Q2 - A^2)) / (m n)`,
    /// `Q1 = A / (2 - A)`, `Q2 = 2 A^2 / (1 + A)`.
    HanleyMcNeil,
}

/// A test that is planned.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct AreaTest {
    /// The area expected.
    pub auc: f64,
    /// The area to be told from: 0.5 for chance, or that of another score.
    pub against: f64,
    /// For two scores, the correlation of their estimated areas: 0 for different rows. `None`
    /// for one score tested against a fixed area.
    pub correlation: Option<f64>,
    /// The confidence of the test, 0.95 for a two-sided test at 5 %.
    pub level: f64,
    /// The formula of the variances.
    pub variance: AreaVariance,
}

/// How many rows of each class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ClassSizes {
    /// Positive rows.
    pub positives: u64,
    /// Negative rows.
    pub negatives: u64,
}

impl AreaVariance {
    /// The variance of an estimated area between 0 and 1 from `m` positives and `n` negatives.
    pub fn of(self, auc: f64, m: f64, n: f64) -> f64 {
        match self {
            Self::Obuchowski => {
                // 1.414 is printed so; the square root of 2 would not agree with other tools.
                let a = crate::num::normal_quantile(auc) * 1.414;
                let scale = 0.0099 * (-a * a / 2.0).exp();
                scale * (5.0 * a * a + 8.0 + (a * a + 8.0) * m / n) / m
            }
            Self::HanleyMcNeil => {
                let (q1, q2) = (auc / (2.0 - auc), 2.0 * auc * auc / (1.0 + auc));
                let square = auc * auc;
                let among = (m - 1.0) * (q1 - square) + (n - 1.0) * (q2 - square);
                (auc * (1.0 - auc) + among) / (m * n)
            }
        }
    }
}

impl AreaTest {
    /// A two-sided test at 5 % of one score against chance, with Obuchowski's variance.
    pub fn new(auc: f64) -> Self {
        let (correlation, variance) = (None, AreaVariance::Obuchowski);
        Self { auc, against: 0.5, correlation, level: super::LEVEL, variance }
    }

    /// The chance that the test finds the difference with `m` positives and `n` negatives (of
    /// each score, where there are two).
    pub fn power(&self, m: f64, n: f64) -> Result<f64> {
        let z = self.check()?;
        if !(m >= 1.0 && n >= 1.0 && m.is_finite() && n.is_finite()) {
            let got = format!("{m} positives and {n} negatives");
            return Err(refusal("rows", "at least one of each class", got));
        }
        let (null, real) = (self.variance.of(self.against, m, n), self.variance.of(self.auc, m, n));
        let (null, real) = match self.correlation {
            None => (null, real),
            // Under the hypothesis both areas are the one tested against.
            Some(r) => (2.0 * null * (1.0 - r), null + real - 2.0 * r * (null * real).sqrt()),
        };
        let difference = (self.auc - self.against).abs();
        Ok(normal_tail((z * null.sqrt() - difference) / real.sqrt()))
    }

    /// The smallest number of positives, with `ratio` negatives for each (rounded up), that
    /// gives the power asked for.
    pub fn sizes(&self, power: f64, ratio: f64) -> Result<ClassSizes> {
        const MOST: u64 = 1 << 50;
        if !(power > 0.0 && power < 1.0) {
            return Err(refusal("power", "above 0 and below 1", power.to_string()));
        }
        if !(1e-6..=1e6).contains(&ratio) {
            return Err(refusal("ratio", "from 1e-6 to 1e6", ratio.to_string()));
        }
        let negatives = |m: u64| (m as f64 * ratio).ceil();
        let enough = |m: u64| Ok::<_, Error>(self.power(m as f64, negatives(m))? >= power);
        let (mut low, mut high) = (0, 2);
        while !enough(high)? {
            (low, high) = (high, high * 2);
            if high > MOST {
                let got = format!("{} and {}", self.auc, self.against);
                return Err(refusal("auc", "farther from the area tested against", got));
            }
        }
        while high - low > 1 {
            let middle = u64::midpoint(low, high);
            if enough(middle)? { high = middle } else { low = middle }
        }
        Ok(ClassSizes { positives: high, negatives: negatives(high) as u64 })
    }

    fn check(&self) -> Result<f64> {
        let inside = |area: f64| area > 0.0 && area < 1.0;
        if !(inside(self.auc) && inside(self.against) && self.auc != self.against) {
            let got = format!("{} and {}", self.auc, self.against);
            return Err(refusal("auc", "two different areas above 0 and below 1", got));
        }
        if let Some(r) = self.correlation.filter(|r| !(-1.0..1.0).contains(r)) {
            return Err(refusal("correlation", "at least -1 and below 1", r.to_string()));
        }
        deviations(self.level)
    }
}

fn refusal(name: &str, expected: &str, got: String) -> Error {
    let (of, name, expected) = ("power".to_owned(), name.to_owned(), expected.to_owned());
    Error::Param { of, name, expected, got }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_the_smallest_that_reach_the_power() {
        for variance in [AreaVariance::Obuchowski, AreaVariance::HanleyMcNeil] {
            for correlation in [None, Some(0.0), Some(0.6)] {
                let test = AreaTest { against: 0.7, correlation, variance, ..AreaTest::new(0.8) };
                let sizes = test.sizes(0.9, 2.0).unwrap();
                let (m, n) = (sizes.positives as f64, sizes.negatives as f64);
                assert!(test.power(m, n).unwrap() >= 0.9);
                assert!(test.power(m - 1.0, n - 2.0).unwrap() < 0.9);
            }
        }
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(AreaTest::new(0.5).power(10.0, 10.0).is_err());
        assert!(AreaTest::new(1.0).sizes(0.8, 1.0).is_err());
        assert!(AreaTest::new(0.8).sizes(1.0, 1.0).is_err());
        assert!(AreaTest::new(0.8).sizes(0.8, 0.0).is_err());
        assert!(AreaTest::new(0.8).power(0.0, 10.0).is_err());
        assert!(
            AreaTest { correlation: Some(1.0), ..AreaTest::new(0.8) }.power(10.0, 10.0).is_err()
        );
        assert!(AreaTest { level: 95.0, ..AreaTest::new(0.8) }.power(10.0, 10.0).is_err());
        assert!(AreaTest::new(0.5 + 1e-12).sizes(0.9, 1.0).is_err());
    }
}

//! What a rule says of the rows it applies to: the probabilities of the classes, or a normal
//! distribution of a number.
//!
//! A family keeps tallies of weighted rows. Parameters fitted to a tally maximise the penalised
//! log-likelihood of its rows, so that fitting to the responsibilities of a rule is the M-step.

use crate::num::argmax;
use std::f64::consts::PI;

/// A kind of distribution.
pub(super) trait Family: Sync {
    /// A number for the outcome of a row: rows with the same number have the same density under
    /// all parameters.
    fn kind(&self, row: usize) -> u32;
    /// How long a tally is.
    fn width(&self) -> usize;
    /// Adds a row to a tally.
    fn tally(&self, row: usize, weight: f64, into: &mut [f64]);
    /// The parameters that fit the tallied rows best, penalty included.
    fn fit(&self, tally: &[f64], says: &mut Vec<f64>);
    /// The log-likelihood of the tallied rows under some parameters, without the penalty.
    fn likelihood(&self, tally: &[f64], says: &[f64]) -> f64;
    /// The logarithm of the prior density of parameters, up to a constant that is the same for all.
    fn prior(&self, says: &[f64]) -> f64;
    /// How probable the outcome of a row is.
    fn density(&self, says: &[f64], row: usize) -> f64;
    /// What of this density depends on the parameters.
    fn own(&self, _says: &[f64], _row: usize, density: f64) -> f64 {
        density
    }
    /// Whether two rules say about the same.
    fn alike(&self, a: &[f64], b: &[f64]) -> bool;
    /// How wrong it is to predict a row by what rules say on average.
    fn error(&self, says: &[f64], row: usize) -> f64;
    /// The penalised log-likelihood of the tallied rows under what fits them best.
    fn worth(&self, tally: &[f64]) -> f64;
}

/// Classes, with `alpha` rows of each added: a Dirichlet prior.
#[derive(Debug)]
pub(super) struct Labels {
    pub(super) codes: Vec<u32>,
    pub(super) classes: usize,
    pub(super) alpha: f64,
}

impl Family for Labels {
    fn kind(&self, row: usize) -> u32 {
        self.codes[row]
    }

    fn width(&self) -> usize {
        self.classes
    }

    #[inline]
    fn tally(&self, row: usize, weight: f64, into: &mut [f64]) {
        into[self.codes[row] as usize] += weight;
    }

    fn fit(&self, tally: &[f64], says: &mut Vec<f64>) {
        let total = tally.iter().sum::<f64>() + self.alpha * tally.len() as f64;
        says.clear();
        says.extend(tally.iter().map(|count| (count + self.alpha) / total));
    }

    fn likelihood(&self, tally: &[f64], says: &[f64]) -> f64 {
        tally.iter().zip(says).map(|(count, says)| count * says.ln()).sum()
    }

    fn prior(&self, says: &[f64]) -> f64 {
        self.alpha * says.iter().map(|says| says.ln()).sum::<f64>() + self.even()
    }

    #[inline]
    fn density(&self, says: &[f64], row: usize) -> f64 {
        says[self.codes[row] as usize]
    }

    fn alike(&self, a: &[f64], b: &[f64]) -> bool {
        argmax(a) == argmax(b)
    }

    /// Whether the class is another.
    fn error(&self, says: &[f64], row: usize) -> f64 {
        f64::from(argmax(says) as u32 != self.codes[row])
    }

    fn worth(&self, tally: &[f64]) -> f64 {
        let mut total = 0.0;
        let mut sum = 0.0;
        for count in tally {
            let count = count + self.alpha;
            total += count;
            sum += count * count.ln();
        }
        sum - total * total.ln() + self.even()
    }
}

impl Labels {
    /// What makes the prior 0 for a rule that says the same of all classes: then it is less for any
    /// other, by as much as that departs, and does not grow with classes that no rule tells apart.
    fn even(&self) -> f64 {
        let classes = self.classes as f64;
        self.alpha * classes * classes.ln()
    }
}

/// The density of a number that is far from all that a rule says: the rule takes it for a slip. So
/// no density is 0, and the pull of a number ends where it becomes absurd.
const FAR: f64 = 1e-9;

/// Numbers, normally distributed, with `alpha` rows of the variance `spread` added. To the density
/// comes that of numbers far away, `FAR`.
#[derive(Debug)]
pub(super) struct Normal {
    pub(super) values: Vec<f64>,
    pub(super) alpha: f64,
    pub(super) spread: f64,
}

/// Parameters are the mean and the variance; a tally holds the sums of 1, y and y^2.
impl Family for Normal {
    fn kind(&self, row: usize) -> u32 {
        row as u32
    }

    fn width(&self) -> usize {
        3
    }

    #[inline]
    fn tally(&self, row: usize, weight: f64, into: &mut [f64]) {
        let value = self.values[row];
        into[0] += weight;
        into[1] += weight * value;
        into[2] += weight * value * value;
    }

    fn fit(&self, tally: &[f64], says: &mut Vec<f64>) {
        // Sums that were taken from others may fall below 0 by rounding.
        let count = tally[0].max(1e-12);
        let mean = tally[1] / count;
        let squares = (tally[2] - mean * tally[1]).max(0.0);
        says.clear();
        says.extend([mean, (squares + self.alpha * self.spread) / (count + self.alpha)]);
    }

    fn likelihood(&self, tally: &[f64], says: &[f64]) -> f64 {
        let (mean, variance) = (says[0], says[1]);
        let squares = tally[2] - 2.0 * mean * tally[1] + mean * mean * tally[0];
        -0.5 * (tally[0] * (2.0 * PI * variance).ln() + squares / variance)
    }

    /// That of rows at the mean with the variance `spread`.
    fn prior(&self, says: &[f64]) -> f64 {
        -0.5 * self.alpha * (says[1].ln() + self.spread / says[1])
    }

    #[inline]
    fn density(&self, says: &[f64], row: usize) -> f64 {
        let off = self.values[row] - says[0];
        FAR + (-0.5 * off * off / says[1]).exp() / (2.0 * PI * says[1]).sqrt()
    }

    #[inline]
    fn own(&self, _says: &[f64], _row: usize, density: f64) -> f64 {
        density - FAR
    }

    fn alike(&self, a: &[f64], b: &[f64]) -> bool {
        (a[0] - b[0]).abs() <= a[1].sqrt() + b[1].sqrt()
    }

    /// The squared distance.
    fn error(&self, says: &[f64], row: usize) -> f64 {
        (self.values[row] - says[0]).powi(2)
    }

    fn worth(&self, tally: &[f64]) -> f64 {
        let mut says = Vec::with_capacity(2);
        self.fit(tally, &mut says);
        self.likelihood(tally, &says) + self.prior(&says)
    }
}

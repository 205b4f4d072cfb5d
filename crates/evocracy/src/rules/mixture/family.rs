//! What a rule says of the rows it applies to: the probabilities of the classes, or a normal
//! distribution of a number.
//!
//! A family keeps tallies of weighted rows. Parameters fitted to a tally maximise the penalised
//! log-likelihood of its rows, so that fitting to the responsibilities of a rule is the M-step.

use crate::num::argmax;
use std::f64::consts::PI;

/// The least probability of a class when what was held back is judged.
const FLOOR: f64 = 0.01;

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
    /// How good it is to say this, on average, of a row held back; and its outcome this probable.
    fn credit(&self, says: &[f64], density: f64, row: usize) -> f64;
    /// The penalised log-likelihood of the tallied rows under what fits them best.
    fn worth(&self, tally: &[f64]) -> f64;
}

/// Classes, with `alpha` rows of each added: a Dirichlet prior.
#[derive(Debug)]
pub(super) struct Labels {
    pub(super) codes: Vec<u32>,
    pub(super) classes: usize,
    pub(super) alpha: f64,
    /// x ln x of whole counts with the prior added, for a class and for all classes.
    each: Vec<f64>,
    all: Vec<f64>,
    /// What makes the prior 0 for a rule that says the same of all classes: then it is less for any
    /// other, by as much as that departs, and does not grow with classes that no rule tells apart.
    even: f64,
}

/// How many of them are kept.
const KEPT: usize = 1 << 15;

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
        self.alpha * says.iter().map(|says| says.ln()).sum::<f64>() + self.even
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

    /// The logarithm of its probability, of at least `FLOOR`: else the few rows that are called wrongly
    /// and surely decide.
    fn credit(&self, _says: &[f64], density: f64, _row: usize) -> f64 {
        density.max(FLOOR).ln()
    }

    fn worth(&self, tally: &[f64]) -> f64 {
        let total: f64 = tally.iter().sum();
        let sum: f64 = tally.iter().map(|count| entropy(*count, self.alpha, &self.each)).sum();
        sum - entropy(total, self.alpha * self.classes as f64, &self.all) + self.even
    }
}

/// x ln x for a count with the prior added, from the table where the count is whole.
#[inline]
fn entropy(count: f64, prior: f64, table: &[f64]) -> f64 {
    let whole = count as usize;
    match table.get(whole) {
        Some(known) if whole as f64 == count => *known,
        _ => (count + prior) * (count + prior).ln(),
    }
}

impl Labels {
    pub(super) fn new(codes: Vec<u32>, classes: usize, alpha: f64) -> Self {
        let kept = codes.len().min(KEPT);
        let all = alpha * classes as f64;
        let table = |prior: f64| -> Vec<f64> {
            (0..=kept).map(|count| entropy(count as f64, prior, &[])).collect()
        };
        let even = all * (classes as f64).ln();
        Self { codes, classes, alpha, each: table(alpha), all: table(all), even }
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

impl Normal {
    /// The mean and the variance that fit the tallied rows best.
    #[inline]
    fn best(&self, tally: &[f64]) -> (f64, f64) {
        // Sums that were taken from others may fall below 0 by rounding.
        let count = tally[0].max(1e-12);
        let mean = tally[1] / count;
        let squares = (tally[2] - mean * tally[1]).max(0.0);
        (mean, (squares + self.alpha * self.spread) / (count + self.alpha))
    }
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
        let (mean, variance) = self.best(tally);
        says.clear();
        says.extend([mean, variance]);
    }

    fn likelihood(&self, tally: &[f64], says: &[f64]) -> f64 {
        let (mean, variance) = (says[0], says[1]);
        let squares = tally[2] - 2.0 * mean * tally[1] + mean * mean * tally[0];
        -0.5 * (tally[0] * (2.0 * PI * variance).ln() + squares / variance)
    }

    /// That of rows at the mean with the variance `spread`; 0 for a rule that says this variance.
    fn prior(&self, says: &[f64]) -> f64 {
        let ratio = self.spread / says[1];
        0.5 * self.alpha * (ratio.ln() + 1.0 - ratio)
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

    /// By the error: how sure rules with few rows are says little about how right they are.
    fn credit(&self, says: &[f64], _density: f64, row: usize) -> f64 {
        -self.error(says, row)
    }

    /// With the best variance, the squares over it are as many as the rows.
    fn worth(&self, tally: &[f64]) -> f64 {
        let (_, variance) = self.best(tally);
        let rows = tally[0] + self.alpha;
        let prior = self.alpha * (self.spread.ln() + 1.0);
        -0.5 * (rows * (variance.ln() + 1.0) + tally[0] * (2.0 * PI).ln() - prior)
    }
}

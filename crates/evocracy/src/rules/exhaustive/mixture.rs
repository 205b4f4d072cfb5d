//! Expectation maximisation over all rules, equations (8) to (12).
//!
//! The parameters are held as `P(Z = j) P(C = k | Z = j)`, an array over all rules for each class.
//! With `g_jk` the sum over the rows of class `k` of `P(x | j) / P(x, k)`, the weight of the rows
//! that rule `j` answers for (8) is that parameter times `g_jk`, and (9) and (10) follow. Without a
//! prior the classes are independent of each other: a parameter is multiplied by `g_jk / N`.
//!
//! Weights would underflow: each pass multiplies them by a factor, and the density of a row that is
//! unlike all training rows of a class comes from rules whose weight falls to 1e-600. So a weight below
//! [`TINY`] is held as its logarithm, which is negative. It counts as 0 while training, where other
//! rules are at least 1e200 times as heavy, and with its value at the end.

use super::cube::{buffer, gather, rules, scatter};
use super::rows::Grouped;

/// Smaller weights are held as logarithms.
const TINY: f64 = 1e-250;

/// The logarithm of [`TINY`].
const LOG_TINY: f64 = -250.0 * std::f64::consts::LN_10;

/// The mixture and the rows it is fitted to.
pub(super) struct Mixture<'a> {
    bits: usize,
    /// The rows of each class.
    rows: &'a [Grouped],
    /// How many rows of each class are added to the counts of a rule.
    prior: f64,
    /// For each class and rule `P(Z) P(C | Z)`, or its logarithm.
    weights: Vec<Vec<f64>>,
    /// The logarithm of the prior density of the parameters, up to a constant.
    log_prior: f64,
}

impl<'a> Mixture<'a> {
    /// All rules and all classes are equally likely.
    pub(super) fn new(bits: usize, rows: &'a [Grouped], prior: f64) -> Self {
        let (count, classes) = (rules(bits), rows.len() as f64);
        let weights = vec![vec![1.0 / (count as f64 * classes); count]; rows.len()];
        let log_prior = -prior * count as f64 * classes * classes.ln();
        Self { bits, rows, prior, weights, log_prior }
    }

    /// The bytes that fitting needs.
    pub(super) fn bytes(bits: usize, classes: usize, prior: f64) -> f64 {
        let sums = if prior > 0.0 { classes } else { 1 };
        8.0 * 3_f64.powf(bits as f64) * (classes as f64 + sums as f64 + 0.5)
    }

    /// One pass. Returns the log-likelihood (4), with the logarithm of the prior, of the
    /// parameters before it; the next one is never less.
    pub(super) fn pass(&mut self) -> f64 {
        let total: f64 = self.rows.iter().map(Grouped::total).sum();
        let mut found = self.log_prior;
        let mut buffer = buffer(rules(self.bits));
        let mut sums = Vec::new();
        for (rows, weights) in self.rows.iter().zip(&mut self.weights) {
            let mut factors = vec![0.0; rows.codes.len()];
            gather(weights, &rows.codes, &mut buffer, &mut factors);
            for (factor, weight) in factors.iter_mut().zip(&rows.weights) {
                found += weight * factor.ln();
                *factor = weight / (*factor * total);
            }
            let mut of_class = vec![0.0; weights.len()];
            scatter(&factors, &rows.codes, &mut buffer, &mut of_class);
            if self.prior > 0.0 {
                sums.push(of_class);
            } else {
                weights.iter_mut().zip(&of_class).for_each(|(w, g)| *w = times(*w, *g));
            }
        }
        if self.prior > 0.0 {
            self.with_prior(&sums, total);
        }
        found
    }

    /// Equation (9) with the prior, and (10).
    fn with_prior(&mut self, sums: &[Vec<f64>], total: f64) {
        let classes = sums.len() as f64;
        let mut shares = vec![0.0; sums.len()];
        self.log_prior = 0.0;
        for rule in 0..sums[0].len() {
            for ((share, weights), sums) in shares.iter_mut().zip(&self.weights).zip(sums) {
                *share = times(weights[rule], sums[rule]);
            }
            let heavy: f64 = shares.iter().map(|share| share.max(0.0)).sum();
            // A rule with next to no rows has the prior as its P(C | Z).
            let log_z = if heavy > 0.0 { heavy.ln() } else { sum_of_logs(&shares) };
            for (share, weights) in shares.iter().zip(&mut self.weights) {
                let (rows, all) = (share.max(0.0) * total, heavy * total);
                let p_class = (rows + self.prior) / (all + classes * self.prior);
                self.log_prior += self.prior * p_class.ln();
                let value = heavy * p_class;
                weights[rule] = if value > TINY { value } else { log_z + p_class.ln() };
            }
        }
    }

    /// `P(Z)` of every rule; those too small to count as 0.
    pub(super) fn rule_weights(&self) -> Vec<f64> {
        let mut sums = vec![0.0; rules(self.bits)];
        for weights in &self.weights {
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight.max(0.0));
        }
        sums
    }

    /// `P(Z) P(C | Z)` of a rule, for each class; those too small to count as 0.
    pub(super) fn rule(&self, rule: u32) -> Vec<f64> {
        self.weights.iter().map(|weights| weights[rule as usize].max(0.0)).collect()
    }

    /// The logarithm of equation (12) for every row of bits, as a binary number, class after class.
    pub(super) fn joint(mut self) -> Vec<Vec<f64>> {
        let mut joint = Vec::new();
        for weights in &mut self.weights {
            for weight in weights.iter_mut() {
                *weight = log(*weight);
            }
            let mut logs = vec![0.0; 1 << self.bits];
            log_gather(weights, &mut buffer(weights.len()), &mut logs);
            joint.push(std::mem::take(&mut logs));
            // No longer needed, and large.
            *weights = Vec::new();
        }
        joint
    }
}

/// A weight, which may be a logarithm, times a factor.
fn times(weight: f64, factor: f64) -> f64 {
    let value = weight * factor;
    if value > TINY {
        return value;
    }
    let log = log(weight) + factor.ln();
    // A weight above the limit again is held as itself.
    if log > LOG_TINY { log.exp() } else { log }
}

fn log(weight: f64) -> f64 {
    if weight > 0.0 { weight.ln() } else { weight }
}

/// The logarithm of the sum of two numbers given by theirs.
pub(super) fn add_logs(a: f64, b: f64) -> f64 {
    let (top, low) = (a.max(b), a.min(b));
    // Beyond this the lesser one is lost in rounding.
    if low < top - 40.0 || low == f64::NEG_INFINITY { top } else { top + (low - top).exp().ln_1p() }
}

fn sum_of_logs(logs: &[f64]) -> f64 {
    logs.iter().fold(f64::NEG_INFINITY, |sum, log| add_logs(sum, *log))
}

/// As [`gather`] with logarithms, for every row without missing bits.
fn log_gather(logs: &[f64], buffer: &mut [f64], out: &mut [f64]) {
    let third = logs.len() / 3;
    if third == 0 {
        out[0] = logs[0];
        return;
    }
    let (rest, buffer) = buffer.split_at_mut(third);
    let any = &logs[2 * third..];
    let half = out.len() / 2;
    for (digit, out) in out.chunks_exact_mut(half).enumerate() {
        let own = &logs[digit * third..(digit + 1) * third];
        for ((rest, own), any) in rest.iter_mut().zip(own).zip(any) {
            *rest = add_logs(*own, any - std::f64::consts::LN_2);
        }
        log_gather(rest, buffer, out);
    }
}

/// How many of the heaviest rules have at least this share of all weight: `R` of equation (11).
pub(super) fn heaviest(mut weights: Vec<f64>, share: f64) -> usize {
    let mut wanted = share * weights.iter().sum::<f64>();
    let (mut low, mut high) = (0, weights.len());
    // The heaviest `low` are not enough, the heaviest `high` are.
    while high - low > 1 {
        let half = (high - low) / 2;
        let part = &mut weights[low..high];
        part.select_nth_unstable_by(half - 1, |a, b| b.total_cmp(a));
        let sum: f64 = part[..half].iter().sum();
        if sum < wanted {
            wanted -= sum;
            low += half;
        } else {
            high = low + half;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_weight_may_grow_again() {
        let small = times(1e-200, 1e-80);
        assert!(small < 0.0 && (small + 280.0 * std::f64::consts::LN_10).abs() < 1e-9);
        let smaller = times(small, 1e-10);
        assert!((smaller + 290.0 * std::f64::consts::LN_10).abs() < 1e-9);
        let grown = times(smaller, 1e60);
        assert!((grown / 1e-230 - 1.0).abs() < 1e-9, "{grown}");
    }
}

//! Calls of networks in single precision, where these are certain to be those in double precision.
//!
//! Single precision takes half the time. A sum whose distance from 0 exceeds a bound on all rounding
//! errors has the sign of the sum in double precision; a block of rows with any other sum is computed
//! again in double precision. So calls are the same, to the last row.
//!
//! The bound, with `u = 2^-24` (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2002,
//! section 3.1; terms in `u^2` and double precision's own errors are covered by a factor of 2): the sum
//! of a unit of `m` inputs, rounded with its factors, is off by at most
//! `(m + 4) u (|b| + sum |w| |x|)`; the hyperbolic tangent's ratio has a slope of at most 1, is itself
//! at most 1 and takes fewer than 20 operations on numbers of one sign; and the vote of `H` units adds
//! `(H + 4) u (sum |v| + |b|)`.

use super::rows::{BLOCK, Lanes};
use super::units::{CUT, Unit, Units};

/// A network in single precision.
#[derive(Debug, Default)]
pub(super) struct Quick {
    parameters: Vec<f32>,
    /// Sums farther from 0 than this have the right sign; infinite where nothing is certain.
    margin: f32,
}

impl Quick {
    /// Takes over parameters; cells are at most `reach` from 0.
    pub(super) fn set(&mut self, units: Units, parameters: &[f64], reach: f64) {
        self.margin = f32::INFINITY;
        if units.unit != Unit::Tanh {
            return;
        }
        self.parameters.clear();
        self.parameters.extend(parameters.iter().map(|value| *value as f32));
        let [biases, votes, last] = units.places();
        let (m, count) = (units.inputs as f64, units.count as f64);
        let mut error = (count + 4.0) * parameters[last].abs();
        for unit in 0..units.count {
            let weights = &parameters[unit * units.inputs..(unit + 1) * units.inputs];
            let sum = weights.iter().map(|weight| weight.abs()).sum::<f64>() * reach;
            let own = (m + 4.0) * (sum + parameters[biases + unit].abs());
            error += parameters[votes + unit].abs() * (own + 20.0 + count + 4.0);
        }
        let margin = 2.0 * error / f64::from(1_u32 << 24);
        // Numbers that single precision cannot hold, or holds with fewer digits, are left to the other.
        let range = 1e-30..1e30;
        if range.contains(&margin) && range.contains(&(reach + 1e-20)) {
            self.margin = (margin * 1.001) as f32;
        }
    }

    /// The sums of the rows of a block, if all have the right sign for certain.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
    pub(super) fn sums(&self, units: Units, block: &[[f32; BLOCK]]) -> Option<Lanes> {
        if self.margin.is_infinite() {
            return None;
        }
        let [biases, votes, last] = units.places();
        let mut sums = [self.parameters[last]; BLOCK];
        for unit in 0..units.count {
            let weights = &self.parameters[unit * units.inputs..(unit + 1) * units.inputs];
            let mut sum = [self.parameters[biases + unit]; BLOCK];
            for (weight, column) in weights.iter().zip(block) {
                for i in 0..BLOCK {
                    sum[i] += weight * column[i];
                }
            }
            let vote = self.parameters[votes + unit];
            for i in 0..BLOCK {
                sums[i] += vote * tanh(sum[i]);
            }
        }
        let mut certain = true;
        for sum in &sums {
            certain &= sum.abs() > self.margin;
        }
        certain.then(|| sums.map(f64::from))
    }
}

/// As `units::tanh`.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
fn tanh(x: f32) -> f32 {
    let x = x.clamp(-CUT as f32, CUT as f32);
    let s = x * x;
    let above = x * (135_135.0 + s * (17_325.0 + s * (378.0 + s)));
    let below = 135_135.0 + s * (62_370.0 + s * (3150.0 + s * 28.0));
    above / below
}

#[cfg(test)]
mod tests {
    use super::super::{Hard, HardUnits, LabelledRows};
    use super::*;
    use crate::evolve::{gauss, rng};
    use crate::run::Seed;

    /// Calls with all parameters are those that are computed in double precision, unit by unit.
    #[test]
    fn calls_are_those_of_double_precision() {
        let (n, m) = (100, 5);
        let mut rng = rng(Seed::new(12));
        let mut certain = 0;
        for (row_scale, scale, votes) in
            [(1.0, 1.0, 1.0), (1.0, 1e-4, 1.0), (1e3, 1e2, 1e-6), (1e-9, 1.0, 1e9), (1.0, 0.0, 1.0)]
        {
            let cells: Vec<f64> = (0..n * m).map(|_| row_scale * gauss(&mut rng)).collect();
            let positive: Vec<bool> = (0..n).map(|row| row % 3 == 0).collect();
            let units = Units::mlp(m, 4);
            let rows = LabelledRows::from_columns(&cells, &positive).unwrap();
            let hard = HardUnits { units, rows };
            for _ in 0..50 {
                let [_, first, _] = units.places();
                let draw = |at: usize, x: f64| if at < first { scale * x } else { votes * x };
                let parameters: Vec<f64> =
                    (0..units.parameters()).map(|at| draw(at, gauss(&mut rng))).collect();
                let mut quick = Quick::default();
                quick.set(units, &parameters, hard.rows.reach);
                certain += usize::from(quick.sums(units, hard.rows.quick(0)).is_some());
                let mut trial = hard.start().unwrap();
                let found = trial.call(&parameters, None, &|_| true).unwrap();
                trial.keep();
                // A parameter that is said to have moved and has not: units are computed one by one.
                assert_eq!(trial.call(&parameters, Some(&[0]), &|_| true).unwrap(), found);
            }
        }
        assert!(certain > 50, "{certain}");
    }
}

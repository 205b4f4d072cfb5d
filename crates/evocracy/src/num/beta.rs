//! The regularised incomplete beta function, both tails to full relative precision.
//!
//! The continued fraction is 26.5.8 of M. Abramowitz, I. A. Stegun, "Handbook of Mathematical
//! Functions" (1964), evaluated from the front (W. J. Lentz, Applied Optics 15 (1976) 668-671).
//! What stands before it is a binomial density in the saddle-point form of C. Loader, "Fast and
//! accurate computation of binomial probabilities" (2000), which does not lose digits when `a`
//! and `b` are large, as differences of log-gammas do.

use statrs::function::gamma::ln_gamma;

/// The fraction needs about `sqrt(max(a, b))` terms; more than this never helps.
const TERMS: u32 = 1_000_000;

/// `I_x(a, b)` and `1 - I_x(a, b)` for `a, b > 0`, `0 <= x <= 1` and `y = 1 - x`, given apart
/// because it may be known to more digits than `1 - x` has.
pub(super) fn tails(a: f64, b: f64, x: f64, y: f64) -> (f64, f64) {
    if !(a > 0.0 && b > 0.0 && x >= 0.0 && y >= 0.0) {
        return (f64::NAN, f64::NAN);
    }
    if x == 0.0 || y == 0.0 {
        return if x == 0.0 { (0.0, 1.0) } else { (1.0, 0.0) };
    }
    // The smaller tail comes from the fraction, the larger from what is left.
    if x < (a + 1.0) / (a + b + 2.0) {
        let lower = (density(a, b, x, y) / a / fraction(a, b, x)).min(1.0);
        (lower, 1.0 - lower)
    } else {
        let upper = (density(a, b, x, y) / b / fraction(b, a, y)).min(1.0);
        (1.0 - upper, upper)
    }
}

/// `x^a y^b / B(a, b)`.
fn density(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let n = a + b;
    let exponent = stirling(n) - stirling(a) - stirling(b) - excess(a, n * x) - excess(b, n * y);
    (a / n * b / std::f64::consts::TAU).sqrt() * exponent.exp()
}

/// What Stirling's formula lacks: `ln gamma(n + 1) - (n + 1/2) ln n + n - ln(2 pi) / 2`.
fn stirling(n: f64) -> f64 {
    if n < 15.0 {
        return ln_gamma(n + 1.0) - (n + 0.5) * n.ln() + n - 0.5 * std::f64::consts::TAU.ln();
    }
    let m = 1.0 / (n * n);
    (1.0 / 12.0 - m * (1.0 / 360.0 - m * (1.0 / 1260.0 - m * (1.0 / 1680.0 - m / 1188.0)))) / n
}

/// `k ln(k / mean) + mean - k`, at least 0, without cancellation where both are near.
fn excess(k: f64, mean: f64) -> f64 {
    let v = (k - mean) / (k + mean);
    if v.abs() > 0.1 {
        return k * (k / mean).ln() + mean - k;
    }
    // ln(k / mean) = 2 atanh(v), whose first term cancels against mean - k.
    let square = v * v;
    let mut power = 2.0 * k * v;
    let mut sum = v * (k - mean);
    for odd in (3..).step_by(2) {
        power *= square;
        let term = power / f64::from(odd);
        sum += term;
        if term.abs() <= f64::EPSILON * sum.abs() {
            break;
        }
    }
    sum
}

/// `1 + d1 / (1 + d2 / (1 + ...))`.
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away = |v: f64| if v.abs() < TINY { TINY } else { v };
    let (mut value, mut c, mut d) = (1.0, 1.0, 0.0);
    for term in 1..TERMS {
        let m = f64::from(term / 2);
        let coefficient = if term % 2 == 0 {
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
        } else {
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
        };
        d = 1.0 / away(1.0 + coefficient * d);
        c = away(1.0 + coefficient / c);
        value *= c * d;
        if (c * d - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_forms() {
        for x in [1e-9, 0.1, 0.5, 0.9, 0.999] {
            let y = 1.0 - x;
            // I_x(1, b) = 1 - (1 - x)^b and I_x(a, 1) = x^a.
            for power in [0.5, 1.0, 7.0, 30.0_f64] {
                let (lower, upper) = tails(1.0, power, x, y);
                assert!((upper / y.powf(power) - 1.0).abs() < 1e-12, "{x} {power}");
                assert!((lower + upper - 1.0).abs() < 1e-14);
                let (lower, _) = tails(power, 1.0, x, y);
                assert!((lower / x.powf(power) - 1.0).abs() < 1e-12, "{x} {power}");
            }
        }
        let (half, _) = tails(5e6, 5e6, 0.5, 0.5);
        assert!((half - 0.5).abs() < 1e-12);
        assert!(tails(0.0, 1.0, 0.5, 0.5).0.is_nan());
        assert!(tails(1.0, 1.0, f64::NAN, 0.5).0.is_nan());
    }
}

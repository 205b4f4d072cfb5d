//! How likely a value at least as large is, under the distributions that tests use.
//!
//! Small tails keep their digits: nothing here is computed as 1 minus something near 1. All
//! return NaN where the distribution or the value makes no sense; nothing panics.

use super::beta;
use statrs::function::gamma::checked_gamma_ur;

/// The probability that a standard normal variable is above `z`.
pub fn normal_tail(z: f64) -> f64 {
    // Not statrs, whose erfc is good to 10 digits only.
    0.5 * libm::erfc(z / std::f64::consts::SQRT_2)
}

/// The probability that a chi-square variable of `freedom` degrees is above `x`.
pub fn chi_square_tail(x: f64, freedom: f64) -> f64 {
    if x.is_nan() || !(freedom > 0.0 && freedom.is_finite()) {
        return f64::NAN;
    }
    if x <= 0.0 || x == f64::INFINITY {
        return if x <= 0.0 { 1.0 } else { 0.0 };
    }
    checked_gamma_ur(freedom / 2.0, x / 2.0).unwrap_or(f64::NAN)
}

/// The probability that Student's t of `freedom` degrees is above `t`.
pub fn t_tail(t: f64, freedom: f64) -> f64 {
    if t.is_nan() || !(freedom > 0.0 && freedom.is_finite()) {
        return f64::NAN;
    }
    // Divided by the larger term, so that no square overflows.
    let ratio = t * (t / freedom);
    let (x, y) = if ratio > 1.0 {
        let r = freedom / t / t;
        (r / (1.0 + r), 1.0 / (1.0 + r))
    } else {
        (1.0 / (1.0 + ratio), ratio / (1.0 + ratio))
    };
    let beyond = 0.5 * beta::tails(freedom / 2.0, 0.5, x, y).0;
    if t < 0.0 { 1.0 - beyond } else { beyond }
}

/// The value that Student's t of `freedom` degrees exceeds with probability `p`, which is above 0
/// and at most one half; NaN elsewhere.
pub fn t_quantile_above(p: f64, freedom: f64) -> f64 {
    if !(p > 0.0 && p <= 0.5) || t_tail(0.0, freedom).is_nan() {
        return f64::NAN;
    }
    let (mut low, mut high) = (0.0, 1.0);
    while t_tail(high, freedom) > p && high < f64::MAX / 4.0 {
        (low, high) = (high, 2.0 * high);
    }
    // Halved until the ends are neighbours.
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return middle;
        }
        if t_tail(middle, freedom) > p { low = middle } else { high = middle }
    }
}

/// The probability that an F variable of `between` and `within` degrees of freedom is above `f`.
pub fn f_tail(f: f64, between: f64, within: f64) -> f64 {
    let positive = |v: f64| v > 0.0 && v.is_finite();
    if f.is_nan() || !positive(between) || !positive(within) {
        return f64::NAN;
    }
    if f <= 0.0 || f == f64::INFINITY {
        return if f <= 0.0 { 1.0 } else { 0.0 };
    }
    let ratio = between / within * f;
    let (x, y) = (1.0 / (1.0 + ratio), 1.0 / (1.0 + 1.0 / ratio));
    beta::tails(within / 2.0, between / 2.0, x, y).0
}

/// The probability of at most `k` successes in `n` trials that succeed with probability `p`.
pub fn binomial_at_most(k: u64, n: u64, p: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    if k >= n {
        return 1.0;
    }
    beta::tails((n - k) as f64, k as f64 + 1.0, 1.0 - p, p).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_t_are_those_of_tables() {
        // Two-sided 95 % of Student's t in any textbook.
        for (freedom, t) in [(1.0, 12.706), (2.0, 4.303), (9.0, 2.262), (29.0, 2.045)] {
            assert!((t_quantile_above(0.025, freedom) - t).abs() < 5e-4, "{freedom}");
        }
        assert!(t_quantile_above(0.5, 3.0).abs() < 1e-300);
        assert!(t_quantile_above(0.0, 3.0).is_nan() && t_quantile_above(0.1, 0.0).is_nan());
    }

    #[test]
    fn ends_and_nonsense() {
        assert_eq!((chi_square_tail(0.0, 3.0), chi_square_tail(f64::INFINITY, 3.0)), (1.0, 0.0));
        assert_eq!((f_tail(-1.0, 2.0, 3.0), f_tail(f64::INFINITY, 2.0, 3.0)), (1.0, 0.0));
        assert_eq!((t_tail(0.0, 5.0), t_tail(f64::INFINITY, 5.0)), (0.5, 0.0));
        assert_eq!((t_tail(f64::NEG_INFINITY, 5.0), t_tail(1e200, 2.0)), (1.0, 0.0));
        assert_eq!((binomial_at_most(9, 9, 0.5), binomial_at_most(0, 3, 0.0)), (1.0, 1.0));
        assert_eq!(binomial_at_most(2, 3, 1.0), 0.0);
        for nan in [
            chi_square_tail(1.0, 0.0),
            t_tail(f64::NAN, 1.0),
            t_tail(1.0, f64::INFINITY),
            f_tail(1.0, -1.0, 1.0),
            binomial_at_most(1, 3, 1.5),
            normal_tail(f64::NAN),
        ] {
            assert!(nan.is_nan());
        }
    }
}

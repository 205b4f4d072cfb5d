//! The range of standard normal variables: the studentised range with infinite degrees of
//! freedom.
//!
//! For `k` independent standard normal variables the range is above `q` with probability
//!
//! ```text
//! k integral phi(z) { Q(z)^(k-1) - [Q(z) - Q(z+q)]^(k-1) } dz,    Q(z) = 1 - Phi(z),
//! ```
//!
//! where `z` is the smallest of them (H. O. Hartley, Biometrika 32 (1942) 334-348, turned into a
//! tail so that small ones keep their digits). The integrand is smooth and falls like
//! `exp(-z^2/2)` to both sides, so plain sums of equal steps converge faster than any power of the
//! step (L. N. Trefethen, J. A. C. Weideman, SIAM Review 56 (2014) 385-458): the result is good to
//! about 12 digits.

use super::normal_tail;

const STEP: f64 = 1.0 / 16.0;
/// Beyond this many standard deviations a normal density is below 1e-300.
const REACH: f64 = 38.0;

/// The probability that the range of `k` independent standard normal variables is above `q`.
///
/// NaN for fewer than two variables or a NaN `q`; 1 for a range of at most 0.
pub fn normal_range_tail(q: f64, k: usize) -> f64 {
    if k < 2 || q.is_nan() {
        return f64::NAN;
    }
    if q <= 0.0 {
        return 1.0;
    }
    let others = (k - 1) as f64;
    let steps = (REACH / STEP) as i32;
    let mut sum = 0.0;
    for step in -steps..=steps {
        let z = f64::from(step) * STEP;
        let above = normal_tail(z);
        if above == 0.0 {
            continue;
        }
        // Q(z)^(k-1) (1 - (1 - r)^(k-1)) with r = Q(z+q) / Q(z).
        let beyond = (normal_tail(z + q) / above).min(1.0);
        let outside = -(others * (-beyond).ln_1p()).exp_m1();
        sum += (-0.5 * z * z).exp() * (others * above.ln()).exp() * outside;
    }
    let scale = STEP / std::f64::consts::TAU.sqrt();
    (k as f64 * scale * sum).min(1.0)
}

/// The range that `k` independent standard normal variables exceed with probability `tail`.
///
/// NaN for fewer than two variables and outside 0 and 1.
pub fn normal_range_quantile(tail: f64, k: usize) -> f64 {
    if k < 2 || !(tail > 0.0 && tail < 1.0) {
        return f64::NAN;
    }
    // The tail falls with the range, so halving a bracket cannot fail; 200 halvings are more
    // than a float has bits.
    let (mut low, mut high) = (0.0, 1.0);
    while normal_range_tail(high, k) > tail && high < 2.0 * REACH {
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if normal_range_tail(middle, k) > tail {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_of_two_is_a_normal_difference() {
        for q in [0.01, 0.5, 2.0, 5.0, 20.0] {
            let exact = 2.0 * normal_tail(q / std::f64::consts::SQRT_2);
            assert!((normal_range_tail(q, 2) / exact - 1.0).abs() < 1e-11, "{q}");
        }
        assert_eq!(normal_range_tail(0.0, 2), 1.0);
        assert!(normal_range_tail(1.0, 1).is_nan() && normal_range_quantile(0.0, 3).is_nan());
    }

    #[test]
    fn quantiles_undo_tails() {
        for k in [2, 3, 10, 100] {
            for tail in [1e-9, 0.01, 0.05, 0.5, 0.999] {
                let q = normal_range_quantile(tail, k);
                assert!((normal_range_tail(q, k) / tail - 1.0).abs() < 1e-9, "{k} {tail}");
            }
        }
    }
}

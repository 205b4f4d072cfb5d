//! The standard normal distribution.

use statrs::distribution::{ContinuousCDF, Normal};

/// The value below which a standard normal variable lies with probability `p`.
///
/// Infinite at 0 and 1, NaN outside.
pub fn normal_quantile(p: f64) -> f64 {
    // statrs panics outside [0, 1].
    if p.is_nan() || !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    Normal::standard().inverse_cdf(p)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_infinite_and_nothing_lies_outside() {
        assert_eq!(normal_quantile(0.0), f64::NEG_INFINITY);
        assert_eq!(normal_quantile(1.0), f64::INFINITY);
        for p in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert!(normal_quantile(p).is_nan());
        }
    }
}

//! The score interval of a rate.
//!
//! E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
//! Journal of the American Statistical Association 22 (1927) 209-212. Unlike the textbook
//! interval it stays within 0 and 1 and has a width even when all trials end alike.

use super::interval::{Interval, deviations};
use crate::error::{Error, Result};

/// Wilson's interval for a rate seen as `successes` of `trials`, without continuity correction.
///
/// Both may be fractional, as the effective number of weighted rows is.
pub fn wilson(successes: f64, trials: f64, level: f64) -> Result<Interval> {
    let z = deviations(level)?;
    if !(trials > 0.0 && trials.is_finite() && (0.0..=trials).contains(&successes)) {
        return Err(Error::unsuitable(
            format!("{successes} successes of {trials} trials are no rate"),
            "there must be trials, and no more successes than trials",
        ));
    }
    let rate = successes / trials;
    let shrink = z * z / trials;
    let middle = (rate + shrink / 2.0) / (1.0 + shrink);
    let half = (shrink * (rate * (1.0 - rate) + shrink / 4.0)).sqrt() / (1.0 + shrink);
    Ok(Interval {
        // Rounding must not open the ends that are closed by definition.
        low: if successes == 0.0 { 0.0 } else { (middle - half).max(0.0) },
        high: if successes == trials { 1.0 } else { (middle + half).min(1.0) },
        level,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_at_the_ends_keep_a_width_and_touch_the_end() {
        let none = wilson(0.0, 10.0, 0.95).unwrap();
        let all = wilson(10.0, 10.0, 0.95).unwrap();
        assert_eq!((none.low, all.high), (0.0, 1.0));
        assert!(none.high > 0.25 && (1.0 - all.low - none.high).abs() < 1e-15);
    }

    #[test]
    fn what_is_no_rate_or_no_level_is_refused() {
        for (successes, trials, level) in
            [(1.0, 0.0, 0.95), (2.0, 1.0, 0.95), (-1.0, 1.0, 0.95), (f64::NAN, 1.0, 0.95)]
        {
            assert!(wilson(successes, trials, level).is_err());
        }
        for level in [0.0, 1.0, 95.0, f64::NAN] {
            assert!(wilson(1.0, 2.0, level).is_err());
        }
    }
}

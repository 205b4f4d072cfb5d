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

/// Where a rate will lie among `future` new trials, after it was seen as `successes` of `trials`.
///
/// The rate of the new trials differs from the old one by chance twice; the interval holds all
/// rates whose difference is within the deviations of the pooled rate (K. Krishnamoorthy, J. Peng,
/// "Improved closed-form prediction intervals for binomial and Poisson distributions", Journal of
/// Statistical Planning and Inference 141 (2011) 1709-1718). For endless new trials it is Wilson's.
pub fn predicted_rate(successes: f64, trials: f64, future: f64, level: f64) -> Result<Interval> {
    let wilson = wilson(successes, trials, level)?;
    if future == f64::INFINITY {
        return Ok(wilson);
    }
    if future.is_nan() || future <= 0.0 {
        return Err(Error::unsuitable(
            format!("{future} new trials have no rate"),
            "there must be new trials",
        ));
    }
    // (r - p)^2 = z^2 q (1 - q) (1 / n + 1 / m) with the pooled q = (n p + m r) / (n + m) is a
    // quadratic equation in r; with a = m / (n + m), q = p + a (r - p).
    let z = deviations(level)?;
    let p = successes / trials;
    let share = future / (trials + future);
    let spread = z * z * (1.0 / trials + 1.0 / future);
    let square = 1.0 + spread * share * share;
    let half_linear = 0.5 * spread * share * (1.0 - 2.0 * p);
    let constant = spread * p * (1.0 - p);
    let root = (half_linear * half_linear + square * constant).sqrt();
    let end = |sign: f64| p + (half_linear + sign * root) / square;
    Ok(Interval {
        low: if successes == 0.0 { 0.0 } else { end(-1.0).max(0.0) },
        high: if successes == trials { 1.0 } else { end(1.0).min(1.0) },
        level,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_new_trials_have_the_interval_of_the_rate_and_few_a_wider_one() {
        let [all, many, few] = [f64::INFINITY, 1e9, 20.0]
            .map(|future| predicted_rate(30.0, 100.0, future, 0.95).unwrap());
        assert!((all.low - many.low).abs() < 1e-6 && (all.high - many.high).abs() < 1e-6);
        assert!(few.low < all.low && few.high > all.high);
        let none = predicted_rate(0.0, 10.0, 10.0, 0.95).unwrap();
        assert!(none.low == 0.0 && none.high > 0.3);
        assert!(predicted_rate(1.0, 2.0, 0.0, 0.95).is_err());
    }

    #[test]
    fn new_rates_lie_in_their_interval_as_often_as_it_says() {
        use rand::RngExt;
        let mut rng = crate::run::Seed::new(11).rng();
        for (p, n, m) in [(0.3, 80, 200), (0.9, 150, 60), (0.05, 300, 300)] {
            let mut inside = 0;
            for _ in 0..4000 {
                let mut draw =
                    |trials: u32| (0..trials).filter(|_| rng.random_bool(p)).count() as f64;
                let (seen, new) = (draw(n), draw(m));
                let interval = predicted_rate(seen, f64::from(n), f64::from(m), 0.95).unwrap();
                let rate = new / f64::from(m);
                inside += u32::from((interval.low..=interval.high).contains(&rate));
            }
            let share = f64::from(inside) / 4000.0;
            assert!((0.93..0.98).contains(&share), "{p} {n} {m}: {share}");
        }
    }

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

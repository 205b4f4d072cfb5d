//! The logarithm of rising factorials, of which Bayesian scores are made.

/// So many factors are multiplied before the logarithm is taken.
const FACTORS: u32 = 16;

/// `ln(a (a + 1) ... (a + n - 1)) = ln Gamma(a + n) - ln Gamma(a)` for one `a` above 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rising {
    a: f64,
    log_gamma: f64,
}

impl Rising {
    pub fn new(a: f64) -> Self {
        Self { a, log_gamma: log_gamma(a) }
    }

    /// The same for a weight in the place of a count: `ln Gamma(a + n) - ln Gamma(a)`.
    pub fn log_weight(self, n: f64) -> f64 {
        log_gamma(self.a + n) - self.log_gamma
    }

    /// The logarithm of the rising factorial of `n` factors.
    #[inline]
    pub fn log(self, n: u32) -> f64 {
        match n {
            0 => 0.0,
            1..=FACTORS => product(self.a, n).ln(),
            _ => stirling(self.a + f64::from(n)) - self.log_gamma,
        }
    }
}

#[inline]
fn product(a: f64, n: u32) -> f64 {
    (0..n).fold(1.0, |all, i| all * (a + f64::from(i)))
}

/// `ln Gamma(x)` for `x` above 0.
fn log_gamma(x: f64) -> f64 {
    stirling(x + f64::from(FACTORS)) - product(x, FACTORS).ln()
}

/// `ln Gamma(x)` by Stirling's series, right to 1e-14 for `x` of 16 and more.
#[inline]
fn stirling(x: f64) -> f64 {
    const HALF_LOG_TAU: f64 = 0.918_938_533_204_672_8;
    let y = 1.0 / (x * x);
    let series = (1.0 / 12.0 - y * (1.0 / 360.0 - y * (1.0 / 1260.0 - y / 1680.0))) / x;
    (x - 0.5) * x.ln() - x + HALF_LOG_TAU + series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_difference_of_two_log_gammas() {
        for a in [1e-7, 0.003, 0.5, 1.0, 3.0, 17.5, 1e4] {
            let rising = Rising::new(a);
            let mut sum = 0.0;
            for n in 0..3000_u32 {
                let (got, scale) = (rising.log(n), 1.0 + f64::abs(sum));
                assert!((got - sum).abs() < 1e-12 * scale, "{a} {n}: {got} {sum}");
                let weight = rising.log_weight(f64::from(n));
                assert!((weight - sum).abs() < 1e-11 * scale, "{a} {n}: {weight} {sum}");
                sum += (a + f64::from(n)).ln();
            }
        }
    }
}

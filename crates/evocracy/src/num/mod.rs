//! Numbers without meaning: special functions and small helpers, in front of the crates that
//! compute them so that the rest of the library does not depend on those crates.

mod beta;
mod normal;
mod tails;

pub use normal::normal_quantile;
pub use tails::{binomial_at_most, chi_square_tail, f_tail, normal_tail, t_tail};

/// The position of the largest value; the first one among equals, 0 for no values.
///
/// NaN is never larger than anything.
pub fn argmax(values: &[f64]) -> usize {
    (1..values.len()).fold(0, |best, i| if values[i] > values[best] { i } else { best })
}

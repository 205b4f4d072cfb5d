//! Numerical methods: linear algebra, special functions and small helpers, in front of the
//! crates that compute them so that the rest of the library does not depend on those crates.

mod beta;
pub(crate) mod bits;
pub(crate) mod cholesky;
mod exp;
pub(crate) mod lbfgs;
pub(crate) mod logit;
pub(crate) mod matrix;
mod normal;
mod studentized;
pub(crate) mod symmetric;
mod tails;
mod wide;

pub(crate) use exp::exp;
pub use normal::normal_quantile;
pub use studentized::{normal_range_quantile, normal_range_tail};
pub use tails::{binomial_at_most, chi_square_tail, f_tail, normal_tail, t_quantile_above, t_tail};
pub(crate) use wide::{add_four, add_scaled, dot, wide};

/// The position of the largest value; the first one among equals, 0 for no values.
///
/// NaN is never larger than anything.
pub fn argmax(values: &[f64]) -> usize {
    (1..values.len()).fold(0, |best, i| if values[i] > values[best] { i } else { best })
}

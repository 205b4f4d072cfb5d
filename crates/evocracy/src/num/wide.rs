//! Loops for the widest registers that the processor has.
//!
//! [`wide`] runs a closure that was compiled once for each kind of processor and picks the right
//! one when it is called. Whatever the closure calls must be `#[inline(always)]` to be compiled
//! with it. Nothing here fuses or reorders operations: sums run in a fixed number of lanes, so
//! that every processor gives the same bits.

/// How many sums run side by side.
const LANES: usize = 8;

/// Runs the work with the instructions this processor has.
#[inline]
pub(crate) fn wide<R>(work: impl FnOnce() -> R) -> R {
    pulp::Arch::new().dispatch(work)
}

/// The sum of the products of two slices of one length.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (&a[..a.len().min(b.len())], &b[..a.len().min(b.len())]);
    let mut lanes = [0.0; LANES];
    let (whole, rest) = a.as_chunks::<LANES>();
    let (other, end) = b.as_chunks::<LANES>();
    for (a, b) in whole.iter().zip(other) {
        for lane in 0..LANES {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    let tail: f64 = rest.iter().zip(end).map(|(a, b)| a * b).sum();
    let [a, b, c, d, e, f, g, h] = lanes;
    (((a + e) + (b + f)) + ((c + g) + (d + h))) + tail
}

/// Adds `factor` times one slice to another.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
pub(crate) fn add_scaled(to: &mut [f64], factor: f64, from: &[f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_products_are_exact_on_whole_numbers() {
        for len in 0..40_u32 {
            let a: Vec<f64> = (0..len).map(f64::from).collect();
            let expected: f64 = a.iter().map(|a| a * a).sum();
            assert_eq!(dot(&a, &a), expected);
            assert_eq!(wide(|| dot(&a, &a)), expected);
        }
    }
}

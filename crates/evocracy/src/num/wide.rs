//! Loops for the widest registers that the processor has.
//!
//! [`wide`] runs a closure that was compiled once for each kind of processor and picks the right
//! one when it is called. The closure and whatever it calls must be `#[inline(always)]` to be
//! compiled with it. Nothing here fuses or reorders operations: sums run in a fixed number of lanes, so
//! that every processor gives the same bits.

/// How many sums run side by side.
const LANES: usize = 16;

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
        for i in 0..LANES {
            lanes[i] += a[i] * b[i];
        }
    }
    let tail: f64 = rest.iter().zip(end).map(|(a, b)| a * b).sum();
    // Summed in halves, in steps that fill a register.
    let (mut half, mut last) = ([0.0; LANES / 2], [0.0; LANES / 4]);
    for i in 0..LANES / 2 {
        half[i] = lanes[i] + lanes[i + LANES / 2];
    }
    for i in 0..LANES / 4 {
        last[i] = half[i] + half[i + LANES / 4];
    }
    ((last[0] + last[2]) + (last[1] + last[3])) + tail
}

/// Adds `factor` times one slice to another.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
pub(crate) fn add_scaled(to: &mut [f64], factor: f64, from: &[f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}

/// Adds four slices, each times its factor: the sum is read and written once instead of four
/// times.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
pub(crate) fn add_four(to: &mut [f64], factors: [f64; 4], from: [&[f64]; 4]) {
    let count = to.len();
    let [a, b, c, d] = from.map(
        #[inline(always)]
        |slice| &slice[..count],
    );
    for i in 0..count {
        to[i] += (factors[0] * a[i] + factors[1] * b[i]) + (factors[2] * c[i] + factors[3] * d[i]);
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
            assert_eq!(
                wide(
                    #[inline(always)]
                    || dot(&a, &a)
                ),
                expected
            );
        }
    }
}

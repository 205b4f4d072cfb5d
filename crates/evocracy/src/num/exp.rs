//! The exponential function as straight arithmetic, so that loops over it use wide registers.

/// `1.5 * 2^52`: added and taken away again it rounds to the nearest whole number.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// The upper bits of ln 2, so that small multiples of it are exact, and what is left of it.
const LN_2: [f64; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];

/// `1 / i!` from 13 down to 2.
const TAYLOR: [f64; 12] = [
    1.0 / 6_227_020_800.0,
    1.0 / 479_001_600.0,
    1.0 / 39_916_800.0,
    1.0 / 3_628_800.0,
    1.0 / 362_880.0,
    1.0 / 40_320.0,
    1.0 / 5_040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    0.5,
];

/// `e^x` for `x` from -708 to 709, which is about where it leaves the range of normal numbers;
/// beyond, the value at the limit. Within 2 units in the last place; the same bits on every
/// processor.
///
/// `x = k ln 2 + r` with `|r| <= ln 2 / 2`: `2^k` times the Taylor polynomial of degree 13 in
/// `r`, whose error is below 1e-17.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
pub(crate) fn exp(x: f64) -> f64 {
    let x = x.clamp(-708.0, 709.0);
    let shifted = x * std::f64::consts::LOG2_E + ROUND;
    let k = shifted - ROUND;
    let r = (x - k * LN_2[0]) - k * LN_2[1];
    let mut sum = TAYLOR[0];
    for factor in &TAYLOR[1..] {
        sum = sum * r + factor;
    }
    let power = sum * r * r + r + 1.0;
    // The low bits of `shifted` are k; with the bias of the exponent they make 2^k.
    let scale = f64::from_bits((shifted.to_bits().wrapping_add(1023)) << 52);
    power * scale
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_exponential_function() {
        for step in -70_800..=70_900 {
            let x = f64::from(step) / 100.0 + 1e-7;
            let (found, expected) = (exp(x), x.clamp(-708.0, 709.0).exp());
            assert!((found - expected).abs() <= 4e-16 * expected, "exp({x}) is not {found}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(-f64::INFINITY), exp(-708.0));
        assert!(exp(f64::NAN).is_nan());
    }
}

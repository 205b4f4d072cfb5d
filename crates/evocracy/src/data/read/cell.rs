//! What a single cell says.

use super::word;
use std::cmp::Ordering;

/// A cell within a longer text: what follows it is there too, so that eight bytes can be taken
/// at a time.
#[derive(Clone, Copy)]
pub(super) struct Cell<'a> {
    rest: &'a [u8],
    len: usize,
}

impl<'a> Cell<'a> {
    /// The first `len` bytes of `rest`.
    pub(super) fn new(rest: &'a [u8], len: usize) -> Self {
        debug_assert!(len <= rest.len());
        Self { rest, len }
    }

    /// The cell without surrounding white space.
    pub(super) fn trimmed(self) -> &'a [u8] {
        let bytes = &self.rest[..self.len];
        match bytes {
            [first, .., last] if !(first.is_ascii_whitespace() || last.is_ascii_whitespace()) => {
                bytes
            }
            _ => bytes.trim_ascii(),
        }
    }

    /// The number in the cell where it is written plainly and without white space around it; for
    /// any other cell `None`, and [`number`] of its trimmed bytes says more.
    pub(super) fn plain_number(self) -> Option<f64> {
        plain_decimal(self.rest, self.len)
    }
}

/// The number in a cell (infinite ones included), or `None` where it is text.
pub(super) fn number(cell: &[u8]) -> Option<f64> {
    plain_decimal(cell, cell.len()).or_else(|| general_number(cell))
}

/// Numbers such as `-12.5` with at most 19 digits, in the first `len` bytes of `rest`. Most
/// cells are of this kind.
#[inline]
fn plain_decimal(rest: &[u8], len: usize) -> Option<f64> {
    let negative = rest.first() == Some(&b'-');
    let sign = usize::from(negative);
    let (mantissa, decimals) = if len <= 8 {
        word::decimal(word::at(rest, 0) >> (8 * sign), len.checked_sub(sign)?)?
    } else {
        long_decimal(rest, sign, len)?
    };
    let value = scaled(mantissa, decimals)?;
    Some(if negative { -value } else { value })
}

/// Digits and how many of them are decimals, in the bytes of `rest` from `at` to `len`.
fn long_decimal(rest: &[u8], from: usize, len: usize) -> Option<(u64, usize)> {
    let (mut mantissa, mut at) = digits(rest, from, len, 0);
    let mut count = at - from;
    let mut decimals = 0;
    if at < len {
        if rest[at] != b'.' {
            return None;
        }
        let point = at;
        (mantissa, at) = digits(rest, point + 1, len, mantissa);
        decimals = at - point - 1;
        count += decimals;
    }
    (at == len && (1..20).contains(&count)).then_some((mantissa, decimals))
}

/// Appends the digits of `rest[at..len]` to `mantissa`, up to the first byte that is none:
/// returns the new mantissa, which is right up to 19 digits, and where that byte is.
#[inline]
fn digits(rest: &[u8], mut at: usize, len: usize, mut mantissa: u64) -> (u64, usize) {
    const POWERS: [u64; 9] =
        [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
    while at < len {
        let word = word::at(rest, at);
        let count = word::digits(word).min(len - at);
        if count == 0 {
            break;
        }
        let value = word::value(word, count);
        mantissa = mantissa.wrapping_mul(POWERS[count]).wrapping_add(value);
        at += count;
        if count < 8 {
            break;
        }
    }
    (mantissa, at)
}

/// `mantissa / 10^decimals`, correctly rounded; `None` where more care is needed.
#[inline]
pub(super) fn scaled(mantissa: u64, decimals: usize) -> Option<f64> {
    const POWERS: [f64; 20] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19,
    ];
    let power = POWERS.get(decimals)?;
    if mantissa < 1 << 53 || decimals == 0 {
        // Both are exact in an f64, so one division rounds correctly (Clinger 1990).
        return Some(mantissa as f64 / power);
    }
    by_reciprocal(mantissa, decimals)
}

/// For each power of five its bits and its reciprocal, truncated to 64 bits with the first set.
const RECIPROCALS: [(u32, u64); 20] = {
    let mut all = [(0, 0); 20];
    let (mut power, mut at) = (1_u64, 0);
    while at < all.len() {
        let bits = u64::BITS - power.leading_zeros();
        all[at] = (bits, ((1_u128 << (63 + bits)) / power as u128) as u64);
        power *= 5;
        at += 1;
    }
    all
};

/// `mantissa / 10^decimals` for a mantissa of more than 53 bits, by one multiplication (Lemire
/// 2021, with a table of 64 bits). The quotient is between `high` and `high + 2`; where the two
/// round differently, as in a tie, `None`.
fn by_reciprocal(mantissa: u64, decimals: usize) -> Option<f64> {
    let (bits, reciprocal) = RECIPROCALS[decimals];
    let zeros = mantissa.leading_zeros();
    let high = ((u128::from(mantissa << zeros) * u128::from(reciprocal)) >> 64) as u64;
    let shift = 11 - high.leading_zeros();
    let half = 1 << (shift - 1);
    let below = high & ((1 << shift) - 1);
    if below == half - 1 {
        return None;
    }
    let rounded = (high >> shift) + u64::from(below >= half);
    // Times two to the power of 1 + shift - bits - zeros - decimals, which is exact.
    let exponent = u64::from(1023 + 1 + shift) - u64::from(bits + zeros) - decimals as u64;
    Some(rounded as f64 * f64::from_bits(exponent << 52))
}

fn general_number(cell: &[u8]) -> Option<f64> {
    // Only these can start a number; it spares the slower parser most text.
    let first = *cell.first()?;
    if !(first.is_ascii_digit() || matches!(first, b'+' | b'-' | b'.' | b'i' | b'I')) {
        return None;
    }
    let value: f64 = std::str::from_utf8(cell).ok()?.parse().ok()?;
    (!value.is_nan()).then_some(value)
}

/// The canonical order of levels: numbers by value, then other texts by their characters. With
/// it the same rows give the same codes, whatever the file format and the order of rows.
pub(crate) fn by_value_then_text(a: &str, b: &str) -> Ordering {
    match (number(a.as_bytes()), number(b.as_bytes())) {
        (Some(x), Some(y)) => x.total_cmp(&y).then_with(|| a.cmp(b)),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => a.cmp(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn numbers_read_as_the_standard_library_reads_them(
            text in r"-?[0-9]{0,19}(\.[0-9]{0,19})?(e-?[0-9]{1,3})?"
        ) {
            let ours = number(text.as_bytes()).map(f64::to_bits);
            prop_assert_eq!(ours, text.parse::<f64>().ok().map(f64::to_bits), "{}", text);
        }

        #[test]
        fn numbers_of_many_digits_are_rounded_correctly(digits in 1_u64 << 53..10_000_000_000_000_000_000, point in 0_usize..19) {
            let mut text = digits.to_string();
            text.insert(text.len().saturating_sub(point), '.');
            prop_assert_eq!(number(text.as_bytes()), text.parse::<f64>().ok(), "{}", text);
        }

        #[test]
        fn every_number_survives_printing(value: f64) {
            prop_assume!(value.is_finite());
            prop_assert_eq!(number(value.to_string().as_bytes()), Some(value));
        }
    }

    #[test]
    fn text_is_not_a_number() {
        for text in ["", "-", ".", "-.", "1.2.3", "abc", "1,5", "0x10", "1e", "--1", "NaN", "5more"]
        {
            assert_eq!(number(text.as_bytes()), None, "{text}");
        }
        assert_eq!(number(b"-inf"), Some(f64::NEG_INFINITY));
        assert_eq!(number(b"1e999"), Some(f64::INFINITY));
        assert_eq!(number(b"-0").map(f64::to_bits), Some((-0.0_f64).to_bits()));
    }

    #[test]
    fn levels_sort_by_value_then_text() {
        let mut levels = ["b", "10", "a", "9", "-1", "5more", "1.0", "1"];
        levels.sort_by(|a, b| by_value_then_text(a, b));
        assert_eq!(levels, ["-1", "1", "1.0", "9", "10", "5more", "a", "b"]);
    }
}

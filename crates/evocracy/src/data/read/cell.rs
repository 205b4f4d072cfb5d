//! What a single cell says.

use std::cmp::Ordering;

/// The number in a cell (infinite ones included), or `None` where it is text.
pub(super) fn number(cell: &[u8]) -> Option<f64> {
    simple_decimal(cell).or_else(|| general_number(cell))
}

/// Numbers such as `-12.5` with at most 15 digits: the digits and the power of ten are exact in
/// an f64, so one division rounds correctly (Clinger 1990). Most cells are of this kind.
fn simple_decimal(cell: &[u8]) -> Option<f64> {
    const POWERS: [f64; 16] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    let (negative, digits) = match cell {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, cell),
    };
    if digits.is_empty() || digits.len() > 16 {
        return None;
    }
    let mut mantissa = 0_u64;
    let mut point = None;
    for (at, &byte) in digits.iter().enumerate() {
        match byte {
            b'0'..=b'9' => mantissa = mantissa * 10 + u64::from(byte - b'0'),
            b'.' if point.is_none() && digits.len() > 1 => point = Some(at),
            _ => return None,
        }
    }
    let decimals = point.map_or(0, |at| digits.len() - 1 - at);
    if digits.len() - usize::from(point.is_some()) > 15 {
        return None;
    }
    let value = mantissa as f64 / POWERS[decimals];
    Some(if negative { -value } else { value })
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

/// The cell as text.
pub(super) fn text(cell: &[u8]) -> Result<&str, ()> {
    std::str::from_utf8(cell).map_err(|_| ())
}

/// The canonical order of levels: numbers by value, then other texts by their characters. With
/// it the same rows give the same codes, whatever the file format and the order of rows.
pub(super) fn by_value_then_text(a: &str, b: &str) -> Ordering {
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
        #[test]
        fn numbers_read_as_the_standard_library_reads_them(
            text in r"-?[0-9]{0,17}(\.[0-9]{0,17})?(e-?[0-9]{1,3})?"
        ) {
            let ours = number(text.as_bytes()).map(f64::to_bits);
            prop_assert_eq!(ours, text.parse::<f64>().ok().map(f64::to_bits), "{}", text);
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

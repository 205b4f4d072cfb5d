//! Eight bytes at a time in a `u64`, the first byte lowest: finding and reading what is in them
//! without a branch for each byte.

const ONES: u64 = u64::MAX / 255;
const HIGH: u64 = ONES << 7;

/// Bytes to keep behind a text, so that a word can be taken at any of it.
pub(super) const SLACK: usize = 8;

/// The byte in all places.
pub(super) const fn all(byte: u8) -> u64 {
    ONES * byte as u64
}

/// The eight bytes from `at` on; zeros follow the last byte.
#[inline]
pub(super) fn at(bytes: &[u8], at: usize) -> u64 {
    let rest = bytes.get(at..).unwrap_or_default();
    if let Some(chunk) = rest.first_chunk() {
        return u64::from_le_bytes(*chunk);
    }
    rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// The high bit of every byte that equals that byte of `pattern`.
#[inline]
pub(super) fn equal(word: u64, pattern: u64) -> u64 {
    let x = word ^ pattern;
    !(((x & !HIGH) + !HIGH) | x) & HIGH
}

/// How many of the first bytes are decimal digits.
#[inline]
pub(super) fn digits(word: u64) -> usize {
    let x = word ^ all(b'0');
    let others = (((x & !HIGH) + all(0x7f - 9)) | x) & HIGH;
    (others.trailing_zeros() / 8) as usize
}

/// The value of the first `count` bytes, 1 to 8 digits.
#[inline]
pub(super) fn value(word: u64, count: usize) -> u64 {
    joined((word << (64 - 8 * count)) & all(0x0f))
}

/// Digits with perhaps a point among them in the first `len` bytes, at most 8: their value
/// without the point, and how many come after it.
#[inline]
pub(super) fn decimal(word: u64, len: usize) -> Option<(u64, usize)> {
    if len == 0 {
        return None;
    }
    // The last byte goes to the last place; zeros come before the first.
    let mut text = word << (64 - 8 * len);
    let mut zeros = 64 - 8 * len;
    let mut decimals = 0;
    let point = equal(text, all(b'.'));
    if point != 0 {
        let place = point.trailing_zeros() & !7;
        let before = (1_u64 << place) - 1;
        // What is before the point moves over it; a second point is not a digit and fails below.
        text = (text & !(before | 0xff << place)) | (text & before) << 8;
        decimals = 7 - (place / 8) as usize;
        zeros += 8;
        if zeros == 64 {
            return None;
        }
    }
    let digits = text ^ (all(b'0') << zeros);
    let wrong = ((digits.wrapping_add(all(0x7f - 9))) | digits) & HIGH;
    (wrong == 0).then(|| (joined(digits), decimals))
}

/// The number whose eight digits are the bytes.
#[inline]
fn joined(digits: u64) -> u64 {
    // Neighbours join to twos, fours, eight.
    let twos = (digits * 10 + (digits >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (twos * 100 + (twos >> 16)) & 0x0000_ffff_0000_ffff;
    (fours * 10_000 + (fours >> 32)) & 0xffff_ffff
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_say_what_their_bytes_say(bytes in prop::collection::vec(any::<u8>(), 0..12), b: u8) {
            let word = at(&bytes, 1);
            let eight: Vec<u8> = bytes.iter().skip(1).copied().chain([0; 8]).take(8).collect();
            prop_assert_eq!(word.to_le_bytes().to_vec(), eight.clone());
            let mask = equal(word, all(b)).to_le_bytes();
            prop_assert!((0..8).all(|j| mask[j] == u8::from(eight[j] == b) << 7));
            let count = eight.iter().take_while(|byte| byte.is_ascii_digit()).count();
            prop_assert_eq!(digits(word), count);
        }

        #[test]
        fn decimals_are_read_as_the_standard_library_reads_them(
            text in r"[0-9.,-]{0,8}|[0-9]{0,4}\.[0-9]{0,3}", more in any::<[u8; 8]>()
        ) {
            let bytes: Vec<u8> = text.bytes().chain(more).collect();
            let plain = text.bytes().all(|b| b != b'-').then(|| text.parse::<f64>().ok()).flatten();
            let ours = decimal(at(&bytes, 0), text.len());
            prop_assert_eq!(ours.map(|(m, d)| m as f64 / [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8][d]), plain);
        }

        #[test]
        fn digits_have_their_value(text in "[0-9]{1,8}", more in "[^0-9].{7}") {
            let word = at(format!("{text}{more}").as_bytes(), 0);
            prop_assert_eq!(value(word, text.len()), text.parse::<u64>().unwrap());
        }
    }
}

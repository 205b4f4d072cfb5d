//! A look over `MessagePack` bytes before they are decoded: no deeper than [`MAX_DEPTH`], no
//! length beyond the bytes that are there, and no more memory than [`MAX_GROWTH`] allows. Works in
//! a loop, so that no input overflows the stack.

use crate::error::{Error, Result};

/// How many levels of arrays and maps may be open at once; ours stay below ten.
const MAX_DEPTH: usize = 64;
/// How many times its bytes a payload may take once decoded, beyond [`FREE`] bytes. An empty text
/// is a byte and takes 24; texts that differ cannot all be that short.
const MAX_GROWTH: u64 = 16;
const FREE: u64 = 32 << 20;

/// Refuses payloads that are cut off, too deep or longer than one value.
pub(super) fn check(bytes: &[u8]) -> Result<()> {
    let refuse = |what: &str| Err(Error::model_file(format!("a part {what}")));
    let mut rest = bytes;
    let most = (bytes.len() as u64).saturating_mul(MAX_GROWTH).saturating_add(FREE);
    let mut taken = 0;
    // How many values are still to come at each open level, and whether they are keys and values.
    let mut open: Vec<(u64, bool)> = vec![(1, false)];
    while let Some((left, map)) = open.last_mut() {
        if *left == 0 {
            open.pop();
            continue;
        }
        // Keys are names of fields, which are not kept.
        let kept = !*map || *left % 2 == 1;
        *left -= 1;
        taken += if kept { memory(rest) } else { 0 };
        if taken > most {
            return refuse("unfolds into far more than its bytes");
        }
        let map = matches!(rest.first(), Some(0x80..=0x8f | 0xde | 0xdf));
        let Some((skip, values)) = header(rest) else { return refuse("ends too early") };
        let Some(after) = usize::try_from(skip).ok().and_then(|skip| rest.get(skip..)) else {
            return refuse("ends too early");
        };
        rest = after;
        if values > 0 {
            // Every value takes at least a byte.
            if values > rest.len() as u64 {
                return refuse("ends too early");
            }
            if open.len() > MAX_DEPTH {
                return refuse("is nested too deep");
            }
            open.push((values, map));
        }
    }
    if rest.is_empty() { Ok(()) } else { refuse("goes on after its end") }
}

/// About how much memory the next value takes once decoded, without its inner values.
fn memory(bytes: &[u8]) -> u64 {
    /// A text or a list, and the least that is allocated for what it holds.
    const HANDLE: u64 = 24;
    const BLOCK: u64 = 32;
    match bytes.first() {
        Some(0xa0 | 0x80..=0x9f | 0xdc..=0xdf) => HANDLE,
        Some(0xa1..=0xbf | 0xc4..=0xc6 | 0xd9..=0xdb) => {
            HANDLE + header(bytes).map_or(0, |(size, _)| size.max(BLOCK))
        }
        _ => 8,
    }
}

/// How many bytes the next value takes before its inner values, and how many of those it has.
fn header(bytes: &[u8]) -> Option<(u64, u64)> {
    let (&tag, rest) = bytes.split_first()?;
    // A length of `width` bytes (big-endian) follows the tag.
    let length = |width: usize| {
        rest.get(..width).map(|b| b.iter().fold(0_u64, |n, &byte| (n << 8) | u64::from(byte)))
    };
    let sized = |width: usize, extra: u64| Some((1 + width as u64 + extra + length(width)?, 0));
    let nested = |width: usize, per: u64| Some((1 + width as u64, per * length(width)?));
    let low = |mask: u8| u64::from(tag & mask);
    match tag {
        0x00..=0x7f | 0xc0..=0xc3 | 0xe0..=0xff => Some((1, 0)),
        0x80..=0x8f => Some((1, 2 * low(0x0f))),
        0x90..=0x9f => Some((1, low(0x0f))),
        0xa0..=0xbf => Some((1 + low(0x1f), 0)),
        0xc4 | 0xd9 => sized(1, 0),
        0xc5 | 0xda => sized(2, 0),
        0xc6 | 0xdb => sized(4, 0),
        0xc7 => sized(1, 1),
        0xc8 => sized(2, 1),
        0xc9 => sized(4, 1),
        0xcc | 0xd0 => Some((2, 0)),
        0xcd | 0xd1 | 0xd4 => Some((3, 0)),
        0xca | 0xce | 0xd2 => Some((5, 0)),
        0xcb | 0xcf | 0xd3 => Some((9, 0)),
        0xd5 => Some((4, 0)),
        0xd6 => Some((6, 0)),
        0xd7 => Some((10, 0)),
        0xd8 => Some((18, 0)),
        0xdc => nested(2, 1),
        0xdd => nested(4, 1),
        0xde => nested(2, 2),
        0xdf => nested(4, 2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_serde_writes_is_accepted_and_its_truncations_are_not(
            numbers in prop::collection::vec(any::<i64>(), 0..40),
            floats in prop::collection::vec(any::<f64>(), 0..40),
            texts in prop::collection::vec(".{0,40}", 0..40),
            flag: Option<bool>,
        ) {
            let bytes = rmp_serde::to_vec_named(&(numbers, floats, texts, flag)).unwrap();
            prop_assert!(check(&bytes).is_ok());
            prop_assert!(check(&bytes[..bytes.len() - 1]).is_err());
        }
    }

    #[test]
    fn deep_and_long_forgeries_are_refused() {
        assert!(check(&vec![0x91; 1_000_000]).is_err(), "arrays in arrays");
        assert!(check(&[0xdd, 0xff, 0xff, 0xff, 0xff]).is_err(), "four thousand million values");
        assert!(check(&[0xc6, 0xff, 0xff, 0xff, 0xff]).is_err(), "four thousand million bytes");
        assert!(check(&[0xc0, 0xc0]).is_err(), "two values");
        let listed = |value: &[u8], count: u32| {
            let bytes = value.repeat(count as usize);
            check(&[&[0xdd], &count.to_be_bytes()[..], &bytes].concat())
        };
        assert!(listed(&[0xa0], 10_000_000).is_err(), "empty texts");
        assert!(listed(&[0xa1, b'a'], 10_000_000).is_err(), "short texts");
        assert!(listed(&[0x90], 10_000_000).is_err(), "empty lists");
        assert!(listed(&[0x07], 10_000_000).is_ok(), "small numbers");
        assert!(listed(&[0xa0], 1_000_000).is_ok(), "as much as is free");
        assert!(listed(&[0x81, 0xa1, b'a', 0x07], 2_000_000).is_ok(), "structs of short names");
    }
}

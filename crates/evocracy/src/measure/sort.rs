//! Scores as whole numbers that sort the same way, and a fast sort of such numbers.
//!
//! An LSD radix sort (D. E. Knuth, "The Art of Computer Programming" 3, 5.2.5) over the leading
//! 33 bits that differ at all; what those leave undecided lies in short runs, sorted afterwards.
//! Linear for scores as they occur, and never worse than a comparison sort.

/// Bits sorted by in one pass: small enough that the buckets' ends stay in the nearest cache.
const DIGIT: u32 = 11;
const BUCKETS: usize = 1 << DIGIT;
const PASSES: usize = 3;
/// Below this a comparison sort is as fast as three passes.
const SMALL: usize = 1500;

/// Above the key of every score.
pub(super) const END: u64 = u64::MAX;

/// A number that is smaller the higher the score; equal for equal scores, so for both zeros.
///
/// `score` must not be NaN.
#[inline]
pub(super) fn key(score: f64) -> u64 {
    // Adding 0 turns -0 into 0. Read as whole numbers, floats of one sign are in order.
    let bits = (score + 0.0).to_bits();
    let negative = (bits.cast_signed() >> 63).cast_unsigned();
    !(bits ^ (negative | (1 << 63)))
}

/// The score of a key.
#[inline]
pub(super) fn score(key: u64) -> f64 {
    let up = !key;
    f64::from_bits(if up >> 63 == 1 { up ^ (1 << 63) } else { !up })
}

/// Sorts numbers, the smallest first. `spare` must be as long as `keys`; what it holds is lost.
pub(super) fn sort(keys: &mut [u64], spare: &mut [u64]) {
    if keys.len() < SMALL {
        keys.sort_unstable();
        return;
    }
    let (low, high) = keys.iter().fold((u64::MAX, 0), |(l, h), &k| (l.min(k), h.max(k)));
    let bits = 64 - (high - low).leading_zeros();
    let shift = bits.saturating_sub(PASSES as u32 * DIGIT);
    let counts = histograms(keys, low, shift);
    let (mut from, mut to) = (&mut *keys, &mut *spare);
    let mut moved = false;
    for (pass, counts) in counts.iter().enumerate() {
        // A digit that all share sorts nothing.
        if counts.iter().all(|&c| c == 0 || c as usize == from.len()) {
            continue;
        }
        scatter(from, to, counts, |k| digit((k - low) >> shift, pass));
        std::mem::swap(&mut from, &mut to);
        moved = !moved;
    }
    if moved {
        keys.copy_from_slice(spare);
    }
    if shift > 0 {
        settle(keys, |k| (k - low) >> shift);
    }
}

#[inline]
fn digit(bits: u64, pass: usize) -> usize {
    (bits >> (pass as u32 * DIGIT)) as usize % BUCKETS
}

fn histograms(keys: &[u64], low: u64, shift: u32) -> Vec<[u32; BUCKETS]> {
    let mut counts = vec![[0; BUCKETS]; PASSES];
    for &k in keys {
        let bits = (k - low) >> shift;
        for (pass, counts) in counts.iter_mut().enumerate() {
            counts[digit(bits, pass)] += 1;
        }
    }
    counts
}

fn scatter(from: &[u64], to: &mut [u64], counts: &[u32; BUCKETS], digit: impl Fn(u64) -> usize) {
    let mut next = [0; BUCKETS];
    let mut start = 0;
    for (next, &count) in next.iter_mut().zip(counts) {
        *next = start;
        start += count;
    }
    for &k in from {
        let place = &mut next[digit(k)];
        to[*place as usize] = k;
        *place += 1;
    }
}

/// Sorts within the runs that share their leading bits.
fn settle(keys: &mut [u64], leading: impl Fn(u64) -> u64) {
    let mut at = 1;
    while at < keys.len() {
        if keys[at - 1] <= keys[at] {
            at += 1;
            continue;
        }
        let top = leading(keys[at]);
        let start = keys[..at].iter().rposition(|&k| leading(k) != top).map_or(0, |i| i + 1);
        let rest = keys[at..].iter().position(|&k| leading(k) != top);
        let end = rest.map_or(keys.len(), |i| at + i);
        keys[start..end].sort_unstable();
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Seed;
    use rand::Rng;

    #[test]
    fn keys_turn_the_order_round_and_back() {
        let scores =
            [f64::INFINITY, f64::MAX, 1.0, 5e-324, 0.0, -5e-324, -1.0, f64::MIN, f64::NEG_INFINITY];
        for pair in scores.windows(2) {
            assert!(key(pair[0]) < key(pair[1]));
        }
        assert!(scores.iter().all(|&s| score(key(s)) == s && key(s) < END));
        assert_eq!(key(-0.0), key(0.0));
    }

    #[test]
    fn sorts_like_the_standard_library() {
        let mut rng = Seed::new(5).rng();
        // Wide and narrow numbers, few values, clusters that the leading bits cannot tell apart.
        for mask in [u64::MAX, 0xff, 0xffff_0000_0000, 0xf000_0000_0000_0fff, 0xff_ffff, 0] {
            for n in [0, 1, 2, SMALL, 20_000] {
                let mut keys: Vec<u64> = (0..n).map(|_| rng.next_u64() & mask).collect();
                let mut expected = keys.clone();
                expected.sort_unstable();
                sort(&mut keys, &mut vec![0; n]);
                assert_eq!(keys, expected);
            }
        }
    }
}

//! Sets of small numbers as bits, 64 to a word: number `at` is bit `at % 64` of word `at / 64`.
//!
//! A set is a slice of words, so that many sets can stand in one array. Functions of two sets
//! expect sets of as many words.

/// All numbers below `len`.
pub(crate) fn full(len: usize) -> Vec<u64> {
    let mut set = vec![u64::MAX; len.div_ceil(64)];
    if let (Some(last), rest @ 1..) = (set.last_mut(), len % 64) {
        *last = u64::MAX >> (64 - rest);
    }
    set
}

/// Whether a number is in the set.
#[inline]
pub(crate) fn has(set: &[u64], at: usize) -> bool {
    set[at / 64] >> (at % 64) & 1 == 1
}

/// Adds a number to the set.
#[inline]
pub(crate) fn insert(set: &mut [u64], at: usize) {
    set[at / 64] |= 1 << (at % 64);
}

/// How many numbers are in the set.
#[inline]
pub(crate) fn count(set: &[u64]) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

/// How many numbers are in both sets.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
pub(crate) fn common(a: &[u64], b: &[u64]) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a & b).count_ones()).sum()
}

/// Calls `visit` with every number of the set, in order.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
pub(crate) fn each(set: &[u64], mut visit: impl FnMut(usize)) {
    for (at, &word) in set.iter().enumerate() {
        each_of_word(word, at, &mut visit);
    }
}

/// Calls `visit` with every number of the word at place `at` of a set, in order.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
pub(crate) fn each_of_word(mut word: u64, at: usize, mut visit: impl FnMut(usize)) {
    while word != 0 {
        visit(at * 64 + word.trailing_zeros() as usize);
        word &= word - 1;
    }
}

/// The numbers of a set whose words are given one after the other, in order.
pub(crate) fn ones(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    words.enumerate().flat_map(|(at, word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                at * 64 + bit
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_in() {
        for len in [0, 1, 63, 64, 65, 200] {
            let all = full(len);
            assert_eq!((all.len(), count(&all) as usize), (len.div_ceil(64), len));
            let mut thirds = vec![0; all.len()];
            (0..len).step_by(3).for_each(|at| insert(&mut thirds, at));
            assert!((0..len).all(|at| has(&all, at) && has(&thirds, at) == (at % 3 == 0)));
            assert_eq!(common(&all, &thirds), count(&thirds));
            let mut visited = Vec::new();
            each(&thirds, |at| visited.push(at));
            assert!(visited.iter().copied().eq((0..len).step_by(3)));
            assert!(ones(thirds.iter().copied()).eq(visited));
        }
    }
}

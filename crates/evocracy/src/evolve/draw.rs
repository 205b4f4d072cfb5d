//! The generator of the inner loops, and the few draws they make.
//!
//! Xoshiro256++ (Blackman, Vigna 2021): portable, and fast where an operator draws a word for
//! every word of a genome. It starts from a [`Seed`], so that its place in the tree of seeds is
//! known.

use crate::run::Seed;
use rand::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The generator that operators and strategies draw from.
pub type Rng = Xoshiro256PlusPlus;

/// The generator of a seed.
pub fn rng(seed: Seed) -> Rng {
    Rng::seed_from_u64(seed.value())
}

/// A number from 0 to `n - 1`, all equally likely up to a part in 2^64 / `n`; 0 where `n` is 0.
#[inline]
pub fn below(n: usize, rng: &mut Rng) -> usize {
    ((u128::from(rng.next_u64()) * n as u128) >> 64) as usize
}

/// A number from 0 to 1, without 1.
#[inline]
pub fn unit(rng: &mut Rng) -> f64 {
    // 53 bits fill the mantissa.
    (rng.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
}

/// True with probability `p`.
#[inline]
pub fn chance(p: f64, rng: &mut Rng) -> bool {
    unit(rng) < p
}

//! The generator of the inner loops, and the few draws they make.
//!
//! Xoshiro256++ (Blackman, Vigna 2021): portable, and fast where an operator draws a word for
//! every word of a genome. It starts from a [`Seed`], so that its place in the tree of seeds is
//! known.

use crate::error::Result;
use crate::param::refuse;
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

/// Puts items into random order (Fisher, Yates).
pub(crate) fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    (1..items.len()).rev().for_each(|i| items.swap(i, below(i + 1, rng)));
}

/// A number from the standard normal distribution, by Marsaglia's polar method.
pub fn gauss(rng: &mut Rng) -> f64 {
    loop {
        let (x, y) = (2.0 * unit(rng) - 1.0, 2.0 * unit(rng) - 1.0);
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * square.ln() / square).sqrt();
        }
    }
}

/// A number from the Laplace distribution of scale 1: an exponential with a random sign.
pub fn laplace(rng: &mut Rng) -> f64 {
    let word = rng.next_u64();
    let size = -(1.0 - (word >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)).ln();
    // The lowest bits are not part of the size.
    if word & 1 == 0 { size } else { -size }
}

/// How likely each of many places is chosen, each for itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    p: f64,
    /// 1 / ln(1 - p), which turns a logarithm into a gap.
    scale: f64,
}

impl Rate {
    /// Places are chosen with probability `p`.
    pub fn new(p: f64) -> Self {
        Self { p, scale: 1.0 / (-p).ln_1p() }
    }

    /// The probability.
    pub fn p(self) -> f64 {
        self.p
    }

    /// Calls `visit` with every chosen place below `n`. It draws one number for each chosen
    /// place, not for each place: the gaps between them are geometric.
    #[inline]
    pub fn each(self, n: usize, rng: &mut Rng, mut visit: impl FnMut(usize, &mut Rng)) {
        if self.p <= 0.0 {
            return;
        }
        let mut next = 0_usize;
        loop {
            // The cast is the floor, and more than any length where the gap is that long. With
            // p = 1 the scale is 0 and so is every gap.
            let gap = (1.0 - unit(rng)).ln() * self.scale;
            next = next.saturating_add(gap as usize);
            if next >= n {
                return;
            }
            visit(next, rng);
            next += 1;
        }
    }

    /// Refuses what is no probability.
    pub fn check(self, of: &str) -> Result<()> {
        probability(self.p, of)
    }
}

/// Refuses what is no probability.
pub(super) fn probability(p: f64, of: &str) -> Result<()> {
    if (0.0..=1.0).contains(&p) {
        return Ok(());
    }
    Err(refuse(of, "p", "a probability from 0 to 1".into(), p.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_chosen_as_often_as_asked() {
        let mut rng = rng(Seed::new(1));
        for p in [0.0, 0.003, 0.2, 0.9, 1.0] {
            let (rounds, mut hits) = (20_000, [0_u32; 7]);
            for _ in 0..rounds {
                Rate::new(p).each(7, &mut rng, |place, _| hits[place] += 1);
            }
            let (n, spread) = (f64::from(rounds), (p * (1.0 - p)).sqrt());
            for times in hits {
                let off = (f64::from(times) / n - p).abs();
                assert!(off <= 4.5 * spread / n.sqrt(), "{p}: off by {off}");
            }
        }
    }

    #[test]
    fn steps_have_the_moments_of_their_distributions() {
        let mut rng = rng(Seed::new(2));
        let n = 200_000;
        // Mean 0; variance 1 and 2; fourth moment 3 and 24.
        for (draw, variance, fourth) in
            [(gauss as fn(&mut Rng) -> f64, 1.0, 3.0), (laplace, 2.0, 24.0)]
        {
            let all: Vec<f64> = (0..n).map(|_| draw(&mut rng)).collect();
            let moment = |k: i32| all.iter().map(|x| x.powi(k)).sum::<f64>() / f64::from(n);
            assert!(moment(1).abs() < 0.02);
            assert!((moment(2) / variance - 1.0).abs() < 0.02);
            assert!((moment(4) / fourth - 1.0).abs() < 0.1);
        }
    }

    #[test]
    fn small_numbers_are_equally_likely() {
        let mut rng = rng(Seed::new(3));
        let mut hits = [0_u32; 5];
        (0..50_000).for_each(|_| hits[below(5, &mut rng)] += 1);
        assert!(hits.iter().all(|times| times.abs_diff(10_000) < 450), "{hits:?}");
    }
}

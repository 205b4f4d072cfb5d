//! Crossover by mask: for every gene, a mask says from which parent a child has it.

use super::{Crossover, compose};
use crate::error::Result;
use crate::evolve::genome::BitString;
use crate::evolve::{Domain, Rng, below};
use crate::param::refuse;
use rand::Rng as _;
use std::ops::Range;

/// A genome that is a row of genes, each of which may come from either parent.
pub trait Genes {
    /// How many genes there are.
    fn genes(&self) -> usize;

    /// Exchanges the genes of a range.
    fn exchange(&mut self, other: &mut Self, range: Range<usize>);

    /// Exchanges every gene with probability one half.
    fn exchange_fairly(&mut self, other: &mut Self, rng: &mut Rng);

    /// Exchanges every second piece, beginning with the second, when both are cut at the given
    /// sites in rising order. A cut at 4 stands behind the fourth gene.
    fn exchange_at(&mut self, other: &mut Self, cuts: &[usize]) {
        for piece in cuts.chunks(2) {
            let end = piece.get(1).copied().unwrap_or(self.genes());
            self.exchange(other, piece[0]..end);
        }
    }
}

impl Genes for BitString {
    fn genes(&self) -> usize {
        self.len()
    }

    fn exchange(&mut self, other: &mut Self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let (first, last) = (range.start / 64, (range.end - 1) / 64);
        let words = self.words_mut()[first..=last].iter_mut().zip(&mut other.words_mut()[first..]);
        for (word, (a, b)) in (first..).zip(words) {
            let mut mask = u64::MAX;
            if word == first {
                mask &= u64::MAX << (range.start % 64);
            }
            if word == last {
                mask &= u64::MAX >> (63 - (range.end - 1) % 64);
            }
            exchange_word(a, b, mask);
        }
    }

    #[inline]
    fn exchange_fairly(&mut self, other: &mut Self, rng: &mut Rng) {
        // Both are 0 beyond their ends, so what is exchanged there is 0 too.
        for (a, b) in self.words_mut().iter_mut().zip(other.words_mut()) {
            exchange_word(a, b, rng.next_u64());
        }
    }
}

#[inline]
fn exchange_word(a: &mut u64, b: &mut u64, mask: u64) {
    let different = (*a ^ *b) & mask;
    *a ^= different;
    *b ^= different;
}

impl<T> Genes for Vec<T> {
    fn genes(&self) -> usize {
        self.len()
    }

    fn exchange(&mut self, other: &mut Self, range: Range<usize>) {
        self[range.clone()].swap_with_slice(&mut other[range]);
    }

    fn exchange_fairly(&mut self, other: &mut Self, rng: &mut Rng) {
        for (a, b) in self.chunks_mut(64).zip(other.chunks_mut(64)) {
            let mask = rng.next_u64();
            for (i, (a, b)) in a.iter_mut().zip(b).enumerate() {
                if mask >> i & 1 == 1 {
                    std::mem::swap(a, b);
                }
            }
        }
    }
}

/// Crossover by a random mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mask {
    /// The parents are cut at so many different sites and every second piece is exchanged.
    Points(usize),
    /// Every gene comes from either parent with the same probability.
    Uniform,
}

impl Mask {
    /// One cut.
    pub const SINGLE: Self = Self::Points(1);
    /// Two cuts.
    pub const DOUBLE: Self = Self::Points(2);
}

impl<D: Domain<Genome: Genes>> Crossover<D> for Mask {
    fn check(&self, domain: &D) -> Result<()> {
        let genes = domain.sample(&mut crate::evolve::rng(crate::run::Seed::new(0))).genes();
        match self {
            Self::Points(cuts) if *cuts == 0 || *cuts >= genes => {
                let expected = format!("a whole number from 1 to {}", genes.saturating_sub(1));
                Err(refuse("mask", "points", expected, cuts.to_string()))
            }
            _ => Ok(()),
        }
    }

    #[inline]
    fn cross(&self, _: &D, parents: [&D::Genome; 2], children: [&mut D::Genome; 2], rng: &mut Rng) {
        let [first, second] = children;
        compose::copy(parents, [&mut *first, &mut *second]);
        match self {
            Self::Uniform => first.exchange_fairly(second, rng),
            Self::Points(1) => {
                let cut = 1 + below(first.genes() - 1, rng);
                first.exchange(second, cut..first.genes());
            }
            Self::Points(cuts) => exchange_between(first, second, *cuts, rng),
        }
    }
}

/// Cuts at `cuts` different sites, each choice equally likely. The sites come in rising order
/// without being sorted: a site is chosen with probability (cuts left) / (sites left) (Fan,
/// Muller, Rezucha 1962).
fn exchange_between<G: Genes>(first: &mut G, second: &mut G, cuts: usize, rng: &mut Rng) {
    let genes = first.genes();
    let (mut left, mut open) = (cuts, None);
    for site in 1..genes {
        if left > 0 && below(genes - site, rng) < left {
            left -= 1;
            match open.take() {
                Some(from) => first.exchange(second, from..site),
                None => open = Some(site),
            }
        }
    }
    if let Some(from) = open {
        first.exchange(second, from..genes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::genome::{Bits, Code};
    use crate::evolve::rng;
    use crate::run::Seed;

    fn parsed(texts: [&str; 2]) -> Result<[BitString; 2]> {
        Ok([BitString::parse(texts[0])?, BitString::parse(texts[1])?])
    }

    #[test]
    fn the_lecture_s_single_point_crossovers() -> Result<()> {
        let cases = [(["01101", "11000"], 4, [12, 25]), (["11000", "10011"], 2, [27, 16])];
        for (texts, site, expected) in cases {
            let [mut a, mut b] = parsed(texts)?;
            a.exchange_at(&mut b, &[site]);
            let number = |bits: &BitString| Code::Binary.integer(bits, 0..5);
            assert_eq!([number(&a)?, number(&b)?], expected);
        }
        Ok(())
    }

    #[test]
    fn bits_and_vectors_exchange_alike() -> Result<()> {
        let mut rng = rng(Seed::new(4));
        let domain = Bits::new(200);
        let spread = |bits: &BitString| (0..200).map(|i| bits.get(i)).collect::<Vec<bool>>();
        for _ in 0..500 {
            let [mut a, mut b] = [domain.sample(&mut rng), domain.sample(&mut rng)];
            let [mut x, mut y] = [spread(&a), spread(&b)];
            let mut cuts = [below(201, &mut rng), below(201, &mut rng), below(201, &mut rng)];
            cuts.sort_unstable();
            a.exchange_at(&mut b, &cuts);
            x.exchange_at(&mut y, &cuts);
            assert_eq!((spread(&a), spread(&b)), (x, y));
            domain.admit(&a)?;
        }
        Ok(())
    }

    #[test]
    fn every_set_of_sites_is_equally_likely() {
        let (mut rng, mut seen) = (rng(Seed::new(5)), [0_u32; 32]);
        for _ in 0..10_000 {
            let (mut a, mut b) = (vec![false; 6], vec![true; 6]);
            exchange_between(&mut a, &mut b, 2, &mut rng);
            let cuts = (1..6).map(|i| usize::from(a[i] != a[i - 1]) << (i - 1)).sum::<usize>();
            seen[cuts] += 1;
        }
        for (cuts, times) in seen.into_iter().enumerate() {
            let expected = if cuts.count_ones() == 2 { 1000 } else { 0 };
            assert!(times.abs_diff(expected) <= expected / 7, "{cuts:b}: {times}");
        }
    }
}

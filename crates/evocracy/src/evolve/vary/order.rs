//! Operators on permutations.

use super::{Crossover, Mutation, compose};
use crate::evolve::genome::{Permutation, Permutations};
use crate::evolve::{Rng, below};
use std::ops::Range;

/// Partially mapped crossover (Goldberg, Lingle 1985): a child has a stretch of the other
/// parent, and the rest of its own parent where that is still free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pmx;

impl Pmx {
    /// The children for a given stretch.
    pub fn at(parents: [&Permutation; 2], children: [&mut Permutation; 2], stretch: Range<usize>) {
        let [a, b] = parents;
        let [first, second] = children;
        compose::copy(parents, [&mut *first, &mut *second]);
        // Bringing a number in by a swap sends what stood there to where the number was, which
        // is just what the mapping asks for.
        for i in stretch {
            first.swap(i, first.place(b.order()[i]));
            second.swap(i, second.place(a.order()[i]));
        }
    }
}

impl Crossover<Permutations> for Pmx {
    fn cross(
        &self,
        _: &Permutations,
        parents: [&Permutation; 2],
        children: [&mut Permutation; 2],
        rng: &mut Rng,
    ) {
        Self::at(parents, children, stretch(parents[0].len(), rng));
    }
}

/// Order crossover (Davis 1985): a child has a stretch of its own parent; the numbers that are
/// missing follow behind it, round the end, in the order of the other parent from there on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order;

impl Order {
    /// The children for a given stretch.
    pub fn at(parents: [&Permutation; 2], children: [&mut Permutation; 2], stretch: &Range<usize>) {
        let [a, b] = parents;
        for (own, other, child) in [a, b].into_iter().zip([b, a]).zip(children).map(flat) {
            child.clone_from(own);
            let n = own.len();
            let round = (stretch.end..n).chain(0..stretch.end).map(|i| other.order()[i]);
            let missing = round.filter(|number| !stretch.contains(&own.place(*number)));
            for (at, number) in (stretch.end..).zip(missing) {
                child.put(if at < n { at } else { at - n }, number);
            }
        }
    }
}

fn flat<A, B, C>(((a, b), c): ((A, B), C)) -> (A, B, C) {
    (a, b, c)
}

impl Crossover<Permutations> for Order {
    fn cross(
        &self,
        _: &Permutations,
        parents: [&Permutation; 2],
        children: [&mut Permutation; 2],
        rng: &mut Rng,
    ) {
        Self::at(parents, children, &stretch(parents[0].len(), rng));
    }
}

/// Swaps the numbers at two places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swap;

impl Mutation<Permutations> for Swap {
    fn mutate(&self, _: &Permutations, genome: &mut Permutation, rng: &mut Rng) {
        let (i, j) = (below(genome.len(), rng), below(genome.len(), rng));
        genome.swap(i, j);
    }
}

/// Turns a stretch round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reverse;

impl Mutation<Permutations> for Reverse {
    fn mutate(&self, _: &Permutations, genome: &mut Permutation, rng: &mut Rng) {
        let Range { start, end } = stretch(genome.len(), rng);
        (0..(end - start) / 2).for_each(|k| genome.swap(start + k, end - 1 - k));
    }
}

/// A random stretch of at least one place.
fn stretch(n: usize, rng: &mut Rng) -> Range<usize> {
    let (i, j) = (below(n, rng), below(n, rng));
    i.min(j)..i.max(j) + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Result;
    use crate::evolve::{Domain, rng};
    use crate::run::Seed;

    /// The lecture counts from 1.
    fn tour(numbers: [u32; 9]) -> Result<Permutation> {
        numbers.iter().map(|number| number - 1).collect::<Vec<u32>>().try_into()
    }

    #[test]
    fn the_lecture_s_pmx_pair() -> Result<()> {
        let a = tour([1, 2, 3, 4, 5, 6, 7, 8, 9])?;
        let b = tour([4, 5, 2, 1, 8, 7, 6, 9, 3])?;
        let [mut first, mut second] = [a.clone(), b.clone()];
        Pmx::at([&a, &b], [&mut first, &mut second], 3..7);
        assert_eq!(first, tour([4, 2, 3, 1, 8, 7, 6, 5, 9])?);
        assert_eq!(second, tour([1, 8, 2, 4, 5, 6, 7, 9, 3])?);
        Ok(())
    }

    /// Davis's operator on the same pair, done by hand.
    #[test]
    fn order_crossover_by_hand() -> Result<()> {
        let a = tour([1, 2, 3, 4, 5, 6, 7, 8, 9])?;
        let b = tour([4, 5, 2, 1, 8, 7, 6, 9, 3])?;
        let [mut first, mut second] = [a.clone(), b.clone()];
        Order::at([&a, &b], [&mut first, &mut second], &(3..7));
        assert_eq!(first, tour([2, 1, 8, 4, 5, 6, 7, 9, 3])?);
        assert_eq!(second, tour([3, 4, 5, 1, 8, 7, 6, 9, 2])?);
        Ok(())
    }

    /// The definition: outside the stretch a child has its parent's number, replaced along the
    /// mapping of the stretch until it is free.
    fn pmx_by_definition(own: &[u32], other: &[u32], stretch: Range<usize>) -> Vec<u32> {
        let mapped = |mut number: u32| {
            while let Some(i) = stretch.clone().find(|i| other[*i] == number) {
                number = own[i];
            }
            number
        };
        let number = |i| if stretch.contains(&i) { other[i] } else { mapped(own[i]) };
        (0..own.len()).map(number).collect()
    }

    #[test]
    fn pmx_by_swaps_is_pmx_by_definition() {
        let mut rng = rng(Seed::new(6));
        for n in 1..30 {
            let domain = Permutations::new(n);
            let [a, b] = [domain.sample(&mut rng), domain.sample(&mut rng)];
            let [mut first, mut second] = [a.clone(), b.clone()];
            let stretch = stretch(n, &mut rng);
            Pmx::at([&a, &b], [&mut first, &mut second], stretch.clone());
            assert_eq!(first.order(), pmx_by_definition(a.order(), b.order(), stretch.clone()));
            assert_eq!(second.order(), pmx_by_definition(b.order(), a.order(), stretch));
        }
    }
}

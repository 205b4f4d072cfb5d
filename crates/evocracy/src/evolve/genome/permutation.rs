//! Permutations, kept with their inverse.

use super::{barren, foreign};
use crate::error::{Error, Result};
use crate::evolve::{Domain, Rng, below};
use serde::{Deserialize, Serialize};

/// A permutation of the numbers from 0 on.
///
/// Where each number stands is kept too, so that operators find a number without a search and
/// without memory of their own. It is saved as the order alone.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<u32>", into = "Vec<u32>")]
pub struct Permutation {
    order: Vec<u32>,
    place: Vec<u32>,
}

impl Clone for Permutation {
    fn clone(&self) -> Self {
        Self { order: self.order.clone(), place: self.place.clone() }
    }

    /// Reuses memory, which the derived one would not.
    fn clone_from(&mut self, source: &Self) {
        self.order.clone_from(&source.order);
        self.place.clone_from(&source.place);
    }
}

impl Permutation {
    /// 0, 1, 2 and so on, `n` numbers.
    pub fn identity(n: usize) -> Self {
        let order: Vec<u32> = (0..n as u32).collect();
        Self { place: order.clone(), order }
    }

    /// The numbers in order.
    #[inline]
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// How many numbers there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Where a number stands.
    #[inline]
    pub fn place(&self, number: u32) -> usize {
        self.place[number as usize] as usize
    }

    /// Swaps the numbers at two places.
    #[inline]
    pub fn swap(&mut self, i: usize, j: usize) {
        self.order.swap(i, j);
        self.place[self.order[i] as usize] = i as u32;
        self.place[self.order[j] as usize] = j as u32;
    }

    /// Puts a number at a place. The whole is a permutation again only when all were put.
    #[inline]
    pub(in crate::evolve) fn put(&mut self, place: usize, number: u32) {
        self.order[place] = number;
        self.place[number as usize] = place as u32;
    }

    /// Shuffles all numbers (Fisher, Yates).
    pub fn shuffle(&mut self, rng: &mut Rng) {
        (1..self.len()).rev().for_each(|i| self.swap(i, below(i + 1, rng)));
    }
}

impl TryFrom<Vec<u32>> for Permutation {
    type Error = Error;

    fn try_from(order: Vec<u32>) -> Result<Self> {
        let mut place = vec![u32::MAX; order.len()];
        for (i, number) in order.iter().enumerate() {
            match place.get_mut(*number as usize) {
                Some(free @ &mut u32::MAX) => *free = i as u32,
                _ => return foreign(format!("{number} comes twice or is too large for its list")),
            }
        }
        Ok(Self { order, place })
    }
}

impl From<Permutation> for Vec<u32> {
    fn from(permutation: Permutation) -> Self {
        permutation.order
    }
}

/// All permutations of so many numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Permutations {
    len: usize,
}

impl Permutations {
    /// The permutations of the numbers 0 to `len - 1`.
    pub fn new(len: usize) -> Self {
        Self { len }
    }
}

impl Domain for Permutations {
    type Genome = Permutation;

    fn check(&self) -> Result<()> {
        let fits = (1..u32::MAX as usize).contains(&self.len);
        if fits { Ok(()) } else { barren("permutations of no numbers, or of too many") }
    }

    fn sample(&self, rng: &mut Rng) -> Permutation {
        let mut genome = Permutation::identity(self.len);
        genome.shuffle(rng);
        genome
    }

    fn sample_into(&self, genome: &mut Permutation, rng: &mut Rng) {
        genome.shuffle(rng);
    }

    fn admit(&self, genome: &Permutation) -> Result<()> {
        // That it is a permutation holds by construction.
        if genome.len() == self.len {
            return Ok(());
        }
        foreign(format!("a permutation of {} numbers, not {}", genome.len(), self.len))
    }

    fn distance(&self, a: &Permutation, b: &Permutation) -> f64 {
        a.order.iter().zip(&b.order).filter(|(a, b)| a != b).count() as f64
    }

    fn key(&self, genome: &Permutation, out: &mut Vec<u64>) {
        out.extend(genome.order.iter().map(|number| u64::from(*number)));
    }

    fn words(&self, genome: &Permutation) -> String {
        format!("{:?}", genome.order)
    }
}

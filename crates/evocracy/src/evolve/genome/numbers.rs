//! Vectors of real numbers and of integers, each within bounds.

use super::{barren, foreign};
use crate::error::Result;
use crate::evolve::{Domain, Rng, below, unit};
use serde::{Deserialize, Serialize};

/// Real vectors within bounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reals {
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Reals {
    /// Vectors with these bounds, one pair for each place.
    pub fn new(bounds: &[(f64, f64)]) -> Self {
        let (lower, upper) = bounds.iter().copied().unzip();
        Self { lower, upper }
    }

    /// Vectors of length `n` with the same bounds at every place.
    pub fn cube(n: usize, lower: f64, upper: f64) -> Self {
        Self { lower: vec![lower; n], upper: vec![upper; n] }
    }

    /// The length of the vectors.
    pub fn dimensions(&self) -> usize {
        self.lower.len()
    }

    /// The smallest and the largest value at a place.
    #[inline]
    pub fn bounds(&self, place: usize) -> (f64, f64) {
        (self.lower[place], self.upper[place])
    }

    /// The value within the bounds of a place that is nearest to `x`.
    #[inline]
    pub fn clamp(&self, place: usize, x: f64) -> f64 {
        x.max(self.lower[place]).min(self.upper[place])
    }
}

impl Domain for Reals {
    type Genome = Vec<f64>;

    fn check(&self) -> Result<()> {
        let finite = |x: &f64| x.is_finite();
        let ordered =
            self.lower.iter().zip(&self.upper).all(|(l, u)| l <= u && (u - l).is_finite());
        if self.lower.is_empty() || !ordered || !self.lower.iter().all(finite) {
            return barren("real vectors of no places, or with bounds out of order");
        }
        Ok(())
    }

    fn sample(&self, rng: &mut Rng) -> Vec<f64> {
        let bounds = self.lower.iter().zip(&self.upper);
        bounds.map(|(l, u)| (l + unit(rng) * (u - l)).min(*u)).collect()
    }

    fn admit(&self, genome: &Vec<f64>) -> Result<()> {
        let places = genome.iter().zip(self.lower.iter().zip(&self.upper));
        let inside = places.into_iter().all(|(x, (l, u))| l <= x && x <= u);
        if genome.len() == self.lower.len() && inside {
            return Ok(());
        }
        foreign("a real vector of another length, or outside its bounds")
    }

    fn distance(&self, a: &Vec<f64>, b: &Vec<f64>) -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
    }

    fn key(&self, genome: &Vec<f64>, out: &mut Vec<u64>) {
        out.extend(genome.iter().map(|x| x.to_bits()));
    }
}

/// Vectors of integers within bounds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Integers {
    lower: Vec<i32>,
    upper: Vec<i32>,
}

impl Integers {
    /// Vectors with these bounds, both ends included, one pair for each place.
    pub fn new(bounds: &[(i32, i32)]) -> Self {
        let (lower, upper) = bounds.iter().copied().unzip();
        Self { lower, upper }
    }

    /// The length of the vectors.
    pub fn dimensions(&self) -> usize {
        self.lower.len()
    }

    /// The smallest and the largest value at a place.
    pub fn bounds(&self, place: usize) -> (i32, i32) {
        (self.lower[place], self.upper[place])
    }

    /// A random value of a place.
    pub fn draw(&self, place: usize, rng: &mut Rng) -> i32 {
        let (lower, upper) = self.bounds(place);
        let above = below(upper.abs_diff(lower) as usize + 1, rng);
        lower.wrapping_add_unsigned(above as u32)
    }
}

impl Domain for Integers {
    type Genome = Vec<i32>;

    fn check(&self) -> Result<()> {
        if self.lower.is_empty() || self.lower.iter().zip(&self.upper).any(|(l, u)| l > u) {
            return barren("integer vectors of no places, or with bounds out of order");
        }
        Ok(())
    }

    fn sample(&self, rng: &mut Rng) -> Vec<i32> {
        (0..self.lower.len()).map(|place| self.draw(place, rng)).collect()
    }

    fn admit(&self, genome: &Vec<i32>) -> Result<()> {
        let places = genome.iter().zip(self.lower.iter().zip(&self.upper));
        let inside = places.into_iter().all(|(x, (l, u))| l <= x && x <= u);
        if genome.len() == self.lower.len() && inside {
            return Ok(());
        }
        foreign("an integer vector of another length, or outside its bounds")
    }

    fn distance(&self, a: &Vec<i32>, b: &Vec<i32>) -> f64 {
        a.iter().zip(b).map(|(a, b)| f64::from(a.abs_diff(*b))).sum()
    }

    fn key(&self, genome: &Vec<i32>, out: &mut Vec<u64>) {
        out.extend(genome.iter().map(|x| *x as u64));
    }
}

//! A rule of the population beside its condition.

use serde::{Deserialize, Serialize};

/// A macro-classifier without its condition: its class and its statistics.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct MacroClassifier {
    pub(super) class: u32,
    /// How many equal rules it stands for.
    pub(super) numerosity: u32,
    /// How many rows it has matched (experience).
    pub(super) seen: u64,
    /// The weight of these rows, and of those of its class.
    pub(super) weight: f64,
    pub(super) right: f64,
    /// The mean number of rules in the correct sets it was in.
    pub(super) size: f64,
    /// When it last was in a correct set that bred.
    pub(super) stamp: u64,
    /// The fitness of each of the equal rules.
    pub(super) fitness: f64,
}

impl MacroClassifier {
    /// The share of its rows that are of its class; 0 where it has seen none.
    #[inline]
    pub(super) fn accuracy(&self) -> f64 {
        if self.weight > 0.0 { self.right / self.weight } else { 0.0 }
    }

    /// Its vote for its class, (23); rules of little experience vote less (Orriols-Puig and
    /// Bernadó-Mansilla 2008).
    #[inline]
    pub(super) fn vote(&self, youth: u64) -> f64 {
        let age = if self.seen >= youth { 1.0 } else { self.seen as f64 / youth as f64 };
        self.fitness * f64::from(self.numerosity) * age
    }
}

/// `base` to a power; whole powers by multiplication alone, which is faster and the same
/// everywhere.
#[inline]
pub(super) fn power(base: f64, exponent: f64) -> f64 {
    let whole = exponent as u32;
    if f64::from(whole) != exponent || whole > 64 {
        return libm::pow(base, exponent);
    }
    let (mut result, mut square, mut rest) = (1.0, base, whole);
    while rest != 0 {
        if rest & 1 == 1 {
            result *= square;
        }
        square *= square;
        rest >>= 1;
    }
    result
}

//! Parity, of some of the bits or of all: no bit alone says anything about the class.

use super::draw::{Draw, flip};
use super::row_count::RowCount;
use super::{Generator, MOST_COLUMNS, Shape};
use crate::data::{Column, Field, Schema, Table};
use crate::error::Result;
use crate::param::{Params, refuse};
use crate::run::Seed;

crate::params! {
    /// Whether an odd number of the first k bits is 1; the other bits say nothing.
    pub struct Xor as "gen:xor" {
        /// how many bits there are
        bits: usize = 6, 1..=MOST_COLUMNS;
        /// how many of the bits decide
        k: usize = 2, 1..=MOST_COLUMNS;
        /// how many rows, or all combinations
        rows: RowCount = RowCount::Count(1000), RowCount::RANGE;
        /// the probability that a class is flipped
        noise: f64 = 0.0, 0.0..=1.0;
    }
}

crate::params! {
    /// Whether an odd number of all the bits is 1.
    pub struct Parity as "gen:parity" {
        /// how many bits there are
        bits: usize = 5, 1..=MOST_COLUMNS;
        /// how many rows, or all combinations
        rows: RowCount = RowCount::Count(1000), RowCount::RANGE;
        /// the probability that a class is flipped
        noise: f64 = 0.0, 0.0..=1.0;
    }
}

impl Generator for Xor {
    const SIZES: &'static [&'static str] = &["bits"];
    const SOURCE: &'static str = "exclusive or with irrelevant bits";

    fn shape(&self) -> Result<Shape> {
        if self.k > self.bits {
            let expected = format!("at most {} (the bits)", self.bits);
            return Err(refuse(Self::NAME, "k", expected, self.k.to_string()));
        }
        self.rows.shape(Self::NAME, self.bits)
    }

    fn make(&self, seed: Seed) -> Result<Table> {
        let rows = self.shape()?.rows;
        let bits = cube(self.bits, self.rows, rows, seed);
        let mut codes = vec![0; rows];
        for column in bits.iter().take(self.k) {
            codes.iter_mut().zip(column).for_each(|(code, bit)| *code ^= bit);
        }
        flip(&mut codes, self.noise, seed);
        table((0..self.bits).map(|at| format!("b{at}")), bits, codes)
    }
}

impl Generator for Parity {
    const SIZES: &'static [&'static str] = &["bits"];
    const SOURCE: &'static str = "the parity problem";

    fn shape(&self) -> Result<Shape> {
        self.rows.shape(Self::NAME, self.bits)
    }

    fn make(&self, seed: Seed) -> Result<Table> {
        let Self { bits, rows, noise } = self.clone();
        Xor { bits, k: bits, rows, noise }.make(seed)
    }
}

/// The columns of bits: every combination, or drawn.
pub(super) fn cube(bits: usize, how: RowCount, rows: usize, seed: Seed) -> Vec<Vec<u32>> {
    let column = |at: usize| match how {
        RowCount::All => (0..rows).map(|row| (row >> (bits - 1 - at) & 1) as u32).collect(),
        RowCount::Count(_) => Draw::new(seed, "bit", at).bits(rows),
    };
    (0..bits).map(column).collect()
}

/// A table of bits, which are levels and not numbers, and their classes.
pub(super) fn table(
    names: impl IntoIterator<Item = String>,
    bits: Vec<Vec<u32>>,
    codes: Vec<u32>,
) -> Result<Table> {
    let names = names.into_iter().chain(["class".to_owned()]);
    let fields = names.map(|name| Field::nominal(name, ["0", "1"])).collect();
    let columns = bits.into_iter().chain([codes]).map(Column::Nominal).collect();
    Table::new(Schema { fields }, columns)
}

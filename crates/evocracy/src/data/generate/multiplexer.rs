//! The Boolean multiplexer: address bits choose the data bit that is the class.

use super::bits::{cube, table};
use super::draw::flip;
use super::row_count::RowCount;
use super::{Generator, Shape};
use crate::data::Table;
use crate::error::Result;
use crate::param::{Allowed, Bounds, Params};
use crate::run::Seed;

/// The most address bits: 65,552 columns.
const MOST_ADDRESS: usize = 16;

crate::params! {
    /// The data bit that the address bits choose (a0 is the highest bit of the address).
    pub struct Multiplexer as "gen:multiplexer" {
        /// address and data bits together
        size: usize = 6, Sizes;
        /// how many rows, or all combinations
        rows: RowCount = RowCount::Count(1000), RowCount::RANGE;
        /// the probability that a class is flipped
        noise: f64 = 0.0, 0.0..=1.0;
    }
}

/// The sizes a multiplexer can have: a + 2^a for a address bits.
#[derive(Debug, Clone, Copy)]
pub struct Sizes;

fn size(address: usize) -> usize {
    address + (1 << address)
}

impl Bounds<usize> for Sizes {
    fn hold(&self, value: &usize) -> bool {
        address_bits(*value).is_some()
    }

    fn allowed(&self) -> Allowed {
        Bounds::<usize>::allowed(&(size(1)..=size(MOST_ADDRESS)))
    }

    fn takes(&self) -> String {
        let sizes: Vec<String> = (1..=MOST_ADDRESS).map(|a| size(a).to_string()).collect();
        format!("a + 2^a for a address bits: {}", sizes.join(", "))
    }
}

/// How many of `bits` bits are the address, if they make a multiplexer.
fn address_bits(bits: usize) -> Option<usize> {
    (1..=MOST_ADDRESS).find(|&a| size(a) == bits)
}

impl Generator for Multiplexer {
    const SIZES: &'static [&'static str] = &["size"];
    const SOURCE: &'static str = "S. W. Wilson, Machine Learning 2 (1987) 199-228";

    fn shape(&self) -> Result<Shape> {
        self.rows.shape(Self::NAME, self.size)
    }

    fn make(&self, seed: Seed) -> Result<Table> {
        let rows = self.shape()?.rows;
        let address = address_bits(self.size).unwrap_or(0);
        let bits = cube(self.size, self.rows, rows, seed);
        let (head, data) = bits.split_at(address);
        let chosen = |row: usize| head.iter().fold(0, |at, bit| at << 1 | bit[row] as usize);
        let mut codes: Vec<u32> =
            (0..rows).map(|row| data.get(chosen(row)).map_or(0, |bit| bit[row])).collect();
        flip(&mut codes, self.noise, seed);
        let names = (0..address).map(|at| format!("a{at}"));
        table(names.chain((0..self.size - address).map(|at| format!("d{at}"))), bits, codes)
    }
}

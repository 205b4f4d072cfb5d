//! What the generators draw with, and how they put tables together.

use crate::data::{Column, Field, Schema, Table};
use crate::error::Result;
use crate::run::Seed;
use rand::{Rng, RngExt};
use rand_chacha::ChaCha8Rng;

/// A stream of uniform and normal numbers.
pub(super) struct Draw {
    rng: ChaCha8Rng,
    /// The second number of the last pair of normal ones.
    spare: Option<f64>,
}

impl Draw {
    /// The stream `name`, `index` of a seed.
    pub(super) fn new(seed: Seed, name: &str, index: usize) -> Self {
        Self { rng: seed.child(name, index as u64).rng(), spare: None }
    }

    /// Uniform in [0, 1).
    pub(super) fn unit(&mut self) -> f64 {
        self.rng.random()
    }

    /// Uniform in [low, high).
    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// True with probability `p`.
    pub(super) fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// One of `0..n`, all equally likely.
    pub(super) fn below(&mut self, n: u32) -> u32 {
        self.rng.random_range(0..n.max(1))
    }

    /// Standard normal, by Marsaglia's polar method (SIAM Review 6 (1964) 260-264).
    pub(super) fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        loop {
            let (u, v) = (self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            let s = u * u + v * v;
            if s > 0.0 && s < 1.0 {
                let stretch = (-2.0 * s.ln() / s).sqrt();
                self.spare = Some(v * stretch);
                return u * stretch;
            }
        }
    }

    /// Fair bits, 64 to a word.
    pub(super) fn bits(mut self, rows: usize) -> Vec<u32> {
        let mut bits = Vec::with_capacity(rows);
        while bits.len() < rows {
            let word = self.rng.next_u64();
            let count = (rows - bits.len()).min(64);
            bits.extend((0..count).map(|at| (word >> at & 1) as u32));
        }
        bits
    }
}

/// Turns each of the two classes into the other with probability `noise`.
pub(super) fn flip(codes: &mut [u32], noise: f64, seed: Seed) {
    if noise > 0.0 {
        let mut draw = Draw::new(seed, "flip", 0);
        for code in codes {
            *code ^= u32::from(draw.chance(noise));
        }
    }
}

/// Columns of numbers under these names and the column `class` with these levels.
pub(super) fn classified(
    names: impl IntoIterator<Item = String>,
    columns: Vec<Vec<f64>>,
    levels: &[&str],
    codes: Vec<u32>,
) -> Result<Table> {
    let mut fields: Vec<Field> = names.into_iter().map(Field::number).collect();
    fields.push(Field::nominal("class", levels.iter().copied()));
    let mut columns: Vec<Column> = columns.into_iter().map(Column::Number).collect();
    columns.push(Column::Nominal(codes));
    Table::new(Schema { fields }, columns)
}

/// Columns of numbers under these names and the column `y`.
pub(super) fn measured(
    names: impl IntoIterator<Item = String>,
    mut columns: Vec<Vec<f64>>,
    y: Vec<f64>,
) -> Result<Table> {
    columns.push(y);
    let fields = names.into_iter().chain(["y".to_owned()]).map(Field::number).collect();
    Table::new(Schema { fields }, columns.into_iter().map(Column::Number).collect())
}

/// `prefix` with the numbers from 1 to `count`.
pub(super) fn numbered(prefix: &str, count: usize) -> impl Iterator<Item = String> {
    (1..=count).map(move |number| format!("{prefix}{number}"))
}

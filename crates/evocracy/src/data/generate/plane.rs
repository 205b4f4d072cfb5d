//! Two classes in the plane that no straight line parts: two moons, a checkerboard.

use super::draw::{Draw, classified, flip, numbered};
use super::{Generator, MOST_CELLS, Shape};
use crate::data::Table;
use crate::error::Result;
use crate::run::Seed;
use std::f64::consts::PI;

crate::params! {
    /// Two half circles that reach into each other, blurred.
    pub struct Moons as "gen:moons" {
        /// how many rows
        rows: usize = 400, 2..=MOST_CELLS;
        /// the standard deviation of each coordinate about its half circle
        noise: f64 = 0.1, 0.0..=1e6;
    }
}

crate::params! {
    /// The colour of the field of a checkerboard on the unit square.
    pub struct Checkerboard as "gen:checkerboard" {
        /// how many fields a side has
        fields: usize = 4, 2..=1000;
        /// how many rows
        rows: usize = 1000, 2..=MOST_CELLS;
        /// the probability that a class is flipped
        noise: f64 = 0.0, 0.0..=1.0;
    }
}

/// The seeds of the two coordinates are parted from those of the noise, so that the same seed
/// with another noise blurs the same points.
impl Generator for Moons {
    const SOURCE: &'static str = "two interleaving half circles of radius 1, as in scikit-learn";

    fn shape(&self) -> Result<Shape> {
        Ok(Shape { rows: self.rows, columns: 3 })
    }

    fn make(&self, seed: Seed) -> Result<Table> {
        let (mut draw, mut blur) = (Draw::new(seed, "rows", 0), Draw::new(seed, "noise", 0));
        let mut columns = [Vec::with_capacity(self.rows), Vec::with_capacity(self.rows)];
        let mut codes = Vec::with_capacity(self.rows);
        for _ in 0..self.rows {
            let class = draw.below(2);
            let (sin, cos) = draw.between(0.0, PI).sin_cos();
            let (x, y) = if class == 0 { (cos, sin) } else { (1.0 - cos, 0.5 - sin) };
            columns[0].push(x + self.noise * blur.normal());
            columns[1].push(y + self.noise * blur.normal());
            codes.push(class);
        }
        classified(numbered("x", 2), columns.into(), &["0", "1"], codes)
    }
}

impl Generator for Checkerboard {
    const SIZES: &'static [&'static str] = &["fields"];
    const SOURCE: &'static str = "a checkerboard on the unit square";

    fn shape(&self) -> Result<Shape> {
        Ok(Shape { rows: self.rows, columns: 3 })
    }

    fn make(&self, seed: Seed) -> Result<Table> {
        let column = |at| {
            let mut draw = Draw::new(seed, "coordinate", at);
            (0..self.rows).map(|_| draw.unit()).collect::<Vec<f64>>()
        };
        let columns = vec![column(0), column(1)];
        let field = |x: f64| (x * self.fields as f64) as u32;
        let colour = |(&x, &y): (&f64, &f64)| (field(x) + field(y)) % 2;
        let mut codes: Vec<u32> = columns[0].iter().zip(&columns[1]).map(colour).collect();
        flip(&mut codes, self.noise, seed);
        classified(numbered("x", 2), columns, &["0", "1"], codes)
    }
}

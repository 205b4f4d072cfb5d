//! Numbers to predict: the sinc curve and Friedman's first function.

use super::draw::{Draw, measured, numbered};
use super::{Generator, MOST_CELLS, Shape};
use crate::data::Table;
use crate::error::Result;
use crate::run::Seed;
use std::f64::consts::PI;

crate::params! {
    /// A number to predict: sin(x)/x for x from -10 to 10.
    pub struct Sinc as "gen:sinc" {
        /// how many rows
        rows: usize = 100, 2..=MOST_CELLS;
        /// the standard deviation of the noise on y
        noise: f64 = 0.1, 0.0..=1e6;
        /// whether x runs in equal steps from -10 to 10
        grid: bool = false, ..;
    }
}

crate::params! {
    /// A number to predict from five of its inputs; the others say nothing.
    pub struct Friedman1 as "gen:friedman1" {
        /// how many inputs; those after the fifth say nothing
        inputs: usize = 10, 5..=1000;
        /// how many rows
        rows: usize = 200, 2..=MOST_CELLS;
        /// the standard deviation of the noise on y
        noise: f64 = 1.0, 0.0..=1e6;
    }
}

/// sin(x)/x, which is 1 at 0.
pub fn sinc(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { x.sin() / x }
}

/// Friedman's first function of five numbers from 0 to 1.
pub fn friedman1(x: [f64; 5]) -> f64 {
    10.0 * (PI * x[0] * x[1]).sin() + 20.0 * (x[2] - 0.5).powi(2) + 10.0 * x[3] + 5.0 * x[4]
}

impl Generator for Sinc {
    const SOURCE: &'static str = "M. E. Tipping, J. Mach. Learn. Res. 1 (2001) 211-244";

    fn shape(&self) -> Result<Shape> {
        Ok(Shape { rows: self.rows, columns: 2 })
    }

    fn make(&self, seed: Seed) -> Result<Table> {
        let (mut draw, mut noise) = (Draw::new(seed, "x", 0), Draw::new(seed, "noise", 0));
        let steps = self.rows.saturating_sub(1).max(1) as f64;
        let place = |row: usize| {
            if self.grid { 20.0 * (row as f64 / steps) - 10.0 } else { draw.between(-10.0, 10.0) }
        };
        let x: Vec<f64> = (0..self.rows).map(place).collect();
        let y = x.iter().map(|&x| sinc(x) + self.noise * noise.normal()).collect();
        measured(["x".to_owned()], vec![x], y)
    }
}

impl Generator for Friedman1 {
    const SIZES: &'static [&'static str] = &["inputs"];
    const SOURCE: &'static str = "J. H. Friedman, Annals of Statistics 19 (1991) 1-67";

    fn shape(&self) -> Result<Shape> {
        Ok(Shape { rows: self.rows, columns: self.inputs + 1 })
    }

    fn make(&self, seed: Seed) -> Result<Table> {
        let column = |at: usize| {
            let mut draw = Draw::new(seed, "input", at);
            (0..self.rows).map(|_| draw.unit()).collect::<Vec<f64>>()
        };
        let columns: Vec<Vec<f64>> = (0..self.inputs).map(column).collect();
        let mut noise = Draw::new(seed, "noise", 0);
        let value = |row: usize| {
            let x = std::array::from_fn(|at| columns.get(at).map_or(0.0, |column| column[row]));
            friedman1(x) + self.noise * noise.normal()
        };
        let y = (0..self.rows).map(value).collect();
        measured(numbered("x", self.inputs), columns, y)
    }
}

//! Ripley's synthetic problem: two classes in the plane, each a mixture of two round Gaussians
//! (B. D. Ripley, J. R. Statist. Soc. B 56 (1994) 409-456). The embedded `ripley-synth` is a
//! published sample of it with the same columns. The best possible rule errs on 8.93 % of rows;
//! the 8 % often quoted is what it does on the published test rows.

use super::draw::{Draw, classified};
use super::{Generator, MOST_CELLS, Shape};
use crate::data::Table;
use crate::error::Result;
use crate::run::Seed;

/// The two centres of each class.
const CENTRES: [[(f64, f64); 2]; 2] = [[(-0.7, 0.3), (0.3, 0.3)], [(-0.3, 0.7), (0.4, 0.7)]];

/// The variance of each coordinate about its centre.
const VARIANCE: f64 = 0.03;

crate::params! {
    /// Two overlapping classes in the plane, two Gaussians each; Bayes error 8.9 %.
    pub struct Ripley as "gen:ripley" {
        /// how many rows
        rows: usize = 250, 2..=MOST_CELLS;
    }
}

impl Generator for Ripley {
    const SOURCE: &'static str = "B. D. Ripley, J. R. Statist. Soc. B 56 (1994) 409-456";

    fn shape(&self) -> Result<Shape> {
        Ok(Shape { rows: self.rows, columns: 3 })
    }

    fn make(&self, seed: Seed) -> Result<Table> {
        let mut draw = Draw::new(seed, "rows", 0);
        let mut columns = [Vec::with_capacity(self.rows), Vec::with_capacity(self.rows)];
        let mut codes = Vec::with_capacity(self.rows);
        for _ in 0..self.rows {
            let class = draw.below(2);
            let (x, y) = CENTRES[class as usize][draw.below(2) as usize];
            columns[0].push(x + VARIANCE.sqrt() * draw.normal());
            columns[1].push(y + VARIANCE.sqrt() * draw.normal());
            codes.push(class);
        }
        classified(["xs".into(), "ys".into()], columns.into(), &["0", "1"], codes)
    }
}

/// The true probability of class 1 at a point of Ripley's problem.
pub fn ripley_posterior(xs: f64, ys: f64) -> f64 {
    let square = |(x, y): (f64, f64)| (xs - x).powi(2) + (ys - y).powi(2);
    // Distances are taken relative to the nearest centre: far away all four densities underflow.
    let nearest = CENTRES.iter().flatten().map(|&c| square(c)).fold(f64::INFINITY, f64::min);
    let density = |class: usize| -> f64 {
        CENTRES[class].iter().map(|&c| ((nearest - square(c)) / (2.0 * VARIANCE)).exp()).sum()
    };
    let (zero, one) = (density(0), density(1));
    one / (zero + one)
}

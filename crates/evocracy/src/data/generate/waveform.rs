//! Breiman's waveforms: each class is a random blend of two of three triangular waves, seen
//! through unit normal noise (L. Breiman, J. Friedman, R. Olshen, C. Stone, Classification and
//! Regression Trees, 1984, section 2.6.2). The best possible rule errs on 13.3 % of rows; the 14 %
//! often quoted were counted on 5,000 rows.

use super::draw::{Draw, classified, numbered};
use super::{Generator, MOST_CELLS, Shape};
use crate::data::Table;
use crate::error::Result;
use crate::run::Seed;

/// How many attributes carry the waves.
const WAVES: usize = 21;

/// The two waves that each class blends.
const PAIRS: [(usize, usize); 3] = [(0, 1), (0, 2), (1, 2)];

/// Where the waves have their peaks, counted from 0.
const PEAKS: [f64; 3] = [10.0, 14.0, 6.0];

crate::params! {
    /// Three classes of noisy blends of two waves each, at 21 places; Bayes error 13.3 %.
    pub struct Waveform as "gen:waveform" {
        /// how many columns; those after the 21st hold noise only
        attributes: usize = WAVES, WAVES..=40;
        /// how many rows
        rows: usize = 1000, 2..=MOST_CELLS;
    }
}

/// The height of a wave at a place.
fn wave(which: usize, place: usize) -> f64 {
    (6.0 - (place as f64 - PEAKS[which]).abs()).max(0.0)
}

impl Generator for Waveform {
    const SIZES: &'static [&'static str] = &["attributes"];
    const SOURCE: &'static str =
        "L. Breiman, J. Friedman, R. Olshen, C. Stone, Classification and Regression Trees (1984)";

    fn shape(&self) -> Result<Shape> {
        Ok(Shape { rows: self.rows, columns: self.attributes + 1 })
    }

    fn make(&self, seed: Seed) -> Result<Table> {
        let mut draw = Draw::new(seed, "rows", 0);
        let (mut codes, mut blends) = (Vec::new(), Vec::new());
        for _ in 0..self.rows {
            codes.push(draw.below(3));
            blends.push(draw.unit());
        }
        let column = |place: usize| {
            let mut noise = Draw::new(seed, "attribute", place);
            let clean = |(&code, &u): (&u32, &f64)| {
                let (a, b) = PAIRS[code as usize];
                u * wave(a, place) + (1.0 - u) * wave(b, place)
            };
            codes.iter().zip(&blends).map(|row| clean(row) + noise.normal()).collect()
        };
        let columns = (0..self.attributes).map(column).collect();
        classified(numbered("x", self.attributes), columns, &["0", "1", "2"], codes)
    }
}

/// The true probabilities of the three classes at a row of the waveform problem.
///
/// The blend is integrated out by Simpson's rule: the integrand is a Gaussian whose width is
/// at least ten steps. Attributes after the 21st say nothing; missing ones count as 0.
pub fn waveform_posterior(row: &[f64]) -> [f64; 3] {
    const STEPS: usize = 256;
    let at = |place: usize| row.get(place).copied().unwrap_or(0.0);
    let log_density = |class: usize, u: f64| -> f64 {
        let (a, b) = PAIRS[class];
        let gap = |p: usize| (at(p) - u * wave(a, p) - (1.0 - u) * wave(b, p)).powi(2);
        -0.5 * (0..WAVES).map(gap).sum::<f64>()
    };
    let logs: Vec<Vec<f64>> = (0..3)
        .map(|class| {
            (0..=STEPS).map(|step| log_density(class, step as f64 / STEPS as f64)).collect()
        })
        .collect();
    let top = logs.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
    let simpson = |step: usize| match step {
        0 | STEPS => 1.0,
        odd if odd % 2 == 1 => 4.0,
        _ => 2.0,
    };
    let mass = |class: usize| -> f64 {
        logs[class].iter().enumerate().map(|(s, log)| simpson(s) * (log - top).exp()).sum()
    };
    let masses = [mass(0), mass(1), mass(2)];
    let total: f64 = masses.iter().sum();
    masses.map(|mass| mass / total)
}

//! One normal distribution with a covariance like that of some points, of which there may be fewer
//! than coordinates.
//!
//! The covariance of few points is more uneven than the one behind them: draws by it are longer in
//! one direction than the points are, so that they fall into tighter groups, and no p-value is small.
//! Liu and others raise small eigenvalues to the variance of the noise, which they take from the
//! spread of all cells. Here every column has a variance of 1, and that spread is 1 whatever columns
//! have in common; draws would be too round, and correlated columns look like groups. So the noise is
//! taken from the eigenvalues: those of noise alone are spread as V. A. Marchenko and L. A. Pastur
//! found (1967), which gives its variance from their median (M. Gavish, D. L. Donoho, IEEE
//! Transactions on Information Theory 60 (2014) 5040-5053) and the largest of them. What is larger is
//! a direction of its own, whose size is corrected for that of the noise in it (D. Paul, Statistica
//! Sinica 17 (2007) 1617-1642); all others have the variance that is left over.
//!
//! With many groups of correlated columns and few points p-values come out too large.

use super::Points;
use crate::error::{Error, Result};
use crate::evolve::{Rng, gauss};
use crate::num::matrix::add_lower_outer;
use crate::num::symmetric::Eigen;
use crate::run::Run;

/// How often noise and directions are estimated from each other.
const TIMES: usize = 10;
/// Steps of the integral.
const STEPS: usize = 20_000;

/// Noise of one variance in all directions, and more in some.
pub(super) struct Spiked {
    width: usize,
    /// The standard deviation of the noise.
    noise: f64,
    /// Directions, each as long as the standard deviation beside the noise.
    spikes: Vec<Vec<f64>>,
}

impl Spiked {
    pub(super) fn new(points: &Points, run: &Run<'_>) -> Result<Self> {
        let (rows, width) = (points.rows, points.width());
        run.reserve(&format!("the covariance of {width} columns"), &[2, width, width])?;
        let mut covariance = vec![0.0; width * width];
        add_lower_outer(&mut covariance, width, &points.cells);
        let freedom = rows as f64 - 1.0;
        for cell in &mut covariance {
            *cell /= freedom;
        }
        let found = Eigen::until(&covariance, width, run.stop)?;
        let Eigen { mut values, vectors } = found
            .ok_or_else(|| Error::unsuitable("a covariance is not finite", "scale the columns"))?;
        for value in &mut values {
            *value = value.max(0.0);
        }
        values.reverse();
        let (noise, sizes) = estimate(&values, freedom);
        let directions = vectors.chunks_exact(width).rev();
        let spikes = sizes.iter().zip(directions).map(|(size, direction)| {
            let length = (size - noise).max(0.0).sqrt();
            direction.iter().map(|cell| length * cell).collect()
        });
        Ok(Self { width, noise: noise.sqrt(), spikes: spikes.collect() })
    }

    /// Points of this distribution, standardised as those are that it is like.
    pub(super) fn draw(&self, rows: usize, draws: &mut Rng) -> Points {
        let width = self.width;
        let mut cells = Vec::with_capacity(rows * width);
        for _ in 0..rows {
            let from = cells.len();
            cells.extend((0..width).map(|_| self.noise * gauss(draws)));
            for spike in &self.spikes {
                crate::num::add_scaled(&mut cells[from..], gauss(draws), spike);
            }
        }
        standardise(&mut cells, width);
        Points { rows, cells }
    }
}

/// The variance of the noise, and those along the directions that stand out, from the eigenvalues of
/// a covariance, the largest first.
fn estimate(values: &[f64], freedom: f64) -> (f64, Vec<f64>) {
    let width = values.len() as f64;
    let all: f64 = values.iter().sum();
    let ratio = width / freedom;
    // Of more columns than points only so many are not 0.
    let some = &values[..values.len().min(freedom as usize)];
    let n = some.len();
    let median = f64::midpoint(some[(n - 1) / 2], some[n / 2]);
    let usual = if ratio > 1.0 { ratio * median_of(1.0 / ratio) } else { median_of(ratio) };
    let mut noise = (median / usual).min(all / width);
    let mut sizes = Vec::new();
    for _ in 0..TIMES {
        let edge = noise * (1.0 + ratio.sqrt()).powi(2);
        let behind = |value: &f64| {
            let sum = value + noise - ratio * noise;
            f64::midpoint(sum, (sum * sum - 4.0 * value * noise).max(0.0).sqrt())
        };
        sizes = some.iter().take_while(|value| **value > edge).map(behind).collect();
        let rest = width - sizes.len() as f64;
        if rest < 1.0 {
            break;
        }
        noise = ((all - sizes.iter().sum::<f64>()) / rest).max(0.0);
    }
    (noise, sizes)
}

/// The median of the distribution of Marchenko and Pastur for a ratio of at most 1.
fn median_of(ratio: f64) -> f64 {
    let [low, high] = [-1.0, 1.0].map(|sign| (1.0 + sign * ratio.sqrt()).powi(2));
    // By the angle there is no pole at 0 for a ratio of 1.
    let angle = |step: usize| (step as f64 + 0.5) / STEPS as f64 * std::f64::consts::FRAC_PI_2;
    let at = |step: usize| low + (high - low) * angle(step).sin().powi(2);
    let weight = |step: usize| (2.0 * angle(step)).sin().powi(2) / at(step);
    let all: f64 = (0..STEPS).map(weight).sum();
    let mut sum = 0.0;
    for step in 0..STEPS {
        sum += weight(step);
        if sum >= 0.5 * all {
            return at(step);
        }
    }
    high
}

/// Gives all coordinates the mean 0 and the variance 1.
pub(super) fn standardise(cells: &mut [f64], width: usize) {
    let rows = cells.len().checked_div(width).unwrap_or(0) as f64;
    for at in 0..width {
        let mean = cells.iter().skip(at).step_by(width).sum::<f64>() / rows;
        cells.iter_mut().skip(at).step_by(width).for_each(|cell| *cell -= mean);
        let square: f64 = cells.iter().skip(at).step_by(width).map(|cell| cell * cell).sum();
        let factor = if square > 0.0 { 1.0 / (square / rows).sqrt() } else { 0.0 };
        cells.iter_mut().skip(at).step_by(width).for_each(|cell| *cell *= factor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gavish and Donoho print a coefficient of 2.858 for square matrices, which is
    /// `4 / sqrt(3 median)`.
    #[test]
    fn the_median_of_square_noise() {
        assert!((4.0 / (3.0 * median_of(1.0)).sqrt() - 2.858).abs() < 1e-3);
        // Without columns all eigenvalues are 1.
        assert!((median_of(1e-6) - 1.0).abs() < 1e-2);
    }

    #[test]
    fn noise_and_directions_are_those_behind_the_eigenvalues() {
        // A direction of 9 in noise of 1: with as many columns as a quarter of the points it is seen
        // as 9 (1 + 0.25 / 8), and noise is between 0.25 and 2.25.
        let bulk = (0..24).map(|i| 1.75 - 1.5 * f64::from(i) / 23.0);
        let values: Vec<f64> = std::iter::once(9.0 * (1.0 + 0.25 / 8.0)).chain(bulk).collect();
        let (noise, sizes) = estimate(&values, 100.0);
        assert_eq!(sizes.len(), 1);
        assert!((sizes[0] - 9.0).abs() < 0.1 && (noise - 1.0).abs() < 0.05, "{noise} {sizes:?}");
        // Equal ones are noise alone, and columns that are all the same have none.
        assert_eq!(estimate(&[1.0; 8], 40.0), (1.0, vec![]));
        let (noise, sizes) = estimate(&[8.0, 0.0, 0.0, 0.0], 40.0);
        assert_eq!((noise, sizes), (0.0, vec![8.0]));
    }
}

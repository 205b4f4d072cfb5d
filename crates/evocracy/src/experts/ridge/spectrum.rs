//! The eigendecomposition of the inputs, done once for every penalty.
//!
//! With `A` the inputs, centred and times the root of each row's weight, and `A'A = V S V'`, the
//! scores `Z = A V` give the coefficients `V (Z'b / (S + penalty))`, the fit `Z (Z'b / (S +
//! penalty))` and the leverages. Where there are fewer rows than inputs, the same comes from the
//! smaller matrix `A A'`.

use super::Choose;
use crate::data::DenseRows;
use crate::error::Result;
use crate::num::symmetric::{Eigen, add_gram, product};
use crate::num::{add_scaled, dot, wide};
use crate::run::{Stop, Ticker};

/// Eigenvalues below this share of the largest count as 0.
const RANK_TOLERANCE: f64 = 1e-14;

#[derive(Debug)]
pub(super) struct Spectrum {
    /// The mean of each input and of the target.
    pub(super) means: Vec<f64>,
    pub(super) mean: f64,
    /// The weight of all rows, and the effective number of rows: how many of equal weight are as informative.
    pub(super) total: f64,
    pub(super) effective_rows: f64,
    /// How much the inputs vary in each direction.
    pub(super) values: Vec<f64>,
    /// The directions, one after the other.
    pub(super) axes: Vec<f64>,
    /// The rows along each direction, one direction after the other.
    scores: Vec<f64>,
    /// The centred target times the root of each row's weight.
    target: Vec<f64>,
    /// The products of scores and target.
    products: Vec<f64>,
    /// The share of each row in the weight: its leverage on the intercept.
    shares: Vec<f64>,
}

/// What a penalty gives.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Errors {
    /// The weighted sum of squared residuals.
    pub(super) squares: f64,
    /// How many degrees of freedom the fit uses, with the intercept.
    pub(super) freedom: f64,
    /// The mean squared error of rows left out one at a time.
    pub(super) left_out: f64,
}

impl Spectrum {
    /// `None` where the numbers are too large.
    pub(super) fn new(
        inputs: &DenseRows<'_>,
        target: &[f64],
        weights: &[f64],
        stop: &Stop,
    ) -> Result<Option<Self>> {
        let rows: Vec<usize> = (0..inputs.rows).filter(|&row| weights[row] > 0.0).collect();
        let total: f64 = weights.iter().sum();
        let mean = |values: &[f64]| rows.iter().map(|&i| weights[i] / total * values[i]).sum();
        let roots: Vec<f64> = rows.iter().map(|&i| weights[i].sqrt()).collect();
        let centred = |values: &[f64], mean: f64| -> Vec<f64> {
            rows.iter().zip(&roots).map(|(&i, root)| (values[i] - mean) * root).collect()
        };
        let means: Vec<f64> = inputs.columns.iter().map(|column| mean(column)).collect();
        let (count, width) = (rows.len(), means.len());
        let mut matrix = Vec::with_capacity(count * width);
        for (column, mean) in inputs.columns.iter().zip(&means) {
            matrix.extend(centred(column, *mean));
        }
        let parts = if width <= count {
            tall_inputs(&matrix, count, width, stop)?
        } else {
            wide_inputs(&matrix, count, width, stop)?
        };
        let Some((values, axes, scores)) = parts else { return Ok(None) };
        let mean = mean(target);
        let target = centred(target, mean);
        let products = scores.chunks_exact(count).map(|scores| dot(scores, &target)).collect();
        let shares: Vec<f64> = rows.iter().map(|&i| weights[i] / total).collect();
        let effective_rows = 1.0 / shares.iter().map(|share| share * share).sum::<f64>();
        Ok(Some(Self {
            means,
            mean,
            total,
            effective_rows,
            values,
            axes,
            scores,
            target,
            products,
            shares,
        }))
    }

    /// The coefficients along the directions.
    fn components(&self, penalty: f64) -> impl Iterator<Item = f64> {
        self.values.iter().zip(&self.products).map(move |(s, product)| product / (s + penalty))
    }

    /// The coefficients of the inputs.
    pub(super) fn coefficients(&self, penalty: f64) -> Vec<f64> {
        let mut found = vec![0.0; self.means.len()];
        for (component, axis) in
            self.components(penalty).zip(self.axes.chunks_exact(self.means.len().max(1)))
        {
            add_scaled(&mut found, component, axis);
        }
        found
    }

    /// The errors of the fit with a penalty.
    pub(super) fn errors(&self, penalty: f64) -> Errors {
        let mut residuals = self.target.clone();
        let mut leverage = self.shares.clone();
        wide(
            #[inline(always)]
            || {
                let scores = self.scores.chunks_exact(self.target.len());
                for ((component, value), scores) in
                    self.components(penalty).zip(&self.values).zip(scores)
                {
                    add_scaled(&mut residuals, -component, scores);
                    let factor = 1.0 / (value + penalty);
                    leverage
                        .iter_mut()
                        .zip(scores)
                        .for_each(|(l, score)| *l += factor * score * score);
                }
            },
        );
        let left_out = residuals.iter().zip(&leverage).map(|(residual, leverage)| {
            // A row that alone decides its own fit has an error all the same.
            let error = residual / (1.0 - leverage).max(1e-9);
            error * error
        });
        let freedom = self.values.iter().map(|value| value / (value + penalty)).sum::<f64>();
        Errors {
            left_out: left_out.sum::<f64>() / self.total,
            squares: dot(&residuals, &residuals),
            freedom: 1.0 + freedom,
        }
    }

    /// The penalty with the least error; the strongest among equals.
    pub(super) fn choose(&self, by: Choose, stop: &Stop) -> Result<f64> {
        let penalties = (-24..=16).rev().map(|q| self.total * 10_f64.powf(f64::from(q) / 4.0));
        let mut ticker = Ticker::new(stop);
        let mut error = |penalty: f64| -> Result<f64> {
            ticker.tick(2 * self.scores.len())?;
            let errors = self.errors(penalty);
            Ok(match by {
                Choose::Loo => errors.left_out,
                Choose::Gcv => {
                    let left = (1.0 - errors.freedom / self.effective_rows).max(1e-9);
                    errors.squares / (left * left)
                }
            })
        };
        let mut best: Option<(f64, f64)> = None;
        for penalty in penalties {
            let error = error(penalty)?;
            match best {
                Some((least, _)) if error >= least => {}
                _ => best = Some((error, penalty)),
            }
        }
        Ok(best.map_or(self.total, |best| best.1))
    }
}

type Parts = (Vec<f64>, Vec<f64>, Vec<f64>);

/// Values, directions and scores of at least as many rows as inputs.
fn tall_inputs(matrix: &[f64], count: usize, width: usize, stop: &Stop) -> Result<Option<Parts>> {
    let mut gram = vec![0.0; width * width];
    add_gram(&mut gram, width, matrix, 1.0);
    let Some(eigen) = Eigen::until(&gram, width, stop)? else { return Ok(None) };
    let (values, axes) = kept(&eigen, width);
    stop.check()?;
    let scores = product(matrix, &axes, count, width);
    Ok(Some((values, axes, scores)))
}

/// The same of fewer rows than inputs.
fn wide_inputs(matrix: &[f64], count: usize, width: usize, stop: &Stop) -> Result<Option<Parts>> {
    let mut transposed = vec![0.0; matrix.len()];
    for (j, column) in matrix.chunks_exact(count).enumerate() {
        column.iter().enumerate().for_each(|(i, value)| transposed[i * width + j] = *value);
    }
    let mut gram = vec![0.0; count * count];
    add_gram(&mut gram, count, &transposed, 1.0);
    let Some(eigen) = Eigen::until(&gram, count, stop)? else { return Ok(None) };
    let (values, mut scores) = kept(&eigen, count);
    stop.check()?;
    let mut axes = product(&transposed, &scores, width, count);
    for (j, value) in values.iter().enumerate() {
        let root = value.sqrt();
        axes[j * width..(j + 1) * width].iter_mut().for_each(|axis| *axis /= root);
        scores[j * count..(j + 1) * count].iter_mut().for_each(|score| *score *= root);
    }
    Ok(Some((values, axes, scores)))
}

/// The eigenvalues that are more than rounding, the largest first, and their vectors.
fn kept(eigen: &Eigen, size: usize) -> (Vec<f64>, Vec<f64>) {
    let least = eigen.values.last().copied().unwrap_or(0.0) * RANK_TOLERANCE * size as f64;
    let (mut values, mut vectors) = (Vec::new(), Vec::new());
    for (j, &value) in eigen.values.iter().enumerate().rev() {
        if value > least && value > 0.0 {
            values.push(value);
            vectors.extend_from_slice(&eigen.vectors[j * size..(j + 1) * size]);
        }
    }
    (values, vectors)
}

//! Many sparse sums over shared basis functions: thousands of small machines in one flat value.
//!
//! A machine that stands alone repeats its centres; here every centre is kept once, whatever the
//! number of machines and widths that use it. Terms are stored as a compressed sparse matrix: the
//! terms of sum `i` are those from `starts[i]` to `starts[i + 1]`.

use super::bases::{Basis, Kernel, kernel_into};
use super::tuning::NumericLimits;
use crate::data::{DenseRows, Schema, View};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Sums of weighted basis functions that share their centres.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SparseSums {
    kernel: Kernel,
    degree: usize,
    inputs: usize,
    /// The number of each centre's row in the training table.
    rows: Vec<u32>,
    /// The inputs of each centre, one centre after the other.
    centres: Vec<f64>,
    /// The row of a centre here is its position among the centres.
    bases: Vec<Basis>,
    starts: Vec<u32>,
    terms: Vec<u32>,
    weights: Vec<f64>,
}

impl SparseSums {
    /// No sums yet, over basis functions of a kernel on so many inputs.
    pub fn new(kernel: Kernel, degree: usize, inputs: usize) -> Self {
        let (rows, centres, bases) = (Vec::new(), Vec::new(), Vec::new());
        let (terms, weights) = (Vec::new(), Vec::new());
        Self { kernel, degree, inputs, rows, centres, bases, starts: vec![0], terms, weights }
    }

    /// Adds a centre: a training row by its number in the table, with its inputs. Returns its
    /// position, which [`Basis::Centre`] calls the row.
    pub fn add_centre(&mut self, row: u32, inputs: &[f64]) -> usize {
        debug_assert_eq!(inputs.len(), self.inputs);
        self.rows.push(row);
        self.centres.extend_from_slice(inputs);
        self.rows.len() - 1
    }

    /// Adds a basis function. Returns its position.
    pub fn add_basis(&mut self, basis: Basis) -> u32 {
        self.bases.push(basis);
        self.bases.len() as u32 - 1
    }

    /// Adds a sum of basis functions, by their positions, and their weights.
    pub fn add_sum(&mut self, terms: &[(u32, f64)]) {
        self.terms.extend(terms.iter().map(|(basis, _)| basis));
        self.weights.extend(terms.iter().map(|(_, weight)| weight));
        self.starts.push(self.terms.len() as u32);
    }

    /// Some of the sums, with what they need.
    #[must_use]
    pub(crate) fn only(&self, sums: &[usize]) -> Self {
        let mut kept = Self::new(self.kernel, self.degree, self.inputs);
        let (mut centres, mut bases) = (BTreeMap::new(), BTreeMap::new());
        for &sum in sums {
            let range = self.starts[sum] as usize..self.starts[sum + 1] as usize;
            let mut terms = Vec::new();
            for (term, weight) in self.terms[range.clone()].iter().zip(&self.weights[range]) {
                let place = *bases.entry(*term).or_insert_with(|| {
                    let basis = match self.bases[*term as usize] {
                        Basis::Centre { row, width } => {
                            let row = *centres.entry(row).or_insert_with(|| {
                                let inputs = row * self.inputs..(row + 1) * self.inputs;
                                kept.add_centre(self.rows[row], &self.centres[inputs])
                            });
                            Basis::Centre { row, width }
                        }
                        other => other,
                    };
                    kept.add_basis(basis)
                });
                terms.push((place, *weight));
            }
            kept.add_sum(&terms);
        }
        kept
    }

    /// How many sums there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The terms of a sum: basis function and weight.
    pub fn terms(&self, sum: usize) -> impl Iterator<Item = (Basis, f64)> {
        let range = self.starts[sum] as usize..self.starts[sum + 1] as usize;
        let bases = self.terms[range.clone()].iter().map(|&basis| self.bases[basis as usize]);
        bases.zip(self.weights[range].iter().copied())
    }

    /// How many basis functions a sum has beside the bias.
    pub fn vectors(&self, sum: usize) -> usize {
        self.terms(sum).filter(|(basis, _)| *basis != Basis::Bias).count()
    }

    /// How many different basis functions are used.
    pub fn bases(&self) -> usize {
        self.bases.len()
    }

    /// A sum at every row in view.
    pub fn at(&self, sum: usize, rows: View<'_>) -> Result<Vec<f64>> {
        let points = self.points(rows)?;
        let mut sums = vec![0.0; rows.rows()];
        let mut column = sums.clone();
        for (basis, weight) in self.terms(sum) {
            self.column(basis, &points, &mut column);
            sums.iter_mut().zip(&column).for_each(|(sum, value)| *sum += weight * value);
        }
        clamp(&mut sums);
        Ok(sums)
    }

    /// Every sum at every row in view, one sum after the other; each basis is computed once.
    pub fn all_at(&self, rows: View<'_>) -> Result<Vec<f64>> {
        let (points, n) = (self.points(rows)?, rows.rows());
        let mut users: Vec<Vec<(usize, f64)>> = vec![Vec::new(); self.bases.len()];
        for sum in 0..self.len() {
            let range = self.starts[sum] as usize..self.starts[sum + 1] as usize;
            for (term, weight) in self.terms[range.clone()].iter().zip(&self.weights[range]) {
                users[*term as usize].push((sum, *weight));
            }
        }
        let mut sums = vec![0.0; self.len() * n];
        let mut column = vec![0.0; n];
        for (basis, users) in self.bases.iter().zip(users) {
            self.column(*basis, &points, &mut column);
            for (sum, weight) in users {
                let own = &mut sums[sum * n..(sum + 1) * n];
                own.iter_mut().zip(&column).for_each(|(sum, value)| *sum += weight * value);
            }
        }
        clamp(&mut sums);
        Ok(sums)
    }

    /// What each term of a sum adds at the only row in view.
    pub fn parts(&self, sum: usize, row: View<'_>) -> Result<Vec<(Basis, f64)>> {
        let points = self.points(row)?;
        let part = |(basis, weight): (Basis, f64)| {
            let mut value = [0.0];
            self.column(basis, &points, &mut value);
            (basis, weight * value[0])
        };
        Ok(self.terms(sum).map(part).collect())
    }

    /// The number in the training table of the row behind a centre.
    pub fn training_row(&self, centre: usize) -> u32 {
        self.rows[centre]
    }

    fn points<'a>(&self, rows: View<'a>) -> Result<DenseRows<'a>> {
        DenseRows::of_model(rows, self.inputs, NumericLimits::DATA)
    }

    fn column(&self, basis: Basis, points: &DenseRows<'_>, out: &mut [f64]) {
        match basis {
            Basis::Bias => out.fill(1.0),
            Basis::Column(input) => out.copy_from_slice(&points.columns[input]),
            Basis::Centre { row, width } => {
                let centre = &self.centres[row * self.inputs..(row + 1) * self.inputs];
                kernel_into(self.kernel, self.degree, points, 0, centre, width, out);
            }
        }
        clamp(out);
    }

    /// Refuses what a damaged or forged file could hold.
    pub fn check(&self, inputs: &Schema) -> Result<()> {
        let finite = |value: &f64| value.abs() <= NumericLimits::MODEL;
        let basis = |basis: &Basis| match *basis {
            Basis::Bias => true,
            Basis::Column(input) => input < self.inputs,
            Basis::Centre { row, width } => {
                row < self.rows.len() && NumericLimits::MODEL_WIDTHS.contains(&width)
            }
        };
        let sound = DenseRows::fits(inputs, self.inputs)
            && (1..=64).contains(&self.degree)
            && Some(self.centres.len()) == self.rows.len().checked_mul(self.inputs)
            && self.starts.first() == Some(&0)
            && self.starts.is_sorted()
            && self.starts.last().map(|&end| end as usize) == Some(self.terms.len())
            && self.terms.len() == self.weights.len()
            && self.terms.iter().all(|&term| (term as usize) < self.bases.len())
            && self.bases.iter().all(basis)
            && self.centres.iter().chain(&self.weights).all(finite);
        if sound { Ok(()) } else { Err(Error::model_file("its sums are inconsistent")) }
    }
}

/// Keeps sums of values far from all centres finite.
fn clamp(values: &mut [f64]) {
    for value in values {
        *value = value.clamp(-NumericLimits::MODEL, NumericLimits::MODEL);
    }
}

//! One half of the samples to learn from and the other to judge on. Everything that is fitted to
//! values (floor, means of missing ones, adjustment, scale) is fitted to the training half alone.

mod refit;

use super::{Samples, SparseClassifier};
use crate::num::{dot, symmetric};
use serde::Serialize;

crate::choices! {
    /// What is done to the values of genes first.
    pub enum Scale {
        /// nothing but standardising
        Raw = "raw",
        /// the logarithm, after raising small values to a floor
        Log = "log",
    }
}

/// What is done to values before they are learnt from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Preparation {
    /// Logarithms or not.
    #[serde(serialize_with = "as_text")]
    pub scale: Scale,
    /// Genes (cofactors) that all others are adjusted for, and that are not selected.
    pub adjust: Vec<u32>,
    /// The same, and they are part of every classifier.
    pub force: Vec<u32>,
    /// Cofactors that can be selected like genes.
    pub offer: Vec<u32>,
}

impl Default for Preparation {
    fn default() -> Self {
        Self { scale: Scale::Raw, adjust: Vec::new(), force: Vec::new(), offer: Vec::new() }
    }
}

impl Preparation {
    /// Whether others are adjusted for this gene, so that it is not selected.
    pub fn adjusts(&self, gene: u32) -> bool {
        self.adjust.contains(&gene) || self.force.contains(&gene)
    }

    /// The floor and logarithms are not for cofactors, which are of another scale, such as years.
    fn is_cofactor(&self, gene: u32) -> bool {
        self.adjusts(gene) || self.offer.contains(&gene)
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn as_text<S: serde::Serializer>(scale: &Scale, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(if *scale == Scale::Log { "log" } else { "raw" })
}

/// A ridge on the normal equations of an adjustment: cofactors may be collinear.
pub(super) const RIDGE: f64 = 1e-9;
/// The median absolute value of normal noise is its standard deviation divided by this.
pub(super) const MEDIAN_FACTOR: f64 = 1.4826;

/// The squares of smaller values lose digits.
const SMALL: f64 = 1e-140;

/// A training half with its test half.
#[derive(Debug)]
pub struct Half<'a> {
    samples: &'a Samples,
    train: &'a [u32],
    test: &'a [u32],
    preparation: &'a Preparation,
    floor: f64,
    cofactors: Cofactors,
    /// The genes that can be selected, by their number in the samples.
    pub genes: Vec<u32>,
    /// Their training values, gene after gene: mean 0 and variance 1, or all 0.
    pub columns: Vec<f64>,
    /// 1 for positive training samples, else 0.
    pub targets: Vec<f64>,
    /// Which training samples are positive.
    pub truth: Vec<bool>,
    test_truth: Vec<bool>,
}

/// Cofactors at the training and test rows, and the factor of their normal equations.
#[derive(Debug, Default)]
struct Cofactors {
    train: Vec<f64>,
    test: Vec<f64>,
    factor: Option<symmetric::Cholesky>,
}

impl<'a> Half<'a> {
    /// Prepares the training rows; `labels` are those of all samples, `left_out` genes that cannot be
    /// selected.
    pub fn new(
        samples: &'a Samples,
        labels: &[bool],
        (train, test): (&'a [u32], &'a [u32]),
        preparation: &'a Preparation,
        left_out: &[bool],
    ) -> Self {
        let of = |rows: &[u32]| rows.iter().map(|&row| labels[row as usize]).collect::<Vec<bool>>();
        let (truth, test_truth) = (of(train), of(test));
        let targets = truth.iter().map(|&t| f64::from(u8::from(t))).collect();
        let taken = |gene: u32| {
            preparation.adjusts(gene)
                || samples.is_constant(gene as usize)
                || left_out.get(gene as usize) == Some(&true)
        };
        let genes: Vec<u32> = (0..samples.genes().len() as u32).filter(|&g| !taken(g)).collect();
        let mut half = Self {
            samples,
            train,
            test,
            preparation,
            floor: 0.0,
            cofactors: Cofactors::default(),
            columns: Vec::new(),
            genes,
            targets,
            truth,
            test_truth,
        };
        if preparation.scale == Scale::Log {
            half.floor = half.fit_floor();
        }
        half.cofactors = half.fit_cofactors();
        let mut columns = vec![0.0; half.genes.len() * train.len()];
        for (&gene, column) in half.genes.iter().zip(columns.chunks_exact_mut(train.len().max(1))) {
            half.prepare_into(gene as usize, column, &[], &mut []);
        }
        half.columns = columns;
        half
    }

    /// The samples behind the half.
    pub fn samples(&self) -> &'a Samples {
        self.samples
    }

    /// How many training samples there are.
    pub fn rows(&self) -> usize {
        self.train.len()
    }

    /// The training values of the gene at place `at` of [`Half::genes`].
    pub fn column(&self, at: usize) -> &[f64] {
        &self.columns[at * self.rows()..(at + 1) * self.rows()]
    }

    /// The test samples, by number.
    pub fn test_rows(&self) -> &'a [u32] {
        self.test
    }

    /// Which test samples are positive.
    pub fn test_truth(&self) -> &[bool] {
        &self.test_truth
    }

    /// How many columns the adjustment takes up, the mean among them.
    pub fn adjusted_for(&self) -> usize {
        1 + self.preparation.adjust.len() + self.preparation.force.len()
    }

    /// The floor under logarithms: the noise that negative values show, or else the smallest
    /// positive value.
    fn fit_floor(&self) -> f64 {
        let (mut negative, mut least) = (Vec::new(), f64::INFINITY);
        let scaled = |&&gene: &&u32| {
            !self.samples.genes()[gene as usize].indicator && !self.preparation.is_cofactor(gene)
        };
        for &gene in self.genes.iter().filter(scaled) {
            let values = self.samples.values(gene as usize);
            for value in self.train.iter().map(|&row| values[row as usize]) {
                if value < 0.0 {
                    negative.push(-value);
                } else if value > 0.0 {
                    least = least.min(value);
                }
            }
        }
        if negative.is_empty() {
            return if least.is_finite() { least } else { 1.0 };
        }
        let middle = negative.len() / 2;
        let (_, median, _) = negative.select_nth_unstable_by(middle, f64::total_cmp);
        (MEDIAN_FACTOR * *median).max(f64::MIN_POSITIVE)
    }

    /// Writes values at some rows, with logarithms where they are wanted; the sum of those that are
    /// known and their number.
    fn transform(&self, gene: usize, rows: &[u32], out: &mut [f64]) -> (f64, usize) {
        let values = self.samples.values(gene);
        let cofactor = self.preparation.is_cofactor(gene as u32);
        let plain = self.floor == 0.0 || cofactor || self.samples.genes()[gene].indicator;
        let (mut sum, mut known) = (0.0, 0);
        for (out, &row) in out.iter_mut().zip(rows) {
            let value = values[row as usize];
            *out = if plain || value.is_nan() { value } else { value.max(self.floor).log2() };
            // A missing value stays missing.
            if !value.is_nan() {
                sum += *out;
                known += 1;
            }
        }
        (sum, known)
    }

    /// A gene at the training rows, standardised, and at other rows by the same mean and scale.
    fn prepare(&self, gene: usize, rows: &[u32]) -> (Vec<f64>, Vec<f64>) {
        let (mut train, mut other) = (vec![0.0; self.train.len()], vec![0.0; rows.len()]);
        self.prepare_into(gene, &mut train, rows, &mut other);
        (train, other)
    }

    /// The same, into memory that is there.
    fn prepare_into(&self, gene: usize, train: &mut [f64], rows: &[u32], other: &mut [f64]) {
        let (sum, known) = self.transform(gene, self.train, train);
        self.transform(gene, rows, other);
        let mean = sum / known.max(1) as f64;
        // The mean stands for what is missing.
        for value in train.iter_mut().chain(&mut *other) {
            *value = if value.is_nan() { 0.0 } else { *value - mean };
        }
        self.cofactors.adjust(train, other);
        let n = train.len() as f64;
        let mut size = train.iter().fold(mean.abs(), |most, v| most.max(v.abs()));
        if size > 0.0 && size < SMALL {
            // The squares would be 0, and the column look constant.
            train.iter_mut().chain(&mut *other).for_each(|value| *value /= size);
            size = 1.0;
        }
        let centre = train.iter().sum::<f64>() / n;
        let spread = (train.iter().map(|v| (v - centre).powi(2)).sum::<f64>() / n).sqrt();
        // Rounding of a constant is no spread.
        let factor = if spread > 1e-12 * size { 1.0 / spread } else { 0.0 };
        for value in train.iter_mut().chain(other) {
            *value = (*value - centre) * factor;
        }
    }

    fn fit_cofactors(&self) -> Cofactors {
        let all: Vec<u32> =
            self.preparation.force.iter().chain(&self.preparation.adjust).copied().collect();
        if all.is_empty() {
            return Cofactors::default();
        }
        let (mut train, mut test) = (Vec::new(), Vec::new());
        for gene in all {
            let (own, other) = self.prepare(gene as usize, self.test);
            train.extend(own);
            test.extend(other);
        }
        let q = train.len() / self.train.len();
        let mut gram = vec![0.0; q * q];
        symmetric::add_gram(&mut gram, q, &train, 1.0);
        (0..q).for_each(|j| gram[j * q + j] += RIDGE * self.train.len() as f64);
        let factor = symmetric::Cholesky::new(&gram, q);
        Cofactors { train, test, factor }
    }

    /// The scores of a classifier at the training and at the test samples.
    pub fn scores(&self, classifier: &SparseClassifier) -> [Vec<f64>; 2] {
        let mut scores =
            [vec![classifier.bias; self.train.len()], vec![classifier.bias; self.test.len()]];
        for (&gene, weight) in classifier.genes.iter().zip(&classifier.weights) {
            let (train, test) = self.prepare(gene as usize, self.test);
            crate::num::add_scaled(&mut scores[0], *weight, &train);
            crate::num::add_scaled(&mut scores[1], *weight, &test);
        }
        for (at, weight) in classifier.cofactors.iter().enumerate() {
            let [train, test] = self.cofactors.columns(at, [self.train.len(), self.test.len()]);
            crate::num::add_scaled(&mut scores[0], *weight, train);
            crate::num::add_scaled(&mut scores[1], *weight, test);
        }
        scores
    }

    /// The targets, less their mean and what the cofactors explain.
    pub(super) fn adjusted_targets(&self) -> Vec<f64> {
        let mean = self.targets.iter().sum::<f64>() / self.rows() as f64;
        let mut class: Vec<f64> = self.targets.iter().map(|target| target - mean).collect();
        self.cofactors.adjust(&mut class, &mut []);
        class
    }

    /// The training values of the forced cofactors.
    pub(super) fn forced(&self) -> impl Iterator<Item = &[f64]> {
        self.cofactors.train.chunks_exact(self.rows()).take(self.preparation.force.len())
    }

    /// Whether classifiers have forced cofactors.
    pub fn forces(&self) -> bool {
        !self.preparation.force.is_empty()
    }
}

impl Cofactors {
    /// Takes from a column what the cofactors explain of its training values.
    fn adjust(&self, train: &mut [f64], other: &mut [f64]) {
        let Some(factor) = &self.factor else { return };
        let n = train.len();
        let mut coefficients: Vec<f64> =
            self.train.chunks_exact(n).map(|cofactor| dot(cofactor, train)).collect();
        factor.solve(&mut coefficients);
        for (at, coefficient) in coefficients.iter().enumerate() {
            crate::num::add_scaled(train, -coefficient, &self.train[at * n..(at + 1) * n]);
            if !other.is_empty() {
                let m = other.len();
                crate::num::add_scaled(other, -coefficient, &self.test[at * m..(at + 1) * m]);
            }
        }
    }

    fn columns(&self, at: usize, [n, m]: [usize; 2]) -> [&[f64]; 2] {
        [&self.train[at * n..(at + 1) * n], &self.test[at * m..(at + 1) * m]]
    }
}

#[cfg(test)]
mod tests;

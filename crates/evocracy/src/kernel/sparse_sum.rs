//! A learnt sum of bases: its values at new rows, their variances, the contribution of each basis.

use super::bases::{Basis, Kernel, kernel_into};
use super::design::{Design, Dictionary};
use super::evidence::{complexity, variance_at};
use super::fast::Solution;
use super::likeness;
use super::tuning::NumericLimits;
use super::width::Start;
use crate::classify::{Diagnostics, Part, RelevanceVector, VectorBase};
use crate::data::DenseRows;
use crate::num::add_scaled;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// A basis function of the sum.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Term {
    /// A centre has the number of its row in the training table.
    #[serde(rename = "base")]
    pub(super) basis: Basis,
    /// The centre; empty for others.
    pub(super) at: Vec<f64>,
}

/// A sparse sum of bases.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SparseSum {
    kernel: Kernel,
    degree: usize,
    inputs: usize,
    pub(super) terms: Vec<Term>,
    pub(super) weights: Vec<f64>,
    pub(super) alphas: Vec<f64>,
    pub(super) covariance: Vec<f64>,
    pub(super) evidence: f64,
    pub(super) curve: Vec<f64>,
    #[serde(rename = "settled")]
    pub(super) converged: bool,
}

impl SparseSum {
    /// The solution of a search over the design of training rows; `id` is the number of each row
    /// in its table.
    pub(super) fn new(
        dictionary: &Dictionary,
        design: &Design,
        solution: Solution,
        points: &DenseRows<'_>,
        id: impl Fn(usize) -> usize,
    ) -> Self {
        let term = |&basis: &usize| match design.bases()[basis] {
            Basis::Centre { row, width } => {
                Term { basis: Basis::Centre { row: id(row), width }, at: points.row(row) }
            }
            basis => Term { basis, at: Vec::new() },
        };
        Self {
            kernel: dictionary.kernel,
            degree: dictionary.degree,
            inputs: points.inputs(),
            terms: solution.bases.iter().map(term).collect(),
            weights: solution.weights,
            alphas: solution.alphas,
            covariance: solution.covariance,
            evidence: solution.evidence,
            curve: solution.curve,
            converged: solution.converged,
        }
    }

    /// The sum for targets `scale` times as large, learnt from rows of weight `total`.
    pub(super) fn times(mut self, scale: f64, total: f64) -> Self {
        let logs = total * scale.ln();
        self.weights.iter_mut().for_each(|weight| *weight *= scale);
        self.alphas.iter_mut().for_each(|alpha| *alpha /= scale * scale);
        self.covariance.iter_mut().for_each(|cell| *cell *= scale * scale);
        self.curve.iter_mut().for_each(|evidence| *evidence -= logs);
        self.evidence -= logs;
        self
    }

    /// The bases of a design that are nearest to those of the sum, with their precisions.
    pub(super) fn start(&self, design: &Design, points: &DenseRows<'_>) -> Start {
        let distance = |term: &Term, basis: &Basis| match (term.basis, *basis) {
            (Basis::Centre { width, .. }, Basis::Centre { row, width: other }) => {
                let levels = (width / other).ln().abs();
                let square = |(a, b): (&f64, f64)| (a - b) * (a - b);
                // The resolution counts before the distance.
                let square: f64 = term.at.iter().zip(points.row(row)).map(square).sum();
                ((levels / std::f64::consts::LN_2).round(), square)
            }
            (own, other) if own == other => (0.0, 0.0),
            _ => (f64::INFINITY, f64::INFINITY),
        };
        let nearest = |(term, alpha): (&Term, &f64)| {
            let all = design.bases().iter().map(|basis| distance(term, basis)).enumerate();
            let best = all.min_by(|(_, a), (_, b)| a.partial_cmp(b).unwrap_or(Ordering::Equal));
            best.filter(|(_, (far, _))| far.is_finite()).map(|(at, _)| (at, *alpha))
        };
        self.terms.iter().zip(&self.alphas).filter_map(nearest).collect()
    }

    /// The bases in the model.
    pub fn bases(&self) -> impl Iterator<Item = Basis> {
        self.terms.iter().map(|term| term.basis)
    }

    /// The most probable weight of each basis.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The precision of each weight.
    pub fn alphas(&self) -> &[f64] {
        &self.alphas
    }

    /// The covariance of the weights, column after column.
    pub fn covariance(&self) -> &[f64] {
        &self.covariance
    }

    /// The log evidence.
    pub fn evidence(&self) -> f64 {
        self.evidence
    }

    /// Whether the search converged.
    pub fn converged(&self) -> bool {
        self.converged
    }

    /// How many bases there are beside the bias.
    pub fn vectors(&self) -> usize {
        self.bases().filter(|basis| *basis != Basis::Bias).count()
    }

    pub(super) fn inputs(&self) -> usize {
        self.inputs
    }

    /// The values of a basis at some rows.
    fn values(&self, term: &Term, points: &DenseRows<'_>, out: &mut [f64]) {
        match term.basis {
            Basis::Bias => out.fill(1.0),
            Basis::Column(input) => out.copy_from_slice(&points.columns[input]),
            Basis::Centre { width, .. } => {
                kernel_into(self.kernel, self.degree, points, 0, &term.at, width, out);
            }
        }
        // A polynomial at a distant row is huge: sums must stay finite.
        for value in out {
            *value = value.clamp(-NumericLimits::MODEL, NumericLimits::MODEL);
        }
    }

    /// Writes the values of all bases at some rows, one basis after the other.
    pub(super) fn columns_into(&self, points: &DenseRows<'_>, out: &mut Vec<f64>) {
        out.clear();
        out.resize(points.rows * self.terms.len(), 0.0);
        for (term, column) in self.terms.iter().zip(out.chunks_exact_mut(points.rows.max(1))) {
            self.values(term, points, column);
        }
    }

    /// The sum for so many inputs, of which it has known these only.
    pub(super) fn spread(&mut self, known: &[usize], inputs: usize) {
        self.inputs = inputs;
        for term in &mut self.terms {
            if let Basis::Centre { .. } = term.basis {
                let own = std::mem::replace(&mut term.at, vec![0.0; inputs]);
                known.iter().zip(own).for_each(|(&input, value)| term.at[input] = value);
            }
        }
    }

    /// Writes the sum at every row and, where it is asked for, its variance (2.72) without noise.
    pub(super) fn sum_into(
        &self,
        points: &DenseRows<'_>,
        sums: &mut [f64],
        variances: Option<&mut [f64]>,
    ) {
        let (n, k) = (points.rows, self.terms.len());
        let mut columns = vec![0.0; if variances.is_some() { n * k } else { n }];
        sums.fill(0.0);
        for (j, (term, weight)) in self.terms.iter().zip(&self.weights).enumerate() {
            let at = if variances.is_some() { j * n } else { 0 };
            let column = &mut columns[at..at + n];
            self.values(term, points, column);
            add_scaled(sums, *weight, column);
        }
        for sum in sums {
            *sum = sum.clamp(-NumericLimits::MODEL, NumericLimits::MODEL);
        }
        for (row, variance) in variances.into_iter().flatten().enumerate() {
            *variance = variance_at(row, n, &columns, &self.covariance).clamp(0.0, f64::MAX);
        }
    }

    /// The bias, and what every other basis adds to the sum of one row.
    pub(super) fn contributions(
        &self,
        row: &[f64],
        name: impl Fn(usize) -> String,
    ) -> (f64, Vec<Part>) {
        let points = &DenseRows::from_slice(row, 1);
        let (mut bias, mut parts) = (0.0, Vec::new());
        for (term, weight) in self.terms.iter().zip(&self.weights) {
            let mut value = [0.0];
            self.values(term, points, &mut value);
            let adds = weight * value[0];
            let (column, because) = match term.basis {
                Basis::Bias => {
                    bias += adds;
                    continue;
                }
                Basis::Column(input) => (Some(input), format!("{} = {}", name(input), row[input])),
                Basis::Centre { row: number, width } => {
                    let wide = if self.kernel.has_width() {
                        format!(", width {width:.4}")
                    } else {
                        String::new()
                    };
                    let like = format!("training row {number}: kernel {:.4}{wide}", value[0]);
                    let inputs = likeness::words(self.kernel, row, &term.at, &name);
                    (None, format!("{like}, weight {weight:.4}{inputs}"))
                }
            };
            parts.push(Part { column, because, adds: vec![adds] });
        }
        (bias, parts)
    }

    /// Bases, evidence and complexity, for a person to read.
    pub(super) fn diagnostics(&self, name: impl Fn(usize) -> String) -> Diagnostics {
        let each = self.terms.iter().zip(&self.weights).zip(&self.alphas);
        let vector = |((term, &weight), &alpha): ((&Term, &f64), &f64)| {
            let base = match term.basis {
                Basis::Bias => VectorBase::Bias { bias: true },
                Basis::Column(input) => VectorBase::Column { column: name(input) },
                Basis::Centre { row, width } => VectorBase::Centre { row, width },
            };
            RelevanceVector { base, weight, alpha }
        };
        Diagnostics {
            evidence: Some(self.evidence),
            evidence_curve: Some(self.curve.clone()),
            settled: Some(self.converged),
            complexity: Some(complexity(&self.alphas)),
            vectors: Some(each.map(vector).collect()),
            ..Diagnostics::default()
        }
    }

    /// Whether a file may hold it.
    pub(super) fn is_valid(&self, inputs: usize) -> bool {
        let k = self.terms.len();
        let finite = |v: &f64| v.abs() <= NumericLimits::MODEL;
        let term = |term: &Term| match term.basis {
            Basis::Bias => term.at.is_empty(),
            Basis::Column(input) => input < inputs && term.at.is_empty(),
            Basis::Centre { width, .. } => {
                term.at.len() == inputs
                    && term.at.iter().all(finite)
                    && NumericLimits::MODEL_WIDTHS.contains(&width)
            }
        };
        self.inputs == inputs
            && (1..=64).contains(&self.degree)
            && self.terms.iter().all(term)
            && self.weights.len() == k
            && self.alphas.len() == k
            && self.covariance.len() == k * k
            && self.weights.iter().chain(&self.covariance).all(finite)
            && self.alphas.iter().all(|alpha| alpha.is_finite() && *alpha > 0.0)
            && finite(&self.evidence)
            && self.curve.iter().all(finite)
    }
}

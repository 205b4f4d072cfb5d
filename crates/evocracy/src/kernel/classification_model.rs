//! What `rvm` learns: a sparse sum for two classes, or one for each of several.

use super::classification::Multi;
use super::scales::{are_valid, scales_diagnostic, scales_part};
use super::sparse_sum::SparseSum;
use super::training::scaled_rows;
use crate::classify::{
    Classifier, Diagnostics, Explanation, Link, Part, Proba, Saved, softmax_in_place,
};
use crate::data::{Classes, DenseRows, Schema, View};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// Rows whose probabilities are computed at a time.
const CHUNK: usize = 1024;

/// A fitted relevance vector machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RvmModel {
    pub(super) classes: Classes,
    pub(super) width: f64,
    /// The scale of each input; none where all are alike.
    #[serde(default)]
    pub(super) scales: Vec<f64>,
    pub(super) multi: Multi,
    pub(super) moderate: bool,
    /// How many rows the bases were searched for on, where they were not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) searched: Option<u64>,
    #[serde(rename = "machines")]
    pub(super) sums: Vec<SparseSum>,
}

impl RvmModel {
    /// One sum for two classes, else one for each class.
    pub fn sparse_sums(&self) -> &[SparseSum] {
        &self.sums
    }

    /// The width of the kernel, given or found.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// The scale of each input; none where all are alike.
    pub fn scales(&self) -> &[f64] {
        &self.scales
    }

    pub(super) fn inputs(&self) -> usize {
        self.sums.first().map_or(0, SparseSum::inputs)
    }
}

impl Classifier for RvmModel {
    fn classes(&self) -> &Classes {
        &self.classes
    }

    fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        let k = self.classes.len();
        out.reset(rows.rows(), k);
        for start in (0..rows.rows()).step_by(CHUNK) {
            let end = (start + CHUNK).min(rows.rows());
            let ids: Vec<u32> = (start..end).map(|row| rows.row_id(row) as u32).collect();
            let points = scaled_rows(rows.with_rows(&ids), self.inputs(), &self.scales)?;
            let out = out.rows_mut(start..end);
            probabilities(&self.sums, k, self.multi, self.moderate, &points, out);
        }
        Ok(())
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        let id = [rows.row_id(row) as u32];
        let points = scaled_rows(rows.with_rows(&id), self.inputs(), &self.scales)?;
        let k = self.classes.len();
        let first = k - self.sums.len();
        let mut logits = vec![0.0; k];
        let factors = logits_into(&self.sums, k, self.moderate, &points, &mut logits);
        let values = points.row(0);
        let mut explanation =
            Explanation { base: vec![0.0; k], parts: Vec::new(), link: Link::Softmax };
        let name = |input: usize| rows.field(input).name.clone();
        for (at, sum) in self.sums.iter().enumerate() {
            let class = first + at;
            let mut factor = factors[0];
            let (bias, contributions) = sum.contributions(&values, name);
            let mut base = bias * factor;
            if first == 0 && self.multi == Multi::OneRest {
                // The logits go through the log-sigmoid: each part counts by its mean slope.
                let (from, to) = (base, logits[class]);
                base = log_sigmoid(from);
                let slope = (log_sigmoid(to) - base) / (to - from);
                factor *= if slope.is_finite() { slope } else { 0.0 };
            }
            explanation.base[class] = base;
            for mut part in contributions {
                let mut adds = vec![0.0; k];
                adds[class] = part.adds[0] * factor;
                if first == 0 {
                    part.because = format!("`{}`: {}", self.classes.names()[class], part.because);
                }
                explanation.parts.push(Part { adds, ..part });
            }
        }
        explanation.parts.extend(scales_part(&self.scales, k, name));
        Ok(explanation)
    }
}

impl Saved for RvmModel {
    const VERSION: u32 = 1;

    fn check(&self, inputs: &Schema) -> Result<()> {
        self.classes.check()?;
        let k = self.classes.len();
        let sound = self.sums.len() == if k == 2 { 1 } else { k }
            && self.sums.iter().all(|sum| sum.is_valid(inputs.len()))
            && DenseRows::fits(inputs, inputs.len())
            && are_valid(&self.scales, inputs.len())
            && self.width.is_finite();
        if sound {
            Ok(())
        } else {
            Err(Error::model_file("its relevance vectors are inconsistent"))
        }
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        let vectors = self.sums.iter().map(SparseSum::vectors).sum::<usize>();
        vec![("vectors", vectors as u64)]
    }

    fn diagnostics(&self, inputs: &Schema) -> Diagnostics {
        let name = |input: usize| inputs.fields[input].name.clone();
        let mut diagnostics = match &self.sums[..] {
            [sum] => sum.diagnostics(name),
            sums => {
                let each = self.classes.names().iter().cloned().zip(sums);
                let by_class = each.map(|(class, sum)| (class, sum.diagnostics(name)));
                Diagnostics { by_class: by_class.collect(), ..Diagnostics::default() }
            }
        };
        diagnostics.width = Some(self.width);
        diagnostics.searched_rows = self.searched;
        diagnostics.scales = scales_diagnostic(&self.scales, name);
        diagnostics
    }
}

/// Writes the probabilities of some rows, row by row.
pub(super) fn probabilities(
    sums: &[SparseSum],
    classes: usize,
    multi: Multi,
    moderate: bool,
    points: &DenseRows<'_>,
    out: &mut [f64],
) {
    logits_into(sums, classes, moderate, points, out);
    for out in out.chunks_exact_mut(classes) {
        if sums.len() == classes && multi == Multi::OneRest {
            for value in out.iter_mut() {
                *value = log_sigmoid(*value);
            }
        }
        softmax_in_place(out);
    }
}

/// Writes the logits of all classes, row by row; returns the moderation factor of each row, by
/// which its logits have been multiplied.
///
/// Moderation (D. J. C. `MacKay`, "The evidence framework applied to classification networks",
/// Neural Computation 4 (1992) 720-736) shrinks the difference of two logits by its variance. All
/// classes of a row have the factor of the two largest logits, so that their order stays. The
/// weights of two classes count as independent.
fn logits_into(
    sums: &[SparseSum],
    classes: usize,
    moderate: bool,
    points: &DenseRows<'_>,
    out: &mut [f64],
) -> Vec<f64> {
    let mut logits = vec![0.0; points.rows];
    let mut variances = vec![0.0; if moderate { points.rows * classes } else { 0 }];
    // Of two classes the first has the logit 0.
    out.fill(0.0);
    for (sum, class) in sums.iter().zip(classes - sums.len()..) {
        let own = variances.chunks_exact_mut(points.rows.max(1)).nth(class);
        sum.sum_into(points, &mut logits, own);
        for (out, sum) in out.chunks_exact_mut(classes).zip(&logits) {
            out[class] = *sum;
        }
    }
    let mut factors = vec![1.0; points.rows];
    if moderate {
        for (row, out) in out.chunks_exact_mut(classes).enumerate() {
            let mut order: Vec<usize> = (0..classes).collect();
            order.sort_by(|&a, &b| out[b].total_cmp(&out[a]));
            let two = order.iter().take(2);
            let variance: f64 = two.map(|class| variances[class * points.rows + row]).sum();
            factors[row] = 1.0 / (1.0 + std::f64::consts::PI * variance / 8.0).sqrt();
            for sum in out {
                *sum *= factors[row];
            }
        }
    }
    factors
}

fn log_sigmoid(value: f64) -> f64 {
    value.min(0.0) - (-value.abs()).exp().ln_1p()
}

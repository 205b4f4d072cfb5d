//! What `rvm` learns: a machine for two classes, or one for each of several.

use super::classify::Multi;
use super::ground::points_of;
use super::machine::Machine;
use super::scales::{are_sound, in_words, noted};
use crate::classify::{Classifier, Explanation, Link, Part, Proba, Saved, softmax_in_place};
use crate::data::{Classes, DenseRows, Schema, View};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Rows whose probabilities are computed at a time.
const CHUNK: usize = 1024;

/// A fitted relevance vector machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RvmModel {
    pub(super) classes: Classes,
    pub(super) width: f64,
    /// Of each input; none where all are alike.
    #[serde(default)]
    pub(super) scales: Vec<f64>,
    pub(super) multi: Multi,
    pub(super) moderate: bool,
    pub(super) machines: Vec<Machine>,
}

impl RvmModel {
    /// One machine for two classes, else one for each class.
    pub fn machines(&self) -> &[Machine] {
        &self.machines
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
        self.machines.first().map_or(0, Machine::inputs)
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
            let points = points_of(rows.with_rows(&ids), self.inputs(), &self.scales)?;
            let out = out.rows_mut(start..end);
            probabilities(&self.machines, k, self.multi, self.moderate, &points, out);
        }
        Ok(())
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        let id = [rows.row_id(row) as u32];
        let points = points_of(rows.with_rows(&id), self.inputs(), &self.scales)?;
        let k = self.classes.len();
        let first = k - self.machines.len();
        let mut sums = vec![0.0; k];
        let shares = sums_into(&self.machines, k, self.moderate, &points, &mut sums);
        let values = points.row(0);
        let mut explanation =
            Explanation { base: vec![0.0; k], parts: Vec::new(), link: Link::Softmax };
        for (at, machine) in self.machines.iter().enumerate() {
            let class = first + at;
            let mut share = shares[0];
            let (bias, words) = machine.parts(&values, |input| rows.field(input).name.clone());
            let mut base = bias * share;
            if first == 0 && self.multi == Multi::OneRest {
                // The sums go through a curve: each part counts by its mean slope.
                let (from, to) = (base, sums[class]);
                base = log_sigmoid(from);
                let slope = (log_sigmoid(to) - base) / (to - from);
                share *= if slope.is_finite() { slope } else { 0.0 };
            }
            explanation.base[class] = base;
            for words in words {
                let mut adds = vec![0.0; k];
                adds[class] = words.adds * share;
                let mut because = words.because;
                if first == 0 {
                    because = format!("`{}`: {because}", self.classes.names()[class]);
                }
                explanation.parts.push(Part { column: words.column, because, adds });
            }
        }
        let names = |input: usize| rows.field(input).name.clone();
        explanation.parts.extend(in_words(&self.scales, names).map(|because| Part {
            column: None,
            because,
            adds: vec![0.0; k],
        }));
        Ok(explanation)
    }
}

impl Saved for RvmModel {
    const VERSION: u32 = 1;

    fn check(&self, inputs: &Schema) -> Result<()> {
        self.classes.check()?;
        let k = self.classes.len();
        let sound = self.machines.len() == if k == 2 { 1 } else { k }
            && self.machines.iter().all(|machine| machine.is_sound(inputs.len()))
            && DenseRows::fits(inputs, inputs.len())
            && are_sound(&self.scales, inputs.len())
            && self.width.is_finite();
        if sound {
            Ok(())
        } else {
            Err(Error::model_file("its relevance vectors are inconsistent"))
        }
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        let vectors = self.machines.iter().map(Machine::vectors).sum::<usize>();
        vec![("vectors", vectors as u64)]
    }

    fn diagnostics(&self, inputs: &Schema) -> Map<String, Value> {
        let name = |input: usize| inputs.fields[input].name.clone();
        let mut notes = Map::new();
        notes.insert("width".into(), self.width.into());
        notes.extend(noted(&self.scales, name));
        if let [machine] = &self.machines[..] {
            notes.extend(machine.notes(name));
            return notes;
        }
        for (machine, class) in self.machines.iter().zip(self.classes.names()) {
            notes.insert(class.clone(), machine.notes(name).into());
        }
        notes
    }
}

/// Writes the probabilities of some rows, row by row.
pub(super) fn probabilities(
    machines: &[Machine],
    classes: usize,
    multi: Multi,
    moderate: bool,
    points: &DenseRows<'_>,
    out: &mut [f64],
) {
    sums_into(machines, classes, moderate, points, out);
    for out in out.chunks_exact_mut(classes) {
        if machines.len() == classes && multi == Multi::OneRest {
            for value in out.iter_mut() {
                *value = log_sigmoid(*value);
            }
        }
        softmax_in_place(out);
    }
}

/// Writes the sums of all classes, row by row; returns the share of them that counts in each row,
/// which they have been multiplied by.
///
/// Moderation (D. J. C. `MacKay`, "The evidence framework applied to classification networks",
/// Neural Computation 4 (1992) 720-736) draws the difference of two classes towards 0 by its
/// variance. All classes of a row are drawn by the share of the two that have most, so that
/// the first stays the first. The machines of two classes count as independent.
fn sums_into(
    machines: &[Machine],
    classes: usize,
    moderate: bool,
    points: &DenseRows<'_>,
    out: &mut [f64],
) -> Vec<f64> {
    let mut sums = vec![0.0; points.rows];
    let mut variances = vec![0.0; if moderate { points.rows * classes } else { 0 }];
    // Of two classes the first has the sum 0.
    out.fill(0.0);
    for (machine, class) in machines.iter().zip(classes - machines.len()..) {
        let own = variances.chunks_exact_mut(points.rows.max(1)).nth(class);
        machine.sum_into(points, &mut sums, own);
        for (out, sum) in out.chunks_exact_mut(classes).zip(&sums) {
            out[class] = *sum;
        }
    }
    let mut shares = vec![1.0; points.rows];
    if moderate {
        for (row, out) in out.chunks_exact_mut(classes).enumerate() {
            let mut order: Vec<usize> = (0..classes).collect();
            order.sort_by(|&a, &b| out[b].total_cmp(&out[a]));
            let two = order.iter().take(2);
            let variance: f64 = two.map(|class| variances[class * points.rows + row]).sum();
            shares[row] = 1.0 / (1.0 + std::f64::consts::PI * variance / 8.0).sqrt();
            for sum in out {
                *sum *= shares[row];
            }
        }
    }
    shares
}

fn log_sigmoid(value: f64) -> f64 {
    value.min(0.0) - (-value.abs()).exp().ln_1p()
}

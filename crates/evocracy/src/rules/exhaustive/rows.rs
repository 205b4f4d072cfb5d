//! Rows of bits as codes, and the rules that match one.

use super::cube::{ANY, digits};
use crate::data::{Cells, View};
use crate::error::{Error, Result};

/// The code of every row in view, whose columns hold 0, 1 or nothing.
pub(super) fn codes(rows: View<'_>) -> Result<Vec<u32>> {
    let mut codes = vec![0; rows.rows()];
    for column in 0..rows.columns() {
        let name = &rows.field(column).name;
        let Cells::Number(values) = rows.cells(column) else { return Err(no_bit(name)) };
        for (row, code) in codes.iter_mut().enumerate() {
            let value = values[rows.row_id(row)];
            let digit = match value {
                0.0 => 0,
                1.0 => 1,
                _ if value.is_nan() => ANY,
                _ => return Err(no_bit(name)),
            };
            *code = 3 * *code + digit;
        }
    }
    Ok(codes)
}

fn no_bit(column: &str) -> Error {
    Error::unsuitable(format!("the column `{column}` does not hold bits"), "encode it with `bits`")
}

/// Different rows in order, with their weight.
#[derive(Debug, Clone, Default)]
pub(super) struct Grouped {
    pub(super) codes: Vec<u32>,
    pub(super) weights: Vec<f64>,
}

impl Grouped {
    /// The rows of each class; those of weight 0 are left out.
    pub(super) fn by_class(
        codes: &[u32],
        labels: &[u32],
        weights: &[f64],
        classes: usize,
    ) -> Vec<Self> {
        let mut rows: Vec<(u32, u32, f64)> = Vec::with_capacity(codes.len());
        for ((&code, &label), &weight) in codes.iter().zip(labels).zip(weights) {
            if weight > 0.0 {
                rows.push((label, code, weight));
            }
        }
        rows.sort_by_key(|&(label, code, _)| (label, code));
        let mut grouped = vec![Self::default(); classes];
        for (label, code, weight) in rows {
            let Self { codes, weights } = &mut grouped[label as usize];
            match weights.last_mut() {
                Some(sum) if codes.last() == Some(&code) => *sum += weight,
                _ => {
                    codes.push(code);
                    weights.push(weight);
                }
            }
        }
        grouped
    }

    /// The weight of the rows.
    pub(super) fn total(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// The weight of the rows that a rule matches.
    pub(super) fn matched(&self, rule: u32, bits: usize) -> f64 {
        let rows = self.codes.iter().zip(&self.weights);
        rows.filter(|(row, _)| density(rule, **row, bits) > 0.0).map(|(_, weight)| weight).sum()
    }
}

/// Equation (6), a missing bit summed over.
pub(super) fn density(rule: u32, row: u32, bits: usize) -> f64 {
    let factor = |(rule, row): (u32, u32)| match (rule, row) {
        (_, ANY) => 1.0,
        (ANY, _) => 0.5,
        (rule, row) => f64::from(rule == row),
    };
    digits(rule, bits).zip(digits(row, bits)).map(factor).product()
}

/// Every rule that matches a row, with its density.
pub(super) fn matching(row: u32, bits: usize, out: &mut Vec<(u32, f64)>) {
    out.clear();
    out.push((0, 1.0));
    for digit in digits(row, bits) {
        let half = if digit == ANY { 1.0 } else { 0.5 };
        let before = out.len();
        for at in 0..before {
            let (rule, density) = out[at];
            match digit {
                ANY => {
                    out[at].0 = 3 * rule;
                    out.push((3 * rule + 1, density));
                }
                digit => out[at].0 = 3 * rule + digit,
            }
            out.push((3 * rule + ANY, half * density));
        }
    }
}

/// The rows that a row with missing bits may be: all its completions, as binary numbers.
pub(super) fn completions(row: u32, bits: usize) -> Vec<usize> {
    let mut rows = vec![0];
    for digit in digits(row, bits) {
        rows = match digit {
            ANY => rows.iter().flat_map(|row| [2 * row, 2 * row + 1]).collect(),
            digit => rows.iter().map(|row| 2 * row + digit as usize).collect(),
        };
    }
    rows
}

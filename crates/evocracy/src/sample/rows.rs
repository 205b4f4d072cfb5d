//! Labelled rows in the layout that the built-in classifiers read.
//!
//! Rows lie in blocks of [`BLOCK`]; a block holds its columns one after the other, so that a unit's
//! sum over a block stays in registers. The last block is filled up with rows of no weight. The
//! classes are spread evenly over the blocks, so that a bad classifier shows soon.

use crate::data::DenseRows;
use crate::error::{Error, Result};

/// How many rows are looked at together.
pub(super) const BLOCK: usize = 32;

/// Numbers of one column or unit at the rows of a block.
pub(super) type Lanes = [f64; BLOCK];

/// Rows of numbers, in blocks.
#[derive(Debug, Clone)]
pub(super) struct Blocks {
    pub(super) rows: usize,
    pub(super) inputs: usize,
    /// Block after block, input after input.
    pub(super) cells: Vec<Lanes>,
}

impl Blocks {
    /// The given rows in the given order.
    pub(super) fn new(rows: &DenseRows<'_>, order: impl ExactSizeIterator<Item = usize>) -> Self {
        let (count, inputs) = (order.len(), rows.inputs());
        let mut cells = vec![[0.0; BLOCK]; count.div_ceil(BLOCK) * inputs];
        for (place, row) in order.enumerate() {
            let block = place / BLOCK * inputs;
            for (input, column) in rows.columns.iter().enumerate() {
                cells[block + input][place % BLOCK] = column[row];
            }
        }
        Self { rows: count, inputs, cells }
    }

    /// How many blocks there are.
    pub(super) fn len(&self) -> usize {
        self.rows.div_ceil(BLOCK)
    }

    /// The columns of a block.
    pub(super) fn block(&self, block: usize) -> &[Lanes] {
        &self.cells[block * self.inputs..(block + 1) * self.inputs]
    }
}

/// Rows with their classes and weights.
#[derive(Debug, Clone)]
pub struct LabelledRows {
    pub(super) blocks: Blocks,
    /// The same cells in single precision, and the largest of them.
    pub(super) quick: Vec<[f32; BLOCK]>,
    pub(super) reach: f64,
    /// The weight of every row if it is positive, and if it is negative, block after block.
    pub(super) weights: Vec<[Lanes; 2]>,
    pub(super) totals: [f64; 2],
}

impl LabelledRows {
    /// The columns of a block in single precision.
    pub(super) fn quick(&self, block: usize) -> &[[f32; BLOCK]] {
        &self.quick[block * self.blocks.inputs..(block + 1) * self.blocks.inputs]
    }

    /// Rows of numbers, column after column, all of weight 1; an error where the columns are not as
    /// long as there are rows, or a number is not finite.
    pub fn from_columns(columns: &[f64], positive: &[bool]) -> Result<Self> {
        let n = positive.len();
        if n == 0 || !columns.len().is_multiple_of(n) || columns.iter().any(|x| !x.is_finite()) {
            return Err(Error::unsuitable(
                format!("{} values are no finite columns of {n} rows", columns.len()),
                "give every column a finite number for each row",
            ));
        }
        Ok(Self::new(&DenseRows::from_slice(columns, n), positive, &vec![1.0; n]))
    }

    /// Rows of which it is known whether they are positive, with a weight each.
    pub(crate) fn new(rows: &DenseRows<'_>, positive: &[bool], weights: &[f64]) -> Self {
        let order = spread(positive);
        let blocks = Blocks::new(rows, order.iter().map(|&row| row as usize));
        let mut own = vec![[[0.0; BLOCK]; 2]; blocks.len()];
        let mut totals = [0.0; 2];
        for (place, &row) in order.iter().enumerate() {
            let class = usize::from(!positive[row as usize]);
            own[place / BLOCK][class][place % BLOCK] = weights[row as usize];
            totals[class] += weights[row as usize];
        }
        let quick = blocks.cells.iter().map(|lanes| lanes.map(|x| x as f32)).collect();
        let cells = blocks.cells.as_flattened().iter();
        let reach = cells.fold(0.0, |most: f64, x| most.max(x.abs()));
        Self { blocks, quick, reach, weights: own, totals }
    }
}

/// The rows in an order in which both classes are spread evenly.
fn spread(positive: &[bool]) -> Vec<u32> {
    let mut counts = [0_usize; 2];
    let mut places: Vec<(f64, u32)> = Vec::with_capacity(positive.len());
    let all = positive.iter().filter(|positive| **positive).count();
    let totals = [positive.len() - all, all];
    for (row, &positive) in positive.iter().enumerate() {
        let class = usize::from(positive);
        counts[class] += 1;
        places.push(((counts[class] as f64 - 0.5) / totals[class] as f64, row as u32));
    }
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    places.into_iter().map(|(_, row)| row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_there_once_and_classes_are_spread() {
        let positive: Vec<bool> = (0..90).map(|row| row < 30).collect();
        let order = spread(&positive);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..90).collect::<Vec<u32>>());
        for part in order.chunks(30) {
            let own = part.iter().filter(|row| positive[**row as usize]).count();
            assert!((9..=11).contains(&own), "{own}");
        }
        let column: Vec<f64> = (0..90).map(f64::from).collect();
        let rows = LabelledRows::new(&DenseRows::from_slice(&column, 90), &positive, &[2.0; 90]);
        assert_eq!(rows.totals, [60.0, 120.0]);
        assert_eq!((rows.blocks.len(), rows.blocks.inputs), (3, 1));
        let weight: f64 = rows.weights.iter().flatten().flatten().sum();
        assert_eq!(weight, 180.0);
    }
}

//! The tables that both sides read.

use anyhow::{Result, bail};
use std::path::Path;

/// A table of numbers with a class for each row.
pub struct Numbers {
    pub rows: usize,
    pub columns: usize,
    /// Row by row.
    pub cells: Vec<f64>,
    pub classes: Vec<f64>,
}

impl Numbers {
    /// Rows, columns (little-endian u64), then the numbers row by row, then the classes as
    /// numbers.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path)?;
        let words: Vec<[u8; 8]> = bytes.as_chunks::<8>().0.to_vec();
        let [rows, columns] = [0, 1].map(|at| u64::from_le_bytes(words[at]) as usize);
        let mut cells: Vec<f64> = words[2..].iter().map(|word| f64::from_le_bytes(*word)).collect();
        if cells.len() != rows * (columns + 1) {
            bail!("{} does not hold {rows} x {columns}", path.display());
        }
        let classes = cells.split_off(rows * columns);
        Ok(Self { rows, columns, cells, classes })
    }

    /// How many rows are for training: the first four fifths.
    pub fn train(&self) -> usize {
        self.rows / 5 * 4
    }
}

//! Many rows through many trees. Rows come in blocks whose cells are gathered row by row, and
//! within a block all rows take one step before any takes the next: their steps do not wait for
//! each other.

use super::tree::{LEAF, Tree};
use crate::data::{Cells, MISSING};

/// How many rows walk side by side.
pub(crate) const BLOCK: usize = 1024;

/// The cells of up to [`BLOCK`] rows, row by row; levels as their codes, NaN where missing.
#[derive(Debug)]
pub(crate) struct Block<'a> {
    columns: &'a [(Cells<'a>, u32)],
    cells: Vec<f64>,
    /// The rows that have not reached a leaf yet.
    walking: [u32; BLOCK],
}

impl<'a> Block<'a> {
    pub(crate) fn new(columns: &'a [(Cells<'a>, u32)]) -> Self {
        Self { columns, cells: vec![0.0; BLOCK * columns.len()], walking: [0; BLOCK] }
    }

    /// Gathers the rows at these positions in the table, [`BLOCK`] of them at most.
    pub(crate) fn load(&mut self, ids: &(impl Iterator<Item = usize> + Clone)) {
        for column in 0..self.columns.len() {
            self.load_column(column, ids.clone());
        }
    }

    /// As [`Block::load`], one column only.
    pub(crate) fn load_column(&mut self, column: usize, ids: impl Iterator<Item = usize>) {
        let places = self.cells.iter_mut().skip(column).step_by(self.columns.len());
        match self.columns[column].0 {
            Cells::Number(values) => {
                places.zip(ids).for_each(|(place, id)| *place = values[id]);
            }
            Cells::Nominal(codes) => {
                let code = |code: u32| if code == MISSING { f64::NAN } else { f64::from(code) };
                places.zip(ids).for_each(|(place, id)| *place = code(codes[id]));
            }
        }
    }

    /// Writes for each of these rows of the block the leaf it reaches.
    pub(crate) fn walk(&mut self, tree: &Tree, rows: &[u32], leaves: &mut [u32; BLOCK]) {
        let (columns, nodes) = (self.columns.len(), &tree.nodes[..]);
        let mut left = rows.len();
        self.walking[..left].copy_from_slice(rows);
        for &row in rows {
            leaves[row as usize] = 0;
        }
        if nodes[0].mark == LEAF {
            return;
        }
        while left > 0 {
            let mut kept = 0;
            for i in 0..left {
                let row = self.walking[i];
                let at = row as usize;
                let node = nodes[leaves[at] as usize];
                let value = self.cells[at * columns + (node.mark >> 2) as usize];
                let next = tree.step(node, value);
                leaves[at] = next as u32;
                self.walking[kept] = row;
                kept += usize::from(nodes[next].mark != LEAF);
            }
            left = kept;
        }
    }

    /// The way of the first row: the column of each split, the split and the child.
    pub(crate) fn path(&self, tree: &Tree, mut each: impl FnMut(usize, usize, usize)) {
        let mut node = 0;
        while !tree.is_leaf(node) {
            let column = tree.column(node);
            let next = tree.step(tree.nodes[node], self.cells[column]);
            each(column, node, next);
            node = next;
        }
    }
}

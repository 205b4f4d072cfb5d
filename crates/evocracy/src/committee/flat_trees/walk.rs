//! Many rows through a tree: at every split the rows of a batch are parted in two, so that a
//! split is looked at once and its column is read in one sweep.

use super::tree::{PackedTree, Side};
use crate::data::{Cells, MISSING};
use crate::experts::tree::part;

/// How many rows go down together: their cells of a column fit the first-level cache.
pub(crate) const BATCH: usize = 4096;

/// The cells of all columns, with the levels of the nominal ones.
pub(crate) type Columns<'a> = [(Cells<'a>, u32)];

/// Some rows, each with its place in the batch, and room to part them.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    rows: Vec<BatchRow>,
    parted: Vec<BatchRow>,
    spare: Vec<BatchRow>,
    /// Nodes to visit with the first and the last of their rows.
    open: Vec<(usize, usize, usize)>,
}

/// A position in the table and a place in the batch.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BatchRow {
    id: u32,
    place: u32,
}

impl BatchRow {
    pub(crate) fn place(self) -> usize {
        self.place as usize
    }
}

impl Walk {
    /// Takes rows in: positions in the table and places in the batch.
    pub(crate) fn fill(&mut self, rows: impl Iterator<Item = (usize, usize)>) {
        self.rows.clear();
        self.rows.extend(rows.map(|(id, place)| BatchRow { id: id as u32, place: place as u32 }));
        self.spare.resize(self.rows.len(), BatchRow::default());
    }

    /// Sends the rows down the tree; calls `reached` with every leaf and its rows.
    pub(crate) fn down(
        &mut self,
        tree: &PackedTree,
        columns: &Columns<'_>,
        mut reached: impl FnMut(usize, &[BatchRow]),
    ) {
        self.parted.clear();
        self.parted.extend_from_slice(&self.rows);
        self.open.clear();
        self.open.push((0, 0, self.parted.len()));
        while let Some((node, start, end)) = self.open.pop() {
            let rows = &mut self.parted[start..end];
            let Some(split) = tree.split(node) else {
                reached(node, rows);
                continue;
            };
            let cells = columns[tree.column(split)].0;
            let middle = start + divide(tree.side(split), cells, rows, &mut self.spare);
            let [left, right] = split.children();
            let sides = [(right, middle, end), (left, start, middle)];
            self.open.extend(sides.into_iter().filter(|(_, start, end)| start < end));
        }
    }
}

/// Parts the rows of a split; how many go left.
fn divide(
    side: Side<'_>,
    cells: Cells<'_>,
    rows: &mut [BatchRow],
    spare: &mut [BatchRow],
) -> usize {
    match (side, cells) {
        // A missing number (NaN) is neither above nor below: `<=` sends it right, `!(>)` left.
        (Side::UpTo(place), Cells::Number(values)) => {
            part(rows, spare, |row| values[row.id as usize] <= place)
        }
        (Side::NotAbove(place), Cells::Number(values)) => {
            let above = |row: BatchRow| values[row.id as usize] > place;
            part(rows, spare, |row| !above(row))
        }
        (Side::Levels { left, missing_left }, Cells::Nominal(codes)) => {
            let goes_left = |level: u32| left[level as usize / 64] >> (level % 64) & 1 == 1;
            part(rows, spare, |row| match codes[row.id as usize] {
                MISSING => missing_left,
                level => goes_left(level),
            })
        }
        // Kinds were compared before the walk.
        (_, Cells::Number(_) | Cells::Nominal(_)) => 0,
    }
}

/// The way of one row: the column of each split, the split and the child.
pub(crate) fn path(
    tree: &PackedTree,
    columns: &Columns<'_>,
    id: usize,
    mut each: impl FnMut(usize, usize, usize),
) {
    let mut node = 0;
    while let Some(split) = tree.split(node) {
        let column = tree.column(split);
        let row = BatchRow { id: id as u32, place: 0 };
        let left = divide(tree.side(split), columns[column].0, &mut [row], &mut [row]);
        let next = split.children()[1 - left];
        each(column, node, next);
        node = next;
    }
}

//! Counting how often the states of a node and of its parents come together.
//!
//! The cells of a [`Base`] are the combinations of states of some parents and a node that occur
//! in the table, sorted by the parents' combination: memory follows the rows and not the number
//! of combinations. A base is then split by one more variable, which is what a search asks for:
//! what would each candidate add to these parents? Few cells are split as sets of rows, one bit a
//! row; many by one pass over the rows.

use super::Discrete;
use crate::num::{bits, wide};

/// Up to so many cells are kept as sets of rows.
const SET_CELLS: usize = 256;
/// A split of up to so many pieces is made by intersecting sets; measured to be even with a pass
/// over the rows, for tables of a thousand and of ten thousand rows.
const SET_PIECES: usize = 200;

/// The combinations that occur, with memory that is used again.
#[derive(Debug, Default)]
pub(super) struct Base {
    /// How many rows have each cell.
    pub counts: Vec<u32>,
    /// Where the cells of each combination of the parents begin; one more at the end.
    pub groups: Vec<u32>,
    /// The sets of rows of the cells, if they are kept.
    sets: Vec<u64>,
    has_sets: bool,
    /// The cell of each row, if it is known.
    cells: Vec<u32>,
    has_cells: bool,
    keys: Vec<u64>,
    spare: Vec<u64>,
    table: Vec<u32>,
}

impl Base {
    /// Finds the cells of a node and its parents. The table has no missing values.
    pub fn build(&mut self, data: &Discrete, node: usize, parents: &[u32]) {
        (self.has_sets, self.has_cells) = (false, false);
        let all = parents.iter().map(|&p| p as usize).chain([node]);
        let product = all.clone().map(|v| f64::from(data.states(v))).product::<f64>();
        let few = product <= SET_CELLS as f64 && all.clone().all(|v| data.sets(v).is_some());
        if few {
            self.build_sets(data, node, parents);
        } else {
            self.build_cells(data, node, parents);
        }
    }

    /// Splits the set of all rows by one variable after the other.
    fn build_sets(&mut self, data: &Discrete, node: usize, parents: &[u32]) {
        self.has_sets = true;
        self.counts.clear();
        self.counts.push(data.rows() as u32);
        self.sets.clear();
        self.sets.extend(bits::full(data.rows()));
        for &parent in parents {
            self.split_sets(data, parent as usize);
        }
        self.groups.clear();
        self.groups.push(0);
        let from = std::mem::take(&mut self.counts);
        let old = std::mem::replace(&mut self.sets, std::mem::take(&mut self.spare));
        self.sets.clear();
        for (cell, &count) in from.iter().enumerate() {
            self.pieces(data, node, &old, cell, count);
            self.groups.push(self.counts.len() as u32);
        }
        self.spare = old;
    }

    fn split_sets(&mut self, data: &Discrete, variable: usize) {
        let from = std::mem::take(&mut self.counts);
        let old = std::mem::replace(&mut self.sets, std::mem::take(&mut self.spare));
        self.sets.clear();
        for (cell, &count) in from.iter().enumerate() {
            self.pieces(data, variable, &old, cell, count);
        }
        self.spare = old;
    }

    /// Adds the parts of one set that have the states of a variable.
    fn pieces(&mut self, data: &Discrete, variable: usize, old: &[u64], cell: usize, count: u32) {
        let words = data.words();
        let set = &old[cell * words..(cell + 1) * words];
        let mut left = count;
        let Some(states) = data.sets(variable) else { return };
        for state in states.chunks_exact(words) {
            if left == 0 {
                return;
            }
            let start = self.sets.len();
            self.sets.extend(set.iter().zip(state).map(|(a, b)| a & b));
            let found = wide(
                #[inline(always)]
                || bits::common(set, state),
            );
            if found == 0 {
                self.sets.truncate(start);
            } else {
                self.counts.push(found);
                left -= found;
            }
        }
    }

    /// Numbers the combinations of every row.
    fn build_cells(&mut self, data: &Discrete, node: usize, parents: &[u32]) {
        self.has_cells = true;
        self.keys.clear();
        self.keys.resize(data.rows(), 0);
        let mut range = 1_u64;
        for &parent in parents {
            range = self.append(data, parent as usize, range);
        }
        range = self.append(data, node, range);
        let states = u64::from(data.states(node));
        self.number(range);
        // The keys of cells stand in `spare`, sorted: cells of one group follow one another.
        self.groups.clear();
        let mut last = None;
        for (cell, key) in self.spare.iter().enumerate() {
            if last != Some(key / states) {
                last = Some(key / states);
                self.groups.push(cell as u32);
            }
        }
        self.groups.push(self.spare.len() as u32);
        self.counts.clear();
        self.counts.resize(self.spare.len(), 0);
        self.cells.iter().for_each(|cell| self.counts[*cell as usize] += 1);
    }

    /// Adds a variable to the keys of the rows, which are below `range`; says below what they are
    /// then.
    fn append(&mut self, data: &Discrete, variable: usize, range: u64) -> u64 {
        let states = u64::from(data.states(variable));
        let mut range = range;
        if range.checked_mul(states).is_none_or(|product| product > 1 << 40) {
            // Numbers of occurring combinations are below the number of rows.
            self.number(range);
            range = self.spare.len() as u64;
            self.keys.iter_mut().zip(&self.cells).for_each(|(key, cell)| *key = u64::from(*cell));
        }
        for (key, &code) in self.keys.iter_mut().zip(data.column(variable)) {
            *key = *key * states + u64::from(code);
        }
        range * states
    }

    /// Numbers the keys that occur, in their order: `cells` has the number of each row and `spare`
    /// the key of each number.
    fn number(&mut self, range: u64) {
        self.spare.clear();
        self.cells.clear();
        if range <= (8 * self.keys.len() as u64).max(1 << 12) {
            self.table.clear();
            self.table.resize(range as usize, 0);
            self.keys.iter().for_each(|key| self.table[*key as usize] = 1);
            for (key, number) in self.table.iter_mut().enumerate() {
                if *number > 0 {
                    *number = self.spare.len() as u32;
                    self.spare.push(key as u64);
                }
            }
            self.cells.extend(self.keys.iter().map(|key| self.table[*key as usize]));
            return;
        }
        self.spare.extend_from_slice(&self.keys);
        self.spare.sort_unstable();
        self.spare.dedup();
        let spare = &self.spare;
        let place = |key: &u64| spare.partition_point(|known| known < key) as u32;
        self.cells.extend(self.keys.iter().map(place));
    }

    /// How many rows of each cell have each state of a variable: `out[cell * states + state]`.
    pub fn split(&mut self, data: &Discrete, variable: usize, out: &mut Vec<u32>) {
        let states = data.states(variable) as usize;
        out.clear();
        out.resize(self.counts.len() * states, 0);
        if self.has_sets
            && self.counts.len() * (states - 1) <= SET_PIECES
            && let Some(sets) = data.sets(variable)
        {
            let (cells, counts, words) = (&self.sets, &self.counts, data.words());
            return wide(
                #[inline(always)]
                || intersect(cells, counts, sets, words, out),
            );
        }
        if !self.has_cells {
            self.cells_from_sets(data);
        }
        for (&cell, &code) in self.cells.iter().zip(data.column(variable)) {
            out[cell as usize * states + code as usize] += 1;
        }
    }

    /// The weight of the rows of each cell, for weighted rows.
    pub fn weigh(&mut self, data: &Discrete, weights: &[f64], out: &mut Vec<f64>) {
        if !self.has_cells {
            self.cells_from_sets(data);
        }
        out.clear();
        out.resize(self.counts.len(), 0.0);
        for (&cell, weight) in self.cells.iter().zip(weights) {
            out[cell as usize] += weight;
        }
    }

    fn cells_from_sets(&mut self, data: &Discrete) {
        self.has_cells = true;
        self.cells.clear();
        self.cells.resize(data.rows(), 0);
        for (cell, set) in self.sets.chunks_exact(data.words()).enumerate() {
            bits::each(set, |row| self.cells[row] = cell as u32);
        }
    }
}

/// Counts the rows that cells and states share. The last state has what the others leave.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
fn intersect(cells: &[u64], counts: &[u32], sets: &[u64], words: usize, out: &mut [u32]) {
    let states = sets.len() / words;
    let rows = out.chunks_exact_mut(states).zip(counts);
    for ((out, &count), cell) in rows.zip(cells.chunks_exact(words)) {
        let mut left = count;
        for (state, set) in sets.chunks_exact(words).take(states - 1).enumerate() {
            if left == 0 {
                break;
            }
            let found = bits::common(cell, set);
            out[state] = found;
            left -= found;
        }
        out[states - 1] = left;
    }
}

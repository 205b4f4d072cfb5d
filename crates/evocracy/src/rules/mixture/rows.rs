//! Training rows as rules see them: every column cut into bins, equal rows merged into one.
//!
//! A bin of a nominal column is a level, a bin of a number column the values between two cuts. A
//! missing value has a bin of its own, the last one, which every test allows.

use super::condition::{Allowed, Condition};
use crate::data::{Cells, MISSING, View};
use crate::num::{argmax, bits};

/// One column in bins.
#[derive(Debug)]
pub(super) struct BinnedColumn {
    /// The greatest value of each bin but the last, for numbers; nothing for levels.
    pub(super) cuts: Option<Vec<f64>>,
    /// How many bins there are beside that of missing values.
    pub(super) bins: usize,
    /// The bin of every row.
    pub(super) codes: Vec<u32>,
    /// Where its bins begin among those of all columns.
    pub(super) start: usize,
    /// The most frequent bin.
    pub(super) mode: usize,
}

/// Distinct rows, column by column.
#[derive(Debug)]
pub(super) struct BinnedRows {
    pub(super) columns: Vec<BinnedColumn>,
    count: usize,
    /// For every row its bins, counted over all columns, but for the mode of each column: what holds
    /// for the mode follows from the sum over all rows.
    off_mode: Vec<u32>,
    /// Where the bins of each row begin in `off_mode`, and the end of the last.
    starts: Vec<u32>,
    /// How many bins all columns have.
    pub(super) bins: usize,
}

impl BinnedRows {
    /// Cuts the columns into at most `most` bins each and merges those of the `used` rows that have
    /// the same bins and the same `outcome`. Also the number of the merged row for each used row.
    pub(super) fn new(
        view: View<'_>,
        used: &[u32],
        most: usize,
        outcome: impl Fn(u32) -> u64,
    ) -> (Self, Vec<u32>) {
        let mut columns: Vec<BinnedColumn> =
            (0..view.columns()).map(|column| BinnedColumn::new(view, column, used, most)).collect();
        let key = |at: u32| columns.iter().map(move |binned| binned.codes[at as usize]);
        let mut order: Vec<u32> = (0..used.len() as u32).collect();
        let out = |at: u32| outcome(used[at as usize]);
        order.sort_by(|&a, &b| key(a).cmp(key(b)).then(out(a).cmp(&out(b))));
        let mut first: Vec<u32> = Vec::new();
        let mut became = vec![0; used.len()];
        for &at in &order {
            let same = |&last: &u32| out(last) == out(at) && key(last).eq(key(at));
            if !first.last().is_some_and(same) {
                first.push(at);
            }
            became[at as usize] = first.len() as u32 - 1;
        }
        let mut start = 0;
        for binned in &mut columns {
            binned.codes = first.iter().map(|&at| binned.codes[at as usize]).collect();
            binned.start = start;
            start += binned.bins + 1;
            let mut counts = vec![0.0; binned.bins + 1];
            binned.codes.iter().for_each(|&code| counts[code as usize] += 1.0);
            binned.mode = argmax(&counts);
        }
        let (mut off_mode, mut starts) = (Vec::new(), vec![0]);
        for row in 0..first.len() {
            let others = columns.iter().filter(|binned| binned.codes[row] as usize != binned.mode);
            off_mode.extend(others.map(|binned| binned.start as u32 + binned.codes[row]));
            starts.push(off_mode.len() as u32);
        }
        (Self { columns, count: first.len(), off_mode, starts, bins: start }, became)
    }

    /// How many distinct rows there are.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// The bins of a row that are not the modes of their columns.
    #[inline]
    pub(super) fn off_mode(&self, row: usize) -> &[u32] {
        &self.off_mode[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// The rows that a test of column `column` allows.
    pub(super) fn passing(&self, column: usize, allowed: &Allowed) -> Vec<u64> {
        let binned = &self.columns[column];
        let bins = 0..binned.bins as u32;
        let mut allows: Vec<u64> = match allowed {
            Allowed::Set(set) => set.iter().map(|is| u64::from(*is)).collect(),
            Allowed::Range(low, high) => {
                bins.map(|bin| u64::from((low..=high).contains(&&bin))).collect()
            }
        };
        // A missing value passes.
        allows.push(1);
        let word = |codes: &[u32]| {
            codes.iter().rev().fold(0, |word, &code| word << 1 | allows[code as usize])
        };
        binned.codes.chunks(64).map(word).collect()
    }

    /// The rows for which all tests hold.
    pub(super) fn covered_by(&self, condition: &Condition) -> Vec<u64> {
        let mut covered = bits::full(self.len());
        for (column, allowed) in &condition.tests {
            let passing = self.passing(*column, allowed);
            covered.iter_mut().zip(passing).for_each(|(covered, passing)| *covered &= passing);
        }
        covered
    }
}

impl BinnedColumn {
    fn new(view: View<'_>, column: usize, used: &[u32], most: usize) -> Self {
        let ids = used.iter().map(|&row| view.row_id(row as usize));
        match view.cells(column) {
            Cells::Nominal(codes) => {
                let bins = view.field(column).levels().len();
                let bin = |id: usize| if codes[id] == MISSING { bins as u32 } else { codes[id] };
                Self { cuts: None, bins, codes: ids.map(bin).collect(), start: 0, mode: 0 }
            }
            Cells::Number(values) => {
                let values: Vec<f64> = ids.map(|id| values[id]).collect();
                let cuts = cuts(&values, most);
                let bins = cuts.len() + 1;
                let codes = values.iter().map(|&value| bin(&cuts, value)).collect();
                Self { cuts: Some(cuts), bins, codes, start: 0, mode: 0 }
            }
        }
    }
}

/// The bin of a number; that after the last for a missing one.
fn bin(cuts: &[f64], value: f64) -> u32 {
    if value.is_nan() {
        return cuts.len() as u32 + 1;
    }
    cuts.partition_point(|&cut| cut < value) as u32
}

/// Cuts half way between neighbouring values, with about as many rows between any two of them.
fn cuts(values: &[f64], most: usize) -> Vec<f64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    sorted.sort_by(f64::total_cmp);
    let share = sorted.len() as f64 / most as f64;
    let mut cuts = Vec::new();
    let mut next = share;
    for at in 1..sorted.len() {
        let (below, above) = (sorted[at - 1], sorted[at]);
        if below < above && at as f64 >= next {
            // The middle may round to the value above it, which must stay above the cut.
            let middle = below.midpoint(above);
            cuts.push(if middle < above { middle } else { below });
            next = (at as f64 + share).max(next);
        }
    }
    cuts
}

//! Conditions on a row, and the gain of all of them.

use crate::classify;
use crate::data::{Cells, Field, Kind, MISSING, View};
use serde::{Deserialize, Serialize};

/// What a column must be like.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) enum Test {
    /// This level.
    Is(u32),
    /// A number up to this.
    UpTo(f64),
    /// A number above this.
    Above(f64),
}

/// A column and what it must be like.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Condition {
    pub(super) column: usize,
    pub(super) test: Test,
}

impl Condition {
    /// Whether the row of the table behind the view fulfils it; a missing value never does.
    pub(super) fn holds(&self, columns: &[Cells<'_>], id: usize) -> bool {
        match (columns[self.column], self.test) {
            (Cells::Nominal(codes), Test::Is(level)) => codes[id] == level && level != MISSING,
            (Cells::Number(values), Test::UpTo(cut)) => values[id] <= cut,
            (Cells::Number(values), Test::Above(cut)) => values[id] > cut,
            _ => false,
        }
    }

    /// The condition as other models show theirs.
    pub(super) fn test(&self) -> classify::Test {
        let column = self.column;
        let between = |low, high| classify::Test::Between { column, low, high };
        match self.test {
            Test::Is(level) => classify::Test::Among { column, levels: vec![level] },
            Test::UpTo(cut) => between(None, Some(cut)),
            // Bounds are included: the next number after the cut is the first above it.
            Test::Above(cut) => between(Some(cut.next_up()), None),
        }
    }

    /// Whether it is one that the column can fulfil.
    pub(super) fn fits(&self, field: &Field) -> bool {
        match (&field.kind, self.test) {
            (Kind::Nominal(levels), Test::Is(level)) => (level as usize) < levels.len(),
            (Kind::Number, Test::UpTo(cut) | Test::Above(cut)) => cut.is_finite(),
            _ => false,
        }
    }
}

/// The weight of rows of the class and of all others.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Counts {
    pub(super) own: f64,
    pub(super) other: f64,
}

impl Counts {
    fn add(&mut self, is_own: bool, weight: f64) {
        if is_own { self.own += weight } else { self.other += weight }
    }

    fn less(self, part: Self) -> Self {
        Self { own: self.own - part.own, other: (self.other - part.other).max(0.0) }
    }

    fn bits(self) -> f64 {
        (self.own / (self.own + self.other)).log2()
    }

    /// FOIL's gain of going from these counts to those with a condition.
    pub(super) fn gain(self, with: Self) -> f64 {
        if with.own > 0.0 { with.own * (with.bits() - self.bits()) } else { 0.0 }
    }
}

/// The rows that a rule applies to so far, and the class it is for.
pub(super) struct Scope<'a> {
    pub(super) columns: &'a [Cells<'a>],
    pub(super) rows: View<'a>,
    pub(super) labels: &'a [u32],
    pub(super) weights: &'a [f64],
    pub(super) class: u32,
    /// The least weight of rows of the class that a condition must leave.
    pub(super) least: f64,
}

/// Rows of each number column in ascending order, without missing values; of a nominal column in
/// any order.
pub(super) type Orders = Vec<Vec<u32>>;

impl Scope<'_> {
    fn is_own(&self, row: u32) -> bool {
        self.labels[row as usize] == self.class
    }

    fn gain(&self, all: Counts, with: Counts) -> f64 {
        if with.own >= self.least { all.gain(with) } else { 0.0 }
    }

    /// The counts of some rows.
    pub(super) fn count(&self, rows: &[u32]) -> Counts {
        let mut counts = Counts::default();
        for &row in rows {
            counts.add(self.is_own(row), self.weights[row as usize]);
        }
        counts
    }

    /// Calls `each` with every condition that tells the rows apart, in a fixed order, and its gain.
    pub(super) fn each(&self, orders: &Orders, all: Counts, mut each: impl FnMut(Condition, f64)) {
        for (column, order) in orders.iter().enumerate() {
            match self.columns[column] {
                Cells::Nominal(codes) => self.levels(column, order, codes, all, &mut each),
                Cells::Number(values) => self.cuts(column, order, values, all, &mut each),
            }
        }
    }

    fn levels(
        &self,
        column: usize,
        order: &[u32],
        codes: &[u32],
        all: Counts,
        each: &mut impl FnMut(Condition, f64),
    ) {
        let mut counts = vec![Counts::default(); self.rows.field(column).levels().len()];
        for &row in order {
            let code = codes[self.rows.row_id(row as usize)];
            counts[code as usize].add(self.is_own(row), self.weights[row as usize]);
        }
        for (level, counts) in counts.into_iter().enumerate() {
            each(Condition { column, test: Test::Is(level as u32) }, self.gain(all, counts));
        }
    }

    fn cuts(
        &self,
        column: usize,
        order: &[u32],
        values: &[f64],
        all: Counts,
        each: &mut impl FnMut(Condition, f64),
    ) {
        let known = self.count(order);
        let value = |row: u32| values[self.rows.row_id(row as usize)];
        let mut below = Counts::default();
        for pair in order.windows(2) {
            below.add(self.is_own(pair[0]), self.weights[pair[0] as usize]);
            let [low, high] = [value(pair[0]), value(pair[1])];
            if low < high {
                let middle = f64::midpoint(low, high);
                let cut = if middle < high { middle } else { low };
                each(Condition { column, test: Test::UpTo(cut) }, self.gain(all, below));
                each(
                    Condition { column, test: Test::Above(cut) },
                    self.gain(all, known.less(below)),
                );
            }
        }
    }
}

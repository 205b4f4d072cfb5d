//! The columns of a task gathered once: every cell becomes a small whole number, so that growing
//! compares and sorts `u32`s only. One `Columns` serves all trees grown from the same rows; it
//! takes 8 bytes for a number, and looks into the table for the few values that it needs.

use super::search::{FIRST, SECOND, row_of};
use crate::data::{Cells, Column, MISSING, View};
use crate::error::{Error, Result};
use crate::run::Run;

/// All columns of a view, ready for growing.
#[derive(Debug)]
pub(crate) struct Columns<'a> {
    view: View<'a>,
    pub(super) rows: usize,
    pub(super) ranked: Vec<Ranked>,
}

/// One column: the rank of every row, [`MISSING`] where the value is missing.
#[derive(Debug, Default)]
pub(super) struct Ranked {
    /// Numbers: the position among the distinct values; nominal columns: the code.
    pub(super) ranks: Vec<u32>,
    /// The rows in ascending order of rank, then of position, missing ones last, as
    /// [entries](FIRST); empty for a nominal column, and where only ranks were asked for.
    pub(super) order: Vec<u32>,
    /// How many distinct numbers there are.
    pub(super) distinct: u32,
    /// How many levels a nominal column has; `None` for numbers.
    pub(super) levels: Option<u32>,
    /// Numbers as they are; only in plain columns, which have none of the above.
    pub(super) cells: Vec<f64>,
}

impl<'a> Columns<'a> {
    /// Gathers and sorts the columns in view.
    pub(crate) fn gather(view: View<'a>, run: &Run<'_>) -> Result<Self> {
        Self::each(view, run, |values| Ranked::number(&values))
    }

    /// Gathers the columns in view without their order, which each tree then finds anew from the
    /// ranks: half the memory.
    pub(crate) fn unordered(view: View<'a>, run: &Run<'_>) -> Result<Self> {
        Self::each(view, run, |values| Ranked { order: Vec::new(), ..Ranked::number(&values) })
    }

    /// Gathers the columns in view without ranks: enough where cuts are drawn at random.
    pub(crate) fn plain(view: View<'a>, run: &Run<'_>) -> Result<Self> {
        Self::each(view, run, |cells| Ranked { cells, ..Ranked::default() })
    }

    fn each(
        view: View<'a>,
        run: &Run<'_>,
        number: impl Fn(Vec<f64>) -> Ranked + Send + Sync,
    ) -> Result<Self> {
        if view.rows() > SECOND as usize {
            return Err(Error::unsuitable(
                format!("trees grow from at most {SECOND} rows, not {}", view.rows()),
                "draw a sample of the rows",
            ));
        }
        let ranked = |column: usize| match view.gather(column) {
            Column::Number(values) => number(values),
            Column::Nominal(ranks) => {
                let levels = Some(view.field(column).levels().len() as u32);
                Ranked { ranks, levels, ..Ranked::default() }
            }
        };
        // Sorting millions of rows takes seconds: the flag is looked at before each column.
        let go_on = || !run.stop.requested();
        let columns = run.pool.map(view.columns(), |column| go_on().then(|| ranked(column)));
        let columns: Option<Vec<Ranked>> = columns.into_iter().collect();
        Ok(Self { view, rows: view.rows(), ranked: columns.ok_or(Error::Stopped)? })
    }

    /// How many columns there are.
    pub(crate) fn len(&self) -> usize {
        self.ranked.len()
    }

    /// The levels of every column; none for numbers.
    pub(crate) fn levels(&self) -> impl ExactSizeIterator<Item = Option<u32>> + '_ {
        self.ranked.iter().map(|column| column.levels)
    }

    /// The most levels a nominal column has; 0 where there is none.
    pub(super) fn most_levels(&self) -> usize {
        self.ranked.iter().filter_map(|c| c.levels).max().unwrap_or(0) as usize
    }

    /// The number of a row in a column.
    fn value(&self, column: usize, row: u32) -> f64 {
        match self.view.cells(column) {
            Cells::Number(values) => values[self.view.row_id(row as usize)],
            Cells::Nominal(_) => f64::NAN,
        }
    }

    /// The split point between the values of two rows: half way, or the lower value where half
    /// way rounds to the upper one.
    pub(super) fn between(&self, column: usize, [below, above]: [u32; 2]) -> f64 {
        let (low, high) = (self.value(column, below), self.value(column, above));
        let middle = f64::midpoint(low, high);
        if middle < high { middle } else { low }
    }

    /// The highest rank of the numbers up to a threshold, if there is any.
    pub(super) fn rank_up_to(&self, column: usize, threshold: f64) -> Option<u32> {
        let Ranked { order, ranks, .. } = &self.ranked[column];
        let up_to = order.partition_point(|&e| self.value(column, row_of(e)) <= threshold);
        up_to.checked_sub(1).map(|last| ranks[row_of(order[last]) as usize])
    }
}

impl Ranked {
    fn number(cells: &[f64]) -> Self {
        let known =
            |(row, value): (usize, &f64)| (!value.is_nan()).then(|| (sort_key(*value), row as u32));
        let mut keyed: Vec<(u64, u32)> = cells.iter().enumerate().filter_map(known).collect();
        keyed.sort_unstable();
        let mut ranks = vec![MISSING; cells.len()];
        let mut order = Vec::with_capacity(cells.len());
        let (mut distinct, mut last) = (0, None);
        for &(key, row) in &keyed {
            let is_new = last != Some(key);
            distinct += u32::from(is_new);
            last = Some(key);
            ranks[row as usize] = distinct - 1;
            order.push(if is_new { row | FIRST } else { row });
        }
        let known = order.len();
        order.extend((0..cells.len() as u32).filter(|&row| cells[row as usize].is_nan()));
        if let Some(missing) = order.get_mut(known) {
            *missing |= FIRST;
        }
        Self { ranks, order, distinct, ..Self::default() }
    }

    /// Whether a row that has weight has no value here.
    pub(super) fn has_missing(&self, weights: &[f64]) -> bool {
        self.ranks.iter().zip(weights).any(|(&rank, &weight)| rank == MISSING && weight > 0.0)
    }
}

/// A whole number with the order of the numbers; both zeros are one.
fn sort_key(value: f64) -> u64 {
    let bits = (value + 0.0).to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Field, Schema, Table};
    use crate::run::{Pool, Stop};

    /// Gathers a table of one column and hands it on.
    fn with_columns(cells: &[f64], rows: &[u32], test: impl FnOnce(&Columns<'_>)) {
        let schema = Schema { fields: vec![Field::number("x")] };
        let table = Table::new(schema, vec![Column::Number(cells.to_vec())]).unwrap();
        let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
        let view = table.view().with_rows(rows);
        test(&Columns::gather(view, &Run::new(1, &stop, &pool)).unwrap());
    }

    #[test]
    fn ranks_follow_the_values() {
        let cells = [0.5, f64::NAN, -3.0, -0.0, 0.0, 1e300, -1e-300, 0.5];
        let ranked = Ranked::number(&cells);
        assert_eq!(ranked.ranks, [3, MISSING, 0, 2, 2, 4, 1, 3]);
        let rows: Vec<u32> = ranked.order.iter().map(|&e| row_of(e)).collect();
        assert_eq!(rows, [2, 6, 3, 4, 0, 7, 5, 1]);
        let first: Vec<bool> = ranked.order.iter().map(|&e| e & FIRST != 0).collect();
        assert_eq!(first, [true, true, true, false, true, false, true, true]);
        assert!(ranked.has_missing(&[1.0; 8]));
        assert!(!ranked.has_missing(&[1.0, 0.0]));
    }

    #[test]
    fn a_split_point_lies_below_the_upper_value() {
        let next = 1.0_f64.next_up();
        with_columns(&[7.0, f64::MAX, 1.0, next, -f64::MAX], &[2, 3, 4, 1], |columns| {
            assert_eq!(columns.between(0, [0, 1]), 1.0);
            assert_eq!(columns.between(0, [2, 3]), 0.0);
        });
    }

    #[test]
    fn a_threshold_has_a_rank() {
        let cells = [3.0, f64::NAN, 1.0, 2.0, 2.0, 9.0];
        with_columns(&cells, &[0, 1, 2, 3, 4], |columns| {
            let ranks = [0.5, 1.0, 1.5, 2.0, 2.9, 3.0, f64::MAX];
            let ranks = ranks.map(|threshold| columns.rank_up_to(0, threshold));
            assert_eq!(ranks, [None, Some(0), Some(0), Some(1), Some(1), Some(2), Some(2)]);
        });
    }
}

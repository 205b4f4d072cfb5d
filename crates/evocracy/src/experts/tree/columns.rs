//! The columns of a task gathered once: every cell becomes a small whole number, so that growing
//! compares and sorts `u32`s only. One `Columns` serves all trees grown from the same rows.

use crate::data::{Column, MISSING, View};
use crate::error::{Error, Result};
use crate::run::Run;

/// All columns of a view, ready for growing.
#[derive(Debug)]
pub(crate) struct Columns {
    pub(super) rows: usize,
    pub(super) columns: Vec<Ranked>,
}

/// One column: the rank of every row, [`MISSING`] where the value is missing.
#[derive(Debug, Default)]
pub(super) struct Ranked {
    /// Numbers: the position among the distinct values; nominal columns: the code.
    pub(super) ranks: Vec<u32>,
    /// The distinct values in ascending order; empty for a nominal column.
    pub(super) values: Vec<f64>,
    /// The rows in ascending order of rank, then of position, missing ones last; empty for a
    /// nominal column.
    pub(super) order: Vec<u32>,
    /// How many levels a nominal column has; `None` for numbers.
    pub(super) levels: Option<u32>,
    /// Numbers as they are; only in plain columns, which have none of the above.
    pub(super) cells: Vec<f64>,
}

impl Columns {
    /// Gathers and sorts the columns in view.
    pub(crate) fn gather(view: View<'_>, run: &Run<'_>) -> Result<Self> {
        Self::each(view, run, |values| Ranked::number(&values))
    }

    /// Gathers the columns in view without ranks: enough where cuts are drawn at random.
    pub(crate) fn plain(view: View<'_>, run: &Run<'_>) -> Result<Self> {
        Self::each(view, run, |cells| Ranked { cells, ..Ranked::default() })
    }

    fn each(
        view: View<'_>,
        run: &Run<'_>,
        number: impl Fn(Vec<f64>) -> Ranked + Send + Sync,
    ) -> Result<Self> {
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
        Ok(Self { rows: view.rows(), columns: columns.ok_or(Error::Stopped)? })
    }

    /// How many columns there are.
    pub(crate) fn len(&self) -> usize {
        self.columns.len()
    }

    /// The levels of every column; none for numbers.
    pub(crate) fn levels(&self) -> impl ExactSizeIterator<Item = Option<u32>> + '_ {
        self.columns.iter().map(|column| column.levels)
    }

    /// The most levels a nominal column has; 0 where there is none.
    pub(super) fn most_levels(&self) -> usize {
        self.columns.iter().filter_map(|c| c.levels).max().unwrap_or(0) as usize
    }
}

impl Ranked {
    fn number(cells: &[f64]) -> Self {
        let known =
            |(row, value): (usize, &f64)| (!value.is_nan()).then(|| (sort_key(*value), row as u32));
        let mut keyed: Vec<(u64, u32)> = cells.iter().enumerate().filter_map(known).collect();
        keyed.sort_unstable();
        let mut ranks = vec![MISSING; cells.len()];
        let mut values: Vec<f64> = Vec::new();
        let mut last = None;
        for &(key, row) in &keyed {
            if last != Some(key) {
                values.push(cells[row as usize]);
                last = Some(key);
            }
            ranks[row as usize] = values.len() as u32 - 1;
        }
        let missing = (0..cells.len() as u32).filter(|&row| cells[row as usize].is_nan());
        let order = keyed.iter().map(|&(_, row)| row).chain(missing).collect();
        Self { ranks, values, order, ..Self::default() }
    }

    /// Whether a row that has weight has no value here.
    pub(super) fn has_missing(&self, weights: &[f64]) -> bool {
        self.ranks.iter().zip(weights).any(|(&rank, &weight)| rank == MISSING && weight > 0.0)
    }

    /// The split point between two neighbouring ranks: half way, or the lower value where half
    /// way rounds to the upper one.
    pub(super) fn between(&self, below: u32, above: u32) -> f64 {
        let (low, high) = (self.values[below as usize], self.values[above as usize]);
        let middle = f64::midpoint(low, high);
        if middle < high { middle } else { low }
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

    #[test]
    fn ranks_follow_the_values() {
        let cells = [0.5, f64::NAN, -3.0, -0.0, 0.0, 1e300, -1e-300, 0.5];
        let ranked = Ranked::number(&cells);
        assert_eq!(ranked.ranks, [3, MISSING, 0, 2, 2, 4, 1, 3]);
        assert_eq!(ranked.values, [-3.0, -1e-300, 0.0, 0.5, 1e300]);
        assert_eq!(ranked.order, [2, 6, 3, 4, 0, 7, 5, 1]);
        assert!(ranked.has_missing(&[1.0; 8]));
        assert!(!ranked.has_missing(&[1.0, 0.0]));
    }

    #[test]
    fn a_split_point_lies_below_the_upper_value() {
        let next = 1.0_f64.next_up();
        let ranked = Ranked::number(&[1.0, next, -f64::MAX, f64::MAX]);
        assert_eq!(ranked.between(1, 2), 1.0);
        assert_eq!(ranked.between(0, 3), 0.0);
    }
}

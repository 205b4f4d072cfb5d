//! Where climbs begin: at a row that is badly explained, or between parents.

use super::climb::Slope;
use super::condition::{Allowed, Condition};
use super::family::Family;
use super::state::State;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Where climbs begin.
pub(super) struct Start<'s, 'a, F> {
    state: &'s State<'a, F>,
    /// How badly rows are explained: sums from the first row to each.
    hard: Vec<f64>,
    rng: &'s mut ChaCha8Rng,
}

impl<'s, 'a, F: Family> Start<'s, 'a, F> {
    pub(super) fn new(slope: &Slope<'s, 'a, F>, rng: &'s mut ChaCha8Rng) -> Self {
        let state = slope.state;
        let mut sum = 0.0;
        let hard = slope.logs.iter().zip(state.ground.weights).map(|(log, weight)| {
            sum += (-weight * log).max(0.0);
            sum
        });
        Self { state, hard: hard.collect(), rng }
    }

    /// A row, the likelier the less probable its outcome is now.
    fn hard_row(&mut self) -> usize {
        let total = self.hard.last().copied().unwrap_or(0.0);
        let point = self.rng.random::<f64>() * total;
        self.hard.partition_point(|sum| *sum <= point).min(self.hard.len() - 1)
    }

    /// Where a climb begins, and the row it must keep.
    pub(super) fn draw(&mut self) -> (Condition, Option<usize>) {
        let row = self.hard_row();
        let rules = self.state.members.len() - 1;
        let ways = if rules == 0 { 3 } else { 5 };
        match self.rng.random_range(0..ways) {
            0 => (Condition::default(), Some(row)),
            1 => (self.around(row, 1.0), Some(row)),
            2 => {
                let share = [0.5, 0.25, 0.125][self.rng.random_range(0..3)];
                (self.around(row, share), Some(row))
            }
            3 => (self.cross(), None),
            _ => (self.mutant(row), None),
        }
    }

    /// Tests that hold for a row, on a share of the columns.
    fn around(&mut self, row: usize, share: f64) -> Condition {
        let mut condition = Condition::default();
        for column in 0..self.state.ground.rows.axes.len() {
            if self.rng.random::<f64>() < share {
                condition.set(column, self.cell(row, column));
            }
        }
        condition
    }

    /// A test that holds for the cell of a row: its level, or a range around its number.
    fn cell(&mut self, row: usize, column: usize) -> Option<Allowed> {
        let axis = &self.state.ground.rows.axes[column];
        let (bins, code) = (axis.bins, axis.codes[row] as usize);
        if code >= bins || bins < 2 {
            return None;
        }
        if axis.cuts.is_none() {
            let mut set = vec![false; bins];
            set[code] = true;
            return Some(Allowed::Set(set));
        }
        let reach = self.rng.random_range(0..bins.div_ceil(2));
        let (low, high) = (code.saturating_sub(reach), (code + reach).min(bins - 1));
        (high - low + 1 < bins).then_some(Allowed::Range(low as u32, high as u32))
    }

    fn parent(&mut self) -> Condition {
        let at = self.rng.random_range(1..self.state.members.len());
        self.state.members[at].condition.clone()
    }

    /// Each column's test from one of two parents.
    fn cross(&mut self) -> Condition {
        let (mut child, other) = (self.parent(), self.parent());
        for column in 0..self.state.ground.rows.axes.len() {
            if self.rng.random() {
                child.set(column, other.test(column).cloned());
            }
        }
        child
    }

    /// A parent without some of its tests and with new ones that hold for a row.
    fn mutant(&mut self, row: usize) -> Condition {
        let mut child = self.parent();
        let drop = self.rng.random::<f64>();
        let tests = child.tests.clone();
        for (column, _) in tests {
            if self.rng.random::<f64>() < drop {
                child.set(column, None);
            }
        }
        let columns = self.state.ground.rows.axes.len();
        for _ in 0..self.rng.random_range(0..3) {
            let column = self.rng.random_range(0..columns);
            child.set(column, self.cell(row, column));
        }
        child
    }
}

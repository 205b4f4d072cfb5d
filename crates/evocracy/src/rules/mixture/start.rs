//! Where hill climbs start: at a row whose outcome is improbable, or at the offspring of rules.

use super::condition::{Allowed, Condition};
use super::family::Family;
use super::hill_climb::HillClimb;
use super::state::MixtureState;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Draws where hill climbs start.
pub(super) struct StartSampler<'s, 'a, F> {
    state: &'s MixtureState<'a, F>,
    /// Cumulative sums of the weighted negative log-likelihoods of the rows.
    cumulative: Vec<f64>,
    rng: &'s mut ChaCha8Rng,
}

impl<'s, 'a, F: Family> StartSampler<'s, 'a, F> {
    pub(super) fn new(climb: &HillClimb<'s, 'a, F>, rng: &'s mut ChaCha8Rng) -> Self {
        let state = climb.state;
        let mut sum = 0.0;
        let cumulative =
            climb.log_likelihoods.iter().zip(state.data.weights).map(|(log, weight)| {
                sum += (-weight * log).max(0.0);
                sum
            });
        Self { state, cumulative: cumulative.collect(), rng }
    }

    /// A row, drawn in proportion to its negative log-likelihood.
    fn improbable_row(&mut self) -> usize {
        let total = self.cumulative.last().copied().unwrap_or(0.0);
        let point = self.rng.random::<f64>() * total;
        self.cumulative.partition_point(|sum| *sum <= point).min(self.cumulative.len() - 1)
    }

    /// Where a climb starts, and its anchor: the row that it must go on to cover.
    pub(super) fn draw(&mut self) -> (Condition, Option<usize>) {
        let row = self.improbable_row();
        let rules = self.state.members.len() - 1;
        let ways = if rules == 0 { 3 } else { 5 };
        match self.rng.random_range(0..ways) {
            0 => (Condition::default(), Some(row)),
            1 => (self.around(row, 1.0), Some(row)),
            2 => {
                let share = [0.5, 0.25, 0.125][self.rng.random_range(0..3)];
                (self.around(row, share), Some(row))
            }
            3 => (self.crossover(), None),
            _ => (self.mutation(row), None),
        }
    }

    /// Tests that hold for a row, on a share of the columns.
    fn around(&mut self, row: usize, share: f64) -> Condition {
        let mut condition = Condition::default();
        for column in 0..self.state.data.rows.columns.len() {
            if self.rng.random::<f64>() < share {
                condition.set(column, self.test_of(row, column));
            }
        }
        condition
    }

    /// A test that holds for the cell of a row: its level, or a range around its number.
    fn test_of(&mut self, row: usize, column: usize) -> Option<Allowed> {
        let binned = &self.state.data.rows.columns[column];
        let (bins, code) = (binned.bins, binned.codes[row] as usize);
        if code >= bins || bins < 2 {
            return None;
        }
        if binned.cuts.is_none() {
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

    /// Uniform crossover: each column's test from one of two parents.
    fn crossover(&mut self) -> Condition {
        let (mut child, other) = (self.parent(), self.parent());
        for column in 0..self.state.data.rows.columns.len() {
            if self.rng.random() {
                child.set(column, other.test(column).cloned());
            }
        }
        child
    }

    /// A parent without some of its tests and with new ones that hold for a row.
    fn mutation(&mut self, row: usize) -> Condition {
        let mut child = self.parent();
        let drop = self.rng.random::<f64>();
        let tests = child.tests.clone();
        for (column, _) in tests {
            if self.rng.random::<f64>() < drop {
                child.set(column, None);
            }
        }
        let columns = self.state.data.rows.columns.len();
        for _ in 0..self.rng.random_range(0..3) {
            let column = self.rng.random_range(0..columns);
            child.set(column, self.test_of(row, column));
        }
        child
    }
}

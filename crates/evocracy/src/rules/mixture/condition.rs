//! Conditions of rules, and their prices: description lengths (MDL) times a factor.

use super::rows::BinnedRows;
use serde::{Deserialize, Serialize};

/// The bins of one column that a test allows, beside that of missing values.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) enum Allowed {
    /// Some levels.
    Set(Vec<bool>),
    /// The bins from the first to the second, both included.
    Range(u32, u32),
}

/// Tests of different columns, in the order of the columns.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub(super) struct Condition {
    pub(super) tests: Vec<(usize, Allowed)>,
}

impl Condition {
    /// The test of a column.
    pub(super) fn test(&self, column: usize) -> Option<&Allowed> {
        self.tests.iter().find(|(at, _)| *at == column).map(|(_, allowed)| allowed)
    }

    /// Whether a file may hold it: each column tested once, and bins that are there.
    pub(super) fn is_sound(&self, rows: &BinnedRows) -> bool {
        let test = |(column, allowed): &(usize, Allowed)| {
            rows.columns.get(*column).is_some_and(|binned| match allowed {
                Allowed::Set(set) => set.len() == binned.bins,
                Allowed::Range(low, high) => low <= high && (*high as usize) < binned.bins,
            })
        };
        self.tests.iter().all(test) && self.tests.is_sorted_by(|a, b| a.0 < b.0)
    }

    /// Sets or takes away the test of a column.
    pub(super) fn set(&mut self, column: usize, allowed: Option<Allowed>) {
        self.tests.retain(|(at, _)| *at != column);
        if let Some(allowed) = allowed {
            let at = self.tests.partition_point(|(at, _)| *at < column);
            self.tests.insert(at, (column, allowed));
        }
    }
}

/// The description length of rules in nats, times a factor.
#[derive(Debug)]
pub(super) struct Prices {
    factor: f64,
    /// Half the logarithm of the weight of all rows, which BIC charges for a parameter, for each rule.
    per_rule: f64,
    /// ln n! for n up to the largest number of columns or levels.
    factorials: Vec<f64>,
    columns: usize,
}

impl Prices {
    pub(super) fn new(rows: &BinnedRows, weight: f64, factor: f64) -> Self {
        let columns = rows.columns.len();
        let most = rows.columns.iter().map(|binned| binned.bins).max().unwrap_or(0).max(columns);
        let mut factorials = vec![0.0; most + 1];
        for n in 1..=most {
            factorials[n] = factorials[n - 1] + (n as f64).ln();
        }
        Self { factor, per_rule: 0.5 * weight.max(1.0).ln(), factorials, columns }
    }

    fn choose(&self, n: usize, k: usize) -> f64 {
        self.factorials[n] - self.factorials[k] - self.factorials[n - k]
    }

    /// A rule with so many tests: which columns they test, without the tests themselves.
    pub(super) fn rule(&self, tests: usize) -> f64 {
        self.factor * (self.per_rule + self.choose(self.columns, tests))
    }

    /// `size` of `bins` levels: how many, and which.
    pub(super) fn set(&self, bins: usize, size: usize) -> f64 {
        self.factor * (((bins - 1) as f64).ln() + self.choose(bins, size))
    }

    /// A range of bins: which sides are bounded, and by which of the cuts.
    pub(super) fn range(&self, bins: usize, low: u32, high: u32) -> f64 {
        let sides = usize::from(low > 0) + usize::from((high as usize) < bins - 1);
        // With a single cut no range is bounded on both sides.
        let kinds = if bins == 2 { 2_f64 } else { 3_f64 };
        self.factor * (kinds.ln() + self.choose(bins - 1, sides))
    }

    pub(super) fn test(&self, bins: usize, allowed: &Allowed) -> f64 {
        match allowed {
            Allowed::Set(set) => self.set(bins, set.iter().filter(|is| **is).count()),
            Allowed::Range(low, high) => self.range(bins, *low, *high),
        }
    }

    /// What a whole rule costs.
    pub(super) fn condition(&self, rows: &BinnedRows, condition: &Condition) -> f64 {
        let tests =
            condition.tests.iter().map(|(at, test)| self.test(rows.columns[*at].bins, test));
        self.rule(condition.tests.len()) + tests.sum::<f64>()
    }
}

//! How learning went: error, likelihood, number of rules and covering, over windows of rows.

use super::learn::RowOutcome;
use crate::measure::FLOOR;
use serde::{Deserialize, Serialize};

/// One window.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct CurveWindow {
    /// How many rows had been learnt from at its end.
    pub(super) rows: u64,
    /// The share of its rows that were called wrongly before they were learnt from.
    pub(super) error: f64,
    /// The share of its rows that needed covering.
    pub(super) covered: f64,
    /// The mean log2-likelihood of its rows, before they were learnt from.
    pub(super) log2: f64,
    /// How many rules there were at its end.
    pub(super) rules: u64,
}

/// Windows of equal length; two become one when there are too many, so a stream without end
/// takes no more memory than a short one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct LearningCurve {
    pub(super) points: Vec<CurveWindow>,
    /// The rows of a window.
    pub(super) window: u64,
    /// What the open window holds so far.
    rows: u64,
    wrong: u64,
    covered: u64,
    log2: f64,
}

/// The most windows.
pub(super) const MOST: usize = 256;

impl LearningCurve {
    pub(super) fn new(window: u64) -> Self {
        Self { points: Vec::new(), window: window.max(1), rows: 0, wrong: 0, covered: 0, log2: 0.0 }
    }

    /// Counts a row; `time` rows have been learnt from and there are `rules`.
    #[inline]
    pub(super) fn add(&mut self, outcome: RowOutcome, time: u64, rules: usize) {
        self.rows += 1;
        self.wrong += u64::from(!outcome.right);
        self.covered += u64::from(outcome.covered);
        self.log2 += outcome.share.max(FLOOR).log2();
        if self.rows == self.window {
            self.close(time, rules);
        }
    }

    fn close(&mut self, time: u64, rules: usize) {
        let share = |count: u64| count as f64 / self.rows as f64;
        let (error, covered) = (share(self.wrong), share(self.covered));
        let (log2, rules) = (self.log2 / self.rows as f64, rules as u64);
        self.points.push(CurveWindow { rows: time, error, covered, log2, rules });
        (self.rows, self.wrong, self.covered, self.log2) = (0, 0, 0, 0.0);
        if self.points.len() == MOST {
            self.window *= 2;
            let pair = |pair: &[CurveWindow]| CurveWindow {
                error: f64::midpoint(pair[0].error, pair[1].error),
                covered: f64::midpoint(pair[0].covered, pair[1].covered),
                log2: f64::midpoint(pair[0].log2, pair[1].log2),
                ..pair[1]
            };
            self.points = self.points.chunks_exact(2).map(pair).collect();
        }
    }

    /// Whether a file may hold it.
    pub(super) fn sound(&self) -> bool {
        let share = |share: f64| (0.0..=1.0).contains(&share);
        let log = |log: f64| (-1e18..=0.0).contains(&log);
        self.window > 0
            && self.rows < self.window
            && self.wrong <= self.rows
            && self.covered <= self.rows
            && self.points.len() < MOST
            && log(self.log2)
            && self.points.iter().all(|point| share(point.error) && share(point.covered))
            && self.points.iter().all(|point| log(point.log2))
    }
}

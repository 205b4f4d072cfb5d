//! Calls beside the truth.

use evocracy::classify::Proba;

/// The class that each row is called.
pub(crate) fn calls(proba: &Proba) -> Vec<u32> {
    (0..proba.rows()).map(|row| proba.best(row) as u32).collect()
}

/// The share of calls that are not the truth.
pub(crate) fn share_wrong(truth: &[u32], calls: &[u32]) -> f64 {
    wrong(truth, calls) as f64 / truth.len() as f64
}

/// The share of calls that are the truth.
pub(crate) fn share_right(truth: &[u32], calls: &[u32]) -> f64 {
    (truth.len() - wrong(truth, calls)) as f64 / truth.len() as f64
}

fn wrong(truth: &[u32], calls: &[u32]) -> usize {
    truth.iter().zip(calls).filter(|(truth, call)| truth != call).count()
}

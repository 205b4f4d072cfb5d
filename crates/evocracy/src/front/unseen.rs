//! What models say of rows that they were not fitted to.

/// Probabilities of rows by models that were not fitted to them.
#[derive(Debug, Clone)]
pub(super) struct Unseen {
    /// The rows, as positions among the training rows.
    pub(super) rows: Vec<u32>,
    /// Member by member, row after row, a number for each class.
    pub(super) proba: Vec<Vec<f64>>,
    /// How many of these rows tell as much as one row that no model has seen.
    pub(super) rows_for_one: f64,
    /// Where the models that were not fitted to a row are not the members themselves but those of a
    /// fold: member by member the rank of each row, see [`ranks`].
    pub(super) ranks: Option<Vec<Vec<f64>>>,
}

/// How many rows of folds tell as much as one row that no model has seen. The models of folds have
/// most of their rows in common, so that figures of cross-validation vary more than the number of
/// rows says (S. Bates, T. Hastie, R. Tibshirani, 2024). Chosen on the tables of the experiment
/// `fronts-defaults`.
pub(super) const FOLD_ROWS: f64 = 1.5;

/// The same for trees and lists of rules. They change much from fold to fold, so that those of the
/// folds may do otherwise than the member they stand for. Chosen on generated tables, where with 1.5
/// too few rates on other rows lay in the intervals; the experiment `fronts-defaults` counts how many
/// do (`evo-tree/promise-coverage`, `evo-rules/promise-coverage`).
pub(super) const UNSTABLE_FOLD_ROWS: f64 = 5.0;

impl Unseen {
    /// What a row counts where intervals are made.
    pub(super) fn telling(&self) -> f64 {
        1.0 / self.rows_for_one
    }
}

/// Where each of some scores stands among others, as a share of these. A model of a fold and the
/// member it stands for may differ in how certain they are; where both call the same share of their
/// training rows positive, they do the same.
///
/// The `k`-th of the sorted others stands at `k - 1/2`, ties in their middle, a score between two of
/// them in proportion: a threshold half-way between two has the share of those below it.
pub(super) fn ranks(of: &[f64], among: &[f64]) -> Vec<f64> {
    let mut sorted = among.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    let rank = |score: &f64| {
        let below = sorted.partition_point(|other| other < score);
        let up_to = sorted.partition_point(|other| other <= score);
        let place = if up_to > below {
            f64::midpoint(below as f64, up_to as f64)
        } else if below == 0 {
            0.25
        } else if below == n {
            n as f64 - 0.25
        } else {
            let (low, high) = (sorted[below - 1], sorted[below]);
            below as f64 - 0.5 + (score - low) / (high - low)
        };
        place / n as f64
    };
    of.iter().map(rank).collect()
}

/// Whether rows that a search left over are enough to judge its members on: a good number of every
/// class that it has seen.
fn enough(left: &[u32], labels: &[u32]) -> bool {
    let classes = labels.iter().max().map_or(0, |most| *most as usize + 1);
    let (mut own, mut seen) = (vec![0; classes], vec![false; classes]);
    for &label in labels {
        seen[label as usize] = true;
    }
    for &row in left {
        own[labels[row as usize] as usize] += 1;
    }
    let each = own.iter().zip(&seen).all(|(own, seen)| !seen || *own >= EACH_LEFT);
    left.len() >= LEFT_OVER && each
}

/// The rows that a search on some rows left over, where they are enough to judge its members on.
pub(super) fn enough_left(searched: &[u32], labels: &[u32]) -> Option<Vec<u32>> {
    let left = left_over(searched, labels.len());
    enough(&left, labels).then_some(left)
}

/// The least rows left over that are judged instead of folds, of all classes and of each.
const LEFT_OVER: usize = 1000;
const EACH_LEFT: usize = 50;

/// The rows below `count` that are not among some sorted ones.
pub(super) fn left_over(rows: &[u32], count: usize) -> Vec<u32> {
    (0..count as u32).filter(|row| rows.binary_search(row).is_err()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_places_among_others() {
        let among = [1.0, 2.0, 2.0, 4.0];
        let found = ranks(&[0.0, 1.0, 1.5, 2.0, 2.5, 3.5, 4.0, 9.0], &among);
        let wanted = [0.25, 0.5, 1.0, 2.0, 2.75, 3.25, 3.5, 3.75];
        for (found, wanted) in found.iter().zip(wanted) {
            assert!((found - wanted / 4.0).abs() < 1e-12, "{found} {wanted}");
        }
    }

    #[test]
    fn rows_left_over_must_show_every_class() {
        let labels: Vec<u32> = (0..2000).map(|row| u32::from(row < 60)).collect();
        let left = |from: u32| -> Vec<u32> { (from..2000).collect() };
        assert!(enough(&left(5), &labels));
        assert!(!enough(&left(30), &labels));
        assert!(!enough(&left(1500), &labels));
    }
}

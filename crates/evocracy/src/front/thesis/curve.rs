//! All operating points of one scorer from one sort.

/// Rows with what each adds to the true or the false positive rate when it is called positive.
#[derive(Debug, Clone)]
pub(super) struct RateRows {
    positive: Vec<bool>,
    share: Vec<f64>,
}

impl RateRows {
    /// All rows alike, those of `part` alone where there is one.
    pub(super) fn new(positive: &[bool], part: Option<&[bool]>) -> Self {
        let inside = |row: usize| part.is_none_or(|part| part[row]);
        let count = |class: bool| {
            let rows = (0..positive.len()).filter(|&row| inside(row) && positive[row] == class);
            rows.count().max(1) as f64
        };
        let counts = [count(false), count(true)];
        let share = |row: usize| {
            if inside(row) { 1.0 / counts[usize::from(positive[row])] } else { 0.0 }
        };
        let share = (0..positive.len()).map(share).collect();
        Self { positive: positive.to_vec(), share }
    }

    /// The mean of the rates of folds, (12) and (13) of algorithm 4: a row counts as the share of
    /// its class in its fold, over the folds that have its class.
    pub(super) fn of_folds(positive: &[bool], folds: &[Vec<u32>]) -> Self {
        let mut share = vec![0.0; positive.len()];
        let count = |fold: &[u32], class: bool| {
            fold.iter().filter(|&&row| positive[row as usize] == class).count() as f64
        };
        for class in [false, true] {
            let having = folds.iter().filter(|fold| count(fold, class) > 0.0).count() as f64;
            for fold in folds {
                let rows = fold.iter().filter(|&&row| positive[row as usize] == class);
                let each = 1.0 / (having * count(fold, class));
                rows.for_each(|&row| share[row as usize] = each);
            }
        }
        Self { positive: positive.to_vec(), share }
    }

    /// The rates where scores of at least the threshold are called positive.
    pub(super) fn at(&self, scores: &[f64], threshold: f64) -> [f64; 2] {
        let mut rates = [0.0; 2];
        for ((score, share), positive) in scores.iter().zip(&self.share).zip(&self.positive) {
            if *score >= threshold {
                rates[usize::from(!positive)] += share;
            }
        }
        rates.map(|rate: f64| rate.min(1.0))
    }

    /// Visits the operating points that no other of the same scorer beats, from calling nothing
    /// positive to calling all: threshold, true and false positive rate. `keys` is scratch.
    pub(super) fn corners(
        &self,
        scores: &[f64],
        keys: &mut Vec<u64>,
        mut visit: impl FnMut(f64, [f64; 2]),
    ) {
        // The last bits of a score make room for its row: one word sorts faster than two.
        let low = scores.len().next_power_of_two() as u64 - 1;
        keys.clear();
        let rows = (0..scores.len()).filter(|&row| self.share[row] > 0.0);
        keys.extend(rows.map(|row| (descending(scores[row]) & !low) | row as u64));
        keys.sort_unstable();
        if low as f64 * f64::EPSILON > TIE {
            // Of so many rows the numbers take more of a score than rounding does.
            for alike in keys.chunk_by_mut(|a, b| a & !low == b & !low) {
                alike.sort_by(|a, b| {
                    let score = |key: &u64| scores[(key & low) as usize];
                    score(b).total_cmp(&score(a)).then(a.cmp(b))
                });
            }
        }
        let row_of = |key: u64| (key & low) as usize;
        let [mut tpr, mut fpr, mut seen] = [0.0_f64; 3];
        let mut last = f64::INFINITY;
        let mut at = 0;
        let mut pending = Some([0.0, 0.0]);
        while at < keys.len() {
            let score = scores[row_of(keys[at])];
            let mut lowest = score;
            let mut alarms = 0.0;
            while at < keys.len() && lowest - scores[row_of(keys[at])] <= TIE {
                let row = row_of(keys[at]);
                lowest = scores[row];
                if self.positive[row] {
                    tpr += self.share[row];
                } else {
                    alarms += self.share[row];
                }
                at += 1;
            }
            if alarms > 0.0 {
                // The point before is the last of its false positive rate.
                if let Some(rates) = pending.take()
                    && (rates[0] > seen || rates[1] == 0.0)
                {
                    visit(threshold_between(last, score), rates);
                    seen = seen.max(rates[0]);
                }
                fpr += alarms;
            }
            pending = Some([tpr.min(1.0), fpr.min(1.0)]);
            last = lowest;
        }
        if let Some(rates) = pending
            && (rates[0] > seen || rates[1] == 0.0)
        {
            visit(f64::NEG_INFINITY, rates);
        }
    }
}

/// Scores that differ by no more than this are ties: rounding may part or exchange them.
const TIE: f64 = 1e-12;

/// Half-way between two scores, so that rounding of a score does not change how it is called.
fn threshold_between(high: f64, low: f64) -> f64 {
    let middle = f64::midpoint(high, low);
    // Neighbouring numbers have none between them.
    if high.is_infinite() || middle <= low { high } else { middle }
}

/// Words that sort as scores do, the highest first.
fn descending(score: f64) -> u64 {
    let bits = (score + 0.0).to_bits();
    let ascending = if bits >> 63 == 0 { bits | (1 << 63) } else { !bits };
    !ascending
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Roc, unbeaten};
    use proptest::prelude::*;
    use rand::RngExt;

    /// Of many rows the numbers take more bits of a score than rounding does: rates must be those of
    /// their threshold also where scores crowd.
    #[test]
    fn crowded_scores_of_many_rows_are_counted_right() {
        let mut rng = crate::run::Seed::new(3).rng();
        let rows = 20_000;
        let truth: Vec<bool> = (0..rows).map(|_| rng.random()).collect();
        let scores: Vec<f64> =
            (0..rows).map(|_| 1.0 - 2.5e-12 * f64::from(rng.random_range(1..30_000_u32))).collect();
        let all = RateRows::new(&truth, None);
        let mut found = 0;
        all.corners(&scores, &mut Vec::new(), |threshold, rates| {
            let counted = all.at(&scores, threshold);
            let apart = (counted[0] - rates[0]).abs() + (counted[1] - rates[1]).abs();
            assert!(apart < 1e-9, "{counted:?} {rates:?}");
            found += 1;
        });
        assert!(found > 1000, "{found}");
    }

    proptest! {
        #[test]
        fn corners_are_those_of_the_roc_curve(
            rows in prop::collection::vec((any::<bool>(), -3i8..4), 2..60)
        ) {
            let truth: Vec<bool> = rows.iter().map(|row| row.0).collect();
            prop_assume!(truth.contains(&true) && truth.contains(&false));
            let scores: Vec<f64> = rows.iter().map(|row| f64::from(row.1) / 2.0).collect();
            let all = RateRows::new(&truth, None);
            let mut found = Vec::new();
            all.corners(&scores, &mut Vec::new(), |threshold, rates| {
                found.push((threshold, rates));
            });
            let roc = Roc::new(&truth, &scores, None).unwrap();
            let points: Vec<(f64, f64)> = roc.points().iter().map(|p| (p.fpr, p.tpr)).collect();
            let wanted = unbeaten(&points).unwrap();
            prop_assert_eq!(found.len(), wanted.len());
            for ((threshold, [tpr, fpr]), (f, t)) in found.into_iter().zip(wanted) {
                prop_assert!((tpr - t).abs() < 1e-12 && (fpr - f).abs() < 1e-12);
                let counted = all.at(&scores, threshold);
                prop_assert!((counted[0] - tpr).abs() < 1e-12 && (counted[1] - fpr).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn folds_are_averaged() {
        let truth = [true, true, false, true, false, false];
        let rows = RateRows::of_folds(&truth, &[vec![0, 1, 2], vec![3, 4, 5]]);
        // Fold 1 finds one of two, fold 2 its only one; one of two false alarms in fold 2.
        let rates = rows.at(&[0.9, 0.1, 0.2, 0.8, 0.7, 0.1], 0.5);
        assert_eq!(rates, [0.75, 0.25]);
    }
}

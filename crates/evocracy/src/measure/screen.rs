//! The area under the ROC curve of every column of a table by itself: a screen of thousands of genes.
//!
//! The area of a column is Mann and Whitney's share of pairs that are in order, ties one half. For
//! few rows all pairs are compared, many at a time; for many rows they are sorted.

use super::significance::tie_corrected_p;
use crate::num::wide;

/// With at most so many rows pairs are compared instead of sorted.
const FEW: usize = 160;

/// The area of one column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ColumnAuc {
    /// The share of pairs in which the positive row has the larger value, ties one half.
    pub auc: f64,
    /// The two-sided p-value of Mann and Whitney's test, normal with tie and continuity correction.
    pub p_value: f64,
}

/// The area of every column: `columns` holds `truth.len()` values each, none of them NaN. All areas
/// are one half where a class has no rows.
pub fn screen(columns: &[f64], truth: &[bool]) -> Vec<ColumnAuc> {
    let mut counter = PairCounter::new(truth);
    let columns = columns.chunks_exact(truth.len().max(1));
    wide(
        #[inline(always)]
        || {
            let of = |column| {
                let (u, ties) = counter.count(column);
                let (m, n) = (counter.positives as f64, counter.negatives as f64);
                if m * n == 0.0 {
                    return ColumnAuc { auc: 0.5, p_value: 1.0 };
                }
                ColumnAuc { auc: u / (m * n), p_value: tie_corrected_p(u, m, n, ties) }
            };
            columns.map(of).collect()
        },
    )
}

/// A column in whole blocks, filled up with NaN, which compares false with all; in either precision.
///
/// Each value of the column is held against a block at a time, so that counts stay in their lanes
/// until the column is done.
macro_rules! blocks {
    ($name:ident, $float:ty, $count:ty, $lanes:literal) => {
        #[derive(Debug, Clone)]
        struct $name {
            values: Vec<[$float; $lanes]>,
            /// 1 for rows of the positive class.
            positive: Vec<[$count; $lanes]>,
        }

        #[allow(
            clippy::inline_always,
            reason = "they are compiled for the processor of their caller"
        )]
        impl $name {
            fn new(truth: &[bool]) -> Self {
                let blocks = truth.len().div_ceil($lanes);
                let mut positive = vec![[0; $lanes]; blocks];
                for (flag, truth) in positive.as_flattened_mut().iter_mut().zip(truth) {
                    *flag = <$count>::from(*truth);
                }
                Self { values: vec![[<$float>::NAN; $lanes]; blocks], positive }
            }

            /// `U` of the positives, and the sum of `t^3 - t` over groups of `t` equal values,
            /// which is that of `t^2 - 1` over all values.
            #[inline(always)]
            fn count(
                &mut self,
                column: &[f64],
                positives: &[u32],
                negatives: &[u32],
            ) -> (f64, f64) {
                for (value, from) in self.values.as_flattened_mut().iter_mut().zip(column) {
                    *value = *from as $float;
                }
                let all = self.values.as_flattened();
                let (mut twice, mut ties): ([$count; $lanes], [$count; $lanes]) =
                    ([0; $lanes], [0; $lanes]);
                for (block, positive) in self.values.iter().zip(&self.positive) {
                    let (mut below, mut same, mut equal): ([$count; $lanes], _, _) =
                        ([0; $lanes], [0; $lanes], [0; $lanes]);
                    for &row in negatives {
                        let value = all[row as usize];
                        for i in 0..$lanes {
                            below[i] += <$count>::from(value < block[i]);
                            same[i] += <$count>::from(value == block[i]);
                        }
                    }
                    for &row in positives {
                        let value = all[row as usize];
                        for i in 0..$lanes {
                            equal[i] += <$count>::from(value == block[i]);
                        }
                    }
                    for i in 0..$lanes {
                        twice[i] += positive[i] * (2 * below[i] + same[i]);
                        let equal: $count = same[i] + equal[i];
                        ties[i] += (equal * equal).max(1) - 1;
                    }
                }
                let sum = |lanes: [$count; $lanes]| lanes.iter().sum::<$count>() as f64;
                (0.5 * sum(twice), sum(ties))
            }
        }
    };
}

blocks!(WideBlocks, f64, u64, 8);
blocks!(NarrowBlocks, f32, u32, 16);

/// Counts the pairs of one split of rows into classes, column after column.
#[derive(Debug, Clone)]
pub(crate) struct PairCounter {
    /// The rows in order: positives, then negatives.
    rows: Vec<u32>,
    positives: usize,
    negatives: usize,
    wide: WideBlocks,
    /// For columns that it holds exactly, such as whole numbers: twice as fast.
    narrow: NarrowBlocks,
    /// The values of negative rows in whole lanes, filled up with NaN.
    lanes: Vec<[f64; 8]>,
    sorted: Vec<(f64, bool)>,
}

impl PairCounter {
    pub(crate) fn new(truth: &[bool]) -> Self {
        let of = |class: bool| (0..truth.len() as u32).filter(move |&i| truth[i as usize] == class);
        let rows: Vec<u32> = of(true).chain(of(false)).collect();
        let positives = truth.iter().filter(|t| **t).count();
        let negatives = truth.len() - positives;
        let (wide, narrow) = (WideBlocks::new(truth), NarrowBlocks::new(truth));
        let lanes = vec![[f64::NAN; 8]; negatives.div_ceil(8)];
        Self { rows, positives, negatives, wide, narrow, lanes, sorted: Vec::new() }
    }

    /// `U` of the positives, and the sum of `t^3 - t` over groups of `t` equal values.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
    fn count(&mut self, column: &[f64]) -> (f64, f64) {
        if self.rows.len() > FEW {
            return self.sort(column);
        }
        let (positives, negatives) = self.rows.split_at(self.positives);
        let mut rounded = 0;
        for value in column {
            rounded += u32::from(f64::from(*value as f32) != *value);
        }
        if rounded == 0 {
            return self.narrow.count(column, positives, negatives);
        }
        self.wide.count(column, positives, negatives)
    }

    /// The area of some scores; one half where a class has no rows.
    pub(crate) fn auc(&mut self, scores: &[f64]) -> f64 {
        let pairs = (self.positives * self.negatives) as f64;
        if pairs == 0.0 {
            return 0.5;
        }
        let u = wide(
            #[inline(always)]
            || self.count_pairs(scores),
        );
        u / pairs
    }

    /// `U` of the positives alone.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
    fn count_pairs(&mut self, column: &[f64]) -> f64 {
        if self.rows.len() > FEW {
            return self.sort(column).0;
        }
        let (positives, negatives) = self.rows.split_at(self.positives);
        for (value, &row) in self.lanes.as_flattened_mut().iter_mut().zip(negatives) {
            *value = column[row as usize];
        }
        let mut lanes = [0.0; 8];
        for &row in positives {
            let value = column[row as usize];
            for others in &self.lanes {
                for i in 0..8 {
                    lanes[i] += if others[i] < value { 1.0 } else { 0.0 };
                    lanes[i] += if others[i] == value { 0.5 } else { 0.0 };
                }
            }
        }
        lanes.iter().sum()
    }

    fn sort(&mut self, column: &[f64]) -> (f64, f64) {
        self.sorted.clear();
        let (positive, negative) = self.rows.split_at(self.positives);
        self.sorted.extend(positive.iter().map(|&row| (column[row as usize], true)));
        self.sorted.extend(negative.iter().map(|&row| (column[row as usize], false)));
        self.sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let (mut u, mut ties, mut below) = (0.0, 0.0, 0.0);
        // Zeros of either sign are equal.
        for group in self.sorted.chunk_by(|a, b| a.0 == b.0) {
            let positives = group.iter().filter(|(_, positive)| *positive).count() as f64;
            let all = group.len() as f64;
            u += positives * (below + 0.5 * (all - positives));
            below += all - positives;
            ties += all * all * all - all;
        }
        (u, ties)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::significance::{Alternative, Null, mann_whitney};
    use crate::run::Seed;
    use rand::RngExt;

    #[test]
    fn areas_and_p_values_are_those_of_the_test() {
        let mut rng = Seed::new(1).rng();
        for rows in [5, 36, 72, 161, 350] {
            let truth: Vec<bool> = (0..rows).map(|i| i % 3 == 0).collect();
            let mut columns: Vec<f64> = (0..4 * rows).map(|_| rng.random()).collect();
            // Ties, zeros of both signs, a constant.
            columns.iter_mut().skip(rows).take(rows).for_each(|v| *v = (*v * 5.0).floor());
            columns
                .iter_mut()
                .skip(2 * rows)
                .take(rows)
                .for_each(|v| *v = (*v - 0.5).round() * 0.0);
            columns[3 * rows..].fill(7.0);
            for (found, column) in screen(&columns, &truth).iter().zip(columns.chunks(rows)) {
                let of = |class: bool| -> Vec<f64> {
                    let rows = column.iter().zip(&truth).filter(|(_, t)| **t == class);
                    rows.map(|(v, _)| *v).collect()
                };
                let null = Null::Normal { continuity: true };
                let two = Alternative::TwoSided;
                let expected = mann_whitney(&of(true), &of(false), two, null).unwrap();
                assert!((found.auc - expected.share).abs() < 1e-12);
                assert!((found.p_value - expected.p_value).abs() < 1e-12);
            }
        }
        assert_eq!(screen(&[1.0, 2.0], &[true, true]), [ColumnAuc { auc: 0.5, p_value: 1.0 }]);
        assert!(screen(&[], &[]).is_empty());
    }
}

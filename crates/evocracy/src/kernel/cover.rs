//! A k-centre cover of the training rows, by which a model knows how far a row is from them.
//!
//! Centres are chosen one by one, always the training row that is farthest from those chosen (T. F.
//! Gonzalez, "Clustering to minimize the maximum intercluster distance", Theoretical Computer
//! Science 38 (1985) 293-306), so that every training row is near some centre.

use super::tuning::{CoverTuning, NumericLimits};
use crate::data::DenseRows;
use serde::{Deserialize, Serialize};

/// Training rows that are near all others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct KCentreCover {
    inputs: usize,
    /// The centres, one row after the other.
    #[serde(rename = "rows")]
    centres: Vec<f64>,
    /// The quantile of the distances of the training rows to the nearest other centre.
    #[serde(rename = "usual")]
    quantile: f64,
}

impl KCentreCover {
    pub(super) fn new(points: &DenseRows<'_>) -> Self {
        let inputs = points.inputs();
        let most = CoverTuning::CENTRES.min(CoverTuning::NUMBERS / inputs.max(1)).max(2);
        let all: Vec<Vec<f64>> = (0..points.rows).map(|row| points.row(row)).collect();
        // The squared distance of each row to the nearest centre, and to the nearest other one.
        let mut nearest = vec![f64::INFINITY; all.len()];
        let mut other = nearest.clone();
        let (mut centres, mut next) = (Vec::new(), 0);
        for _ in 0..most.min(all.len()) {
            if nearest[next] == 0.0 {
                break;
            }
            centres.extend_from_slice(&all[next]);
            for (at, row) in all.iter().enumerate() {
                let square = squared_distance(row, &all[next]);
                nearest[at] = nearest[at].min(square);
                if at != next {
                    other[at] = other[at].min(square);
                }
            }
            next = crate::num::argmax(&nearest);
        }
        other.retain(|square| square.is_finite());
        other.sort_unstable_by(f64::total_cmp);
        let last = (CoverTuning::QUANTILE * other.len() as f64) as usize;
        let quantile = other.get(last.min(other.len().saturating_sub(1))).map_or(0.0, |v| v.sqrt());
        Self { inputs, centres, quantile }
    }

    /// The distance of a row to the nearest centre.
    pub(super) fn distance(&self, row: &[f64]) -> f64 {
        let centres = self.centres.chunks_exact(self.inputs.max(1));
        let squares = centres.map(|centre| squared_distance(centre, row));
        let least = squares.fold(f64::INFINITY, f64::min);
        if least.is_finite() { least.sqrt() } else { 0.0 }
    }

    /// How much that distance exceeds the quantile.
    pub(super) fn excess_distance(&self, row: &[f64]) -> f64 {
        (self.distance(row) - self.quantile).max(0.0)
    }

    /// The quantile of the distances of the training rows to the nearest other centre.
    pub(super) fn quantile(&self) -> f64 {
        self.quantile
    }

    /// Whether a file may hold it.
    pub(super) fn is_valid(&self, inputs: usize) -> bool {
        let fits = self.inputs == inputs && self.centres.len().is_multiple_of(inputs.max(1));
        let finite = |value: &f64| value.abs() <= NumericLimits::KERNEL;
        fits && self.centres.iter().all(finite)
            && (0.0..=NumericLimits::KERNEL).contains(&self.quantile)
    }
}

fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excess_distance_is_small_near_the_training_rows_and_large_elsewhere() {
        // Two intervals with a gap between them, many more rows than are kept.
        let values: Vec<f64> =
            (0..4000).map(|i| f64::from(i % 2000) / 1000.0 + 8.0 * f64::from(i / 2000)).collect();
        let cover = KCentreCover::new(&DenseRows::from_slice(&values, 4000));
        assert_eq!(cover.centres.len(), CoverTuning::CENTRES);
        let excess_distance =
            values.iter().filter(|value| cover.excess_distance(&[**value]) > 0.0).count();
        assert!(excess_distance <= 400, "{excess_distance}");
        assert!(values.iter().all(|value| cover.excess_distance(&[*value]) < 0.05));
        for (row, least) in [(5.0, 2.8), (12.0, 1.9), (-4.0, 3.9)] {
            assert!((least..least + 0.3).contains(&cover.excess_distance(&[row])), "{row}");
        }
    }

    #[test]
    fn duplicates_and_single_rows_have_a_cover() {
        let same = KCentreCover::new(&DenseRows::from_slice(&[2.0, 2.0, 2.0], 3));
        assert_eq!((same.centres.len(), same.quantile), (1, 0.0));
        assert_eq!(same.excess_distance(&[5.0]), 3.0);
        assert_eq!(
            KCentreCover::new(&DenseRows::from_slice(&[1.0], 1)).excess_distance(&[1.0]),
            0.0
        );
        assert_eq!(KCentreCover::new(&DenseRows::from_slice(&[], 0)).distance(&[]), 0.0);
    }
}

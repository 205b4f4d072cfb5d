//! What every threshold does on rows that its model was not trained on: what decisions are chosen
//! by, kept with the model so that another one can be chosen later.

use crate::error::{Error, Result};
use crate::measure::{Group, Ranking};
use serde::{Deserialize, Serialize};

/// Positive and negative weight by score, from the highest score down, of training rows that were
/// judged by models which did not learn from them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Thresholds {
    rows: usize,
    /// Score, weight of the positives, weight of the others.
    groups: Vec<(f64, f64, f64)>,
}

impl Thresholds {
    /// More distinct scores than this are thrown together.
    const MOST: usize = 1000;

    /// Where there are too many scores, neighbours become one, of at most this share of either
    /// class each.
    const STEP: f64 = 0.004;

    /// What thresholds do on `rows` rows of this ranking.
    pub fn new(rows: usize, ranking: &Ranking) -> Self {
        let all = ranking.groups();
        let fine = all.len() <= Self::MOST;
        let most = (Self::STEP * ranking.positives(), Self::STEP * ranking.negatives());
        let mut groups: Vec<(f64, f64, f64)> = Vec::new();
        for Group { score, positive, negative } in all {
            match groups.last_mut().filter(|_| !fine) {
                Some(last) if last.1 + positive <= most.0 && last.2 + negative <= most.1 => {
                    *last = (*score, last.1 + positive, last.2 + negative);
                }
                _ => groups.push((*score, *positive, *negative)),
            }
        }
        Self { rows, groups }
    }

    /// How many rows were judged.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The rows in the order of their scores.
    pub fn ranking(&self) -> Result<Ranking> {
        let each = || self.groups.iter().flat_map(|group| [(group.0, group.1), (group.0, group.2)]);
        let truth: Vec<bool> = (0..2 * self.groups.len()).map(|at| at % 2 == 0).collect();
        let (scores, weights): (Vec<f64>, Vec<f64>) = each().unzip();
        Ranking::new(&truth, &scores, Some(&weights))
    }

    /// Refuses what a damaged file could hold.
    pub fn check(&self) -> Result<()> {
        let sound = |&(score, positive, negative): &(f64, f64, f64)| {
            score.is_finite() && positive >= 0.0 && negative >= 0.0
        };
        if self.groups.iter().all(sound) && self.ranking().is_ok() {
            return Ok(());
        }
        Err(Error::model_file("its figures on thresholds are inconsistent"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Roc;

    #[test]
    fn few_scores_are_kept_as_they_are() -> Result<()> {
        let (truth, scores) = ([true, false, true, false, false], [0.9, 0.8, 0.4, 0.4, 0.1]);
        let ranking = Ranking::new(&truth, &scores, Some(&[1.0, 2.0, 0.5, 1.0, 1.0]))?;
        let kept = Thresholds::new(5, &ranking);
        kept.check()?;
        assert_eq!((kept.rows(), kept.ranking()?.groups()), (5, ranking.groups()));
        Ok(())
    }

    #[test]
    fn many_scores_become_fewer_and_the_curve_stays() -> Result<()> {
        let rows = 20_000;
        let truth: Vec<bool> = (0..rows).map(|row| (row * 7919) % 13 < 4).collect();
        let score = |row: usize| ((row * 104_729) % rows) as f64 / rows as f64;
        let scores: Vec<f64> =
            (0..rows).map(|row| score(row) + if truth[row] { 0.3 } else { 0.0 }).collect();
        let ranking = Ranking::new(&truth, &scores, None)?;
        let kept = Thresholds::new(rows, &ranking);
        assert!(kept.groups.len() < Thresholds::MOST, "{}", kept.groups.len());
        let (whole, fewer) = (Roc::from(&ranking), Roc::from(&kept.ranking()?));
        for cap in [0.01, 0.05, 0.2, 0.5] {
            let (a, b) = (whole.with_fpr_at_most(cap)?, fewer.with_fpr_at_most(cap)?);
            // A point of the whole curve, and hardly a worse one.
            assert_eq!((whole.at(b.threshold).fpr, whole.at(b.threshold).tpr), (b.fpr, b.tpr));
            assert!(b.fpr <= cap && a.tpr - b.tpr < 0.02, "{a:?} {b:?}");
        }
        Ok(())
    }

    #[test]
    fn nonsense_is_refused() {
        for group in [(f64::NAN, 1.0, 1.0), (0.5, -1.0, 1.0), (0.5, 0.0, 1.0)] {
            assert!(Thresholds { rows: 2, groups: vec![group] }.check().is_err(), "{group:?}");
        }
        assert!(Thresholds { rows: 0, groups: Vec::new() }.check().is_err());
    }
}

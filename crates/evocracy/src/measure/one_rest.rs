//! Each class against all others.

use super::check::{self, Weights};
use super::ranking::{Ranking, ScoredRow};
use crate::error::{Error, Result};
use serde::Serialize;

/// The area under the ROC curve of every class against the rest.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OneAgainstRest {
    /// By class; `None` for a class that has no rows, or all of them.
    pub areas: Vec<Option<f64>>,
    /// The plain mean of the areas.
    pub mean: f64,
    /// The mean of the areas, classes weighted by their rows. Unlike Hand and Till's figure it
    /// depends on how common the classes are (F. Provost, P. Domingos, "Well-trained PETs",
    /// 2000).
    pub weighted_mean: f64,
}

/// Ranks all rows by the probability of each class in turn.
///
/// `proba` holds `classes` probabilities for every row, row after row.
pub fn one_against_rest(
    labels: &[u32],
    proba: &[f64],
    classes: usize,
    weights: Option<&[f64]>,
) -> Result<OneAgainstRest> {
    check::probabilities(labels, proba, classes)?;
    let weights = Weights::new(weights, labels.len())?;
    let mut found = OneAgainstRest { areas: vec![None; classes], mean: 0.0, weighted_mean: 0.0 };
    let (mut known, mut total) = (0.0, 0.0);
    for class in 0..classes {
        let item = |(row, &label): (usize, &u32)| ScoredRow {
            score: proba[row * classes + class],
            positive: label as usize == class,
            weight: weights.of(row),
        };
        let items: Vec<ScoredRow> = labels.iter().enumerate().map(item).collect();
        // The scores are good, so what is refused is a class with no rows or with all.
        let Ok(ranking) = Ranking::of(&items) else { continue };
        let area = ranking.auc();
        found.areas[class] = Some(area);
        found.mean += area;
        found.weighted_mean += area * ranking.positives();
        known += 1.0;
        total += ranking.positives();
    }
    if known == 0.0 {
        return Err(Error::unsuitable(
            "all rows are of one class, so there is nothing to tell apart",
            "judge on rows of two or more classes",
        ));
    }
    found.mean /= known;
    found.weighted_mean /= total;
    Ok(found)
}

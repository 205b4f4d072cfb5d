//! The area under the ROC curve for more than two classes.
//!
//! D. J. Hand, R. J. Till, "A simple generalisation of the area under the ROC curve for multiple
//! class classification problems", Machine Learning 45 (2001) 171-186, equation (7).

use super::check::{self, Weights};
use super::ranking::{Ranking, ScoredRow};
use crate::error::{Error, Result};

/// The most classes that are compared pair by pair: the pairs grow with their square.
const MOST_CLASSES: usize = 1000;

/// The most rows times classes: every row is ranked once against each other class. Seconds.
const MOST_CELLS: usize = 50_000_000;

/// Hand and Till's M: the mean over all pairs of classes of how well their probabilities tell
/// the two apart. For two classes it is the usual area.
///
/// `proba` holds `classes` probabilities for every row, row after row. For a pair (i, j) only
/// the rows of those classes count, ranked once by the probability of i and once by that of j;
/// the two areas are averaged. It does not depend on how common the classes are. A class
/// without rows takes no part; with fewer than two left, or more than 1000, or more than 5e7 rows
/// times classes, there is no answer.
pub fn hand_till(
    labels: &[u32],
    proba: &[f64],
    classes: usize,
    weights: Option<&[f64]>,
) -> Result<f64> {
    check::probabilities(labels, proba, classes)?;
    let weights = Weights::new(weights, labels.len())?;
    let mut members = vec![Vec::new(); classes];
    for (row, &label) in labels.iter().enumerate() {
        if weights.of(row) > 0.0 {
            members[label as usize].push(row);
        }
    }
    let present: Vec<usize> = (0..classes).filter(|&c| !members[c].is_empty()).collect();
    if present.len() < 2 {
        return Err(Error::unsuitable(
            "all rows are of one class, so there is nothing to tell apart",
            "judge on rows of two or more classes",
        ));
    }
    if present.len() > MOST_CLASSES {
        return Err(Error::unsuitable(
            format!(
                "the mean over pairs of classes is not computed for more than {MOST_CLASSES} classes, and there are {}",
                present.len()
            ),
            "",
        ));
    }
    let ranked = members.iter().map(Vec::len).sum::<usize>();
    if ranked.saturating_mul(present.len()) > MOST_CELLS {
        return Err(Error::unsuitable(
            format!(
                "the mean over pairs of classes is not computed for {ranked} rows of {} classes: more than {MOST_CELLS} rows times classes",
                present.len()
            ),
            "judge on fewer rows",
        ));
    }
    let against = |i: usize, j: usize| {
        let item = |row: usize, positive| ScoredRow {
            score: proba[row * classes + i],
            positive,
            weight: weights.of(row),
        };
        let of_i = members[i].iter().map(|&row| item(row, true));
        let of_j = members[j].iter().map(|&row| item(row, false));
        Ok::<f64, Error>(Ranking::of(&of_i.chain(of_j).collect::<Vec<_>>())?.auc())
    };
    let mut sum = 0.0;
    for (at, &i) in present.iter().enumerate() {
        for &j in &present[at + 1..] {
            sum += f64::midpoint(against(i, j)?, against(j, i)?);
        }
    }
    Ok(sum / (present.len() * (present.len() - 1) / 2) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_classes_take_no_part() {
        let labels = [0, 0, 2, 2];
        let proba = [0.6, 0.1, 0.3, 0.5, 0.1, 0.4, 0.55, 0.1, 0.35, 0.1, 0.1, 0.8];
        assert_eq!(hand_till(&labels, &proba, 3, None).unwrap(), 0.75);
        assert!(hand_till(&[1, 1, 1, 1], &proba, 3, None).is_err());
        assert!(hand_till(&labels, &proba, 3, Some(&[1.0, 1.0, 0.0, 0.0])).is_err());
    }

    #[test]
    fn what_is_no_probability_is_refused() {
        for bad in [[0.5, 0.6], [1.5, -0.5], [f64::NAN, 1.0]] {
            assert!(hand_till(&[0, 1], &[0.5, 0.5, bad[0], bad[1]], 2, None).is_err());
        }
        assert!(hand_till(&[0, 1], &[0.5, 0.5], 2, None).is_err());
        assert!(hand_till(&[0, 2], &[0.5, 0.5, 0.5, 0.5], 2, None).is_err());
        assert!(hand_till(&[], &[], 0, None).is_err());
    }
}

//! The figures shown after a fit or an evaluation of a classifier.

use super::Confusion;
use super::check::{self, Weights};
use super::delong::Delong;
use super::hand_till::hand_till;
use super::interval::{Interval, LEVEL};
use super::likelihood::{FLOOR, brier, log2_likelihood};
use super::ranking::{Ranking, ScoredRow};
use super::wilson::wilson;
use crate::error::{Error, Result};
use crate::num::argmax;
use serde::Serialize;

/// Measures of class probabilities on rows whose classes are known.
///
/// Rows are called by their most probable class, the first one among equals, unless calls are
/// given.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judgement {
    /// How many rows were judged.
    pub rows: usize,
    /// The share of rows called rightly.
    pub accuracy: f64,
    /// Wilson's 95 % interval of the accuracy.
    pub accuracy_interval: Interval,
    /// The area under the ROC curve of the positive class, or for more than two classes Hand
    /// and Till's mean over pairs; `None` where there is none, with the reason in `auc_note`.
    pub auc: Option<f64>,
    /// DeLong's 95 % interval of the area, for two classes.
    pub auc_interval: Option<Interval>,
    /// Why there is no area, or what it leaves out.
    pub auc_note: Option<String>,
    /// Mean log2-likelihood of the true class, in bits per row.
    pub log2_likelihood: f64,
    /// The least probability that `log2_likelihood` reckons with.
    pub log2_floor: f64,
    /// The Brier score; see [`brier`] for its scale.
    pub brier: f64,
    /// Rows by true class, then by called class.
    pub confusion: Confusion,
}

impl Judgement {
    /// Judges probabilities: `classes` of them for every row, row after row. `positive` is the
    /// class whose ROC curve counts where there are two.
    pub fn new(
        labels: &[u32],
        proba: &[f64],
        classes: usize,
        positive: usize,
        weights: Option<&[f64]>,
    ) -> Result<Self> {
        let calls = proba.chunks_exact(classes.max(1)).map(|p| argmax(p) as u32);
        Self::of_calls(labels, proba, &calls.collect::<Vec<u32>>(), classes, positive, weights)
    }

    /// As [`Judgement::new`], with the class that each row was called.
    pub fn of_calls(
        labels: &[u32],
        proba: &[f64],
        calls: &[u32],
        classes: usize,
        positive: usize,
        weights: Option<&[f64]>,
    ) -> Result<Self> {
        check::probabilities(labels, proba, classes)?;
        if positive >= classes {
            return Err(Error::Param {
                of: "judgement".to_owned(),
                name: "positive".to_owned(),
                expected: format!("a class below {classes}"),
                got: positive.to_string(),
            });
        }
        let checked = Weights::new(weights, labels.len())?;
        let confusion = Confusion::new(labels, calls, classes, weights)?;
        let accuracy = confusion.accuracy().clamp(0.0, 1.0);
        let trials = checked.effective();
        let area = if classes == 2 {
            area_of_two(labels, proba, positive, checked)
        } else {
            area_of_many(labels, proba, classes, weights)
        };
        Ok(Self {
            rows: labels.len(),
            accuracy,
            accuracy_interval: wilson(accuracy * trials, trials, LEVEL)?,
            auc: area.auc,
            auc_interval: area.interval,
            auc_note: area.note,
            log2_likelihood: log2_likelihood(labels, proba, classes, weights)?,
            log2_floor: FLOOR,
            brier: brier(labels, proba, classes, weights)?,
            confusion,
        })
    }

    /// The means of the figures of the same rows, judged repeatedly; intervals are the means of
    /// the intervals, for repeats do not make rows more.
    pub fn mean(each: &[Self]) -> Result<Self> {
        let Some(first) = each.first() else {
            return Err(Error::unsuitable("nothing was judged", "judge some rows"));
        };
        let n = each.len() as f64;
        let mean = |of: &dyn Fn(&Self) -> f64| each.iter().map(of).sum::<f64>() / n;
        let all = |of: &dyn Fn(&Self) -> Option<f64>| {
            let values: Option<Vec<f64>> = each.iter().map(of).collect();
            values.map(|values| values.iter().sum::<f64>() / n)
        };
        let (low, high) =
            (all(&|j| Some(j.auc_interval?.low)), all(&|j| Some(j.auc_interval?.high)));
        Ok(Self {
            rows: each.iter().map(|one| one.rows).max().unwrap_or(0),
            accuracy: mean(&|j| j.accuracy),
            accuracy_interval: Interval {
                low: mean(&|j| j.accuracy_interval.low),
                high: mean(&|j| j.accuracy_interval.high),
                level: LEVEL,
            },
            auc: all(&|j| j.auc),
            auc_interval: low.zip(high).map(|(low, high)| Interval { low, high, level: LEVEL }),
            auc_note: each.iter().find_map(|j| j.auc_note.clone()),
            log2_likelihood: mean(&|j| j.log2_likelihood),
            log2_floor: first.log2_floor,
            brier: mean(&|j| j.brier),
            confusion: Confusion::mean(each.iter().map(|j| &j.confusion))?,
        })
    }
}

/// The area under the curve as far as there is one.
#[derive(Default)]
struct Area {
    auc: Option<f64>,
    interval: Option<Interval>,
    note: Option<String>,
}

impl Area {
    fn missing(why: &Error) -> Self {
        Self { note: Some(why.to_string()), ..Self::default() }
    }
}

fn area_of_two(labels: &[u32], proba: &[f64], positive: usize, weights: Weights<'_>) -> Area {
    let item = |(row, &label): (usize, &u32)| ScoredRow {
        score: proba[2 * row + positive],
        positive: label as usize == positive,
        weight: weights.of(row),
    };
    match Ranking::of(&labels.iter().enumerate().map(item).collect::<Vec<_>>()) {
        Err(why) => Area::missing(&why),
        Ok(ranking) => {
            let delong = Delong::from(&ranking);
            let interval = delong.interval(LEVEL).ok();
            Area { auc: Some(delong.auc()), interval, note: None }
        }
    }
}

fn area_of_many(labels: &[u32], proba: &[f64], classes: usize, weights: Option<&[f64]>) -> Area {
    match hand_till(labels, proba, classes, weights) {
        Err(why) => Area::missing(&why),
        Ok(auc) => {
            let mut seen = vec![false; classes];
            for (row, &label) in labels.iter().enumerate() {
                seen[label as usize] |= weights.is_none_or(|w| w[row] > 0.0);
            }
            let present = seen.iter().filter(|&&s| s).count();
            let note = (present < classes)
                .then(|| format!("over the {present} of {classes} classes that have rows"));
            Area { auc: Some(auc), interval: None, note }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_classes_have_an_area_with_an_interval() {
        let proba = [0.9, 0.1, 0.6, 0.4, 0.3, 0.7, 0.55, 0.45];
        let judged = Judgement::new(&[0, 0, 1, 1], &proba, 2, 1, None).unwrap();
        assert_eq!((judged.rows, judged.accuracy, judged.auc), (4, 0.75, Some(1.0)));
        let interval = judged.auc_interval.unwrap();
        assert!(interval.low < 0.5 && interval.high == 1.0);
        assert_eq!(judged.confusion.row(1), [1.0, 1.0]);
        // The other class ranks the other way round: the same area.
        assert_eq!(Judgement::new(&[0, 0, 1, 1], &proba, 2, 0, None).unwrap().auc, Some(1.0));
    }

    #[test]
    fn a_missing_area_is_null_with_a_reason() {
        let judged = Judgement::new(&[1, 1], &[0.5, 0.5, 0.2, 0.8], 2, 1, None).unwrap();
        let json = serde_json::to_value(&judged).unwrap();
        assert!(json["auc"].is_null() && json["auc_interval"].is_null());
        assert!(json["auc_note"].as_str().unwrap().starts_with("all rows are positive"));
        assert_eq!(json["confusion"], serde_json::json!([[0, 0], [1, 1]]));
    }

    #[test]
    fn classes_without_rows_are_noted() {
        let proba = [0.8, 0.1, 0.1, 0.1, 0.8, 0.1];
        let judged = Judgement::new(&[0, 1], &proba, 3, 0, None).unwrap();
        assert_eq!(judged.auc, Some(1.0));
        assert_eq!(judged.auc_note.unwrap(), "over the 2 of 3 classes that have rows");
    }

    #[test]
    fn bad_input_is_refused() {
        assert!(Judgement::new(&[0], &[0.5, 0.5], 2, 2, None).is_err());
        assert!(Judgement::new(&[], &[], 2, 0, None).is_err());
        assert!(Judgement::new(&[], &[], 0, 0, None).is_err());
        assert!(Judgement::new(&[0], &[0.5, 0.6], 2, 0, None).is_err());
        assert!(Judgement::new(&[0], &[1.0], 1, 0, Some(&[])).is_err());
    }
}

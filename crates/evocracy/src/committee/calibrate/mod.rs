//! Maps from scores to probabilities, fitted on rows whose truth is known.
//!
//! [`Platt`] is a logistic curve: two numbers, good with few rows. [`Isotonic`] is the best
//! monotone function: good with many rows (some thousands), whatever the shape. Fit either on
//! rows that the scored model has not learnt from; on its training rows scores are too good.
//!
//! Scores may be anything finite: margins, votes, probabilities. Both maps are monotone, so they
//! keep the order of the scores (isotonic: up to new ties), and thereby the ROC curve.
//!
//! ```
//! use evocracy::committee::calibrate::Isotonic;
//!
//! let map = Isotonic::fit(&[-1.0, 0.5, 1.0, 2.0], &[false, true, false, true], None)?;
//! assert_eq!([-1.0, 0.75, 2.0].map(|score| map.apply(score)), [0.0, 0.5, 1.0]);
//! # Ok::<(), evocracy::error::Error>(())
//! ```

mod isotonic;
mod platt;

pub use isotonic::{Between, Isotonic};
pub use platt::Platt;

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// A fitted map of either kind, to be saved with a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Map {
    /// A logistic curve.
    Platt(Platt),
    /// A monotone function.
    Isotonic(Isotonic),
}

impl Map {
    /// The probability of being positive at a score; NaN at NaN.
    pub fn apply(&self, score: f64) -> f64 {
        match self {
            Self::Platt(map) => map.apply(score),
            Self::Isotonic(map) => map.apply(score),
        }
    }

    /// Turns scores into probabilities in place.
    pub fn apply_all(&self, scores: &mut [f64]) {
        for score in scores {
            *score = self.apply(*score);
        }
    }

    /// Refuses what a damaged or forged file could hold.
    pub fn check(&self) -> Result<()> {
        match self {
            Self::Platt(map) => map.check(),
            Self::Isotonic(map) => map.check(),
        }
    }
}

/// A row to fit on.
#[derive(Clone, Copy)]
struct ScoredRow {
    score: f64,
    positive: bool,
    weight: f64,
}

/// The rows of weight above 0, checked: finite scores, both classes.
fn rows(scores: &[f64], truth: &[bool], weights: Option<&[f64]>) -> Result<Vec<ScoredRow>> {
    if scores.len() != truth.len() || weights.is_some_and(|w| w.len() != truth.len()) {
        return Err(Error::unsuitable(
            format!("scores or weights do not fit {} rows", truth.len()),
            "give one of each for every row",
        ));
    }
    if let Some(at) = scores.iter().position(|s| !s.is_finite()) {
        return Err(Error::unsuitable(
            format!("row {} has the score {}", at + 1, scores[at]),
            "calibrate on rows with finite scores",
        ));
    }
    let weight = |at: usize| weights.map_or(1.0, |w| w[at]);
    if let Some(at) = (0..truth.len()).find(|&at| !(weight(at).is_finite() && weight(at) >= 0.0)) {
        return Err(Error::unsuitable(
            format!("row {} has weight {}", at + 1, weight(at)),
            "weights are finite and not negative",
        ));
    }
    let all: Vec<ScoredRow> = (0..truth.len())
        .map(|at| ScoredRow { score: scores[at], positive: truth[at], weight: weight(at) })
        .filter(|row| row.weight > 0.0)
        .collect();
    if all.iter().all(|row| row.positive) || all.iter().all(|row| !row.positive) {
        return Err(Error::unsuitable(
            "the rows to calibrate on are not of both classes",
            "calibrate on rows of both classes, with weights above 0",
        ));
    }
    Ok(all)
}

fn damaged(what: &str) -> Error {
    Error::model_file(format!("its calibration {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_rows_are_refused() {
        let refused = |scores: &[f64], truth: &[bool], weights: Option<&[f64]>| {
            Platt::fit(scores, truth, weights).is_err()
                && Isotonic::fit(scores, truth, weights).is_err()
        };
        assert!(refused(&[1.0, 2.0], &[true, true], None));
        assert!(refused(&[1.0, f64::NAN], &[true, false], None));
        assert!(refused(&[1.0, f64::INFINITY], &[true, false], None));
        assert!(refused(&[1.0], &[true, false], None));
        assert!(refused(&[], &[], None));
        assert!(refused(&[1.0, 2.0], &[true, false], Some(&[1.0])));
        assert!(refused(&[1.0, 2.0], &[true, false], Some(&[1.0, -1.0])));
        assert!(refused(&[1.0, 2.0], &[true, false], Some(&[1.0, 0.0])));
    }

    #[test]
    fn maps_survive_saving_and_forged_ones_are_refused() {
        let (scores, truth) = ([0.1, 0.4, 0.35, 0.8], [false, true, false, true]);
        let maps = [
            Map::Platt(Platt::fit(&scores, &truth, None).unwrap()),
            Map::Isotonic(Isotonic::fit(&scores, &truth, None).unwrap()),
        ];
        for map in maps {
            let text = serde_json::to_string(&map).unwrap();
            let back: Map = serde_json::from_str(&text).unwrap();
            back.check().unwrap();
            assert_eq!(back, map);
            let mut all = scores;
            back.apply_all(&mut all);
            assert_eq!(all, scores.map(|s| map.apply(s)));
            assert!(map.apply(f64::NAN).is_nan());
        }
        for forged in [
            r#"{"platt":{"slope":1e999,"intercept":0.0}}"#,
            r#"{"isotonic":{"scores":[],"values":[],"between":"linear"}}"#,
            r#"{"isotonic":{"scores":[1.0,0.0],"values":[0.1,0.2],"between":"linear"}}"#,
            r#"{"isotonic":{"scores":[0.0,1.0],"values":[0.2,0.1],"between":"step"}}"#,
            r#"{"isotonic":{"scores":[0.0,1.0],"values":[0.2],"between":"step"}}"#,
            r#"{"isotonic":{"scores":[0.0],"values":[1.2],"between":"step"}}"#,
        ] {
            assert!(serde_json::from_str::<Map>(forged).map_or(true, |map| map.check().is_err()));
        }
    }
}

//! How clearly rows are called: the probability (or vote) of the true class less that of the best
//! other one.
//!
//! R. E. Schapire, Y. Freund, P. Bartlett, W. S. Lee, "Boosting the margin", Annals of Statistics
//! 26 (1998) 1651-1686. 1 is certain and right, -1 certain and wrong, 0 a tie.

use super::check::{self, Weights};
use crate::error::{Error, Result};
use serde::Serialize;

/// The margin of every row; `classes` probabilities for each, at least two.
pub fn margins(labels: &[u32], proba: &[f64], classes: usize) -> Result<Vec<f64>> {
    if classes < 2 {
        return Err(Error::unsuitable(
            format!("there is no other class: {classes} in all"),
            "a margin needs at least two classes",
        ));
    }
    check::probabilities(labels, proba, classes)?;
    let margin = |(p, &label): (&[f64], &u32)| {
        let others = p.iter().enumerate().filter(|(class, _)| *class != label as usize);
        p[label as usize] - others.map(|(_, p)| *p).fold(f64::NEG_INFINITY, f64::max)
    };
    Ok(proba.chunks_exact(classes).zip(labels).map(margin).collect())
}

/// How margins are distributed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MarginSummary {
    /// The weighted mean.
    pub mean: f64,
    /// The standard deviation, of the rows as they are (divided by their weight).
    pub deviation: f64,
    /// The smallest.
    pub least: f64,
    /// A quarter of the weight has at most this margin.
    pub lower_quartile: f64,
    /// Half of the weight has at most this margin.
    pub median: f64,
    /// Three quarters of the weight have at most this margin.
    pub upper_quartile: f64,
    /// The largest.
    pub greatest: f64,
    /// The share of rows with a margin below 0: called wrongly.
    pub negative: f64,
    /// The share of rows with a margin of 0: the true class ties with another.
    pub tied: f64,
    /// Margins that occur, ascending, with the share of rows of at most that margin.
    #[serde(skip)]
    distribution: Vec<(f64, f64)>,
}

impl MarginSummary {
    /// Sums up margins, or any other finite numbers.
    pub fn new(margins: &[f64], weights: Option<&[f64]>) -> Result<Self> {
        check::finite("margin", margins)?;
        let weights = Weights::new(weights, margins.len())?;
        let mean = weights.mean(|row| margins[row]);
        let variance = weights.mean(|row| (margins[row] - mean).powi(2));
        let distribution = cumulative(margins, weights);
        let quantile = |share: f64| {
            let at = distribution.partition_point(|(_, up_to)| *up_to < share);
            distribution[at.min(distribution.len() - 1)].0
        };
        Ok(Self {
            mean,
            deviation: variance.sqrt(),
            least: quantile(0.0),
            lower_quartile: quantile(0.25),
            median: quantile(0.5),
            upper_quartile: quantile(0.75),
            greatest: quantile(1.0),
            negative: weights.mean(|row| f64::from(margins[row] < 0.0)),
            tied: weights.mean(|row| f64::from(margins[row] == 0.0)),
            distribution,
        })
    }

    /// The margins that occur, ascending, each with the share of rows of at most that margin.
    pub fn distribution(&self) -> &[(f64, f64)] {
        &self.distribution
    }
}

fn cumulative(margins: &[f64], weights: Weights<'_>) -> Vec<(f64, f64)> {
    let mut rows: Vec<(f64, f64)> = margins
        .iter()
        .enumerate()
        .map(|(row, &margin)| (margin, weights.of(row)))
        .filter(|(_, weight)| *weight > 0.0)
        .collect();
    rows.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut found: Vec<(f64, f64)> = Vec::new();
    let mut sum = 0.0;
    for (margin, weight) in rows {
        sum += weight;
        match found.last_mut().filter(|last| last.0 == margin) {
            Some(last) => last.1 = sum,
            None => found.push((margin, sum)),
        }
    }
    for entry in &mut found {
        entry.1 /= sum;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_lie_between_certain_and_wrong() {
        let proba = [1.0, 0.0, 0.0, 1.0, 0.5, 0.5];
        assert_eq!(margins(&[0, 0, 1], &proba, 2).unwrap(), [1.0, -1.0, 0.0]);
        assert!(margins(&[0], &[1.0], 1).is_err());
        assert!(margins(&[2], &[0.5, 0.5], 2).is_err());
    }

    #[test]
    fn a_summary_reads_the_distribution() {
        let s = MarginSummary::new(&[0.5, -0.5, 0.0, 0.5], Some(&[1.0, 1.0, 2.0, 0.0])).unwrap();
        assert_eq!((s.least, s.median, s.greatest, s.mean), (-0.5, 0.0, 0.5, 0.0));
        assert_eq!((s.lower_quartile, s.upper_quartile), (-0.5, 0.0));
        assert_eq!((s.negative, s.tied), (0.25, 0.5));
        assert_eq!(s.distribution(), [(-0.5, 0.25), (0.0, 0.75), (0.5, 1.0)]);
        assert!(MarginSummary::new(&[f64::NAN], None).is_err());
        assert!(MarginSummary::new(&[], None).is_err());
    }
}

//! Bias and variance of squared loss.

use crate::error::{Error, Result};
use serde::Serialize;

/// The mean squared loss as a sum: `loss = bias + variance`.
///
/// For classes a prediction is the vector of probabilities and the loss the Brier score: the
/// squared distance from the vector of the truth, for two classes halved, as
/// [`brier`](crate::measure::brier) has it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Squared {
    /// The mean over models and test rows of the squared loss.
    pub loss: f64,
    /// The mean over test rows of the squared loss of the mean prediction.
    pub bias: f64,
    /// The mean over test rows of the variance of the predictions around their mean.
    pub variance: f64,
}

/// Running means and squared deviations of predictions.
pub(super) struct Moments {
    /// What is to be predicted: `width` numbers for every row.
    truth: Vec<f64>,
    width: usize,
    scale: f64,
    sets: usize,
    mean: Vec<f64>,
    /// Sums of squared deviations from the mean.
    spread: Vec<f64>,
    /// Sums of squared distances from the truth.
    loss: Vec<f64>,
}

impl Moments {
    pub(super) fn of_numbers(truth: Vec<f64>) -> Self {
        let zeros = vec![0.0; truth.len()];
        let (mean, spread, loss) = (zeros.clone(), zeros.clone(), zeros);
        Self { truth, width: 1, scale: 1.0, sets: 0, mean, spread, loss }
    }

    pub(super) fn of_classes(labels: &[u32], classes: usize) -> Self {
        let is = |label: &u32, class: usize| f64::from(*label as usize == class);
        let truth = labels.iter().flat_map(|label| (0..classes).map(move |class| is(label, class)));
        let scale = if classes == 2 { 0.5 } else { 1.0 };
        Self { width: classes, scale, ..Self::of_numbers(truth.collect()) }
    }

    pub(super) fn sets(&self) -> usize {
        self.sets
    }

    /// Adds the predictions of one more model (B. P. Welford, Technometrics 4 (1962) 419-420).
    pub(super) fn add(&mut self, predictions: &[f64]) -> Result<()> {
        if predictions.len() != self.truth.len() {
            return Err(Error::unsuitable(
                format!("{} predictions, not {}", predictions.len(), self.truth.len()),
                "training and test rows must have the same classes",
            ));
        }
        self.sets += 1;
        for (i, &p) in predictions.iter().enumerate() {
            let before = p - self.mean[i];
            self.mean[i] += before / self.sets as f64;
            self.spread[i] += before * (p - self.mean[i]);
            self.loss[i] += (p - self.truth[i]).powi(2);
        }
        Ok(())
    }

    /// The terms, each row with its weight.
    pub(super) fn finish(&self, weights: &[f64]) -> Squared {
        let total: f64 = weights.iter().sum();
        let sets = self.sets as f64;
        let (mut loss, mut bias, mut variance) = (0.0, 0.0, 0.0);
        for i in 0..self.truth.len() {
            let share = self.scale * weights[i / self.width] / total;
            loss += share * self.loss[i] / sets;
            bias += share * (self.mean[i] - self.truth[i]).powi(2);
            variance += share * self.spread[i] / sets;
        }
        Squared { loss, bias, variance }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_by_hand() {
        let mut moments = Moments::of_numbers(vec![1.0, 0.0]);
        moments.add(&[2.0, 1.0]).unwrap();
        moments.add(&[4.0, -1.0]).unwrap();
        assert!(moments.add(&[1.0]).is_err());
        // First row: mean 3, bias 4, variance 1, loss 5; second: mean 0, 0, 1, 1.
        let found = moments.finish(&[1.0, 3.0]);
        assert_eq!(found, Squared { loss: 2.0, bias: 1.0, variance: 1.0 });
    }
}

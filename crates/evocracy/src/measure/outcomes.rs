//! One class against the rest: the four outcomes and the rates between them.

use super::Confusion;
use serde::Serialize;

/// The weight of right and wrong calls of one class, all other classes taken as one.
///
/// A rate whose denominator is 0 does not exist and is `None`; each says when that is.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Outcomes {
    /// Rows of the class called so.
    pub true_positive: f64,
    /// Rows of other classes called so.
    pub false_positive: f64,
    /// Rows of the class called otherwise.
    pub false_negative: f64,
    /// Rows of other classes called otherwise.
    pub true_negative: f64,
}

impl Outcomes {
    /// The share of rows called positive that are so (positive predictive value); `None` where
    /// nothing was called positive.
    pub fn precision(&self) -> Option<f64> {
        share(self.true_positive, self.false_positive)
    }

    /// The share of positive rows that were called so (true positive rate, sensitivity; thesis
    /// (2.37)); `None` where no row is positive.
    pub fn recall(&self) -> Option<f64> {
        share(self.true_positive, self.false_negative)
    }

    /// The share of negative rows that were called so (true negative rate); `None` where no row
    /// is negative.
    pub fn specificity(&self) -> Option<f64> {
        share(self.true_negative, self.false_positive)
    }

    /// The share of rows called negative that are so (negative predictive value); `None` where
    /// nothing was called negative.
    pub fn npv(&self) -> Option<f64> {
        share(self.true_negative, self.false_negative)
    }

    /// The weighted harmonic mean of precision and recall, `beta` times as much weight on recall
    /// (C. J. van Rijsbergen, "Information Retrieval", 1979, chapter 7):
    /// `(1 + b^2) TP / ((1 + b^2) TP + b^2 FN + FP)`.
    ///
    /// 0 where one of the two is 0 and the other does not exist. `None` where no row is positive
    /// and none was called so, and for a `beta` that is negative or not finite.
    pub fn f_beta(&self, beta: f64) -> Option<f64> {
        let square = beta * beta;
        if !(beta >= 0.0 && square.is_finite()) {
            return None;
        }
        share(
            (1.0 + square) * self.true_positive,
            square * self.false_negative + self.false_positive,
        )
    }

    /// The mean of recall and specificity; `None` where one class has no rows.
    pub fn balanced_accuracy(&self) -> Option<f64> {
        Some(f64::midpoint(self.recall()?, self.specificity()?))
    }

    fn plus(self, other: Self) -> Self {
        Self {
            true_positive: self.true_positive + other.true_positive,
            false_positive: self.false_positive + other.false_positive,
            false_negative: self.false_negative + other.false_negative,
            true_negative: self.true_negative + other.true_negative,
        }
    }
}

/// `part / (part + rest)`, if there is anything.
fn share(part: f64, rest: f64) -> Option<f64> {
    (part + rest > 0.0).then(|| part / (part + rest))
}

/// A rate of one class against the rest that can be averaged over the classes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rate {
    /// [`Outcomes::precision`].
    Precision,
    /// [`Outcomes::recall`].
    Recall,
    /// [`Outcomes::specificity`].
    Specificity,
    /// [`Outcomes::npv`].
    Npv,
    /// [`Outcomes::f_beta`] with this `beta`.
    FBeta(f64),
}

impl Rate {
    fn of(self, outcomes: &Outcomes) -> Option<f64> {
        match self {
            Self::Precision => outcomes.precision(),
            Self::Recall => outcomes.recall(),
            Self::Specificity => outcomes.specificity(),
            Self::Npv => outcomes.npv(),
            Self::FBeta(beta) => outcomes.f_beta(beta),
        }
    }
}

/// How the rates of several classes become one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Average {
    /// The plain mean over the classes.
    Macro,
    /// The rate of the outcomes of all classes thrown together.
    Micro,
    /// The mean weighted by the true rows of each class.
    Weighted,
}

/// An average over classes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Averaged {
    /// The average.
    pub value: f64,
    /// How many classes were left out because their rate does not exist.
    pub left_out: usize,
}

impl Confusion {
    /// Class `positive` against the rest; no positive rows at all for a code without class.
    pub fn outcomes(&self, positive: usize) -> Outcomes {
        let mut found = Outcomes::default();
        for truth in 0..self.classes() {
            for (called, &weight) in self.row(truth).iter().enumerate() {
                *match (truth == positive, called == positive) {
                    (true, true) => &mut found.true_positive,
                    (false, true) => &mut found.false_positive,
                    (true, false) => &mut found.false_negative,
                    (false, false) => &mut found.true_negative,
                } += weight;
            }
        }
        found
    }

    /// A rate averaged over the classes, leaving out those for which it does not exist (as
    /// scikit-learn does with `zero_division=nan`); `None` where it exists for no class, or only
    /// for classes without weight in the average.
    pub fn average(&self, rate: Rate, average: Average) -> Option<Averaged> {
        let each: Vec<Outcomes> = (0..self.classes()).map(|class| self.outcomes(class)).collect();
        if average == Average::Micro {
            let all = each.iter().fold(Outcomes::default(), |sum, o| sum.plus(*o));
            return rate.of(&all).map(|value| Averaged { value, left_out: 0 });
        }
        let (mut sum, mut total, mut left_out) = (0.0, 0.0, 0);
        for outcomes in &each {
            let weight = match average {
                Average::Weighted => outcomes.true_positive + outcomes.false_negative,
                Average::Macro | Average::Micro => 1.0,
            };
            match rate.of(outcomes) {
                None => left_out += 1,
                Some(value) => {
                    sum += weight * value;
                    total += weight;
                }
            }
        }
        (total > 0.0).then(|| Averaged { value: sum / total, left_out })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_can_be_a_trap() {
        // Thesis, 2.2.1: 10 positives among 1000, everything called negative.
        let truth: Vec<u32> = (0..1000).map(|row| u32::from(row < 10)).collect();
        let c = Confusion::new(&truth, &[0; 1000], 2, None).unwrap();
        let o = c.outcomes(1);
        assert_eq!((c.accuracy(), o.recall(), o.specificity()), (0.99, Some(0.0), Some(1.0)));
        assert_eq!((o.precision(), o.f_beta(1.0)), (None, Some(0.0)));
        assert_eq!((o.npv(), o.balanced_accuracy()), (Some(0.99), Some(0.5)));
    }

    #[test]
    fn what_does_not_exist_is_left_out_and_counted() {
        let c = Confusion::new(&[0, 0, 1], &[0, 0, 0], 3, None).unwrap();
        assert_eq!(c.outcomes(2).f_beta(1.0), None);
        assert_eq!((c.outcomes(0).f_beta(-1.0), c.outcomes(0).f_beta(f64::NAN)), (None, None));
        let precision = c.average(Rate::Precision, Average::Macro).unwrap();
        assert_eq!((precision.value, precision.left_out), (2.0 / 3.0, 2));
        let recall = c.average(Rate::Recall, Average::Weighted).unwrap();
        assert_eq!((recall.value, recall.left_out), (2.0 / 3.0, 1));
        let micro = c.average(Rate::FBeta(1.0), Average::Micro).unwrap();
        assert!((micro.value - c.accuracy()).abs() < 1e-15);
        let never = Confusion::new(&[0], &[0], 1, None).unwrap();
        assert_eq!(never.average(Rate::Specificity, Average::Macro), None);
    }
}

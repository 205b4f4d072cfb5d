//! What methods are compared by.

use crate::data::{Classes, Dataset};
use crate::error::{Error, Result};
use crate::measure::significance::Better;
use serde::Serialize;

/// A figure of merit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Metric {
    /// The area under the ROC curve; of more than two classes Hand and Till's mean over pairs.
    #[serde(rename = "auc")]
    Auc,
    /// The share of rows called rightly.
    #[serde(rename = "accuracy")]
    Accuracy,
    /// The share of the positives found with at most 5 % false alarms, of two classes.
    #[serde(rename = "tpr_at_5")]
    TprAt5,
    /// The share of the positives found with at most 10 % false alarms, of two classes.
    #[serde(rename = "tpr_at_10")]
    TprAt10,
    /// The mean log2-likelihood of the true class.
    #[serde(rename = "log2_likelihood")]
    Log2Likelihood,
    /// The Brier score.
    #[serde(rename = "brier")]
    Brier,
    /// The root mean squared error of a predicted number.
    #[serde(rename = "rmse")]
    Rmse,
    /// Its mean absolute error.
    #[serde(rename = "mae")]
    Mae,
    /// The share of variance explained.
    #[serde(rename = "r2")]
    R2,
}

impl Metric {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Auc,
        Self::Accuracy,
        Self::TprAt5,
        Self::TprAt10,
        Self::Log2Likelihood,
        Self::Brier,
        Self::Rmse,
        Self::Mae,
        Self::R2,
    ];

    /// Its name, as in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auc => "auc",
            Self::Accuracy => "accuracy",
            Self::TprAt5 => "tpr_at_5",
            Self::TprAt10 => "tpr_at_10",
            Self::Log2Likelihood => "log2_likelihood",
            Self::Brier => "brier",
            Self::Rmse => "rmse",
            Self::Mae => "mae",
            Self::R2 => "r2",
        }
    }

    /// The one of that name.
    pub fn parse(name: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|metric| metric.name() == name);
        found.ok_or_else(|| Error::unknown("measure", name, None, Self::ALL.map(Self::name)))
    }

    /// Which of its values are good.
    pub const fn better(self) -> Better {
        match self {
            Self::Brier | Self::Rmse | Self::Mae => Better::Lower,
            _ => Better::Higher,
        }
    }

    /// Its value turned so that a higher one is better.
    pub(super) fn merit(self, value: f64) -> f64 {
        match self.better() {
            Better::Higher => value,
            Better::Lower => -value,
        }
    }

    /// The false positive rate at which it counts what is found.
    pub(super) const fn cap(self) -> Option<f64> {
        match self {
            Self::TprAt5 => Some(0.05),
            Self::TprAt10 => Some(0.1),
            _ => None,
        }
    }

    /// What a data set can be judged by: so many classes, or numbers.
    pub fn of(classes: Option<usize>) -> &'static [Self] {
        match classes {
            Some(2) => &[
                Self::Auc,
                Self::Accuracy,
                Self::TprAt5,
                Self::TprAt10,
                Self::Log2Likelihood,
                Self::Brier,
            ],
            Some(_) => &[Self::Auc, Self::Accuracy, Self::Log2Likelihood, Self::Brier],
            None => &[Self::Rmse, Self::Mae, Self::R2],
        }
    }

    /// What a data set can be judged by.
    pub(super) fn of_set(data: &Dataset) -> &'static [Self] {
        Self::of(data.classes().map(Classes::len))
    }
}

//! The points of a front: which member, called how, with what promise, at what complexity.

use crate::error::{Error, Result};
use crate::measure::{Interval, predicted_rate};
use serde::{Deserialize, Serialize, Serializer};

/// One of the figures that points trade against each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Objective {
    /// What it is: `tpr`, `fpr`, `error`.
    pub name: String,
    /// Whether more of it is better.
    pub higher_is_better: bool,
}

/// A figure on rows that the member was not fitted to, with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Promise {
    /// The figure.
    pub value: f64,
    /// Where it will lie.
    pub interval: Interval,
}

impl Promise {
    /// A figure that does not depend on the rows.
    pub(super) fn certain(value: f64, level: f64) -> Self {
        Self { value, interval: Interval { low: value, high: value, level } }
    }
}

/// One point.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FrontPoint {
    /// The member that answers.
    pub member: usize,
    /// The least probability of the positive class that is called positive, infinite where nothing
    /// is (`never` in JSON); none where the most probable class is called.
    #[serde(serialize_with = "threshold_or_never")]
    pub threshold: Option<f64>,
    /// What the probability of each class counts where the largest weighted one is called, for more
    /// than two classes; empty where they all count the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<f64>,
    /// What it takes to follow a decision of the member.
    pub complexity: f64,
    /// Each objective on the training rows.
    pub training: Vec<f64>,
    /// Each objective on rows that the member was not fitted to; empty where that was not measured.
    pub promised: Vec<Promise>,
}

/// JSON has no infinite numbers.
#[allow(clippy::ref_option, reason = "serde hands over a reference to the field")]
fn threshold_or_never<S: Serializer>(
    threshold: &Option<f64>,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    match threshold {
        Some(least) if least.is_infinite() => serializer.serialize_str("never"),
        threshold => threshold.serialize(serializer),
    }
}

/// How the figures of the training rows were measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrainingFigures {
    /// Counted on the rows that the members were fitted to.
    #[default]
    Counted,
    /// Expected on those rows, by the probabilities of a reference instead of the labels.
    Expected,
    /// The mean over folds of those rows, each by members that were not fitted to it but chosen by
    /// these figures.
    Folds,
}

impl TrainingFigures {
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
    fn are_counted(&self) -> bool {
        *self == Self::Counted
    }
}

/// All points, as columns: a front may have tens of thousands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FrontPoints {
    objectives: Vec<Objective>,
    /// What complexity counts: `vectors`, `leaves`, `tests`.
    complexity_is: String,
    /// The confidence of the intervals.
    level: f64,
    member: Vec<u32>,
    threshold: Vec<Option<f64>>,
    complexity: Vec<f64>,
    /// A number for each objective, point after point.
    training: Vec<f64>,
    /// Value, lower and upper end for each objective, point after point; or nothing.
    promised: Vec<f64>,
    /// On how many rows each objective was promised; rows of equal weight would be as telling.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    judged: Vec<f64>,
    /// What the figures of the training rows are.
    #[serde(default, skip_serializing_if = "TrainingFigures::are_counted")]
    training_figures: TrainingFigures,
    /// The share of the training rows that are positive, by weight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    prior: Option<f64>,
    /// How many of the training rows were searched on, where not all were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    searched: Option<u64>,
    /// A weight for each class, point after point; or nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    weights: Vec<f64>,
}

impl FrontPoints {
    /// No points yet, for these objectives.
    pub fn new(objectives: Vec<Objective>, complexity_is: &str, level: f64) -> Self {
        Self {
            objectives,
            complexity_is: complexity_is.to_owned(),
            level,
            member: Vec::new(),
            threshold: Vec::new(),
            complexity: Vec::new(),
            training: Vec::new(),
            promised: Vec::new(),
            judged: Vec::new(),
            training_figures: TrainingFigures::Counted,
            prior: None,
            searched: None,
            weights: Vec::new(),
        }
    }

    /// Notes that only so many of the training rows were searched on.
    pub fn searched_on(&mut self, rows: Option<u64>) {
        self.searched = rows;
    }

    /// How many of the training rows were searched on, where not all were.
    pub fn searched(&self) -> Option<u64> {
        self.searched
    }

    /// Notes how the figures of the training rows were measured, and which share of the rows is
    /// positive.
    pub fn measured(&mut self, figures: TrainingFigures, prior: Option<f64>) {
        (self.training_figures, self.prior) = (figures, prior);
    }

    /// How the figures of the training rows were measured.
    pub fn training_figures(&self) -> TrainingFigures {
        self.training_figures
    }

    /// The share of the training rows that are positive, by weight, where that is known.
    pub fn prior(&self) -> Option<f64> {
        self.prior
    }

    /// Notes on how many rows the objectives were promised.
    pub fn judged_on(&mut self, rows: impl Into<Vec<f64>>) {
        self.judged = rows.into();
    }

    /// On how many rows each objective was promised; empty where that is not known.
    pub fn judged(&self) -> &[f64] {
        &self.judged
    }

    /// Where an objective of a point, a rate, will lie among so many other rows; `None` where it was
    /// not promised.
    pub fn predicted(&self, at: usize, objective: usize, rows: f64) -> Result<Option<Interval>> {
        let promised = self.get(at).promised.get(objective).copied();
        let (Some(promise), Some(&judged)) = (promised, self.judged.get(objective)) else {
            return Ok(None);
        };
        // What is certain is certain of any rows.
        if promise.interval.low == promise.interval.high {
            return Ok(Some(promise.interval));
        }
        predicted_rate(promise.value * judged, judged, rows, self.level).map(Some)
    }

    /// True positive rate against false positive rate, for two classes.
    pub fn of_rates(complexity_is: &str, level: f64) -> Self {
        let objective = |name: &str, higher_is_better: bool| Objective {
            name: name.to_owned(),
            higher_is_better,
        };
        Self::new(vec![objective("tpr", true), objective("fpr", false)], complexity_is, level)
    }

    /// Adds a point; an error where it has other objectives, or a promise where others have none.
    pub fn push(&mut self, point: &FrontPoint) -> Result<()> {
        let k = self.objectives.len();
        let promised = if self.is_empty() { point.promised.len() } else { self.promises() };
        if point.training.len() != k
            || point.promised.len() != promised
            || ![0, k].contains(&promised)
            || (!self.is_empty() && point.weights.len() != self.classes_weighted())
        {
            return Err(Error::unsuitable(
                "a point of a front has other figures than the points before",
                "give every point a figure for each objective",
            ));
        }
        self.member.push(point.member as u32);
        self.threshold.push(point.threshold);
        self.weights.extend(&point.weights);
        self.complexity.push(point.complexity);
        self.training.extend(&point.training);
        for promise in &point.promised {
            self.promised.extend([promise.value, promise.interval.low, promise.interval.high]);
        }
        Ok(())
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.member.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.member.is_empty()
    }

    /// How many promises a point has.
    fn promises(&self) -> usize {
        self.promised.len().checked_div(3 * self.len()).unwrap_or(0)
    }

    /// How many weights a point has.
    fn classes_weighted(&self) -> usize {
        self.weights.len().checked_div(self.len()).unwrap_or(0)
    }

    /// The places of the true and the false positive rate among the objectives.
    pub fn rate_places(&self) -> Option<[usize; 2]> {
        let place = |name: &str| self.objectives.iter().position(|o| o.name == name);
        Some([place("tpr")?, place("fpr")?])
    }

    /// What is traded.
    pub fn objectives(&self) -> &[Objective] {
        &self.objectives
    }

    /// What complexity counts.
    pub fn complexity_is(&self) -> &str {
        &self.complexity_is
    }

    /// Point `at`.
    pub fn get(&self, at: usize) -> FrontPoint {
        let (k, p) = (self.objectives.len(), self.promises());
        let (level, w) = (self.level, self.classes_weighted());
        let promise = |three: &[f64]| Promise {
            value: three[0],
            interval: Interval { low: three[1], high: three[2], level },
        };
        FrontPoint {
            member: self.member[at] as usize,
            threshold: self.threshold[at],
            weights: self.weights[at * w..(at + 1) * w].to_vec(),
            complexity: self.complexity[at],
            training: self.training[at * k..(at + 1) * k].to_vec(),
            promised: self.promised[3 * at * p..3 * (at + 1) * p]
                .chunks_exact(3)
                .map(promise)
                .collect(),
        }
    }

    /// The complexity of point `at`.
    pub fn complexity(&self, at: usize) -> f64 {
        self.complexity[at]
    }

    /// An objective of point `at` on the training rows.
    pub fn training(&self, at: usize, objective: usize) -> f64 {
        self.training[at * self.objectives.len() + objective]
    }

    /// An objective of point `at`: as promised, or on the training rows where nothing is promised.
    pub fn figure(&self, at: usize, objective: usize) -> f64 {
        let (k, p) = (self.objectives.len(), self.promises());
        if p == k {
            self.promised[3 * (at * k + objective)]
        } else {
            self.training[at * k + objective]
        }
    }

    /// The same points with `at` alone, of a front with one member.
    pub(super) fn only(&self, at: usize) -> Self {
        let mut one = Self::new(self.objectives.clone(), &self.complexity_is, self.level);
        one.judged.clone_from(&self.judged);
        one.measured(self.training_figures, self.prior);
        one.searched_on(self.searched);
        // It has the objectives of its own kind.
        let _ = one.push(&FrontPoint { member: 0, ..self.get(at) });
        one
    }

    /// All points in order.
    pub fn iter(&self) -> impl Iterator<Item = FrontPoint> {
        (0..self.len()).map(|at| self.get(at))
    }

    /// Refuses what a damaged or forged file could hold.
    pub(super) fn check(&self, members: usize, classes: usize) -> Result<()> {
        let (n, k) = (self.len(), self.objectives.len());
        let ordered = |three: &[f64]| three[1] <= three[0] && three[0] <= three[2];
        let sound = n > 0
            && k > 0
            && self.level > 0.0
            && self.level < 1.0
            && self.threshold.len() == n
            && self.complexity.len() == n
            && self.training.len() == n * k
            && (self.promised.is_empty() || self.promised.len() == 3 * n * k)
            && self.member.iter().all(|&member| (member as usize) < members)
            && self.threshold.iter().flatten().all(|least| *least > f64::NEG_INFINITY)
            && self.complexity.iter().all(|c| c.is_finite() && *c >= 0.0)
            && self.training.iter().chain(&self.promised).all(|value| value.is_finite())
            && self.promised.chunks_exact(3).all(ordered)
            && (self.judged.is_empty() || self.judged.len() == k)
            && self.judged.iter().all(|rows| rows.is_finite() && *rows > 0.0)
            && self.prior.is_none_or(|share| (0.0..=1.0).contains(&share))
            && (self.weights.is_empty() || self.weights.len() == n * classes)
            && self.weights.iter().all(|weight| weight.is_finite() && *weight > 0.0);
        if sound { Ok(()) } else { Err(Error::model_file("the points of its front are unsound")) }
    }
}

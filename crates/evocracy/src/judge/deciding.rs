//! Decisions chosen on training rows: by the probabilities of models that did not learn from the
//! row, never by rows that are judged.

use super::protocol::Splits;
use super::trial::out_of_sample;
use crate::classify::{Call, ChosenOn, Criterion, Decision, Fitted, Predicts, Thresholds};
use crate::data::{Classes, Encoding, Split, Task, fold_numbers, grouped_fold_numbers, rarest};
use crate::error::{Error, Remedy, Result};
use crate::measure::{Conditions, CostMatrix, Ranking, Roc};
use crate::method::Method;
use crate::model::Model;
use crate::run::{Run, StopReason};

/// How many folds of the training rows a decision is chosen on, where classes and groups have so
/// many rows.
const FOLDS: usize = 5;

/// What a decision is to be good for.
#[derive(Debug, Clone, PartialEq)]
pub enum Wanted {
    /// It is known; no rows are looked at.
    Given(Decision),
    /// Of two classes, the threshold of the least expected cost.
    Cost {
        /// What a false alarm costs.
        false_positive: f64,
        /// What a missed positive costs.
        false_negative: f64,
        /// The share of positives where the model will be used; that of the training rows where
        /// none is given.
        prior: Option<f64>,
    },
    /// Of two classes, the threshold that finds most with a false positive rate of at most this.
    MaxFpr(f64),
    /// Of two classes, the threshold of the fewest false alarms with a true positive rate of at
    /// least this.
    MinTpr(f64),
}

impl Wanted {
    /// Refuses what cannot be had for these classes; there are none where numbers are predicted.
    pub fn check(&self, classes: Option<&Classes>) -> Result<()> {
        let Some(classes) = classes else {
            let what = "the target is a number: there is nothing to call rows by";
            return Err(Error::unsuitable(what, Remedy::NoDecision));
        };
        let of_two = match self {
            Self::Given(Decision { call, .. }) => matches!(call, Call::Threshold(_)),
            _ => true,
        };
        if of_two && classes.len() > 2 {
            let what = format!(
                "false alarms, misses and thresholds are of two classes, and there are {}",
                classes.len()
            );
            return Err(Error::unsuitable(what, Remedy::CostOfEveryPair));
        }
        match self {
            Self::Given(decision) => decision.check(classes),
            Self::Cost { .. } => self.conditions(0.5).map(|_| ()),
            Self::MaxFpr(rate) => check_rate("max_fpr", *rate),
            Self::MinTpr(rate) => check_rate("min_tpr", *rate),
        }
    }

    /// What errors cost, where that is what counts; positives are as frequent as in `prior` unless
    /// it is said otherwise.
    fn conditions(&self, prior: f64) -> Result<Conditions> {
        match self {
            Self::Cost { false_positive, false_negative, prior: own } => {
                Conditions::new(*false_positive, *false_negative, own.unwrap_or(prior))
            }
            _ => Conditions::new(1.0, 1.0, prior),
        }
    }

    /// The decision that is best on rows of this ranking.
    fn on(&self, ranking: &Ranking, rows: usize) -> Result<Decision> {
        let criterion = match self {
            Self::Given(decision) => return Ok(decision.clone()),
            Self::Cost { .. } => Criterion::Cost(self.conditions(ranking.prior())?),
            Self::MaxFpr(cap) => Criterion::MaxFpr(*cap),
            Self::MinTpr(floor) => Criterion::MinTpr(*floor),
        };
        let best = criterion.best(&Roc::from(ranking), &self.conditions(ranking.prior())?)?;
        let (call, on) = (Call::Threshold(best.threshold), ChosenOn::OutOfFold);
        Ok(Decision { call, criterion, on, rows })
    }

    /// The decision for a model that is trained already, by what thresholds do on its training rows.
    ///
    /// Costs alone need no such figures: then the call of the least expected cost is made by the
    /// model's own probabilities.
    pub fn of_model(&self, model: &Model) -> Result<Decision> {
        self.check(model.classes().ok())?;
        match (self, model.thresholds()) {
            (Self::Given(decision), _) => Ok(decision.clone()),
            (_, Some(thresholds)) => {
                let decision = self.on(&thresholds.ranking()?, thresholds.rows())?;
                // The model may have been given the best of more thresholds than it holds.
                let own = model.decision();
                Ok(if own.criterion == decision.criterion { own.clone() } else { decision })
            }
            (Self::Cost { false_positive, false_negative, prior: None }, None) => {
                let positive = model.classes()?.positive();
                CostMatrix::of_two(*false_positive, *false_negative, positive).map(Decision::costs)
            }
            (_, None) => Err(Error::unsuitable(
                "the model holds no figures to choose a threshold by: none was chosen when it was trained",
                Remedy::DecideInTraining,
            )),
        }
    }
}

fn check_rate(name: &str, rate: f64) -> Result<()> {
    if (0.0..=1.0).contains(&rate) {
        return Ok(());
    }
    Err(Error::Param {
        of: "decision".to_owned(),
        name: name.to_owned(),
        expected: "between 0 and 1".to_owned(),
        got: rate.to_string(),
    })
}

/// A method whose models call rows by a decision that was chosen on their training rows.
pub struct Deciding<'a> {
    /// The method.
    pub method: &'a dyn Method,
    /// What its calls are to be good for.
    pub wanted: &'a Wanted,
    /// The group of every row of the table, where rows of a group stay together.
    pub groups: Option<&'a [u32]>,
}

impl Deciding<'_> {
    /// A trained model with its decision. Where the work is stopped meanwhile, it calls the most
    /// probable class.
    fn decided(
        &self,
        fitted: Fitted<Model>,
        task: &Task<'_>,
        run: &Run<'_>,
    ) -> Result<Fitted<Model>> {
        let Fitted { model, stop } = fitted;
        if let Wanted::Given(decision) = self.wanted {
            return Ok(Fitted { model: model.with_decision(decision.clone())?, stop });
        }
        if stop == StopReason::Interrupted {
            return Ok(Fitted { model, stop });
        }
        match self.ranking(task, &run.child("decision", 0)) {
            Ok(ranking) => {
                let decision = self.wanted.on(&ranking, task.rows())?;
                let thresholds = Thresholds::new(task.rows(), &ranking);
                let model = model.with_decision(decision)?.with_thresholds(thresholds);
                Ok(Fitted { model, stop })
            }
            Err(Error::Stopped) => Ok(Fitted { model, stop: StopReason::Interrupted }),
            Err(error) => Err(error),
        }
    }

    /// The training rows in the order of what models of other training rows say of them.
    fn ranking(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Ranking> {
        let trial = out_of_sample(self.method, task, &self.splits(task, run)?, true, run)?;
        if trial.stop == StopReason::Interrupted {
            return Err(Error::Stopped);
        }
        let scores = trial.judged.scores().into_iter().next().ok_or_else(|| {
            let what = "a threshold cannot be chosen: the training rows are of one class";
            Error::unsuitable(what, "give rows of both classes")
        })?;
        Ranking::new(&scores.truth, &scores.scores, scores.weights.as_deref())
    }

    /// Folds of the training rows.
    fn splits(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Splits> {
        let rows: Vec<u32> = (0..task.rows()).map(|row| task.row_id(row) as u32).collect();
        let (_, labels) = task.labels()?;
        let most = FOLDS.min(rarest(&labels));
        if most < 2 {
            let what = "a threshold is chosen by rows that were held back from training, and a class has one training row";
            return Err(Error::unsuitable(what, "give more rows, or the threshold itself"));
        }
        let seed = run.seed.child("splits", 0);
        let (k, fold_of) = match self.groups {
            None => (most, fold_numbers(rows.len(), Some(&labels), most, seed)?),
            Some(groups) => {
                let groups: Vec<u32> = rows.iter().map(|&row| groups[row as usize]).collect();
                let mut distinct = groups.clone();
                distinct.sort_unstable();
                distinct.dedup();
                let k = most.min(distinct.len());
                (k, grouped_fold_numbers(&groups, Some(&labels), k, seed)?)
            }
        };
        let of_table = |places: Vec<u32>| places.into_iter().map(|at| rows[at as usize]).collect();
        let split = |fold: usize| {
            let Split { train, test } = Split::of_fold(&fold_of, fold as u32);
            Split { train: of_table(train), test: of_table(test) }
        };
        Ok(Splits::given((0..k).map(split).collect(), k))
    }
}

impl Method for Deciding<'_> {
    fn name(&self) -> &str {
        self.method.name()
    }

    fn predicts(&self) -> Predicts {
        self.method.predicts()
    }

    fn takes_weights(&self) -> bool {
        self.method.takes_weights()
    }

    fn train_encoded(
        &self,
        encoding: Encoding,
        task: &Task<'_>,
        run: &Run<'_>,
    ) -> Result<Fitted<Model>> {
        self.decided(self.method.train_encoded(encoding, task, run)?, task, run)
    }

    fn train(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<Model>> {
        self.decided(self.method.train(task, run)?, task, run)
    }
}

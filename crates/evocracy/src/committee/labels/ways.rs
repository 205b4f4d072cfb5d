//! All ways to combine, by name, and the choice between them.

use super::conditional;
use super::counted;
use super::grouping;
use super::law::Law;
use super::loglinear::{self, Shape, no_parents};
use super::network::{self, Names, Structure};
use super::rows::{Experts, Rows};
use crate::data::{Split, folds};
use crate::error::{Error, Result};
use crate::run::Run;

/// A way to combine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Vote,
    Weighted,
    Naive,
    DawidSkene,
    Loglinear,
    Stack,
    Conditional,
    Hidden,
    Network(Structure),
}

impl Way {
    /// The ways that `auto` chooses from, simple ones first: they win ties.
    pub const CHOICES: [Self; 7] = [
        Self::Naive,
        Self::Weighted,
        Self::Loglinear,
        Self::Stack,
        Self::Network(Structure::Evolved),
        Self::Hidden,
        Self::Conditional,
    ];

    /// Whether it is one pass over the rows, which a stop does not cut short.
    pub fn is_counted(self) -> bool {
        matches!(self, Self::Vote | Self::Weighted | Self::Naive)
    }

    /// The name of the method.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vote => "labels-vote",
            Self::Weighted => "labels-weighted",
            Self::Naive => "labels-naive",
            Self::DawidSkene => "labels-ds",
            Self::Loglinear => "labels-loglinear",
            Self::Stack => "labels-stack",
            Self::Conditional => "labels-conditional",
            Self::Hidden => "labels-hidden",
            Self::Network(Structure::K2 { .. }) => "labels-k2",
            Self::Network(Structure::Climb) => "labels-hc",
            Self::Network(Structure::Tan) => "labels-tan",
            Self::Network(Structure::Evolved) => "evobn",
        }
    }

    /// Learns from rows.
    pub fn fit(self, names: &Names<'_>, rows: &Rows, smoothing: f64, run: &Run<'_>) -> Result<Law> {
        let experts = names.experts;
        let sum = |weighted: bool| {
            let shape = Shape { parents: &no_parents(rows), weighted, smoothing };
            loglinear::fit(experts, rows, shape, run).map(Law::Factors)
        };
        match self {
            Self::Vote => Ok(counted::vote(rows)),
            Self::Weighted => Ok(counted::weighted(experts, rows)),
            Self::Naive => Ok(counted::naive(rows, smoothing)),
            Self::DawidSkene => Ok(counted::dawid_skene(experts, rows, smoothing)),
            Self::Loglinear => sum(true),
            Self::Stack => sum(false),
            Self::Conditional => conditional::fit(experts, rows, smoothing, run),
            Self::Hidden => grouping::fit(experts, rows, smoothing, run),
            Self::Network(structure) => {
                network::fit(names, rows, structure, smoothing, run).map(Law::Network)
            }
        }
    }
}

/// Rows that were held out in turn, and what ways said of them.
pub(super) struct Trials {
    pub rows: Rows,
    splits: Vec<Split>,
    /// The experts as the training rows of each fold show them.
    experts: Vec<Experts>,
}

/// What a way said of rows that it did not learn from.
pub(super) struct Trial {
    pub way: Way,
    laws: Vec<Law>,
    /// The log-likelihood of each row of the trials in nats, in the order of the folds.
    pub logs: Vec<f64>,
    /// Whether each of them is called rightly.
    pub right: Vec<bool>,
}

impl Trials {
    /// Folds of the rows, or of a sample of them where they are many; `None` where they are too few.
    pub fn new(
        names: &Names<'_>,
        rows: &Rows,
        count: usize,
        run: &Run<'_>,
    ) -> Result<Option<Self>> {
        let rows = loglinear::few(rows, run)?.unwrap_or_else(|| rows.clone());
        let count = count.min(rows.len() / 2);
        if count < 2 {
            return Ok(None);
        }
        let splits = folds(rows.len(), Some(&rows.labels), count, run.seed.child("trials", 0))?;
        let experts = splits.iter().map(|split| {
            names.experts.learnt_from(&rows.some(&split.train), names.inputs, names.classes)
        });
        let experts = experts.collect();
        Ok(Some(Self { rows, splits, experts }))
    }

    /// Tries ways on all folds; those that a stop kept from finishing are left out.
    pub fn of(
        &self,
        ways: &[Way],
        names: &Names<'_>,
        smoothing: f64,
        run: &Run<'_>,
    ) -> Result<Vec<Trial>> {
        let count = self.splits.len();
        let task = run.task("held-out rows", (ways.len() * count) as u64);
        let each = run.pool.map(ways.len() * count, |at| {
            let (way, fold) = (ways[at / count], &self.splits[at % count]);
            let names = Names { experts: &self.experts[at % count], ..*names };
            if run.stop.requested() {
                return Err(Error::Stopped);
            }
            let run = run.child("fold", (at % count) as u64);
            let law = way.fit(&names, &self.rows.some(&fold.train), smoothing, &run)?;
            // A search that was cut short is not what its way can do.
            if run.stop.requested() && !way.is_counted() {
                return Err(Error::Stopped);
            }
            let judged = law.judge(names.experts, &self.rows.some(&fold.test), None)?;
            task.watch.advance(1);
            Ok((law, judged))
        });
        let mut trials = Vec::new();
        let mut each = each.into_iter();
        for &way in ways {
            let done: Result<Vec<_>> = each.by_ref().take(count).collect();
            match done {
                Ok(done) => {
                    let (laws, judged): (Vec<Law>, Vec<_>) = done.into_iter().unzip();
                    let (logs, right): (Vec<_>, Vec<_>) = judged.into_iter().unzip();
                    trials.push(Trial { way, laws, logs: logs.concat(), right: right.concat() });
                }
                Err(Error::Stopped) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(trials)
    }

    /// The mean of a number for each judged row, by weight.
    pub fn mean(&self, values: &[f64]) -> f64 {
        let weights = self.splits.iter().flat_map(|split| &split.test);
        let weights = weights.map(|&row| self.rows.weights[row as usize]);
        let (mut sum, mut total) = (0.0, 0.0);
        for (value, weight) in values.iter().zip(weights) {
            sum += value * weight;
            total += weight;
        }
        sum / total
    }

    /// What silencing an expert costs, in bits a row: how much it adds.
    pub fn adds(&self, trial: &Trial, expert: usize) -> Result<f64> {
        let mut logs = Vec::with_capacity(trial.logs.len());
        for ((law, split), experts) in trial.laws.iter().zip(&self.splits).zip(&self.experts) {
            let rows = self.rows.some(&split.test);
            logs.extend(law.judge(experts, &rows, Some(expert))?.0);
        }
        let lost: Vec<f64> = trial.logs.iter().zip(&logs).map(|(all, less)| all - less).collect();
        Ok(self.mean(&lost) / std::f64::consts::LN_2)
    }
}

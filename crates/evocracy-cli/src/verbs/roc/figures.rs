//! What scores are worth.

use super::table::Scores;
use crate::args::Roc as Args;
use evocracy::error::{Error, Result};
use evocracy::measure::significance::holm;
use evocracy::measure::{
    Areas, Clusters, Comparison, Conditions, Interval, Outcome, Point, PrecisionRecall, Ranking,
    Roc, wilson,
};
use serde::Serialize;
use std::cmp::Ordering;

/// How many people an outcome is told for.
pub const PEOPLE: f64 = 1000.0;

/// Everything there is to say of the scores of one table.
#[derive(Serialize)]
pub struct Figures {
    pub truth: String,
    pub positive: String,
    #[serde(skip)]
    pub others: String,
    pub rows: usize,
    pub weighted: bool,
    /// How many rows, or how much weight, is positive.
    pub positives: f64,
    pub negatives: f64,
    pub level: f64,
    pub conditions: Conditions,
    /// Whether low scores mean positive.
    pub lower: bool,
    /// How the point was chosen.
    pub chosen_by: &'static str,
    /// How intervals were made.
    pub intervals: &'static str,
    pub clusters: Option<Grouped>,
    pub scores: Vec<Figure>,
    pub comparisons: Vec<Pair>,
}

/// The clusters that rows come in.
#[derive(Serialize)]
pub struct Grouped {
    pub count: usize,
    pub with_positives: usize,
    pub with_negatives: usize,
}

/// What one column of scores is worth.
#[derive(Serialize)]
pub struct Figure {
    pub name: String,
    pub auc: f64,
    pub auc_interval: Interval,
    /// Below the corners of the curve only: what is attained without tossing coins.
    pub conservative_auc: f64,
    pub average_precision: f64,
    pub best: Chosen,
    pub youden: Chosen,
    #[serde(skip)]
    pub roc: Roc,
}

/// A point of the curve that one may work at.
#[derive(Serialize)]
pub struct Chosen {
    /// Rows that score so are called positive; none where no row is.
    pub threshold: Option<f64>,
    pub fpr: f64,
    pub fpr_interval: Interval,
    pub tpr: f64,
    pub tpr_interval: Interval,
    /// Equation (2.40): per person.
    pub expected_cost: f64,
    /// Of a thousand people under the prior.
    pub per_1000: Outcome,
    #[serde(skip)]
    pub point: Point,
}

/// Two columns of scores compared.
#[derive(Serialize)]
pub struct Pair {
    pub first: String,
    pub second: String,
    #[serde(flatten)]
    pub found: Comparison,
    /// The p-value after Holm, for all pairs at once.
    pub p_adjusted: Option<f64>,
}

impl Figures {
    pub fn new(args: &Args, scores: &Scores) -> Result<Self> {
        let weights = scores.weights.as_deref();
        let columns: Vec<&[f64]> = scores.columns.iter().map(|(_, s)| &s[..]).collect();
        let clusters = scores.clusters.as_ref();
        let clusters = clusters.map(|of| Clusters::of_rows(&scores.truth, of, weights));
        let clusters = clusters.transpose()?;
        let mut figures = Vec::new();
        let (mut totals, mut conditions) = ((0.0, 0.0), None);
        for (name, column) in &scores.columns {
            let ranking = Ranking::new(&scores.truth, column, weights)?;
            totals = (ranking.positives(), ranking.negatives());
            let prior = args.prior.unwrap_or_else(|| ranking.prior());
            let under = Conditions::new(args.cost_fp, args.cost_fn, prior).map_err(in_words)?;
            conditions = Some(under);
            let chooser = Chooser {
                args,
                ranking: &ranking,
                under,
                scores,
                column,
                clusters: clusters.as_ref(),
            };
            figures.push(chooser.figure(name)?);
        }
        let areas = match &scores.clusters {
            None => Areas::new(&scores.truth, &columns, weights)?,
            Some(of) => Areas::clustered(&scores.truth, &columns, weights, of)?,
        };
        for (figure, area) in figures.iter_mut().zip(areas.each()) {
            figure.auc_interval = area.interval(args.level)?;
        }
        let pairs = (0..columns.len()).flat_map(|i| (i + 1..columns.len()).map(move |j| (i, j)));
        let pairs = pairs.map(|(i, j)| {
            let (first, second) = (figures[i].name.clone(), figures[j].name.clone());
            let found = areas.compare(i, j, args.level)?;
            Ok(Pair { first, second, found, p_adjusted: None })
        });
        let comparisons = adjusted(pairs.collect::<Result<_>>()?)?;
        Ok(Self {
            truth: args.truth.clone(),
            positive: scores.positive.clone(),
            others: scores.others.clone(),
            rows: scores.truth.len(),
            weighted: weights.is_some(),
            positives: totals.0,
            negatives: totals.1,
            level: args.level,
            conditions: conditions.expect("at least one score"),
            lower: scores.turned,
            chosen_by: chosen_by(args),
            intervals: if clusters.is_some() { "obuchowski-logit" } else { "delong-logit" },
            clusters: clusters.map(|clusters| Grouped {
                count: clusters.count(),
                with_positives: clusters.holding().0 as usize,
                with_negatives: clusters.holding().1 as usize,
            }),
            scores: figures,
            comparisons,
        })
    }

    /// The score that is best at its chosen point: it costs least, or where one rate was asked
    /// for it has the better other rate; among equals the better rate that was asked for.
    pub fn best(&self) -> &Figure {
        let order = |a: &Figure, b: &Figure| {
            let (a, b) = (&a.best, &b.best);
            let (found, alarms) = (b.tpr.total_cmp(&a.tpr), a.fpr.total_cmp(&b.fpr));
            match self.chosen_by {
                "max-fpr" => found.then(alarms),
                "min-tpr" => alarms.then(found),
                _ => a.expected_cost.total_cmp(&b.expected_cost),
            }
        };
        let best = |a: &Figure, b: &Figure| order(a, b).then(b.auc.total_cmp(&a.auc));
        let mut found = &self.scores[0];
        for figure in &self.scores[1..] {
            if best(figure, found) == Ordering::Less {
                found = figure;
            }
        }
        found
    }
}

/// An error in the words of the command line.
fn in_words(error: Error) -> Error {
    match error {
        Error::Param { name, expected, got, .. } => {
            let option = match name.as_str() {
                "false_positive" => "--cost-fp",
                "false_negative" => "--cost-fn",
                "prior" => "--prior",
                "cap on the false positive rate" => "--max-fpr",
                "floor under the true positive rate" => "--min-tpr",
                other => other,
            };
            Error::Param { of: "roc".to_owned(), name: option.to_owned(), expected, got }
        }
        other => other,
    }
}

/// What it takes to choose a point.
struct Chooser<'a> {
    args: &'a Args,
    ranking: &'a Ranking,
    under: Conditions,
    scores: &'a Scores,
    column: &'a [f64],
    clusters: Option<&'a Clusters>,
}

impl Chooser<'_> {
    fn figure(&self, name: &str) -> Result<Figure> {
        let roc = Roc::from(self.ranking);
        let best = match (self.args.max_fpr, self.args.min_tpr) {
            (Some(cap), _) => roc.with_fpr_at_most(cap).map_err(in_words)?,
            (_, Some(floor)) => roc.with_tpr_at_least(floor).map_err(in_words)?,
            _ => roc.best(&self.under),
        };
        Ok(Figure {
            name: name.to_owned(),
            auc: roc.auc(),
            // Replaced once all columns are ranked.
            auc_interval: Interval { low: 0.0, high: 1.0, level: self.args.level },
            conservative_auc: roc.conservative_auc(),
            average_precision: PrecisionRecall::from(self.ranking).average_precision(),
            best: self.chosen(best)?,
            youden: self.chosen(roc.youden())?,
            roc,
        })
    }

    fn chosen(&self, point: Point) -> Result<Chosen> {
        let threshold = if self.scores.turned { -point.threshold } else { point.threshold };
        Ok(Chosen {
            threshold: Some(threshold).filter(|t| t.is_finite()),
            fpr: point.fpr,
            fpr_interval: self.interval(&point, false)?,
            tpr: point.tpr,
            tpr_interval: self.interval(&point, true)?,
            expected_cost: self.under.cost(point.fpr, point.tpr),
            per_1000: self.under.outcome(&point, PEOPLE),
            point,
        })
    }

    /// The interval of the share of a class that is called positive.
    fn interval(&self, point: &Point, class: bool) -> Result<Interval> {
        let level = self.args.level;
        if let Some(clusters) = self.clusters {
            let (truth, weights) = (&self.scores.truth, self.scores.weights.as_deref());
            let called = |row: usize| self.column[row] >= point.threshold;
            return clusters.rate_interval(truth, weights, class, level, called);
        }
        let (positives, negatives) = self.ranking.effective();
        let (rate, rows) = if class { (point.tpr, positives) } else { (point.fpr, negatives) };
        wilson(rate.clamp(0.0, 1.0) * rows, rows, level)
    }
}

fn chosen_by(args: &Args) -> &'static str {
    match (args.max_fpr, args.min_tpr) {
        (Some(_), _) => "max-fpr",
        (_, Some(_)) => "min-tpr",
        _ => "cost",
    }
}

/// The p-values of all pairs, adjusted for their number.
fn adjusted(mut pairs: Vec<Pair>) -> Result<Vec<Pair>> {
    let known: Vec<f64> = pairs.iter().filter_map(|pair| pair.found.p_value).collect();
    let mut raised = holm(&known)?.into_iter();
    for pair in pairs.iter_mut().filter(|pair| pair.found.p_value.is_some()) {
        pair.p_adjusted = raised.next();
    }
    Ok(pairs)
}

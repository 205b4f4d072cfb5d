//! What scores are worth.

use super::table::Scores;
use crate::args::Roc as Args;
use evocracy::error::Result;
use evocracy::measure::significance::holm;
use evocracy::measure::{
    Areas, Bootstrap, BootstrapInterval, Comparison, Conditions, Interval, Order, Outcome, Point,
    PrecisionRecall, Ranking, Resampling, Roc, bootstrap_auc, resampled, wilson,
};
use evocracy::run::Run;
use serde::Serialize;

/// How often clusters are drawn for an interval.
const REPLICATES: usize = 2000;

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
    pub scores: Vec<Figure>,
    pub comparisons: Vec<Pair>,
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
    pub fn new(args: &Args, scores: &Scores, run: &Run<'_>) -> Result<Self> {
        let weights = scores.weights.as_deref();
        let columns: Vec<&[f64]> = scores.columns.iter().map(|(_, s)| &s[..]).collect();
        let mut figures = Vec::new();
        let mut totals = (0.0, 0.0);
        let mut conditions = None;
        for (name, column) in &scores.columns {
            let ranking = Ranking::new(&scores.truth, column, weights)?;
            totals = (ranking.positives(), ranking.negatives());
            let prior = args.prior.unwrap_or_else(|| ranking.prior());
            let under = Conditions::new(args.cost_fp, args.cost_fn, prior)?;
            conditions = Some(under);
            figures.push(Figure::new(name, &ranking, args, &under, scores.turned)?);
        }
        let clustered = match &scores.clusters {
            None => None,
            Some(clusters) => Some(Resampling::clustered(&scores.truth, clusters, weights)?),
        };
        let comparisons = match &clustered {
            None => delong(args.level, scores, &columns, &mut figures)?,
            Some(clusters) => bootstrapped(args.level, scores, clusters, &mut figures, run)?,
        };
        Ok(Self {
            truth: args.truth.clone(),
            positive: scores.positive.clone(),
            others: scores.others.clone(),
            rows: scores.truth.len(),
            positives: totals.0,
            negatives: totals.1,
            level: args.level,
            conditions: conditions.expect("at least one score"),
            lower: scores.turned,
            chosen_by: chosen_by(args),
            intervals: if clustered.is_some() { "cluster-bootstrap-bca" } else { "delong-logit" },
            scores: figures,
            comparisons: adjusted(comparisons)?,
        })
    }

    /// The score that is best at its chosen point: it costs least, or where one rate was asked
    /// for it has the better other rate.
    pub fn best(&self) -> &Figure {
        let figure_of = |figure: &&Figure| match self.chosen_by {
            "max-fpr" => -figure.best.tpr,
            "min-tpr" => figure.best.fpr,
            _ => figure.best.expected_cost,
        };
        let found = self.scores.iter().min_by(|a, b| figure_of(a).total_cmp(&figure_of(b)));
        found.expect("at least one score")
    }
}

impl Figure {
    fn new(
        name: &str,
        ranking: &Ranking,
        args: &Args,
        conditions: &Conditions,
        turned: bool,
    ) -> Result<Self> {
        let roc = Roc::from(ranking);
        let best = match (args.max_fpr, args.min_tpr) {
            (Some(cap), _) => roc.with_fpr_at_most(cap)?,
            (_, Some(floor)) => roc.with_tpr_at_least(floor)?,
            _ => roc.best(conditions),
        };
        let choose = |point: Point| Chosen::new(point, ranking, conditions, args.level, turned);
        Ok(Self {
            name: name.to_owned(),
            auc: roc.auc(),
            // Replaced once all columns are ranked.
            auc_interval: Interval { low: 0.0, high: 1.0, level: args.level },
            conservative_auc: roc.conservative_auc(),
            average_precision: PrecisionRecall::from(ranking).average_precision(),
            best: choose(best)?,
            youden: choose(roc.youden())?,
            roc,
        })
    }
}

impl Chosen {
    fn new(
        point: Point,
        ranking: &Ranking,
        conditions: &Conditions,
        level: f64,
        turned: bool,
    ) -> Result<Self> {
        let (positives, negatives) = ranking.effective();
        let rate = |rate: f64, rows: f64| wilson(rate.clamp(0.0, 1.0) * rows, rows, level);
        let threshold = if turned { -point.threshold } else { point.threshold };
        Ok(Self {
            threshold: Some(threshold).filter(|t| t.is_finite()),
            fpr: point.fpr,
            fpr_interval: rate(point.fpr, negatives)?,
            tpr: point.tpr,
            tpr_interval: rate(point.tpr, positives)?,
            expected_cost: conditions.cost(point.fpr, point.tpr),
            per_1000: conditions.outcome(&point, PEOPLE),
            point,
        })
    }
}

impl Chosen {
    /// Takes the intervals of the rates from draws of whole clusters, as far as these vary.
    fn redraw(
        &mut self,
        scores: &Scores,
        column: &[f64],
        clusters: &Resampling,
        run: &Run<'_>,
    ) -> Result<()> {
        let threshold = self.point.threshold;
        let weight = |row: usize| scores.weights.as_ref().map_or(1.0, |w| w[row]);
        for (class, interval) in [(false, &mut self.fpr_interval), (true, &mut self.tpr_interval)] {
            let rate = |counts: &[u32]| {
                let (mut called, mut all) = (0.0, 0.0);
                for row in (0..counts.len()).filter(|&row| scores.truth[row] == class) {
                    let here = f64::from(counts[row]) * weight(row);
                    all += here;
                    called += if column[row] >= threshold { here } else { 0.0 };
                }
                called / all
            };
            let drawn = Bootstrap::new(clusters, REPLICATES, run, rate)?;
            if drawn.varies() {
                *interval = drawn.percentile(interval.level)?;
            }
        }
        Ok(())
    }
}

fn chosen_by(args: &Args) -> &'static str {
    match (args.max_fpr, args.min_tpr) {
        (Some(_), _) => "max-fpr",
        (_, Some(_)) => "min-tpr",
        _ => "cost",
    }
}

/// All pairs of `n` columns.
fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |i| (i + 1..n).map(move |j| (i, j)))
}

fn pair(figures: &[Figure], (i, j): (usize, usize), found: Comparison) -> Pair {
    let (first, second) = (figures[i].name.clone(), figures[j].name.clone());
    Pair { first, second, found, p_adjusted: None }
}

/// Intervals and paired tests after `DeLong`.
fn delong(
    level: f64,
    scores: &Scores,
    columns: &[&[f64]],
    figures: &mut [Figure],
) -> Result<Vec<Pair>> {
    let areas = Areas::new(&scores.truth, columns, scores.weights.as_deref())?;
    for (figure, area) in figures.iter_mut().zip(areas.each()) {
        figure.auc_interval = area.interval(level)?;
    }
    pairs(columns.len())
        .map(|at| Ok(pair(figures, at, areas.compare(at.0, at.1, level)?)))
        .collect()
}

/// Intervals and paired tests from draws of whole clusters.
fn bootstrapped(
    level: f64,
    scores: &Scores,
    clusters: &Resampling,
    figures: &mut [Figure],
    run: &Run<'_>,
) -> Result<Vec<Pair>> {
    let weights = scores.weights.as_deref();
    let mut orders = Vec::new();
    for ((_, column), figure) in scores.columns.iter().zip(&mut *figures) {
        let order = Order::new(&scores.truth, column, weights)?;
        let kind = BootstrapInterval::Bca;
        figure.auc_interval = bootstrap_auc(&order, clusters, REPLICATES, level, kind, run)?.1;
        orders.push(order);
        for chosen in [&mut figure.best, &mut figure.youden] {
            chosen.redraw(scores, column, clusters, run)?;
        }
    }
    pairs(orders.len())
        .map(|(i, j)| {
            let found = resampled(&orders[i], &orders[j], clusters, REPLICATES, level, run)?;
            Ok(pair(figures, (i, j), found))
        })
        .collect()
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

//! The reference of a projection: kernel logistic regression, dense and well regularised.
//!
//! `f = Phi w + b` with features of the kernel (`low_rank`) and the prior precision `penalty` on each
//! weight is the mode of a Gaussian process whose covariance is the kernel over the penalty. Width
//! and penalty are those under which rows that were left out are most probable.
//!
//! Out-of-sample figures need that choice anew for every fold, without its rows. Models are fitted
//! without each *pair* of folds and scored on both: the scores of the pairs with fold `i` on their
//! other fold choose for fold `i`, all scores together choose for all rows. That is nested
//! cross-validation at the price of twice a plain one, for each repeat with other folds. Only the
//! widths that are tried (the median distance, how far they go on) see all rows.

use super::Sample;
use crate::error::Result;
use crate::kernel::Kernel;
use crate::kernel::irls::{Irls, LogisticRows, add_columns};
use crate::kernel::low_rank::{LowRank, Rank};
use crate::kernel::tuning::SoftTuning;
use crate::num::{exp, logit::logistic};
use crate::run::{Run, Stop};
use std::collections::BTreeMap;

/// The width of the kernel and the prior precision of its weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Smoothing {
    pub(crate) width: f64,
    pub(crate) penalty: f64,
}

/// What is chosen for all rows, and for all but those of each fold.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Choice {
    pub(crate) all: Smoothing,
    pub(crate) without: Vec<Smoothing>,
}

/// A kernel without its width.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) kernel: Kernel,
    pub(crate) degree: usize,
}

impl Shape {
    /// Inputs that are bases of their own are features of the linear kernel.
    pub(super) fn smooth(self) -> Kernel {
        if self.kernel == Kernel::Columns { Kernel::Linear } else { self.kernel }
    }

    fn features(
        self,
        sample: &Sample,
        width: f64,
        from: &[u32],
        rank: Rank,
        stop: &Stop,
    ) -> LowRank {
        LowRank::new((self.smooth(), self.degree, width), &sample.points, from, rank, stop)
    }
}

/// The log-odds of every row of a sample.
pub(crate) fn reference(
    shape: Shape,
    sample: &Sample,
    smoothing: Smoothing,
    stop: &Stop,
) -> Result<Vec<f64>> {
    let all: Vec<u32> = (0..sample.rows() as u32).collect();
    let features = shape.features(sample, smoothing.width, &all, SoftTuning::FULL_RANK, stop);
    let path = penalty_path(sample, &features, &all, &[smoothing.penalty], stop)?;
    Ok(path.into_iter().next().unwrap_or_default())
}

/// The log-odds of every row under each penalty, from the largest on, learnt from some rows.
fn penalty_path(
    sample: &Sample,
    features: &LowRank,
    train: &[u32],
    penalties: &[f64],
    stop: &Stop,
) -> Result<Vec<Vec<f64>>> {
    let columns = features.with_bias(train);
    let (targets, weights) = (sample.targets_of(train), sample.weights_of(train));
    let rows = LogisticRows { targets: &targets, weights: weights.as_deref(), offsets: None };
    let bases = features.rank() + 1;
    let mut irls = Irls::new(train.len(), bases);
    irls.tolerance = SoftTuning::DECREMENT;
    let mut start: Option<Vec<f64>> = None;
    let mut path = Vec::new();
    for &penalty in penalties {
        let mut alphas = vec![penalty; bases];
        alphas[0] = SoftTuning::BIAS_PRECISION;
        irls.fit_until(&columns, &rows, &alphas, start.as_deref(), stop)?;
        let mut log_odds = vec![irls.weights[0]; features.rows];
        add_columns(&mut log_odds, &features.columns, &irls.weights[1..]);
        path.push(log_odds);
        start = Some(irls.weights.clone());
    }
    Ok(path)
}

/// Out-of-sample log-likelihoods of one width: for each penalty, of each pair of folds on its first
/// and on its second fold.
pub(super) type Scores = Vec<Vec<[f64; 2]>>;

/// A repeat, and the two of its folds that are left out.
pub(super) type Pair = (usize, usize, usize);

/// The smoothing under which held-out rows are most probable: without each fold of the first
/// repeat, and for all rows by all repeats. There are at least three folds.
///
/// Kernels that are wider and not clearly worse (by more than `errors` standard errors of the
/// difference over the folds) are preferred: fewer of them are needed to imitate the reference.
pub(crate) fn choose(
    shape: Shape,
    sample: &Sample,
    repeats: &[Vec<Vec<u32>>],
    (width, errors): (Option<f64>, f64),
    run: &Run<'_>,
) -> Result<Choice> {
    let folds = repeats[0].len();
    let pairs: Vec<Pair> = (0..repeats.len())
        .flat_map(|repeat| (0..folds).flat_map(move |j| (0..j).map(move |i| (repeat, i, j))))
        .collect();
    let median = sample.median_distance(shape);
    let fixed = width.or_else(|| (!shape.smooth().has_width()).then_some(median));
    let task = run.task("smoothing", SoftTuning::WIDTHS.len() as u64);
    let mut tried: Vec<(f64, Scores)> = Vec::new();
    for step in 0.. {
        let next = match fixed {
            Some(width) => (step == 0).then_some(width),
            None => next_width(median, step, &tried),
        };
        let Some(width) = next.filter(|_| tried.is_empty() || !run.stop.requested()) else { break };
        tried.push((width, score_width(shape, sample, repeats, &pairs, width, run)?));
        task.watch.advance(1);
    }
    let all = best_of(&tried, &pairs, folds, errors);
    let without = (0..folds).map(|fold| {
        best(&tried, (1, errors), &|pair, both| match pairs[pair] {
            (0, i, j) if i == fold => vec![(j, both[1])],
            (0, i, j) if j == fold => vec![(i, both[0])],
            _ => Vec::new(),
        })
    });
    Ok(Choice { all, without: without.collect() })
}

/// The best of what was tried by all scores.
pub(super) fn best_of(
    tried: &[(f64, Scores)],
    pairs: &[Pair],
    folds: usize,
    errors: f64,
) -> Smoothing {
    // The rows of a repeat are the same rows: more repeats make nothing more certain.
    let repeats = pairs.iter().map(|pair| pair.0 + 1).max().unwrap_or(1);
    best(tried, (repeats, errors), &|pair, both| {
        let (repeat, i, j) = pairs[pair];
        vec![(repeat * folds + i, both[0]), (repeat * folds + j, both[1])]
    })
}

/// The best of what was tried by some of the scores: `of` says which scores of a pair count, and for
/// which fold of how many `repeats`; wider kernels may be worse by so many standard `errors`.
fn best(
    tried: &[(f64, Scores)],
    (repeats, errors): (usize, f64),
    of: &dyn Fn(usize, [f64; 2]) -> Vec<(usize, f64)>,
) -> Smoothing {
    let mut all: Vec<(f64, Vec<f64>, Smoothing)> = Vec::new();
    for (width, scores) in tried {
        for (penalty, scores) in SoftTuning::PENALTIES.iter().zip(scores) {
            let mut by_fold: BTreeMap<usize, f64> = BTreeMap::new();
            for (fold, score) in scores.iter().enumerate().flat_map(|(pair, &both)| of(pair, both))
            {
                *by_fold.entry(fold).or_default() += score;
            }
            let by_fold: Vec<f64> = by_fold.into_values().collect();
            let smoothing = Smoothing { width: *width, penalty: *penalty };
            all.push((by_fold.iter().sum(), by_fold, smoothing));
        }
    }
    let top = (1..all.len())
        .fold(0, |top, at| if all[at].0 > all[top].0 + SoftTuning::EQUAL { at } else { top });
    let near = |other: &(f64, Vec<f64>, Smoothing)| {
        let lost: Vec<f64> = all[top].1.iter().zip(&other.1).map(|(a, b)| a - b).collect();
        let (n, sum) = (lost.len() as f64, lost.iter().sum::<f64>());
        let squares: f64 = lost.iter().map(|x| (x - sum / n).powi(2)).sum();
        let error = (repeats as f64 * squares * n / (n - 1.0).max(1.0)).sqrt();
        sum <= errors * error
    };
    // Among the wider ones the first width that is near enough, at its best penalty.
    let wider = all.iter().filter(|other| other.2.width >= all[top].2.width && near(other));
    let chosen = wider.reduce(|a, b| {
        let better = b.2.width > a.2.width || (b.2.width == a.2.width && b.0 > a.0);
        if better { b } else { a }
    });
    chosen.map_or(all[top].2, |chosen| chosen.2)
}

/// The next width to try: all usual ones, and narrower ones as long as the narrowest is the best.
fn next_width(median: f64, step: usize, tried: &[(f64, Scores)]) -> Option<f64> {
    if let Some(factor) = SoftTuning::WIDTHS.get(step) {
        return Some(median * factor);
    }
    let top = |scores: &Scores| {
        let sums = scores.iter().map(|pairs| pairs.iter().flatten().sum::<f64>());
        sums.fold(f64::NEG_INFINITY, f64::max)
    };
    let (narrowest, scores) = tried.last()?;
    let best = tried.iter().map(|(_, scores)| top(scores)).fold(f64::NEG_INFINITY, f64::max);
    let go_on = top(scores) >= best && step < SoftTuning::WIDTHS.len() + SoftTuning::NARROWER;
    go_on.then_some(narrowest / 2.0)
}

fn score_width(
    shape: Shape,
    sample: &Sample,
    repeats: &[Vec<Vec<u32>>],
    pairs: &[Pair],
    width: f64,
    run: &Run<'_>,
) -> Result<Scores> {
    let of_pairs = run.pool.map(pairs.len(), |pair| -> Result<Vec<[f64; 2]>> {
        let (repeat, i, j) = pairs[pair];
        let folds = &repeats[repeat];
        let kept = |fold: &usize| *fold != i && *fold != j;
        let mut train: Vec<u32> =
            (0..folds.len()).filter(kept).flat_map(|fold| folds[fold].clone()).collect();
        train.sort_unstable();
        let features = shape.features(sample, width, &train, SoftTuning::TRIAL_RANK, run.stop);
        let path = penalty_path(sample, &features, &train, &SoftTuning::PENALTIES, run.stop)?;
        let score =
            |log_odds: &Vec<f64>| [i, j].map(|fold| likelihood(sample, &folds[fold], log_odds));
        Ok(path.iter().map(score).collect())
    });
    let of_pairs: Vec<Vec<[f64; 2]>> = of_pairs.into_iter().collect::<Result<_>>()?;
    let of_penalty = |at: usize| of_pairs.iter().map(|path| path[at]).collect();
    Ok((0..SoftTuning::PENALTIES.len()).map(of_penalty).collect())
}

/// The log-likelihood of some rows.
fn likelihood(sample: &Sample, rows: &[u32], log_odds: &[f64]) -> f64 {
    let of = |&row: &u32| {
        let (y, t) = (log_odds[row as usize], sample.targets[row as usize]);
        sample.weight(row) * (t * y - y.max(0.0) - exp(-y.abs()).ln_1p())
    };
    rows.iter().map(of).sum()
}

/// The probabilities of log-odds.
pub(super) fn probabilities(log_odds: &[f64]) -> Vec<f64> {
    log_odds.iter().map(|&y| logistic(y)).collect()
}

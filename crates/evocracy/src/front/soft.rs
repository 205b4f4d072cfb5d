//! The default scheme: sparse sums that imitate a well-regularised reference, at every size, with
//! all thresholds; and what they promise on rows that they were not fitted to.
//!
//! Out-of-sample figures are measured on folds: for each fold the whole procedure (the choice of
//! the smoothing, the reference, the search) runs without its rows. What is promised for a size and
//! a threshold are the rates that sums of that size reach on the rows they have not seen, where they
//! call the same share of their own training rows positive. Where there are more rows than the search
//! takes, those left over are judged instead.

use super::options::FrontOptions;
use super::unseen::{FOLD_ROWS, Unseen, left_over, ranks};
use crate::data::folds;
use crate::error::{Error, Result};
use crate::kernel::soft::{self, Choice, Sample, Smoothing, SoftFront, SoftMember};
use crate::num::logit::logistic;
use crate::run::Run;

/// The least number of folds with which a smoothing can be chosen for each.
const FOLDS: usize = 3;

/// The rows that are judged to choose a smoothing: the folds of a smaller table are
/// drawn repeatedly.
const JUDGED: usize = 800;

/// A front of one class against the rest and what its members did on rows they were not fitted to.
pub(super) struct Evolved {
    pub(super) front: SoftFront,
    /// The reference's probability of each of them.
    pub(super) reference: Vec<f64>,
    /// Of each member the probabilities of the positive class at rows it was not fitted to.
    pub(super) unseen: Option<Unseen>,
}

/// Searches for the front of a sample on some of its rows.
///
/// `sample` holds those `rows` of `all`. The members are judged on the rows `left` over, where the
/// caller found them to be enough, else on folds.
pub(super) fn search(
    options: &FrontOptions,
    all: &Sample,
    (sample, rows): (&Sample, &[u32]),
    left: Option<&[u32]>,
    run: &Run<'_>,
) -> Result<Evolved> {
    let members = options.soft.most.saturating_add(2);
    let judged = left.map_or(2 * rows.len(), <[u32]>::len);
    run.reserve("what the members of a front say of the rows", &[members, judged])?;
    let (choice, parts) = smoothing(options, sample, run)?;
    let fold_count = if left.is_some() { 0 } else { parts.len() };
    let smooth = |sample: &Sample, smoothing| {
        soft::reference(options.soft.shape, sample, smoothing, run.stop)
    };
    let log_odds = smooth(sample, choice.all)?;
    // The front of all rows and those without each fold are searched for side by side.
    let fronts = run.pool.map(fold_count + 1, |at| match at.checked_sub(1) {
        None => evolve(options, sample, &log_odds, choice.all, &run.child("front", 0)),
        Some(fold) => {
            let run = run.child("fold", fold as u64);
            let train = left_over(&parts[fold], sample.rows());
            let (sample, smoothing) = (sample.subset(&train), choice.without[fold]);
            evolve(options, &sample, &smooth(&sample, smoothing)?, smoothing, &run)
        }
    });
    let mut fronts = fronts.into_iter();
    let front = fronts.next().unwrap_or(Err(Error::Stopped))?;
    let unseen = if let Some(left) = left {
        let proba = proba(&front, all, left);
        Some(Unseen { proba, rows: left.to_vec(), rows_for_one: 1.0, ranks: None })
    } else {
        match fronts.collect::<Result<Vec<_>>>() {
            // Folds that were cut short would promise too little.
            _ if run.stop.requested() => None,
            Ok(fronts) => Some(out_of_fold(&front, sample, rows, &parts, &fronts)),
            Err(error) => return Err(error),
        }
    };
    Ok(Evolved { front, reference: probabilities(&log_odds), unseen })
}

/// The smoothing for all rows and without each fold, and the rows of the folds.
fn smoothing(
    options: &FrontOptions,
    sample: &Sample,
    run: &Run<'_>,
) -> Result<(Choice, Vec<Vec<u32>>)> {
    let labels = sample.labels();
    let positives = labels.iter().filter(|label| **label == 1).count();
    // A class of two rows is missing from a fold: without three, none is left to choose by.
    let k = options.folds.min(positives).min(labels.len() - positives).max(FOLDS);
    // Few rows are parted into folds several times: one partition is a matter of luck.
    let repeats = (JUDGED / labels.len()).clamp(1, options.repeats);
    let partition = |number: usize| -> Result<Vec<Vec<u32>>> {
        let splits = folds(labels.len(), Some(&labels), k, run.seed.child("folds", number as u64))?;
        Ok(splits.into_iter().map(|split| split.test).collect())
    };
    let mut partitions = (0..repeats).map(partition).collect::<Result<Vec<_>>>()?;
    let wanted = (options.width(), options.wider);
    let choice = soft::choose(options.soft.shape, sample, &partitions, wanted, run)?;
    Ok((choice, partitions.swap_remove(0)))
}

/// Searches, or takes what an earlier run found.
fn evolve(
    options: &FrontOptions,
    sample: &Sample,
    log_odds: &[f64],
    smoothing: Smoothing,
    run: &Run<'_>,
) -> Result<SoftFront> {
    let members = run.resume(
        |bytes| {
            let members: Vec<SoftMember> = rmp_serde::from_slice(bytes).map_err(|_| broken())?;
            if SoftMember::fit(&members, sample) { Ok(members) } else { Err(broken()) }
        },
        |members| {
            let unfinished = run.stop.requested();
            (!unfinished).then(|| rmp_serde::to_vec(members).map_err(|_| broken())).transpose()
        },
        || soft::evolve(sample, log_odds, smoothing, &options.soft, run),
    )?;
    let front = SoftFront::new(options.soft.shape, members, sample);
    Ok(if options.average > 0.0 {
        front.averaged(options.average, log_odds, sample)
    } else {
        front
    })
}

fn broken() -> Error {
    Error::unsuitable("a finished part does not read back", "")
}

/// The probabilities of every row by the front of the fold without it: of each member's size.
fn out_of_fold(
    front: &SoftFront,
    sample: &Sample,
    rows: &[u32],
    parts: &[Vec<u32>],
    fronts: &[SoftFront],
) -> Unseen {
    let mut proba = vec![vec![0.0; sample.rows()]; front.all().count()];
    let mut rank = proba.clone();
    for (part, without) in parts.iter().zip(fronts) {
        let points = sample.points.subset(part);
        let fitted = sample.points.subset(&left_over(part, sample.rows()));
        for (at, member) in front.all().enumerate() {
            let average = without.average.as_ref().filter(|_| at == front.members.len());
            let same_size = average.unwrap_or_else(|| without.at_most(member.terms.len()));
            let log_odds = without.log_odds(same_size, &points);
            let ranked = ranks(&log_odds, &without.log_odds(same_size, &fitted));
            for ((&row, p), r) in part.iter().zip(probabilities(&log_odds)).zip(ranked) {
                (proba[at][row as usize], rank[at][row as usize]) = (p, r);
            }
        }
    }
    Unseen { rows: rows.to_vec(), proba, rows_for_one: FOLD_ROWS, ranks: Some(rank) }
}

/// Of each member the probabilities of the positive class at some rows.
pub(super) fn proba(front: &SoftFront, all: &Sample, rows: &[u32]) -> Vec<Vec<f64>> {
    let points = all.points.subset(rows);
    front.all().map(|m| probabilities(&front.log_odds(m, &points))).collect()
}

fn probabilities(log_odds: &[f64]) -> Vec<f64> {
    log_odds.iter().map(|&y| logistic(y)).collect()
}

//! The searches for fronts as the thesis prints them (A. R. J. Clark, chapter 3).
//!
//! | file | job |
//! |---|---|
//! | `family` | what is searched over: scorers with a complexity |
//! | `precisions` | relevance vector machines by their precisions |
//! | `curve` | all operating points of a scorer |
//! | `elite` | algorithm 2, K folds (algorithm 4), NSGA-II |
//! | `archives` | two archives (algorithm 3), the probability of dominance |

mod archives;
mod curve;
mod elite;
mod family;
mod precisions;

pub(super) use family::Family;
pub use precisions::Complexity;
pub(super) use precisions::{Machines, Precisions};

use crate::data::{DenseRows, halves, homogeneous_points};
use crate::error::Result;
use crate::evolve::Space;
use crate::evolve::pareto::{Archive, ArchiveEntry};
use crate::kernel::Design;
use crate::run::{Run, Seed};

crate::choices! {
    /// How a front is searched for.
    pub enum Scheme {
        /// imitates a well-regularised reference at every size: the default, with a promise for every point
        Soft = "soft",
        /// an elite archive on the training rows
        Base = "base",
        /// two archives whose halves of the rows change roles
        Swap = "swap",
        /// two archives whose halves are dealt anew
        Shuffle = "shuffle",
        /// the same, every class dealt alike
        Stratified = "stratified",
        /// the same, neighbours dealt to different halves
        Homogeneous = "homogeneous",
        /// an elite archive on the average of folds
        Kfold = "kfold",
        /// an archive that goes by the probability of dominance
        Dominance = "dominance",
        /// NSGA-II
        Nsga2 = "nsga2",
    }
}

/// Something a scorer does at one threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct OperatingPoint {
    /// The scorer.
    pub(super) member: usize,
    /// The least score that is called positive.
    pub(super) threshold: f64,
    /// True and false positive rate, as the search measured them.
    pub(super) rates: [f64; 2],
    pub(super) complexity: f64,
}

/// What a search found: operating points none of which beats another, and their scorers.
pub(super) struct Found<F: Family> {
    /// Each fitted to all rows, with the scores of all rows.
    pub(super) fitted: Vec<F::Fitted>,
    pub(super) scores: Vec<Vec<f64>>,
    pub(super) points: Vec<OperatingPoint>,
}

/// A machine to be scored: bases of a design matrix, in ascending order, and the logarithms to base
/// 10 of their precisions, from -12 to 12.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The bases.
    pub bases: Vec<u32>,
    /// The logarithms of their precisions.
    pub logs: Vec<f64>,
}

/// Scores machines one after the other, as algorithm 2 does, and keeps the operating points that none
/// beats: true positive rate, false positive rate and complexity of each.
pub fn archive_candidates(
    design: &Design,
    targets: &[f64],
    candidates: &[Candidate],
) -> Result<Vec<[f64; 3]>> {
    let positive: Vec<bool> = targets.iter().map(|target| *target > 0.5).collect();
    let family = Machines::new(design, targets.to_vec(), Complexity::Alpha, 1, 0);
    let rows = curve::RateRows::new(&positive, None);
    let mut archive: Archive<()> = Archive::new(&elite::GOALS)?;
    let (mut scores, mut keys, mut points) = (Vec::new(), Vec::new(), Vec::new());
    for candidate in candidates {
        let Candidate { bases, logs } = candidate.clone();
        let genome = Precisions { bases, logs };
        family.admit(&genome)?;
        if family.fit(&genome, None, None, &mut scores).is_err() {
            continue;
        }
        let complexity = family.complexity(&genome);
        points.clear();
        rows.corners(&scores, &mut keys, |_, [tpr, fpr]| points.push([tpr, fpr, complexity]));
        points.iter().try_for_each(|point| archive.insert(point, ()).map(|_| ()))?;
    }
    let values = |entry: ArchiveEntry<'_, ()>| {
        let values = archive.objectives(&entry);
        [values[0], values[1], values[2]]
    };
    Ok(archive.iter().map(values).collect())
}

/// How rows are dealt to two halves.
trait Dealing {
    /// The halves of a deal.
    fn halves(&self, deal: u64) -> Result<[Vec<u32>; 2]>;

    /// Whether the halves stay and change roles.
    fn swaps(&self) -> bool;
}

/// The ways of the thesis, 3.5.1.
struct Halves<'a> {
    scheme: Scheme,
    positive: &'a [bool],
    /// The points, one after the other, for neighbours.
    points: Vec<f64>,
    seed: Seed,
}

impl Dealing for Halves<'_> {
    fn halves(&self, deal: u64) -> Result<[Vec<u32>; 2]> {
        let (rows, seed) = (self.positive.len(), self.seed.child("deal", deal));
        if self.scheme == Scheme::Homogeneous {
            let mut parts = homogeneous_points(&self.points, rows, 2, seed)?.into_iter();
            return Ok([parts.next().unwrap_or_default(), parts.next().unwrap_or_default()]);
        }
        let labels: Vec<u32> = self.positive.iter().map(|positive| u32::from(*positive)).collect();
        let codes = (self.scheme == Scheme::Stratified).then_some(&labels[..]);
        let split = halves(rows, codes, seed)?;
        Ok([split.train, split.test])
    }

    fn swaps(&self) -> bool {
        self.scheme == Scheme::Swap
    }
}

/// How a search of the thesis runs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settings {
    pub(super) scheme: Scheme,
    pub(super) folds: usize,
    /// The most turns.
    pub(super) iterations: u64,
    /// Members and generations of NSGA-II.
    pub(super) population: usize,
    pub(super) generations: u64,
}

/// Searches for the front of a family.
pub(super) fn search<F: Family>(
    settings: &Settings,
    family: &F,
    positive: &[bool],
    points: &DenseRows<'_>,
    start: Vec<F::Genome>,
    run: &Run<'_>,
) -> Result<Found<F>> {
    let Settings { scheme, iterations, .. } = *settings;
    match scheme {
        Scheme::Soft | Scheme::Base => elite::search(family, positive, &[], start, iterations, run),
        Scheme::Kfold => {
            let k = settings.folds.min(positive.len());
            let seed = run.seed.child("folds", 0);
            let folds = homogeneous_points(&row_major(points), positive.len(), k, seed)?;
            elite::search(family, positive, &folds, start, iterations, run)
        }
        Scheme::Nsga2 => {
            elite::nsga2(family, positive, (settings.population, settings.generations), run)
        }
        Scheme::Dominance => archives::dominance(family, positive, start, iterations, run),
        Scheme::Swap | Scheme::Shuffle | Scheme::Stratified | Scheme::Homogeneous => {
            let halves = Halves { scheme, positive, points: row_major(points), seed: run.seed };
            archives::two_archives(family, positive, &halves, start, iterations, run)
        }
    }
}

fn row_major(points: &DenseRows<'_>) -> Vec<f64> {
    let mut all = Vec::new();
    points.rows_into(0, points.rows, &mut all);
    all
}

#[cfg(test)]
mod tests;

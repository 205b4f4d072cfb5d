//! The searches of two archives (algorithm 3): one for the rows that scorers are fitted to, one for
//! the others; and the search whose archive goes by the probability of dominance.
//!
//! Algorithm 3 exchanges or re-deals the rows inside its loop over thresholds. Here that is done
//! once for a scorer, after all its thresholds: in between the scorer would be judged on rows that
//! it was fitted to.

use super::curve::RateRows;
use super::elite::GOALS;
use super::family::Family;
use super::{Dealing, Found, OperatingPoint};
use crate::error::Result;
use crate::evolve::pareto::uncertain::{Pairing, UncertainArchive};
use crate::evolve::pareto::{Archive, PointSet};
use crate::evolve::{Rng, below, rng};
use crate::run::{Run, Stop};

/// Turns without a new member after which a search ends.
const FRUITLESS: u64 = 100;

/// An operating point: which genome, and its threshold.
type Called = (usize, f64);

/// The rows of one half.
struct Half {
    /// 1 for its rows, 0 for the others.
    weights: Vec<f64>,
    rates: RateRows,
    archive: Archive<Called>,
}

impl Half {
    fn new(positive: &[bool], rows: &[u32]) -> Result<Self> {
        let mut inside = vec![false; positive.len()];
        for &row in rows {
            inside[row as usize] = true;
        }
        let weights = inside.iter().map(|inside| f64::from(u8::from(*inside))).collect();
        let rates = RateRows::new(positive, Some(&inside));
        Ok(Self { weights, rates, archive: Archive::new(&GOALS)? })
    }
}

/// The state of a search of two archives.
struct TwoArchives<'a, F: Family> {
    family: &'a F,
    genomes: Vec<(F::Genome, F::Fitted)>,
    train: Half,
    validate: Half,
}

impl<F: Family> TwoArchives<'_, F> {
    /// Fits a genome to the training half and offers its operating points to both archives.
    /// Whether the first and the second took any.
    fn offer(&mut self, genome: &F::Genome, start: Option<&F::Fitted>) -> Result<(bool, bool)> {
        let mut scores = Vec::new();
        let weights = Some(&self.train.weights[..]);
        let Ok(fitted) = self.family.fit(genome, weights, start, &mut scores) else {
            return Ok((false, false));
        };
        self.genomes.push((genome.clone(), fitted));
        let taken = self.offer_points(self.genomes.len() - 1, &scores, None)?;
        if !taken.0 {
            // Nothing refers to it.
            self.genomes.pop();
        }
        Ok(taken)
    }

    /// Offers all operating points of a fitted genome, or those of some thresholds.
    fn offer_points(
        &mut self,
        at: usize,
        scores: &[f64],
        thresholds: Option<&[f64]>,
    ) -> Result<(bool, bool)> {
        let complexity = self.family.complexity(&self.genomes[at].0);
        let mut points: Vec<(f64, [f64; 2])> = Vec::new();
        match thresholds {
            None => self.train.rates.corners(scores, &mut Vec::new(), |threshold, rates| {
                points.push((threshold, rates));
            }),
            Some(some) => points.extend(
                some.iter().map(|&threshold| (threshold, self.train.rates.at(scores, threshold))),
            ),
        }
        let mut taken = (false, false);
        for (threshold, [tpr, fpr]) in points {
            let called = (at, threshold);
            if !self.train.archive.insert(&[tpr, fpr, complexity], called)?.kept() {
                continue;
            }
            taken.0 = true;
            let [tpr, fpr] = self.validate.rates.at(scores, threshold);
            taken.1 |= self.validate.archive.insert(&[tpr, fpr, complexity], called)?.kept();
        }
        Ok(taken)
    }

    /// The places of the genomes in an archive, each once.
    fn unique(archive: &Archive<Called>) -> Vec<usize> {
        let mut places: Vec<usize> = archive.iter().map(|entry| entry.payload.0).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// Deals the rows anew and judges the members of the training archive on the new halves; after a
    /// stop the first of them at least.
    fn deal(&mut self, positive: &[bool], halves: &[Vec<u32>; 2], stop: &Stop) -> Result<()> {
        let members = Self::unique(&self.train.archive);
        let of = |member: usize| {
            let entries = self.train.archive.iter().filter(move |entry| entry.payload.0 == member);
            entries.map(|entry| entry.payload.1).collect::<Vec<f64>>()
        };
        let thresholds: Vec<Vec<f64>> = members.iter().map(|&member| of(member)).collect();
        let kept: Vec<(F::Genome, F::Fitted)> =
            members.iter().map(|&member| self.genomes[member].clone()).collect();
        self.train = Half::new(positive, &halves[0])?;
        self.validate = Half::new(positive, &halves[1])?;
        self.genomes.clear();
        let mut scores = Vec::new();
        for ((genome, fitted), thresholds) in kept.into_iter().zip(thresholds) {
            if stop.requested() && !self.genomes.is_empty() {
                break;
            }
            let weights = Some(&self.train.weights[..]);
            let Ok(fitted) = self.family.fit(&genome, weights, Some(&fitted), &mut scores) else {
                continue;
            };
            self.genomes.push((genome, fitted));
            self.offer_points(self.genomes.len() - 1, &scores, Some(&thresholds))?;
        }
        Ok(())
    }
}

/// Algorithm 3.
pub(super) fn two_archives<F: Family>(
    family: &F,
    positive: &[bool],
    dealing: &dyn Dealing,
    start: Vec<F::Genome>,
    iterations: u64,
    run: &Run<'_>,
) -> Result<Found<F>> {
    let mut rng = rng(run.seed);
    let [train, validate] = dealing.halves(0)?;
    let mut search = TwoArchives {
        family,
        genomes: Vec::new(),
        train: Half::new(positive, &train)?,
        validate: Half::new(positive, &validate)?,
    };
    let task = run.task("front", iterations);
    let mut starts = start;
    if starts.is_empty() {
        starts.push(family.sample(&mut rng)?);
    }
    for genome in &starts {
        search.offer(genome, None)?;
    }
    let (mut fruitless, mut deals) = (0, 0);
    for _ in 0..iterations {
        if fruitless >= FRUITLESS || run.stop.requested() {
            break;
        }
        let parents = TwoArchives::<F>::unique(&search.train.archive);
        let Some(&parent) = parents.get(below(parents.len(), &mut rng)) else { break };
        let (mut child, fitted) = search.genomes[parent].clone();
        family.mutate_after(&mut child, fruitless, &mut rng);
        let taken = search.offer(&child, Some(&fitted))?;
        fruitless = if taken.0 { 0 } else { fruitless + 1 };
        if taken.1 {
            if dealing.swaps() {
                std::mem::swap(&mut search.train, &mut search.validate);
            } else {
                deals += 1;
                search.deal(positive, &dealing.halves(deals)?, run.stop)?;
            }
        }
        task.watch.advance(1);
    }
    recombined(search, positive, run.stop)
}

/// The members of both archives, fitted to all rows and judged on all rows (3.6); after a stop the
/// first of them at least.
fn recombined<F: Family>(
    search: TwoArchives<'_, F>,
    positive: &[bool],
    stop: &Stop,
) -> Result<Found<F>> {
    let TwoArchives { family, genomes: known, train, validate } = search;
    let all = RateRows::new(positive, None);
    let mut called: Vec<Called> =
        train.archive.iter().chain(validate.archive.iter()).map(|entry| *entry.payload).collect();
    called.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    called.dedup();
    let mut archive: Archive<Called> = Archive::new(&GOALS)?;
    let (mut fitted, mut of_all) = (Vec::new(), Vec::new());
    let (mut last, mut scores) = (usize::MAX, Vec::new());
    for (member, threshold) in called {
        let (genome, start) = &known[member];
        if member != last {
            if stop.requested() && !fitted.is_empty() {
                break;
            }
            let Ok(own) = family.fit(genome, None, Some(start), &mut scores) else { continue };
            fitted.push(own);
            of_all.push(scores.clone());
            last = member;
        }
        let [tpr, fpr] = all.at(&scores, threshold);
        archive.insert(&[tpr, fpr, family.complexity(genome)], (fitted.len() - 1, threshold))?;
    }
    let points = archive.iter().map(|entry| {
        let values = archive.objectives(&entry);
        let (member, threshold) = *entry.payload;
        OperatingPoint { member, threshold, rates: [values[0], values[1]], complexity: values[2] }
    });
    let points = points.collect();
    Ok(Found { fitted, scores: of_all, points })
}

/// Bootstrap replicates of the rates, and the probability of dominance above which a point is
/// turned away.
const REPLICATES: usize = 20;
const LEVEL: f64 = 0.75;

/// Algorithm 2 with an archive that goes by the probability of dominance (3.9): a point joins
/// unless a member is likely to dominate it on resampled rows.
pub(super) fn dominance<F: Family>(
    family: &F,
    positive: &[bool],
    start: Vec<F::Genome>,
    iterations: u64,
    run: &Run<'_>,
) -> Result<Found<F>> {
    let mut rng = rng(run.seed);
    let all = RateRows::new(positive, None);
    let resampled: Vec<Vec<u32>> =
        (0..REPLICATES).map(|_| resampled_rows(positive, &mut rng)).collect();
    let mut archive: UncertainArchive<(usize, f64, [f64; 2])> =
        UncertainArchive::new(&GOALS, LEVEL, Pairing::Paired)?;
    let mut known: Vec<(F::Genome, F::Fitted)> = Vec::new();
    let mut waiting = start;
    if waiting.is_empty() {
        waiting.push(family.sample(&mut rng)?);
    }
    waiting.reverse();
    let task = run.task("front", iterations);
    let (mut fruitless, mut evaluations, mut scores) = (0, 0, Vec::new());
    while evaluations < iterations && fruitless < FRUITLESS && !run.stop.requested() {
        let (child, parent) = if let Some(genome) = waiting.pop() {
            (genome, None)
        } else {
            let mut places: Vec<usize> = archive.iter().map(|kept| kept.payload.0).collect();
            places.sort_unstable();
            places.dedup();
            let Some(&parent) = places.get(below(places.len(), &mut rng)) else { break };
            let (mut child, fitted) = known[parent].clone();
            family.mutate_after(&mut child, fruitless, &mut rng);
            (child, Some(fitted))
        };
        evaluations += 1;
        task.watch.advance(1);
        fruitless += 1;
        let Ok(fitted) = family.fit(&child, None, parent.as_ref(), &mut scores) else { continue };
        let complexity = family.complexity(&child);
        let mut points = Vec::new();
        all.corners(&scores, &mut Vec::new(), |threshold, rates| points.push((threshold, rates)));
        for (threshold, rates) in points {
            let mut draws = PointSet::new(&GOALS)?;
            for rows in &resampled {
                let [tpr, fpr] = resampled_rates(positive, &scores, rows, threshold);
                draws.push(&[tpr, fpr, complexity])?;
            }
            if archive.insert(draws, (known.len(), threshold, rates))? {
                fruitless = 0;
            }
        }
        // Nothing refers to what was not taken.
        if fruitless == 0 {
            known.push((child, fitted));
        }
    }
    let mut kept: Vec<(usize, f64, [f64; 2])> = archive.iter().map(|kept| kept.payload).collect();
    kept.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    refitted(family, &known, &kept, run)
}

/// The members of points, sorted by member, and the points; after a stop those that there are.
fn refitted<F: Family>(
    family: &F,
    known: &[(F::Genome, F::Fitted)],
    kept: &[(usize, f64, [f64; 2])],
    run: &Run<'_>,
) -> Result<Found<F>> {
    let (mut fitted, mut of_all, mut scores) = (Vec::new(), Vec::new(), Vec::new());
    let (mut points, mut last) = (Vec::new(), usize::MAX);
    for &(member, threshold, rates) in kept {
        if member != last {
            if run.stop.requested() && !fitted.is_empty() {
                break;
            }
            let (genome, start) = &known[member];
            fitted.push(family.fit(genome, None, Some(start), &mut scores)?);
            of_all.push(scores.clone());
            last = member;
        }
        let complexity = family.complexity(&known[member].0);
        points.push(OperatingPoint { member: fitted.len() - 1, threshold, rates, complexity });
    }
    Ok(Found { fitted, scores: of_all, points })
}

/// As many rows of each class as there are, drawn with replacement.
fn resampled_rows(positive: &[bool], rng: &mut Rng) -> Vec<u32> {
    let mut drawn = Vec::with_capacity(positive.len());
    for class in [true, false] {
        let rows: Vec<u32> =
            (0..positive.len() as u32).filter(|&row| positive[row as usize] == class).collect();
        drawn.extend((0..rows.len()).map(|_| rows[below(rows.len(), rng)]));
    }
    drawn
}

fn resampled_rates(positive: &[bool], scores: &[f64], rows: &[u32], threshold: f64) -> [f64; 2] {
    let (mut called, mut count) = ([0.0; 2], [0.0; 2]);
    for &row in rows {
        let class = usize::from(!positive[row as usize]);
        count[class] += 1.0;
        called[class] += f64::from(u8::from(scores[row as usize] >= threshold));
    }
    [called[0] / count[0], called[1] / count[1]]
}

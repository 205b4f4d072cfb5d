//! Sparse sums that come as near as their size allows to a dense, well-regularised reference.
//!
//! Sparse models that are fitted to labels over-fit the more, the harder they are searched for.
//! Here the labels are read once, by the reference (`reference`: kernel logistic regression), and the
//! search for sparse ones (`subset`) only has to imitate its probabilities: the projection of J. A.
//! Dupuis and C. P. Robert (2003), with the subsets evolved. The result is a front: at every number
//! of bases the nearest sum.

mod reference;
mod subset;
#[cfg(test)]
mod tests;

pub(crate) use reference::{Choice, Shape, Smoothing, choose, reference};

use super::bases::{Basis, kernel_into};
use super::design::{Design, Dictionary, Keep, reserve};
use super::training::stratified_sample;
use super::tuning::{NumericLimits, SoftTuning};
use super::width::median_distance;
use crate::data::{DenseRows, Task, pick};
use crate::error::Result;
use crate::evolve::multi::Elite;
use crate::evolve::{Evolution, Problem, Until, rng};
use crate::num::add_scaled;
use crate::num::logit::logistic;
use crate::run::Run;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use subset::{Fit, Projection};

/// Rows with inputs, targets of 0 or 1 and weights. Copies share the inputs.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub(crate) points: Arc<DenseRows<'static>>,
    pub(crate) targets: Vec<f64>,
    /// None for all 1.
    pub(crate) weights: Option<Vec<f64>>,
}

impl Sample {
    /// The rows of a task with a weight above 0, and their positions; targets are 1 for the rows of
    /// the class `positive`.
    pub(crate) fn new(task: &Task<'_>, positive: usize) -> Result<(Self, Vec<u32>)> {
        let (_, labels) = task.labels()?;
        let weights = task.weights();
        let weighty = |row: &u32| weights[*row as usize] > 0.0;
        let rows: Vec<u32> = (0..labels.len() as u32).filter(weighty).collect();
        let target = |label: &u32| f64::from(u8::from(*label as usize == positive));
        let targets = labels.iter().map(target).collect();
        let weights = weights.iter().any(|weight| *weight != 1.0).then_some(weights);
        let points = Arc::new(DenseRows::new(task.features, NumericLimits::DATA)?.into_owned());
        Ok((Self { points, targets, weights }.subset(&rows), rows))
    }

    /// The same rows with targets of 1 where `positive` says so.
    pub(crate) fn against(&self, positive: impl Fn(usize) -> bool) -> Self {
        let targets = (0..self.rows()).map(|row| f64::from(u8::from(positive(row)))).collect();
        Self { targets, ..self.clone() }
    }

    /// Some of the rows, in ascending order.
    pub(crate) fn subset(&self, rows: &[u32]) -> Self {
        if rows.len() == self.rows() {
            return self.clone();
        }
        Self {
            points: Arc::new(self.points.subset(rows)),
            targets: self.targets_of(rows),
            weights: self.weights_of(rows),
        }
    }

    pub(crate) fn rows(&self) -> usize {
        self.targets.len()
    }

    fn targets_of(&self, rows: &[u32]) -> Vec<f64> {
        pick(rows, &self.targets)
    }

    fn weights_of(&self, rows: &[u32]) -> Option<Vec<f64>> {
        self.weights.as_ref().map(|weights| pick(rows, weights))
    }

    fn weight(&self, row: u32) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[row as usize])
    }

    /// 1 for positive rows, 0 for others.
    pub(crate) fn labels(&self) -> Vec<u32> {
        self.targets.iter().map(|&target| u32::from(target > 0.5)).collect()
    }

    /// The median distance between rows.
    pub(crate) fn median_distance(&self, shape: Shape) -> f64 {
        let step = self.rows().div_ceil(SoftTuning::MEDIAN_ROWS).max(1);
        let rows: Vec<u32> = (0..self.rows() as u32).step_by(step).collect();
        median_distance(shape.smooth(), &self.points.subset(&rows))
    }
}

/// How a front is searched for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SoftOptions {
    pub(crate) shape: Shape,
    /// The most bases of a sum.
    pub(crate) most: usize,
    /// The most rows that are centres of kernels.
    pub(crate) centres: usize,
    /// How many subsets are tried.
    pub(crate) evaluations: u64,
}

/// One sum of a front.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct SoftMember {
    pub(crate) bias: f64,
    /// Bases with their weights; the row of a centre is that of the sample it was learnt from.
    pub(crate) terms: Vec<(Basis, f64)>,
    /// How far its probabilities are from those of the reference, in nats, summed over the rows.
    pub(crate) divergence: f64,
}

/// Sums of rising size and falling divergence. The first has no bases.
#[derive(Debug, Clone)]
pub(crate) struct SoftFront {
    pub(crate) shape: Shape,
    pub(crate) members: Vec<SoftMember>,
    /// The mean of several of them, where that was asked for.
    pub(crate) average: Option<SoftMember>,
    /// The inputs of the sample, for the centres.
    points: Arc<DenseRows<'static>>,
}

impl SoftMember {
    /// Whether members could have been learnt from a sample, which those of a file may not.
    pub(crate) fn fit(members: &[Self], sample: &Sample) -> bool {
        let known = |&(basis, weight): &(Basis, f64)| {
            let inside = match basis {
                Basis::Bias => false,
                Basis::Column(input) => input < sample.points.inputs(),
                Basis::Centre { row, width } => row < sample.rows() && width > 0.0,
            };
            inside && weight.is_finite()
        };
        let sound = |member: &Self| {
            member.bias.is_finite()
                && member.divergence.is_finite()
                && member.terms.iter().all(known)
        };
        !members.is_empty() && members.iter().all(sound)
    }
}

impl SoftFront {
    /// Members that were learnt from a sample.
    pub(crate) fn new(shape: Shape, members: Vec<SoftMember>, sample: &Sample) -> Self {
        Self { shape, members, average: None, points: Arc::clone(&sample.points) }
    }

    /// The members, and their average where there is one.
    pub(crate) fn all(&self) -> impl Iterator<Item = &SoftMember> {
        self.members.iter().chain(&self.average)
    }

    /// Adds the mean of the log-odds of all members whose divergence is at most a share of that of
    /// a constant; nothing where there is but one.
    pub(crate) fn averaged(mut self, share: f64, reference: &[f64], sample: &Sample) -> Self {
        let near = &self.members[self.nearest_enough(share)..];
        if near.len() < 2 {
            return self;
        }
        let part = 1.0 / near.len() as f64;
        let mut mean = SoftMember { bias: 0.0, terms: Vec::new(), divergence: 0.0 };
        for member in near {
            mean.bias += part * member.bias;
            for &(basis, weight) in &member.terms {
                match mean.terms.iter_mut().find(|(known, _)| *known == basis) {
                    Some((_, sum)) => *sum += part * weight,
                    None => mean.terms.push((basis, part * weight)),
                }
            }
        }
        let found = self.log_odds(&mean, &sample.points);
        mean.divergence = (0..sample.rows())
            .map(|row| sample.weight(row as u32) * divergence(reference[row], found[row]))
            .sum();
        self.average = Some(mean);
        self
    }

    /// The inputs of the row behind a centre.
    pub(crate) fn centre(&self, row: usize) -> Vec<f64> {
        self.points.row(row)
    }

    /// The largest member of at most so many bases.
    pub(crate) fn at_most(&self, size: usize) -> &SoftMember {
        let beyond = self.members.partition_point(|member| member.terms.len() <= size);
        &self.members[beyond.max(1) - 1]
    }

    /// The place of the smallest member whose divergence is at most a share of that of a constant, or
    /// too little to matter.
    pub(crate) fn nearest_enough(&self, share: f64) -> usize {
        let null = self.members[0].divergence;
        let enough = (share * null).max(SoftTuning::LEAST_DIVERGENCE);
        let near = |member: &SoftMember| member.divergence <= enough;
        self.members.iter().position(near).unwrap_or(self.members.len() - 1)
    }

    /// The log-odds of a member at some rows.
    pub(crate) fn log_odds(&self, member: &SoftMember, points: &DenseRows<'_>) -> Vec<f64> {
        let mut sums = vec![member.bias; points.rows];
        let mut column = vec![0.0; points.rows];
        for &(basis, weight) in &member.terms {
            match basis {
                Basis::Bias => column.fill(1.0),
                Basis::Column(input) => column.copy_from_slice(&points.columns[input]),
                Basis::Centre { row, width } => {
                    let Shape { kernel, degree } = self.shape;
                    kernel_into(kernel, degree, points, 0, &self.centre(row), width, &mut column);
                }
            }
            add_scaled(&mut sums, weight, &column);
        }
        sums
    }
}

/// The Kullback-Leibler divergence of the probabilities of some log-odds from those of a reference,
/// in nats.
fn divergence(reference: f64, found: f64) -> f64 {
    let p = logistic(reference);
    // The logarithm of the probability, without loss where that is nearly 0 or 1.
    let log = |odds: f64| odds.min(0.0) - (-odds.abs()).exp().ln_1p();
    let of = |p: f64, log_p: f64, log_q: f64| if p > 0.0 { p * (log_p - log_q) } else { 0.0 };
    of(p, log(reference), log(found)) + of(1.0 - p, log(-reference), log(-found))
}

/// Evolves the members of a front that imitate the log-odds of a reference.
pub(crate) fn evolve(
    sample: &Sample,
    log_odds: &[f64],
    smoothing: Smoothing,
    options: &SoftOptions,
    run: &Run<'_>,
) -> Result<Vec<SoftMember>> {
    let design = dictionary(sample, smoothing, options, run)?;
    let most = options.most.min(design.len() - 1);
    let projection = Projection::new(&design, log_odds, sample.weights.clone(), most, run.stop);
    let greedy = projection.greedy(&mut rng(run.seed.child("greedy", 0)));
    let strategy = Elite::new().start(greedy.len()).children(SoftTuning::CHILDREN);
    let mut search =
        Evolution::<_, _, Fit>::new(&projection, strategy, projection.goals(), run.seed.value())?
            .start(greedy)?
            .log_every(0);
    let task = run.task("front", options.evaluations / SoftTuning::CHILDREN as u64);
    search.run(&projection, &Until::Evaluations(options.evaluations), &task)?;
    let state = search.state();
    let found = state.phenotypes().iter().zip(state.members().costs);
    let mut members: Vec<SoftMember> = found
        .filter_map(|(fit, costs)| {
            let (bases, weights) = fit.as_ref()?;
            let basis = |&at: &u32| design.bases()[at as usize];
            let terms = bases.iter().map(basis).zip(weights[1..].iter().copied()).collect();
            Some(SoftMember { bias: weights[0], terms, divergence: costs.point(0)[1] })
        })
        .collect();
    members.sort_by_key(|member| member.terms.len());
    Ok(members)
}

/// The bias and kernels of several widths around that of the reference.
fn dictionary(
    sample: &Sample,
    smoothing: Smoothing,
    options: &SoftOptions,
    run: &Run<'_>,
) -> Result<Design> {
    let SoftOptions { shape: Shape { kernel, degree }, centres, .. } = *options;
    let widths = SoftTuning::RESOLUTIONS.map(|factor| factor * smoothing.width).to_vec();
    let dictionary = Dictionary { kernel, degree, widths, bias: true, centres };
    let most = if centres == 0 { sample.rows() } else { centres };
    let seed = run.seed.child("centres", 0);
    let rows = stratified_sample(sample.rows(), Some(&sample.labels()), most, seed);
    dictionary.check(&sample.points)?;
    reserve(&dictionary, rows.len(), sample.rows(), run)?;
    Design::centred(&dictionary, &rows, &sample.points, Keep::Stored, run.stop)
}

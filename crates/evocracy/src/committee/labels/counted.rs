//! Combiners that count: votes, naive Bayes, and Dawid and Skene's.

use super::law::{Factors, Law};
use super::loglinear::{no_parents, terms};
use super::rows::{Experts, Rows};
use crate::data::MISSING;
use crate::run::Stop;

/// Steps of the expectation-maximisation of Dawid and Skene.
const STEPS: usize = 100;

/// Plurality.
pub(super) fn vote(rows: &Rows) -> Law {
    Law::Votes { prior: rows.log_prior().into_iter().map(f64::exp).collect() }
}

/// Naive Bayes: what the experts say is independent given the class.
pub(super) fn naive(rows: &Rows, smoothing: f64) -> Law {
    let terms = terms(rows, &no_parents(rows), smoothing);
    let factors = terms.iter().map(|term| term.factor(1.0, None)).collect();
    Law::Factors(Factors { base: rows.log_prior(), states: rows.states.clone(), each: factors })
}

/// The weighted vote: an expert of accuracy `a` adds `ln((k - 1) a / (1 - a))` to the class it
/// names, which is best where experts err independently and all errors are alike. Half an error and
/// half a correct row are added to what was counted. An expert that votes for one class alone adds
/// nothing: that it is right as often as the class is frequent stands in the prior already.
pub(super) fn weighted(experts: &Experts, rows: &Rows) -> Law {
    let k = rows.classes;
    let Law::Factors(mut law) = naive(rows, 1.0) else { return vote(rows) };
    for (expert, factor) in law.each.iter_mut().enumerate() {
        let (mut right, mut all) = (0.5, 1.0);
        let (mut first, mut several) = (None, false);
        for row in 0..rows.len() {
            if let Some(class) = experts.vote(expert, rows.row(row)[expert]) {
                several |= *first.get_or_insert(class) != class;
                all += rows.weights[row];
                right +=
                    f64::from(u8::from(class == rows.labels[row] as usize)) * rows.weights[row];
            }
        }
        let worth = if several { ((k - 1) as f64 * right / (all - right)).ln() } else { 0.0 };
        factor.adds.fill(0.0);
        for state in 0..rows.states[expert] {
            if let Some(class) = experts.vote(expert, state as u32) {
                factor.adds[state * k + class] = worth;
            }
        }
    }
    Law::Factors(law)
}

/// A. P. Dawid, A. M. Skene, "Maximum likelihood estimation of observer error-rates using the EM
/// algorithm", Applied Statistics 28 (1979) 20-28: the truth is taken as unknown, also in
/// training, and found together with the confusion of each expert, from the votes on. It says what
/// can be had without any truth, where labels are classes: what other labels are votes for at the start
/// was learnt from the truth.
pub(super) fn dawid_skene(experts: &Experts, rows: &Rows, smoothing: f64, stop: &Stop) -> Law {
    let k = rows.classes;
    let mut believed = vec![0.0; rows.len() * k];
    for (row, believed) in believed.chunks_exact_mut(k).enumerate() {
        believed.fill(1.0 / k as f64);
        for (expert, &state) in rows.row(row).iter().enumerate() {
            if let Some(class) = experts.vote(expert, state) {
                believed[class] += 1.0;
            }
        }
        let total: f64 = believed.iter().sum();
        for share in believed {
            *share /= total;
        }
    }
    let (mut law, mut last) = (maximise(rows, &believed, smoothing), f64::NEG_INFINITY);
    for _ in 0..STEPS {
        if stop.requested() {
            break;
        }
        let here = expect(rows, &law, &mut believed);
        law = maximise(rows, &believed, smoothing);
        if here - last < 1e-7 * here.abs() {
            break;
        }
        last = here;
    }
    Law::Factors(law)
}

/// Prior and confusions given what is believed of each row.
fn maximise(rows: &Rows, believed: &[f64], smoothing: f64) -> Factors {
    let k = rows.classes;
    let mut prior = vec![1.0 / k as f64; k];
    let mut counts: Vec<Vec<f64>> =
        rows.states.iter().map(|states| vec![smoothing; states * k]).collect();
    for (row, believed) in believed.chunks_exact(k).enumerate() {
        let weight = rows.weights[row];
        let add = |to: &mut [f64]| {
            to.iter_mut().zip(believed).for_each(|(to, share)| *to += weight * share);
        };
        add(&mut prior);
        for (counts, &state) in counts.iter_mut().zip(rows.row(row)) {
            if state != MISSING {
                add(&mut counts[state as usize * k..][..k]);
            }
        }
    }
    let total: f64 = prior.iter().sum();
    let factors = counts.into_iter().enumerate().map(|(expert, counts)| {
        let mut sums = vec![0.0; k];
        for counts in counts.chunks_exact(k) {
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        let log = |(at, count): (usize, &f64)| (count / sums[at % k]).ln();
        super::law::Factor {
            expert: expert as u32,
            parents: Vec::new(),
            configs: Vec::new(),
            adds: counts.iter().enumerate().map(log).collect(),
        }
    });
    Factors {
        base: prior.iter().map(|share| (share / total).ln()).collect(),
        states: rows.states.clone(),
        each: factors.collect(),
    }
}

/// What is believed of each row, and the log-likelihood of what was said.
fn expect(rows: &Rows, law: &Factors, believed: &mut [f64]) -> f64 {
    let k = rows.classes;
    let mut total = 0.0;
    for (row, believed) in believed.chunks_exact_mut(k).enumerate() {
        believed.copy_from_slice(&law.base);
        for (factor, &state) in law.each.iter().zip(rows.row(row)) {
            if state != MISSING {
                let adds = &factor.adds[state as usize * k..][..k];
                believed.iter_mut().zip(adds).for_each(|(to, add)| *to += add);
            }
        }
        let top = believed.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = believed.iter().map(|log| (log - top).exp()).sum();
        total += rows.weights[row] * (top + sum.ln());
        for log in believed {
            *log = (*log - top).exp() / sum;
        }
    }
    total
}

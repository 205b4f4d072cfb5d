//! Fronts of several classes by `soft`: error against size.
//!
//! Each class is searched for against the rest. A member of the whole front has, for some share of
//! divergence, the smallest sum of every class that is within that share: all classes are imitated
//! equally well. Probabilities are the softmax of the sums times one factor, under which the
//! training rows are most probable: the softmax of sums that were each learnt against the rest
//! would be too certain.

use super::chain::{Chain, Unseen};
use super::evolved::{SharedSums, one_class};
use super::model::FrontModel;
use super::options::{FrontOptions, sampled_rows};
use super::soft::{self, Evolved};
use crate::classify::softmax_in_place;
use crate::data::{Classes, Task};
use crate::error::Result;
use crate::kernel::soft::Sample;
use crate::num::logit::logit;
use crate::run::Run;

/// Shares of divergence that members are made for, besides the tolerance.
const SHARES: [f64; 10] = [1.0, 0.5, 0.3, 0.2, 0.15, 0.1, 0.05, 0.02, 0.01, 0.0];

/// Factors that sums are tried with.
const FACTORS: [f64; 9] = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.5];

pub(super) fn learn(
    options: &FrontOptions,
    task: &Task<'_>,
    classes: &Classes,
    run: &Run<'_>,
) -> Result<FrontModel> {
    let (_, labels) = task.labels()?;
    let mut weighty = labels.iter().zip(task.weights()).filter(|(_, weight)| *weight > 0.0);
    let first = weighty.next().map(|(label, _)| label);
    if weighty.all(|(label, _)| Some(label) == first) {
        return Err(one_class());
    }
    let mut fronts: Vec<(Sample, Evolved)> = Vec::new();
    let (mut rows, mut own) = (Vec::new(), Vec::new());
    for class in 0..classes.len() {
        let (sample, positions) = Sample::new(task, class)?;
        if class == 0 {
            own = positions.iter().map(|&row| labels[row as usize]).collect();
            rows = positions;
        }
        let searched = sampled_rows(options.rows, &own, run);
        let evolved = soft::search(options, &sample, searched, &run.child("class", class as u64))?;
        fronts.push((sample, evolved));
    }
    let (chosen, levels) = levels(&fronts, options.tolerance);
    let sample = &fronts[0].0;
    let mut sums = SharedSums::new(&fronts[0].1.front, sample.points.inputs());
    let mut chain = Chain {
        sizes: Vec::new(),
        proba: Vec::new(),
        rows: fronts[0].1.rows.clone(),
        expected: None,
        unseen: same_rows(&fronts).map(|rows| Unseen { rows, proba: Vec::new(), ranks: None }),
        chosen,
        weights: sample.weights.clone().unwrap_or_else(|| vec![1.0; sample.rows()]),
        labels: own,
    };
    for members in levels {
        let log_odds: Vec<Vec<f64>> = fronts
            .iter()
            .zip(&members)
            .map(|((sample, class), &m)| {
                let points = sample.points.subset(&class.rows);
                class.front.log_odds(&class.front.members[m], &points)
            })
            .collect();
        let factor = best_factor(&chain, &log_odds);
        chain.proba.push(softmax(&log_odds, factor));
        if let Some(unseen) = &mut chain.unseen {
            let of = |((_, class), &m): (&(Sample, Evolved), &usize)| -> Vec<f64> {
                let proba = class.unseen.as_ref().map(|unseen| &unseen.proba[m]);
                proba.into_iter().flatten().map(|&p| logit(p.clamp(1e-12, 1.0 - 1e-12))).collect()
            };
            let log_odds: Vec<Vec<f64>> = fronts.iter().zip(&members).map(of).collect();
            unseen.proba.push(softmax(&log_odds, factor));
        }
        let size =
            |((_, class), &m): (&(Sample, Evolved), &usize)| class.front.members[m].terms.len();
        chain.sizes.push(fronts.iter().zip(&members).map(size).sum::<usize>() as f64);
        for ((_, class), &member) in fronts.iter().zip(&members) {
            let id = |row: usize| task.row_id(rows[class.rows[row] as usize] as usize) as u32;
            sums.add(&class.front, &class.front.members[member], factor, id);
        }
    }
    let (points, chosen) = chain.points(classes, options.complexity_is())?;
    FrontModel::of_sums(classes.clone(), sums.sums, points, chosen)
}

/// Members of every class for falling shares of divergence, each combination once, and the place of
/// that of the tolerance.
fn levels(fronts: &[(Sample, Evolved)], tolerance: f64) -> (usize, Vec<Vec<usize>>) {
    let mut shares = SHARES.to_vec();
    shares.push(tolerance);
    shares.sort_by(|a, b| b.total_cmp(a));
    let (mut levels, mut chosen): (Vec<Vec<usize>>, usize) = (Vec::new(), 0);
    for share in shares {
        let members = fronts.iter().map(|(_, class)| class.front.nearest_enough(share)).collect();
        if levels.last() != Some(&members) {
            levels.push(members);
        }
        if share >= tolerance {
            chosen = levels.len() - 1;
        }
    }
    (chosen, levels)
}

/// The rows that the members of all classes were judged on, where they are the same.
fn same_rows(fronts: &[(Sample, Evolved)]) -> Option<Vec<u32>> {
    let first = fronts.first()?.1.unseen.as_ref()?;
    let same = |(_, class): &(Sample, Evolved)| {
        class.unseen.as_ref().is_some_and(|unseen| unseen.rows == first.rows)
    };
    fronts.iter().all(same).then(|| first.rows.clone())
}

/// Probabilities, row after row, of log-odds, class by class.
fn softmax(log_odds: &[Vec<f64>], factor: f64) -> Vec<f64> {
    let k = log_odds.len();
    let mut proba = vec![0.0; k * log_odds[0].len()];
    for (row, out) in proba.chunks_exact_mut(k).enumerate() {
        out.iter_mut().zip(log_odds).for_each(|(place, odds)| *place = factor * odds[row]);
        softmax_in_place(out);
    }
    proba
}

/// The factor under which the labels are most probable.
fn best_factor(chain: &Chain, log_odds: &[Vec<f64>]) -> f64 {
    let mut best = (f64::NEG_INFINITY, 1.0);
    for factor in FACTORS {
        let proba = softmax(log_odds, factor);
        let rows = proba.chunks_exact(log_odds.len()).zip(&chain.rows);
        let of = |(p, &row): (&[f64], &u32)| {
            let p = p[chain.labels[row as usize] as usize].max(f64::MIN_POSITIVE);
            chain.weights[row as usize] * p.ln()
        };
        let sum: f64 = rows.map(of).sum();
        if sum > best.0 {
            best = (sum, factor);
        }
    }
    best.1
}

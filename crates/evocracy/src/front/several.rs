//! Fronts of several classes by `soft`.
//!
//! Each class is searched for against the rest. A member of the whole front has, for some share of
//! divergence, the smallest sum of every class that is within that share: all classes are imitated
//! equally well. Probabilities are the softmax of the sums times one factor, under which the
//! training rows are most probable: the softmax of sums that were each learnt against the rest
//! would be too certain. The factor is one of nine numbers, chosen for each member with the labels of
//! all searched rows; folds do not choose it anew, so that their rows have this small part in it.

use super::evolved::SharedSums;
use super::model::FrontModel;
use super::options::{Admission, FrontOptions, sampled_rows};
use super::path::ModelPath;
use super::soft::{self, Evolved};
use super::unseen::{Unseen, enough_left};
use crate::classify::softmax_in_place;
use crate::data::{Classes, Task, pick};
use crate::error::{Error, Result};
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
    if options.average > 0.0 {
        return Err(Error::unsuitable(
            format!("`average` makes a mean of two classes, and there are {}", classes.len()),
            "leave it out, or put one class against all others",
        ));
    }
    let (_, labels) = task.labels()?;
    let (sample, rows) = Sample::new(task, 0)?;
    let own: Vec<u32> = pick(&rows, &labels);
    let searched = sampled_rows(options.rows, &own, run);
    // All classes share the inputs, and the rows that they are judged on: a class of few rows must not
    // be judged on others than the rest.
    let some = sample.subset(&searched);
    let left = enough_left(&searched, &own);
    let judged = left.as_ref().map_or(2 * searched.len(), Vec::len);
    let members = options.soft.most.saturating_add(2);
    let what = "what the members of the fronts of all classes say of the rows";
    run.reserve(what, &[members, judged, classes.len()])?;
    let mut fronts: Vec<Evolved> = Vec::new();
    for class in 0..classes.len() as u32 {
        let all = sample.against(|row| own[row] == class);
        let some = some.against(|row| own[searched[row] as usize] == class);
        let run = run.child("class", u64::from(class));
        fronts.push(soft::search(options, &all, (&some, &searched), left.as_deref(), &run)?);
    }
    let (chosen, levels) = levels(&fronts, options.tolerance);
    let mut sums = SharedSums::new(&fronts[0].front, sample.points.inputs());
    let mut path = ModelPath {
        sizes: Vec::new(),
        proba: Vec::new(),
        rows: searched.clone(),
        expected: None,
        admission: (Admission::Counted, run.seed),
        unseen: judged_alike(&fronts),
        chosen,
        weights: sample.weights.clone().unwrap_or_else(|| vec![1.0; sample.rows()]),
        labels: own,
    };
    for members in levels {
        let of = |(class, &m): (&Evolved, &usize)| {
            class.front.log_odds(&class.front.members[m], &some.points)
        };
        let log_odds: Vec<Vec<f64>> = fronts.iter().zip(&members).map(of).collect();
        let factor = best_factor(&path, &log_odds);
        path.proba.push(softmax(&log_odds, factor));
        if let Some(unseen) = &mut path.unseen {
            let of = |(class, &m): (&Evolved, &usize)| -> Vec<f64> {
                let proba = class.unseen.as_ref().map(|unseen| &unseen.proba[m]);
                proba.into_iter().flatten().map(|&p| logit(p.clamp(1e-12, 1.0 - 1e-12))).collect()
            };
            let log_odds: Vec<Vec<f64>> = fronts.iter().zip(&members).map(of).collect();
            unseen.proba.push(softmax(&log_odds, factor));
        }
        let size = |(class, &m): (&Evolved, &usize)| class.front.members[m].terms.len();
        path.sizes.push(fronts.iter().zip(&members).map(size).sum::<usize>() as f64);
        for (class, &member) in fronts.iter().zip(&members) {
            let id = |row: usize| task.row_id(rows[searched[row] as usize] as usize) as u32;
            sums.add(&class.front, &class.front.members[member], factor, id);
        }
    }
    let (points, chosen) = path.points(classes, options.complexity_is(), run.stop)?;
    FrontModel::of_sums(classes.clone(), sums.sums, points, chosen)
}

/// Members of every class for falling shares of divergence, each combination once, and the place of
/// that of the tolerance.
fn levels(fronts: &[Evolved], tolerance: f64) -> (usize, Vec<Vec<usize>>) {
    let mut shares = SHARES.to_vec();
    shares.push(tolerance);
    shares.sort_by(|a, b| b.total_cmp(a));
    let (mut levels, mut chosen): (Vec<Vec<usize>>, usize) = (Vec::new(), 0);
    for share in shares {
        let members = fronts.iter().map(|class| class.front.nearest_enough(share)).collect();
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
fn judged_alike(fronts: &[Evolved]) -> Option<Unseen> {
    let first = fronts.first()?.unseen.as_ref()?;
    let same =
        |class: &Evolved| class.unseen.as_ref().is_some_and(|unseen| unseen.rows == first.rows);
    let (rows, rows_for_one) = (first.rows.clone(), first.rows_for_one);
    fronts.iter().all(same).then(|| Unseen { rows, rows_for_one, proba: Vec::new(), ranks: None })
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
fn best_factor(path: &ModelPath, log_odds: &[Vec<f64>]) -> f64 {
    let mut best = (f64::NEG_INFINITY, 1.0);
    for factor in FACTORS {
        let proba = softmax(log_odds, factor);
        let rows = proba.chunks_exact(log_odds.len()).zip(&path.rows);
        let of = |(p, &row): (&[f64], &u32)| {
            let p = p[path.labels[row as usize] as usize].max(f64::MIN_POSITIVE);
            path.weights[row as usize] * p.ln()
        };
        let sum: f64 = rows.map(of).sum();
        if sum > best.0 {
            best = (sum, factor);
        }
    }
    best.1
}

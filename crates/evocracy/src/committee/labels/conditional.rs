//! The conditional network: its structure is chosen for `p(class | labels)`, not for the joint
//! probability.
//!
//! The class is a parent of every expert, and an expert may have others as parents. A structure is
//! scored by the conditional log-likelihood of the training rows, each counted without itself
//! ([`super::terms`]), with a weight for each term. From the naive structure on, the arc that gains
//! most is added, taken away or exchanged, and the weights are fitted again; at the end numbers for
//! each label and class are added, with the penalty that folds choose.
//!
//! This is a greedy climb and no evolution: the conditional likelihood is no sum over nodes, so that
//! there are no lists of parent sets, each scored once, over which orders could evolve
//! ([`crate::network::search::evobn`]); every structure costs a fit of the weights of all terms.

use super::descent::Descent;
use super::grouping::partners;
use super::law::Law;
use super::loglinear::{Parents, STEPS, Shape, few, fit as fit_sum, no_parents, terms};
use super::rows::{Experts, Rows};
use super::terms::Term;
use crate::error::Result;
use crate::run::Run;

/// Parents of an expert, beside the class.
const MOST_PARENTS: usize = 2;

/// How many nats an arc must gain.
const LEAST: f64 = 3.0;

/// Steps of a descent while structures are compared.
const SHORT: usize = 15;

/// Weights that a changed term is tried with, as shares of what it had.
const SHARES: [f64; 3] = [1.0, 1.4, 2.0];

/// So many others, those that it agrees with most, are tried as parents of an expert.
const CANDIDATES: usize = 12;

/// At most so many arcs are changed.
const MOST_MOVES: usize = 60;

/// Finds the structure and fits its numbers.
pub(super) fn fit(experts: &Experts, rows: &Rows, smoothing: f64, run: &Run<'_>) -> Result<Law> {
    let some = few(rows, run)?;
    let parents = search(experts, some.as_ref().unwrap_or(rows), smoothing, run);
    let shape = Shape { parents: &parents, weighted: true, smoothing };
    Ok(Law::Factors(fit_sum(experts, rows, shape, run)?))
}

/// The parents of each expert.
fn search(experts: &Experts, rows: &Rows, smoothing: f64, run: &Run<'_>) -> Parents {
    let partners = partners(experts, rows, CANDIDATES);
    let mut parents = no_parents(rows);
    let mut terms = terms(rows, &parents, smoothing);
    let mut x = Vec::new();
    let mut best = refit(rows, &terms, &mut x, STEPS, run);
    for _ in 0..MOST_MOVES {
        if run.stop.requested() {
            break;
        }
        let Some((expert, term)) =
            best_move((rows, smoothing), (&parents, &partners), &terms, &x, run)
        else {
            break;
        };
        terms[expert] = term;
        let here = refit(rows, &terms, &mut x, SHORT, run);
        if here > best - LEAST {
            break;
        }
        best = here;
        parents[expert].clone_from(&terms[expert].parents);
    }
    parents
}

/// Fits the weights again and returns the objective, less being better.
fn refit(rows: &Rows, terms: &[Term], x: &mut Vec<f64>, steps: usize, run: &Run<'_>) -> f64 {
    let descent = Descent { rows, terms, weighted: true, ridge: None };
    if x.is_empty() {
        *x = descent.start();
    }
    descent.descend(x, steps, run.stop)
}

/// The change of one expert's parents that gains most with the other weights as they are.
fn best_move(
    (rows, smoothing): (&Rows, f64),
    (parents, partners): (&Parents, &Parents),
    terms: &[Term],
    x: &[f64],
    run: &Run<'_>,
) -> Option<(usize, Term)> {
    let descent = Descent { rows, terms, weighted: true, ridge: None };
    let scores = descent.all_scores(x);
    let weights = descent.weights(x);
    let each = run.pool.map(terms.len(), |expert| {
        let mut best: Option<(f64, Term)> = None;
        for wanted in moves(parents, &partners[expert], expert) {
            let Some(term) = Term::new(rows, expert, &wanted, smoothing) else { continue };
            let gain = SHARES
                .map(|share| gain(rows, &scores, &terms[expert], &term, weights[expert], share));
            let gain = gain.into_iter().fold(f64::NEG_INFINITY, f64::max);
            if best.as_ref().is_none_or(|(most, _)| gain > *most) {
                best = Some((gain, term));
            }
        }
        best
    });
    let found = each.into_iter().enumerate().filter_map(|(expert, best)| Some((expert, best?)));
    let first = found.reduce(|best, next| if next.1.0 > best.1.0 { next } else { best })?;
    (first.1.0 > 0.0).then_some((first.0, first.1.1))
}

/// The parent sets one arc away that make no circle.
fn moves(parents: &Parents, partners: &[u32], expert: usize) -> Vec<Vec<u32>> {
    let own = &parents[expert];
    let others: Vec<u32> = partners
        .iter()
        .copied()
        .filter(|other| !own.contains(other))
        .filter(|&other| !reaches(parents, other as usize, expert))
        .collect();
    let mut all = Vec::new();
    for at in 0..own.len() {
        let mut less = own.clone();
        less.remove(at);
        for &other in &others {
            let mut exchanged = less.clone();
            exchanged.push(other);
            all.push(exchanged);
        }
        all.push(less);
    }
    if own.len() < MOST_PARENTS {
        all.extend(others.iter().map(|&other| [&own[..], &[other]].concat()));
    }
    all
}

/// Whether an expert is a descendant of another: found by going up from it.
fn reaches(parents: &Parents, from: usize, ancestor: usize) -> bool {
    let (mut seen, mut left) = (vec![false; parents.len()], vec![from]);
    while let Some(at) = left.pop() {
        if at == ancestor {
            return true;
        }
        if !std::mem::replace(&mut seen[at], true) {
            left.extend(parents[at].iter().map(|&parent| parent as usize));
        }
    }
    false
}

/// What the log-likelihood gains when a term takes the place of another, with this share of its
/// weight.
fn gain(rows: &Rows, scores: &[f64], old: &Term, new: &Term, weight: f64, share: f64) -> f64 {
    let k = rows.classes;
    let mut changed = vec![0.0; k];
    let mut gain = 0.0;
    for (row, scores) in scores.chunks_exact(k).enumerate() {
        let class = rows.labels[row] as usize;
        changed.copy_from_slice(scores);
        for (term, weight) in [(old, -weight), (new, weight * share)] {
            if let Some((logs, own)) = term.of_row(row, class, k) {
                changed.iter_mut().zip(logs).for_each(|(score, log)| *score += weight * log);
                changed[class] += weight * (own - logs[class]);
            }
        }
        gain += rows.weights[row] * (log_share(&changed, class) - log_share(scores, class));
    }
    gain
}

/// The logarithm of the softmax of one of the scores.
fn log_share(scores: &[f64], at: usize) -> f64 {
    let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = scores.iter().map(|score| (score - top).exp()).sum();
    scores[at] - top - sum.ln()
}

//! Sums that are fitted to the conditional likelihood: stacking by logistic regression on the labels,
//! and the log-linear combiner, which starts from what naive Bayes knows.
//!
//! The log-linear score of a class is a weight for each expert times its naive log-likelihood, plus
//! numbers for each label and class that are shrunk to 0. With all weights 1 and no shrunk numbers
//! it is naive Bayes; with experts that say the same the weights share what one of them is worth.

use super::descent::Descent;
use super::law::{Factors, Law, logs};
use super::rows::{Experts, Rows};
use super::terms::Term;
use crate::data::{folds, holdout};
use crate::error::Result;
use crate::run::Run;

/// Penalties that are tried, greatest first: each fit starts from the one before it.
const RIDGES: [f64; 6] = [100.0, 30.0, 10.0, 3.0, 1.0, 0.3];

/// Steps of a descent.
pub(super) const STEPS: usize = 100;

/// Steps of a descent while penalties are compared.
const SHORT: usize = 40;

/// Folds on which a penalty is chosen.
const FOLDS: usize = 3;

/// At most so many rows, the same share of every class but for rounding, are used to choose something.
pub(super) const CHOOSING_ROWS: usize = 2000;

/// Parents of each expert, in their order.
pub(super) type Parents = Vec<Vec<u32>>;

/// Experts without parents.
pub(super) fn no_parents(rows: &Rows) -> Parents {
    vec![Vec::new(); rows.experts()]
}

/// The terms of all experts.
pub(super) fn terms(rows: &Rows, parents: &[Vec<u32>], smoothing: f64) -> Vec<Term> {
    let term = |(expert, parents): (usize, &Vec<u32>)| {
        Term::new(rows, expert, parents, smoothing)
            .or_else(|| Term::new(rows, expert, &[], smoothing))
    };
    parents.iter().enumerate().filter_map(term).collect()
}

/// What is fitted, beside the penalty.
#[derive(Clone, Copy)]
pub(super) struct Shape<'a> {
    pub parents: &'a [Vec<u32>],
    /// Whether terms have weights.
    pub weighted: bool,
    pub smoothing: f64,
}

/// Fits the sum with the penalty that the likelihood of folds chooses.
pub(super) fn fit(
    experts: &Experts,
    rows: &Rows,
    shape: Shape<'_>,
    run: &Run<'_>,
) -> Result<Factors> {
    let ridge = choose(experts, rows, shape, run)?;
    let terms = terms(rows, shape.parents, shape.smoothing);
    let descent = Descent { rows, terms: &terms, weighted: shape.weighted, ridge };
    let mut x = descent.start();
    descent.descend(&mut x, STEPS, run.stop);
    Ok(descent.factors(&x))
}

/// The penalty of the greatest likelihood on folds; `None` for no numbers to be shrunk, which is
/// tried where terms have weights.
fn choose(experts: &Experts, rows: &Rows, shape: Shape<'_>, run: &Run<'_>) -> Result<Option<f64>> {
    let some = few(rows, run)?;
    let rows = some.as_ref().unwrap_or(rows);
    let count = FOLDS.min(rows.len());
    if count < 2 {
        return Ok(Some(RIDGES[1]));
    }
    let splits = folds(rows.len(), Some(&rows.labels), count, run.seed.child("ridge", 0))?;
    let each = run.pool.map(splits.len(), |fold| {
        let (train, test) = (rows.some(&splits[fold].train), rows.some(&splits[fold].test));
        path(experts, &train, &test, shape, run)
    });
    if run.stop.requested() {
        return Ok(Some(RIDGES[1]));
    }
    let mut sums = vec![0.0; RIDGES.len() + 1];
    for fold in each {
        sums.iter_mut().zip(fold?).for_each(|(sum, log)| *sum += log);
    }
    let best = crate::num::argmax(&sums);
    Ok((best > 0).then(|| RIDGES[best - 1]))
}

/// The likelihood of test rows: without shrunk numbers, then for each penalty, fewer after a stop.
fn path(
    experts: &Experts,
    train: &Rows,
    test: &Rows,
    shape: Shape<'_>,
    run: &Run<'_>,
) -> Result<Vec<f64>> {
    let terms = terms(train, shape.parents, shape.smoothing);
    let judge = |factors: Factors| {
        let law = Law::Factors(factors);
        let logs = logs(test, &law.probabilities(experts, test, None, run.stop)?);
        Ok(logs.iter().zip(&test.weights).map(|(log, weight)| log * weight).sum::<f64>())
    };
    let plain = Descent { rows: train, terms: &terms, weighted: shape.weighted, ridge: None };
    let mut x = plain.start();
    let mut found = vec![f64::NEG_INFINITY];
    if shape.weighted {
        plain.descend(&mut x, SHORT, run.stop);
        found[0] = judge(plain.factors(&x))?;
    }
    for ridge in RIDGES {
        if run.stop.requested() {
            break;
        }
        let descent = Descent { ridge: Some(ridge), ..plain };
        x.resize(descent.start().len(), 0.0);
        descent.descend(&mut x, SHORT, run.stop);
        found.push(judge(descent.factors(&x))?);
    }
    Ok(found)
}

/// Fewer rows to choose something on, where there are many; the same share of every class.
pub(super) fn few(rows: &Rows, run: &Run<'_>) -> Result<Option<Rows>> {
    Ok(few_of(&rows.labels, run)?.map(|some| rows.some(&some)))
}

/// The positions of such rows.
pub(super) fn few_of(labels: &[u32], run: &Run<'_>) -> Result<Option<Vec<u32>>> {
    if labels.len() <= CHOOSING_ROWS {
        return Ok(None);
    }
    let share = CHOOSING_ROWS as f64 / labels.len() as f64;
    let seed = run.seed.child("few", 0);
    Ok(Some(holdout(labels.len(), Some(labels), share, seed)?.test))
}

//! Diagnostics that all committees have: how their members did before they were combined.

use super::TrainingRows;
use crate::classify::{Diagnostics, MemberError, Proba};
use crate::error::Result;
use crate::measure::diversity;
use crate::method::Method;
use serde::{Serialize, Serializer};

/// Pairs of more members are not compared.
const MOST_COMPARED: usize = 50;

/// The members that take no weights, if rows weigh differently, and how members did on the folds
/// they were not trained on, alone and in pairs, if that is known.
pub(super) fn of_members(
    members: &[Box<dyn Method>],
    rows: &TrainingRows,
    out_of_fold: &[Proba],
) -> Result<Diagnostics> {
    let drawn = members.iter().filter(|member| !member.takes_weights());
    let drawn: Vec<String> = drawn.map(|member| member.name().to_owned()).collect();
    let differ = rows.weights.iter().any(|&weight| weight != rows.weights[0]);
    let resampled_by_weight = (differ && !drawn.is_empty()).then_some(drawn);
    let mut all = Diagnostics { resampled_by_weight, ..Diagnostics::default() };
    if out_of_fold.is_empty() {
        return Ok(all);
    }
    let calls: Vec<Vec<u32>> = out_of_fold.iter().map(Proba::calls).collect();
    let weight: f64 = rows.weights.iter().sum();
    let error = |calls: &Vec<u32>| {
        let each = calls.iter().zip(&rows.labels).zip(&rows.weights);
        let wrong = each.filter(|((call, label), _)| call != label);
        wrong.map(|(_, weight)| weight).sum::<f64>() / weight
    };
    let errors = members.iter().zip(&calls).map(|(member, calls)| MemberError {
        method: member.name().to_owned(),
        error: error(calls),
    });
    all.out_of_fold = Some(errors.collect());
    if calls.len() <= MOST_COMPARED {
        all.diversity = Some(diversity::pairs(&rows.labels, &calls, rows.classes.len())?);
    }
    Ok(all)
}

/// Writes names in alphabetical order at all levels, as model files have held them from the start.
pub(super) fn sorted<S: Serializer>(all: &Diagnostics, into: S) -> Result<S::Ok, S::Error> {
    serde_json::to_value(all).map_err(serde::ser::Error::custom)?.serialize(into)
}

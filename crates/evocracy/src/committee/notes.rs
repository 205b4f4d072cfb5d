//! What a committee keeps of how it was made, for those who ask why it is good.

use super::council::Ground;
use crate::classify::{Diagnostics, MemberError};
use crate::error::Result;
use crate::measure::diversity;
use crate::method::Method;
use crate::num::argmax;
use serde::{Serialize, Serializer};

/// Pairs of more members are not compared.
const MOST_COMPARED: usize = 50;

/// Begins with the members that heed no weights, if rows weigh differently: these are given
/// rows drawn by their weights.
pub(super) fn start(members: &[Box<dyn Method>], ground: &Ground) -> Diagnostics {
    let drawn = members.iter().filter(|member| !member.takes_weights());
    let drawn: Vec<String> = drawn.map(|member| member.name().to_owned()).collect();
    let differ = ground.weights.iter().any(|&weight| weight != ground.weights[0]);
    let resampled_by_weight = (differ && !drawn.is_empty()).then_some(drawn);
    Diagnostics { resampled_by_weight, ..Diagnostics::default() }
}

/// How methods did on the folds they were not trained on, alone and in pairs.
pub(super) fn out_of_fold(
    notes: &mut Diagnostics,
    members: &[Box<dyn Method>],
    ground: &Ground,
    said: &[Vec<f64>],
) -> Result<()> {
    let k = ground.classes.len();
    let calls: Vec<Vec<u32>> = said
        .iter()
        .map(|proba| proba.chunks_exact(k).map(|p| argmax(p) as u32).collect())
        .collect();
    let all: f64 = ground.weights.iter().sum();
    let error = |calls: &Vec<u32>| {
        let rows = calls.iter().zip(&ground.labels).zip(&ground.weights);
        let wrong = rows.filter(|((call, label), _)| call != label);
        wrong.map(|(_, weight)| weight).sum::<f64>() / all
    };
    let errors = members
        .iter()
        .zip(&calls)
        .map(|(member, calls)| MemberError {
            method: member.name().to_owned(),
            error: error(calls),
        })
        .collect();
    notes.out_of_fold = Some(errors);
    if calls.len() <= MOST_COMPARED {
        notes.diversity = Some(diversity::pairs(&ground.labels, &calls, k)?);
    }
    Ok(())
}

/// Names in alphabetical order at all levels, as model files have held them from the start.
pub(super) fn sorted<S: Serializer>(notes: &Diagnostics, into: S) -> Result<S::Ok, S::Error> {
    let sorted = serde_json::to_value(notes).map_err(serde::ser::Error::custom)?;
    sorted.serialize(into)
}

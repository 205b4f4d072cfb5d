//! What a committee keeps of how it was made, for those who ask why it is good.

use super::council::Ground;
use super::diversity;
use crate::error::Result;
use crate::method::Method;
use crate::num::argmax;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Pairs of more members are not compared.
const MOST_COMPARED: usize = 50;

/// Figures by name.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Notes(Map<String, Value>);

impl Notes {
    /// Begins with the members that heed no weights, if rows weigh differently: these are given
    /// rows drawn by their weights.
    pub(super) fn new(members: &[Box<dyn Method>], ground: &Ground) -> Self {
        let mut notes = Self::default();
        let drawn = members.iter().filter(|member| !member.takes_weights());
        let drawn: Vec<&str> = drawn.map(|member| member.name()).collect();
        if !drawn.is_empty() && ground.weights.iter().any(|&weight| weight != ground.weights[0]) {
            notes.add("resampled_by_weight", json!(drawn));
        }
        notes
    }

    pub fn add(&mut self, name: &str, value: Value) {
        self.0.insert(name.to_owned(), value);
    }

    pub fn all(&self) -> Map<String, Value> {
        self.0.clone()
    }

    /// How methods did on the folds they were not trained on, alone and in pairs.
    pub(super) fn out_of_fold(
        &mut self,
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
        let errors: Vec<Value> = members
            .iter()
            .zip(&calls)
            .map(|(member, calls)| json!({ "method": member.name(), "error": error(calls) }))
            .collect();
        self.add("out_of_fold", json!(errors));
        if calls.len() <= MOST_COMPARED {
            self.add("diversity", json!(diversity::pairs(&ground.labels, &calls, k)?));
        }
        Ok(())
    }
}

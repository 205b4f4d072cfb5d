//! What a fitted model brings along to be saved and loaded.
//!
//! The trait stands here, below `model/`, so that experts can implement it without knowing the
//! model type that holds them all.

use super::{Diagnostics, Rulebook};
use crate::data::Schema;
use crate::error::Result;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What every fitted model can do beside predicting.
pub trait Saved: Serialize + DeserializeOwned {
    /// The version of its payload; a method reads all its earlier ones (`serde(default)`).
    const VERSION: u32;

    /// Refuses what a damaged or forged file could hold: indices outside their arrays, shapes
    /// that do not fit `inputs` (the columns after encoding), numbers that are not finite.
    fn check(&self, inputs: &Schema) -> Result<()>;

    /// How large it is, in its own terms: leaves, rules, vectors.
    fn size(&self) -> Vec<(&'static str, u64)>;

    /// What training found out about it beside its predictions, such as out-of-bag errors and
    /// importances; `inputs` name the columns.
    fn diagnostics(&self, inputs: &Schema) -> Diagnostics {
        let _ = inputs;
        Diagnostics::default()
    }

    /// Its rules, if it is made of rules; `inputs` are the columns they test.
    fn rules(&self, inputs: &Schema) -> Option<Rulebook> {
        let _ = inputs;
        None
    }
}

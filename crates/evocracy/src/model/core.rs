//! What was learnt, by any method: one enum, so that a saved model is one type.

use crate::classify::Classifier;
use crate::data::Schema;
use crate::error::Result;
use crate::experts::{NaiveBayesModel, TreeModel};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What every core can do beside predicting.
pub trait Saved: Serialize + DeserializeOwned {
    /// The version of its payload; a method reads all its earlier ones (`serde(default)`).
    const VERSION: u32;

    /// Refuses what a damaged or forged file could hold: indices outside their arrays, shapes
    /// that do not fit `inputs` (the columns after encoding), numbers that are not finite.
    fn check(&self, inputs: &Schema) -> Result<()>;

    /// How large it is, in its own terms: leaves, rules, vectors.
    fn size(&self) -> Vec<(&'static str, u64)>;
}

macro_rules! cores {
    ($( $(#[doc = $doc:literal])+ $variant:ident($ty:ty) = $name:literal, )+) => {
        /// What was learnt, by method.
        #[derive(Debug, Clone)]
        pub enum Core { $( $(#[doc = $doc])+ $variant($ty), )+ }

        $( impl From<$ty> for Core {
            fn from(model: $ty) -> Self {
                Self::$variant(model)
            }
        } )+

        impl Core {
            /// The name its chunk has in a model file.
            pub fn name(&self) -> &'static str {
                match self { $( Self::$variant(_) => $name, )+ }
            }

            /// The core as a classifier, if it is one.
            pub fn classifier(&self) -> Option<&dyn Classifier> {
                match self { $( Self::$variant(model) => Some(model), )+ }
            }

            /// How large it is, in its own terms.
            pub fn size(&self) -> Vec<(&'static str, u64)> {
                match self { $( Self::$variant(model) => model.size(), )+ }
            }

            /// Version and payload of its chunk; `wrap` adds what surrounds the core.
            pub(super) fn save(&self, about: &super::file::Around<'_>) -> Result<(u32, Vec<u8>)> {
                match self { $( Self::$variant(model) => {
                    Ok((<$ty as Saved>::VERSION, super::file::encode(about, model)?))
                } )+ }
            }

            /// The model in a chunk, checked.
            pub(super) fn load(name: &str, version: u32, bytes: &[u8]) -> Result<super::Model> {
                match name {
                    $( $name => super::file::decode::<$ty>(name, version, bytes), )+
                    _ => Err(super::file::foreign(name)),
                }
            }
        }
    };
}

cores! {
    /// A decision tree.
    Tree(TreeModel) = "tree",
    /// A naive Bayes model.
    NaiveBayes(NaiveBayesModel) = "naive-bayes",
}

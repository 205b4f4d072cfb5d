//! What was learnt, by any method: one enum, so that a saved model is one type.

use super::Model;
use crate::classify::{Classifier, Diagnostics, Regressor, Rulebook, Saved};
use crate::committee::{AdaBoostModel, CommitteeModel, ForestModel, LabelsModel};
use crate::data::Schema;
use crate::error::{Error, Result};
use crate::experts::{
    FoilModel, KnnModel, LogisticModel, LvqModel, MlpModel, NaiveBayesModel, RidgeModel,
    StumpModel, TreeModel,
};
use crate::front::FrontModel;
use crate::kernel::{RvmModel, RvmRegressionModel};
use crate::rules::{
    MoeBatchModel, MoeGaModel, MoeJointModel, MoeOnlineModel, MoeRegressionModel, UcsModel,
};
use crate::sample::ChainModel;

/// The core as what it is asked for, if it is that.
macro_rules! role {
    (classifier as classifier, $model:ident) => {
        Some($model)
    };
    (regressor as regressor, $model:ident) => {
        Some($model)
    };
    ($is:ident as $asked:ident, $model:ident) => {{
        let _ = $model;
        None
    }};
}

macro_rules! cores {
    ($( $(#[doc = $doc:literal])+ $variant:ident($ty:ty) = $name:literal, $role:ident; )+) => {
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
                match self { $( Self::$variant(model) => role!($role as classifier, model), )+ }
            }

            /// The core as a regressor, if it is one.
            pub fn regressor(&self) -> Option<&dyn Regressor> {
                match self { $( Self::$variant(model) => role!($role as regressor, model), )+ }
            }

            /// How large it is, in its own terms.
            pub fn size(&self) -> Vec<(&'static str, u64)> {
                match self { $( Self::$variant(model) => model.size(), )+ }
            }

            pub(super) fn diagnostics(&self, inputs: &Schema) -> Diagnostics {
                match self { $( Self::$variant(model) => model.diagnostics(inputs), )+ }
            }

            pub(super) fn rules(&self, inputs: &Schema) -> Option<Rulebook> {
                match self { $( Self::$variant(model) => model.rules(inputs), )+ }
            }

            /// Version and payload of its chunk; `wrap` adds what surrounds the core.
            pub(super) fn save(&self, about: &super::file::Around<'_>) -> Result<(u32, Vec<u8>)> {
                match self { $( Self::$variant(model) => {
                    Ok((<$ty as Saved>::VERSION, super::file::encode(about, model)?))
                } )+ }
            }

            /// The model in a chunk, checked.
            pub(super) fn load(name: &str, version: u32, bytes: &[u8]) -> Result<Model> {
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
    Tree(TreeModel) = "tree", classifier;
    /// A decision stump.
    Stump(StumpModel) = "stump", classifier;
    /// A naive Bayes model.
    NaiveBayes(NaiveBayesModel) = "naive-bayes", classifier;
    /// Nearest neighbours.
    Knn(KnnModel) = "knn", classifier;
    /// A logistic regression.
    Logistic(LogisticModel) = "logistic", classifier;
    /// A neural network.
    Mlp(MlpModel) = "mlp", classifier;
    /// Learning vector quantization.
    Lvq(LvqModel) = "lvq", classifier;
    /// A list of rules.
    Foil(FoilModel) = "foil", classifier;
    /// A population of rules.
    Ucs(UcsModel) = "ucs", classifier;
    /// An evolved mixture of rules.
    MoeGa(MoeGaModel) = "moe-ga", classifier;
    /// An evolved mixture of rules for numbers.
    MoeRegression(MoeRegressionModel) = "moe-regression", regressor;
    /// A ridge regression.
    Ridge(RidgeModel) = "ridge", regressor;
    /// A relevance vector machine.
    Rvm(RvmModel) = "rvm", classifier;
    /// A relevance vector machine for numbers.
    RvmRegression(RvmRegressionModel) = "rvm-regression", regressor;
    /// Trees that are averaged.
    Forest(ForestModel) = "forest", classifier;
    /// Boosted trees.
    AdaBoost(AdaBoostModel) = "adaboost", classifier;
    /// A mixture of all rules.
    MoeBatch(MoeBatchModel) = "moe-batch", classifier;
    /// A mixture of all rules, learnt row by row.
    MoeOnline(MoeOnlineModel) = "moe-online", classifier;
    /// A population of rules under the joint likelihood.
    MoeJoint(MoeJointModel) = "moe-joint", classifier;
    /// A combiner of labels.
    Labels(LabelsModel) = "labels", classifier;
    /// A committee of models.
    Committee(CommitteeModel) = "committee", classifier;
    /// A front: models to choose from.
    Front(FrontModel) = "front", classifier;
    /// Sampled hard classifiers.
    Chain(ChainModel) = "chain", classifier;
}

impl Core {
    /// About how many operations a row takes by what was learnt, however few rows that was from:
    /// its members are not counted.
    pub(super) fn operations_of_a_row(&self) -> usize {
        /// Steps down a tree, where it has so many nodes.
        const STEPS: usize = 64;
        let size: Vec<usize> = self.size().iter().map(|(_, size)| *size as usize).collect();
        match (self, &size[..]) {
            // A single path.
            (Self::Tree(_) | Self::Stump(_), _) => STEPS,
            (Self::Forest(_) | Self::AdaBoost(_), &[trees, _, nodes]) => {
                nodes.min(trees.saturating_mul(STEPS))
            }
            (Self::Chain(_), &[samples, parameters]) => samples.saturating_mul(parameters),
            (_, all) => all.iter().fold(0, |sum, size| sum.saturating_add(*size)),
        }
    }

    /// The models it is made of.
    pub fn members(&self) -> &[Model] {
        match self {
            Self::Committee(committee) => committee.members(),
            Self::Front(front) => front.models(),
            _ => &[],
        }
    }

    /// Gives a core that was just decoded its members.
    pub(super) fn adopt(&mut self, members: Vec<Model>) -> Result<()> {
        match self {
            Self::Committee(committee) => committee.adopt(members),
            Self::Front(front) if front.has_models() || !members.is_empty() => front.adopt(members),
            _ if members.is_empty() => Ok(()),
            _ => Err(Error::model_file(format!("`{}` takes no members", self.name()))),
        }
    }
}

//! Experts: the single classifiers that committees are made of.

mod foil;
mod knn;
mod logistic;
mod lvq;
mod mlp;
mod naive_bayes;
mod ridge;
mod stump;
pub(crate) mod tree;

pub use foil::{Foil, FoilModel};
pub use knn::{Knn, KnnModel, Votes};
pub use logistic::{Logistic, LogisticModel};
pub use lvq::{Lvq, LvqKind, LvqModel};
pub use mlp::{Activation, Mlp, MlpModel, Solver};
pub use naive_bayes::{NaiveBayes, NaiveBayesModel};
pub use ridge::{Choose, Ridge, RidgeModel};
pub use stump::{Stump, StumpModel};
pub(crate) use tree::LeafRules;
pub use tree::{Criterion, Tree, TreeModel, TreeNode, TreeOutline};

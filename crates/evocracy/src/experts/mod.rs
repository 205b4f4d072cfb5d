//! Experts: the single classifiers that committees are made of.

mod naive_bayes;
pub(crate) mod tree;

pub use naive_bayes::{NaiveBayes, NaiveBayesModel};
pub use tree::{Criterion, Tree, TreeModel};

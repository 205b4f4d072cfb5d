//! Committees: experts that decide together; and what is done with whole methods and models:
//! making scores into probabilities, and taking the error of a method apart.

mod assembly;
pub mod bias_variance;
mod boost;
pub mod calibrate;
mod codes;
mod columns;
mod combine;
mod combiner;
mod diagnostics;
mod explain;
mod flat_trees;
mod forest;
mod labels;
mod learning_curve;
mod local;
mod member_weights;
mod model;
mod prune;
mod resample;
mod soften;
mod stack;
mod thin;
mod training_rows;
mod vote;

pub use crate::classify::{CurvePoint, Ended, Margins, OutOfBagFigures, Round, Weighting};
pub use crate::measure::diversity;
pub use assembly::{Assembly, Ensemble};
pub use boost::{AdaBoost, AdaBoostModel, Form, Probability};
pub use codes::{Code, Decode, DecodePairs, Decoder, Ecoc, OneRest, Pairs};
pub use combine::{Combine, Gate};
pub use forest::{Bag, ExtraTrees, Forest, ForestModel, Importance, OutOfBag, RandomTrees};
pub use labels::{
    EvoBn, LabelsAuto, LabelsConditional, LabelsDs, LabelsHc, LabelsHidden, LabelsK2,
    LabelsLoglinear, LabelsModel, LabelsNaive, LabelsStack, LabelsTan, LabelsVote, LabelsWeighted,
};
pub use local::Local;
pub use model::CommitteeModel;
pub use prune::{Choice, Prune};
pub use resample::{Cross, Subspace};
pub use soften::{HardKind, Soften};
pub use stack::Stack;
pub use thin::{Thin, Thinned, rms, thin};
pub(crate) use training_rows::TrainingRows;
pub use vote::{Averaging, BayesVote, Combination, Vote, VoteRule, Worth};

//! Committees: experts that decide together; and what is done with whole methods and models:
//! making scores into probabilities, and taking the error of a method apart.

pub mod bias_variance;
mod boost;
pub mod calibrate;
mod forest;
mod grove;

pub use boost::{AdaBoost, AdaBoostModel, By, Ended, Form, Margins, Probability, Round};
pub use forest::{
    Bag, ExtraTrees, Forest, ForestModel, Importance, OutOfBag, OutOfBagFigures, RandomTrees,
};

//! What is done with whole methods and models: making scores into probabilities, and taking the
//! error of a method apart.

pub mod bias_variance;
pub mod calibrate;

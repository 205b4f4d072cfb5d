//! Measures of labels and probabilities, tests of significance and calibration maps: against
//! independent implementations (`labels`, `probabilities`, `significance`; values and the scripts
//! that made them are in `reference/`) and against what must hold whatever the rows.

mod bias_variance;
#[path = "../common/mod.rs"]
mod common;
mod enumerated;
mod labels;
mod near;
mod probabilities;
mod properties;
mod significance;

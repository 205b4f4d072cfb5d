//! How good predictions are: numbers in, numbers out.
//!
//! Nothing here knows tables or models: truth, scores, probabilities and weights are slices.
//! One file per topic. Everything that looks only at the order of scores starts from one sort,
//! a [`Ranking`]; everything on probabilities takes them row after row, `classes` numbers each.
//!
//! A [`Roc`] is drawn from a ranking; points are chosen on it under [`Conditions`], its hull,
//! parts and [`CostCurve`] are read from it. [`Delong`] and [`Areas`] say how certain areas are
//! and whether they differ; [`Resampling`] and [`Bootstrap`] do so for any measure, reusing the
//! sort through an [`Order`]; [`Band`]s do so for the whole curve; [`AreaTest`] plans ahead.
//!
//! Weights are optional everywhere. Point figures treat a weight as a number of repetitions of
//! its row, so that weight 2 equals the row twice and weight 0 equals no row. Intervals treat
//! weights as importance and use the effective number of rows, `(sum w)^2 / sum w^2` (Kish 1965):
//! doubling all weights does not make anything more certain.
//!
//! Input that has no answer (NaN scores, one class only, lengths that differ, ...) is an
//! [`Error`](crate::error::Error) that says which row or what to do, never a NaN.

mod band;
mod binormal;
mod bins;
mod bootstrap;
mod calibration;
mod chains;
mod check;
mod clusters;
mod compare;
mod conditions;
mod confusion;
mod cost;
mod cost_curve;
mod decision;
mod decomposition;
mod delong;
pub mod diversity;
mod hand_till;
mod interval;
mod labels;
mod lift;
mod likelihood;
mod margins;
mod one_rest;
mod operating;
mod order;
mod outcomes;
mod partial;
mod plane;
mod power;
mod precision_recall;
mod ranking;
mod regression;
mod reliability;
mod resample;
mod roc;
mod screen;
pub mod significance;
mod sort;
mod split;
mod summary;
mod wilson;

pub use band::{Band, BandPoint, bootstrap_band, fixed_width_band, vertical_average};
pub use binormal::{Binormal, NoBinormal};
pub use bins::Bins;
pub use bootstrap::{Bootstrap, BootstrapInterval, bootstrap_auc};
pub use calibration::{Calibration, CalibrationLine, NoLine};
pub use chains::{autocorrelation, effective_size, split_r_hat};
pub use clusters::Clusters;
pub use compare::{Areas, Comparison, unpaired};
pub use conditions::Conditions;
pub use confusion::Confusion;
pub use cost::CostMatrix;
pub use cost_curve::{CostCurve, CostPiece};
pub use decision::{NetBenefit, decision_curve};
pub use decomposition::Decomposition;
pub use delong::Delong;
pub use hand_till::hand_till;
pub use interval::{Interval, LEVEL, mean_interval};
pub use lift::GainPoint;
pub use likelihood::{FLOOR, brier, log2_likelihood};
pub(crate) use likelihood::{brier_of, log2_of};
pub use margins::{MarginSummary, margins};
pub use one_rest::{OneAgainstRest, one_against_rest};
pub use operating::Outcome;
pub use order::Order;
pub use outcomes::{Average, Averaged, Outcomes, Rate};
pub use partial::{PartialArea, Span};
pub use plane::{Rates, attained_area, hull, joined_area, unbeaten};
pub use power::{AreaTest, AreaVariance, ClassSizes};
pub use precision_recall::{PrecisionRecall, RecallPoint};
pub use ranking::{Group, Ranking};
pub use regression::{Regression, mae, r2, rmse};
pub use reliability::{Bin, Reliability, classwise_ece};
pub use resample::Resampling;
pub use roc::{Point, Roc, auc};
pub(crate) use screen::PairCounter;
pub use screen::{ColumnAuc, screen};
pub use summary::Judgement;
pub use wilson::{predicted_rate, wilson};

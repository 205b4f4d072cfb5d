//! What pictures of the unit square share: the frame with its axes, curves, marked points,
//! labels that keep out of the way, and the legend below.

mod axes;
mod curve;
mod frame;
mod ink;
mod legend;
mod spot;

pub(crate) use axes::{bottom_axis, grid, left_axis, left_name, outline, square};
pub(crate) use curve::{Curve, curves, sentence};
pub(crate) use frame::Frame;
pub(crate) use ink::{Along, DOTS, Ink};
pub(crate) use legend::{Legend, Row, Sample, figures, interval, level, rate};
pub(crate) use spot::{Spot, spots};

/// Most points drawn for one curve.
pub(crate) const MOST_POINTS: usize = 2000;

/// The width of a picture of the unit square.
pub(crate) const WIDTH: f64 = 640.0;
/// The side of the square, and where it stands.
pub(crate) const SIDE: f64 = 536.0;
pub(crate) const LEFT: f64 = 76.0;

//! Classifiers combined by their labels (De Stefano, Fontanella, Marcelli, Scotto di Freca 2009):
//! experts are trained on a part TR1 of the rows, combiners on what the experts say of TR2, and
//! both are judged on TS.
//!
//! Percentages of TS that are called rightly: means, best and standard deviation over repeats with
//! other parts. Stability is measured on the parts of the first repeat: the standard deviation over
//! seeds of EvoBN and over random orders of K2.

mod copies;
mod digits;
mod experts;
mod image;
mod labels;
mod mf;

pub(crate) use copies::EXPERIMENT as COPIES;
pub(crate) use digits::EXPERIMENT as DIGITS;
pub(crate) use image::EXPERIMENT as IMAGE;
pub(crate) use mf::EXPERIMENT as MF;

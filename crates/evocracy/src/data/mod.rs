//! Tables, tasks and everything that makes them: readers, encoders, splits, data sets by name.
//!
//! A [`Table`] owns columns; a [`View`] is a cheap, copyable window on rows and columns of it;
//! a [`Task`] is a view with a target. Missing values are first-class and live in the columns
//! themselves: NaN among numbers, [`MISSING`] among codes.

pub mod catalogue;
mod column;
mod conform;
mod dataset;
mod dense_rows;
mod encode;
mod fingerprint;
pub mod generate;
pub mod read;
mod row_names;
mod schema;
mod split;
mod table;
mod target;
mod task;
mod view;

pub use column::{Column, MISSING};
pub use conform::Conformed;
pub use dataset::{Dataset, Goal, Options};
pub(crate) use dense_rows::{DenseRows, pick};
pub use encode::{Encoded, Encoder, Encoding, Input, MOST_LEVELS, Recipe};
pub(crate) use fingerprint::Digest;
pub(crate) use read::{by_value_then_text, has_decimal_comma};
pub use row_names::{LeftOut, RowNames, like_numbers};
pub use schema::{Classes, Field, Kind, Schema};
pub use split::{
    Split, bootstrap, folds, grouped_folds, grouped_holdout, halves, holdout, homogeneous,
    homogeneous_points, leave_one_out, repeated_folds, standard_points,
};
pub(crate) use split::{fold_numbers, grouped_fold_numbers, rarest};
pub use table::Table;
pub(crate) use task::total_weight;
pub use task::{Target, Task};
pub use view::{Cells, View};

//! Ridge regression (Hoerl, Kennard 1970): a number that is linear in the inputs, with
//! coefficients drawn towards 0.
//!
//! The fit minimises `sum w_i (y_i - intercept - x_i coefficients)^2 + penalty |coefficients|^2`;
//! the intercept is free. `penalty` is the `alpha` of scikit-learn's `Ridge` on the same inputs.
//!
//! One eigendecomposition of the weighted, centred inputs serves every penalty, so that the
//! penalty can be chosen among 41 of them, from 1e-6 to 1e4 times the weight of all rows, four
//! to a power of ten:
//!
//! - `loo`: the least squared error of rows left out one at a time. It is exact and needs no
//!   refit: the error of a row left out is its error divided by one minus its leverage (Allen
//!   1974). The encoding of the inputs is kept as it is.
//! - `gcv`: generalised cross-validation (Golub, Heath, Wahba 1979), with the mean leverage in
//!   place of each row's own.
//!
//! The variance of a prediction is that of the residuals, with the degrees of freedom that the
//! fit used up, and that of the coefficients, whose prior is the Gaussian that the penalty
//! stands for. Weights say how much rows count, not how precise they are: only their shares
//! matter for the variance, and rows of equal weight are one observation each.
//!
//! | file | job |
//! |---|---|
//! | `spectrum` | the decomposition; errors and coefficients for a penalty |
//! | `model` | what is predicted, explained and saved |

mod model;
mod spectrum;
#[cfg(test)]
mod tests;

pub use model::RidgeModel;

use crate::classify::{Fitted, Learner, Predicts};
use crate::data::{DenseRows, Input, Task};
use crate::error::{Error, Result};
use crate::run::{Run, StopReason};
use spectrum::Spectrum;

/// Targets beyond this cannot be squared and summed.
const MOST: f64 = 1e100;

crate::choices! {
    /// How the penalty is chosen.
    pub enum Choose {
        /// least error of rows left out one at a time
        Loo = "loo",
        /// generalised cross-validation
        Gcv = "gcv",
    }
}

crate::params! {
    /// Ridge regression: a number that is linear in the inputs, with coefficients drawn towards 0.
    pub struct Ridge as "ridge" {
        /// how strongly coefficients are drawn towards 0; at 0 `choose` decides (for plain least squares give 1e-9)
        penalty: f64 = 0.0, 0.0..=1e15;
        /// how the penalty is chosen where none is given
        choose: Choose = Choose::Loo, Choose::CHOICES;
    }
}

impl Learner for Ridge {
    type Model = RidgeModel;
    const INPUT: Input = Input::Dense;
    const PREDICTS: Predicts = Predicts::Number;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<RidgeModel>> {
        let target = task.numbers()?;
        let weights = task.weights();
        if run.stop.requested() {
            return Err(Error::Stopped);
        }
        if let Some((y, _)) =
            target.iter().zip(&weights).find(|(y, w)| **w > 0.0 && (y.is_nan() || y.abs() > MOST))
        {
            return Err(Error::unsuitable(
                format!("the target `{}` of a row is {y}", task.target_name()),
                format!("rescale the target: it must lie within {MOST:e}"),
            ));
        }
        let inputs = DenseRows::new(task.features, DenseRows::LIMIT)?;
        let (rows, columns) = (inputs.rows, inputs.columns.len());
        // The centred inputs and their scores; products, values and vectors.
        run.reserve(&format!("{rows} rows of {columns} columns"), &[3, rows, columns])?;
        let side = rows.min(columns);
        run.reserve(&format!("the directions of {columns} columns"), &[4, side, side])?;
        let spectrum = Spectrum::new(&inputs, &target, &weights, run.stop)?.ok_or_else(unsolved)?;
        let penalty = if self.penalty > 0.0 {
            self.penalty
        } else {
            spectrum.choose(self.choose, run.stop)?
        };
        let model = RidgeModel::new(&spectrum, penalty);
        if !model.is_bounded(DenseRows::LIMIT) {
            return Err(unsolved());
        }
        Ok(Fitted { model, stop: StopReason::Finished })
    }
}

fn unsolved() -> Error {
    Error::unsuitable(
        "the coefficients of the ridge regression are not finite",
        "rescale the columns, or raise the penalty",
    )
}

//! Logistic regression: the log-odds of the classes are linear in the inputs.
//!
//! With `w_i` the weight of row `i`, the fit minimises
//!
//! `sum w_i loss_i + penalty * (mix * |coefficients| + (1 - mix) / 2 * |coefficients|^2)`
//!
//! over coefficients and intercepts, where `loss_i` is the negative log-likelihood of the row's
//! class and intercepts are free. This is the objective of scikit-learn's `LogisticRegression`
//! divided by its `C`: `penalty = 1 / C` and `mix = l1_ratio` give the same model, for two
//! classes and for more.
//!
//! - Two classes have one vector of coefficients, that of the second class against the first.
//! - More classes have a vector each (Friedman, Hastie, Tibshirani 2010, "Regularization Paths
//!   for Generalized Linear Models via Coordinate Descent", section 4). The penalty picks one of
//!   the many equal ways to write the model: with `mix` below 1 the coefficients of an input sum
//!   to 0 over the classes.
//!
//! Classes that a plane separates have no best model without a penalty: a penalty below 1e-9 of the
//! weight of all rows counts as that much on squares. The intercept of a class without rows has
//! such a penalty too. The intercepts of more than two classes sum to 0.
//!
//! The fit has converged when no derivative (for the absolute value: no violation of the
//! optimality conditions) exceeds `tolerance` times the weight of all rows.
//!
//! | file | job |
//! |---|---|
//! | `problem`, `pass`, `hessian` | the objective, its gradient and its Hessian |
//! | `solve` | which solver; a start from a few of the rows |
//! | `newton` | Newton steps with Cholesky, for few coefficients |
//! | `lbfgs` | limited-memory BFGS (L-BFGS), for many |
//! | `lasso`, `sparse` | Newton steps by coordinate descent where `mix` is above 0, for few and many |
//! | `model` | what is predicted, explained and saved |

mod hessian;
mod lasso;
mod lbfgs;
mod model;
mod newton;
mod pass;
mod problem;
mod solve;
mod sparse;
#[cfg(test)]
mod tests;

pub use model::LogisticModel;

use crate::classify::{Fitted, Learner};
use crate::data::{DenseRows, Input, Task};
use crate::error::{Error, Result};
use crate::run::Run;
use problem::Problem;

crate::params! {
    /// Logistic regression: log-odds that are linear in the inputs, shrunk towards 0.
    pub struct Logistic as "logistic" {
        /// how strongly coefficients are drawn towards 0 (1 / C of other programs)
        penalty: f64 = 1.0, 0.0..=1e15;
        /// the share of the penalty that is on absolute values, which make coefficients exactly 0; the rest is on squares
        mix: f64 = 0.0, 0.0..=1.0;
        /// the largest derivative that counts as 0, as a share of the weight of all rows
        tolerance: f64 = 1e-6, 1e-14..=1e-1;
        /// the most steps of the solver
        rounds: usize = 1000, 1..=1_000_000;
    }
}

impl Learner for Logistic {
    type Model = LogisticModel;
    const INPUT: Input = Input::Dense;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<LogisticModel>> {
        let (classes, labels) = task.labels()?;
        let weights = task.weights();
        let inputs = DenseRows::new(task.features, DenseRows::LIMIT)?;
        let run = run.task("logistic", 0);
        let problem = Problem::new(inputs, &labels, weights, classes.len(), self);
        let solved = solve::solve(&problem, self, &run);
        if !solved.theta.iter().all(|value| value.abs() <= DenseRows::LIMIT) {
            return Err(Error::unsuitable(
                "the coefficients of the logistic regression are not finite",
                "rescale the columns, or raise the penalty",
            ));
        }
        let model = LogisticModel::new(classes, &problem, &solved.theta);
        Ok(Fitted { model, stop: solved.stop })
    }
}

//! A multilayer perceptron: layers of units, each a weighted sum of the layer below that goes
//! through an activation function; softmax makes probabilities of the last layer.
//!
//! With `w_i` the weight of row `i` and `W` that of all rows, training minimises
//!
//! `(sum w_i loss_i + penalty / 2 * |weights|^2) / W`
//!
//! where `loss_i` is the negative log-probability of the row's class and biases are free. This is
//! the objective of scikit-learn's `MLPClassifier` with `alpha = penalty`, all rows in one batch
//! and an output for each class. Weights start at random (Glorot, Bengio 2010).
//!
//! - `adam` takes the rows in a new order every epoch, batch after batch. The gradient of a batch is
//!   the mean over its rows, of weights that are 1 on average.
//! - `lbfgs` takes all rows at once, with the same penalty; `epochs` is the most steps, and a
//!   gradient below `tolerance` everywhere ends it.
//!
//! With `hold` a share of the rows, drawn at random, is not learnt from: training ends when their
//! loss has not fallen by `tolerance` for `patience` epochs, and the weights with their least loss
//! are kept. Without, `adam` looks at the loss of the rows it learns from and keeps the last
//! weights.
//!
//! | file | job |
//! |---|---|
//! | `shape` | layers, where their weights are, random ones |
//! | `pass` | outputs, the loss and its gradient |
//! | `rows` | rows to learn from and rows held out |
//! | `train` | when training ends and what is kept |
//! | `adam`, `lbfgs` | the two solvers |
//! | `model` | what is predicted, explained and saved |

mod adam;
mod lbfgs;
mod model;
mod pass;
mod rows;
mod shape;
#[cfg(test)]
mod tests;
mod train;

pub use model::MlpModel;

use crate::classify::{Fitted, Learner};
use crate::data::{DenseRows, Input, Task};
use crate::error::{Error, Result};
use crate::run::Run;
use model::MOST;
use rows::TrainingRows;
use shape::{Shape, Widths, widths};
use train::Training;

crate::choices! {
    /// What a unit makes of its weighted sum.
    pub enum Activation {
        /// the positive part
        Relu = "relu",
        /// the hyperbolic tangent
        Tanh = "tanh",
        /// the logistic function
        Logistic = "logistic",
    }
}

crate::choices! {
    /// How weights are found.
    pub enum Solver {
        /// small batches, Adam
        Adam = "adam",
        /// all rows, limited-memory BFGS
        Lbfgs = "lbfgs",
    }
}

crate::params! {
    /// A neural network: layers of units between the inputs and the classes (multilayer perceptron).
    pub struct Mlp as "mlp" {
        /// how many units each hidden layer has
        hidden: String = "100".to_owned(), Widths;
        /// what a unit makes of its weighted sum
        activation: Activation = Activation::Relu, Activation::CHOICES;
        /// how weights are found: from small batches of rows or from all rows at once
        solver: Solver = Solver::Adam, Solver::CHOICES;
        /// how strongly weights are drawn towards 0
        penalty: f64 = 1.0, 0.0..=1e15;
        /// how far a step goes (adam)
        rate: f64 = 0.005, 1e-9..=10.0;
        /// how many rows a step looks at (adam)
        batch: usize = 64, 1..=1_000_000;
        /// the most rounds over all rows
        epochs: usize = 200, 1..=1_000_000;
        /// the share of the rows that is held out to see when to end
        hold: f64 = 0.0, 0.0..=0.9;
        /// how many rounds without a gain end the training
        patience: usize = 10, 1..=1_000_000;
        /// the least fall of the loss that is a gain; for lbfgs the largest derivative that counts as 0
        tolerance: f64 = 1e-4, 0.0..=1.0;
        /// give the most probable class the probability 1
        hard: bool = false, ..;
    }
}

impl Learner for Mlp {
    type Model = MlpModel;
    const INPUT: Input = Input::Dense;

    fn fit(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<MlpModel>> {
        let (classes, labels) = task.labels()?;
        let weights = task.weights();
        let inputs = DenseRows::new(task.features, DenseRows::LIMIT)?;
        let run = run.task("mlp", self.epochs as u64);
        let hidden = widths(&self.hidden).unwrap_or_default();
        let layers = [&[inputs.columns.len()], &hidden[..], &[classes.len()]].concat();
        let shape = Shape::new(&layers).ok_or_else(|| {
            Error::unsuitable("the network is too large", "use fewer or narrower hidden layers")
        })?;
        let penalty = self.penalty / weights.iter().sum::<f64>();
        let training = Training { with: self, shape: &shape, run: &run, penalty };
        let mut rng = run.seed.child("mlp", 0).rng();
        // Glorot and Bengio's bound; the logistic function is flatter, as scikit-learn has it.
        let gain = if self.activation == Activation::Logistic { 2.0 } else { 6.0 };
        let start = shape.start(gain, &mut rng);
        let (found, stop) = match self.solver {
            Solver::Adam => {
                let rows = TrainingRows::split(&inputs, &labels, &weights, self.hold, &mut rng);
                let start: Vec<f32> = start.into_iter().map(|weight| weight as f32).collect();
                let (found, stop) = adam::adam(training, &rows, start, &mut rng);
                (found.into_iter().map(f64::from).collect(), stop)
            }
            Solver::Lbfgs => {
                let rows = TrainingRows::split(&inputs, &labels, &weights, self.hold, &mut rng);
                lbfgs::lbfgs(training, &rows, start)
            }
        };
        shape.check(&found, MOST)?;
        let center = center(&inputs, &weights);
        let model = MlpModel::new(self, classes, layers, center, found);
        Ok(Fitted { model, stop })
    }
}

/// The mean of every input.
fn center(inputs: &DenseRows<'_>, weights: &[f64]) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    let mean = |column: &[f64]| column.iter().zip(weights).map(|(x, w)| x * (w / total)).sum();
    inputs.columns.iter().map(|column| mean(column)).collect()
}

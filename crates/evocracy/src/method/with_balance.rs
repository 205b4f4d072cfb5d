//! A method that gives all classes the same weight.
//!
//! A row of class c weighs `n / (k n_c)` of what it weighed, where k classes of the rows to learn
//! from have the weights `n_c`, n in all: every class then weighs `n / k` (King and Zeng 2001). Rows
//! that are held back have no part in it.

use super::Method;
use crate::classify::{Fitted, Predicts};
use crate::data::{Encoding, Task};
use crate::error::{Error, Remedy, Result};
use crate::model::Model;
use crate::run::Run;

/// The method with the same weight for all classes; an error for one that heeds no weights.
pub fn balanced(method: Box<dyn Method>) -> Result<Box<dyn Method>> {
    if method.predicts() == Predicts::Number {
        let what =
            format!("`{}` predicts a number: there are no classes to balance", method.name());
        return Err(Error::unsuitable(what, Remedy::ListMethods));
    }
    if !method.takes_weights() {
        let what =
            format!("`{}` heeds no weights of rows, so classes cannot be balanced", method.name());
        let help = "take another method, or choose a threshold by what mistakes cost";
        return Err(Error::unsuitable(what, help));
    }
    Ok(Box::new(WithBalance { method }))
}

struct WithBalance {
    method: Box<dyn Method>,
}

impl Method for WithBalance {
    fn name(&self) -> &str {
        self.method.name()
    }

    fn predicts(&self) -> Predicts {
        self.method.predicts()
    }

    fn train_encoded(
        &self,
        encoding: Encoding,
        task: &Task<'_>,
        run: &Run<'_>,
    ) -> Result<Fitted<Model>> {
        let (weights, of_class) = weights(task)?;
        let fitted = self.method.train_encoded(encoding, &task.with_weights(&weights)?, run)?;
        Ok(Fitted { model: fitted.model.balanced_by(of_class), stop: fitted.stop })
    }
}

/// A weight for every row of the table behind the task, those of other rows are 0; and what a row of
/// each class weighs in place of 1.
fn weights(task: &Task<'_>) -> Result<(Vec<f64>, Vec<f64>)> {
    let (classes, labels) = task.labels()?;
    let own = task.weights();
    let mut of_class = vec![0.0; classes.len()];
    for (&label, weight) in labels.iter().zip(&own) {
        of_class[label as usize] += weight;
    }
    let total: f64 = of_class.iter().sum();
    let present = of_class.iter().filter(|&&weight| weight > 0.0).count().max(1) as f64;
    let mut weights = vec![0.0; task.entries()];
    for (row, (&label, own)) in labels.iter().zip(&own).enumerate() {
        let of_class = of_class[label as usize];
        if of_class > 0.0 {
            weights[task.row_id(row)] = own * total / (present * of_class);
        }
    }
    let factor = |weight: &f64| if *weight > 0.0 { total / (present * weight) } else { 1.0 };
    Ok((weights, of_class.iter().map(factor).collect()))
}

//! Methods: learners of any kind behind one type, found by name.
//!
//! To add a method, implement [`Learner`] for its parameters, list its model in
//! `model/core.rs` and its parameters in [`registry`]; the contract test then covers it. A
//! committee implements [`Ensemble`](crate::committee::Ensemble) instead.

mod assembled;
mod registry;
mod spec;
mod usual;
mod with_balance;
mod with_columns;
mod with_encoding;

pub(crate) use registry::expert;
pub use registry::{COLUMNS, ENCODE, Entry, Members, entry, make, registry};
pub use with_balance::balanced;

use crate::classify::{Fitted, Learner, Predicts};
use crate::data::{Encoder, Encoding, Input, Task};
use crate::error::{Error, Result};
use crate::model::{About, Core, Model};
use crate::param::Params;
use crate::run::Run;
use std::any::Any;

/// A learner of any kind behind one type: raw columns in, a saved-able [`Model`] out.
pub trait Method: Send + Sync {
    /// The name it was made by: that of the registry, with its members.
    fn name(&self) -> &str;

    /// What its models predict.
    fn predicts(&self) -> Predicts {
        Predicts::Class
    }

    /// Whether the weights of rows reach the learner. Others are to be given rows drawn by their
    /// weights.
    fn takes_weights(&self) -> bool {
        true
    }

    /// The parameters of its learner, to be asked for their type; `None` where it is not one
    /// learner.
    fn learner(&self) -> Option<&dyn Any> {
        None
    }

    /// Checks parameters and task, fits an encoder of the given kind and the learner to the rows of
    /// the task.
    fn train_encoded(
        &self,
        encoding: Encoding,
        task: &Task<'_>,
        run: &Run<'_>,
    ) -> Result<Fitted<Model>>;

    /// Trains with the encoding that the learner needs.
    fn train(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<Model>> {
        self.train_encoded(Encoding::Auto, task, run)
    }
}

impl<L: Learner + Send + Sync + 'static> Method for L
where
    Core: From<L::Model>,
{
    fn name(&self) -> &str {
        L::NAME
    }

    fn predicts(&self) -> Predicts {
        L::PREDICTS
    }

    fn takes_weights(&self) -> bool {
        L::TAKES_WEIGHTS
    }

    fn learner(&self) -> Option<&dyn Any> {
        Some(self)
    }

    fn train_encoded(
        &self,
        encoding: Encoding,
        task: &Task<'_>,
        run: &Run<'_>,
    ) -> Result<Fitted<Model>> {
        if L::PROMISES && encoding.reads_labels() {
            return Err(Error::unsuitable(
                format!(
                    "the encoding reads the labels of the rows that `{}` judges itself on",
                    L::NAME
                ),
                "take the encoding auto, ordinal, bits or dense",
            ));
        }
        let fit = |task: &Task<'_>| {
            let fitted = self.fit(task, run)?;
            Ok(Fitted { model: fitted.model.into(), stop: fitted.stop })
        };
        train(L::NAME, self, (encoding, L::INPUT), task, run, fit)
    }
}

/// Checks, encodes, fits, and puts what was learnt together with what is needed to use it. Weights of
/// which only the ratios can be meant are scaled to a mean of 1 first.
pub(crate) fn train(
    name: &str,
    params: &impl Params,
    (encoding, input): (Encoding, Input),
    task: &Task<'_>,
    run: &Run<'_>,
    fit: impl FnOnce(&Task<'_>) -> Result<Fitted<Core>>,
) -> Result<Fitted<Model>> {
    params.check()?;
    task.check()?;
    let scaled = task.scaled_weights();
    let task = &match &scaled {
        Some(weights) => task.with_weights(weights)?,
        None => *task,
    };
    // A level that only rows held back for judging have is not known in training: there it will
    // be as new as any level of tomorrow's rows.
    let conformed = task.shown().conform(task.features)?;
    let task = &task.with_features(conformed.view());
    let encoder = Encoder::fit(encoding, input, task)?;
    let encoded = encoder.encode(task.features)?;
    let fitted = fit(&task.with_features(encoded.view()))?;
    let about = About {
        method: name.to_owned(),
        params: params.values().into_iter().map(|(k, v)| (k.to_owned(), v)).collect(),
        seed: run.seed.value(),
        rows: task.rows(),
        target: task.target_name().to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let model = Model::new(about, task.features, encoder, fitted.model);
    Ok(Fitted { model, stop: fitted.stop })
}

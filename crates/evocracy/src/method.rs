//! Methods by name: the registry that the command line, Python and committees look in.
//!
//! To add a method, implement [`Learner`] for its parameters, list its model in
//! `model/core.rs` and its parameters in [`registry`]; the contract test then covers it.

use crate::classify::{Fitted, Learner, Predicts};
use crate::committee::{AdaBoost, Bag, ExtraTrees, Forest, RandomTrees};
use crate::data::{Encoder, Encoding, Task};
use crate::error::{Error, Result};
use crate::experts::{Knn, Logistic, NaiveBayes, Ridge, Stump, Tree};
use crate::model::{About, Core, Model};
use crate::param::Param;
use crate::run::Run;

/// A learner of any kind behind one type: raw columns in, a saved-able [`Model`] out.
pub trait Method: Send + Sync {
    /// The name in the registry.
    fn name(&self) -> &'static str;

    /// Checks parameters and task, fits the encoder and the learner to the rows of the task.
    fn train(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<Model>>;
}

impl<L: Learner + Send + Sync> Method for L
where
    Core: From<L::Model>,
{
    fn name(&self) -> &'static str {
        L::NAME
    }

    fn train(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<Model>> {
        train(self, Encoding::Auto, task, run)
    }
}

/// A learner whose columns are encoded as a person asked.
struct Prepared<L> {
    learner: L,
    encoding: Encoding,
}

impl<L: Learner + Send + Sync> Method for Prepared<L>
where
    Core: From<L::Model>,
{
    fn name(&self) -> &'static str {
        L::NAME
    }

    fn train(&self, task: &Task<'_>, run: &Run<'_>) -> Result<Fitted<Model>> {
        train(&self.learner, self.encoding, task, run)
    }
}

fn train<L: Learner>(
    learner: &L,
    encoding: Encoding,
    task: &Task<'_>,
    run: &Run<'_>,
) -> Result<Fitted<Model>>
where
    Core: From<L::Model>,
{
    learner.check()?;
    task.check()?;
    // A level that only rows held back for judging have is not known in training: there it will
    // be as new as any level of tomorrow's rows.
    let conformed = task.shown().conform(task.features)?;
    let task = &task.with_features(conformed.view());
    let encoder = Encoder::fit(encoding, L::INPUT, task)?;
    let encoded = encoder.encode(task.features)?;
    let fitted = learner.fit(&task.with_features(encoded.view()), run)?;
    let about = About {
        method: L::NAME.to_owned(),
        params: learner.values().into_iter().map(|(k, v)| (k.to_owned(), v)).collect(),
        seed: run.seed.value(),
        rows: task.rows(),
        target: task.target_name().to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let model = Model::new(about, task.features, encoder, fitted.model.into());
    Ok(Fitted { model, stop: fitted.stop })
}

/// The setting that every method takes beside its own parameters: an [`Encoding`].
pub const ENCODE: &str = "encode";

/// Makes a method from settings.
type Make = fn(&[(String, String)]) -> Result<Box<dyn Method>>;

/// A method as the registry knows it.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The name on the command line.
    pub name: &'static str,
    /// Whether it predicts a class or a number.
    pub predicts: Predicts,
    /// What it is, in a line.
    pub summary: fn() -> String,
    /// Its parameters.
    pub table: fn() -> Vec<Param>,
    make: Make,
}

impl Entry {
    fn of<L: Learner + Send + Sync + 'static>() -> Self
    where
        Core: From<L::Model>,
    {
        Self {
            name: L::NAME,
            predicts: L::PREDICTS,
            summary: L::summary,
            table: L::table,
            make: |settings| {
                // What every method takes beside its own parameters.
                let (encode, own): (Vec<_>, Vec<_>) =
                    settings.iter().cloned().partition(|(name, _)| name == ENCODE);
                let encoding =
                    encode.last().map_or(Ok(Encoding::Auto), |(_, e)| Encoding::parse(e))?;
                Ok(Box::new(Prepared { learner: L::with(&own)?, encoding }))
            },
        }
    }
}

/// All methods, in the order in which they are listed.
pub fn registry() -> Vec<Entry> {
    vec![
        Entry::of::<Tree>(),
        Entry::of::<Stump>(),
        Entry::of::<NaiveBayes>(),
        Entry::of::<Knn>(),
        Entry::of::<Logistic>(),
        Entry::of::<Ridge>(),
        Entry::of::<Forest>(),
        Entry::of::<ExtraTrees>(),
        Entry::of::<RandomTrees>(),
        Entry::of::<Bag>(),
        Entry::of::<AdaBoost>(),
    ]
}

/// The method `name` with the given settings, checked.
pub fn make(name: &str, settings: &[(String, String)]) -> Result<Box<dyn Method>> {
    let registry = registry();
    let entry = registry.iter().find(|entry| entry.name == name).ok_or_else(|| {
        Error::unknown("method", name, None, registry.iter().map(|entry| entry.name))
    })?;
    (entry.make)(settings)
}

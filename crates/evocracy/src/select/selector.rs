//! Ways to select genes by name, behind one trait.

use super::by_scores::{ByAuc, ByForest, ByScreen};
use super::by_weights::{ByArd, ByL1, ByRvm};
use super::moea::ByMoea;
use super::{Half, SparseClassifier};
use crate::error::{Error, Result};
use crate::param::{Param, Params};
use crate::run::Run;

/// A way to select genes: it trains one classifier of few genes, or a front of them, on a half.
pub trait Selector: Send + Sync {
    /// Its name.
    fn name(&self) -> &'static str;
    /// Its settings as text.
    fn settings(&self) -> Vec<(&'static str, String)>;
    /// Trains on the training rows of a half; none where nothing is worth selecting.
    fn select(&self, half: &Half<'_>, run: &Run<'_>) -> Result<Vec<SparseClassifier>>;
}

/// A way to select that is a struct of parameters: its name and its settings are those.
pub trait Way: Params + Send + Sync {
    /// As [`Selector::select`].
    fn train(&self, half: &Half<'_>, run: &Run<'_>) -> Result<Vec<SparseClassifier>>;
}

impl<T: Way> Selector for T {
    fn name(&self) -> &'static str {
        T::NAME
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        self.values()
    }

    fn select(&self, half: &Half<'_>, run: &Run<'_>) -> Result<Vec<SparseClassifier>> {
        self.train(half, run)
    }
}

type Make = fn(&[(String, String)]) -> Result<Box<dyn Selector>>;

/// A way to select, as a list shows it.
#[derive(Debug)]
pub struct SelectorEntry {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: fn() -> String,
    /// Its parameters.
    pub table: fn() -> Vec<Param>,
    make: Make,
}

/// Makes the entry of a struct of parameters.
macro_rules! entries {
    ($($name:ty),+ $(,)?) => {
        &[$(SelectorEntry {
            name: <$name as Params>::NAME,
            summary: <$name as Params>::summary,
            table: <$name as Params>::table,
            make: |settings| Ok(Box::new(<$name as Params>::with(settings)?)),
        }),+]
    };
}

/// All ways to select.
pub const SELECTORS: &[SelectorEntry] =
    entries![ByArd, ByRvm, ByMoea, ByL1, ByForest, ByAuc, ByScreen];

/// The way to select of this name, with these settings.
pub fn selector(name: &str, settings: &[(String, String)]) -> Result<Box<dyn Selector>> {
    let known = SELECTORS.iter().find(|entry| entry.name == name);
    let known = known.ok_or_else(|| {
        Error::unknown("way to select", name, None, SELECTORS.iter().map(|entry| entry.name))
    })?;
    (known.make)(settings)
}

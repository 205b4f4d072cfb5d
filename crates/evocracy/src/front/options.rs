//! What the methods that evolve fronts share.

use crate::kernel::soft::SoftOptions;
use crate::kernel::{Kernel, Width, stratified_sample};
use crate::run::Run;

crate::choices! {
    /// How operating points of two classes join a front.
    pub enum Admission {
        /// none beats them by the rates that the reference expects
        Expected = "expected",
        /// none beats them by the rates that are counted on the training rows
        Counted = "counted",
        /// none is likely to beat them on resampled training rows
        Likely = "likely",
    }
}

/// How a front is evolved and what is chosen from it.
#[derive(Debug, Clone)]
pub(super) struct FrontOptions {
    pub(super) soft: SoftOptions,
    pub(super) width: Width,
    /// Standard errors that a wider kernel may be worse by.
    pub(super) wider: f64,
    /// How often a table of few rows is parted into folds.
    pub(super) repeats: usize,
    pub(super) tolerance: f64,
    /// The members within this share are averaged; 0 for none.
    pub(super) average: f64,
    pub(super) admission: Admission,
    pub(super) folds: usize,
    /// How many rows are searched on; 0 for all.
    pub(super) rows: usize,
}

impl FrontOptions {
    /// The width where it is given.
    pub(super) fn width(&self) -> Option<f64> {
        match self.width {
            Width::Auto => None,
            Width::Fixed(width) => Some(width),
        }
    }

    /// What the complexity of a member counts.
    pub(super) fn complexity_is(&self) -> &'static str {
        if self.soft.shape.kernel == Kernel::Columns { "columns" } else { "vectors" }
    }
}

/// The rows that are searched on, at most so many (0 for all), in ascending order.
pub(super) fn sampled_rows(most: usize, labels: &[u32], run: &Run<'_>) -> Vec<u32> {
    let most = if most == 0 { labels.len() } else { most };
    stratified_sample(labels.len(), Some(labels), most, run.seed.child("rows", 0))
}

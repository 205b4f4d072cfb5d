//! Whether a difference is more than chance: tests, one file each.
//!
//! | what is compared | test |
//! |---|---|
//! | scores of two groups of rows | [`mann_whitney`] |
//! | two methods on several data sets, or paired rows | [`wilcoxon`] |
//! | two methods on splits or folds of one data set | [`corrected_t`], [`corrected_t_folds`] |
//! | two classifiers on the same test rows | [`McNemar`] |
//! | several methods on several data sets | [`Friedman`], then [`Nemenyi`] |
//! | many p-values at once | [`holm`], [`benjamini_hochberg`] |
//!
//! J. Demsar, "Statistical comparisons of classifiers over multiple data sets", Journal of Machine
//! Learning Research 7 (2006) 1-30, says when to use which.
//!
//! ```
//! use evocracy::measure::significance::{Better, Friedman, Nemenyi};
//!
//! // The accuracy of three methods on four data sets.
//! let results = [[0.9, 0.8, 0.7], [0.8, 0.9, 0.6], [0.9, 0.7, 0.6], [0.7, 0.6, 0.5]];
//! let friedman = Friedman::new(&results.map(Vec::from), Better::Higher)?;
//! assert_eq!(friedman.average_ranks, [1.25, 1.75, 3.0]);
//! let nemenyi = Nemenyi::new(&friedman, 0.05)?;
//! assert_eq!(nemenyi.groups, [vec![0, 1], vec![1, 2]]);
//! # Ok::<(), evocracy::error::Error>(())
//! ```
//!
//! Tests count what was observed: unlike measures they take no weights, for a row that stands
//! twice is no new evidence. Where there is nothing to see at all (all differences 0) the
//! p-value is 1; where a test has no answer it is an [`Error`](crate::error::Error).

mod adjust;
mod exact;
mod friedman;
mod mann_whitney;
mod mcnemar;
mod nemenyi;
mod ranks;
mod resampled_t;
mod wilcoxon;

pub use adjust::{benjamini_hochberg, holm};
pub use friedman::{Better, Friedman};
pub(crate) use mann_whitney::tie_corrected_p;
pub use mann_whitney::{MannWhitney, mann_whitney};
pub use mcnemar::McNemar;
pub use nemenyi::Nemenyi;
pub use resampled_t::{ResampledT, corrected_t, corrected_t_folds};
pub use wilcoxon::{Wilcoxon, Zeros, wilcoxon};

use crate::num::normal_tail;

/// What would count as a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Alternative {
    /// Either is larger.
    #[default]
    TwoSided,
    /// The first is smaller than the second, or the differences are below 0.
    Less,
    /// The first is larger than the second, or the differences are above 0.
    Greater,
}

/// Where the distribution under "no difference" comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Null {
    /// Exact for few values without ties, else normal with continuity correction.
    #[default]
    Auto,
    /// All arrangements of the values seen, ties and all, counted.
    Exact,
    /// The normal approximation with tie correction.
    Normal {
        /// Whether the statistic is moved half a step towards its mean.
        continuity: bool,
    },
}

/// The p-value of a statistic that is nearly normal; 1 where it cannot vary.
fn normal_p(
    statistic: f64,
    mean: f64,
    variance: f64,
    continuity: bool,
    alternative: Alternative,
) -> f64 {
    if variance <= 0.0 {
        return 1.0;
    }
    let step = if continuity { 0.5 } else { 0.0 };
    let tail = |distance: f64| normal_tail((distance - step) / variance.sqrt());
    match alternative {
        Alternative::TwoSided => (2.0 * tail((statistic - mean).abs())).min(1.0),
        Alternative::Greater => tail(statistic - mean),
        Alternative::Less => tail(mean - statistic),
    }
}

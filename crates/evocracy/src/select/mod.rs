//! Selection of genes (or any columns) that can be trusted: those that come back again and again on
//! random halves of few samples, beside what chance would do (A. R. J. Clark's thesis, chapter 4).
//!
//! | file | job |
//! |---|---|
//! | `samples`, `half` | values and classes; one half prepared, fitted to nothing but itself |
//! | `classifier` | a classifier of few genes and how it does on both halves |
//! | `selector` | the ways to select, by name |
//! | `by_weights`, `by_scores`, `moea`, `given` | the ways themselves |
//! | `halving`, `counts` | repeated stratified halving; how often genes were selected |
//! | `cofactors` | columns that others are adjusted for |
//! | `chance`, `null` | random selections and scores, stability; permuted labels |
//! | `masked`, `labels`, `subclasses` | interchangeable genes, odd labels, groups within classes |
//! | `report` | all of it as one value |

mod by_scores;
mod by_weights;
mod chance;
mod classifier;
mod cofactors;
mod counts;
mod given;
mod half;
mod halving;
mod labels;
mod masked;
mod moea;
mod null;
mod report;
mod samples;
mod selector;
mod subclasses;
#[cfg(test)]
mod tests;

pub use by_scores::{ByAuc, ByForest, ByScreen, Correction};
pub use by_weights::{ByArd, ByL1, ByRvm};
pub use chance::{
    Overlap, Stability, StableSet, overlap, overlap_at_least, overlap_probability, random_auc,
    stability, stable_set,
};
pub use classifier::{Performance, SparseClassifier};
pub use counts::{Counts, ranks};
pub use given::Given;
pub use half::{Half, Preparation, Scale};
pub use halving::{HalfFound, Halving, JudgedSample, SplitFound};
pub use labels::{LabelReport, Suspect, area_pairs, correlation, label_report};
pub use masked::{Group, INTERCHANGEABLE, Partner, groups};
pub use moea::{ByMoea, SetComplexity};
pub use null::{NullCounts, null_counts};
pub use report::{
    ChanceReport, ClassifierPoint, GeneRow, SelectOptions, Selection, Summary, select,
};
pub use samples::{FEWEST, Gene, Samples};
pub use selector::{SELECTORS, Selector, SelectorEntry, Way, selector};
pub use subclasses::{Subclasses, subclasses};

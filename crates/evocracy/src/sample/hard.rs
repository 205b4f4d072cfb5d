//! What a hard classifier is: parameters in, a class for every row out.
//!
//! A sampler asks one question of a classifier, many times: what is called wrongly with these
//! parameters? [`Hard`] is a classifier on some labelled rows; a [`Trial`] is its state in one
//! chain, which knows the parameters that were kept last and may answer faster where few moved.

use crate::error::Result;

/// The weight of the rows that are called wrongly.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Wrong {
    /// Positive rows that are called negative.
    pub missed: f64,
    /// Negative rows that are called positive.
    pub alarms: f64,
}

/// A bound on what may be wrong: once it does not hold, no further wrong row makes it hold again.
pub type Within<'a> = &'a dyn Fn(Wrong) -> bool;

/// A hard classifier on labelled rows.
pub trait Hard: Sync {
    /// How many parameters it has.
    fn parameters(&self) -> usize;

    /// The weight of the positive and of the negative rows.
    fn totals(&self) -> [f64; 2];

    /// A state for one chain.
    fn start(&self) -> Result<Box<dyn Trial + '_>>;
}

/// A hard classifier in one chain.
pub trait Trial {
    /// What is called wrongly with these parameters; `None` where that is not `within` its bound,
    /// which may be known before all rows were looked at.
    ///
    /// `moved` are the parameters that differ from those kept last, in any order and possibly
    /// repeated; `None` where they may all differ.
    fn call(
        &mut self,
        parameters: &[f64],
        moved: Option<&[u32]>,
        within: Within<'_>,
    ) -> Result<Option<Wrong>>;

    /// Keeps the parameters of the last call, which was within its bound.
    fn keep(&mut self);
}

//! What a front is evolved over: scorers with parameters, each of some complexity.

use crate::error::Result;
use crate::evolve::Space;
use std::fmt::Debug;

/// Scorers that a genome stands for, and how genomes vary.
///
/// Scores are probabilities, or anything that is the higher, the more positive a row looks.
pub(in crate::front) trait Family: Space {
    /// A fitted scorer; a child may start from that of its parent.
    type Fitted: Clone + Debug + Send + Sync;

    /// How many rows there are.
    fn rows(&self) -> usize;

    /// What it takes to follow a scorer; it does not depend on the rows.
    fn complexity(&self, genome: &Self::Genome) -> f64;

    /// Fits to some rows (all where `weights` is none) and writes the score of every row.
    fn fit(
        &self,
        genome: &Self::Genome,
        weights: Option<&[f64]>,
        start: Option<&Self::Fitted>,
        scores: &mut Vec<f64>,
    ) -> Result<Self::Fitted>;
}

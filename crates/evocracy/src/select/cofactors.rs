//! Columns that others are adjusted for: what they can be, and what the forced ones do alone.

use super::given::Given;
use super::halving::Halving;
use super::report::summary;
use crate::error::{Error, Result};
use crate::run::Run;

/// The mean areas of classifiers of the forced columns alone; none where the run is stopped before all
/// halves were seen.
pub(super) fn alone(halving: &Halving<'_>, run: &Run<'_>) -> Result<Option<[f64; 2]>> {
    let none = Given { genes: Vec::new() };
    let found = match (Halving { selector: &none, ..*halving }).run(&run.part("forced", 0)) {
        Err(Error::Stopped) => return Ok(None),
        other => other?,
    };
    let whole = found.len() == halving.splits;
    Ok(whole.then(|| summary(&found, &[]).auc))
}

/// Refuses cofactors that do not vary, those that are offered and adjusted for, and so many of them
/// that they explain any values of a half.
pub(super) fn check(halving: &Halving<'_>) -> Result<()> {
    let Halving { samples, preparation, .. } = *halving;
    if let Some(&gene) = preparation.offer.iter().find(|&&gene| preparation.adjusts(gene)) {
        let name = &samples.genes()[gene as usize].name;
        return Err(Error::unsuitable(
            format!("the column `{name}` is offered, and others are adjusted for it"),
            "leave it out of one of the two",
        ));
    }
    // A level that no sample has is none of a column that does not vary.
    let constant = |&&gene: &&u32| {
        samples.is_constant(gene as usize) && !samples.genes()[gene as usize].indicator
    };
    let mut all = preparation.force.iter().chain(&preparation.adjust).chain(&preparation.offer);
    if let Some(&gene) = all.find(constant) {
        let name = &samples.genes()[gene as usize].name;
        return Err(Error::unsuitable(
            format!("the column `{name}` has the same value, or none, in all samples"),
            "leave it out of the cofactors",
        ));
    }
    let positives = samples.positive().iter().filter(|p| **p).count();
    let rows = positives / 2 + (samples.rows() - positives) / 2;
    let genes = 0..samples.genes().len() as u32;
    let cofactors = genes.filter(|&gene| preparation.adjusts(gene)).count();
    if cofactors > 0 && cofactors + 2 >= rows {
        return Err(Error::unsuitable(
            format!(
                "{cofactors} columns to adjust for explain anything in halves of {rows} samples"
            ),
            "adjust for fewer columns",
        ));
    }
    Ok(())
}

//! A gene set that was given: its classifier over the same splits (thesis, figures 4.17 and 4.19).

use super::{Half, Preparation, Samples, Selector, SparseClassifier};
use crate::error::{Error, Result};
use crate::run::Run;

/// Always the same genes, weights fitted with next to no penalty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The genes, by their number in the samples.
    pub genes: Vec<u32>,
}

impl Given {
    /// These genes, each of which must be one that can be in a classifier.
    pub fn new(genes: Vec<u32>, samples: &Samples, preparation: &Preparation) -> Result<Self> {
        for &gene in &genes {
            let (why, help) = if samples.is_constant(gene as usize) {
                ("has the same value, or none, in all samples", "leave it out of the given columns")
            } else if preparation.adjusts(gene) {
                ("is given, and others are adjusted for it", "leave it out of one of the two")
            } else {
                continue;
            };
            let name = &samples.genes()[gene as usize].name;
            return Err(Error::unsuitable(format!("the column `{name}` {why}"), help));
        }
        Ok(Self { genes })
    }
}

impl Selector for Given {
    fn name(&self) -> &'static str {
        "given"
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        let genes: Vec<String> = self.genes.iter().map(u32::to_string).collect();
        vec![("genes", genes.join(","))]
    }

    fn select(&self, half: &Half<'_>, run: &Run<'_>) -> Result<Vec<SparseClassifier>> {
        let place = |gene: &u32| half.genes.binary_search(gene).ok();
        let places: Vec<usize> = self.genes.iter().filter_map(place).collect();
        Ok(vec![half.refit(&places, 0.0, run)?])
    }
}

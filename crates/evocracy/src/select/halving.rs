//! Repeated stratified halving (thesis 4.4; Y. Li, C. Campbell, M. Tipping, Bioinformatics 18 (2002)
//! 1332-1339): both classes are split in half at random, classifiers are trained on either half and
//! judged on the other. A gene that is selected on both halves of a split was found twice in disjoint
//! samples.

use super::{Half, Performance, Preparation, Samples, Selector};
use crate::data::halves;
use crate::error::{Error, Result};
use crate::run::{Run, Seed};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// What is repeated.
#[derive(Clone, Copy)]
pub struct Halving<'a> {
    /// The samples.
    pub samples: &'a Samples,
    /// The way to select.
    pub selector: &'a dyn Selector,
    /// What is done to values first.
    pub preparation: &'a Preparation,
    /// How many splits.
    pub splits: usize,
    /// Genes that cannot be selected; empty for none.
    pub left_out: &'a [bool],
}

/// What was found on one half.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HalfFound {
    /// The training samples.
    pub train: Vec<u32>,
    /// The classifiers: one, or a front.
    pub classifiers: Vec<Performance>,
    /// What the classifiers say of the test samples.
    pub judged: Vec<JudgedSample>,
}

/// What the classifiers of a half say of a sample they were not trained on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct JudgedSample {
    /// The sample.
    pub row: u32,
    /// The share of the classifiers that call it wrongly.
    pub wrong: f64,
    /// The mean score, in standard deviations of the training scores above the threshold.
    pub score: f64,
}

/// What was found on both halves of a split.
pub type SplitFound = [HalfFound; 2];

impl HalfFound {
    /// The genes of all classifiers, each once, ascending.
    pub fn genes(&self) -> Vec<u32> {
        let mut genes: Vec<u32> =
            self.classifiers.iter().flat_map(|one| one.genes.iter().copied()).collect();
        genes.sort_unstable();
        genes.dedup();
        genes
    }
}

impl Halving<'_> {
    /// Runs all splits; those that were not finished when the run was stopped are left out. An error
    /// where none was.
    pub fn run(&self, run: &Run<'_>) -> Result<Vec<SplitFound>> {
        self.run_with(self.samples.positive(), run)
    }

    /// The same with other labels.
    pub(super) fn run_with(&self, labels: &[bool], run: &Run<'_>) -> Result<Vec<SplitFound>> {
        let task = run.task("splits", self.splits as u64);
        let done = run.pool.map(self.splits, |number| {
            if run.stop.requested() {
                return Ok(None);
            }
            let own = task.child("split", number as u64);
            let found = kept(&own, || self.split(labels, &own));
            task.watch.advance(1);
            match found {
                Err(Error::Stopped) => Ok(None),
                other => other.map(Some),
            }
        });
        let done: Vec<Option<SplitFound>> = done.into_iter().collect::<Result<_>>()?;
        let done: Vec<SplitFound> = done.into_iter().flatten().collect();
        if done.is_empty() { Err(Error::Stopped) } else { Ok(done) }
    }

    /// One split. The halves follow from its seed, which does not know the way to select: two ways
    /// see the same halves.
    pub(super) fn split(&self, labels: &[bool], run: &Run<'_>) -> Result<SplitFound> {
        let (first, second) = both_halves(labels, run.seed)?;
        let found = [
            self.half(labels, (&first, &second), &run.child("half", 0))?,
            self.half(labels, (&second, &first), &run.child("half", 1))?,
        ];
        if run.stop.requested() { Err(Error::Stopped) } else { Ok(found) }
    }

    /// Whether a gene cannot be selected.
    pub fn is_left_out(&self, gene: usize) -> bool {
        self.samples.is_constant(gene)
            || self.left_out.get(gene) == Some(&true)
            || self.preparation.adjusts(gene as u32)
    }

    /// How many genes can be selected.
    pub fn candidates(&self) -> usize {
        (0..self.samples.genes().len()).filter(|&gene| !self.is_left_out(gene)).count()
    }

    /// Trains on some rows and judges on others.
    pub fn half(
        &self,
        labels: &[bool],
        rows: (&[u32], &[u32]),
        run: &Run<'_>,
    ) -> Result<HalfFound> {
        let genes = self.samples.genes().len();
        run.reserve(&format!("a half of {genes} columns"), &[genes, rows.0.len()])?;
        let half = Half::new(self.samples, labels, rows, self.preparation, self.left_out);
        let classifiers = self.selector.select(&half, run)?;
        let mut judged: Vec<JudgedSample> =
            rows.1.iter().map(|&row| JudgedSample { row, wrong: 0.0, score: 0.0 }).collect();
        let classifiers: Vec<Performance> =
            classifiers.iter().map(|one| Performance::new(&half, one, &mut judged)).collect();
        let count = classifiers.len().max(1) as f64;
        for one in &mut judged {
            (one.wrong, one.score) = (one.wrong / count, one.score / count);
        }
        Ok(HalfFound { train: rows.0.to_vec(), classifiers, judged })
    }
}

/// The two halves of a split: every class is parted in two.
fn both_halves(labels: &[bool], seed: Seed) -> Result<(Vec<u32>, Vec<u32>)> {
    let split = halves(labels.len(), Some(&Samples::codes(labels)), seed)?;
    Ok((split.train, split.test))
}

/// A finished part of an earlier run, or what `work` yields now, which is kept.
pub(super) fn kept<T: Serialize + DeserializeOwned>(
    run: &Run<'_>,
    work: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let broken = || Error::unsuitable("a finished part does not read back", "");
    run.resume(
        |bytes| rmp_serde::from_slice(bytes).map_err(|_| broken()),
        |value| rmp_serde::to_vec(value).map(Some).map_err(|_| broken()),
        work,
    )
}

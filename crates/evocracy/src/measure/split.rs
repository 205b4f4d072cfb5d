//! Unweighted rows ranked the fast way: each class sorted by itself, then merged.
//!
//! Two sorted lists of scores need neither labels nor row numbers beside them, which halves
//! what has to be moved, and ties stay exact.

use super::check;
use super::ranking::Group;
use super::sort::{self, END};
use crate::error::{Error, Result};

/// The keys of the scores of each class, sorted; see [`sort::key`].
#[derive(Debug)]
pub(super) struct Split {
    /// Positives, [`END`], negatives, [`END`].
    keys: Vec<u64>,
    positives: usize,
}

impl Split {
    /// Sorts pairs of class and score; no score may be NaN.
    pub(super) fn new(rows: impl ExactSizeIterator<Item = (bool, f64)>) -> Self {
        let n = rows.len();
        let mut keys = vec![END; n + 2];
        // Positives from the front, negatives from behind, without a branch to guess.
        let (mut front, mut back) = (0, n);
        for (positive, score) in rows {
            keys[if positive { front } else { back }] = sort::key(score);
            front += usize::from(positive);
            back -= usize::from(!positive);
        }
        keys[front] = END;
        let mut spare = vec![0; front.max(n - front)];
        sort::sort(&mut keys[..front], &mut spare[..front]);
        sort::sort(&mut keys[front + 1..=n], &mut spare[..n - front]);
        Self { keys, positives: front }
    }

    /// Sorts rows of both classes.
    pub(super) fn checked(truth: &[bool], scores: &[f64]) -> Result<Self> {
        check::same_length("scores", scores.len(), truth.len())?;
        check::Weights::new(None, truth.len())?;
        check::numbers(scores)?;
        let split = Self::new(truth.iter().copied().zip(scores.iter().copied()));
        let (positives, negatives) = split.classes();
        both_classes(positives > 0, negatives > 0)?;
        Ok(split)
    }

    pub(super) fn rows(&self) -> usize {
        self.keys.len() - 2
    }

    /// The numbers of positives and of negatives.
    pub(super) fn classes(&self) -> (usize, usize) {
        (self.positives, self.rows() - self.positives)
    }

    /// The area under the ROC curve, without building the groups; both classes must occur.
    pub(super) fn auc(&self) -> f64 {
        let (mut above, mut area) = (0.0, 0.0);
        self.each_group(|g| {
            area += g.negative * (above + g.positive / 2.0);
            above += g.positive;
        });
        let (positives, negatives) = self.classes();
        (area / (positives as f64 * negatives as f64)).clamp(0.0, 1.0)
    }

    /// Calls `each` with every group of equal scores, the highest first.
    pub(super) fn each_group(&self, mut each: impl FnMut(Group)) {
        let (positives, negatives) = self.keys.split_at(self.positives + 1);
        let (mut i, mut j) = (0, 0);
        let (mut last, mut counts) = (END, (0u32, 0u32));
        let group = |key, (p, n): (u32, u32)| Group {
            score: sort::score(key),
            positive: f64::from(p),
            negative: f64::from(n),
        };
        loop {
            let key = positives[i].min(negatives[j]);
            if key != last {
                if last != END {
                    each(group(last, counts));
                }
                if key == END {
                    return;
                }
                (last, counts) = (key, (0, 0));
            }
            // One row of either class or of both, again without a branch to guess.
            let (p, n) = (positives[i] == key, negatives[j] == key);
            counts = (counts.0 + u32::from(p), counts.1 + u32::from(n));
            i += usize::from(p);
            j += usize::from(n);
        }
    }
}

/// Refuses rows that are all of one class.
pub(super) fn both_classes(positive: bool, negative: bool) -> Result<()> {
    if positive && negative {
        return Ok(());
    }
    let only = if positive { "positive" } else { "negative" };
    Err(Error::unsuitable(
        format!("all rows are {only}, so there is nothing to rank them against"),
        "judge on rows of both classes",
    ))
}

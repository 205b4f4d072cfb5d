//! Evaluating rules on all training rows at once: what a condition covers is a set of rows, found
//! 64 rows at a time, so that the accuracy of a new rule is known at once.

use super::macro_classifier::MacroClassifier;
use crate::num::bits::{common, insert, ones};
use crate::num::wide;
use crate::rules::condition::{Covered, Layout, LiteralRows, Transposed};

/// The training rows by literal and by class.
#[derive(Debug, Clone)]
pub(super) struct Exact {
    rows: Transposed,
    /// The rows of each class, and the weight of each of them where all weigh the same.
    of_class: Vec<(Covered, Option<f64>)>,
    weights: Vec<f64>,
    covered: Covered,
}

impl Exact {
    pub(super) fn new(
        layout: &Layout,
        rows: &LiteralRows,
        labels: &[u32],
        weights: &[f64],
        classes: usize,
    ) -> Self {
        let transposed = Transposed::new(layout, rows);
        let mut of_class = vec![(vec![0; transposed.words()], None); classes];
        for (row, &label) in labels.iter().enumerate() {
            insert(&mut of_class[label as usize].0, row);
        }
        for (set, weight) in &mut of_class {
            let mut all = ones(set.iter().copied()).map(|row| weights[row]);
            let first = all.next().unwrap_or(1.0);
            *weight = all.all(|other| other == first).then_some(first);
        }
        Self { rows: transposed, of_class, weights: weights.to_vec(), covered: Covered::new() }
    }

    /// Sets the statistics of a rule to those of every training row met once.
    pub(super) fn evaluate(&mut self, condition: &[u64], member: &mut MacroClassifier) {
        self.rows.cover(condition, &mut self.covered);
        (member.seen, member.weight, member.right) = (0, 0.0, 0.0);
        for (class, (rows, weight)) in self.of_class.iter().enumerate() {
            let count = wide(
                #[inline(always)]
                || common(&self.covered, rows),
            );
            let weight = if let Some(weight) = weight {
                f64::from(count) * weight
            } else {
                let both = self.covered.iter().zip(rows).map(|(a, b)| a & b);
                ones(both).map(|row| self.weights[row]).sum()
            };
            member.seen += u64::from(count);
            member.weight += weight;
            if class == member.class as usize {
                member.right = weight;
            }
        }
    }
}

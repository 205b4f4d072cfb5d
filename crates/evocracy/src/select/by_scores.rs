//! Selection by a score of each gene: its area under the ROC curve, a regression, a forest.

use super::by_weights::dense_table;
use super::selector::Way;
use super::{Half, SparseClassifier};
use crate::classify::Learner;
use crate::committee::Forest;
use crate::data::{Target, Task};
use crate::error::Result;
use crate::measure::{ColumnAuc, screen, significance::benjamini_hochberg};
use crate::num::{dot, t_tail};
use crate::run::Run;

crate::params! {
    /// The genes whose values alone tell the classes apart best; each is a classifier.
    pub struct ByAuc as "auc" {
        /// how many genes
        genes: usize = 10, 1..=1_000_000;
    }
}

crate::choices! {
    /// How p-values of many genes are corrected.
    pub enum Correction {
        /// Bonferroni: times the number of genes
        Bonferroni = "bonferroni",
        /// Benjamini and Hochberg: the false discovery rate
        Bh = "bh",
    }
}

crate::params! {
    /// A regression of each gene on the class and the cofactors, with corrected p-values.
    pub struct ByScreen as "screen" {
        /// genes with at most this corrected p-value are selected
        level: f64 = 0.05, 1e-12..=1.0;
        /// how p-values are corrected
        correction: Correction = Correction::Bonferroni, Correction::CHOICES;
        /// how strongly the weights of the classifier of all of them are drawn towards 0
        penalty: f64 = 1.0, 1e-6..=1e6;
    }
}

crate::params! {
    /// The genes that matter most to a random forest.
    pub struct ByForest as "forest" {
        /// how many genes
        genes: usize = 20, 1..=1_000_000;
        /// how many trees
        trees: usize = 500, 1..=100_000;
        /// how strongly the weights of the classifier of these genes are drawn towards 0
        penalty: f64 = 1.0, 1e-6..=1e6;
    }
}

/// The places of the largest values, the largest first; equal ones in order.
pub(super) fn largest(values: &[f64], count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    order.truncate(count);
    order
}

/// How far the area of a gene is from that of chance.
pub(super) fn apart(of: &ColumnAuc) -> f64 {
    (of.auc - 0.5).abs()
}

impl Way for ByAuc {
    fn train(&self, half: &Half<'_>, run: &Run<'_>) -> Result<Vec<SparseClassifier>> {
        let areas = screen(&half.columns, &half.truth);
        let apart: Vec<f64> = areas.iter().map(apart).collect();
        let one = |at: usize| {
            if half.forces() {
                return half.refit(&[at], 1.0, run);
            }
            let weight = if areas[at].auc < 0.5 { -1.0 } else { 1.0 };
            let genes = vec![half.genes[at]];
            Ok(SparseClassifier { genes, weights: vec![weight], ..SparseClassifier::default() })
        };
        largest(&apart, self.genes).into_iter().map(one).collect()
    }
}

impl Way for ByScreen {
    fn train(&self, half: &Half<'_>, run: &Run<'_>) -> Result<Vec<SparseClassifier>> {
        let p_values = regressions(half);
        let adjusted = match self.correction {
            Correction::Bonferroni => {
                let genes = p_values.len() as f64;
                p_values.iter().map(|p| (p * genes).min(1.0)).collect()
            }
            Correction::Bh => benjamini_hochberg(&p_values)?,
        };
        let places: Vec<usize> =
            (0..adjusted.len()).filter(|&at| adjusted[at] <= self.level).collect();
        if places.is_empty() {
            return Ok(Vec::new());
        }
        Ok(vec![half.refit(&places, self.penalty, run)?])
    }
}

/// The p-value of the class in the regression of each gene on class and cofactors: the test of
/// their partial correlation. Genes are adjusted already; the class is adjusted here.
fn regressions(half: &Half<'_>) -> Vec<f64> {
    let n = half.rows();
    let class = half.adjusted_targets();
    let square = dot(&class, &class);
    let freedom = n as f64 - half.adjusted_for() as f64 - 1.0;
    let p = |column: &[f64]| {
        let own = dot(column, column);
        if own <= 0.0 || square <= 0.0 || freedom < 1.0 {
            return 1.0;
        }
        let r2 = (dot(column, &class).powi(2) / (own * square)).min(1.0);
        let t = (freedom * r2 / (1.0 - r2)).sqrt();
        (2.0 * t_tail(t, freedom)).min(1.0)
    };
    half.columns.chunks_exact(n).map(p).collect()
}

impl Way for ByForest {
    fn train(&self, half: &Half<'_>, run: &Run<'_>) -> Result<Vec<SparseClassifier>> {
        let (table, classes) = dense_table(half)?;
        let codes: Vec<u32> = half.truth.iter().map(|&t| u32::from(t)).collect();
        let target = Target::Class { codes: &codes, classes: &classes };
        let task = Task::new(table.view(), "class", target, None)?;
        let model = Forest::default().trees(self.trees).fit(&task, run)?.model;
        let importance = model.impurity_importance();
        let places: Vec<usize> = largest(importance, self.genes)
            .into_iter()
            .filter(|&at| importance[at] > 0.0)
            .collect();
        Ok(vec![half.refit(&places, self.penalty, run)?])
    }
}

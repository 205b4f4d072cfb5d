//! Selection by sparse weights: relevance vector machines over genes, and the lasso.

use super::by_scores::largest;
use super::selector::Way;
use super::{Half, SparseClassifier};
use crate::classify::Learner;
use crate::data::{Classes, Column, Field, Schema, Table, Target, Task};
use crate::error::Result;
use crate::experts::Logistic;
use crate::kernel::{Design, ard, fast};
use crate::num::dot;
use crate::run::Run;

crate::params! {
    /// Automatic relevance determination from all genes downward, stopped early.
    pub struct ByArd as "ard" {
        /// how often all precisions are estimated anew; fewer rounds leave more genes
        rounds: usize = 29, 1..=10_000;
        /// genes whose precision exceeds this leave
        limit: f64 = 1e6, 1.0..=1e12;
    }
}

crate::params! {
    /// A relevance vector machine with a basis for each gene, built up to convergence.
    pub struct ByRvm as "rvm" {
        /// the least rise of the log evidence that is worth a gene
        gain: f64 = 0.01, 1e-6..=100.0;
        /// search from several starts
        explore: bool = false, ..;
    }
}

crate::params! {
    /// Logistic regression with a penalty on absolute weights (the lasso).
    pub struct ByL1 as "l1" {
        /// the penalty as a share of the least one that leaves no gene
        share: f64 = 0.3, 0.001..=1.0;
        /// the most genes; those with the largest weights are kept
        most: usize = 20, 1..=1_000_000;
        /// how strongly the weights of the classifier of these genes are drawn towards 0
        penalty: f64 = 1.0, 1e-6..=1e6;
    }
}

/// The penalty of refits that forced cofactors make necessary.
const RIDGE: f64 = 1.0;

/// A classifier of weights over places, refitted where cofactors are forced.
fn classifier(
    half: &Half<'_>,
    places: &[usize],
    weights: &[f64],
    bias: f64,
    run: &Run<'_>,
) -> Result<Vec<SparseClassifier>> {
    if half.forces() {
        return Ok(vec![half.refit(places, RIDGE, run)?]);
    }
    let genes = places.iter().map(|&at| half.genes[at]).collect();
    Ok(vec![SparseClassifier { genes, weights: weights.to_vec(), bias, cofactors: Vec::new() }])
}

impl Way for ByArd {
    fn train(&self, half: &Half<'_>, run: &Run<'_>) -> Result<Vec<SparseClassifier>> {
        let n = half.rows();
        run.reserve(&format!("three matrices of {n} samples"), &[3, n, n])?;
        let settings = ard::Settings { rounds: self.rounds, limit: self.limit };
        let found = ard::fit(&half.columns, &half.targets, settings, run.stop)?;
        classifier(half, &found.columns, &found.weights, found.bias, run)
    }
}

impl Way for ByRvm {
    fn train(&self, half: &Half<'_>, run: &Run<'_>) -> Result<Vec<SparseClassifier>> {
        let n = half.rows();
        let mut columns = vec![1.0; n];
        columns.extend_from_slice(&half.columns);
        let design = Design::from_columns(columns, n)?;
        // The bias is there from the start, as in the thesis; the search may still delete it.
        let start = [(0, 1e-3)];
        let settings = fast::Settings {
            gain: self.gain,
            explore: self.explore,
            start: &start,
            ..fast::Settings::default()
        };
        let target = fast::Target::Classes(&half.targets, None);
        let found = fast::fit(&design, target, None, &settings, run.stop)?;
        let both = found.bases.iter().zip(&found.weights);
        let bias = both.clone().find(|(basis, _)| **basis == 0).map_or(0.0, |(_, weight)| *weight);
        let (places, weights): (Vec<usize>, Vec<f64>) = both
            .filter(|(basis, _)| **basis > 0)
            .map(|(basis, weight)| (basis - 1, *weight))
            .unzip();
        classifier(half, &places, &weights, bias, run)
    }
}

impl Way for ByL1 {
    fn train(&self, half: &Half<'_>, run: &Run<'_>) -> Result<Vec<SparseClassifier>> {
        let n = half.rows();
        let share = half.targets.iter().sum::<f64>() / n as f64;
        let residuals: Vec<f64> = half.targets.iter().map(|target| target - share).collect();
        let slope = |column: &[f64]| dot(column, &residuals).abs();
        let top = half.columns.chunks_exact(n).map(slope).fold(0.0, f64::max);
        if top <= 0.0 {
            return Ok(Vec::new());
        }
        let (table, classes) = dense_table(half)?;
        let codes: Vec<u32> = half.truth.iter().map(|&t| u32::from(t)).collect();
        let target = Target::Class { codes: &codes, classes: &classes };
        let task = Task::new(table.view(), "class", target, None)?;
        let lasso = Logistic::default().mix(1.0).penalty(self.share * top).tolerance(1e-4);
        let model = lasso.fit(&task, run)?.model;
        let sizes: Vec<f64> =
            model.coefficients().next().unwrap_or_default().iter().map(|w| w.abs()).collect();
        let mut places = largest(&sizes, self.most);
        places.retain(|&at| sizes[at] > 0.0);
        places.sort_unstable();
        // The weights of the lasso are drawn towards 0 by as much as selects the genes, which is too
        // much for a threshold: fitted anew they are those of a classifier (the relaxed lasso).
        Ok(vec![half.refit(&places, self.penalty, run)?])
    }
}

/// The training half as a table of numbers, as learners take it.
pub(super) fn dense_table(half: &Half<'_>) -> Result<(Table, Classes)> {
    let columns =
        half.columns.chunks_exact(half.rows()).map(|column| Column::Number(column.to_vec()));
    let fields = (0..half.genes.len()).map(|at| Field::number(at.to_string())).collect();
    let table = Table::new(Schema { fields }, columns.collect())?;
    Ok((table, Classes::new(vec!["others".to_owned(), "positive".to_owned()])?))
}

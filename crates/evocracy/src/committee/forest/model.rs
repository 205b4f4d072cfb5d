//! A fitted committee of trees.

use crate::classify::{
    Classifier, CurvePoint, Diagnostics, Explanation, Importances, OutOfBagFigures, Proba,
    Rulebook, Saved, TreeImportance,
};
use crate::committee::flat_trees::FlatTrees;
use crate::data::{Classes, Schema, View};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// Trees that are averaged, and what training found out about them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ForestModel {
    #[serde(rename = "grove")]
    pub(super) flat: FlatTrees,
    pub(super) out_of_bag: Option<OutOfBagFigures>,
    pub(super) impurity: Vec<f64>,
    pub(super) permutation: Option<Vec<f64>>,
    #[serde(default)]
    pub(super) curve: Vec<CurvePoint>,
}

impl ForestModel {
    /// How well training rows are called by the trees that did not see them; `None` where the
    /// trees saw all of them.
    pub fn out_of_bag(&self) -> Option<OutOfBagFigures> {
        self.out_of_bag
    }

    /// How the out-of-bag error falls from tree to tree; empty where the trees saw all rows.
    pub fn learning_curve(&self) -> &[CurvePoint] {
        &self.curve
    }

    /// How much impurity each input column takes away: a mean over the trees, as shares that sum
    /// to 1; all 0 where no tree has a split. Columns with many values look more important to it
    /// than they are.
    pub fn impurity_importance(&self) -> &[f64] {
        &self.impurity
    }

    /// How much accuracy is lost on rows that trees did not see when a column is shuffled;
    /// `None` where that was not asked for.
    pub fn permutation_importance(&self) -> Option<&[f64]> {
        self.permutation.as_deref()
    }
}

impl Classifier for ForestModel {
    fn classes(&self) -> &Classes {
        &self.flat.classes
    }

    fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        self.flat.proba_into(rows, out)
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        self.flat.explain(rows, row)
    }
}

impl Saved for ForestModel {
    const VERSION: u32 = 1;

    fn check(&self, inputs: &Schema) -> Result<()> {
        self.flat.check(inputs)?;
        let figures = |shares: &[f64]| {
            shares.len() == inputs.len() && shares.iter().all(|share| share.is_finite())
        };
        if !self.curve.iter().all(|point| (0.0..=1.0).contains(&point.error)) {
            return Err(Error::model_file("its learning curve is no error"));
        }
        if figures(&self.impurity) && self.permutation.as_deref().is_none_or(figures) {
            Ok(())
        } else {
            Err(Error::model_file("its importances do not fit its columns"))
        }
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        self.flat.size()
    }

    fn diagnostics(&self, inputs: &Schema) -> Diagnostics {
        let columns = inputs.names().zip(&self.impurity).enumerate();
        let importance = columns.map(|(column, (name, &impurity))| {
            let permutation = self.permutation.as_ref().map(|losses| losses[column]);
            TreeImportance { column: name.to_owned(), impurity, permutation }
        });
        Diagnostics {
            out_of_bag: self.out_of_bag,
            learning_curve: (!self.curve.is_empty()).then(|| self.curve.clone()),
            importance: Some(Importances::Trees(importance.collect())),
            ..Diagnostics::default()
        }
    }

    fn rules(&self, _inputs: &Schema) -> Option<Rulebook> {
        Some(self.flat.rulebook())
    }
}

//! A fitted tree: probabilities of the leaves, explanation by the path, what a file may hold.

use super::columns::{Columns, Ranked};
use super::grow::Grown;
use super::nodes::{BLOCK, Nodes};
use super::words;
use crate::classify::{Classifier, Explanation, Link, Part, Proba, Rulebook, Saved};
use crate::data::{Cells, Classes, Field, Kind, Schema, View};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// A fitted tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TreeModel {
    classes: Classes,
    pub(super) columns: Vec<Trained>,
    pub(super) nodes: Nodes,
}

/// What a column was like in training.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Trained {
    /// How many levels a nominal column has; none for numbers.
    pub(super) levels: Option<u32>,
    /// Whether training rows had missing values here.
    pub(super) missing: bool,
}

/// The cells of all columns in view with the levels of the nominal ones, if they are of the
/// kinds that training had: `trained` are its levels, none for numbers.
pub(crate) fn cells_of(
    rows: View<'_>,
    trained: impl ExactSizeIterator<Item = Option<u32>>,
) -> Result<Vec<(Cells<'_>, u32)>> {
    let cells = |(column, levels): (usize, Option<u32>)| {
        let (cells, shown) = (rows.cells(column), rows.field(column).levels().len());
        match (cells, levels) {
            (Cells::Number(_), None) => Some((cells, 0)),
            (Cells::Nominal(_), Some(known)) if known as usize == shown => Some((cells, known)),
            _ => None,
        }
    };
    let fits = rows.columns() == trained.len();
    let all: Option<Vec<_>> = if fits { trained.enumerate().map(cells).collect() } else { None };
    all.ok_or_else(|| Error::unsuitable("the columns are not those of the training data", ""))
}

/// Whether the columns of a schema are of the kinds that training had.
pub(crate) fn fits(
    inputs: &Schema,
    mut trained: impl ExactSizeIterator<Item = Option<u32>>,
) -> bool {
    let levels = |field: &Field| match &field.kind {
        Kind::Number => None,
        Kind::Nominal(levels) => Some(levels.len() as u32),
    };
    inputs.len() == trained.len()
        && inputs.fields.iter().all(|field| trained.next() == Some(levels(field)))
}

/// The class probabilities of all nodes: the shares of the class weights, smoothed by
/// `smoothing` rows that look like the node above, and like every class at the root (an
/// m-estimate, Cestnik 1990, along the path).
pub(crate) fn probabilities(grown: &Grown, classes: usize, smoothing: f64) -> Vec<f64> {
    let mut proba = vec![1.0 / classes as f64; grown.counts.len()];
    for node in 0..grown.nodes.len() {
        // So far the node has the probabilities of the one above.
        let own = &mut proba[node * classes..(node + 1) * classes];
        let counts = &grown.counts[node * classes..(node + 1) * classes];
        let total = counts.iter().sum::<f64>() + smoothing;
        for (share, count) in own.iter_mut().zip(counts) {
            *share = (count + smoothing * *share) / total;
        }
        for child in grown.nodes.children(node).into_iter().flatten() {
            proba.copy_within(node * classes..(node + 1) * classes, child * classes);
        }
    }
    proba
}

impl Grown {
    /// The nodes with their probabilities, ready to predict.
    pub(crate) fn finish(mut self, classes: usize, smoothing: f64) -> Nodes {
        self.nodes.proba = probabilities(&self, classes, smoothing);
        self.nodes
    }
}

impl TreeModel {
    /// The tree that was grown from these columns and weights.
    pub(crate) fn new(
        classes: &Classes,
        columns: &Columns<'_>,
        weights: &[f64],
        grown: Grown,
        smoothing: f64,
    ) -> Self {
        let trained = |c: &Ranked| Trained { levels: c.levels, missing: c.has_missing(weights) };
        let columns = columns.ranked.iter().map(trained).collect();
        let nodes = grown.finish(classes.len(), smoothing);
        Self { classes: classes.clone(), columns, nodes }
    }

    /// How many leaves it has.
    pub(crate) fn leaves(&self) -> usize {
        self.nodes.leaves()
    }

    /// How much each input column takes away of the impurity, as shares of what all take away;
    /// all 0 for a tree without a split.
    pub fn importance(&self) -> Vec<f64> {
        self.nodes.importance(self.columns.len())
    }

    /// The tree as indented lines; `inputs` are the columns it was fitted to.
    pub fn describe(&self, inputs: &Schema) -> String {
        words::describe(self, inputs)
    }

    /// Its rules, by the way of a row.
    pub(crate) fn leaf_rules(&self, inputs: &Schema) -> super::rules::LeafRules<'_> {
        super::rules::LeafRules::new(&self.nodes, inputs)
    }

    fn cells<'a>(&self, rows: View<'a>) -> Result<Vec<(Cells<'a>, u32)>> {
        cells_of(rows, self.columns.iter().map(|column| column.levels))
    }
}

impl Classifier for TreeModel {
    fn classes(&self) -> &Classes {
        &self.classes
    }

    fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        let cells = self.cells(rows)?;
        let classes = self.classes.len();
        out.reset(rows.rows(), classes);
        let mut ids = [0; BLOCK];
        for start in (0..rows.rows()).step_by(BLOCK) {
            let count = BLOCK.min(rows.rows() - start);
            for (i, id) in ids[..count].iter_mut().enumerate() {
                *id = rows.row_id(start + i);
            }
            let leaves = self.nodes.leaves_of(&cells, &ids, count);
            for (i, &leaf) in leaves[..count].iter().enumerate() {
                out.row_mut(start + i).copy_from_slice(self.nodes.shares(leaf, classes));
            }
        }
        Ok(())
    }

    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        let columns = self.cells(rows)?;
        let shares = |node| self.nodes.shares(node, self.classes.len());
        let mut parts = Vec::new();
        let mut node = 0;
        while let Some([left, right]) = self.nodes.children(node) {
            let column = self.nodes.column(node);
            let (cells, levels) = columns[column];
            let direction = self.nodes.direction(node, cells, rows.row_id(row), levels);
            let next = if direction.left { left } else { right };
            let because = if direction.unknown {
                words::unknown(rows.field(column), rows.show(row, column))
            } else {
                words::condition(&self.nodes, node, rows.field(column), direction.left)
            };
            let adds = shares(next).iter().zip(shares(node)).map(|(to, from)| to - from).collect();
            parts.push(Part { column: Some(column), because, adds });
            node = next;
        }
        Ok(Explanation { base: shares(0).to_vec(), parts, link: Link::Identity })
    }
}

impl Saved for TreeModel {
    const VERSION: u32 = 1;

    fn check(&self, inputs: &Schema) -> Result<()> {
        self.classes.check()?;
        let columns = fits(inputs, self.columns.iter().map(|column| column.levels));
        if columns && self.nodes.check(inputs, self.classes.len()) {
            Ok(())
        } else {
            Err(Error::model_file("its tree is inconsistent"))
        }
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        let nodes = &self.nodes;
        vec![
            ("leaves", nodes.leaves() as u64),
            ("depth", nodes.depth() as u64),
            ("nodes", nodes.len() as u64),
        ]
    }

    fn rules(&self, inputs: &Schema) -> Option<Rulebook> {
        Some(super::rules::rulebook(&self.nodes, self.classes.len(), inputs))
    }
}

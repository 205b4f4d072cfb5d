//! A fitted network: probabilities, explanations, what a file may hold.

use super::pass::Pass;
use super::rows::BLOCK;
use super::shape::Shape;
use super::{Activation, Mlp};
use crate::classify::{Classifier, Explanation, Link, Part, Proba, Saved};
use crate::data::{Classes, DenseRows, Schema, View};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// No weight exceeds this, so that nothing overflows.
pub(super) const MOST: f64 = 1e100;

/// The layers and their weights.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MlpModel {
    classes: Classes,
    /// How wide the layers are, inputs first and classes last.
    layers: Vec<usize>,
    activation: Activation,
    hard: bool,
    /// The inputs that explanations begin with: their means in training.
    center: Vec<f64>,
    weights: Vec<f64>,
}

impl MlpModel {
    pub(super) fn new(
        with: &Mlp,
        classes: &Classes,
        layers: Vec<usize>,
        center: Vec<f64>,
        weights: Vec<f64>,
    ) -> Self {
        let (classes, activation, hard) = (classes.clone(), with.activation, with.hard);
        Self { classes, layers, activation, hard, center, weights }
    }

    /// A network with given weights, in the order of [`MlpModel::weights`]; `layers` are inputs,
    /// hidden layers and classes. Its explanations begin with inputs that are all 0.
    pub fn from_weights(
        classes: &Classes,
        layers: &[usize],
        activation: Activation,
        weights: Vec<f64>,
    ) -> Result<Self> {
        let shape = Shape::new(layers).filter(|shape| shape.outputs() == classes.len());
        let shape = shape.ok_or_else(|| {
            Error::unsuitable(
                format!("no network for {} classes has the layers {layers:?}", classes.len()),
                "give the widths of inputs, hidden layers and classes",
            )
        })?;
        shape.check(&weights, MOST)?;
        let (center, layers) = (vec![0.0; shape.inputs()], layers.to_vec());
        Ok(Self { classes: classes.clone(), layers, activation, hard: false, center, weights })
    }

    /// The same network with other weights.
    pub fn with_weights(&self, weights: Vec<f64>) -> Result<Self> {
        self.shape()?.check(&weights, MOST)?;
        Ok(Self { weights, ..self.clone() })
    }

    /// All weights: for each layer those of its first input to all units, then of the second and
    /// so on, then a bias for each unit.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// How wide the layers are, inputs first and classes last.
    pub fn layers(&self) -> &[usize] {
        &self.layers
    }

    /// What a unit makes of its weighted sum.
    pub fn activation(&self) -> Activation {
        self.activation
    }

    fn shape(&self) -> Result<Shape> {
        Shape::new(&self.layers).ok_or_else(inconsistent)
    }

    fn link(&self) -> Link {
        if self.hard { Link::Winner } else { Link::Softmax }
    }

    /// The outputs of `count` rows: `fill` writes the inputs of some, `each` gets a row's outputs.
    fn outputs(
        &self,
        count: usize,
        fill: impl Fn(Range<usize>, &mut Vec<f64>),
        mut each: impl FnMut(usize, &[f64]),
    ) -> Result<()> {
        let shape = self.shape()?;
        let mut pass = Pass::new(&shape, self.activation, count.min(BLOCK));
        let mut block = Vec::new();
        for start in (0..count).step_by(BLOCK) {
            let rows = start..count.min(start + BLOCK);
            fill(rows.clone(), &mut block);
            let found = pass.forward(&self.weights, &block, rows.len());
            let found = found.chunks_exact(shape.outputs());
            rows.zip(found).for_each(|(row, found)| each(row, found));
        }
        Ok(())
    }
}

impl Classifier for MlpModel {
    fn classes(&self) -> &Classes {
        &self.classes
    }

    fn proba_into(&self, rows: View<'_>, out: &mut Proba) -> Result<()> {
        let inputs = DenseRows::of_model(rows, self.center.len(), DenseRows::LIMIT)?;
        out.reset(inputs.rows, self.classes.len());
        let link = self.link();
        let fill =
            |rows: Range<usize>, block: &mut _| inputs.rows_into(rows.start, rows.end, block);
        self.outputs(inputs.rows, fill, |row, found| {
            let row = out.row_mut(row);
            row.copy_from_slice(found);
            link.apply(row);
        })
    }

    /// From the mean inputs to the row's, one input after the other: a part is what the outputs
    /// change by. The parts depend on the order of the inputs; their sum does not.
    fn explain(&self, rows: View<'_>, row: usize) -> Result<Explanation> {
        let values = DenseRows::of_model(rows, self.center.len(), DenseRows::LIMIT)?.row(row);
        let fill = |steps: Range<usize>, block: &mut Vec<f64>| {
            block.clear();
            for done in steps {
                block.extend_from_slice(&values[..done]);
                block.extend_from_slice(&self.center[done..]);
            }
        };
        let (mut base, mut before, mut parts) = (Vec::new(), Vec::new(), Vec::new());
        self.outputs(values.len() + 1, fill, |step, found| {
            if step == 0 {
                base = found.to_vec();
            } else {
                let column = step - 1;
                let because = format!("{} = {}", rows.field(column).name, values[column]);
                let adds = centred(found.iter().zip(&before).map(|(a, b)| a - b).collect());
                parts.push(Part { column: Some(column), because, adds });
            }
            before = found.to_vec();
        })?;
        Ok(Explanation { base: centred(base), parts, link: self.link() })
    }
}

/// Only differences between classes matter: centred parts compare.
fn centred(mut adds: Vec<f64>) -> Vec<f64> {
    let mean = adds.iter().sum::<f64>() / adds.len() as f64;
    for add in &mut adds {
        *add -= mean;
    }
    adds
}

fn inconsistent() -> Error {
    Error::model_file("its network is inconsistent")
}

impl Saved for MlpModel {
    const VERSION: u32 = 1;

    fn check(&self, inputs: &Schema) -> Result<()> {
        self.classes.check()?;
        let shape = self.shape()?;
        let sound = DenseRows::fits(inputs, shape.inputs())
            && shape.outputs() == self.classes.len()
            && shape.check(&self.weights, MOST).is_ok()
            && self.center.len() == shape.inputs()
            && self.center.iter().all(|value| value.abs() <= DenseRows::LIMIT);
        if sound { Ok(()) } else { Err(inconsistent()) }
    }

    fn size(&self) -> Vec<(&'static str, u64)> {
        let hidden = self.layers.len().saturating_sub(2) as u64;
        vec![("weights", self.weights.len() as u64), ("hidden layers", hidden)]
    }
}

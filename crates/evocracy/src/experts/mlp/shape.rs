//! The shape of a network and where its weights are.

use crate::error::{Error, Result};
use crate::param::{Allowed, Bounds, ParamKind};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::ops::Range;

/// The most hidden layers.
const MOST_LAYERS: usize = 16;
/// The most units of a layer.
const MOST_UNITS: usize = 100_000;

/// The texts that name hidden layers: `100`, `50,20`.
pub(super) struct Widths;

impl Bounds<String> for Widths {
    fn hold(&self, value: &String) -> bool {
        widths(value).is_some()
    }

    fn allowed(&self) -> Allowed {
        Allowed::any(ParamKind::Text)
    }

    fn takes(&self) -> String {
        format!("1 to {MOST_LAYERS} widths with commas between, as in 50,20")
    }
}

/// The widths in a text.
pub(super) fn widths(text: &str) -> Option<Vec<usize>> {
    let each = text.split(',').map(|width| width.trim().parse().ok());
    let widths: Vec<usize> = each.collect::<Option<_>>()?;
    let fit = widths.iter().all(|width| (1..=MOST_UNITS).contains(width));
    (widths.len() <= MOST_LAYERS && fit).then_some(widths)
}

/// How wide the layers are, inputs first and classes last.
///
/// The weights are one vector: for each layer those of its first input to all units, then of the
/// second, and so on; then a bias for each unit.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shape {
    pub(super) layers: Vec<Layer>,
}

/// One layer of weights.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layer {
    pub(super) inputs: usize,
    pub(super) units: usize,
    /// Where its weights are.
    pub(super) weights: Range<usize>,
    /// Where its biases are.
    pub(super) biases: Range<usize>,
}

impl Shape {
    /// The shape with these widths; `None` where they are none that a network has.
    pub(super) fn new(widths: &[usize]) -> Option<Self> {
        let fit = (2..=MOST_LAYERS + 2).contains(&widths.len())
            && widths[1..].iter().all(|width| (1..=MOST_UNITS).contains(width));
        if !fit {
            return None;
        }
        let (mut layers, mut at) = (Vec::new(), 0_usize);
        for pair in widths.windows(2) {
            let [inputs, units] = [pair[0], pair[1]];
            let weights = at..at.checked_add(inputs.checked_mul(units)?)?;
            let biases = weights.end..weights.end.checked_add(units)?;
            at = biases.end;
            layers.push(Layer { inputs, units, weights, biases });
        }
        Some(Self { layers })
    }

    /// How many weights there are, biases with them.
    pub(super) fn len(&self) -> usize {
        self.layers.last().map_or(0, |layer| layer.biases.end)
    }

    /// How many inputs there are.
    pub(super) fn inputs(&self) -> usize {
        self.layers.first().map_or(0, |layer| layer.inputs)
    }

    /// How many outputs there are.
    pub(super) fn outputs(&self) -> usize {
        self.layers.last().map_or(0, |layer| layer.units)
    }

    /// Random weights: uniform within the root of `gain` over inputs and units together (Glorot,
    /// Bengio 2010, "Understanding the difficulty of training deep feedforward neural networks").
    pub(super) fn start(&self, gain: f64, rng: &mut ChaCha8Rng) -> Vec<f64> {
        let mut weights = Vec::with_capacity(self.len());
        for layer in &self.layers {
            let most = (gain / (layer.inputs + layer.units) as f64).sqrt();
            let count = layer.weights.len() + layer.biases.len();
            weights.extend((0..count).map(|_| most * (2.0 * rng.random::<f64>() - 1.0)));
        }
        weights
    }

    /// Refuses weights that are not of this shape.
    pub(super) fn check(&self, weights: &[f64], most: f64) -> Result<()> {
        if weights.len() != self.len() {
            return Err(Error::unsuitable(
                format!("the network has {} weights, not {}", self.len(), weights.len()),
                "give one number for each weight and bias",
            ));
        }
        if weights.iter().all(|weight| weight.abs() <= most) {
            return Ok(());
        }
        Err(Error::unsuitable(
            "the weights of the network are not finite",
            "lower the rate, or raise the penalty",
        ))
    }
}

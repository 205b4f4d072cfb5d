//! The forward and the backward pass through the network (backpropagation; Rumelhart, Hinton, Williams 1986).
//!
//! A block of rows is a matrix whose columns are the rows. With `a` the values of a layer below,
//! `W` its weights and `b` its biases, a layer is `f(W a + b)`. Let `d` be the derivative of the
//! loss by `W a + b`: at the outputs, with softmax and cross-entropy, it is the weight of the row
//! times probability less truth. Then the gradient is `d a'` for `W` and the sum of `d` for `b`, and
//! one layer down `d` is `W' d` times the derivative of `f`.

use super::Activation;
use super::shape::Shape;
use crate::num::matrix::Factor::{Plain, Transposed};
use crate::num::matrix::{Real, add_product};
use crate::num::{exp, wide};

/// A network with room for a block of rows.
#[derive(Debug)]
pub(super) struct Pass<'a, R> {
    shape: &'a Shape,
    activation: Activation,
    /// The values of each layer, row after row.
    values: Vec<Vec<R>>,
    /// The derivatives of the loss by what enters a layer, and those of the layer below.
    deltas: [Vec<R>; 2],
}

/// A block of rows: their inputs one after the other, classes and weights.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowBlock<'a, R> {
    pub(super) inputs: &'a [R],
    pub(super) labels: &'a [u32],
    pub(super) weights: &'a [R],
}

impl<'a, R: Real> Pass<'a, R> {
    /// Room for `rows` rows at a time.
    pub(super) fn new(shape: &'a Shape, activation: Activation, rows: usize) -> Self {
        let room = |units: usize| vec![R::default(); units * rows];
        let values = shape.layers.iter().map(|layer| room(layer.units)).collect();
        let widest = shape.layers.iter().map(|layer| layer.units).max().unwrap_or(0);
        Self { shape, activation, values, deltas: [room(widest), room(widest)] }
    }

    /// The outputs before softmax, row after row.
    pub(super) fn forward(&mut self, weights: &[R], inputs: &[R], rows: usize) -> &[R] {
        let last = self.shape.layers.len() - 1;
        for (at, layer) in self.shape.layers.iter().enumerate() {
            let (below, here) = self.values.split_at_mut(at);
            let below = below.last().map_or(inputs, |below| &below[..rows * layer.inputs]);
            let out = &mut here[0][..rows * layer.units];
            let biases = &weights[layer.biases.clone()];
            out.chunks_exact_mut(layer.units).for_each(|row| row.copy_from_slice(biases));
            let matrix = Plain(&weights[layer.weights.clone()]);
            add_product(out, layer.units, matrix, layer.inputs, Plain(below));
            if at < last {
                activate(self.activation, out);
            }
        }
        &self.values[last][..rows * self.shape.outputs()]
    }

    /// The loss of a block: the sum over its rows of weight times negative log-probability.
    pub(super) fn loss(&mut self, weights: &[R], block: RowBlock<'_, R>) -> f64 {
        self.forward(weights, block.inputs, block.labels.len());
        self.link(block)
    }

    /// The loss of a block; adds its derivatives to `gradient`.
    pub(super) fn gradient(
        &mut self,
        weights: &[R],
        block: RowBlock<'_, R>,
        gradient: &mut [R],
    ) -> f64 {
        let loss = self.loss(weights, block);
        let rows = block.labels.len();
        for at in (0..self.shape.layers.len()).rev() {
            let layer = &self.shape.layers[at];
            let [deltas, under] = &mut self.deltas;
            let deltas = &deltas[..rows * layer.units];
            let below = match at {
                0 => block.inputs,
                _ => &self.values[at - 1][..rows * layer.inputs],
            };
            let part = &mut gradient[layer.weights.clone()];
            add_product(part, layer.units, Plain(deltas), rows, Transposed(below));
            add_rows(&mut gradient[layer.biases.clone()], deltas);
            if at > 0 {
                let under = &mut under[..rows * layer.inputs];
                under.fill(R::default());
                let matrix = Transposed(&weights[layer.weights.clone()]);
                add_product(under, layer.inputs, matrix, layer.units, Plain(deltas));
                backward(self.activation, under, below);
                self.deltas.swap(0, 1);
            }
        }
        loss
    }

    /// Makes probabilities less truth of the outputs; the loss of the rows.
    fn link(&mut self, block: RowBlock<'_, R>) -> f64 {
        let units = self.shape.outputs();
        let outputs = &self.values[self.shape.layers.len() - 1];
        let deltas = &mut self.deltas[0];
        let each = outputs.chunks_exact(units).zip(deltas.chunks_exact_mut(units));
        let each = each.zip(block.labels.iter().zip(block.weights));
        wide(
            #[inline(always)]
            || {
                let mut loss = 0.0;
                for ((outputs, deltas), (&label, &weight)) in each {
                    let top = outputs.iter().fold(f64::NEG_INFINITY, |t, o| o.get().max(t));
                    let mut total = 0.0;
                    for (deltas, output) in deltas.iter_mut().zip(outputs) {
                        let share = exp(output.get() - top);
                        total += share;
                        *deltas = R::of(share);
                    }
                    let scale = R::of(weight.get() / total);
                    for deltas in &mut *deltas {
                        *deltas *= scale;
                    }
                    let label = label as usize;
                    deltas[label] -= weight;
                    loss += weight.get() * (total.ln() + top - outputs[label].get());
                }
                loss
            },
        )
    }
}

/// Replaces what enters the units by their values.
fn activate<R: Real>(activation: Activation, values: &mut [R]) {
    let each = values.iter_mut();
    wide(
        #[inline(always)]
        || match activation {
            Activation::Relu => {
                // Nothing overflows, whatever the inputs are.
                let (least, most) = (R::of(0.0), R::of(R::MOST));
                each.for_each(|v| {
                    let low = if *v > least { *v } else { least };
                    *v = if low < most { low } else { most };
                });
            }
            Activation::Tanh => {
                each.for_each(|v| *v = R::of(1.0 - 2.0 / (1.0 + exp(2.0 * v.get()))));
            }
            Activation::Logistic => each.for_each(|v| *v = R::of(1.0 / (1.0 + exp(-v.get())))),
        },
    );
}

/// Multiplies derivatives by that of the activation, given the values of the units.
fn backward<R: Real>(activation: Activation, deltas: &mut [R], values: &[R]) {
    let (none, one) = (R::of(0.0), R::of(1.0));
    let each = deltas.iter_mut().zip(values);
    wide(
        #[inline(always)]
        || match activation {
            Activation::Relu => each.for_each(|(d, v)| *d = if *v > none { *d } else { none }),
            Activation::Tanh => each.for_each(|(d, v)| *d *= one - *v * *v),
            Activation::Logistic => each.for_each(|(d, v)| *d *= *v * (one - *v)),
        },
    );
}

/// Adds every row to the sums.
fn add_rows<R: Real>(sums: &mut [R], rows: &[R]) {
    wide(
        #[inline(always)]
        || {
            for row in rows.chunks_exact(sums.len()) {
                sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += *value);
            }
        },
    );
}

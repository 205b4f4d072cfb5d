//! Small batches with Adam (Kingma, Ba 2015, "Adam: A Method for Stochastic Optimization",
//! algorithm 1).
//!
//! Networks are trained in numbers of 32 bits: the noise of the batches is far above their rounding,
//! and twice as many fit into a register.

use super::pass::Pass;
use super::rows::{BLOCK, Rows};
use super::train::{Judge, Training};
use crate::num::matrix::Real;
use crate::num::wide;
use crate::run::StopReason;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// How fast the means of slopes and of their squares forget.
const FORGET: [f64; 2] = [0.9, 0.999];
/// What is added to the root of the second mean.
const LEAST: f64 = 1e-8;

/// The means of slopes and of their squares.
struct Means<R> {
    slope: Vec<R>,
    square: Vec<R>,
    steps: i32,
}

/// Trains weights in rounds over all rows in a new order, batch after batch.
pub(super) fn adam<R: Real>(
    training: Training<'_>,
    [learnt, held]: &[Rows<R>; 2],
    mut weights: Vec<R>,
    rng: &mut ChaCha8Rng,
) -> (Vec<R>, StopReason) {
    let Training { with, shape, run, .. } = training;
    let size = with.batch.min(learnt.len());
    let mut pass = Pass::new(shape, with.activation, size.max(BLOCK));
    let mut batch = Rows::default();
    let mut order: Vec<u32> = (0..learnt.len() as u32).collect();
    let room = || vec![R::default(); weights.len()];
    let (mut slope, mut means) = (room(), Means { slope: room(), square: room(), steps: 0 });
    let mut judge = Judge::new(with, held.len() > 0, &weights);
    for _ in 0..with.epochs {
        order.shuffle(rng);
        let mut loss = 0.0;
        for rows in order.chunks(size) {
            if run.stop.requested() {
                judge.stop = StopReason::Interrupted;
                return judge.best(weights);
            }
            batch.fill(learnt, rows);
            slope.fill(R::default());
            loss += pass.slope(&weights, batch.block(), &mut slope);
            means.step(training, &mut weights, &slope, rows.len());
        }
        loss /= learnt.total();
        if held.len() > 0 {
            loss = held.loss(&mut pass, &weights);
        }
        run.watch.advance(1);
        run.watch.figure("loss", loss);
        if !judge.goes_on(loss, &weights) {
            break;
        }
    }
    judge.best(weights)
}

impl<R: Real> Means<R> {
    /// One step against the slope of a batch of `rows` rows.
    fn step(&mut self, training: Training<'_>, weights: &mut [R], slope: &[R], rows: usize) {
        self.steps = self.steps.saturating_add(1);
        let unbias = |forget: f64| 1.0 - forget.powi(self.steps);
        let rate = training.with.rate * unbias(FORGET[1]).sqrt() / unbias(FORGET[0]);
        let least = LEAST * unbias(FORGET[1]).sqrt();
        let mean = 1.0 / rows as f64;
        for layer in &training.shape.layers {
            for (range, penalty) in
                [(layer.weights.clone(), training.penalty), (layer.biases.clone(), 0.0)]
            {
                let with = [mean, penalty, rate, least].map(R::of);
                let (first, second) = (&mut self.slope, &mut self.square);
                let means = [&mut first[range.clone()], &mut second[range.clone()]];
                update(&mut weights[range.clone()], &slope[range], means, with);
            }
        }
    }
}

/// Moves weights by Adam's rule.
fn update<R: Real>(weights: &mut [R], slope: &[R], means: [&mut [R]; 2], with: [R; 4]) {
    let [mean, penalty, rate, least] = with;
    let forget = FORGET.map(R::of);
    let learn = FORGET.map(|forget| R::of(1.0 - forget));
    let [first, second] = means;
    let each = weights.iter_mut().zip(slope).zip(first.iter_mut().zip(second));
    wide(
        #[inline(always)]
        || {
            for ((weight, slope), (first, second)) in each {
                let slope = *slope * mean + penalty * *weight;
                *first = forget[0] * *first + learn[0] * slope;
                *second = forget[1] * *second + learn[1] * (slope * slope);
                *weight -= rate * *first / (second.root() + least);
            }
        },
    );
}

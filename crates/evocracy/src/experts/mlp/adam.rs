//! Small batches with Adam (Kingma, Ba 2015, "Adam: A Method for Stochastic Optimization",
//! algorithm 1).
//!
//! Networks are trained in numbers of 32 bits: the noise of the batches is far above their rounding,
//! and twice as many fit into a register.

use super::pass::Pass;
use super::rows::{BLOCK, TrainingRows};
use super::train::{EarlyStopping, Training};
use crate::num::matrix::Real;
use crate::num::wide;
use crate::run::StopReason;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// The decay rates of the moving averages of gradients and of their squares.
const DECAY: [f64; 2] = [0.9, 0.999];
/// What is added to the root of the second average.
const EPSILON: f64 = 1e-8;

/// The moving averages of gradients and of their squares.
struct Averages<R> {
    gradient: Vec<R>,
    square: Vec<R>,
    steps: i32,
}

/// Trains weights in rounds over all rows in a new order, batch after batch.
pub(super) fn adam<R: Real>(
    training: Training<'_>,
    [learnt, held]: &[TrainingRows<R>; 2],
    mut weights: Vec<R>,
    rng: &mut ChaCha8Rng,
) -> (Vec<R>, StopReason) {
    let Training { with, shape, run, .. } = training;
    let size = with.batch.min(learnt.len());
    let mut pass = Pass::new(shape, with.activation, size.max(BLOCK));
    let mut batch = TrainingRows::default();
    let mut order: Vec<u32> = (0..learnt.len() as u32).collect();
    let room = || vec![R::default(); weights.len()];
    let (mut gradient, mut averages) =
        (room(), Averages { gradient: room(), square: room(), steps: 0 });
    let mut stopping = EarlyStopping::new(with, held.len() > 0, &weights);
    for _ in 0..with.epochs {
        order.shuffle(rng);
        let mut loss = 0.0;
        for rows in order.chunks(size) {
            if run.stop.requested() {
                stopping.stop = StopReason::Interrupted;
                return stopping.best(weights);
            }
            batch.fill(learnt, rows);
            gradient.fill(R::default());
            loss += pass.gradient(&weights, batch.block(), &mut gradient);
            averages.step(training, &mut weights, &gradient, rows.len());
        }
        loss /= learnt.total();
        if held.len() > 0 {
            loss = held.loss(&mut pass, &weights);
        }
        run.watch.advance(1);
        run.watch.figure("loss", loss);
        if !stopping.continues(loss, &weights) {
            break;
        }
    }
    stopping.best(weights)
}

impl<R: Real> Averages<R> {
    /// One step against the gradient of a batch of `rows` rows.
    fn step(&mut self, training: Training<'_>, weights: &mut [R], gradient: &[R], rows: usize) {
        self.steps = self.steps.saturating_add(1);
        let correction = |decay: f64| 1.0 - decay.powi(self.steps);
        let rate = training.with.rate * correction(DECAY[1]).sqrt() / correction(DECAY[0]);
        let least = EPSILON * correction(DECAY[1]).sqrt();
        let mean = 1.0 / rows as f64;
        for layer in &training.shape.layers {
            for (range, penalty) in
                [(layer.weights.clone(), training.penalty), (layer.biases.clone(), 0.0)]
            {
                let with = [mean, penalty, rate, least].map(R::of);
                let (first, second) = (&mut self.gradient, &mut self.square);
                let averages = [&mut first[range.clone()], &mut second[range.clone()]];
                update(&mut weights[range.clone()], &gradient[range], averages, with);
            }
        }
    }
}

/// Moves weights by Adam's rule.
fn update<R: Real>(weights: &mut [R], gradient: &[R], averages: [&mut [R]; 2], with: [R; 4]) {
    let [mean, penalty, rate, least] = with;
    let decay = DECAY.map(R::of);
    let learn = DECAY.map(|decay| R::of(1.0 - decay));
    let [first, second] = averages;
    let each = weights.iter_mut().zip(gradient).zip(first.iter_mut().zip(second));
    wide(
        #[inline(always)]
        || {
            for ((weight, gradient), (first, second)) in each {
                let gradient = *gradient * mean + penalty * *weight;
                *first = decay[0] * *first + learn[0] * gradient;
                *second = decay[1] * *second + learn[1] * (gradient * gradient);
                *weight -= rate * *first / (second.root() + least);
            }
        },
    );
}

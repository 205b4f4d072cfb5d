//! How vectors move when a row is shown.
//!
//! With `x` the row, `m` a vector and `a` the rate, a vector is pulled by `m += a (x - m)` and pushed
//! by `m -= a (x - m)`. The rate falls in a line from its start to 0 over all steps, except for OLVQ1.
//!
//! - LVQ1 (Kohonen 1990, "The Self-Organizing Map"): the nearest vector is pulled if its class is
//!   the row's, pushed if not.
//! - OLVQ1 (Kohonen 1992): the same with a rate for each vector, `a / (1 + a)` after a pull and
//!   `a / (1 - a)` after a push, at most the rate of the start.
//! - LVQ2.1: of the two nearest vectors one has the row's class and one another, and the row is in
//!   the window between them, `min(d1 / d2, d2 / d1) > (1 - w) / (1 + w)`: the one is pulled, the
//!   other pushed.
//! - LVQ3: as LVQ2.1; where both have the row's class, both are pulled by `epsilon a`.
//! - GLVQ (Sato, Yamada 1996, "Generalized Learning Vector Quantization"): with `p` and `q` the
//!   squared distances of the nearest right and wrong vector, `u = (p - q) / (p + q)` and `f` the
//!   logistic function of `t u`, where `t` is the number of the round, the right one is pulled by
//!   `a f (1 - f) 4 q / (p + q)^2` and the wrong one pushed by `a f (1 - f) 4 p / (p + q)^2`, at
//!   most the whole way.

use super::codebook::{Codebook, Near, nearest, two_nearest};
use super::{Lvq, LvqKind};
use crate::num::exp;

/// The state of a training.
#[derive(Debug)]
pub(super) struct Trainer {
    pub(super) book: Codebook,
    kind: LvqKind,
    start: f64,
    /// The least share of two distances that is inside the window, squared.
    window: f64,
    epsilon: f64,
    /// The rate of each vector (OLVQ1).
    rates: Vec<f64>,
    squares: Vec<f64>,
}

impl Trainer {
    pub(super) fn new(with: &Lvq, book: Codebook) -> Self {
        let share = (1.0 - with.window) / (1.0 + with.window);
        Self {
            kind: with.kind,
            start: with.rate,
            window: share * share,
            epsilon: with.epsilon,
            rates: vec![with.rate; book.len()],
            squares: vec![0.0; book.len()],
            book,
        }
    }
}

#[allow(clippy::inline_always, reason = "they are compiled for the processor of their caller")]
impl Trainer {
    /// Shows one row; `left` is the share of the steps that are still to come, `round` counts
    /// from 1.
    #[inline(always)]
    pub(super) fn show(&mut self, row: &[f64], label: u32, left: f64, round: usize) {
        self.book.squares(row, &mut self.squares);
        let rate = self.start * left;
        match self.kind {
            LvqKind::Lvq1 | LvqKind::Olvq1 => self.one(row, label, rate),
            LvqKind::Lvq21 | LvqKind::Lvq3 => self.two(row, label, rate),
            LvqKind::Glvq => self.relative(row, label, rate, round),
        }
    }

    #[inline(always)]
    fn is_right(&self, at: usize, label: u32) -> bool {
        self.book.labels[at] == label
    }

    #[inline(always)]
    fn one(&mut self, row: &[f64], label: u32, rate: f64) {
        let near = nearest(&self.squares);
        if !near.is_some() {
            return;
        }
        let sign = if self.is_right(near.at, label) { 1.0 } else { -1.0 };
        if self.kind == LvqKind::Lvq1 {
            return self.book.move_towards(near.at, row, sign * rate);
        }
        let rate = self.rates[near.at];
        self.book.move_towards(near.at, row, sign * rate);
        // A rate of 1 has no next one after a push.
        let next = rate / (1.0 + sign * rate);
        self.rates[near.at] = if next > 0.0 { next.min(self.start) } else { self.start };
    }

    #[inline(always)]
    fn two(&mut self, row: &[f64], label: u32, rate: f64) {
        let [a, b] = two_nearest(&self.squares);
        if !b.is_some() {
            return;
        }
        match (self.is_right(a.at, label), self.is_right(b.at, label)) {
            (true, true) if self.kind == LvqKind::Lvq3 => {
                self.book.move_towards(a.at, row, self.epsilon * rate);
                self.book.move_towards(b.at, row, self.epsilon * rate);
            }
            // The first one is the nearer one, so that this is the smaller of the two shares.
            (a_is, b_is) if a_is != b_is && a.square > self.window * b.square => {
                let [right, wrong] = if a_is { [a, b] } else { [b, a] };
                self.book.move_towards(right.at, row, rate);
                self.book.move_towards(wrong.at, row, -rate);
            }
            _ => {}
        }
    }

    #[inline(always)]
    fn relative(&mut self, row: &[f64], label: u32, rate: f64, round: usize) {
        let [right, wrong] = self.book.right_and_wrong(&self.squares, label);
        let sum = right.square + wrong.square;
        if !right.is_some() || !wrong.is_some() || sum <= 0.0 || !sum.is_finite() {
            return;
        }
        let argument = round as f64 * (right.square - wrong.square) / sum;
        let f = 1.0 / (1.0 + exp(-argument));
        let share = |other: Near| 4.0 * rate * f * (1.0 - f) * (other.square / sum) / sum;
        let share = |other| share(other).min(1.0);
        let [towards, away] = [share(wrong), share(right)];
        self.book.move_towards(right.at, row, towards);
        self.book.move_towards(wrong.at, row, -away);
    }
}

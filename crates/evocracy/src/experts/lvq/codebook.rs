//! The codebook: vectors with a class each, and which of them are near.

use serde::{Deserialize, Serialize};

/// Vectors of one class after those of another, column by column, so that the distances to all of
/// them are computed side by side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Codebook {
    /// How many inputs there are.
    pub(super) inputs: usize,
    /// The class of each vector, in ascending order.
    pub(super) labels: Vec<u32>,
    /// The first input of all vectors, then the second, and so on.
    pub(super) cells: Vec<f64>,
}

/// A vector and its squared distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Near {
    pub(super) at: usize,
    pub(super) square: f64,
}

impl Near {
    /// No vector.
    pub(super) const NONE: Self = Self { at: usize::MAX, square: f64::INFINITY };

    /// Whether there is a vector.
    pub(super) fn is_some(self) -> bool {
        self.at != usize::MAX
    }
}

impl Codebook {
    /// The book of rows with these classes, which ascend.
    pub(super) fn new(inputs: usize, labels: Vec<u32>, row: impl Fn(usize) -> Vec<f64>) -> Self {
        let count = labels.len();
        let mut cells = vec![0.0; inputs * count];
        for at in 0..count {
            for (j, value) in row(at).into_iter().enumerate() {
                cells[j * count + at] = value;
            }
        }
        Self { inputs, labels, cells }
    }

    /// How many vectors there are.
    pub(super) fn len(&self) -> usize {
        self.labels.len()
    }

    /// One input of a vector.
    pub(super) fn cell(&self, at: usize, input: usize) -> f64 {
        self.cells[input * self.len() + at]
    }
}

#[allow(clippy::inline_always, reason = "they are compiled for the processor of their caller")]
impl Codebook {
    /// The squared distances of a row to all vectors, some of them side by side in registers.
    #[inline(always)]
    pub(super) fn squares(&self, row: &[f64], squares: &mut [f64]) {
        let count = self.len();
        let mut at = 0;
        while at + 8 <= count {
            squares[at..at + 8].copy_from_slice(&self.some::<8>(row, at));
            at += 8;
        }
        if at + 4 <= count {
            squares[at..at + 4].copy_from_slice(&self.some::<4>(row, at));
            at += 4;
        }
        while at < count {
            squares[at] = self.some::<1>(row, at)[0];
            at += 1;
        }
    }

    /// The squared distances to some vectors, from `at` on.
    #[inline(always)]
    fn some<const SOME: usize>(&self, row: &[f64], at: usize) -> [f64; SOME] {
        let mut squares = [0.0; SOME];
        for (cells, value) in self.cells.chunks_exact(self.len()).zip(row) {
            let cells = &cells[at..at + SOME];
            for i in 0..SOME {
                let difference = value - cells[i];
                squares[i] += difference * difference;
            }
        }
        squares
    }

    /// Moves a vector towards a row by a share of the way; away from it by a negative share.
    #[inline(always)]
    pub(super) fn move_towards(&mut self, at: usize, row: &[f64], share: f64) {
        let count = self.len();
        for (cell, value) in self.cells.iter_mut().skip(at).step_by(count).zip(row) {
            *cell += share * (value - *cell);
        }
    }

    /// The nearest vectors of the class and of all others; the first one among equals.
    #[inline(always)]
    pub(super) fn right_and_wrong(&self, squares: &[f64], label: u32) -> [Near; 2] {
        let mut near = [Near::NONE; 2];
        for (at, (&square, &class)) in squares.iter().zip(&self.labels).enumerate() {
            let side = &mut near[usize::from(class != label)];
            if square < side.square {
                *side = Near { at, square };
            }
        }
        near
    }
}

/// The nearest vector; the first one among equals.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
pub(super) fn nearest(squares: &[f64]) -> Near {
    let mut near = Near::NONE;
    for (at, &square) in squares.iter().enumerate() {
        if square < near.square {
            near = Near { at, square };
        }
    }
    near
}

/// The two nearest vectors.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
pub(super) fn two_nearest(squares: &[f64]) -> [Near; 2] {
    let [mut first, mut second] = [Near::NONE; 2];
    for (at, &square) in squares.iter().enumerate() {
        if square < first.square {
            second = first;
            first = Near { at, square };
        } else if square < second.square {
            second = Near { at, square };
        }
    }
    [first, second]
}

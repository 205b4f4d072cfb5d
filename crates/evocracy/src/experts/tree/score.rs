//! Impurity and how much of it a split takes away (Breiman, Friedman, Olshen, Stone 1984,
//! chapters 2.4 and 4.1).
//!
//! With `w_c` the weight of class `c` in a node and `w` their sum, the weighted impurity is
//! `w - sum w_c^2 / w` (Gini) or `w log2 w - sum w_c log2 w_c` (entropy, in bits). A [`SplitScore`]
//! keeps the class weights of both sides while rows move from the right to the left one, so
//! that every split point of a column costs a constant number of operations (Gini) or one
//! logarithm for each class (entropy).

use super::search::{LANES, SECOND, row_of};
use std::borrow::Cow;

crate::choices! {
    /// What makes a node impure.
    pub enum Criterion {
        /// the chance that two random rows of the node differ in class
        Gini = "gini",
        /// the bits needed to tell the class of a row of the node
        Entropy = "entropy",
    }
}

impl Criterion {
    /// The impurity of a node with these class weights, times its weight.
    pub(super) fn impurity(self, weights: &[f64]) -> f64 {
        let total: f64 = weights.iter().sum();
        let impurity = match self {
            Self::Gini if total > 0.0 => total - weights.iter().map(|w| w * w).sum::<f64>() / total,
            Self::Gini => 0.0,
            Self::Entropy => w_log_w(total) - weights.iter().map(|&w| w_log_w(w)).sum::<f64>(),
        };
        impurity.max(0.0)
    }
}

fn w_log_w(weight: f64) -> f64 {
    if weight > 0.0 { weight * weight.log2() } else { 0.0 }
}

/// The class and weight of every row.
#[derive(Debug, Default)]
pub(super) struct RowWeights {
    pub(super) labels: Vec<u32>,
    /// With two classes, those of the second are negative: one number tells weight and class.
    weights: Vec<f64>,
    /// Whether there are two classes.
    pub(super) is_pair: bool,
    /// Whether the rows that have weight all have the weight 1.
    pub(super) is_unit: bool,
}

impl RowWeights {
    pub(super) fn new(labels: &[u32]) -> Self {
        Self { labels: labels.to_vec(), ..Self::default() }
    }

    /// Takes in those of some of the rows.
    pub(super) fn select(&mut self, from: &Self, rows: &[u32]) {
        (self.is_pair, self.is_unit) = (from.is_pair, from.is_unit);
        self.labels.clear();
        self.labels.extend(rows.iter().map(|&row| from.labels[row as usize]));
        self.weights.clear();
        self.weights.extend(rows.iter().map(|&row| from.weights[row as usize]));
    }

    /// What the entry of a row says of its class where there are two.
    #[inline]
    pub(super) fn mark(&self, row: usize) -> u32 {
        if self.is_pair && self.labels[row] == 1 { SECOND } else { 0 }
    }

    /// The weight of a row.
    #[inline]
    pub(super) fn weight(&self, row: usize) -> f64 {
        self.weights[row].abs()
    }

    /// With two classes: the weight of a row in each, one of them 0; no branch on the class.
    #[inline]
    pub(super) fn pair(&self, row: usize) -> [f64; 2] {
        let weight = self.weights[row];
        [weight, -weight].map(|weight| if weight > 0.0 { weight } else { 0.0 })
    }

    pub(super) fn weigh(&mut self, weights: Cow<'_, [f64]>, classes: usize) {
        match weights {
            Cow::Owned(weights) => self.weights = weights,
            Cow::Borrowed(weights) => {
                self.weights.clear();
                self.weights.extend_from_slice(weights);
            }
        }
        self.is_unit = self.weights.iter().all(|&weight| weight == 0.0 || weight == 1.0);
        self.is_pair = classes == 2;
        if self.is_pair {
            for (weight, &label) in self.weights.iter_mut().zip(&self.labels) {
                *weight = if label == 0 { *weight } else { -*weight };
            }
        }
    }
}

/// The class weights on both sides of a split that is being moved.
pub(super) trait SplitScore {
    /// Puts everything on the right: the class weights of the node.
    fn start(&mut self, all: &[f64]);
    /// Moves the row of an entry to the left.
    fn row(&mut self, row_weights: &RowWeights, entry: u32);
    /// Moves rows with these class weights to the left, or back with `sign` -1.
    fn block(&mut self, weights: &[f64], sign: f64);
    /// The weighted impurity that the split takes away.
    fn gain(&self) -> f64;
    /// Whether the gain exceeds `least_gain`.
    #[inline]
    fn beats(&self, least_gain: f64) -> bool {
        self.gain() > least_gain
    }
    /// Moves the rows of these entries to the left if surely no gain on the way exceeds `sure` by
    /// more than rounding; else, or where that is not known, moves none.
    fn passes(&mut self, _row_weights: &RowWeights, _entries: &[u32], _sure: f64) -> bool {
        false
    }
    /// Moves the rows of these entries to the left if no gain on the way exceeds `least_gain`; else,
    /// or where that would cost as much as to look at each, moves none.
    fn skips(&mut self, _row_weights: &RowWeights, _: &[u32; LANES], _least_gain: f64) -> bool {
        false
    }
    /// The weight on the left and on the right.
    fn sides(&self) -> [f64; 2];
}

/// Gini for two classes. Both classes contribute the same, and the difference of impurities
/// has the closed form `2 (l_1 r_0 - l_0 r_1)^2 / (l r w)`: one division and no cancellation.
///
/// Where all rows weigh the same (`UNIT`), an entry says all of its row, and no weight is looked up.
#[derive(Debug, Default)]
pub(super) struct PairGini<const UNIT: bool> {
    all: [f64; 2],
    left: [f64; 2],
}

impl<const UNIT: bool> PairGini<UNIT> {
    #[inline]
    fn pair(row_weights: &RowWeights, entry: u32) -> [f64; 2] {
        if UNIT {
            let second = f64::from(u8::from(entry & SECOND != 0));
            [1.0 - second, second]
        } else {
            row_weights.pair(row_of(entry) as usize)
        }
    }
}

impl<const UNIT: bool> SplitScore for PairGini<UNIT> {
    fn start(&mut self, all: &[f64]) {
        self.all = [all[0], all[1]];
        self.left = [0.0; 2];
    }

    #[inline]
    fn row(&mut self, row_weights: &RowWeights, entry: u32) {
        let [a, b] = Self::pair(row_weights, entry);
        self.left[0] += a;
        self.left[1] += b;
    }

    fn block(&mut self, weights: &[f64], sign: f64) {
        self.left[0] += sign * weights[0];
        self.left[1] += sign * weights[1];
    }

    #[inline]
    fn gain(&self) -> f64 {
        let ([l0, l1], [a0, a1]) = (self.left, self.all);
        let [left, right] = self.sides();
        // l_1 r_0 - l_0 r_1 = l_1 a_0 - l_0 a_1, whatever the split.
        let determinant = l1 * a0 - l0 * a1;
        2.0 * determinant * determinant / (left * right * (a0 + a1))
    }

    /// Without the division, which would be most of the work of a scan.
    #[inline]
    fn beats(&self, least_gain: f64) -> bool {
        let ([l0, l1], [a0, a1]) = (self.left, self.all);
        let [left, right] = self.sides();
        let determinant = l1 * a0 - l0 * a1;
        2.0 * determinant * determinant > least_gain * (left * right * (a0 + a1))
    }

    /// The gain is convex in the class weights on the left, which only grow on the way: it is
    /// nowhere higher than in the worst corner of the rectangle between start and end.
    fn passes(&mut self, row_weights: &RowWeights, entries: &[u32], sure: f64) -> bool {
        if sure < 0.0 {
            return false;
        }
        let [from, mut to] = [self.left; 2];
        if UNIT {
            let second: u32 = entries.iter().map(|entry| u32::from(entry & SECOND != 0)).sum();
            to = [to[0] + f64::from(entries.len() as u32 - second), to[1] + f64::from(second)];
        } else {
            for &entry in entries {
                let [a, b] = Self::pair(row_weights, entry);
                to = [to[0] + a, to[1] + b];
            }
        }
        let corners = [from, [from[0], to[1]], [to[0], from[1]], to];
        let passes = !corners.iter().any(|&left| Self { left, ..*self }.beats(sure));
        self.left = if passes { to } else { from };
        passes
    }

    /// As [`SplitScore::beats`] for all places, side by side.
    #[inline]
    fn skips(&mut self, row_weights: &RowWeights, entries: &[u32; LANES], least_gain: f64) -> bool {
        let mut lefts = [[0.0; LANES]; 2];
        let [mut l0, mut l1] = self.left;
        for (lane, &entry) in entries.iter().enumerate() {
            let [a, b] = Self::pair(row_weights, entry);
            (l0, l1) = (l0 + a, l1 + b);
            (lefts[0][lane], lefts[1][lane]) = (l0, l1);
        }
        let [a0, a1] = self.all;
        let mut beats = false;
        for (left_0, left_1) in lefts[0].into_iter().zip(lefts[1]) {
            let (left, right) = (left_0 + left_1, (a0 - left_0) + (a1 - left_1));
            let determinant = left_1 * a0 - left_0 * a1;
            beats |= 2.0 * determinant * determinant > least_gain * (left * right * (a0 + a1));
        }
        if !beats {
            self.left = [l0, l1];
        }
        !beats
    }

    #[inline]
    fn sides(&self) -> [f64; 2] {
        let left = self.left[0] + self.left[1];
        [left, (self.all[0] - self.left[0]) + (self.all[1] - self.left[1])]
    }
}

/// Gini for any number of classes: the sums of squares follow each row.
#[derive(Debug, Default)]
pub(super) struct Gini {
    left: Vec<f64>,
    right: Vec<f64>,
    weight: [f64; 2],
    squares: [f64; 2],
    /// What the sum of squares over the weight is without a split.
    whole: f64,
}

impl Gini {
    fn shift(&mut self, class: usize, weight: f64) {
        let (left, right) = (self.left[class], self.right[class]);
        self.squares[0] += weight * (2.0 * left + weight);
        self.squares[1] -= weight * (2.0 * right - weight);
        self.left[class] = left + weight;
        self.right[class] = right - weight;
        self.weight[0] += weight;
        self.weight[1] -= weight;
    }
}

impl SplitScore for Gini {
    fn start(&mut self, all: &[f64]) {
        self.right.clear();
        self.right.extend_from_slice(all);
        self.left.clear();
        self.left.resize(all.len(), 0.0);
        self.weight = [0.0, all.iter().sum()];
        self.squares = [0.0, all.iter().map(|w| w * w).sum()];
        self.whole = self.squares[1] / self.weight[1];
    }

    #[inline]
    fn row(&mut self, row_weights: &RowWeights, entry: u32) {
        let row = row_of(entry) as usize;
        self.shift(row_weights.labels[row] as usize, row_weights.weight(row));
    }

    fn block(&mut self, weights: &[f64], sign: f64) {
        for (class, weight) in weights.iter().enumerate() {
            self.shift(class, sign * weight);
        }
    }

    #[inline]
    fn gain(&self) -> f64 {
        self.squares[0] / self.weight[0] + self.squares[1] / self.weight[1] - self.whole
    }

    fn sides(&self) -> [f64; 2] {
        self.weight
    }
}

/// Entropy for any number of classes.
#[derive(Debug, Default)]
pub(super) struct Entropy {
    left: Vec<f64>,
    right: Vec<f64>,
    weight: [f64; 2],
    whole: f64,
    /// `w log2 w` of whole numbers: weights are counts more often than not, and a logarithm
    /// costs more than all the rest.
    table: Vec<f64>,
}

impl Entropy {
    /// A tally that looks the logarithms of whole numbers below `rows` up.
    pub(super) fn new(rows: usize) -> Self {
        let table = (0..rows.min(1 << 16)).map(|w| w_log_w(w as f64)).collect();
        Self { table, ..Self::default() }
    }

    #[inline]
    fn w_log_w(&self, weight: f64) -> f64 {
        let whole = weight as usize;
        match self.table.get(whole) {
            Some(&known) if whole as f64 == weight => known,
            _ => w_log_w(weight),
        }
    }

    /// The impurity of a side, times -1.
    fn order(&self, weights: &[f64], total: f64) -> f64 {
        weights.iter().map(|&w| self.w_log_w(w)).sum::<f64>() - self.w_log_w(total)
    }

    #[inline]
    fn shift(&mut self, class: usize, weight: f64) {
        self.left[class] += weight;
        self.right[class] -= weight;
        self.weight[0] += weight;
        self.weight[1] -= weight;
    }
}

impl SplitScore for Entropy {
    fn start(&mut self, all: &[f64]) {
        self.right.clear();
        self.right.extend_from_slice(all);
        self.left.clear();
        self.left.resize(all.len(), 0.0);
        self.weight = [0.0, all.iter().sum()];
        self.whole = self.order(all, self.weight[1]);
    }

    #[inline]
    fn row(&mut self, row_weights: &RowWeights, entry: u32) {
        let row = row_of(entry) as usize;
        self.shift(row_weights.labels[row] as usize, row_weights.weight(row));
    }

    fn block(&mut self, weights: &[f64], sign: f64) {
        for (class, weight) in weights.iter().enumerate() {
            self.shift(class, sign * weight);
        }
    }

    fn gain(&self) -> f64 {
        let [left, right] = self.weight;
        self.order(&self.left, left) + self.order(&self.right, right) - self.whole
    }

    fn sides(&self) -> [f64; 2] {
        self.weight
    }
}

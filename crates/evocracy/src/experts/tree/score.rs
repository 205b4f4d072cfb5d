//! Impurity and how much of it a split takes away (Breiman, Friedman, Olshen, Stone 1984,
//! chapters 2.4 and 4.1).
//!
//! With `w_c` the weight of class `c` in a node and `w` their sum, the weighted impurity is
//! `w - sum w_c^2 / w` (Gini) or `w log2 w - sum w_c log2 w_c` (entropy, in bits). A [`Tally`]
//! keeps the class weights of both sides while rows move from the right to the left one, so
//! that every split point of a column costs a constant number of operations (Gini) or one
//! logarithm for each class (entropy).

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
#[derive(Debug)]
pub(super) struct Mass<'a> {
    pub(super) labels: &'a [u32],
    pub(super) weights: Vec<f64>,
    /// For two classes: the weight of the row in each, one of them 0; no branch on the class.
    pub(super) pair: Vec<[f64; 2]>,
}

impl<'a> Mass<'a> {
    pub(super) fn new(labels: &'a [u32]) -> Self {
        Self { labels, weights: Vec::new(), pair: Vec::new() }
    }

    pub(super) fn weigh(&mut self, weights: &[f64], classes: usize) {
        self.weights.clear();
        self.weights.extend_from_slice(weights);
        self.pair.clear();
        if classes == 2 {
            let pairs = self.labels.iter().zip(weights);
            self.pair.extend(pairs.map(|(&c, &w)| if c == 0 { [w, 0.0] } else { [0.0, w] }));
        }
    }
}

/// The class weights on both sides of a split that is being moved.
pub(super) trait Tally {
    /// Puts everything on the right: the class weights of the node.
    fn start(&mut self, all: &[f64]);
    /// Moves one row to the left.
    fn row(&mut self, mass: &Mass<'_>, row: u32);
    /// Moves rows with these class weights to the left, or back with `sign` -1.
    fn block(&mut self, weights: &[f64], sign: f64);
    /// The weighted impurity that the split takes away.
    fn gain(&self) -> f64;
    /// Whether the gain exceeds `bar`.
    #[inline]
    fn beats(&self, bar: f64) -> bool {
        self.gain() > bar
    }
    /// The weight on the left and on the right.
    fn sides(&self) -> [f64; 2];
}

/// Gini for two classes. Both classes contribute the same, and the difference of impurities
/// has the closed form `2 (l_1 r_0 - l_0 r_1)^2 / (l r w)`: one division and no cancellation.
#[derive(Debug, Default)]
pub(super) struct PairGini {
    all: [f64; 2],
    left: [f64; 2],
}

impl Tally for PairGini {
    fn start(&mut self, all: &[f64]) {
        self.all = [all[0], all[1]];
        self.left = [0.0; 2];
    }

    #[inline]
    fn row(&mut self, mass: &Mass<'_>, row: u32) {
        let [a, b] = mass.pair[row as usize];
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
        let turn = l1 * a0 - l0 * a1;
        2.0 * turn * turn / (left * right * (a0 + a1))
    }

    /// Without the division, which would be most of the work of a scan.
    #[inline]
    fn beats(&self, bar: f64) -> bool {
        let ([l0, l1], [a0, a1]) = (self.left, self.all);
        let [left, right] = self.sides();
        let turn = l1 * a0 - l0 * a1;
        2.0 * turn * turn > bar * (left * right * (a0 + a1))
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

impl Tally for Gini {
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
    fn row(&mut self, mass: &Mass<'_>, row: u32) {
        self.shift(mass.labels[row as usize] as usize, mass.weights[row as usize]);
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

impl Tally for Entropy {
    fn start(&mut self, all: &[f64]) {
        self.right.clear();
        self.right.extend_from_slice(all);
        self.left.clear();
        self.left.resize(all.len(), 0.0);
        self.weight = [0.0, all.iter().sum()];
        self.whole = self.order(all, self.weight[1]);
    }

    #[inline]
    fn row(&mut self, mass: &Mass<'_>, row: u32) {
        self.shift(mass.labels[row as usize] as usize, mass.weights[row as usize]);
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

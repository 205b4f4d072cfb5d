//! The mixture while it is learnt: members, and for every row what they say of its outcome.

use super::cells::Cells;
use super::condition::{Condition, Prices};
use super::family::Family;
use super::rows::Rows;
use crate::num::bits;

/// The least and greatest weight of a rule, that of the default being 1: far enough apart for any
/// order of rules, close enough to add.
pub(super) const WEIGHTS: (f64, f64) = (1e-6, 1e9);

/// What is learnt from: rows, their outcomes, the prices of rules.
pub(super) struct Ground<'a, F> {
    pub(super) rows: &'a Rows,
    /// The weight of every row.
    pub(super) weights: &'a [f64],
    pub(super) family: &'a F,
    pub(super) prices: &'a Prices,
}

/// A rule in the mixture.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) condition: Condition,
    pub(super) hits: Vec<u64>,
    pub(super) weight: f64,
    pub(super) says: Vec<f64>,
    pub(super) price: f64,
}

/// The default and the rules. Invariant: `above` and `below` are the sums over members of weight
/// times density, and of weight, of those that apply to the row.
pub(super) struct State<'a, F> {
    pub(super) ground: &'a Ground<'a, F>,
    /// The first applies to all rows and has the weight 1.
    pub(super) members: Vec<Member>,
    pub(super) above: Vec<f64>,
    pub(super) below: Vec<f64>,
}

impl<F> Clone for State<'_, F> {
    fn clone(&self) -> Self {
        let (above, below) = (self.above.clone(), self.below.clone());
        Self { ground: self.ground, members: self.members.clone(), above, below }
    }
}

impl<'a, F: Family> State<'a, F> {
    /// The default alone.
    pub(super) fn new(ground: &'a Ground<'a, F>) -> Self {
        let hits = bits::full(ground.rows.len());
        let mut tally = vec![0.0; ground.family.width()];
        bits::each(&hits, |row| ground.family.tally(row, ground.weights[row], &mut tally));
        let mut says = Vec::new();
        ground.family.fit(&tally, &mut says);
        let condition = Condition::default();
        let default = Member { condition, hits, weight: 1.0, says, price: 0.0 };
        let mut state =
            Self { ground, members: vec![default], above: Vec::new(), below: Vec::new() };
        state.refresh();
        state
    }

    /// Rules that other rows have shown, at the price they have here.
    pub(super) fn with(ground: &'a Ground<'a, F>, mut members: Vec<Member>) -> Self {
        for member in &mut members[1..] {
            member.price = ground.prices.condition(ground.rows, &member.condition);
        }
        let mut state = Self { ground, members, above: Vec::new(), below: Vec::new() };
        state.refresh();
        state
    }

    /// Sums up anew what the members say, so that rounding does not gather.
    pub(super) fn refresh(&mut self) {
        let rows = self.ground.rows.len();
        self.above.clear();
        self.above.resize(rows, 0.0);
        self.below.clear();
        self.below.resize(rows, 0.0);
        for at in 0..self.members.len() {
            self.add(at, 1.0);
        }
    }

    /// Adds (1) a member to the sums or takes it out of them (-1).
    pub(super) fn add(&mut self, at: usize, sign: f64) {
        let Member { hits, weight, says, .. } = &self.members[at];
        let (family, above, below) = (self.ground.family, &mut self.above, &mut self.below);
        let weight = weight * sign;
        bits::each(hits, |row| {
            above[row] += weight * family.density(says, row);
            below[row] += weight;
        });
    }

    /// The log-likelihood of the outcomes given the rows.
    pub(super) fn likelihood(&self) -> f64 {
        let weights = self.ground.weights;
        let rows = self.above.iter().zip(&self.below).zip(weights);
        rows.map(|((above, below), weight)| weight * (above / below).ln()).sum()
    }

    /// What the members say of every row, on average by their weights, one row after the other.
    pub(super) fn answers(&self) -> Vec<f64> {
        let width = self.members[0].says.len();
        let mut answers = vec![0.0; self.above.len() * width];
        for member in &self.members {
            bits::each(&member.hits, |row| {
                let share = member.weight / self.below[row];
                let into = &mut answers[row * width..(row + 1) * width];
                into.iter_mut().zip(&member.says).for_each(|(into, says)| *into += share * says);
            });
        }
        answers
    }

    /// The mean error of predicting the rows.
    pub(super) fn error(&self) -> f64 {
        let Ground { weights, family, .. } = self.ground;
        let answers = self.answers();
        let rows = answers.chunks_exact(self.members[0].says.len()).zip(*weights).enumerate();
        let sum: f64 = rows.map(|(row, (says, weight))| weight * family.error(says, row)).sum();
        sum / weights.iter().sum::<f64>()
    }

    /// What is maximised: log-likelihood, priors, prices.
    pub(super) fn objective(&self) -> f64 {
        let costs = |member: &Member| self.ground.family.prior(&member.says) - member.price;
        self.likelihood() + self.members.iter().map(costs).sum::<f64>()
    }

    /// Fits all parameters until the objective rises by less than `least`, in at most `steps`
    /// steps, and returns it.
    pub(super) fn settle(&mut self, steps: usize, least: f64) -> f64 {
        let mut cells = Cells::new(self.ground, &self.members);
        let mut now = cells.objective(&self.members);
        for _ in 0..steps {
            let before = now;
            cells.step(&mut self.members);
            now = cells.objective(&self.members);
            if now - before < least {
                break;
            }
        }
        cells.spread(&mut self.above, &mut self.below);
        now
    }

    /// What the objective loses when a rule is taken out and nothing else changes.
    pub(super) fn loss(&self, at: usize) -> f64 {
        let Member { hits, weight, says, price, .. } = &self.members[at];
        let Ground { weights, family, .. } = self.ground;
        let mut loss = family.prior(says) - price;
        bits::each(hits, |row| {
            let (above, below) = (self.above[row], self.below[row]);
            let rest = (above - weight * family.density(says, row)) / (below - weight);
            // A default that was outweighed is lost in rounding.
            loss += weights[row] * ((above / below).ln() - rest.max(1e-300).ln());
        });
        loss
    }
}

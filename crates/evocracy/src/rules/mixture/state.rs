//! The mixture while it is learnt: its members, and for every row the numerator and the
//! denominator of the probability of its outcome.

use super::condition::{Condition, Prices};
use super::em::Em;
use super::family::Family;
use super::progress::Steps;
use super::rows::BinnedRows;
use crate::num::bits;
use crate::run::Stop;
use serde::{Deserialize, Serialize};

/// The least and the greatest gating weight of a rule, that of the default being 1: wide enough for
/// any order of rules, narrow enough for sums to keep their digits.
pub(super) const WEIGHTS: (f64, f64) = (1e-6, 1e9);

/// What the objective is a function of, beside the members: rows, their outcomes, the prices of
/// rules.
pub(super) struct TrainingSet<'a, F> {
    pub(super) rows: &'a BinnedRows,
    /// The weight of every row.
    pub(super) weights: &'a [f64],
    pub(super) family: &'a F,
    pub(super) prices: &'a Prices,
    /// Raised when the search should end with what it has.
    pub(super) stop: &'a Stop,
    /// The steps of hill climbs.
    pub(super) steps: Steps,
}

/// A rule in the mixture.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct MixtureRule {
    pub(super) condition: Condition,
    /// The rows that it applies to, as a set of bits; follows from the condition.
    #[serde(skip)]
    pub(super) covered: Vec<u64>,
    /// The gating weight.
    pub(super) gating: f64,
    /// The parameters of the distribution of the outcome.
    pub(super) params: Vec<f64>,
    pub(super) price: f64,
}

/// The default and the rules. Invariant: over the members that apply to a row, `numerator` is the
/// sum of gating weight times density of its outcome, and `denominator` that of gating weights.
pub(super) struct MixtureState<'a, F> {
    pub(super) data: &'a TrainingSet<'a, F>,
    /// The first, the default, applies to all rows and has the gating weight 1.
    pub(super) members: Vec<MixtureRule>,
    pub(super) numerator: Vec<f64>,
    pub(super) denominator: Vec<f64>,
}

impl<F> Clone for MixtureState<'_, F> {
    fn clone(&self) -> Self {
        let (numerator, denominator) = (self.numerator.clone(), self.denominator.clone());
        Self { data: self.data, members: self.members.clone(), numerator, denominator }
    }
}

impl<'a, F: Family> MixtureState<'a, F> {
    /// The default alone.
    pub(super) fn new(data: &'a TrainingSet<'a, F>) -> Self {
        let covered = bits::full(data.rows.len());
        let mut stats = vec![0.0; data.family.stats_len()];
        bits::each(&covered, |row| data.family.add_stats(row, data.weights[row], &mut stats));
        let mut params = Vec::new();
        data.family.fit(&stats, &mut params);
        let condition = Condition::default();
        let default = MixtureRule { condition, covered, gating: 1.0, params, price: 0.0 };
        let mut state =
            Self { data, members: vec![default], numerator: Vec::new(), denominator: Vec::new() };
        state.recompute();
        state
    }

    /// With rules that were found in other rows, at the price they have in these.
    pub(super) fn with(data: &'a TrainingSet<'a, F>, mut members: Vec<MixtureRule>) -> Self {
        for member in &mut members[1..] {
            member.price = data.prices.condition(data.rows, &member.condition);
        }
        let mut state = Self { data, members, numerator: Vec::new(), denominator: Vec::new() };
        state.recompute();
        state
    }

    /// Computes numerators and denominators anew, so that rounding errors do not accumulate.
    pub(super) fn recompute(&mut self) {
        let rows = self.data.rows.len();
        self.numerator.clear();
        self.numerator.resize(rows, 0.0);
        self.denominator.clear();
        self.denominator.resize(rows, 0.0);
        let (numerator, denominator) = (&mut self.numerator, &mut self.denominator);
        for MixtureRule { covered, gating, params, .. } in &self.members {
            bits::each(covered, |row| {
                numerator[row] += gating * self.data.family.density(params, row);
                denominator[row] += gating;
            });
        }
    }

    /// The log-likelihood of the outcomes given the rows.
    pub(super) fn log_likelihood(&self) -> f64 {
        let weights = self.data.weights;
        let rows = self.numerator.iter().zip(&self.denominator).zip(weights);
        rows.map(|((numerator, denominator), weight)| weight * (numerator / denominator).ln()).sum()
    }

    /// For every row the mean of the parameters of the members that apply to it, by their gating
    /// weights; one row after the other.
    pub(super) fn mean_params(&self) -> Vec<f64> {
        let width = self.members[0].params.len();
        let mut means = vec![0.0; self.numerator.len() * width];
        for member in &self.members {
            bits::each(&member.covered, |row| {
                let share = member.gating / self.denominator[row];
                let into = &mut means[row * width..(row + 1) * width];
                into.iter_mut().zip(&member.params).for_each(|(into, own)| *into += share * own);
            });
        }
        means
    }

    /// The mean error of predicting the rows.
    pub(super) fn error(&self) -> f64 {
        let TrainingSet { weights, family, .. } = self.data;
        let means = self.mean_params();
        let rows = means.chunks_exact(self.members[0].params.len()).zip(*weights).enumerate();
        let sum: f64 = rows.map(|(row, (params, weight))| weight * family.error(params, row)).sum();
        sum / weights.iter().sum::<f64>()
    }

    /// What is maximised: the log-likelihood with the log-priors, less the prices.
    pub(super) fn objective(&self) -> f64 {
        self.log_likelihood() + penalty(self.data.family, &self.members)
    }

    /// Fits all parameters by EM until a step raises the objective by less than `least`, in at most
    /// `steps` steps, and returns the objective.
    pub(super) fn run_em(&mut self, steps: usize, least: f64) -> f64 {
        let mut em = Em::new(self.data, &self.members);
        let mut now = em.objective(&self.members);
        for _ in 0..steps {
            let before = now;
            em.step(&mut self.members);
            now = em.objective(&self.members);
            if now - before < least || self.data.stop.requested() {
                break;
            }
        }
        em.write_back(&mut self.numerator, &mut self.denominator);
        now
    }

    /// What the objective loses when a rule is taken out and nothing else changes.
    pub(super) fn loss(&self, at: usize) -> f64 {
        let MixtureRule { covered, gating, params, price, .. } = &self.members[at];
        let TrainingSet { weights, family, .. } = self.data;
        let mut loss = family.log_prior(params) - price;
        bits::each(covered, |row| {
            let (numerator, denominator) = (self.numerator[row], self.denominator[row]);
            let rest = (numerator - gating * family.density(params, row)) / (denominator - gating);
            // Where the rule far outweighs the rest, rounding leaves nothing of the rest.
            loss += weights[row] * ((numerator / denominator).ln() - rest.max(1e-300).ln());
        });
        loss
    }
}

/// The logarithms of the priors of all members, less their prices.
pub(super) fn penalty<F: Family>(family: &F, members: &[MixtureRule]) -> f64 {
    members.iter().map(|member| family.log_prior(&member.params) - member.price).sum()
}

//! A new rule beside the members there are: its parameters, and what the objective gains by it.

use super::condition::Condition;
use super::family::Family;
use super::hill_climb::{HillClimb, LAYERS, add};
use super::state::{MixtureRule, TrainingSet, WEIGHTS};
use crate::num::bits;

/// EM steps on the parameters of a new rule alone.
const STEPS: usize = 10;

impl<F: Family> HillClimb<'_, '_, F> {
    /// The rule with this condition, its parameters fitted while those of the members are fixed, and
    /// its gain in the objective, price included.
    pub(super) fn fit(&self, condition: Condition) -> (MixtureRule, f64) {
        let TrainingSet { rows, family, .. } = self.data();
        let covered = rows.covered_by(&condition);
        let price = self.price(&condition);
        let mut sums = vec![0.0; self.stride];
        bits::each(&covered, |row| self.accumulate(row, &mut sums));
        let (_, taken) = self.score(&sums);
        let width = self.stride / LAYERS;
        let mut stats = vec![0.0; width];
        sums.chunks_exact(width).take(taken + 1).for_each(|layer| add(&mut stats, layer));
        let mut params = Vec::new();
        family.fit(&stats[..width - 1], &mut params);
        let gating = self.outweighing[taken].clamp(WEIGHTS.0, WEIGHTS.1);
        let mut member = MixtureRule { condition, covered, gating, params, price };
        for _ in 0..STEPS {
            self.em_step(&mut member);
        }
        // A rule without tests would be a second default.
        let untested = member.condition.tests.is_empty();
        let gain = if untested { f64::NEG_INFINITY } else { self.gain(&member) };
        (member, gain)
    }

    /// As [`Em::step`](super::em::Em::step), for the parameters of one rule that is not yet a member.
    fn em_step(&self, member: &mut MixtureRule) {
        let TrainingSet { weights, family, .. } = self.data();
        let (numerator, denominator) = (&self.state.numerator, &self.state.denominator);
        let mut stats = vec![0.0; family.stats_len()];
        let (mut gain, mut cost) = (0.0, 0.0);
        bits::each(&member.covered, |row| {
            let density = family.density(&member.params, row);
            let by_numerator = weights[row] / (numerator[row] + member.gating * density);
            let own = family.component_density(&member.params, row, density);
            family.add_stats(row, own * by_numerator * member.gating, &mut stats);
            gain += density * by_numerator;
            cost += weights[row] / (denominator[row] + member.gating);
        });
        if cost > 0.0 {
            member.gating = (member.gating * gain / cost).clamp(WEIGHTS.0, WEIGHTS.1);
        }
        family.fit(&stats, &mut member.params);
    }

    /// What the objective gains when the rule joins and nothing else changes.
    pub(super) fn gain(&self, member: &MixtureRule) -> f64 {
        let TrainingSet { weights, family, .. } = self.data();
        let (numerator, denominator) = (&self.state.numerator, &self.state.denominator);
        let mut gain = family.log_prior(&member.params) - member.price;
        bits::each(&member.covered, |row| {
            let density = family.density(&member.params, row);
            let now =
                (numerator[row] + member.gating * density) / (denominator[row] + member.gating);
            gain += weights[row] * (now.ln() - self.log_likelihoods[row]);
        });
        gain
    }
}

//! A new rule beside the members there are: its own parameters, and what the mixture gains by it.

use super::climb::{LAYERS, Slope, add};
use super::condition::Condition;
use super::family::Family;
use super::state::{Ground, Member, WEIGHTS};
use crate::num::bits;

/// Steps of EM on a new rule's own parameters.
const STEPS: usize = 10;

impl<F: Family> Slope<'_, '_, F> {
    /// The rule with this condition, its parameters fitted to what the others leave to it, and its
    /// gain in the objective, price included.
    pub(super) fn fit(&self, condition: Condition) -> (Member, f64) {
        let Ground { rows, family, .. } = *self.ground();
        let hits = rows.hits(&condition);
        let price = self.price(&condition);
        let mut sums = vec![0.0; self.stride];
        bits::each(&hits, |row| self.put(row, &mut sums));
        let (_, taken) = self.score(&sums);
        let width = self.stride / LAYERS;
        let mut stats = vec![0.0; width];
        sums.chunks_exact(width).take(taken + 1).for_each(|layer| add(&mut stats, layer));
        let mut params = Vec::new();
        family.fit(&stats[..width - 1], &mut params);
        let weight = self.over[taken].clamp(WEIGHTS.0, WEIGHTS.1);
        let mut member = Member { condition, hits, weight, params, price };
        for _ in 0..STEPS {
            self.own_step(&mut member);
        }
        // Without tests it would be another default.
        let bare = member.condition.tests.is_empty();
        let gain = if bare { f64::NEG_INFINITY } else { self.gain(&member) };
        (member, gain)
    }

    /// As [`State::step`], for the parameters of one rule that is not in the mixture.
    fn own_step(&self, member: &mut Member) {
        let Ground { weights, family, .. } = *self.ground();
        let (numerator, denominator) = (&self.state.numerator, &self.state.denominator);
        let mut stats = vec![0.0; family.stats_len()];
        let (mut gain, mut cost) = (0.0, 0.0);
        bits::each(&member.hits, |row| {
            let density = family.density(&member.params, row);
            let over = weights[row] / (numerator[row] + member.weight * density);
            let own = family.component_density(&member.params, row, density);
            family.add_stats(row, own * over * member.weight, &mut stats);
            gain += density * over;
            cost += weights[row] / (denominator[row] + member.weight);
        });
        if cost > 0.0 {
            member.weight = (member.weight * gain / cost).clamp(WEIGHTS.0, WEIGHTS.1);
        }
        family.fit(&stats, &mut member.params);
    }

    /// What the objective gains when the rule joins and nothing else changes.
    pub(super) fn gain(&self, member: &Member) -> f64 {
        let Ground { weights, family, .. } = *self.ground();
        let (numerator, denominator) = (&self.state.numerator, &self.state.denominator);
        let mut gain = family.log_prior(&member.params) - member.price;
        bits::each(&member.hits, |row| {
            let density = family.density(&member.params, row);
            let now = (numerator[row] + member.weight * density) / (denominator[row] + member.weight);
            gain += weights[row] * (now.ln() - self.logs[row]);
        });
        gain
    }
}

//! The population: conditions, what their rules know, and who is deleted.
//!
//! Invariants: no two rules have the same condition and class; the numerosities add up to `micro`;
//! after every step `micro` is at most the limit.

use super::Ucs;
use super::member::Member;
use crate::evolve::{Rng, unit};
use crate::num::wide;
use crate::rules::condition::Masks;

/// Rules in order; a deleted one is replaced by the last.
#[derive(Debug, Clone)]
pub(super) struct Population {
    pub(super) masks: Masks,
    pub(super) members: Vec<Member>,
    /// The sum of all numerosities.
    pub(super) micro: u64,
    /// What deletion looks at, in arrays of their own: numerosity times size of the correct sets,
    /// numerosity times fitness, and 1 / fitness of those old enough to be judged by it, else 0.
    crowd: Vec<f64>,
    worth: Vec<f64>,
    poor: Vec<f64>,
    /// The votes of blocks of rules, while one is drawn.
    sums: Vec<f64>,
}

/// Bounds 1 / fitness where a fitness is 0.
const POOREST: f64 = 1e12;

/// How many votes are summed before it is looked where the drawn one is.
const BLOCK: usize = 64;

impl Population {
    pub(super) fn new(masks: Masks, members: Vec<Member>, ucs: &Ucs) -> Self {
        let count = members.len();
        let micro = members.iter().map(|member| u64::from(member.numerosity)).sum();
        let zeros = || vec![0.0; count];
        let (crowd, worth, poor, sums) = (zeros(), zeros(), zeros(), Vec::new());
        let mut made = Self { masks, members, micro, crowd, worth, poor, sums };
        (0..count).for_each(|at| made.refresh(at, ucs));
        made
    }

    /// Brings what deletion looks at up to date with a member.
    #[inline]
    pub(super) fn refresh(&mut self, at: usize, ucs: &Ucs) {
        let member = &self.members[at];
        let numerosity = f64::from(member.numerosity);
        self.crowd[at] = numerosity * member.size;
        self.worth[at] = numerosity * member.fitness;
        self.poor[at] =
            if member.seen > ucs.youth { (1.0 / member.fitness).min(POOREST) } else { 0.0 };
    }

    /// Adds a rule that is not there yet.
    pub(super) fn push(&mut self, condition: &[u64], member: Member, ucs: &Ucs) {
        self.masks.push(condition);
        self.members.push(member);
        self.micro += u64::from(member.numerosity);
        for list in [&mut self.crowd, &mut self.worth, &mut self.poor] {
            list.push(0.0);
        }
        self.refresh(self.members.len() - 1, ucs);
    }

    /// Adds to the numerosity of a rule.
    pub(super) fn more(&mut self, at: usize, count: u32, ucs: &Ucs) {
        self.members[at].numerosity += count;
        self.micro += u64::from(count);
        self.refresh(at, ucs);
    }

    /// Removes a rule altogether.
    pub(super) fn remove(&mut self, at: usize) {
        self.masks.swap_remove(at);
        let member = self.members.swap_remove(at);
        self.micro -= u64::from(member.numerosity);
        for list in [&mut self.crowd, &mut self.worth, &mut self.poor] {
            list.swap_remove(at);
        }
    }

    /// Whether both have the same books.
    #[cfg(test)]
    pub(super) fn agrees(&self, other: &Self) -> bool {
        (self.micro, &self.crowd, &self.worth, &self.poor)
            == (other.micro, &other.crowd, &other.worth, &other.poor)
    }

    /// Deletes one micro-classifier, drawn by its vote: crowded niches first, and the old ones of
    /// a fitness far below the mean before all others (Kovacs 1999; Butz and Wilson 2001).
    pub(super) fn delete(&mut self, ucs: &Ucs, rng: &mut Rng) {
        let at = wide(
            #[inline(always)]
            || self.draw(ucs.delta, unit(rng)),
        );
        if self.members[at].numerosity > 1 {
            self.members[at].numerosity -= 1;
            self.micro -= 1;
            self.refresh(at, ucs);
        } else {
            self.remove(at);
        }
    }

    /// The rule where the votes add up to the share `point` of all.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
    fn draw(&mut self, delta: f64, point: f64) -> usize {
        let Self { crowd, worth, poor, sums, .. } = self;
        let count = crowd.len();
        let (crowd, worth, poor) = (&crowd[..count], &worth[..count], &poor[..count]);
        let mean = blocks(
            count,
            #[inline(always)]
            |at| worth[at],
            #[inline(always)]
            |_| (),
        ) / self.micro as f64;
        let limit = 1.0 / (delta * mean);
        let vote = |at: usize| crowd[at] * if poor[at] > limit { poor[at] * mean } else { 1.0 };
        sums.clear();
        let total = blocks(
            count,
            vote,
            #[inline(always)]
            |sum| sums.push(sum),
        );
        let mut rest = point * total;
        let mut start = 0;
        for sum in sums.iter() {
            if rest < *sum {
                break;
            }
            rest -= sum;
            start += BLOCK;
        }
        // Rounding may leave a little of the last block.
        for at in start.min(count - 1)..count {
            rest -= vote(at);
            if rest < 0.0 {
                return at;
            }
        }
        count - 1
    }
}

/// The sum of `value(0), ..., value(count - 1)`, block after block; `each` gets the blocks' sums.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is compiled for the processor of its caller")]
fn blocks(count: usize, value: impl Fn(usize) -> f64, mut each: impl FnMut(f64)) -> f64 {
    const LANES: usize = 8;
    let mut total = 0.0;
    for start in (0..count).step_by(BLOCK) {
        let mut lanes = [0.0; LANES];
        if start + BLOCK <= count {
            for step in 0..BLOCK / LANES {
                for (lane, sum) in lanes.iter_mut().enumerate() {
                    *sum += value(start + step * LANES + lane);
                }
            }
        } else {
            (start..count).for_each(|at| lanes[at % LANES] += value(at));
        }
        let sum: f64 = lanes.iter().sum();
        each(sum);
        total += sum;
    }
    total
}

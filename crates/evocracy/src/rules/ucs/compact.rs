//! Compaction: rules are dropped, the least useful first, as long as the rows do not suffer.
//!
//! Every training row is a row held back: a rule is heard on it with the accuracy that it has on all
//! other rows, so that an exception made for a single row has nothing to say there. A rule goes if
//! by that measure the log-likelihood of the rows does not fall, no row that is called right becomes
//! wrong, and none loses its last rule.
//!
//! The same votes tell how far the rules can be trusted at all: [`doubt`].
//!
//! A rule's use is its fitness on the training rows times the weight of the rows it is right
//! about, so that special rules go before general ones. Votes are summed as whole numbers: they can
//! be taken back without a trace.

use super::Ucs;
use super::fit::Lessons;
use super::member::{Member, power};
use super::population::Population;
use crate::measure::FLOOR;
use crate::num::bits::ones;
use crate::rules::condition::{Covered, Layout, Masks, Transposed};

/// Votes are counted in these parts of 1.
const UNIT: f64 = (1_u64 << 32) as f64;

/// How often the doubt is estimated anew.
const PASSES: usize = 30;

/// A fall of the log-likelihood that is rounding.
const ROUNDING: f64 = 1e-9;

/// A rule and what it says of a row that is held back.
struct Voice<'a> {
    ucs: &'a Ucs,
    member: &'a Member,
    /// The last row weight met, and the votes on rows of it that are of the rule's class and not.
    weight: f64,
    votes: [u64; 2],
}

impl<'a> Voice<'a> {
    fn new(ucs: &'a Ucs, member: &'a Member) -> Self {
        let mut voice = Self { ucs, member, weight: 1.0, votes: [0; 2] };
        voice.votes = voice.weigh(1.0);
        voice
    }

    fn weigh(&self, weight: f64) -> [u64; 2] {
        let Self { ucs, member, .. } = self;
        let (accuracy, others) = (member.accuracy(), member.weight - weight);
        let vote = |right: f64| {
            if accuracy <= 0.0 || others <= 1e-9 * member.weight {
                return 0;
            }
            let share = (right / others).clamp(0.0, 1.0);
            let vote = member.vote(ucs.youth) * power(share / accuracy, ucs.nu);
            // Fitness is at most 1 whatever it was taken from.
            (vote.min(f64::from(member.numerosity)) * UNIT).round() as u64
        };
        [vote(member.right - weight), vote(member.right)]
    }

    /// Its vote on a row of this class and weight.
    #[inline]
    fn vote(&mut self, label: u32, weight: f64) -> u64 {
        if weight != self.weight {
            (self.weight, self.votes) = (weight, self.weigh(weight));
        }
        self.votes[usize::from(label != self.member.class)]
    }
}

/// The votes of every training row that is held back.
#[derive(Clone)]
struct Ballot<'a> {
    labels: &'a [u32],
    weights: &'a [f64],
    /// What is said of a row without votes.
    prior: &'a [f64],
    votes: Vec<u64>,
    /// How many rules match each row.
    rules: Vec<u32>,
}

/// The population without the rules that nobody needs; `prior` answers where no rule does.
pub(super) fn compact(
    ucs: &Ucs,
    population: Population,
    layout: &Layout,
    lessons: &Lessons,
    prior: &[f64],
) -> Population {
    let by_literal = Transposed::new(layout, &lessons.rows);
    let ballot =
        Ballot::new(ucs, (&population.masks, &population.members), &by_literal, lessons, prior);
    let Population { masks, members, .. } = population;
    let left = |use_of: &dyn Fn(&Member) -> f64| {
        let mut order: Vec<usize> = (0..members.len()).collect();
        order.sort_by(|&a, &b| use_of(&members[a]).total_cmp(&use_of(&members[b])));
        let cover =
            |at: usize, covered: &mut Covered| by_literal.cover(&masks.condition(at), covered);
        ballot.clone().drop_rules(order, cover, |at| Voice::new(ucs, &members[at]))
    };
    let right = |member: &Member| power(member.accuracy(), ucs.nu) * member.right;
    // What survived in numbers is often what others can be spared for: the smaller result counts.
    let (one, other) = (left(&right), left(&|member| right(member) * member.vote(ucs.youth)));
    let places = if other.len() < one.len() { other } else { one };
    let mut kept = Masks::new(layout.words());
    for &at in &places {
        kept.push(&masks.condition(at));
    }
    Population::new(kept, places.iter().map(|&at| members[at]).collect(), ucs)
}

/// How much of every answer is better left to the default rule, whose answer is `prior`: the share
/// under which the rows, each held back in turn, are most probable, by expectation maximisation
/// with one row more for either side.
pub(super) fn doubt(
    ucs: &Ucs,
    rules: (&Masks, &[Member]),
    layout: &Layout,
    lessons: &Lessons,
    prior: &[f64],
) -> f64 {
    let by_literal = Transposed::new(layout, &lessons.rows);
    let ballot = Ballot::new(ucs, rules, &by_literal, lessons, prior);
    let mut doubt = 0.1;
    for _ in 0..PASSES {
        let (mut doubted, mut all) = (1.0, 2.0);
        for (row, (&label, &weight)) in lessons.labels.iter().zip(&lessons.weights).enumerate() {
            let (votes, label) = (ballot.votes(row), label as usize);
            let sum: u64 = votes.iter().sum();
            if sum > 0 {
                let by_default = doubt * prior[label];
                let by_rules = (1.0 - doubt) * votes[label] as f64 / sum as f64;
                doubted += weight * by_default / (by_default + by_rules);
                all += weight;
            }
        }
        doubt = doubted / all;
    }
    doubt
}

impl<'b> Ballot<'b> {
    fn new(
        ucs: &Ucs,
        (masks, members): (&Masks, &[Member]),
        by_literal: &Transposed,
        lessons: &'b Lessons,
        prior: &'b [f64],
    ) -> Self {
        let Lessons { labels, weights, .. } = lessons;
        let (votes, rules) = (vec![0; labels.len() * prior.len()], vec![0; labels.len()]);
        let mut ballot = Self { labels, weights, prior, votes, rules };
        let mut covered = Covered::new();
        for (at, member) in members.iter().enumerate() {
            by_literal.cover(&masks.condition(at), &mut covered);
            ballot.change(&covered, &mut Voice::new(ucs, member), true);
        }
        ballot
    }

    /// Drops rules in the given order as long as it can; the places of those that are left. A
    /// later loss may make an earlier rule needless, so it goes through them again.
    fn drop_rules<'a>(
        mut self,
        mut order: Vec<usize>,
        cover: impl Fn(usize, &mut Covered),
        voice: impl Fn(usize) -> Voice<'a>,
    ) -> Vec<usize> {
        let mut covered = Covered::new();
        for _ in 0..3 {
            let before = order.len();
            order.retain(|&at| {
                cover(at, &mut covered);
                let mut voice = voice(at);
                let spare = self.can_spare(&covered, &mut voice);
                if spare {
                    self.change(&covered, &mut voice, false);
                }
                !spare
            });
            if order.len() == before {
                break;
            }
        }
        order.sort_unstable();
        order
    }

    fn votes(&self, row: usize) -> &[u64] {
        &self.votes[row * self.prior.len()..(row + 1) * self.prior.len()]
    }

    /// Adds a rule's vote to the rows it matches, or takes it back.
    fn change(&mut self, covered: &Covered, voice: &mut Voice<'_>, add: bool) {
        let (classes, class) = (self.prior.len(), voice.member.class as usize);
        for row in ones(covered.iter().copied()) {
            let vote = voice.vote(self.labels[row], self.weights[row]);
            let sum = &mut self.votes[row * classes + class];
            *sum = if add { *sum + vote } else { *sum - vote };
            self.rules[row] = if add { self.rules[row] + 1 } else { self.rules[row] - 1 };
        }
    }

    /// Whether the rows it matches can do without a rule.
    fn can_spare(&self, covered: &Covered, voice: &mut Voice<'_>) -> bool {
        let mut gained = 0.0;
        for row in ones(covered.iter().copied()) {
            let (label, weight) = (self.labels[row], self.weights[row]);
            let (votes, own) = (self.votes(row), voice.member.class == label);
            let (label, vote) = (label as usize, voice.vote(label, weight));
            let all: u64 = votes.iter().sum();
            // Only a vote for the row's own class can be missed.
            let stays = !own || best(votes) != label || beats(votes, label, votes[label] - vote);
            if self.rules[row] < 2 || !stays {
                return false;
            }
            let without = votes[label] - if own { vote } else { 0 };
            gained += weight
                * (self.log(label, without, all - vote) - self.log(label, votes[label], all));
        }
        gained >= -ROUNDING
    }

    /// The logarithm of the probability of a class with these votes of all.
    fn log(&self, class: usize, votes: u64, all: u64) -> f64 {
        let share = if all > 0 { votes as f64 / all as f64 } else { self.prior[class] };
        share.max(FLOOR).ln()
    }
}

/// The class with the most votes; among equals the first one, as in prediction.
fn best(votes: &[u64]) -> usize {
    (1..votes.len()).fold(0, |best, class| if votes[class] > votes[best] { class } else { best })
}

/// Whether the class would be the best one with this sum.
fn beats(votes: &[u64], label: usize, sum: u64) -> bool {
    let beaten = |(class, &other): (usize, &u64)| match class.cmp(&label) {
        std::cmp::Ordering::Less => other < sum,
        std::cmp::Ordering::Equal => true,
        std::cmp::Ordering::Greater => other <= sum,
    };
    sum > 0 && votes.iter().enumerate().all(beaten)
}

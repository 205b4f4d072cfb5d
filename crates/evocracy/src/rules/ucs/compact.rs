//! Compaction: rules are dropped, the least useful first, as long as the training rows are predicted
//! as well.
//!
//! Votes are held-out ones (leave-one-out): on each training row a rule votes with the accuracy that
//! it has on all other rows, so that a rule made for a single row has no vote there. A rule goes if
//! by these votes the log-likelihood of the rows does not fall, no row that is called right becomes
//! wrong, and none loses its last rule.
//!
//! The same votes tell how far the rules can be trusted at all: [`doubt`].
//!
//! A rule's use is its fitness on the training rows times the weight of the rows it is right
//! about, so that special rules go before general ones. Votes are summed as whole numbers, which can
//! be subtracted again without rounding.

use super::Ucs;
use super::fit::TrainingRows;
use super::macro_classifier::{MacroClassifier, power};
use super::population::UcsPopulation;
use crate::measure::FLOOR;
use crate::num::bits::ones;
use crate::rules::condition::{Covered, Layout, Masks, Transposed};
use crate::run::{Stop, Ticker};

/// The whole number that stands for a vote of 1.
const VOTE_UNIT: f64 = (1_u64 << 32) as f64;

/// EM steps on the doubt.
const STEPS: usize = 30;

/// A fall of the log-likelihood that is rounding.
const ROUNDING: f64 = 1e-9;

/// A rule and its held-out votes.
struct HeldOutRule<'a> {
    ucs: &'a Ucs,
    member: &'a MacroClassifier,
    /// The last row weight met, and the votes on rows of it that are of the rule's class and not.
    weight: f64,
    votes: [u64; 2],
}

impl<'a> HeldOutRule<'a> {
    fn new(ucs: &'a Ucs, member: &'a MacroClassifier) -> Self {
        let mut rule = Self { ucs, member, weight: 1.0, votes: [0; 2] };
        rule.votes = rule.votes_at(1.0);
        rule
    }

    fn votes_at(&self, weight: f64) -> [u64; 2] {
        let Self { ucs, member, .. } = self;
        let (accuracy, others) = (member.accuracy(), member.weight - weight);
        let vote = |right: f64| {
            if accuracy <= 0.0 || others <= 1e-9 * member.weight {
                return 0;
            }
            let share = (right / others).clamp(0.0, 1.0);
            let vote = member.vote(ucs.youth) * power(share / accuracy, ucs.nu);
            // Fitness is at most 1 whatever it was taken from.
            (vote.min(f64::from(member.numerosity)) * VOTE_UNIT).round() as u64
        };
        [vote(member.right - weight), vote(member.right)]
    }

    /// Its vote on a row of this class and weight.
    #[inline]
    fn vote(&mut self, label: u32, weight: f64) -> u64 {
        if weight != self.weight {
            (self.weight, self.votes) = (weight, self.votes_at(weight));
        }
        self.votes[usize::from(label != self.member.class)]
    }
}

/// The sums of the held-out votes on every training row.
#[derive(Clone)]
struct HeldOutVotes<'a> {
    labels: &'a [u32],
    weights: &'a [f64],
    /// The class probabilities of a row without votes.
    prior: &'a [f64],
    votes: Vec<u64>,
    /// How many rules match each row.
    rules: Vec<u32>,
}

/// The population without redundant rules; `prior` answers where no rule does. A stop leaves more
/// rules than needed.
pub(super) fn compact(
    ucs: &Ucs,
    population: UcsPopulation,
    layout: &Layout,
    data: &TrainingRows,
    prior: &[f64],
    stop: &Stop,
) -> UcsPopulation {
    let by_literal = Transposed::new(layout, &data.rows);
    let UcsPopulation { masks, members, .. } = population;
    let votes = HeldOutVotes::new(ucs, (&masks, &members), &by_literal, data, prior);
    let left = |use_of: &dyn Fn(&MacroClassifier) -> f64| {
        let mut order: Vec<usize> = (0..members.len()).collect();
        order.sort_by(|&a, &b| use_of(&members[a]).total_cmp(&use_of(&members[b])));
        let cover =
            |at: usize, covered: &mut Covered| by_literal.cover(&masks.condition(at), covered);
        votes.clone().drop_rules(order, cover, |at| HeldOutRule::new(ucs, &members[at]), stop)
    };
    let right = |member: &MacroClassifier| power(member.accuracy(), ucs.nu) * member.right;
    // Two orders, without and with the votes of the rules: the one that leaves fewer rules counts.
    let (one, other) = (left(&right), left(&|member| right(member) * member.vote(ucs.youth)));
    let places = if other.len() < one.len() { other } else { one };
    let mut kept = Masks::new(layout.words());
    for &at in &places {
        kept.push(&masks.condition(at));
    }
    UcsPopulation::new(kept, places.iter().map(|&at| members[at]).collect(), ucs)
}

/// The mixing weight of the default rule, whose answer is `prior`, in every answer: the one of the
/// greatest held-out likelihood of the rows, by EM with one row more for either side.
pub(super) fn doubt(
    ucs: &Ucs,
    rules: (&Masks, &[MacroClassifier]),
    layout: &Layout,
    data: &TrainingRows,
    prior: &[f64],
) -> f64 {
    let by_literal = Transposed::new(layout, &data.rows);
    let sums = HeldOutVotes::new(ucs, rules, &by_literal, data, prior);
    let mut doubt = 0.1;
    for _ in 0..STEPS {
        let (mut doubted, mut all) = (1.0, 2.0);
        for (row, (&label, &weight)) in data.labels.iter().zip(&data.weights).enumerate() {
            let (votes, label) = (sums.votes(row), label as usize);
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

impl<'b> HeldOutVotes<'b> {
    fn new(
        ucs: &Ucs,
        (masks, members): (&Masks, &[MacroClassifier]),
        by_literal: &Transposed,
        data: &'b TrainingRows,
        prior: &'b [f64],
    ) -> Self {
        let TrainingRows { labels, weights, .. } = data;
        let (votes, rules) = (vec![0; labels.len() * prior.len()], vec![0; labels.len()]);
        let mut sums = Self { labels, weights, prior, votes, rules };
        let mut covered = Covered::new();
        for (at, member) in members.iter().enumerate() {
            by_literal.cover(&masks.condition(at), &mut covered);
            sums.change(&covered, &mut HeldOutRule::new(ucs, member), true);
        }
        sums
    }

    /// Drops rules in the given order as long as it can; the places of those that are left. A
    /// later loss may make an earlier rule redundant, so it goes through them again.
    fn drop_rules<'a>(
        mut self,
        mut order: Vec<usize>,
        cover: impl Fn(usize, &mut Covered),
        rule: impl Fn(usize) -> HeldOutRule<'a>,
        stop: &Stop,
    ) -> Vec<usize> {
        let mut covered = Covered::new();
        let (mut ticker, mut stopped) = (Ticker::new(stop), false);
        for _ in 0..3 {
            let before = order.len();
            order.retain(|&at| {
                // Sums of all classes on each row that the rule may match.
                stopped |= ticker.tick(self.labels.len() * self.prior.len()).is_err();
                if stopped {
                    return true;
                }
                cover(at, &mut covered);
                let mut rule = rule(at);
                let redundant = self.is_redundant(&covered, &mut rule);
                if redundant {
                    self.change(&covered, &mut rule, false);
                }
                !redundant
            });
            if order.len() == before || stopped {
                break;
            }
        }
        order.sort_unstable();
        order
    }

    fn votes(&self, row: usize) -> &[u64] {
        &self.votes[row * self.prior.len()..(row + 1) * self.prior.len()]
    }

    /// Adds a rule's vote to the rows it matches, or subtracts it.
    fn change(&mut self, covered: &Covered, rule: &mut HeldOutRule<'_>, add: bool) {
        let (classes, class) = (self.prior.len(), rule.member.class as usize);
        for row in ones(covered.iter().copied()) {
            let vote = rule.vote(self.labels[row], self.weights[row]);
            let sum = &mut self.votes[row * classes + class];
            *sum = if add { *sum + vote } else { *sum - vote };
            self.rules[row] = if add { self.rules[row] + 1 } else { self.rules[row] - 1 };
        }
    }

    /// Whether the rows that a rule matches do not need it.
    fn is_redundant(&self, covered: &Covered, rule: &mut HeldOutRule<'_>) -> bool {
        let mut gained = 0.0;
        for row in ones(covered.iter().copied()) {
            let (label, weight) = (self.labels[row], self.weights[row]);
            let (votes, own) = (self.votes(row), rule.member.class == label);
            let (label, vote) = (label as usize, rule.vote(label, weight));
            let all: u64 = votes.iter().sum();
            // Only without a vote for its own class can a row that is called right become wrong.
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

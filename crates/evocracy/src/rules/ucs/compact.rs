//! Compaction: rules are dropped, the least useful first, as long as no training row that is
//! called right becomes wrong and none loses its last rule.
//!
//! A rule's use is its fitness on the training rows times the weight of the rows it is right
//! about, so that special rules go before general ones. Votes are summed as whole numbers: they can
//! be taken back without a trace.

use super::Ucs;
use super::exact::ones;
use super::member::{Member, power};
use super::population::Population;
use crate::rules::condition::{Covered, Layout, Masks, Rows, Transposed};

/// Votes are counted in these parts of 1.
const UNIT: f64 = (1_u64 << 32) as f64;

/// The votes of every training row.
#[derive(Clone)]
struct Ballot<'a> {
    labels: &'a [u32],
    classes: usize,
    votes: Vec<u64>,
    /// How many rules match each row.
    rules: Vec<u32>,
}

/// The population without the rules that nobody needs.
pub(super) fn compact(
    ucs: &Ucs,
    population: Population,
    layout: &Layout,
    rows: &Rows,
    labels: &[u32],
    classes: usize,
) -> Population {
    let by_literal = Transposed::new(layout, rows);
    let Population { masks, members, .. } = population;
    let (votes, rules) = (vec![0; labels.len() * classes], vec![0; labels.len()]);
    let mut ballot = Ballot { labels, classes, votes, rules };
    let mut covered = Covered::new();
    for (at, member) in members.iter().enumerate() {
        by_literal.cover(&masks.condition(at), &mut covered);
        ballot.change(&covered, member.class, ballot_vote(ucs, member), true);
    }
    let left = |use_of: &dyn Fn(&Member) -> f64| {
        let mut order: Vec<usize> = (0..members.len()).collect();
        order.sort_by(|&a, &b| use_of(&members[a]).total_cmp(&use_of(&members[b])));
        let cover =
            |at: usize, covered: &mut Covered| by_literal.cover(&masks.condition(at), covered);
        ballot
            .clone()
            .drop_rules(order, cover, |at| (members[at].class, ballot_vote(ucs, &members[at])))
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

fn ballot_vote(ucs: &Ucs, member: &Member) -> u64 {
    (member.vote(ucs.youth) * UNIT).round() as u64
}

impl Ballot<'_> {
    /// Drops rules in the given order as long as it can; the places of those that are left. A
    /// later loss may make an earlier rule needless, so it goes through them again.
    fn drop_rules(
        mut self,
        mut order: Vec<usize>,
        cover: impl Fn(usize, &mut Covered),
        vote: impl Fn(usize) -> (u32, u64),
    ) -> Vec<usize> {
        let mut covered = Covered::new();
        for _ in 0..3 {
            let before = order.len();
            order.retain(|&at| {
                cover(at, &mut covered);
                let (class, vote) = vote(at);
                let spare = self.can_spare(&covered, class, vote);
                if spare {
                    self.change(&covered, class, vote, false);
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

    /// Adds a rule's vote to the rows it matches, or takes it back.
    fn change(&mut self, covered: &Covered, class: u32, vote: u64, add: bool) {
        for row in ones(covered.iter().copied()) {
            let sum = &mut self.votes[row * self.classes + class as usize];
            *sum = if add { *sum + vote } else { *sum - vote };
            self.rules[row] = if add { self.rules[row] + 1 } else { self.rules[row] - 1 };
        }
    }

    /// Whether every matched row keeps a rule, and every right one stays right, without this vote.
    fn can_spare(&self, covered: &Covered, class: u32, vote: u64) -> bool {
        ones(covered.iter().copied()).all(|row| {
            let votes = &self.votes[row * self.classes..(row + 1) * self.classes];
            let label = self.labels[row] as usize;
            let stays = || {
                // Only a vote for the row's own class can be missed: among equals the first
                // class wins, as in prediction.
                class as usize != label
                    || best(votes) != label
                    || beats(votes, label, votes[label] - vote)
            };
            self.rules[row] > 1 && stays()
        })
    }
}

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

//! Who has children.

use crate::error::{Error, Result};
use crate::evolve::draw::{probability, shuffle};
use crate::evolve::{Rng, below, chance, unit};
use crate::param::refuse;
use serde::{Deserialize, Serialize};

/// A way of choosing parents by one objective.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Select {
    /// Anyone, with the same probability.
    Uniform,
    /// Everyone once, in random order; again in another order where more are needed.
    Shuffle,
    /// With probabilities proportional to fitness, each choice for itself: the roulette wheel.
    Roulette,
    /// With probabilities proportional to fitness, all by one turn of a wheel with evenly spaced
    /// pointers, so that the counts are as near to the probabilities as can be (Baker 1987).
    Universal,
    /// The best of so many, drawn at random.
    Tournament(usize),
    /// Of two drawn at random, the better one with this probability, else the other.
    Duel(f64),
    /// With probabilities proportional to the rank, 1 for the worst. Equals share their ranks.
    Rank,
    /// Anyone of the best, who are this part of the population.
    Truncation(f64),
}

/// How a cost becomes a fitness, which is at least 0 and larger where better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// The score itself, which is then to be made large and never negative.
    Raw,
    /// How much better than the worst of the population.
    Window,
}

impl Scale {
    /// The fitness of each cost. An infinite cost has none, whatever the scale.
    pub(super) fn fitness(self, costs: &[f64]) -> Result<Vec<f64>> {
        let finite = costs.iter().copied().filter(|cost| *cost < f64::INFINITY);
        let zero = match self {
            Self::Raw => 0.0,
            Self::Window => finite.fold(f64::NEG_INFINITY, f64::max),
        };
        let fitness = |cost: &f64| if *cost == f64::INFINITY { 0.0 } else { zero - cost };
        let all: Vec<f64> = costs.iter().map(fitness).collect();
        let usable = |fitness: &f64| *fitness >= 0.0 && fitness.is_finite();
        if all.iter().all(usable) {
            return Ok(all);
        }
        Err(Error::unsuitable(
            "a fitness that is negative or infinite",
            "scale the fitness by `Scale::Window`, or select by tournament or rank",
        ))
    }
}

/// The probability with which fitness-proportionate selection takes each member. All are equally
/// likely where none has any fitness.
pub fn selection_probabilities(fitness: &[f64]) -> Vec<f64> {
    let weights = weights(fitness);
    let total: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / total).collect()
}

/// Fitness as weights with a finite sum: equal ones where nobody has any fitness, and smaller
/// ones where the sum would be infinite.
fn weights(fitness: &[f64]) -> Vec<f64> {
    let (total, n): (f64, f64) = (fitness.iter().sum(), fitness.len() as f64);
    let weight = |f: &f64| match total {
        f64::INFINITY => f / n,
        _ if total > 0.0 => *f,
        _ => 1.0,
    };
    fitness.iter().map(weight).collect()
}

impl Select {
    pub(super) fn check(self) -> Result<()> {
        match self {
            Self::Tournament(0) => {
                Err(refuse("tournament", "size", "a whole number from 1".into(), "0".into()))
            }
            Self::Duel(p) => probability(p, "duel"),
            Self::Truncation(part) if !(part > 0.0 && part <= 1.0) => {
                let expected = "above 0 and at most 1".into();
                Err(refuse("truncation", "part", expected, part.to_string()))
            }
            _ => Ok(()),
        }
    }

    /// Whether it needs fitness; all others go by the order of merit alone.
    pub(super) fn is_proportional(self) -> bool {
        matches!(self, Self::Roulette | Self::Universal)
    }

    /// Chooses `count` of `members` by their merit, which is larger where better.
    pub(super) fn choose(
        self,
        members: usize,
        count: usize,
        merit: impl Fn(usize) -> f64,
        rng: &mut Rng,
        out: &mut Vec<usize>,
    ) {
        let all = || (0..members).map(&merit).collect::<Vec<f64>>();
        match self {
            Self::Uniform => out.extend((0..count).map(|_| below(members, rng))),
            Self::Shuffle => shuffled(members, count, rng, out),
            Self::Tournament(size) => {
                out.extend((0..count).map(|_| tournament(size, members, &merit, rng)));
            }
            Self::Duel(p) => out.extend((0..count).map(|_| duel(p, members, &merit, rng))),
            Self::Truncation(part) => {
                let best = ranked(members, |i| -merit(i));
                let kept = ((members as f64 * part).ceil() as usize).clamp(1, members);
                out.extend((0..count).map(|_| best[below(kept, rng)]));
            }
            Self::Rank => roulette(&ranks(members, |i| -merit(i)), count, rng, out),
            Self::Roulette => roulette(&all(), count, rng, out),
            Self::Universal => universal(&all(), count, rng, out),
        }
    }
}

#[inline]
fn tournament(size: usize, members: usize, merit: &impl Fn(usize) -> f64, rng: &mut Rng) -> usize {
    let mut best = below(members, rng);
    let mut most = merit(best);
    for _ in 1..size {
        let other = below(members, rng);
        let its = merit(other);
        if its > most {
            (best, most) = (other, its);
        }
    }
    best
}

fn duel(p: f64, members: usize, merit: &impl Fn(usize) -> f64, rng: &mut Rng) -> usize {
    let (a, b) = (below(members, rng), below(members, rng));
    let (better, worse) = if merit(b) > merit(a) { (b, a) } else { (a, b) };
    if chance(p, rng) { better } else { worse }
}

fn shuffled(members: usize, count: usize, rng: &mut Rng, out: &mut Vec<usize>) {
    while out.len() < count {
        let from = out.len();
        out.extend(0..members);
        shuffle(&mut out[from..], rng);
    }
    out.truncate(count);
}

/// The members from the best to the worst, equals in their order.
pub(super) fn ranked(members: usize, cost: impl Fn(usize) -> f64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..members).collect();
    order.sort_by(|a, b| cost(*a).total_cmp(&cost(*b)));
    order
}

/// The rank of each member, 1 for the worst; equals have the mean of their ranks.
fn ranks(members: usize, cost: impl Fn(usize) -> f64) -> Vec<f64> {
    let order = ranked(members, &cost);
    let mut ranks = vec![0.0; members];
    let mut from = 0;
    for equals in order.chunk_by(|a, b| cost(*a) == cost(*b)) {
        let to = from + equals.len();
        // The best of them has rank `members - from`, the worst `members - to + 1`.
        let mean = 0.5 * (2 * members - from - to + 1) as f64;
        for member in equals {
            ranks[*member] = mean;
        }
        from = to;
    }
    ranks
}

/// The running sums of the weights.
fn wheel(fitness: &[f64]) -> Vec<f64> {
    let mut wheel = weights(fitness);
    (1..wheel.len()).for_each(|i| wheel[i] += wheel[i - 1]);
    wheel
}

fn roulette(fitness: &[f64], count: usize, rng: &mut Rng, out: &mut Vec<usize>) {
    let wheel = wheel(fitness);
    let total = wheel[wheel.len() - 1];
    out.extend((0..count).map(|_| stop(&wheel, unit(rng) * total)));
}

/// Where the wheel stops. Rounding may bring the ball to the very end, which is the last member
/// that has any width.
fn stop(wheel: &[f64], ball: f64) -> usize {
    let at = wheel.partition_point(|sum| *sum <= ball);
    if at < wheel.len() {
        return at;
    }
    wheel.partition_point(|sum| *sum < wheel[wheel.len() - 1])
}

fn universal(fitness: &[f64], count: usize, rng: &mut Rng, out: &mut Vec<usize>) {
    let wheel = wheel(fitness);
    let gap = wheel[wheel.len() - 1] / count as f64;
    let first = unit(rng) * gap;
    out.extend((0..count).map(|k| stop(&wheel, first + k as f64 * gap)));
    // Neighbours recombine, and the pointers go round in the order of the members.
    shuffle(out, rng);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::rng;
    use crate::run::Seed;

    /// The lecture's four strings: 13, 24, 8 and 19, squared.
    const SQUARES: [f64; 4] = [169.0, 576.0, 64.0, 361.0];

    /// How often each of the four is chosen, as a fraction.
    fn shares(select: Select, rounds: usize) -> [f64; 4] {
        let mut rng = rng(Seed::new(7));
        let mut hits = [0.0; 4];
        for _ in 0..rounds {
            let mut out = Vec::new();
            select.choose(4, 4, |i| SQUARES[i], &mut rng, &mut out);
            assert_eq!(out.len(), 4);
            for i in out {
                hits[i] += 0.25 / rounds as f64;
            }
        }
        hits
    }

    /// Whole hundredths that add up to 1, by largest remainders: how the lecture rounds.
    fn hundredths(shares: &[f64]) -> Vec<u32> {
        let mut whole: Vec<u32> = shares.iter().map(|share| (100.0 * share) as u32).collect();
        let left = |i: usize| 100.0 * shares[i] - (100.0 * shares[i]).floor();
        let missing = 100 - whole.iter().sum::<u32>() as usize;
        ranked(shares.len(), |i| -left(i)).iter().take(missing).for_each(|i| whole[*i] += 1);
        whole
    }

    #[test]
    fn the_lecture_s_selection_table() {
        let p = selection_probabilities(&SQUARES);
        let exact = [169.0 / 1170.0, 576.0 / 1170.0, 64.0 / 1170.0, 361.0 / 1170.0];
        assert!(p.iter().zip(exact).all(|(p, exact)| (p - exact).abs() < 1e-15));
        assert_eq!(hundredths(&p), [14, 49, 6, 31]);
        assert_eq!(selection_probabilities(&[0.0, 0.0]), [0.5, 0.5]);
    }

    #[test]
    fn each_way_of_selection_has_its_probabilities() {
        let wheel = selection_probabilities(&SQUARES);
        // Ranks 2, 4, 1, 3; the best of two drawn with replacement has (2 r - 1) / 16, the best
        // of three (r^3 - (r - 1)^3) / 64.
        let by_rank = |of: fn(f64) -> f64| [2.0, 4.0, 1.0, 3.0].map(of).to_vec();
        let cases = [
            (Select::Roulette, wheel.clone()),
            (Select::Universal, wheel),
            (Select::Uniform, vec![0.25; 4]),
            (Select::Shuffle, vec![0.25; 4]),
            (Select::Rank, by_rank(|r| r / 10.0)),
            (Select::Tournament(2), by_rank(|r| (2.0 * r - 1.0) / 16.0)),
            (Select::Tournament(3), by_rank(|r| (r.powi(3) - (r - 1.0).powi(3)) / 64.0)),
            // With p = 0.75 half of the tournament's advantage over a random choice is left.
            (Select::Duel(0.75), by_rank(|r| 0.5 * ((2.0 * r - 1.0) / 16.0 + 0.25))),
            (Select::Truncation(0.5), vec![0.0, 0.5, 0.0, 0.5]),
        ];
        for (select, expected) in cases {
            let seen = shares(select, 10_000);
            for (seen, expected) in seen.into_iter().zip(expected) {
                // Four and a half standard errors of 40,000 choices.
                assert!((seen - expected).abs() < 0.012, "{select:?}: {seen} {expected}");
            }
        }
    }

    #[test]
    fn universal_counts_are_the_nearest_to_the_probabilities() {
        let mut rng = rng(Seed::new(8));
        for _ in 0..1000 {
            let mut out = Vec::new();
            Select::Universal.choose(4, 100, |i| SQUARES[i], &mut rng, &mut out);
            for (i, p) in selection_probabilities(&SQUARES).into_iter().enumerate() {
                let times = out.iter().filter(|chosen| **chosen == i).count() as f64;
                assert!((times - 100.0 * p).abs() < 1.0 + 1e-9);
            }
        }
    }

    /// Fitness whose sum is infinite, and fitness that nobody has.
    #[test]
    fn equals_are_chosen_alike_however_large_or_small() {
        let mut rng = rng(Seed::new(9));
        for fitness in [1e308, f64::MAX, 1e-320, 0.0] {
            assert_eq!(selection_probabilities(&[fitness; 4]), [0.25; 4]);
            let mut out = Vec::new();
            Select::Universal.choose(4, 100, |_| fitness, &mut rng, &mut out);
            for member in 0..4 {
                assert_eq!(out.iter().filter(|chosen| **chosen == member).count(), 25);
            }
            out.clear();
            Select::Roulette.choose(4, 10_000, |_| fitness, &mut rng, &mut out);
            for member in 0..4 {
                let times = out.iter().filter(|chosen| **chosen == member).count();
                // Four and a half standard errors.
                assert!(times.abs_diff(2500) < 195, "{fitness}: {times}");
            }
        }
    }

    #[test]
    fn fitness_is_made_or_refused() -> Result<()> {
        let costs = [-3.0, f64::INFINITY, -1.0];
        assert_eq!(Scale::Raw.fitness(&costs)?, [3.0, 0.0, 1.0]);
        assert_eq!(Scale::Window.fitness(&costs)?, [2.0, 0.0, 0.0]);
        assert!(Scale::Raw.fitness(&[1.0]).is_err());
        assert!(Scale::Raw.fitness(&[f64::NEG_INFINITY]).is_err());
        assert_eq!(ranks(4, |i| [5.0, 1.0, 5.0, 9.0][i]), [2.5, 4.0, 2.5, 1.0]);
        Ok(())
    }
}

//! The best test of one column, from the sums over its bins (see `hill_climb`). `anchor` is a bin that
//! the test must allow.

use super::condition::Allowed;
use super::family::Family;
use super::hill_climb::{HillClimb, LAYERS, add};

/// Up to so many levels all sets are tried.
const FEW_LEVELS: usize = 4;

impl<F: Family> HillClimb<'_, '_, F> {
    /// The gain of every bin for a rule with the parameters that fit `seed` best, in the layers that it
    /// would take.
    fn gains(&self, bins: &[f64], seed: &[f64]) -> Vec<f64> {
        let width = self.stride / LAYERS;
        let taken = self.score(seed).1;
        let flat = |sums: &[f64]| {
            let mut total = vec![0.0; width];
            sums.chunks_exact(width).take(taken + 1).for_each(|layer| add(&mut total, layer));
            total
        };
        let mut params = Vec::new();
        self.data().family.fit(&flat(seed)[..width - 1], &mut params);
        let gain = |bin: &[f64]| {
            let total = flat(bin);
            self.data().family.log_likelihood(&total[..width - 1], &params) - total[width - 1]
        };
        bins.chunks_exact(self.stride).map(gain).collect()
    }

    /// The sums of what a search for a test starts from: the best single bin, and the test there is.
    fn seeds(&self, bins: &[f64], now: Option<&Allowed>, anchor: Option<usize>) -> Vec<Vec<f64>> {
        let count = bins.len() / self.stride - 1;
        let bin = |at: usize| &bins[at * self.stride..][..self.stride];
        let single = anchor.or_else(|| {
            let scores = (0..count).map(|at| (self.score(bin(at)).0, at));
            scores.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, at)| at)
        });
        let mut seeds: Vec<Vec<f64>> = single.map(|at| bin(at).to_vec()).into_iter().collect();
        if let Some(now) = now {
            let mut sums = vec![0.0; self.stride];
            for at in 0..count {
                let inside = match now {
                    Allowed::Set(set) => set[at],
                    Allowed::Range(low, high) => (*low..=*high).contains(&(at as u32)),
                };
                if inside {
                    add(&mut sums, bin(at));
                }
            }
            seeds.push(sums);
        }
        seeds
    }

    /// The best set of levels, without the price of the rest of the rule.
    pub(super) fn best_set(
        &self,
        bins: &[f64],
        now: Option<&Allowed>,
        anchor: Option<usize>,
    ) -> (f64, Allowed) {
        let count = bins.len() / self.stride - 1;
        if count <= FEW_LEVELS {
            self.best_of_all_sets(bins, anchor)
        } else {
            self.best_greedy_set(bins, now, anchor)
        }
    }

    /// The best of all sets of a few levels.
    fn best_of_all_sets(&self, bins: &[f64], anchor: Option<usize>) -> (f64, Allowed) {
        let stride = self.stride;
        let count = bins.len() / stride - 1;
        // The sums of a set are those of the set without its first level plus those of that level.
        let mut sums = Vec::with_capacity(stride << count);
        sums.extend_from_slice(&bins[count * stride..]);
        let mut best = (f64::NEG_INFINITY, 0);
        for set in 1..(1_usize << count) - 1 {
            let (rest, level) = (set & (set - 1), set.trailing_zeros() as usize);
            sums.extend_from_within(rest * stride..(rest + 1) * stride);
            let own = &mut sums[set * stride..];
            add(own, &bins[level * stride..(level + 1) * stride]);
            if anchor.is_some_and(|at| set >> at & 1 == 0) {
                continue;
            }
            let size = set.count_ones() as usize;
            let score = self.score(own).0 - self.data().prices.set(count, size);
            if score > best.0 {
                best = (score, set);
            }
        }
        (best.0, Allowed::Set((0..count).map(|level| best.1 >> level & 1 == 1).collect()))
    }

    /// A good set of many levels: they are added in the order of their gain for a rule that fits a
    /// seed.
    fn best_greedy_set(
        &self,
        bins: &[f64],
        now: Option<&Allowed>,
        anchor: Option<usize>,
    ) -> (f64, Allowed) {
        let count = bins.len() / self.stride - 1;
        let bin = |at: usize| &bins[at * self.stride..][..self.stride];
        let mut best = (f64::NEG_INFINITY, Allowed::Set(Vec::new()));
        for seed in self.seeds(bins, now, anchor) {
            let gains = self.gains(bins, &seed);
            let mut order: Vec<usize> = (0..count).collect();
            order.sort_by(|a, b| {
                let first = |at: usize| (Some(at) != anchor, -gains[at]);
                let (a, b) = (first(*a), first(*b));
                a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
            });
            let mut sums = bin(count).to_vec();
            for (taken, &at) in order[..count - 1].iter().enumerate() {
                add(&mut sums, bin(at));
                let score = self.score(&sums).0 - self.data().prices.set(count, taken + 1);
                if score > best.0 {
                    let mut set = vec![false; count];
                    order[..=taken].iter().for_each(|&at| set[at] = true);
                    best = (score, Allowed::Set(set));
                }
            }
        }
        best
    }

    /// The better side of the only cut.
    pub(super) fn best_side(&self, bins: &[f64], anchor: Option<usize>) -> (f64, Allowed) {
        let (score, side) = self.best_of_all_sets(bins, anchor);
        let high = u32::from(matches!(side, Allowed::Set(set) if set[1]));
        (score, Allowed::Range(high, high))
    }

    /// The best range of bins, without the price of the rest of the rule.
    pub(super) fn best_range(
        &self,
        bins: &[f64],
        now: Option<&Allowed>,
        anchor: Option<usize>,
    ) -> (f64, Allowed) {
        let count = bins.len() / self.stride - 1;
        let last = count as u32 - 1;
        let mut starts: Vec<(u32, u32)> = vec![(0, last)];
        if let Some(Allowed::Range(low, high)) = now {
            starts.push((*low, *high));
        }
        for seed in self.seeds(bins, now, anchor) {
            starts.push(max_sum_range(&self.gains(bins, &seed)[..count], anchor));
        }
        let mut best = (f64::NEG_INFINITY, Allowed::Range(0, last));
        let mut try_range = |low: u32, high: u32, sums: &[f64]| {
            if low == 0 && high == last {
                return;
            }
            let score = self.score(sums).0 - self.data().prices.range(count, low, high);
            if score > best.0 {
                best = (score, Allowed::Range(low, high));
            }
        };
        let bin = |at: u32| &bins[at as usize * self.stride..][..self.stride];
        let inside = |at: u32| anchor.map_or(at, |anchor| anchor as u32);
        for (low, high) in starts {
            // All upper bounds with this lower one, then all lower bounds with this upper one.
            let mut sums = bin(count as u32).to_vec();
            for at in low..=last {
                add(&mut sums, bin(at));
                if at >= inside(at) && low <= inside(low) {
                    try_range(low, at, &sums);
                }
            }
            let mut sums = bin(count as u32).to_vec();
            for at in (0..=high).rev() {
                add(&mut sums, bin(at));
                if at <= inside(at) && high >= inside(high) {
                    try_range(at, high, &sums);
                }
            }
        }
        best
    }
}

/// The range of bins with the largest sum of gains, around `anchor` where it is given; else by
/// Kadane's algorithm.
fn max_sum_range(gains: &[f64], anchor: Option<usize>) -> (u32, u32) {
    if let Some(anchor) = anchor {
        let reach = |order: &mut dyn Iterator<Item = usize>| {
            let (mut best, mut sum, mut to) = (0.0, 0.0, anchor);
            for at in order {
                sum += gains[at];
                if sum > best {
                    (best, to) = (sum, at);
                }
            }
            to as u32
        };
        return (reach(&mut (0..anchor).rev()), reach(&mut (anchor + 1..gains.len())));
    }
    let (mut best, mut sum, mut low) = ((f64::NEG_INFINITY, 0, 0), 0.0, 0);
    for (at, gain) in gains.iter().enumerate() {
        if sum < 0.0 {
            (sum, low) = (0.0, at);
        }
        sum += gain;
        if sum > best.0 {
            best = (sum, low, at);
        }
    }
    (best.1 as u32, best.2 as u32)
}

//! Ranks with three objectives, by divide and conquer.
//!
//! Points stand in lexicographic order, so only earlier ones can dominate later ones, and for
//! those only the second and third cost are left to compare. A range is halved: the first half is
//! ranked, lifts the ranks of the second half, which is then ranked itself. To lift, both halves
//! are walked by their second cost while a Fenwick tree over the third keeps the highest rank so
//! far.

use super::super::points::PointSet;
use super::{key, who};

/// Ranges up to this size compare all pairs.
const PAIRS: usize = 48;

#[derive(Debug, Clone, Default)]
pub(super) struct Chains {
    /// Distinct points in lexicographic order, as places of their second and third cost among
    /// all such costs, and their ranks.
    second: Vec<i32>,
    third: Vec<i32>,
    rank: Vec<i32>,
    /// One list for each depth of halving: the points of every range by their second cost.
    levels: Vec<u32>,
    /// Highest rank plus one below a place of the third cost.
    tree: Vec<i32>,
    /// Where the points of each place of the second cost begin.
    starts: Vec<u32>,
    places: [Vec<i32>; 3],
    order: Vec<u32>,
}

impl Chains {
    pub fn rank(&mut self, points: &PointSet, keys: &mut Vec<u128>, ranks: &mut [u32]) {
        let n = points.len();
        for objective in 0..3 {
            places(points, objective, keys, &mut self.places[objective]);
        }
        self.arrange(n, keys);
        let distinct = self.distinct();
        self.prepare(distinct);
        self.solve(0, distinct, 0);
        let mut at = usize::MAX;
        for (position, &point) in self.order.iter().enumerate() {
            let new = position == 0 || !self.equal(point, self.order[position - 1]);
            at = at.wrapping_add(usize::from(new));
            ranks[point as usize] = self.rank[at] as u32;
        }
    }

    /// All three places fit in one key, with the point behind them.
    fn arrange(&mut self, n: usize, keys: &mut Vec<u128>) {
        let [first, second, third] = &self.places;
        keys.clear();
        keys.extend((0..n).map(|at| {
            let places = [first[at], second[at], third[at]];
            places.iter().fold(0u128, |key, &place| (key << 32) | place as u128) << 32 | at as u128
        }));
        keys.sort_unstable();
        self.order.clear();
        self.order.extend(keys.iter().map(|&key| who(key)));
    }

    fn equal(&self, a: u32, b: u32) -> bool {
        self.places.iter().all(|places| places[a as usize] == places[b as usize])
    }

    /// Lists distinct points; returns how many there are.
    fn distinct(&mut self) -> usize {
        self.second.clear();
        self.third.clear();
        for position in 0..self.order.len() {
            let point = self.order[position];
            if position == 0 || !self.equal(point, self.order[position - 1]) {
                self.second.push(self.places[1][point as usize]);
                self.third.push(self.places[2][point as usize]);
            }
        }
        self.second.len()
    }

    fn prepare(&mut self, n: usize) {
        self.rank.clear();
        self.rank.resize(n, 0);
        let highest = self.third.iter().max().map_or(0, |&place| place as usize);
        self.tree.clear();
        self.tree.resize(highest + 2, 0);
        let depth = (n / PAIRS + 1).ilog2() as usize + 2;
        self.levels.resize(n * depth, 0);
        // By counting: places are small whole numbers.
        let highest = self.second.iter().max().map_or(0, |&place| place as usize);
        let starts = &mut self.starts;
        starts.clear();
        starts.resize(highest + 2, 0);
        self.second.iter().for_each(|&place| starts[place as usize + 1] += 1);
        (1..starts.len()).for_each(|i| starts[i] += starts[i - 1]);
        for (at, &place) in self.second.iter().enumerate() {
            let start = &mut starts[place as usize];
            self.levels[*start as usize] = at as u32;
            *start += 1;
        }
    }

    fn solve(&mut self, from: usize, to: usize, level: usize) {
        if to - from <= PAIRS {
            self.pairs(from, to);
            return;
        }
        let middle = from.midpoint(to);
        self.part(from, middle, to, level);
        self.solve(from, middle, level + 1);
        self.lift(from, middle, to, level + 1);
        self.solve(middle, to, level + 1);
    }

    fn pairs(&mut self, from: usize, to: usize) {
        let (second, third) = (&self.second[from..to], &self.third[from..to]);
        let rank = &mut self.rank[from..to];
        for b in 1..rank.len() {
            let (before, after) = rank.split_at_mut(b);
            let mut highest = after[0];
            for a in 0..b {
                let above = second[a] <= second[b] && third[a] <= third[b];
                highest = highest.max(if above { before[a] + 1 } else { 0 });
            }
            after[0] = highest;
        }
    }

    /// Parts the list of a range into those of its halves, one level below.
    fn part(&mut self, from: usize, middle: usize, to: usize, level: usize) {
        let n = self.rank.len();
        let (upper, lower) = self.levels.split_at_mut((level + 1) * n);
        let upper = &upper[level * n + from..level * n + to];
        let (mut left, mut right) = (from, middle);
        for &at in upper {
            let goes_left = (at as usize) < middle;
            lower[if goes_left { left } else { right }] = at;
            left += usize::from(goes_left);
            right += usize::from(!goes_left);
        }
    }

    /// Lifts the ranks of the second half above those of dominators in the first.
    fn lift(&mut self, from: usize, middle: usize, to: usize, level: usize) {
        let base = level * self.rank.len();
        let left = &self.levels[base + from..base + middle];
        let right = &self.levels[base + middle..base + to];
        let mut next = 0;
        for &b in right {
            let b = b as usize;
            while next < left.len() && self.second[left[next] as usize] <= self.second[b] {
                let a = left[next] as usize;
                raise(&mut self.tree, self.third[a], self.rank[a] + 1);
                next += 1;
            }
            self.rank[b] = self.rank[b].max(highest(&self.tree, self.third[b]));
        }
        for &a in &left[..next] {
            clear(&mut self.tree, self.third[a as usize]);
        }
    }
}

/// The place of each point's cost among all different costs of that objective, from 0.
fn places(points: &PointSet, objective: usize, keys: &mut Vec<u128>, out: &mut Vec<i32>) {
    keys.clear();
    keys.extend(points.rows().enumerate().map(|(at, costs)| key(costs[objective], at)));
    keys.sort_unstable();
    out.resize(points.len(), 0);
    let (mut place, mut before) = (0, keys.first().map_or(0, |key| key >> 32));
    for key in keys {
        place += i32::from(*key >> 32 != before);
        before = *key >> 32;
        out[who(*key) as usize] = place;
    }
}

fn raise(tree: &mut [i32], place: i32, value: i32) {
    let mut at = place as usize + 1;
    while at < tree.len() {
        // A node covers all below it: where it is as high already, so are those above.
        if tree[at] >= value {
            break;
        }
        tree[at] = value;
        at += at & at.wrapping_neg();
    }
}

fn highest(tree: &[i32], place: i32) -> i32 {
    let (mut at, mut value) = (place as usize + 1, 0);
    while at > 0 {
        value = value.max(tree[at]);
        at &= at - 1;
    }
    value
}

fn clear(tree: &mut [i32], place: i32) {
    let mut at = place as usize + 1;
    while at < tree.len() && tree[at] != 0 {
        tree[at] = 0;
        at += at & at.wrapping_neg();
    }
}

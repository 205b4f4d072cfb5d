//! Few columns whose weighted sum imitates that of all: weights are not negative and keep their sum.
//!
//! Least squares over the simplex by the fully corrective method of Frank and Wolfe (M. Jaggi, ICML
//! 2013): the column whose weight would lower the error most joins, then all weights in the sum are
//! solved for anew, pair by pair. Columns whose weight falls to 0 leave. This goes on to twice as many
//! as asked for; then one leaves after the other, the one whose weight is given to another at the least
//! rise of the error, and all others are solved for anew. Some more then join and as many leave, again
//! and again while that lowers the error: a member that was the best of few need not be of many.

use crate::error::Result;
use crate::num::{add_scaled, dot, wide};
use crate::run::Run;

/// Rounds over all pairs of members after one has joined.
const ROUNDS: usize = 50;

/// A change of the error by less than this share ends a round.
const ENOUGH: f64 = 1e-6;

/// Exchanges after the first members were found, at most; the share of members that each exchanges, as
/// a divisor; and by what share the squared error must fall for another one.
const EXCHANGES: usize = 20;
const PART: usize = 3;
const GAIN: f64 = 1e-3;

/// Columns of calls, kept as bytes and spread to numbers where they are needed.
struct Columns<'a> {
    bytes: &'a [u8],
    n: usize,
}

impl Columns<'_> {
    fn spread(&self, at: usize, out: &mut Vec<f64>) {
        out.clear();
        let calls = &self.bytes[at * self.n..(at + 1) * self.n];
        out.extend(calls.iter().map(|&call| f64::from(call)));
    }

    fn one(&self, at: usize) -> Vec<f64> {
        let mut out = Vec::with_capacity(self.n);
        self.spread(at, &mut out);
        out
    }

    /// The column, of the first `count` and none of `members`, whose product with `rest` is largest.
    fn nearest(
        &self,
        count: usize,
        members: &[usize],
        rest: &[f64],
        own: &mut Vec<f64>,
    ) -> Option<usize> {
        let gains = wide(
            #[inline(always)]
            || {
                let gain = |at: usize| {
                    self.spread(at, own);
                    dot(own, rest)
                };
                (0..count).map(gain).collect::<Vec<f64>>()
            },
        );
        (0..count)
            .filter(|at| !members.contains(at))
            .max_by(|&a, &b| gains[a].total_cmp(&gains[b]).then(b.cmp(&a)))
    }
}

/// Weights of at most `most` of the columns (of `n` rows each), of the sum that `all` have, whose sum
/// of columns is nearest to that with the weights `all`.
pub(super) fn weights(
    columns: &[u8],
    n: usize,
    all: &[f64],
    most: usize,
    run: &Run<'_>,
) -> Result<Vec<f64>> {
    let columns = Columns { bytes: columns, n };
    let (mut target, mut own) = (vec![0.0; n], Vec::with_capacity(n));
    for (at, weight) in all.iter().enumerate() {
        columns.spread(at, &mut own);
        add_scaled(&mut target, *weight, &own);
    }
    let active = Active { most: 2 * most, ..Active::default() };
    let (count, total) = (all.len(), all.iter().sum());
    let mut search = Search { columns, count, total, target, own, active };
    search.grow(2 * most, run)?;
    search.shrink(most, run)?;
    let mut best = (search.error(), search.active.members.clone(), search.active.weights.clone());
    for _ in 0..EXCHANGES {
        search.grow(most + (most / PART).max(1), run)?;
        search.shrink(most, run)?;
        let (error, before) = (search.error(), best.0);
        if error < before {
            best = (error, search.active.members.clone(), search.active.weights.clone());
        }
        let falls = error < before * (1.0 - GAIN);
        if !falls {
            break;
        }
    }
    let mut found = vec![0.0; count];
    best.1.iter().zip(&best.2).for_each(|(&at, weight)| found[at] = *weight);
    Ok(found)
}

/// The search for members.
struct Search<'a> {
    columns: Columns<'a>,
    /// How many columns there are, and the sum of the weights.
    count: usize,
    total: f64,
    /// What is imitated.
    target: Vec<f64>,
    /// A column, spread.
    own: Vec<f64>,
    active: Active,
}

impl Search<'_> {
    /// Members join until there are so many, or nothing is left to imitate.
    fn grow(&mut self, most: usize, run: &Run<'_>) -> Result<()> {
        let Self { columns, count, total, target, own, active } = self;
        let run = run.task("joining", (most - active.members.len().min(most)) as u64);
        // More steps than members: some leave again.
        for _ in 0..2 * most {
            run.stop.check()?;
            let mut rest = target.clone();
            for (&at, weight) in active.members.iter().zip(&active.weights) {
                add_scaled(&mut rest, -weight, &columns.one(at));
            }
            let near = dot(&rest, &rest) <= ENOUGH * ENOUGH * rest.len() as f64;
            if active.members.len() >= most || (near && !active.members.is_empty()) {
                return Ok(());
            }
            let Some(best) = columns.nearest(*count, &active.members, &rest, own) else {
                return Ok(());
            };
            let joins = columns.one(best);
            let products: Vec<f64> =
                active.members.iter().map(|&at| dot(&columns.one(at), &joins)).collect();
            active.join(best, &products, [dot(&joins, &joins), dot(&joins, target)], *total);
            active.solve();
            active.leave();
            run.watch.advance(1);
        }
        Ok(())
    }

    /// Members leave until there are no more than so many.
    fn shrink(&mut self, most: usize, run: &Run<'_>) -> Result<()> {
        let active = &mut self.active;
        let run =
            run.task("leaving", (active.members.len() - active.members.len().min(most)) as u64);
        while active.members.len() > most {
            run.stop.check()?;
            active.give_up_one();
            active.solve();
            active.leave();
            run.watch.advance(1);
        }
        Ok(())
    }

    /// The squared error.
    fn error(&self) -> f64 {
        let Active { weights, wanted, .. } = &self.active;
        let slope = self.active.slope();
        let products = slope.iter().zip(wanted).map(|(slope, wanted)| slope - wanted);
        let moved: f64 = products.zip(weights).map(|(product, weight)| product * weight).sum();
        dot(&self.target, &self.target) + moved
    }
}

/// The members, their weights and the products of their columns.
#[derive(Default)]
struct Active {
    members: Vec<usize>,
    weights: Vec<f64>,
    /// The products of their columns with what is imitated.
    wanted: Vec<f64>,
    /// Row after row, `most` places each: as many members as there may be at a time.
    gram: Vec<f64>,
    most: usize,
}

impl Active {
    fn join(&mut self, member: usize, products: &[f64], [square, wanted]: [f64; 2], total: f64) {
        let k = self.members.len();
        self.gram.resize((k + 1) * self.most, 0.0);
        for (at, product) in products.iter().enumerate() {
            self.gram[at * self.most + k] = *product;
            self.gram[k * self.most + at] = *product;
        }
        self.gram[k * self.most + k] = square;
        self.members.push(member);
        self.wanted.push(wanted);
        self.weights.push(if k == 0 { total } else { 0.0 });
    }

    /// Moves weight between pairs of members as long as that lowers the error.
    fn solve(&mut self) {
        let k = self.members.len();
        let gram = |a: usize, b: usize| self.gram[a * self.most + b];
        let mut slope = self.slope();
        for _ in 0..ROUNDS * k {
            // From the member that gains most by less weight to the one that gains most by more.
            let to = (0..k).min_by(|&a, &b| slope[a].total_cmp(&slope[b]));
            let from = (0..k)
                .filter(|&a| self.weights[a] > 0.0)
                .max_by(|&a, &b| slope[a].total_cmp(&slope[b]));
            let (Some(to), Some(from)) = (to, from) else { return };
            let curve = gram(to, to) + gram(from, from) - 2.0 * gram(to, from);
            let gain = slope[from] - slope[to];
            if gain <= ENOUGH || curve <= 0.0 {
                return;
            }
            let step = (gain / curve).min(self.weights[from]);
            self.weights[to] += step;
            self.weights[from] -= step;
            for (a, slope) in slope.iter_mut().enumerate() {
                *slope += step * (gram(a, to) - gram(a, from));
            }
        }
    }

    /// Half the gradient of the squared error.
    fn slope(&self) -> Vec<f64> {
        let row = |a: usize| &self.gram[a * self.most..];
        let of = |a: usize| dot(&row(a)[..self.weights.len()], &self.weights) - self.wanted[a];
        (0..self.members.len()).map(of).collect()
    }

    /// The member that can give its weight to another at the least rise of the error does, and
    /// leaves.
    fn give_up_one(&mut self) {
        let (k, slope) = (self.members.len(), self.slope());
        let gram = |a: usize, b: usize| self.gram[a * self.most + b];
        let rise = |from: usize, to: usize| {
            let (weight, curve) =
                (self.weights[from], gram(to, to) + gram(from, from) - 2.0 * gram(to, from));
            weight * (2.0 * (slope[to] - slope[from]) + weight * curve)
        };
        let pairs = (0..k).flat_map(|from| (0..k).map(move |to| (from, to)));
        let pairs = pairs.filter(|(from, to)| from != to);
        let best = pairs.min_by(|a, b| rise(a.0, a.1).total_cmp(&rise(b.0, b.1)));
        if let Some((from, to)) = best {
            self.weights[to] += self.weights[from];
            self.weights[from] = 0.0;
            self.leave();
        }
    }

    /// Members without weight go.
    fn leave(&mut self) {
        let kept: Vec<usize> = (0..self.members.len()).filter(|&a| self.weights[a] > 0.0).collect();
        if kept.len() == self.members.len() {
            return;
        }
        let mut gram = vec![0.0; kept.len() * self.most];
        for (a, &from) in kept.iter().enumerate() {
            for (b, &other) in kept.iter().enumerate() {
                gram[a * self.most + b] = self.gram[from * self.most + other];
            }
        }
        self.gram = gram;
        self.members = kept.iter().map(|&a| self.members[a]).collect();
        self.weights = kept.iter().map(|&a| self.weights[a]).collect();
        self.wanted = kept.iter().map(|&a| self.wanted[a]).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolve::{chance, rng, unit};
    use crate::run::{Pool, Seed, Stop};

    #[test]
    fn weights_stay_on_the_simplex_and_imitate_the_sum() {
        let (n, count) = (300, 200);
        let mut rng = rng(Seed::new(6));
        let rates: Vec<f64> = (0..n).map(|_| unit(&mut rng)).collect();
        let columns: Vec<u8> =
            (0..count * n).map(|at| u8::from(chance(rates[at % n], &mut rng))).collect();
        let all = vec![0.9 / f64::from(count as u32); count];
        let (stop, pool) = (Stop::new(), Pool::new(1).unwrap());
        let run = Run::new(1, &stop, &pool);
        let error = |weights: &[f64]| {
            let mut off = vec![0.0; n];
            for at in 0..count {
                let column = columns[at * n..(at + 1) * n].iter();
                let column: Vec<f64> = column.map(|&call| f64::from(call)).collect();
                add_scaled(&mut off, weights[at] - all[at], &column);
            }
            (dot(&off, &off) / n as f64).sqrt()
        };
        let mut before = f64::INFINITY;
        for most in [1, 5, 20, 60, 200] {
            let found = weights(&columns, n, &all, most, &run).unwrap();
            assert!(found.iter().all(|weight| *weight >= 0.0));
            assert!((found.iter().sum::<f64>() - 0.9).abs() < 1e-9);
            assert!(found.iter().filter(|weight| **weight > 0.0).count() <= most);
            let now = error(&found);
            assert!(now <= before + 1e-9, "{most}: {now} after {before}");
            before = now;
        }
        // All members are enough for an exact imitation.
        assert!(before < 5e-3, "{before}");
    }
}

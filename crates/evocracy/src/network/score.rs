//! Scores of structures: a sum over the nodes, each part of it a function of a node and its
//! parents (equation 13 of De Stefano et al. 2009; Heckerman 1995).
//!
//! With `N_jk` rows in which the parents have their combination `j` and the node its state `k`,
//! `N_j` the sum over `k`, `q` combinations and `r` states:
//!
//! - Bayesian Dirichlet: the sum over `j` of `ln G(a_j) - ln G(a_j + N_j)` and over `k` of
//!   `ln G(a_jk + N_jk) - ln G(a_jk)`, where `a_j` is the sum of the `a_jk`. The K2 prior has
//!   `a_jk = 1` (Cooper, Herskovits 1992), BDeu `a_jk = s / (q r)` for an equivalent sample of `s`
//!   rows (Heckerman, Geiger, Chickering 1995).
//! - BIC: the largest log-likelihood less `ln(rows) q (r - 1) / 2`; AIC: less `q (r - 1)`.
//!
//! Where rows have weights, `N` are sums of weights and `rows` is the sum of all.
//!
//! All are natural logarithms; larger is better. Combinations of the parents that do not occur
//! add nothing to a Bayesian score but their parameters to the penalties.

use super::count::Base;
use super::gamma::Rising;
use super::{Dag, Discrete};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How structures are scored.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Score {
    /// Bayesian Dirichlet with the prior of K2: one row of each kind beforehand.
    K2,
    /// Bayesian Dirichlet, equivalent and uniform, with an equivalent sample of so many rows.
    Bdeu(f64),
    /// The Bayesian information criterion.
    Bic,
    /// Akaike's information criterion.
    Aic,
}

impl Score {
    fn check(self) -> Result<()> {
        match self {
            Self::Bdeu(size) if !(1e-6..=1e9).contains(&size) => Err(Error::Param {
                of: "bdeu".into(),
                name: "equivalent sample size".into(),
                expected: "a number from 1e-6 to 1e9".into(),
                got: size.to_string(),
            }),
            _ => Ok(()),
        }
    }
}

/// Up to so many scores of parent sets are remembered for a node.
const REMEMBERED: usize = 1 << 20;

/// Scores nodes with their parents on one table and remembers what it scored.
#[derive(Debug)]
pub struct Scorer<'a> {
    data: &'a Discrete,
    score: Score,
    known: Vec<Mutex<Known>>,
    scratch: Mutex<Vec<Scratch>>,
}

type Known = HashMap<Box<[u32]>, f64, BuildHasherDefault<Mix>>;

#[derive(Debug, Default)]
struct Scratch {
    base: Base,
    counts: Vec<u32>,
    set: Vec<u32>,
    weights: Vec<f64>,
}

impl<'a> Scorer<'a> {
    /// A scorer for a table without missing values.
    pub fn new(data: &'a Discrete, score: Score) -> Result<Self> {
        data.check_complete()?;
        score.check()?;
        let known = (0..data.variables()).map(|_| Mutex::default()).collect();
        Ok(Self { data, score, known, scratch: Mutex::default() })
    }

    /// The table.
    pub fn data(&self) -> &'a Discrete {
        self.data
    }

    /// How structures are scored.
    pub fn score(&self) -> Score {
        self.score
    }

    /// The score of a structure: the sum of those of its nodes.
    pub fn total(&self, dag: &Dag) -> f64 {
        (0..dag.nodes()).map(|node| self.local(node, dag.parents(node))).sum()
    }

    /// The part of a node with these parents, which are sorted and without the node.
    pub fn local(&self, node: usize, parents: &[u32]) -> f64 {
        if let Some(&score) = lock(&self.known[node]).get(parents) {
            return score;
        }
        let mut scratch = self.take();
        let configurations = self.configurations(parents);
        if let Some(weights) = self.data.weights() {
            let score = self.weighted(node, parents, weights, &mut scratch);
            self.give(scratch);
            self.remember(node, parents, score);
            return score;
        }
        let Scratch { base, counts, .. } = &mut scratch;
        // The last parent is split off, so that sets of rows need not be written for it.
        let score = if let Some((&last, others)) = parents.split_last() {
            base.build(self.data, node, others);
            base.split(self.data, last as usize, counts);
            self.family(node, configurations, base, counts, last as usize)
        } else {
            base.build(self.data, node, &[]);
            self.root(node, base)
        };
        self.give(scratch);
        self.remember(node, parents, score);
        score
    }

    /// The part of a node with each of these parents added in turn to those it has.
    pub fn extensions(&self, node: usize, parents: &[u32], candidates: &[u32], out: &mut Vec<f64>) {
        out.clear();
        let mut scratch = self.take();
        let Scratch { base, counts, set, .. } = &mut scratch;
        let (mut built, configurations) = (false, self.configurations(parents));
        if self.data.weights().is_some() {
            for &candidate in candidates {
                with(parents, candidate, set);
                out.push(self.local(node, set));
            }
            return self.give(scratch);
        }
        for &candidate in candidates {
            with(parents, candidate, set);
            let known = lock(&self.known[node]).get(set.as_slice()).copied();
            let score = known.unwrap_or_else(|| {
                if !built {
                    base.build(self.data, node, parents);
                    built = true;
                }
                let states = f64::from(self.data.states(candidate as usize));
                base.split(self.data, candidate as usize, counts);
                let score =
                    self.family(node, configurations * states, base, counts, candidate as usize);
                self.remember(node, set, score);
                score
            });
            out.push(score);
        }
        self.give(scratch);
    }

    /// How many combinations of states these parents have.
    fn configurations(&self, parents: &[u32]) -> f64 {
        parents.iter().map(|&parent| f64::from(self.data.states(parent as usize))).product()
    }

    fn root(&self, node: usize, base: &Base) -> f64 {
        self.sum(node, 1.0, base, &base.counts, 1)
    }

    fn family(&self, node: usize, q: f64, base: &Base, counts: &[u32], split: usize) -> f64 {
        self.sum(node, q, base, counts, self.data.states(split) as usize)
    }

    /// The score from the counts of the cells of `base`, each split in `width`.
    fn sum(&self, node: usize, q: f64, base: &Base, counts: &[u32], width: usize) -> f64 {
        let r = f64::from(self.data.states(node));
        let dirichlet = |whole: f64, cell: f64| {
            let (whole, cell) = (Rising::new(whole), Rising::new(cell));
            groups(base, counts, width, |n| -whole.log(n), |n| cell.log(n))
        };
        let likelihood = || {
            let part = |n: u32| if n > 1 { f64::from(n) * f64::from(n).ln() } else { 0.0 };
            groups(base, counts, width, |n| -part(n), part)
        };
        match self.score {
            Score::K2 => dirichlet(r, 1.0),
            Score::Bdeu(size) => dirichlet(size / q, size / q / r),
            Score::Bic => likelihood() - 0.5 * (self.data.rows() as f64).ln() * q * (r - 1.0),
            Score::Aic => likelihood() - q * (r - 1.0),
        }
    }

    /// The score of a node with these parents where rows have weights.
    fn weighted(
        &self,
        node: usize,
        parents: &[u32],
        weights: &[f64],
        scratch: &mut Scratch,
    ) -> f64 {
        let Scratch { base, weights: cells, .. } = scratch;
        base.build(self.data, node, parents);
        base.weigh(self.data, weights, cells);
        let (r, q) = (f64::from(self.data.states(node)), self.configurations(parents));
        let sum = |whole: &dyn Fn(f64) -> f64, cell: &dyn Fn(f64) -> f64| -> f64 {
            let groups = base.groups.windows(2).map(|ends| {
                let group = &cells[ends[0] as usize..ends[1] as usize];
                group.iter().map(|&n| cell(n)).sum::<f64>() - whole(group.iter().sum())
            });
            groups.sum()
        };
        let dirichlet = |whole: f64, cell: f64| {
            let (whole, cell) = (Rising::new(whole), Rising::new(cell));
            sum(&|n| whole.log_weight(n), &|n| cell.log_weight(n))
        };
        let likelihood = || sum(&|n| n * n.ln(), &|n| n * n.ln());
        match self.score {
            Score::K2 => dirichlet(r, 1.0),
            Score::Bdeu(size) => dirichlet(size / q, size / q / r),
            Score::Bic => likelihood() - 0.5 * weights.iter().sum::<f64>().ln() * q * (r - 1.0),
            Score::Aic => likelihood() - q * (r - 1.0),
        }
    }

    fn remember(&self, node: usize, parents: &[u32], score: f64) {
        let mut known = lock(&self.known[node]);
        if known.len() < REMEMBERED {
            known.insert(parents.into(), score);
        }
    }

    fn take(&self) -> Scratch {
        lock(&self.scratch).pop().unwrap_or_default()
    }

    fn give(&self, scratch: Scratch) {
        lock(&self.scratch).push(scratch);
    }
}

/// The sum of `whole` over the combinations of the parents and of `cell` over those with the
/// states of the node.
#[inline]
fn groups(
    base: &Base,
    counts: &[u32],
    width: usize,
    whole: impl Fn(u32) -> f64,
    cell: impl Fn(u32) -> f64,
) -> f64 {
    let mut sum = 0.0;
    for ends in base.groups.windows(2) {
        let group = &counts[ends[0] as usize * width..ends[1] as usize * width];
        for state in 0..width {
            let (mut all, mut at) = (0, state);
            while at < group.len() {
                all += group[at];
                sum += cell(group[at]);
                at += width;
            }
            sum += whole(all);
        }
    }
    sum
}

/// Writes a sorted set with one more member.
pub(super) fn with(set: &[u32], member: u32, out: &mut Vec<u32>) {
    let at = set.partition_point(|known| *known < member);
    out.clear();
    out.extend_from_slice(&set[..at]);
    out.push(member);
    out.extend_from_slice(&set[at..]);
}

/// Writes a set without one of its members.
pub(super) fn without(set: &[u32], member: u32, out: &mut Vec<u32>) {
    out.clear();
    out.extend(set.iter().copied().filter(|known| *known != member));
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A quick hash for short lists of small numbers. Maps that use it are never walked through.
#[derive(Debug, Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

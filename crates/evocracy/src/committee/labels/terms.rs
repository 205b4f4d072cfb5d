//! Terms: the log-likelihood of what an expert said under each class, in the light of what its
//! parents said, as the training rows count it.
//!
//! `p(e | parents, c) = (n(e, parents, c) + s p(e | c)) / (n(parents, c) + s)`, with
//! `p(e | c) = (n(e, c) + a) / (n(c) + a S)` for `S` states. For a training row both are counted
//! without the row itself (leave-one-out), so that weights that are fitted to the terms of training
//! rows are fitted to what new rows will show. Where rows weigh differently, a row of mean weight
//! is left out.

use super::law::{Factor, key};
use super::rows::Rows;
use crate::data::MISSING;
use std::collections::BTreeMap;

/// How many rows of `p(e | c)` are added to those of a configuration of parents.
const BACK_OFF: f64 = 5.0;

/// Factors of more numbers are not made.
const MOST_NUMBERS: usize = 1 << 20;

/// The term of an expert.
#[derive(Debug, Clone)]
pub(super) struct Term {
    pub expert: usize,
    pub parents: Vec<u32>,
    configs: Vec<u64>,
    /// Log-likelihoods: blocks of states times classes, as in [`Factor`].
    logs: Vec<f64>,
    /// The same for a row of that class, which is left out.
    others: Vec<f64>,
    /// The place of each training row, as a number of classes; [`MISSING`] where there is none.
    places: Vec<u32>,
}

/// The most numbers that the terms of all experts with two parents each can have.
pub(super) fn linked_numbers(rows: &Rows) -> usize {
    let most = rows.states.iter().copied().max().unwrap_or(0);
    let configs = most.saturating_mul(most).min(rows.len()) + 1;
    let of = |states: &usize| {
        let block = states.saturating_mul(rows.classes);
        let linked = block.saturating_mul(configs).min(MOST_NUMBERS);
        linked.max(block)
    };
    rows.states.iter().map(of).fold(0, usize::saturating_add)
}

/// Counts of rows: of states and classes, and of classes alone.
struct Counts {
    both: Vec<f64>,
    class: Vec<f64>,
}

impl Counts {
    fn new(states: usize, k: usize) -> Self {
        Self { both: vec![0.0; states * k], class: vec![0.0; k] }
    }

    fn add(&mut self, state: usize, class: usize, weight: f64) {
        let k = self.class.len();
        self.both[state * k + class] += weight;
        self.class[class] += weight;
    }
}

impl Term {
    /// Counts the rows; `None` where the parents say too many different things.
    pub fn new(rows: &Rows, expert: usize, parents: &[u32], smoothing: f64) -> Option<Self> {
        let (states, k) = (rows.states[expert], rows.classes);
        let (configs, blocks) = blocks(rows, expert, parents, states * k)?;
        let mut counts: Vec<Counts> = (0..=configs.len()).map(|_| Counts::new(states, k)).collect();
        let mut places = vec![MISSING; rows.len()];
        for row in 0..rows.len() {
            let state = rows.row(row)[expert];
            if state == MISSING {
                continue;
            }
            let (state, class, weight) =
                (state as usize, rows.labels[row] as usize, rows.weights[row]);
            places[row] = (blocks[row] as usize * states + state) as u32;
            counts[0].add(state, class, weight);
            if blocks[row] > 0 {
                counts[blocks[row] as usize].add(state, class, weight);
            }
        }
        let of = |left_out: f64| logs(&counts, k, smoothing, left_out);
        let (logs, others) = (of(0.0), of(rows.mean_weight()));
        Some(Self { expert, parents: parents.to_vec(), configs, logs, others, places })
    }

    /// What a training row of a class shows: the log-likelihood of each class, and that of its own
    /// class when the row is left out.
    pub fn of_row(&self, row: usize, class: usize, k: usize) -> Option<(&[f64], f64)> {
        let place = self.places[row];
        (place != MISSING).then(|| {
            let at = place as usize * k;
            (&self.logs[at..at + k], self.others[at + class])
        })
    }

    /// The factor that adds `weight` times the term, and a number for each state and class.
    pub fn factor(&self, weight: f64, deltas: Option<&[f64]>) -> Factor {
        let mut adds: Vec<f64> = self.logs.iter().map(|log| weight * log).collect();
        if let Some(deltas) = deltas {
            for block in adds.chunks_exact_mut(deltas.len()) {
                block.iter_mut().zip(deltas).for_each(|(add, delta)| *add += delta);
            }
        }
        let (expert, configs) = (self.expert as u32, self.configs.clone());
        Factor { expert, parents: self.parents.clone(), configs, adds }
    }
}

/// What the parents said, as keys in order, and the block of each row.
fn blocks(
    rows: &Rows,
    expert: usize,
    parents: &[u32],
    block: usize,
) -> Option<(Vec<u64>, Vec<u32>)> {
    if parents.is_empty() {
        return Some((Vec::new(), vec![0; rows.len()]));
    }
    let keys: Vec<Option<u64>> = (0..rows.len())
        .map(|row| {
            let said = rows.row(row);
            (said[expert] != MISSING).then(|| key(parents, &rows.states, said)).flatten()
        })
        .collect();
    let mut number: BTreeMap<u64, u32> = keys.iter().flatten().map(|&key| (key, 0)).collect();
    if (number.len() + 1) * block > MOST_NUMBERS {
        return None;
    }
    for (at, (_, number)) in number.iter_mut().enumerate() {
        *number = at as u32 + 1;
    }
    let blocks = keys.iter().map(|key| key.map_or(0, |key| number[&key])).collect();
    Some((number.into_keys().collect(), blocks))
}

/// The log-likelihoods of all blocks with so much weight left out of the class in question.
fn logs(counts: &[Counts], k: usize, smoothing: f64, left_out: f64) -> Vec<f64> {
    let all = &counts[0];
    let states = all.both.len() / k;
    // A place without any row has none to leave out.
    let less = |count: f64| (count - left_out).max(0.0);
    let base: Vec<f64> = (0..all.both.len())
        .map(|at| {
            let total = less(all.class[at % k]) + smoothing * states as f64;
            (less(all.both[at]) + smoothing) / total
        })
        .collect();
    let mut logs: Vec<f64> = base.iter().map(|p| p.ln()).collect();
    for own in &counts[1..] {
        logs.extend((0..own.both.len()).map(|at| {
            let total = less(own.class[at % k]) + BACK_OFF;
            ((less(own.both[at]) + BACK_OFF * base[at]) / total).ln()
        }));
    }
    logs
}

//! Which experts have one source: groups are joined as long as that makes what they say of rows
//! that were held out more likely than what each says alone.
//!
//! A join is worth it on the whole when it gains a few nats, as the best of many pairs may by chance;
//! so what an expert's place in its group gains is kept with its standard error, and whoever words the
//! groups claims a source where that is far above what chance does.

use super::law::Law;
use super::loglinear::few;
use super::network::Names;
use super::rows::{Experts, Rows};
use super::sources::{Group, Origin, Sources, Worth};
use crate::data::{MISSING, Split, folds};
use crate::error::Result;
use crate::run::Run;

/// Folds on which groups are compared.
const FOLDS: usize = 3;

/// Steps of expectation-maximisation while groups are compared, and at the end.
const STEPS: [usize; 2] = [12, 40];

/// How many nats a group must gain on rows held out to be joined.
const LEAST: f64 = 2.0;

/// For each expert so many others are tried as its partners, those it agrees with most.
const PARTNERS: usize = 6;

/// A group that was joined is tried with so many others, those it agrees with most.
const TRIED: usize = 12;

/// A group, with where its experts copy from and what it is worth to each to be in it.
struct Found {
    experts: Vec<u32>,
    origin: Origin,
    worth: Vec<Worth>,
}

/// Finds the groups and fits them.
pub(super) fn fit(names: &Names<'_>, rows: &Rows, smoothing: f64, run: &Run<'_>) -> Result<Law> {
    let found = groups(names, rows, smoothing, run)?;
    let fitted = run.pool.map(found.len(), |at| {
        let Found { experts, origin, worth } = &found[at];
        let limits = (STEPS[1], run.stop);
        Group::fit(names.experts, rows, (experts, *origin), smoothing, limits).with_worth(worth)
    });
    Ok(Law::Sources(Sources::new(rows.log_prior(), fitted)))
}

/// The groups in the order of their first experts.
fn groups(names: &Names<'_>, rows: &Rows, smoothing: f64, run: &Run<'_>) -> Result<Vec<Found>> {
    let some = few(rows, run)?;
    let rows = some.as_ref().unwrap_or(rows);
    let experts = 0..rows.experts() as u32;
    if rows.len() < 2 * FOLDS {
        let counted = |e| Found { experts: vec![e], origin: Origin::Group, worth: Vec::new() };
        return Ok(experts.map(counted).collect());
    }
    let splits = folds(rows.len(), Some(&rows.labels), FOLDS, run.seed.child("groups", 0))?;
    let part = |split: &Split| {
        let (train, test) = (rows.some(&split.train), rows.some(&split.test));
        (names.experts.learnt_from(&train, names.inputs, names.classes), train, test)
    };
    let parts: Vec<(Experts, Rows, Rows)> = splits.iter().map(part).collect();
    let judge = Judge { parts: &parts, smoothing, run };
    let alone = run.pool.map(rows.experts(), |expert| judge.alone(expert as u32));
    let joined = join(names.experts, rows, &alone, &judge);
    let found = run.pool.map(joined.len(), |at| match &joined[at][..] {
        &[expert] => {
            let origin = alone[expert as usize].origin;
            Found { experts: vec![expert], origin, worth: Vec::new() }
        }
        group => {
            let worth = judge.worth(group, &alone);
            Found { experts: group.to_vec(), origin: Origin::Group, worth }
        }
    });
    Ok(found)
}

/// What an expert says of held-out rows when it is alone, by the origin that makes it likelier.
struct Alone {
    origin: Origin,
    logs: Vec<f64>,
}

impl Alone {
    fn sum(&self) -> f64 {
        self.logs.iter().sum()
    }
}

/// What groups say of rows that were held out.
struct Judge<'a> {
    /// For each fold the experts as its training rows show them, these rows, and the others.
    parts: &'a [(Experts, Rows, Rows)],
    smoothing: f64,
    run: &'a Run<'a>,
}

impl Judge<'_> {
    /// The log-likelihood of each row, times its weight, fold after fold.
    fn logs(&self, group: &[u32], origin: Origin) -> Vec<f64> {
        let limits = (STEPS[0], self.run.stop);
        let each = self.parts.iter().flat_map(|(experts, train, test)| {
            Group::fit(experts, train, (group, origin), self.smoothing, limits)
                .log_likelihoods(test)
        });
        each.collect()
    }

    /// The sum of these; the least there is after a stop.
    fn sum(&self, group: &[u32]) -> f64 {
        if self.run.stop.requested() {
            return f64::NEG_INFINITY;
        }
        self.logs(group, Origin::Group).iter().sum()
    }

    fn alone(&self, expert: u32) -> Alone {
        let of = |origin: Origin| Alone { origin, logs: self.logs(&[expert], origin) };
        let (counted, right) = (of(Origin::Group), of(Origin::Truth));
        if right.sum() > counted.sum() { right } else { counted }
    }

    /// What it is worth for each expert of a group to be in it.
    fn worth(&self, group: &[u32], alone: &[Alone]) -> Vec<Worth> {
        if self.run.stop.requested() {
            return Vec::new();
        }
        let all = self.logs(group, Origin::Group);
        let each = group.iter().map(|&expert| {
            let rest: Vec<u32> = group.iter().copied().filter(|&other| other != expert).collect();
            let fitted = (rest.len() > 1).then(|| self.logs(&rest, Origin::Group));
            let others = fitted.as_ref().unwrap_or(&alone[rest[0] as usize].logs);
            let own = &alone[expert as usize].logs;
            let gains = all.iter().zip(others).zip(own).map(|((all, rest), own)| all - rest - own);
            worth(&gains.collect::<Vec<f64>>())
        });
        each.collect()
    }
}

/// The sum of what rows gain, and its standard error.
fn worth(gains: &[f64]) -> Worth {
    let (gain, rows) = (gains.iter().sum::<f64>(), gains.len() as f64);
    let squares: f64 = gains.iter().map(|row| (row - gain / rows).powi(2)).sum();
    Worth { gain, error: (squares * rows / (rows - 1.0)).sqrt() }
}

/// The experts of each group: the two groups that gain most by it are joined, again and again.
fn join(experts: &Experts, rows: &Rows, alone: &[Alone], judge: &Judge<'_>) -> Vec<Vec<u32>> {
    let mut groups: Vec<Vec<u32>> = (0..rows.experts() as u32).map(|expert| vec![expert]).collect();
    let agreement = agreement(experts, rows);
    let partners = agreeing(&agreement, PARTNERS);
    let linked = |a: &[u32], b: &[u32]| {
        a.iter().any(|x| {
            b.iter().any(|y| partners[*x as usize].contains(y) || partners[*y as usize].contains(x))
        })
    };
    let mut apart: Vec<f64> = alone.iter().map(Alone::sum).collect();
    // What joining two groups gains, for each pair that was tried.
    let mut gains: Vec<(usize, usize, f64)> = Vec::new();
    let mut fresh: Vec<(usize, usize)> = (0..groups.len())
        .flat_map(|b| (0..b).map(move |a| (a, b)))
        .filter(|&(a, b)| linked(&groups[a], &groups[b]))
        .collect();
    loop {
        let joint = judge.run.pool.map(fresh.len(), |at| {
            let (a, b) = fresh[at];
            judge.sum(&[&groups[a][..], &groups[b][..]].concat())
        });
        for (&(a, b), joint) in fresh.iter().zip(joint) {
            gains.push((a, b, joint - apart[a] - apart[b]));
        }
        let best =
            gains.iter().copied().reduce(|best, next| if next.2 > best.2 { next } else { best });
        let Some((a, b, gain)) = best.filter(|best| best.2 > LEAST) else { break };
        let joined = [&groups[a][..], &groups[b][..]].concat();
        apart.push(gain + apart[a] + apart[b]);
        groups.push(joined);
        groups[a].clear();
        groups[b].clear();
        gains.retain(|&(x, y, _)| ![x, y].contains(&a) && ![x, y].contains(&b));
        fresh = nearest(&agreement, &groups, linked);
    }
    let mut found: Vec<Vec<u32>> = groups.into_iter().filter(|group| !group.is_empty()).collect();
    for group in &mut found {
        group.sort_unstable();
    }
    found.sort_unstable();
    found
}

/// The last group beside those that are linked to it and agree with it most.
fn nearest(
    agreement: &[Vec<f64>],
    groups: &[Vec<u32>],
    linked: impl Fn(&[u32], &[u32]) -> bool,
) -> Vec<(usize, usize)> {
    let new = groups.len() - 1;
    let mut near: Vec<(f64, usize)> = (0..new)
        .filter(|&at| !groups[at].is_empty() && linked(&groups[at], &groups[new]))
        .map(|at| (mean_agreement(agreement, &groups[at], &groups[new]), at))
        .collect();
    // The sort is stable: among equals the earlier group goes first.
    near.sort_by(|x, y| y.0.total_cmp(&x.0));
    let mut pairs: Vec<(usize, usize)> =
        near.into_iter().take(TRIED).map(|(_, at)| (at, new)).collect();
    pairs.sort_unstable();
    pairs
}

/// The mean agreement of an expert of one group and one of another.
fn mean_agreement(agreement: &[Vec<f64>], a: &[u32], b: &[u32]) -> f64 {
    let pairs = a.iter().flat_map(|&x| b.iter().map(move |&y| (x as usize, y as usize)));
    pairs.map(|(x, y)| agreement[x][y]).sum::<f64>() / (a.len() * b.len()) as f64
}

/// For each expert so many others, those that it agrees with most beyond what the class explains.
pub(super) fn partners(experts: &Experts, rows: &Rows, most: usize) -> Vec<Vec<u32>> {
    agreeing(&agreement(experts, rows), most)
}

/// The same of what is known of all pairs.
fn agreeing(agreement: &[Vec<f64>], most: usize) -> Vec<Vec<u32>> {
    let each = agreement.iter().enumerate().map(|(a, with)| {
        let mut others: Vec<u32> = (0..with.len() as u32).filter(|&b| b as usize != a).collect();
        // The sort is stable: among equals the earlier expert goes first.
        others.sort_by(|&x, &y| with[y as usize].total_cmp(&with[x as usize]));
        others.truncate(most);
        others
    });
    each.collect()
}

/// The weight of the rows in which two experts agree beyond what the class explains, for all pairs.
fn agreement(experts: &Experts, rows: &Rows) -> Vec<Vec<f64>> {
    let (count, k) = (rows.experts(), rows.classes);
    let votes: Vec<Vec<u32>> = (0..count)
        .map(|expert| {
            let vote = |row: usize| experts.vote(expert, rows.row(row)[expert]);
            (0..rows.len()).map(|row| vote(row).map_or(MISSING, |class| class as u32)).collect()
        })
        .collect();
    // How often each expert says each class of rows of each class.
    let shares: Vec<Vec<f64>> = votes
        .iter()
        .map(|votes| {
            let mut shares = vec![0.0; k * k];
            let mut sums = vec![1e-9; k];
            for (row, &vote) in votes.iter().enumerate().filter(|(_, vote)| **vote != MISSING) {
                let (label, weight) = (rows.labels[row] as usize, rows.weights[row]);
                shares[label * k + vote as usize] += weight;
                sums[label] += weight;
            }
            shares.iter().enumerate().map(|(at, share)| share / sums[at / k]).collect()
        })
        .collect();
    let mut class = vec![0.0; k];
    let each = rows.labels.iter().zip(&rows.weights);
    each.for_each(|(&label, weight)| class[label as usize] += weight);
    let beyond = |a: usize, b: usize| {
        let both = votes[a].iter().zip(&votes[b]).zip(&rows.weights);
        let agree = both.filter(|((a, b), _)| a == b && **a != MISSING).map(|(_, weight)| weight);
        let chance: f64 = (0..k * k).map(|at| class[at / k] * shares[a][at] * shares[b][at]).sum();
        agree.sum::<f64>() - chance
    };
    (0..count).map(|a| (0..count).map(|b| beyond(a, b)).collect()).collect()
}

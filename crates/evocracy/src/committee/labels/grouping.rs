//! Which experts have one source: groups are joined as long as that makes what they say of rows
//! that were held out more likely.

use super::law::Law;
use super::loglinear::few;
use super::network::Names;
use super::rows::{Experts, Rows};
use super::sources::{Group, Sources};
use crate::data::{MISSING, Split, folds};
use crate::error::Result;
use crate::run::Run;

/// Folds on which groups are compared.
const FOLDS: usize = 3;

/// Steps of expectation-maximisation while groups are compared, and at the end.
const STEPS: [usize; 2] = [12, 40];

/// How many nats a group must gain on rows held out.
const LEAST: f64 = 2.0;

/// For each expert so many others are tried as its partners, those it agrees with most.
const PARTNERS: usize = 6;

/// A group that was joined is tried with so many others, those it agrees with most.
const TRIED: usize = 12;

/// Finds the groups and fits them.
pub(super) fn fit(names: &Names<'_>, rows: &Rows, smoothing: f64, run: &Run<'_>) -> Result<Law> {
    let groups = groups(names, rows, smoothing, run)?;
    let one =
        |group: &Vec<u32>| Group::fit(names.experts, rows, group, smoothing, (STEPS[1], run.stop));
    let fitted = groups.iter().map(one).collect();
    Ok(Law::Sources(Sources::new(rows.log_prior(), fitted)))
}

/// The experts of each group.
fn groups(names: &Names<'_>, rows: &Rows, smoothing: f64, run: &Run<'_>) -> Result<Vec<Vec<u32>>> {
    let some = few(rows, run)?;
    let rows = some.as_ref().unwrap_or(rows);
    let mut groups: Vec<Vec<u32>> = (0..rows.experts() as u32).map(|expert| vec![expert]).collect();
    if rows.len() < 2 * FOLDS {
        return Ok(groups);
    }
    let splits = folds(rows.len(), Some(&rows.labels), FOLDS, run.seed.child("groups", 0))?;
    let part = |split: &Split| {
        let (train, test) = (rows.some(&split.train), rows.some(&split.test));
        (names.experts.learnt_from(&train, names.inputs, names.classes), train, test)
    };
    let parts: Vec<(Experts, Rows, Rows)> = splits.iter().map(part).collect();
    let held_out = |group: &[u32]| -> f64 {
        let each = parts.iter().map(|(experts, train, test)| {
            Group::fit(experts, train, group, smoothing, (STEPS[0], run.stop)).log_likelihood(test)
        });
        each.sum()
    };
    let agreement = agreement(names.experts, rows);
    let partners = agreeing(&agreement, PARTNERS);
    let linked = |a: &[u32], b: &[u32]| {
        a.iter().any(|x| {
            b.iter().any(|y| partners[*x as usize].contains(y) || partners[*y as usize].contains(x))
        })
    };
    let mut alone: Vec<f64> = run.pool.map(groups.len(), |at| held_out(&groups[at]));
    // What joining two groups gains, for each pair that was tried.
    let mut gains: Vec<(usize, usize, f64)> = Vec::new();
    let mut fresh: Vec<(usize, usize)> = (0..groups.len())
        .flat_map(|b| (0..b).map(move |a| (a, b)))
        .filter(|&(a, b)| linked(&groups[a], &groups[b]))
        .collect();
    loop {
        let joint = run.pool.map(fresh.len(), |at| {
            let (a, b) = fresh[at];
            if run.stop.requested() {
                return f64::NEG_INFINITY;
            }
            held_out(&[&groups[a][..], &groups[b][..]].concat())
        });
        for (&(a, b), joint) in fresh.iter().zip(joint) {
            gains.push((a, b, joint - alone[a] - alone[b]));
        }
        let best =
            gains.iter().copied().reduce(|best, next| if next.2 > best.2 { next } else { best });
        let Some((a, b, gain)) = best.filter(|best| best.2 > LEAST) else { break };
        let joined = [&groups[a][..], &groups[b][..]].concat();
        alone.push(gain + alone[a] + alone[b]);
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
    Ok(found)
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

/// How often two experts agree beyond what the class explains, for all pairs.
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
            for (&vote, &label) in votes.iter().zip(&rows.labels).filter(|(v, _)| **v != MISSING) {
                shares[label as usize * k + vote as usize] += 1.0;
                sums[label as usize] += 1.0;
            }
            shares.iter().enumerate().map(|(at, share)| share / sums[at / k]).collect()
        })
        .collect();
    let mut class = vec![0.0; k];
    rows.labels.iter().for_each(|&label| class[label as usize] += 1.0);
    let beyond = |a: usize, b: usize| {
        let agree = votes[a].iter().zip(&votes[b]).filter(|(a, b)| a == b && **a != MISSING);
        let chance: f64 = (0..k * k).map(|at| class[at / k] * shares[a][at] * shares[b][at]).sum();
        agree.count() as f64 - chance
    };
    (0..count).map(|a| (0..count).map(|b| beyond(a, b)).collect()).collect()
}

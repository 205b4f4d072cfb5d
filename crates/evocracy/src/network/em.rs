//! Tables from rows with missing values, by expectation maximisation (Dempster, Laird, Rubin 1977;
//! Lauritzen 1995).
//!
//! Each round counts every row in shares: how likely its gaps have each combination of values
//! under the tables so far. The tables then follow from these counts as from others.

use super::tables::empty_tables;
use super::{Dag, Discrete, Network, Prior, Variable};
use crate::data::MISSING;
use crate::error::{Error, Result};
use crate::run::{Run, StopReason};

/// Gaps of up to so many combinations are gone through one by one; more are left to variable
/// elimination.
const ENUMERATED: usize = 1024;
/// Rows that are counted together.
const CHUNK: usize = 512;

/// When to end.
#[derive(Debug, Clone, PartialEq)]
pub struct Em {
    /// The most rounds.
    pub rounds: usize,
    /// The rounds end when no probability changes by more.
    pub tolerance: f64,
}

impl Default for Em {
    fn default() -> Self {
        Self { rounds: 200, tolerance: 1e-5 }
    }
}

/// A network that was fitted to rows with missing values.
#[derive(Debug, Clone, PartialEq)]
pub struct EmFit {
    /// The network.
    pub network: Network,
    /// The rounds it took.
    pub rounds: usize,
    /// Whether the rounds ended because nothing changed any more.
    pub converged: bool,
    /// Why they ended.
    pub stop: StopReason,
}

/// Fits the tables of a structure to rows with missing values. It begins with `start`, or with the
/// tables of what is there; a variable without any value needs a start, for from even tables it
/// learns nothing.
pub fn expectation_maximisation(
    variables: &[Variable],
    dag: &Dag,
    data: &Discrete,
    prior: Prior,
    how: &Em,
    start: Option<Network>,
    run: &Run<'_>,
) -> Result<EmFit> {
    let first = Network::fit(variables.to_vec(), dag.clone(), data, prior)?;
    let mut network = match start {
        Some(start) if start.dag() != dag || start.variables() != variables => {
            return Err(Error::unsuitable("the network to begin with has another structure", ""));
        }
        Some(start) => start,
        None => first,
    };
    let (whole, gaps): (Vec<usize>, Vec<usize>) = (0..data.rows())
        .partition(|&row| (0..data.variables()).all(|v| data.code(row, v) != MISSING));
    let mut known = empty_tables(variables, dag)?;
    let mut codes = Vec::new();
    for row in whole {
        data.row_into(row, &mut codes);
        add(&network, &codes, data.weight(row), &mut known);
    }
    let run = &run.task("EM", how.rounds as u64);
    let (mut rounds, mut converged) = (0, gaps.is_empty());
    if converged {
        network = Network::from_counts(variables.to_vec(), dag.clone(), known.clone(), prior)?;
    }
    while !converged && rounds < how.rounds && !run.stop.requested() {
        let counts = expected(&network, data, &gaps, &known, run)?;
        let next = Network::from_counts(variables.to_vec(), dag.clone(), counts, prior)?;
        converged = change(&network, &next) <= how.tolerance;
        network = next;
        rounds += 1;
        run.watch.advance(1);
    }
    let ended = !converged && run.stop.requested();
    let stop = if ended { StopReason::Interrupted } else { StopReason::Finished };
    Ok(EmFit { network, rounds, converged, stop })
}

/// The largest change of a probability.
fn change(a: &Network, b: &Network) -> f64 {
    let nodes = 0..a.variables().len();
    let of = |node: usize| {
        let pairs = a.table(node).iter().zip(b.table(node));
        pairs.fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()))
    };
    nodes.map(of).fold(0.0, f64::max)
}

/// The counts of the whole rows and the shares of those with gaps.
fn expected(
    network: &Network,
    data: &Discrete,
    gaps: &[usize],
    known: &[Vec<f64>],
    run: &Run<'_>,
) -> Result<Vec<Vec<f64>>> {
    let chunks: Vec<&[usize]> = gaps.chunks(CHUNK).collect();
    let found = run.pool.map(chunks.len(), |at| -> Result<Vec<Vec<f64>>> {
        let mut counts = empty_tables(network.variables(), network.dag())?;
        let mut codes = Vec::new();
        for &row in chunks[at] {
            data.row_into(row, &mut codes);
            share(network, &mut codes, data.weight(row), &mut counts)?;
        }
        Ok(counts)
    });
    let mut counts = known.to_vec();
    for part in found {
        for (sum, more) in counts.iter_mut().flatten().zip(part?.iter().flatten()) {
            *sum += more;
        }
    }
    Ok(counts)
}

/// Adds one row with gaps.
fn share(network: &Network, codes: &mut [u32], weight: f64, counts: &mut [Vec<f64>]) -> Result<()> {
    let gaps: Vec<usize> = (0..codes.len()).filter(|v| codes[*v] == MISSING).collect();
    let size = gaps.iter().map(|&v| network.states(v)).fold(1, usize::saturating_mul);
    if size > ENUMERATED {
        return share_by_elimination(network, codes, weight, counts);
    }
    let mut shares = Vec::with_capacity(size);
    let each = |codes: &mut [u32], visit: &mut dyn FnMut(&[u32])| {
        for &v in &gaps {
            codes[v] = 0;
        }
        for _ in 0..size {
            visit(codes);
            for &v in gaps.iter().rev() {
                codes[v] += 1;
                if (codes[v] as usize) < network.states(v) {
                    break;
                }
                codes[v] = 0;
            }
        }
    };
    each(codes, &mut |codes| {
        shares.push((0..codes.len()).map(|node| network.entry(node, codes).ln()).sum::<f64>());
    });
    let top = shares.iter().fold(f64::NEG_INFINITY, |top, &log| top.max(log));
    for log in &mut shares {
        *log = (*log - top).exp();
    }
    let sum: f64 = shares.iter().sum();
    if !(sum > 0.0 && sum.is_finite()) {
        return Err(Error::unsuitable(
            "a row cannot come about under the tables",
            "use a prior above 0",
        ));
    }
    let mut at = 0;
    each(codes, &mut |codes| {
        add(network, codes, weight * shares[at] / sum, counts);
        at += 1;
    });
    Ok(())
}

/// Adds one row, the joint posterior of each family by itself.
fn share_by_elimination(
    network: &Network,
    codes: &[u32],
    weight: f64,
    counts: &mut [Vec<f64>],
) -> Result<()> {
    let mut filled = codes.to_vec();
    for (node, counts) in counts.iter_mut().enumerate() {
        let own = network.dag().parents(node).iter().copied().chain([node as u32]);
        let mut gaps: Vec<u32> = own.filter(|&v| codes[v as usize] == MISSING).collect();
        gaps.sort_unstable();
        let shares =
            if gaps.is_empty() { vec![1.0] } else { network.joint_posterior(&gaps, codes)? };
        for (at, share) in shares.into_iter().enumerate() {
            let mut rest = at;
            for &v in gaps.iter().rev() {
                filled[v as usize] = (rest % network.states(v as usize)) as u32;
                rest /= network.states(v as usize);
            }
            counts[place(network, node, &filled)] += weight * share;
        }
        for &v in &gaps {
            filled[v as usize] = MISSING;
        }
    }
    Ok(())
}

/// Adds a weight to the entries of a row without gaps.
fn add(network: &Network, codes: &[u32], weight: f64, counts: &mut [Vec<f64>]) {
    for (node, counts) in counts.iter_mut().enumerate() {
        counts[place(network, node, codes)] += weight;
    }
}

/// Where a row falls in the table of a node.
fn place(network: &Network, node: usize, codes: &[u32]) -> usize {
    let own = network.dag().parents(node).iter().map(|&parent| parent as usize).chain([node]);
    own.fold(0, |at, v| at * network.states(v) + codes[v] as usize)
}

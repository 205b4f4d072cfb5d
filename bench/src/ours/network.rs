//! Bayesian networks: structures of a sample of ALARM and of labels of experts, and the posterior of
//! the class of one row. Every relabelling is learnt from for the score; the first one is timed.
//!
//! Hill climbing has a short tabu list here: without one it ends lower.

use crate::clock;
use crate::measure::Measured;
use anyhow::{Context, Result, bail};
use evocracy::data::MISSING;
use evocracy::network::search::{Climb, Evobn, Learnt, climb, evobn, k2};
use evocracy::network::{
    Constraints, Discrete, Network, Posterior, Prior, Score, Scorer, Variable,
};
use evocracy::run::{Pool, Run, Stop};
use std::hint::black_box;
use std::path::Path;

/// The equivalent sample size of BDeu, as the peers have it.
const SIZE: f64 = 10.0;

pub fn run(case: &str, folder: &Path) -> Result<Measured> {
    let (name, what) = case.split_once('-').unwrap_or((case, "evobn"));
    let (tables, order) = read(&folder.join(format!("{name}.bin")))?;
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let run = Run::new(1, &stop, &pool);
    let all = Constraints::default();
    let learn = |table: &Discrete| -> Result<Learnt> {
        let scorer = Scorer::new(table, Score::Bdeu(SIZE))?;
        let short = Climb { tabu: 10, patience: 15, ..Climb::greedy() };
        Ok(match what {
            "k2" => k2(&scorer, &all, &order, &run)?,
            "hc" => climb(&scorer, &all, None, &short, &run)?,
            _ => evobn(&scorer, &all, &Evobn::default(), &run)?,
        })
    };
    if what == "posterior" {
        return posterior(&tables[0], &learn(&tables[0])?);
    }
    let scores: Vec<f64> =
        tables.iter().map(|table| Ok(learn(table)?.score)).collect::<Result<_>>()?;
    let (seconds, _) = clock::time(|| learn(&tables[0]))?;
    let quality = Some(scores.iter().sum::<f64>() / scores.len() as f64);
    Ok(Measured { seconds, quality, ..Measured::default() })
}

/// The seconds for the posterior of the first variable in one row, with the codes of all others.
fn posterior(table: &Discrete, learnt: &Learnt) -> Result<Measured> {
    let names = |n: u32| (0..n).map(|state| state.to_string()).collect();
    let variables = table.all_states().iter().enumerate();
    let variables = variables.map(|(at, &n)| Variable { name: format!("v{at}"), states: names(n) });
    let network = Network::fit(variables.collect(), learnt.dag.clone(), table, Prior::Cell(1.0))?;
    let class = Posterior::of(&network, 0)?;
    let rows: Vec<Vec<u32>> = (0..table.rows())
        .map(|row| {
            let mut codes = Vec::new();
            table.row_into(row, &mut codes);
            codes[0] = MISSING;
            codes
        })
        .collect();
    let mut out = vec![0.0; network.states(0)];
    let (seconds, _) = clock::time(|| {
        for codes in &rows {
            if !class.write(black_box(codes), &mut out) {
                bail!("a code is missing");
            }
            black_box(&out);
        }
        Ok(())
    })?;
    Ok(Measured { seconds: seconds / rows.len() as f64, ..Measured::default() })
}

/// The tables of a file that `peers/data.py` made, and an order of the variables.
fn read(path: &Path) -> Result<(Vec<Discrete>, Vec<u32>)> {
    let bytes = std::fs::read(path)?;
    let number = |at: usize| -> Result<usize> {
        let bytes = bytes.get(at * 8..at * 8 + 8).context("the file of codes ends early")?;
        Ok(u64::from_le_bytes(bytes.try_into()?) as usize)
    };
    let (rows, columns, count) = (number(0)?, number(1)?, number(2)?);
    let list = |from: usize| (from..from + columns).map(number).collect::<Result<Vec<_>>>();
    let (states, order) = (list(3)?, list(3 + columns)?);
    let codes = &bytes[(3 + 2 * columns) * 8..];
    let mut tables = Vec::new();
    for turn in codes.chunks_exact(rows * columns).take(count) {
        let wide: Vec<Vec<u32>> = turn
            .chunks_exact(rows)
            .map(|column| column.iter().map(|&code| u32::from(code)).collect())
            .collect();
        let pairs: Vec<(u32, &[u32])> =
            states.iter().map(|&n| n as u32).zip(wide.iter().map(Vec::as_slice)).collect();
        tables.push(Discrete::new(&pairs)?);
    }
    Ok((tables, order.into_iter().map(|node| node as u32).collect()))
}

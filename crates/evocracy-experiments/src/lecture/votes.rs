//! What a bootstrap sample holds, and how often a majority of independent experts errs.

use super::{Size, open};
use crate::{Compare, Row};
use evocracy::committee::Bag;
use evocracy::committee::diversity::majority_error;
use evocracy::data::bootstrap;
use evocracy::error::{Error, Result};
use evocracy::run::{Run, Seed};
use rand::RngExt;

/// The lecture's committee: so many experts, each of whom errs so often.
const EXPERTS: u64 = 21;
const ERROR: f64 = 0.3;

pub(super) fn rows(run: &Run<'_>, size: Size) -> Result<Vec<Row>> {
    let seeds = |name: &str, figure: &(dyn Fn(&Run<'_>) -> Result<f64> + Sync)| {
        let all = run.pool.map(size.seeds, |seed| figure(&run.child(name, seed as u64)));
        all.into_iter().collect::<Result<Vec<f64>>>()
    };
    // As exactly as the lecture gives them.
    let (coverage, majority) = (Compare::About(0.632, 0.0005), Compare::About(0.026, 0.0005));
    let fraction = "fraction of the rows";
    let row = |name: &str, values: &[f64], unit| Row::mean(name, values, unit);
    Ok(vec![
        row("bootstrap/coverage", &seeds("bootstrap", &|run| drawn(run.seed))?, fraction)
            .printed(0.632)
            .target(coverage),
        row("bootstrap/bag/coverage", &seeds("bag", &|run| seen(size.members, run))?, fraction)
            .printed(0.632)
            .target(coverage),
        Row::new("majority/21/exact", majority_error(EXPERTS, ERROR)?, "probability")
            .printed(0.026)
            .target(majority),
        row("majority/21/simulated", &seeds("majority", &|run| Ok(wrong(run.seed)))?, "fraction")
            .printed(0.026)
            .target(majority),
    ])
}

/// The share of rows in a bootstrap sample, a mean of a thousand samples.
fn drawn(seed: Seed) -> Result<f64> {
    let (rows, samples) = (8124, 1000);
    let mut left_out = 0;
    for sample in 0..samples {
        left_out += bootstrap(rows, seed.child("sample", sample))?.test.len();
    }
    Ok(1.0 - left_out as f64 / (rows as u64 * samples) as f64)
}

/// The share of the rows of `mushroom` that the members of a bag were trained on.
fn seen(members: usize, run: &Run<'_>) -> Result<f64> {
    let data = open("mushroom")?;
    let (_, out_of_bag) = Bag::default().members(members).fit_out_of_bag(&data.task()?, run)?;
    let unseen = out_of_bag.ok_or_else(|| Error::unsuitable("every member saw every row", ""))?;
    let pairs = (unseen.trees.len() * members) as f64;
    Ok(1.0 - unseen.trees.iter().map(|&members| f64::from(members)).sum::<f64>() / pairs)
}

/// How often most of the experts err, each by a coin of its own.
fn wrong(seed: Seed) -> f64 {
    let (mut rng, questions) = (seed.rng(), 2_000_000);
    let mut errors = || (0..EXPERTS).filter(|_| rng.random::<f64>() < ERROR).count() as u64;
    let lost = (0..questions).filter(|_| errors() > EXPERTS / 2).count();
    lost as f64 / f64::from(questions)
}

//! NSGA-II on problems with known fronts.

use crate::clock;
use crate::measure::Measured;
use anyhow::{Result, bail};
use evocracy::evolve::multi::Nsga2;
use evocracy::evolve::pareto::{PointSet, hypervolume};
use evocracy::evolve::problems::{Dtlz, Zdt};
use evocracy::evolve::vary::{Chance, Polynomial, Sbx};
use evocracy::evolve::{Domain, Evolution, Problem, Reals, Until};
use evocracy::run::{Pool, Run, Stop};

/// What every side does in a case.
#[derive(Debug, Clone, Copy)]
pub struct Work {
    pub variables: usize,
    pub population: usize,
    pub generations: u64,
    /// Whether the least of the hypervolumes counts, else their mean.
    least: bool,
}

/// Seeds 1 to 10.
pub const SEEDS: std::ops::RangeInclusive<u64> = 1..=10;
/// The distribution indices of crossover and mutation, and how likely a pair recombines. Each
/// variable mutates with a probability of one over their number.
pub const ETA_CROSSOVER: f64 = 15.0;
pub const ETA_MUTATION: f64 = 20.0;
pub const RECOMBINE: f64 = 0.9;

pub fn work(case: &str) -> Result<Work> {
    match case {
        "zdt1" => Ok(Work { variables: 30, population: 100, generations: 250, least: true }),
        "dtlz2" => Ok(Work { variables: 12, population: 300, generations: 500, least: false }),
        _ => bail!("there is no case `{case}`"),
    }
}

pub fn run(case: &str) -> Result<Measured> {
    let work = work(case)?;
    match case {
        "zdt1" => measure(work, |seed| search(&Zdt::One, Zdt::One.reals(), work, seed)),
        _ => {
            let problem = Dtlz::new(2, 3)?;
            measure(work, |seed| search(&problem, problem.reals(), work, seed))
        }
    }
}

/// Times one seed after the other; `search` gives the last population's points, all minimised.
pub fn measure<R: AsRef<[f64]>>(
    work: Work,
    search: impl Fn(u64) -> Result<Vec<R>>,
) -> Result<Measured> {
    let (seconds, fronts) = clock::time(|| SEEDS.map(&search).collect::<Result<Vec<_>>>())?;
    let mut volumes = Vec::new();
    for front in &fronts {
        let points = PointSet::minimised(front)?;
        volumes.push(hypervolume(&points, &vec![1.1; points.objectives()])?);
    }
    let runs = fronts.len() as f64;
    let quality = if work.least {
        volumes.iter().copied().fold(f64::INFINITY, f64::min)
    } else {
        volumes.iter().sum::<f64>() / runs
    };
    let seconds = seconds / runs;
    Ok(Measured { seconds, quality: Some(quality), ..Measured::default() })
}

fn search<Q: Problem<Vec<f64>, Phenotype = ()>>(
    problem: &Q,
    reals: Reals,
    work: Work,
    seed: u64,
) -> Result<Vec<Vec<f64>>> {
    let rate = 1.0 / work.variables as f64;
    let cross = Chance { p: RECOMBINE, of: Sbx::new(ETA_CROSSOVER) };
    let space = reals.vary(cross, Polynomial::new(ETA_MUTATION, rate));
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let mut search = Evolution::new(space, Nsga2::new(work.population), problem.goals(), seed)?;
    search.run(problem, &Until::Generations(work.generations), &Run::new(seed, &stop, &pool))?;
    Ok(search.state().members().costs.iter().map(|points| points.flat().to_vec()).collect())
}

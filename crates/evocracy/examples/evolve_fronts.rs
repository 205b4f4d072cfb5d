//! The fronts of ZDT1-4, 6 and DTLZ1-4, 7 by NSGA-II, and by the elitist archive search, after
//! 25,100 evaluations each.
//!
//! For each problem: how many points were found, how far the known front is from what they
//! dominate, and how unevenly they lie along it.
//!
//! ```text
//! cargo run --release -p evocracy --example evolve_fronts
//! ```

use evocracy::error::Result;
use evocracy::evolve::multi::{Elite, Nsga2};
use evocracy::evolve::pareto::{PointSet, igd_plus, spread};
use evocracy::evolve::problems::{Dtlz, Zdt};
use evocracy::evolve::vary::{Chance, Copy, Laplace, Polynomial, Sbx};
use evocracy::evolve::{Domain, Evolution, Problem, Reals, Space, Strategy, Until};
use evocracy::run::{Pool, Run, Stop};
use std::io::Write;

/// What one strategy found on one problem.
pub struct Found {
    /// The problem.
    pub problem: String,
    /// The strategy.
    pub strategy: &'static str,
    /// How many points.
    pub points: usize,
    /// How far the known front is from what they dominate.
    pub distance: f64,
    /// How unevenly they lie.
    pub spread: f64,
}

/// Every problem with both strategies.
pub fn all() -> Result<Vec<Found>> {
    let mut found = Vec::new();
    for zdt in Zdt::ALL {
        found.extend(compare(&format!("ZDT {zdt:?}"), &zdt, &zdt.reals(), &zdt.front(500)?)?);
    }
    for number in [1, 2, 3, 4, 7] {
        let dtlz = Dtlz::new(number, 3)?;
        found.extend(compare(&format!("DTLZ{number}"), &dtlz, &dtlz.reals(), &dtlz.front(25)?)?);
    }
    Ok(found)
}

/// The example.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    for Found { problem, strategy, points, distance, spread } in all()? {
        writeln!(
            out,
            "{problem:9} {strategy:8} {points:5} points, IGD+ {distance:.4}, spread {spread:.3}"
        )?;
    }
    Ok(())
}

fn compare<Q>(name: &str, problem: &Q, reals: &Reals, front: &PointSet) -> Result<[Found; 2]>
where
    Q: Problem<Vec<f64>, Phenotype = ()>,
{
    let rate = 1.0 / reals.dimensions() as f64;
    let cross = Chance { p: 0.9, of: Sbx::new(15.0) };
    let space = reals.clone().vary(cross, Polynomial::new(20.0, rate));
    let nsga2 = search(problem, space, Nsga2::new(100))?;
    // One parent, one step with a heavy tail: most are small, some lead far away.
    let space = reals.clone().vary(Copy, Laplace::new(0.1, rate));
    let elite = search(problem, space, Elite::new().start(100))?;
    let judge = |strategy, points: &PointSet| -> Result<Found> {
        Ok(Found {
            problem: name.to_owned(),
            strategy,
            points: points.len(),
            distance: igd_plus(points, front)?,
            spread: spread(points, front)?,
        })
    };
    Ok([judge("NSGA-II", &nsga2)?, judge("elite", &elite)?])
}

fn search<Q, S, T>(problem: &Q, space: S, strategy: T) -> Result<PointSet>
where
    Q: Problem<Vec<f64>, Phenotype = ()>,
    S: Space<Genome = Vec<f64>>,
    T: Strategy<S>,
{
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let mut search = Evolution::new(space, strategy, problem.goals(), 1)?.log_every(0);
    search.run(problem, &Until::Evaluations(25_100), &Run::new(1, &stop, &pool))?;
    PointSet::minimised(search.state().members().costs.iter().map(|points| points.flat().to_vec()))
}

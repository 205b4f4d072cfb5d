//! NSGA-II by genoxide and by moors.

use crate::measure::Measured;
use crate::ours::nsga2::{ETA_CROSSOVER, ETA_MUTATION, RECOMBINE, Work, measure, work};
use anyhow::{Result, anyhow};
use genoxide::Objective::Minimize;
use genoxide::multi::MultiFitnessFunction;
use genoxide::multi::problems::{Dtlz2, MultiProblem, Zdt1};
use genoxide::prelude::{
    MultiEngine, Nsga2, PolynomialMutation, Real, Reals, SimulatedBinaryCrossover, Stop,
};
use moors::{GaussianMutation, Nsga2Builder, RandomSamplingFloat, impl_constraints_fn};
use ndarray::{Array2, Axis, stack};
use std::f64::consts::FRAC_PI_2;

pub fn genoxide(case: &str) -> Result<Measured> {
    let work = work(case)?;
    if case == "zdt1" {
        measure(work, |seed| {
            let problem = Zdt1::new(work.variables);
            evolve::<2, _>(problem.representation(), problem, work, seed)
        })
    } else {
        measure(work, |seed| {
            let problem = Dtlz2::<3>::new(work.variables);
            evolve::<3, _>(problem.representation(), problem, work, seed)
        })
    }
}

fn evolve<const M: usize, F: MultiFitnessFunction<Reals, M>>(
    reals: Real,
    problem: F,
    work: Work,
    seed: u64,
) -> Result<Vec<[f64; M]>> {
    let nsga2 = Nsga2::builder(reals, [Minimize; M])
        .population_size(work.population)
        .crossover(SimulatedBinaryCrossover::new(ETA_CROSSOVER)?)
        .crossover_rate(RECOMBINE)
        .mutate(PolynomialMutation::per_gene(1.0 / work.variables as f64, ETA_MUTATION)?)
        .seed(seed)
        .build()?;
    let outcome =
        MultiEngine::new(nsga2, problem).stop_when(Stop::generations(work.generations)).run()?;
    Ok(outcome.front_values())
}

/// moors has no polynomial mutation: normal steps of a like size instead.
pub fn moors(case: &str) -> Result<Measured> {
    let work = work(case)?;
    let problem = if case == "zdt1" { zdt1 } else { dtlz2 };
    impl_constraints_fn!(Unit, lower_bound = 0.0, upper_bound = 1.0);
    measure(work, |seed| {
        let mut search = Nsga2Builder::default()
            .sampler(RandomSamplingFloat::new(0.0, 1.0))
            .crossover(moors::SimulatedBinaryCrossover::new(ETA_CROSSOVER))
            .mutation(GaussianMutation::new(1.0 / work.variables as f64, 0.05))
            .duplicates_cleaner(moors::NoDuplicatesCleaner)
            .fitness_fn(problem)
            .constraints_fn(Unit)
            .num_vars(work.variables)
            .population_size(work.population)
            .num_offsprings(work.population)
            .num_iterations(work.generations as usize)
            .mutation_rate(1.0)
            .crossover_rate(RECOMBINE)
            .keep_infeasible(false)
            .verbose(false)
            .seed(seed)
            .build()
            .map_err(|error| anyhow!("{error}"))?;
        search.run().map_err(|error| anyhow!("{error}"))?;
        let population = search.population.as_ref().ok_or_else(|| anyhow!("no population"))?;
        Ok(population.fitness.rows().into_iter().map(|row| row.to_vec()).collect())
    })
}

fn zdt1(x: &Array2<f64>) -> Array2<f64> {
    let first = x.column(0).to_owned();
    let g = (x.sum_axis(Axis(1)) - &first) * (9.0 / (x.ncols() - 1) as f64) + 1.0;
    let second = &g * (1.0 - (&first / &g).mapv(f64::sqrt));
    stack(Axis(1), &[first.view(), second.view()]).expect("two columns of one length")
}

fn dtlz2(x: &Array2<f64>) -> Array2<f64> {
    let mut out = Array2::zeros((x.nrows(), 3));
    for (row, mut out) in x.rows().into_iter().zip(out.rows_mut()) {
        let g = 1.0 + row.iter().skip(2).map(|x| (x - 0.5) * (x - 0.5)).sum::<f64>();
        let ((s0, c0), (s1, c1)) = ((row[0] * FRAC_PI_2).sin_cos(), (row[1] * FRAC_PI_2).sin_cos());
        out[0] = g * c0 * c1;
        out[1] = g * c0 * s1;
        out[2] = g * s0;
    }
    out
}

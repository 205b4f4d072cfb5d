//! OneMax by genoxide.

use crate::clock;
use crate::measure::Measured;
use crate::ours::onemax::{SEEDS, shape};
use anyhow::{Context, Result};
use genoxide::prelude::{
    Binary, BitFlip, Bits, Engine, Ga, Scheme, Stop, Tournament, UniformCrossover,
};

pub fn run(case: &str) -> Result<Measured> {
    let (bits, size) = shape(case)?;
    let (seconds, best) = clock::time(|| {
        let mut sum = 0.0;
        for seed in 0..SEEDS {
            let ga = Ga::builder(Binary::new(bits)?)
                .population_size(size)
                .select(Tournament::new(3)?)
                .crossover(UniformCrossover::new())
                .crossover_rate(0.9)
                .mutate(BitFlip::per_gene(1.0 / bits as f64)?)
                .scheme(Scheme::Generational { elitism: 1 })
                .seed(seed)
                .build()?;
            let outcome = Engine::new(ga, |genome: &Bits| genome.count_ones() as f64)
                .stop_when(Stop::target(bits as f64).or(Stop::generations(10_000)))
                .run()?;
            sum += outcome.best_fitness().score().context("no score")?;
        }
        Ok(sum / SEEDS as f64)
    })?;
    let seconds = seconds / SEEDS as f64;
    Ok(Measured { seconds, quality: Some(best), ..Measured::default() })
}

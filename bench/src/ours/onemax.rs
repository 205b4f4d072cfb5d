//! OneMax to the optimum: uniform crossover, bit flips, tournaments of three, one elite member.

use crate::clock;
use crate::measure::Measured;
use anyhow::{Context, Result};
use evocracy::evolve::vary::{BitFlip, Chance, Mask};
use evocracy::evolve::{BitString, Bits, Domain, Evolution, Goal, Maximise, Select, Single, Until};
use evocracy::run::{Pool, Run, Stop};

/// How many runs a figure is the mean of: how many generations one takes is a matter of luck.
pub const SEEDS: u64 = 20;

/// The bits and the population of a case such as `1000x300`.
pub fn shape(case: &str) -> Result<(usize, usize)> {
    let (bits, size) = case.split_once('x').context("a case is BITSxPOPULATION")?;
    Ok((bits.parse()?, size.parse()?))
}

pub fn run(case: &str) -> Result<Measured> {
    let (bits, size) = shape(case)?;
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let ones = Maximise(|genome: &BitString| genome.count_ones() as f64);
    let until = Until::Reached(bits as f64).or(Until::Generations(10_000));
    let (seconds, best) = clock::time(|| {
        let mut sum = 0.0;
        for seed in 0..SEEDS {
            let cross = Chance { p: 0.9, of: Mask::Uniform };
            let space = Bits::new(bits).vary(cross, BitFlip::new(1.0 / bits as f64));
            let strategy = Single::new(size).children(size - 1).select(Select::Tournament(3));
            let mut search = Evolution::new(space, strategy, &[Goal::Maximise], seed)?;
            search.run(&ones, &until, &Run::new(seed, &stop, &pool))?;
            sum += search.best().context("no best")?.value;
        }
        Ok(sum / SEEDS as f64)
    })?;
    let seconds = seconds / SEEDS as f64;
    Ok(Measured { seconds, quality: Some(best), ..Measured::default() })
}

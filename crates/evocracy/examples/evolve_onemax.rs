//! The problem `OneMax`: the bit string with the most ones.
//!
//! ```text
//! cargo run --release -p evocracy --example evolve_onemax
//! ```

use evocracy::error::Result;
use evocracy::evolve::vary::{BitFlip, Chance, Mask};
use evocracy::evolve::{
    BitString, Bits, Domain, Evolution, Goal, LogEntry, Maximise, Select, Single, Until,
};
use evocracy::run::{Pool, Run, Stop};
use std::io::Write;

/// The log of a search over strings of `bits` bits, to the optimum or the 2000th generation.
pub fn search(bits: usize, seed: u64) -> Result<Vec<LogEntry>> {
    let cross = Chance { p: 0.9, of: Mask::Uniform };
    let space = Bits::new(bits).vary(cross, BitFlip::new(1.0 / bits as f64));
    let strategy = Single::new(300).select(Select::Tournament(3));
    let mut search = Evolution::new(space, strategy, &[Goal::Maximise], seed)?;
    let ones = Maximise(|bits: &BitString| bits.count_ones() as f64);
    let (stop, pool) = (Stop::new(), Pool::new(1)?);
    let until = Until::Reached(bits as f64).or(Until::Generations(2000));
    search.run(&ones, &until, &Run::new(seed, &stop, &pool))?;
    Ok(search.state().log().to_vec())
}

/// The example.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    let log = search(1000, 1)?;
    for entry in log.iter().step_by(10).chain(log.last()) {
        writeln!(
            out,
            "generation {:3}: best {:4}, mean {:7.2}",
            entry.generation, entry.best, entry.mean
        )?;
    }
    Ok(())
}
